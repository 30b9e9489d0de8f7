"""Texts that left the wire by ageing or clearing, and what followed."""

from __future__ import annotations

import json
from pathlib import Path

from inspector.model.ledger import Level
from inspector.model.policy import preset
from inspector.session import open_session
from tests.transcript import Transcript, begun, call, found, result, the


def aged(tool: str = "Grep", chars: int = 9_000, argument: str = "price") -> Transcript:
    script = begun()
    script.turn("toolu_a", chars=chars, tool=tool, argument=argument)
    for n in range(5):
        script.turn(f"toolu_{n}", chars=50)
    return script


def test_summarized_result_without_a_copy_is_told(tmp_path: Path) -> None:
    script = aged()
    finding = the(script.open(tmp_path, "documented"), "cleared_without_copy")
    assert finding.ids == ("toolu_a",)
    assert finding.data == {"chars": 9_000}


def test_same_call_after_the_text_was_taken_away_is_paid_twice(tmp_path: Path) -> None:
    script = aged()
    script.turn("toolu_again", chars=9_000, tool="Grep", argument="price")
    script.answer(text="Done.")
    finding = the(script.open(tmp_path, "documented"), "read_again_after_clear")
    assert finding.ids == ("toolu_a", "toolu_again")
    assert finding.see == "line 15"


def test_preview_below_the_minimum_is_never_summarized(tmp_path: Path) -> None:
    policy = preset("documented").with_field("microcompact.min_content", 8_000)
    script = aged(chars=60_000)
    session = script.open(tmp_path, policy)
    assert the(session, "never_summarized").ids == ("toolu_a",)
    assert not found(session, "cleared_without_copy")


def test_young_results_give_no_finding(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=9_000, tool="Grep")
    session = script.open(tmp_path, "documented")
    assert not found(session, "cleared_without_copy")


def test_result_of_which_the_file_holds_only_a_placeholder_is_told_under_every_policy(tmp_path: Path) -> None:
    script = begun()
    script.answer(*(call(i, "Read", f"/{i[6]}.py") for i in ("toolu_a", "toolu_b", "toolu_a_as_well")))
    cleared = "[Old tool result content cleared]"
    script.results(result("toolu_a", cleared), result("toolu_b", cleared), apart=True)
    script.results(result("toolu_a_as_well", "short"))
    script.turn("toolu_again", tool="Read", argument="/a.py", chars=700)
    script.answer(text="Done.")
    (tmp_path / "tool-results").mkdir()
    (tmp_path / "tool-results" / "toolu_b.txt").write_text("whole")
    for policy in ("claude-code", "documented"):
        session = script.open(tmp_path, policy)
        finding = the(session, "cleared_without_copy")
        assert (finding.ids, finding.data) == (("toolu_a",), {"chars": 0})
        again = the(session, "read_again_after_clear")
        assert (again.ids, again.data) == (("toolu_a", "toolu_again"), {"chars": 700})
        assert "holds only what a clearing left" in again.fact


def test_call_that_repeats_what_a_boundary_cleared_says_so(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=9_000, tool="Grep", argument="price")
    metadata = {"trigger": "auto", "compactedToolIds": ["toolu_a"]}
    script.record("system", subtype="microcompact_boundary", microcompactMetadata=metadata)
    script.turn("toolu_again", chars=9_000, tool="Grep", argument="price")
    script.answer(text="Done.")
    finding = the(script.open(tmp_path), "read_again_after_clear")
    assert "which was cleared in request 2" in finding.fact


def test_what_was_cleared_and_what_ageing_would_clear_are_told_apart(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_gone"))
    script.results(result("toolu_gone", "[Old tool result content cleared]"))
    for name in ("toolu_a", "toolu_b", "toolu_c", "toolu_d"):
        script.turn(name, chars=9_000, tool="Grep")
    for n in range(5):
        script.turn(f"toolu_{n}")
    recorded, aged_out = found(script.open(tmp_path, "documented"), "cleared_without_copy")
    assert recorded.fact.endswith("holds the text: Bash toolu_gone.")
    assert aged_out.fact.startswith("Ageing reduces 4 results")
    assert aged_out.fact.endswith("Grep toolu_a, Grep toolu_b, Grep toolu_c and 1 more.")
    assert (recorded.see, aged_out.see) == ("line 3", "line 5")


def test_file_that_bears_the_id_of_a_cleared_result_is_a_copy(tmp_path: Path) -> None:
    script = aged()
    (tmp_path / "tool-results").mkdir()
    assert the(script.open(tmp_path, "documented"), "cleared_without_copy").ids == ("toolu_a",)
    (tmp_path / "tool-results" / "budget_toolu_a_1.txt").write_text("x" * 9_000)
    assert not found(script.open(tmp_path, "documented"), "cleared_without_copy")


def test_commands_of_one_tool_age_by_what_they_do_and_are_told_apart_by_what_they_act_on(
    tmp_path: Path,
) -> None:
    asked = [("read", "a.go"), ("exec", "make"), ("read", "b.go"), *[("tree", str(n)) for n in range(4)]]
    asked += [("read", "a.go")]
    history: list[dict[str, object]] = [{"role": "user", "content": "go"}]
    for n, (command, target) in enumerate(asked):
        arguments = {"cmd": command, "args": {"file": target}}
        made = {"id": f"c{n}", "type": "function", "name": "@coder", "arguments": arguments}
        history.append({"role": "assistant", "content": "", "tool_calls": [made]})
        history.append({"role": "tool", "tool_call_id": f"c{n}", "content": "x" * 9_000})
    history.append({"role": "assistant", "content": "Done."})
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"version": 2, "chat_history": history}), encoding="utf-8")
    session = open_session(path, policy=preset("documented"))
    assert [row.level for row in session.timeline.tracked][:3] == [
        Level.SUMMARIZED, Level.FULL, Level.SUMMARIZED,
    ]  # fmt: skip
    assert the(session, "read_again_after_clear").ids == ("c0", "c7")
