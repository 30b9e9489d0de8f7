"""Replacements that were lost, and stored texts that do not follow from their result."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.pipeline.previews import persisted_preview
from inspector.pipeline.units import measure
from inspector.replay.sentences import UNIT_WORDS
from tests.session.recording import Recording, assistant, text, user
from tests.transcript import call, found, result, the

FULL = "line of text\n" * 4_000
PREVIEW = persisted_preview(FULL, "/s/tool-results/toolu_a.txt")


def session_with(*, line: bool, later: str, entrypoint: str = "cli") -> Recording:
    """A result that was sent as a preview, and then as `later`."""
    script = Recording()
    begin = (user(text("go")), assistant(call("toolu_a")))
    script.prompt("go")
    script.sent_as(begin[0])
    script.answer(call("toolu_a"))
    script.results(result("toolu_a", FULL))
    if line:
        script.replaced("toolu_a", PREVIEW)
    script.sent_as(*begin, user(result("toolu_a", PREVIEW)))
    script.answer(text="one")
    script.entrypoint = entrypoint
    script.prompt("more")
    script.sent_as(
        *begin, user(result("toolu_a", later)), assistant(text("one")), user(text("more")), new_process=True
    )
    script.answer(text="two")
    return script


def test_a_result_that_comes_back_without_its_line_is_lost(tmp_path: Path) -> None:
    finding = the(session_with(line=False, later=FULL).open(tmp_path), "replacement_lost")
    assert (finding.request, finding.ids) == (3, ("toolu_a",))
    assert finding.data["chars"] == len(FULL) - len(PREVIEW)
    assert "no line that stores" in finding.cause


def test_print_mode_is_named_as_the_cause_and_told_once(tmp_path: Path) -> None:
    script = session_with(line=True, later=FULL, entrypoint="sdk-cli")
    finding = the(script.open(tmp_path), "replacement_lost")
    assert finding.request == 3
    assert "Print mode" in finding.cause


def test_a_preview_that_no_line_stores_will_be_lost_by_the_next_resume(tmp_path: Path) -> None:
    finding = the(session_with(line=False, later=PREVIEW).open(tmp_path), "replacement_lost")
    assert finding.fact.startswith("A resume will send")
    assert finding.request == 4


def test_a_preview_that_is_stored_and_reapplied_is_not_lost(tmp_path: Path) -> None:
    session = session_with(line=True, later=PREVIEW).open(tmp_path)
    assert found(session, "replacement_lost") == []
    assert found(session, "recorded_differs") == []


def test_a_stored_text_that_does_not_follow_from_its_result_is_said(tmp_path: Path) -> None:
    script = Recording()
    script.prompt("go")
    script.answer(call("toolu_a"))
    script.results(result("toolu_a", FULL))
    script.replaced("toolu_a", PREVIEW.replace("line of text", "another text", 1))
    script.answer(text="one")
    finding = the(script.open(tmp_path), "recorded_differs")
    assert finding.data["what"] == "replacement"
    assert finding.ids == ("toolu_a",)


@pytest.mark.parametrize("policy", ["claude-code", "documented", "chatcli"])
def test_sizes_of_a_stored_text_are_in_the_unit_of_the_policy(policy: str, tmp_path: Path) -> None:
    wide = "読む 🦊 line of text\n" * 4_000
    preview = persisted_preview(wide, "/s/tool-results/toolu_a.txt")
    script = Recording()
    script.prompt("go")
    script.answer(call("toolu_a"))
    script.results(result("toolu_a", wide))
    script.replaced("toolu_a", preview.replace("line", "🦊🦊"))
    script.answer(text="one")
    with script.open(tmp_path, policy) as session:
        (finding,) = [f for f in found(session, "recorded_differs") if f.data["what"] == "replacement"]
        unit, row = session.policy.unit, session.timeline.tracked[0]
        sizes = measure(preview, unit), measure(row.stored or "", unit)
    assert (finding.data["predicted_chars"], finding.data["recorded_chars"]) == sizes
    assert f"stores {sizes[1]:,} {UNIT_WORDS[unit]} in place" in finding.fact
