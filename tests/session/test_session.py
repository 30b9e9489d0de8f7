"""One session over its files: conversations, growth, rewrites, sub-agents, findings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.errors import UnreadableError
from inspector.model.policy import DOCUMENTED
from inspector.replay.view import Repair
from inspector.report import report
from inspector.session import Session, open_session
from inspector.session.wire import one_request
from tests.builders import (
    Transcript,
    call,
    openai_call,
    openai_result,
    persisted_text,
    result,
    text,
    tokens,
    write_json,
)


def kinds(session: Session) -> list[str]:
    return [f.kind for f in session.findings()]


def ids_of(session: Session, kind: str) -> list[str]:
    return [i for f in session.findings() if f.kind == kind for i in f.ids]


def simple(answer: str = "m1") -> Transcript:
    script = Transcript("main")
    script.prompt()
    script.answer(answer, call("a"))
    script.result("a")
    script.answer(f"{answer}-end", text())
    return script


def agent(folder: Path, tool_use_id: str = "sub-1", *, broken: bool = False) -> Path:
    """A sub-agent's transcript beside `main.jsonl`."""
    script = Transcript("main", agentId="a1", isSidechain=True)
    script.prompt()
    script.answer("s1", call(tool_use_id))
    script.result(tool_use_id, persisted_text("/gone/tool-results/sub.txt"))
    if broken:
        script.line(b'{"type": "user", "uu')
        script.prompt("more")
    return script.write(folder / "main" / "subagents", "agent-a1.jsonl")


def test_conversations_are_kept_apart_and_pair_among_themselves(tmp_path: Path) -> None:
    script = simple()
    side = script.prompt("look", parent=None, isSidechain=True)
    script.answer("s1", call("side"), isSidechain=True, parent=side)
    with open_session(script.write(tmp_path)) as session:
        assert len(session.timelines) == 2
        assert ids_of(session, "missing_result") == ["side"]
        assert [t.entry.id for t in session.timeline.tracked] == ["a"]


def test_two_session_ids_and_copied_records_are_counted_once(tmp_path: Path) -> None:
    script = simple()
    script.lines.append(script.lines[2])
    script.session = "other"
    script.prompt("from the fork")
    with open_session(script.write(tmp_path)) as session:
        source = report(session)["source"]
        assert source["session_ids"] == ["main", "other"]
        assert source["duplicate_records"] == 1
        assert "duplicate_result" not in kinds(session)


def test_sub_agent_has_its_own_rows_and_its_own_overflow_files(tmp_path: Path) -> None:
    path = simple().write(tmp_path, "main.jsonl")
    agent(tmp_path)
    with open_session(path) as session:
        data = report(session)
        (thread,) = data["threads"]
        (row,) = thread["result_rows"]
        assert row["overflow"]["status"] == "missing"
        assert [r["overflow"] for r in data["results"]] == [None]
        assert ids_of(session, "overflow_missing") == ["sub-1"]


def test_bad_line_of_a_sub_agent_is_found_and_located(tmp_path: Path) -> None:
    path = simple().write(tmp_path, "main.jsonl")
    agent(tmp_path, broken=True)
    with open_session(path) as session:
        (bad,) = [f for f in session.findings() if f.kind == "bad_line"]
        assert (bad.thread, bad.see) == ("a1", "line 4")


def test_sub_agent_stays_when_the_main_file_is_written_anew(tmp_path: Path) -> None:
    path = simple().write(tmp_path, "main.jsonl")
    agent(tmp_path)
    with open_session(path, live=True) as session:
        assert sorted(session.timelines) == ["", "a1"]
        path.unlink()
        simple("m9").write(tmp_path, "main.jsonl")
        session.poll()
        assert sorted(session.timelines) == ["", "a1"]
        assert session.timeline.requests[0].message_id == "m9"


def test_sub_agent_file_that_is_written_anew_is_read_anew(tmp_path: Path) -> None:
    path = simple().write(tmp_path, "main.jsonl")
    beside = agent(tmp_path)
    with open_session(path, live=True) as session:
        beside.unlink()
        agent(tmp_path, "sub-2")
        session.poll()
        assert [t.entry.id for t in session.timelines["a1"].tracked] == ["sub-2"]


def test_session_read_in_pieces_says_the_same_as_one_read_at_once(tmp_path: Path) -> None:
    script = Transcript()
    for n in range(30):
        script.prompt()
        script.answer(f"m{n}", call(f"a{n}"), usage=tokens(n * 3_000))
        if n % 7:
            script.result(f"a{n}", "x" * (n * 900))
    path = script.write(tmp_path)
    with open_session(path) as whole:
        wanted = report(whole)
    with open_session(path, read=False) as session:
        while session.poll(700).more:
            report(session)
        assert report(session) == wanted


