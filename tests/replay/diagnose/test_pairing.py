"""Calls and results that do not pair: each kind is told once, where the person should look."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.transcript import Transcript, begun, call, found, result, the


def test_call_without_result_is_missing_and_says_that_the_user_interrupted(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    script.prompt("[Request interrupted by user for tool use]")
    script.answer(text="Stopped.")
    finding = the(script.open(tmp_path), "missing_result")
    assert (finding.ids, finding.see, finding.request) == (("toolu_a",), "line 2", 2)
    assert finding.cause == "The user interrupted before the tool returned."


def test_client_drops_an_unanswered_call_from_the_request_after_it(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"), text="I look.")
    script.prompt("Go on.")
    script.answer(text="Yes.")
    finding = the(script.open(tmp_path), "unanswered_call_dropped")
    assert (finding.ids, finding.see) == (("toolu_a",), "request 2")


def test_message_that_lost_all_its_results_is_said_to_be_filled(tmp_path: Path) -> None:
    script = begun()
    script.answer(text="Hello.")
    script.results(result("toolu_nobody", "lost"))
    script.answer(text="Yes.")
    session = script.open(tmp_path)
    assert the(session, "message_emptied").see == "request 2"
    assert the(session, "orphan_result").see == "line 3"


def test_last_call_of_a_live_session_is_pending_and_of_a_finished_one_missing(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    live = script.open(tmp_path, live=True)
    assert the(live, "pending_result").see == "line 2"
    assert not found(live, "missing_result")
    assert the(script.open(tmp_path), "missing_result").ids == ("toolu_a",)


def test_one_call_written_twice_is_a_duplicate_and_two_answered_ones_are_a_reused_id(tmp_path: Path) -> None:
    twice = begun()
    twice.answer(call("toolu_a"), call("toolu_a"))
    twice.results(result("toolu_a", "one"))
    assert the(twice.open(tmp_path), "duplicate_tool_use").see == "line 3"
    reused = begun()
    reused.turn("toolu_a")
    reused.turn("toolu_a")
    finding = the(reused.open(tmp_path), "id_reused")
    assert finding.data == {"occurrences": 2}
    assert finding.see == "line 4"


def test_second_answer_to_one_call_is_a_duplicate_result(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    script.results(result("toolu_a", "one"), apart=True)
    script.results(result("toolu_a", "two"), apart=True)
    script.answer(text="Done.")
    finding = the(script.open(tmp_path), "duplicate_result")
    assert (finding.see, finding.data) == ("line 4", {"occurrences": 2})


def test_result_behind_another_answer_is_displaced(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    script.answer(text="Meanwhile.")
    script.results(result("toolu_a", "late"))
    script.answer(text="Done.")
    assert the(script.open(tmp_path), "displaced_result").see == "line 4"


def test_result_before_its_call_is_displaced_once_the_call_is_there(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a")
    script.results(result("toolu_b", "early"))
    live = script.open(tmp_path, live=True)
    assert the(live, "orphan_result").ids == ("toolu_b",)
    before = len(script.lines)
    script.answer(call("toolu_b"))
    script.answer(text="Done.")
    with live.path.open("ab") as file:
        file.write(b"".join(line + b"\n" for line in script.lines[before:]))
    live.poll()
    finding = the(live, "displaced_result")
    assert (finding.ids, finding.see) == (("toolu_b",), "line 4")
    assert finding.fact.endswith("it stands before the call.")
    assert not found(live, "orphan_result")


def test_result_behind_a_text_of_its_message_violates_the_order(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    text = {"type": "text", "text": "first"}
    script.record("user", message={"role": "user", "content": [text, result("toolu_a", "x")]})
    assert the(script.open(tmp_path), "order_violation").see == "line 3"


def test_results_beside_the_parent_chain_are_told_as_sent(tmp_path: Path) -> None:
    script = Transcript()
    script.prompt("Both, please.")
    script.answer(call("toolu_a"), call("toolu_b"))
    first = script.lines[1]
    script.results(result("toolu_b", "b"))
    script.record(
        "user",
        parentUuid=f"00000000-0000-4000-8000-{1:012d}",
        message={"role": "user", "content": [result("toolu_a", "a")]},
    )
    script.answer(text="Done.")
    assert b"toolu_a" in first
    session = script.open(tmp_path)
    assert the(session, "off_chain_result").ids == ("toolu_b",)
    assert not found(session, "missing_result")


def test_results_of_a_branch_that_was_left_are_told_and_not_called_missing(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_old")
    script.answer(text="Done one way.")
    first = f"00000000-0000-4000-8000-{0:012d}"
    script.record("user", parentUuid=first, message={"role": "user", "content": "The other way, please."})
    script.turn("toolu_new")
    script.answer(text="Done.")
    session = script.open(tmp_path)
    finding = the(session, "off_chain_result")
    assert (finding.ids, finding.see, finding.severity.value) == (("toolu_old",), "line 3", "info")
    assert "on a branch that the conversation left" in finding.fact
    assert not found(session, "missing_result")
    broken = the(session, "prefix_break")
    assert (broken.data["cause"], broken.ids) == ("rewind", ("toolu_old",)), "and not of a compaction"
    assert broken.severity.value == "info", "somebody asked for it"


def test_result_that_the_client_takes_out_for_its_message_began_further_up_is_displaced(
    tmp_path: Path,
) -> None:
    script = begun()
    message = {"id": "msg_x", "role": "assistant", "model": "claude-opus-4-5"}
    script.record("assistant", message={**message, "content": [call("toolu_a")]})
    script.results(result("toolu_a", "one"))
    script.turn("toolu_b")
    script.record("assistant", message={**message, "content": [call("toolu_c")]})
    script.results(result("toolu_c", "three"))
    script.answer(text="Done.")
    session = script.open(tmp_path)
    finding = the(session, "displaced_result")
    assert (finding.ids, finding.see) == (("toolu_c",), "line 7")
    assert "msg_x began further up" in finding.fact
    assert finding.cause == "The client leaves it out of request 3 and sends an error in its place."
    assert not found(script.open(tmp_path, "documented"), "displaced_result"), "by its id it is paired"


def compacted(script: Transcript, **meta: object) -> None:
    script.record("system", subtype="compact_boundary", parentUuid=None, compactMetadata=meta)
    script.record("user", isCompactSummary=True, message={"role": "user", "content": "What was said so far."})


def test_result_behind_a_compaction_that_took_its_call_is_told_as_left_out(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    compacted(script)
    script.results(result("toolu_a", "late"))
    script.answer(text="On.")
    session = script.open(tmp_path)
    finding = the(session, "displaced_result")  # and not a second time as one that the client takes out
    assert (finding.ids, finding.see, finding.request) == (("toolu_a",), "line 5", 2)
    assert "compaction in line 3" in finding.fact and "left out of request 2" in finding.fact
    assert not found(session, "orphan_result"), "its call is in the file"


def test_call_that_a_compaction_kept_has_its_result_in_place(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    called = json.loads(script.lines[-1])["uuid"]
    script.record(
        "system", subtype="compact_boundary", parentUuid=None,
        compactMetadata={"preservedMessages": {"anchorUuid": "summary", "uuids": [called]}},
    )  # fmt: skip
    summary = {"role": "user", "content": "What was said so far."}
    uuid = script.record("user", isCompactSummary=True, message=summary)
    script.lines[2] = script.lines[2].replace(b'"summary"', json.dumps(uuid).encode())
    script.results(result("toolu_a", "kept"))
    script.answer(text="On.")
    assert not found(script.open(tmp_path), "displaced_result")


def test_orphan_behind_a_compaction_points_to_it(tmp_path: Path) -> None:
    script = begun()
    script.answer(text="Hello.")
    compacted(script)
    script.results(result("toolu_gone", "left over"))
    script.answer(text="On.")
    finding = the(script.open(tmp_path), "orphan_result")
    assert "compaction in line 3" in finding.cause
    assert not finding.certain


def test_orphan_in_front_of_the_first_answer_tells_of_a_cut_history(tmp_path: Path) -> None:
    script = begun()
    script.results(result("toolu_gone", "left over"))
    script.answer(text="On.")
    assert "the history was cut" in the(script.open(tmp_path), "orphan_result").cause


def test_repeated_calls_and_answers_say_which_one_stays(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"), call("toolu_a"))
    script.results(result("toolu_a", "one"))
    script.answer(call("toolu_b"))
    script.results(result("toolu_b", "one"), result("toolu_b", "two"), apart=True)
    script.answer(text="Done.")
    session = script.open(tmp_path)
    assert "in line 3 is left out" in the(session, "duplicate_tool_use").cause
    assert the(session, "duplicate_tool_use").fact.endswith("2 calls (lines 2, 3).")
    assert "(lines 6, 7)" in the(session, "duplicate_result").fact
    assert the(session, "duplicate_result").cause.startswith("The first answer is sent")


def test_reused_id_says_how_many_true_results_a_repair_would_delete(tmp_path: Path) -> None:
    script = begun()
    for _ in range(12):
        script.turn("call_1")
    session = script.open(tmp_path)
    assert "would delete 11 results" in the(session, "id_reused").cause
    assert the(session, "id_reused").fact.endswith("(lines 2, 4, 6, 8, 10, 12, 14, 16 and 4 more).")


@pytest.mark.parametrize(("policy", "said"), [("chatcli", False), ("documented", True)])
def test_copy_of_a_call_in_a_later_message_is_left_out_where_pairing_is_global(
    tmp_path: Path, policy: str, said: bool
) -> None:
    script = begun()
    script.turn("toolu_a")
    script.answer(call("toolu_a"))
    script.prompt("Go on.")
    script.answer(text="Done.")
    assert bool(the(script.open(tmp_path, policy), "duplicate_tool_use").cause) is said
