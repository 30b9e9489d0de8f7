"""Replacement lines from sizes alone (rule 28)."""

from __future__ import annotations

from inspector.model.transcript import Candidate
from inspector.pipeline.wire.history import History
from inspector.pipeline.wire.replacements import BudgetLines, Sent, groups_of, replacement_line
from tests.pipeline.wire.records import Script, call, result, text


def sent(tool_use_id: str, utf16: int, tool: str = "Bash", candidate: Candidate = Candidate.YES) -> Sent:
    return Sent(tool_use_id, tool, utf16, candidate)


def test_the_limit_itself_is_not_over() -> None:
    assert BudgetLines().decide([[sent("a", 100_000), sent("b", 100_000)]]) == ()
    assert BudgetLines().decide([[sent("a", 100_000), sent("b", 100_001)]]) == ("b",)


def test_the_largest_go_first_and_ties_go_in_message_order() -> None:
    group = [sent("a", 90_000), sent("b", 95_000), sent("c", 90_000), sent("d", 95_000)]
    assert BudgetLines().decide([group]) == ("b", "d")
    assert BudgetLines().decide([[sent("a", 90_000), sent("b", 90_000), sent("c", 90_000)]]) == ("a",)


def test_what_was_sent_once_is_never_replaced() -> None:
    budget = BudgetLines()
    first = [sent("a", 168_000)]
    assert budget.decide([first]) == ()
    assert budget.decide([[*first, sent("b", 28_000), sent("c", 28_000)]]) == ("b",)
    assert budget.decide([[*first, sent("b", 28_000), sent("c", 28_000)]]) == ()


def test_reads_are_neither_counted_nor_chosen() -> None:
    reads = [sent(f"r{n}", 100_000, "Read") for n in range(4)]
    assert BudgetLines().decide([[*reads, sent("a", 150_000)]]) == ()


def test_images_and_previews_are_no_candidates() -> None:
    group = [sent("i", 500_000, candidate=Candidate.IMAGE), sent("p", 2_000, candidate=Candidate.PERSISTED)]
    assert BudgetLines().decide([group]) == ()


def test_a_session_that_is_loaded_replaces_nothing_that_it_held() -> None:
    group = [sent("a", 150_000), sent("b", 150_000)]
    assert BudgetLines(loaded=["a", "b"]).decide([group]) == ()
    assert BudgetLines(loaded=["a"]).decide([group]) == ("b",)
    assert BudgetLines(replaced=["a"]).decide([group]) == ()


def test_groups_are_the_messages_of_the_user() -> None:
    script = Script()
    script.user(text())
    for name in ("1", "2"):
        script.answer(f"m{name}", call(name, "Grep"))
        script.user(result(name, 7))
    history = History()
    for record in script.records:
        history.add(record)
    history.cut(None)
    assert groups_of(history) == [[sent("1", 7, "Grep")], [sent("2", 7, "Grep")]]


def test_the_line_names_the_agent_only_where_there_is_one() -> None:
    line = replacement_line("s", {"a": "t"}, "agent")
    assert [*line] == ["type", "sessionId", "agentId", "replacements"]
    assert line["replacements"] == [{"kind": "tool-result", "toolUseId": "a", "replacement": "t"}]
    assert "agentId" not in replacement_line("s", {})