def test_growing_file_shows_pending_then_paired_then_missing(tmp_path: Path) -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"))
    path = script.write(tmp_path)
    with open_session(path, live=True) as session:
        assert ids_of(session, "pending_result") == ["a"]
        with path.open("ab") as file:
            file.write(b'{"type": "user", ')
        session.poll()
        assert session.partial_tail
        assert ids_of(session, "pending_result") == ["a"]
        with path.open("ab") as file:
            head = {"uuid": "u9", "parentUuid": "u2", "sessionId": "s-1"}
            rest = {**head, "message": {"role": "user", "content": [result("a")]}}
            file.write(json.dumps(rest)[1:].encode() + b"\n")
        session.poll()
        assert not session.partial_tail
        assert ids_of(session, "pending_result") == []
        assert "missing_result" not in kinds(session)
        script.prompt()
        script.answer("m2", call("b"))
        script.prompt("forget it")
        with path.open("ab") as file:
            file.write(b"".join(line + b"\n" for line in script.lines[-3:]))
        session.poll()
        assert ids_of(session, "missing_result") == ["b"]
        assert ids_of(session, "pending_result") == []


def test_openai_list_pairs_and_groups_without_message_ids(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "hi"},
        openai_call(("c1", "Bash"), ("c2", "Bash")),
        openai_result("c1"),
        openai_result("nobody"),
        openai_call(("c1", "Bash")),
        openai_result("c1", None),
    ]
    with open_session(write_json(tmp_path, messages)) as session:
        pairing = report(session)["pairing"]
        assert pairing["global"] == {"missing": ["c2"], "orphan": ["nobody"], "duplicate": ["c1"]}
        assert pairing["occurrences"] == {"c1": 2}
        assert all(r["wire_chars"] > 0 for r in report(session)["requests"])


def test_document_caught_in_a_rewrite_keeps_what_was_read(tmp_path: Path) -> None:
    path = write_json(tmp_path, [{"role": "user", "content": "hi"}, openai_call(("c1", "Bash"))])
    with open_session(path, live=True) as session:
        path.write_bytes(b"\x00\x01")
        with pytest.raises(UnreadableError):
            session.poll()
        record = session.records()[0]
        assert session.texts(record) == ["hi"]


def test_result_cleared_while_its_file_is_gone_has_no_copy(tmp_path: Path) -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("here"), call("gone"), call("never"))
    script.results(result("here", persisted_text("/x/tool-results/here.txt")))
    script.results(result("gone", persisted_text("/x/tool-results/gone.txt")), result("never", "y" * 900))
    script.answer("m2", text())
    script.cleared("here", "gone", "never")
    script.prompt()
    scratch = tmp_path / "tool-results"
    scratch.mkdir()
    (scratch / "here.txt").write_text("first line\n" + "z" * 61_429)
    with open_session(script.write(tmp_path)) as session:
        assert ids_of(session, "cleared_without_copy") == ["gone", "never"]


def test_cache_that_was_lost_names_the_gap(tmp_path: Path) -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", text(), usage=tokens(21_600))
    script._minutes += 95
    script.prompt()
    script.answer("m2", text(), usage=tokens(0, creation=19_800))
    with open_session(script.write(tmp_path)) as session:
        (cold,) = [f for f in session.findings() if f.kind == "cold_cache"]
        assert cold.data["gap_minutes"] == 96
        assert not cold.certain
        assert (cold.data["cache_read_before"], cold.data["cache_creation"]) == (21_600, 19_800)


@pytest.mark.parametrize(
    "record",
    [
        {"type": "user", "message": None},
        {"type": "user", "message": {"role": "user", "content": None}},
        {"type": "assistant", "message": {"id": 5, "content": [None, 7, {"type": "tool_use"}]}},
        {
            "type": "assistant",
            "message": {"id": None, "content": [{"type": "tool_use", "id": "", "input": 3}]},
        },
        {
            "type": "user",
            "message": {"content": [{"type": "tool_result", "tool_use_id": ["x"], "content": {}}]},
        },
        {"type": "assistant", "message": {"id": "m", "content": "text", "usage": [1]}},
        {"type": "content-replacement", "replacements": [None, {"toolUseId": 4}]},
        {"type": "system", "subtype": "compact_boundary", "compactMetadata": "x"},
        {"type": ["user"], "uuid": {}},
        [1, 2],
        "text",
    ],
    ids=lambda value: json.dumps(value)[:70],
)
def test_odd_types_in_any_field_end_no_analysis(tmp_path: Path, record: Any) -> None:
    script = simple()
    script.line({"uuid": "odd", "parentUuid": script.last, **record} if isinstance(record, dict) else record)
    script.prompt("after")
    for policy in (None, "documented", "chatcli"):
        with open_session(script.write(tmp_path), policy=policy) as session:
            assert report(session)["source"]["lines"] == 6


def test_lost_line_is_known_of_though_no_record_comes_with_it(tmp_path: Path) -> None:
    script = Transcript("main")
    script.prompt()
    script.answer("m1", call("a"))
    path = script.write(tmp_path)
    with open_session(path) as session:
        assert "bad_line" not in kinds(session)
        with path.open("ab") as file:
            file.write(b'{"type":"user","mes\n')
        session.poll()
        assert "bad_line" in kinds(session)
        (missing,) = [f for f in session.findings() if f.kind == "missing_result"]
        assert "could not be read" in missing.cause


