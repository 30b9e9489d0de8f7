"""Breaks of the prompt prefix, previews that change, and caches that went cold."""

from __future__ import annotations

from pathlib import Path

from inspector.model.findings import Severity
from inspector.model.policy import BudgetMode, preset
from inspector.replay.prefix import CAUSES
from tests.transcript import begun, call, found, result, the

ON = preset("claude-code").with_field("budget.mode", BudgetMode.ON)


def stored(text: str) -> dict[str, object]:
    return {"replacements": [{"kind": "tool-result", "toolUseId": "toolu_a", "replacement": text}]}


def test_late_result_breaks_the_prefix_at_its_place(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    script.prompt("Meanwhile?")
    script.answer(text="Yes.")
    script.results(result("toolu_a", "late"))
    script.answer(text="Done.")
    breaks = found(script.open(tmp_path), "prefix_break")
    assert breaks
    sentences = {f"{clause[0].upper()}{clause[1:]}." for clause in CAUSES.values()}
    assert all(f.see == f"request {f.request}" and f.cause in sentences for f in breaks)


def test_planned_breaks_of_ageing_are_one_note(tmp_path: Path) -> None:
    script = begun()
    for n in range(8):
        script.turn(f"toolu_{n}", chars=9_000, tool="Grep")
    script.answer(text="Done.")
    finding = the(script.open(tmp_path, "documented"), "prefix_break")
    assert finding.severity is Severity.INFO
    assert finding.data["planned"]
    assert len(finding.data["requests"]) > 3


def test_policy_without_a_ledger_gives_unstable_previews(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=30_000)
    script.turn("toolu_b")
    script.answer(text="Done.")
    finding = the(script.open(tmp_path, "chatcli"), "unstable_preview")
    assert (finding.ids, finding.request, finding.see) == (("toolu_a",), 3, "line 3")


def test_second_stored_text_for_one_result_is_an_unstable_preview(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", "toolu_b", chars=150_000)
    script.record("content-replacement", **stored("first"))
    script.answer(text="Yes.")
    script.record("content-replacement", **stored("second"))
    script.answer(text="Done.")
    assert the(script.open(tmp_path), "unstable_preview").see == f"line {len(script.lines) - 1}"


def test_print_mode_that_ignores_stored_replacements_loses_them(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", "toolu_b", chars=150_000)
    script.record("content-replacement", entrypoint="cli", **stored("short"))
    script.answer(text="Yes.")
    script.record("user", entrypoint="cli", message={"role": "user", "content": "On."})
    script.answer(text="Yes.")
    script.record("user", entrypoint="sdk-cli", message={"role": "user", "content": "In print mode."})
    script.answer(text="Done.")
    finding = the(script.open(tmp_path), "replacement_lost")
    assert finding.ids == ("toolu_a",)
    assert finding.data["chars"] == 150_000 - len("short")


def test_cold_cache_after_a_pause_is_said_to_be_likely_with_its_minutes(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=40_000)
    script.answer(text="Yes.")
    script.minutes += 95
    script.prompt("Back again.")
    script.answer(text="Hello.", cached=0)
    finding = the(script.open(tmp_path), "cold_cache")
    assert finding.data["gap_minutes"] == 95
    assert not finding.certain
    assert "95 minutes" in finding.cause
    assert finding.see == "line 6"
