"""Clearings: explained by what they name, inferred from usage, never made up."""

from __future__ import annotations

from pathlib import Path

from tests.transcript import Transcript, begun, found, the


def worked(turns: int, chars: int) -> Transcript:
    script = begun()
    for n in range(turns):
        script.turn(f"toolu_{n}", chars=chars)
    return script


def boundary(script: Transcript, ids: list[str], saved: int) -> None:
    script.record(
        "system", subtype="microcompact_boundary", content="Context microcompacted",
        microcompactMetadata={
            "trigger": "auto", "preTokens": 90_000, "tokensSaved": saved, "compactedToolIds": ids,
        },
    )  # fmt: skip


def test_a_clearing_whose_results_hold_the_stated_tokens_is_explained(tmp_path: Path) -> None:
    script = worked(4, 40_000)
    boundary(script, ["toolu_0", "toolu_1"], 20_000)
    script.extra_tokens = -20_000
    script.answer(text="done")
    finding = the(script.open(tmp_path), "clearing")
    assert finding.data["explained"]
    assert "their texts hold exactly that" in finding.fact
    assert finding.data["usage_after"] < finding.data["usage_before"]


def test_a_clearing_that_names_what_is_not_there_is_said_to_be_unexplained(tmp_path: Path) -> None:
    script = worked(4, 40_000)
    boundary(script, ["toolu_0", "toolu_gone"], 20_000)
    script.answer(text="done")
    finding = the(script.open(tmp_path), "clearing")
    assert not finding.data["explained"]
    assert "1 of 2 named results are not in the file" in finding.fact


def test_usage_that_falls_without_a_line_is_an_inferred_clearing(tmp_path: Path) -> None:
    script = worked(6, 40_000)
    script.extra_tokens = -30_000
    script.answer(text="done")
    finding = the(script.open(tmp_path), "cleared_unrecorded")
    assert not finding.certain
    assert finding.ids == ("toolu_0", "toolu_1")
    assert finding.data["fall"] > 15_000


def test_usage_that_falls_at_a_recorded_clearing_is_not_inferred_again(tmp_path: Path) -> None:
    script = worked(6, 40_000)
    boundary(script, ["toolu_0", "toolu_1"], 20_000)
    script.extra_tokens = -30_000
    script.answer(text="done")
    assert found(script.open(tmp_path), "cleared_unrecorded") == []


def test_a_fall_that_no_clearing_could_make_is_not_called_one(tmp_path: Path) -> None:
    script = worked(6, 400)
    script.extra_tokens = -16_500
    script.answer(text="done")
    assert found(script.open(tmp_path), "cleared_unrecorded") == []