def test_cause_of_a_missing_result_is_the_same_in_steps_of_any_size(tmp_path: Path) -> None:
    script = Transcript("main")
    script.prompt()
    script.answer("m1", call("a"))
    path = script.write(tmp_path)
    size = path.stat().st_size
    with path.open("ab") as file:
        file.write(b'{"type":"user","mes')
    with open_session(path) as whole, open_session(path, read=False) as pieces:
        while pieces.poll(size).more:
            pass
        assert pieces.findings() == whole.findings()


def test_file_that_goes_before_it_is_read_is_no_empty_session(tmp_path: Path) -> None:
    path = simple().write(tmp_path)
    with open_session(path, read=False) as session:
        path.unlink()
        with pytest.raises(UnreadableError, match="the file is gone"):
            session.poll()


def codex_item(kind: str, **fields: Any) -> dict[str, Any]:
    return {
        "timestamp": "2026-06-17T15:17:40Z",
        "type": "response_item",
        "payload": {"type": kind, **fields},
    }


def codex_said(role: str, words: str) -> dict[str, Any]:
    return codex_item("message", role=role, content=[{"type": "input_text", "text": words}])


def test_a_compaction_of_codex_leaves_behind_what_it_replaced(tmp_path: Path) -> None:
    before = [
        {"type": "session_meta", "payload": {"id": "s-1", "cli_version": "0.139.0"}},
        codex_said("user", "begin"),
        codex_item("function_call", call_id="c1", name="shell", arguments="{}"),
        codex_item("function_call_output", call_id="c1", output="o" * 5_000),
        codex_said("assistant", "done"),
    ]
    history = [codex_said("user", "begin")["payload"], codex_said("user", "what was done")["payload"]]
    compacted = {"type": "compacted", "payload": {"message": "", "replacement_history": history}}
    path = tmp_path / "rollout-1.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in before))
    with open_session(path, live=True) as session:
        with path.open("a") as file:
            file.writelines(json.dumps(line) + "\n" for line in [compacted, codex_said("user", "on")])
        session.poll()
        grown = [request.wire_chars for request in session.timeline.requests]
        assert "compaction" in kinds(session)
    with open_session(path) as session:
        assert [request.wire_chars for request in session.timeline.requests] == grown
        messages = one_request(session, 3)["messages"]
    assert grown == [5, 5 + 2 + 5_000, 5 + 13 + 2]
    assert [[block["text"] for block in message["content"]] for message in messages] == [
        ["begin", "what was done", "on"]
    ]


def test_the_call_that_a_parked_run_waits_for_is_pending_and_others_are_missing(tmp_path: Path) -> None:
    def asked(*ids: str) -> dict[str, Any]:
        calls = [{"id": i, "type": "function", "name": "park", "arguments": {}} for i in ids]
        return {"role": "assistant", "content": "", "tool_calls": calls}

    history = [{"role": "user", "content": "go"}, asked("lost"), asked("waits", "gone")]
    snapshot = {"version": 1, "pending_tool_call_id": "waits", "history": history}
    path = write_json(tmp_path, snapshot, "0123456789abcdef0123456789abcdef.json")
    for policy in (None, DOCUMENTED):
        with open_session(path, policy=policy) as session:
            assert ids_of(session, "pending_result") == ["waits"]
            assert ids_of(session, "missing_result") == ["lost", "gone"]
            assert json.dumps(one_request(session, 3)["messages"]).count("Tool result missing") == 2


def test_a_call_waits_for_its_result_as_long_as_more_of_the_file_is_to_be_read(tmp_path: Path) -> None:
    script = Transcript("main")
    script.prompt()
    for n in range(40):
        script.answer(f"m{n}", call(f"toolu_{n}"))
        if n < 39:
            script.result(f"toolu_{n}", "x" * 4_000)
    path = script.write(tmp_path)
    session = open_session(path, read=False)
    lost = []
    while session.poll(5_000).more:
        assert "missing_result" not in kinds(session)
        session.replayed(DOCUMENTED)
        lost += [
            what for row in session.timeline.tracked for _, what in row.repairs if what is Repair.DROPPED
        ]
    assert lost == []
    assert [what for _, what in session.timeline.tracked[-1].repairs] == [Repair.DROPPED]
    assert "missing_result" in kinds(session)
    assert session.findings() == open_session(path).findings()
    assert not session.replayed(DOCUMENTED).live


def test_the_window_that_codex_states_goes_before_the_one_of_the_models_name(tmp_path: Path) -> None:
    path = tmp_path / "rollout-1.jsonl"
    info = {"last_token_usage": {"input_tokens": 900, "output_tokens": 9}, "model_context_window": 272_000}
    lines = [
        {"type": "session_meta", "payload": {"id": "s-1", "cli_version": "0.139.0"}},
        {"type": "turn_context", "payload": {"model": "gpt-5-codex"}},
        codex_said("user", "begin"),
        codex_said("assistant", "done"),
        {"type": "event_msg", "payload": {"type": "token_count", "info": info}},
    ]
    for stated, window in ((4, 400_000), (5, 272_000)):
        path.write_text("".join(json.dumps(line) + "\n" for line in lines[:stated]))
        with open_session(path) as session:
            assert session.window_tokens == window
