"""Groups over their budget, and results that the budget cannot touch."""

from __future__ import annotations

import base64
import struct
import zlib
from pathlib import Path

import pytest

from inspector.model.policy import BudgetMode, Policy, preset
from tests.transcript import begun, call, found, result, the

ON = preset("claude-code").with_field("budget.mode", BudgetMode.ON)


def png(width: int, height: int) -> str:
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", len(head)) + b"IHDR" + head + struct.pack(">I", zlib.crc32(b"IHDR" + head))
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + chunk).decode()


def test_group_over_the_budget_names_its_total_and_what_is_chosen(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", "toolu_b", "toolu_c", chars=80_000)
    script.answer(text="Done.")
    finding = the(script.open(tmp_path, ON), "over_turn_budget")
    assert finding.request == 2
    assert finding.data == {"total": 240_000, "remaining": 160_000, "replace": ["toolu_a"]}


def test_overage_of_what_was_sent_before_is_accepted(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a", "Read"), ref="req_1", id="msg_same")
    script.results(result("toolu_a", "x" * 250_000))
    script.answer(call("toolu_b"), ref="req_2", id="msg_same")
    script.results(result("toolu_b", "x" * 10_000))
    script.answer(text="Done.")
    finding = the(script.open(tmp_path, ON), "accepted_overage")
    assert finding.request == 3
    assert "250,000 of 200,000" in finding.fact
    assert finding.cause == "Changing a text that was sent already would break the prompt prefix."


def test_result_over_the_limit_for_one_result_is_told_with_its_size(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=20_001)
    script.turn("toolu_b", chars=20_000)
    finding = the(script.open(tmp_path, "documented"), "over_result_limit")
    assert (finding.ids, finding.see, finding.data) == (("toolu_a",), "line 3", {"chars": 20_001})


def test_many_results_too_small_for_a_preview_cannot_fit(tmp_path: Path) -> None:
    policy = preset("documented").with_field("budget.turn_limit", 1_000)
    script = begun()
    script.turn(*(f"toolu_{n}" for n in range(4)), chars=300)
    script.answer(text="Done.")
    finding = the(script.open(tmp_path, policy), "cannot_fit")
    assert finding.request == 2


def test_prediction_that_nothing_recorded_folds_into_one_finding(tmp_path: Path) -> None:
    script = begun()
    for n in range(2):
        script.turn(f"toolu_{n}a", f"toolu_{n}b", chars=120_000)
    script.answer(text="Done.")
    finding = the(script.open(tmp_path), "not_applied")
    assert len(finding.ids) == 2
    assert not finding.certain


def test_stored_replacement_that_the_budget_would_not_have_made_is_unexpected(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=100)
    entry = {"kind": "tool-result", "toolUseId": "toolu_a", "replacement": "short"}
    script.record("content-replacement", replacements=[entry])
    script.answer(text="Done.")
    assert the(script.open(tmp_path), "unexpected_replacement").see == "line 4"


def test_base64_as_text_and_images_are_told_with_their_sizes(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": png(2_400, 10)}}
    text = {"type": "text", "text": base64.b64encode(bytes(range(256)) * 20).decode()}
    script.results(result("toolu_a", [image, text]))
    script.answer(text="Done.")
    session = script.open(tmp_path)
    assert the(session, "image_result").data == {"images": [[2_400, 10]], "over_2000_px": [[2_400, 10]]}
    assert the(session, "base64_text").data["chars"] > 6_000


def test_session_within_its_limits_gives_no_finding_of_the_family(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", "toolu_b", chars=100_000)
    script.answer(text="Done.")
    session = script.open(tmp_path, ON)
    assert not [
        f for kind in ("over_turn_budget", "not_applied", "base64_text") for f in found(session, kind)
    ]


def test_what_a_budget_that_was_on_did_not_replace_is_not_laid_to_its_switch_alone(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=210_000)
    line = {"kind": "tool-result", "toolUseId": "toolu_a", "replacement": "<persisted-output>"}
    script.record("content-replacement", replacements=[line])
    script.turn("toolu_b", chars=220_000)
    script.answer(text="Done.")
    finding = the(script.open(tmp_path), "not_applied")
    assert finding.ids == ("toolu_b",)
    assert finding.cause.startswith("Line 4 stores a replacement, so the budget was on there")


@pytest.mark.parametrize("policy", ["documented", ON])
def test_what_no_file_can_keep_is_said_to_be_why_a_message_stays_over(
    tmp_path: Path, policy: Policy | str
) -> None:
    script = begun()
    script.answer(call("toolu_doc"), call("toolu_b"))
    paper = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "x"}}
    script.results(
        result("toolu_doc", [paper, {"type": "text", "text": "x" * 230_000}]), result("toolu_b", "y")
    )
    script.answer(text="Done.")
    session = script.open(tmp_path, policy)
    assert "toolu_doc holds more than text" in the(session, "over_turn_budget").cause
    for large in found(session, "over_result_limit"):
        assert "more than text" in large.cause


@pytest.mark.parametrize(
    ("chars", "said"),
    [
        (70_000, "replacing Bash toolu_a (70,000) would leave 140,000"),
        (99_000, "replacing Bash toolu_a (99,000) would leave 198,000"),
        (150_000, "replacing Bash toolu_a (150,000) and Bash toolu_b (150,000) would leave 150,000"),
        (210_000, "replacing 3 would leave 0"),
    ],
)
def test_group_that_was_left_over_names_what_the_budget_would_take(
    tmp_path: Path, chars: int, said: str
) -> None:
    script = begun()
    script.turn("toolu_a", "toolu_b", "toolu_c", chars=chars)
    script.answer(text="Done.")
    assert said in the(script.open(tmp_path), "over_turn_budget").fact
