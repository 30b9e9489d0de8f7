"""Each of ChatCLI's quirks shows as a finding, in words and with its figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from inspector.model.chatcli import Message
from inspector.model.findings import KINDS, Finding
from inspector.model.policy import CHATCLI, DOCUMENTED, Policy
from inspector.pipeline.chatcli.dispatch import stored_output
from inspector.pipeline.chatcli.quirks import QUIRKS
from inspector.reading.chatcli_session import save_session
from inspector.replay.diagnose.chatcli import KIND_OF
from inspector.session import open_session
from tests.pipeline.chatcli.histories import answer, later, result, user


def findings(folder: Path, history: Sequence[Message], policy: Policy = CHATCLI) -> dict[str, Finding]:
    path = folder / "s.json"
    path.write_bytes(save_session(history))
    return {f.kind: f for f in open_session(path, policy=policy).findings()}


RESUMED = [user(), answer("a"), result("a", 9_000), *later(4), answer(text="done"), user(), *later(2)]
SMALL_MINIMUM = CHATCLI.with_field("microcompact.min_content", 2_500)
WITHOUT_ARCHIVE = CHATCLI.with_field("archive", False)

CASES: dict[str, tuple[list[Message], Policy, str]] = {
    "silent_reorder": (
        [user(), answer("a", "b"), result("b"), result("a"), answer("m"), user()],
        CHATCLI,
        "Request 3: 1 result changed places within the turn because another part of the history was "
        "repaired; no counter shows it.",
    ),
    "result_before_call": (
        [user(), result("a"), answer("a")],
        CHATCLI,
        'Request 2: the call a is answered with "result missing" although its result is in the file: it '
        "stands before its call, so request 1 removed it.",
    ),
    "message_emptied": ([user(), answer("", "")], CHATCLI, "1 assistant message is sent without text"),
    "saving_not_counted": (
        [user(), answer("a"), result("a", 30_000)],
        CHATCLI,
        "ChatCLI reports 0 bytes saved; the limit per result saved another",
    ),
    "negative_count": (
        [user(), answer("a"), result("a", 200)],
        CHATCLI.with_field("budget.result_limit", 100),
        "The preview of a result of 200 bytes says that -4,800 chars are omitted; really none is missing.",
    ),
    "unstable_preview": (
        [user(), answer("a"), result("a", 30_000), *later(1)],
        CHATCLI,
        "Request 3: 1 result gets a new file and a new preview on every turn",
    ),
    "cannot_fit": (
        [user(), answer(*"abc"), *(result(i, 5_000) for i in "abc")],
        CHATCLI.with_field("budget.turn_limit", 14_000),
        "A turn of 3 results stays 1,000 bytes over its limit, and ChatCLI does not say so",
    ),
    "tie_by_sort": (
        [user(), answer(*(f"i{n}" for n in range(14))), *(result(f"i{n}", 9_000) for n in range(14))],
        CHATCLI.with_field("budget.turn_limit", 100_000),
        "of exactly the same size not: in a turn of more than 12 results",
    ),
    "cut_twice": (
        [user(), answer("d" * 220), result("d" * 220, b"x" * 30_000)],
        replace(CHATCLI, budget=replace(CHATCLI.budget, turn_limit=5_200)),
        "1 result was cut by both limits",
    ),
    "preview_longer": (
        [user(), answer("a"), result("a", 200)],
        CHATCLI.with_field("budget.result_limit", 100),
        "1 result was put to disk and grew by",
    ),
    "never_summarized": (
        [user(), answer("a"), result("a", 9_000), *later(2)],
        CHATCLI,
        "Request 4: 1 result was truncated to less than 3,000 bytes: too small to be summarized later",
    ),
    "gate_closed": (
        RESUMED,
        CHATCLI.with_field("microcompact.truncate_turns", 6).with_field("microcompact.summarize_turns", 3),
        "old enough to be shortened but sent in full: the agent loop is at turn",
    ),
    "straight_to_summary": (
        [user(), *later(1), answer("a"), result("a", 9_000), answer(text="x"), user(), answer(text="y"),
         user(), answer(text="z"), user(), *later(3)],
        CHATCLI,
        "1 result went from full text to one line at once",
    ),
    "counted_but_unchanged": (
        [user(), answer("a"), result("a", 2_550), *later(2)],
        SMALL_MINIMUM,
        "1 result is counted as shortened but did not get shorter",
    ),
    "error_shortened": (
        [user(), answer("a"), result("a", 9_000, is_error=True), *later(2)],
        CHATCLI,
        "1 error result was shortened; ChatCLI spares neither errors nor tools that write.",
    ),
    "recall_without_store": (
        [user(), answer("a"), result("a", b"x\n" * 2_000 + b"<<ccr:0123456789abcdef>>" + b"y\n" * 900),
         *later(2)],
        WITHOUT_ARCHIVE,
        "1 shortened result promises that the text can be recalled, but this session keeps no originals.",
    ),
    "split_character": (
        [user(), answer("a"), result("a", "é".encode() * 3_000 + b"x"), *later(2)],
        CHATCLI,
        "1 result was cut inside a character",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_quirk_is_found_and_said(kind: str, tmp_path: Path) -> None:
    history, policy, words = CASES[kind]
    found = findings(tmp_path, history, policy)
    assert kind in found
    assert words in found[kind].fact
    assert found[kind].data["requests"][0] == found[kind].request


def test_every_quirk_has_a_kind_and_a_case() -> None:
    kinds = {KIND_OF.get(quirk.name, quirk.name) for quirk in QUIRKS}
    assert kinds <= KINDS.keys()
    # A prediction assumes that every write works, so this one shows in `inspector run` alone.
    assert kinds - CASES.keys() == {"counted_without_file"}


def test_quirk_of_many_requests_is_one_finding(tmp_path: Path) -> None:
    history = [user()]
    for n in range(5):
        history += [answer(f"c{n}"), result(f"c{n}", 9_000)]
    found = findings(tmp_path, history)["never_summarized"]
    assert found.data["requests"] == [4, 5, 6]
    assert found.ids == ("c0", "c1", "c2")
    assert found.fact.endswith("The same shows in 2 more requests, the last is request 6.")


def test_result_of_text_mode_is_said_to_be_left_alone(tmp_path: Path) -> None:
    history = [user(), answer(text="<tool_call/>"), user("ran: <tool_output>42</tool_output>"), answer()]
    found = findings(tmp_path, history)["text_mode_result"]
    assert found.fact.startswith("1 user message holds tool output in text mode (34 bytes; first: message 3")
    assert (found.request, found.data["lines"]) == (2, [3])


def test_relocated_result_is_said(tmp_path: Path) -> None:
    found = findings(tmp_path, [user(), answer("m"), user("wait"), result("m")])["displaced_result"]
    assert found.fact == "Request 2: 1 result stands behind another message and is put next to its call."


def test_traces_of_earlier_stages_in_the_file_are_said(tmp_path: Path) -> None:
    summary = "[Old tool result cleared — 1 lines, 9000 chars, text]".encode()
    closed = msgspec.structs.replace(result("b", b"gave up", is_error=True), error_code="not_executed")
    found = findings(tmp_path, [user(), answer("a", "b"), result("a", summary), closed])
    assert found["recorded_ageing"].ids == ("a",)
    assert "a call that was not executed" in found["recorded_repair"].fact


def test_result_that_was_cut_when_its_tool_returned_is_said(tmp_path: Path) -> None:
    cut = stored_output("@read", b"x" * 80_001)
    found = findings(tmp_path, [user(), answer("a"), result("a", cut)])["cut_at_return"]
    assert "74,001 bytes of its middle are in no file" in found.fact


def test_other_policies_have_none_of_these(tmp_path: Path) -> None:
    history = [user(), answer("a"), result("a", 30_000), *later(3)]
    assert "unstable_preview" not in findings(tmp_path, history, DOCUMENTED)
