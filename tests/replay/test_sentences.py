"""The one sentence that says what happened to a row."""

from __future__ import annotations

from inspector.model.policy import DOCUMENTED
from inspector.replay.conversation import Conversation
from inspector.replay.sentences import row_sentence
from tests.builders import LEDGER, Transcript, call, image, result, text
from tests.counting import calls_of


def sentences(script: Transcript, n: int, policy: object = LEDGER) -> list[str]:
    timeline = script.timeline(DOCUMENTED if policy is DOCUMENTED else LEDGER)
    rows = Conversation(timeline)
    return [rows.result(row.entry.index, n).sentence for row in timeline.tracked]


def test_each_state_of_the_ledger_has_a_sentence_with_its_figures() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"), call("b"), call("c", "Read"), call("d"))
    script.results(result("a", "x" * 150_000), result("b", "x" * 100_000), result("c", "y"))
    script.results(result("d", [image("iVBORw0KGgo=")]))
    script.answer("m2", text())
    now = sentences(script, 2)
    assert now[0].startswith("R replaced now: the group held 250,000 of 200,000")
    assert "largest fresh result" in now[0]
    assert now[1].startswith("F frozen now")
    assert now[2].startswith("S skipped now: Read")
    assert now[3].startswith("- not a candidate: it holds an image")
    later = sentences(script, 3)
    assert later[0].startswith("r must-reapply: replaced in request 2")
    assert later[1].startswith("f frozen: sent in full in request 2")
    assert sentences(script, 1)[0].startswith("? fresh")


def test_repairs_and_ageing_come_before_the_ledger() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"), call("b", "Grep"))
    script.results(result("b", "line\n" * 1_000), result("nobody"))
    for n in range(2, 7):
        script.answer(f"m{n}", text())
        script.prompt()
    first, second, third = sentences(script, 6, DOCUMENTED)
    assert first.startswith("+ synthetic")
    assert second.startswith("▁ one line now: 4 answers later (limit 4)")
    assert third.startswith("× orphan")
    assert sentences(script, 4, DOCUMENTED)[1].startswith("▄ truncated now: 2 answers later (limit 2)")


def test_result_that_is_not_sent_any_more_says_since_when() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"))
    script.result("a")
    script.answer("m2", text())
    script.compacted()
    assert sentences(script, 3) == ["· gone: not sent since request 3."]


def test_result_that_no_request_ever_sent_is_not_said_to_have_been_sent() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"))
    script.result("a")
    script.compacted()
    script.answer("m2", text())
    said = "· gone: it was taken away in front of request 2, and never sent."
    assert sentences(script, 2) == sentences(script, 3) == [said]


def test_the_sentences_of_a_large_group_cost_what_its_rows_cost() -> None:
    def cost(count: int) -> int:
        script = Transcript()
        script.prompt()
        script.answer("m1", *(call(f"toolu_{n}") for n in range(count)))
        script.results(*(result(f"toolu_{n}", "ok") for n in range(count)))
        timeline = script.timeline()
        return calls_of(lambda: [row_sentence(timeline, row, 2) for row in timeline.tracked])

    assert cost(200) < 5 * cost(50)
