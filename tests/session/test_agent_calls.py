"""A sub-agent without a `.meta.json` is called by what its caller said, and is led back to the call."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector.model.transcript import Record
from inspector.session import open_session
from tests.transcript import SESSION, Transcript, begun, call, result


def agent_file(folder: Path, agent: str, **meta: str) -> None:
    directory = folder / SESSION / "subagents"
    directory.mkdir(parents=True, exist_ok=True)
    told = begun()
    told.turn("toolu_inside")
    (directory / f"agent-{agent}.jsonl").write_bytes(b"".join(line + b"\n" for line in told.lines))
    if meta:
        (directory / f"agent-{agent}.meta.json").write_text(json.dumps(meta))


def started(agent: str, description: str = "Poem about curry") -> Transcript:
    told = begun()
    told.answer(call("toolu_task", "Task", description))
    answer = {"role": "user", "content": [result("toolu_task", "launched")]}
    told.record("user", message=answer, toolUseResult={"agentId": agent, "status": "async_launched"})
    return told


def test_the_result_of_a_call_names_the_agent_that_it_started(tmp_path: Path) -> None:
    agent_file(tmp_path, "a5bdbc1")
    with open_session(started("a5bdbc1").write(tmp_path)) as session:
        assert session.thread_title("a5bdbc1") == "agent · Poem about curry"
        assert session.agent_calls.call_of("a5bdbc1") == "toolu_task"
        assert session.agent_calls.by_call() == {"toolu_task": "a5bdbc1"}


def test_an_agent_that_nothing_names_is_called_by_its_id(tmp_path: Path) -> None:
    agent_file(tmp_path, "a9cad17")
    with open_session(started("somebody_else").write(tmp_path)) as session:
        assert session.thread_title("a9cad17") == "agent · a9cad17"
        assert session.agent_calls.call_of("a9cad17") == ""
        assert session.agent_calls.by_call() == {}


def test_what_the_meta_file_says_goes_first(tmp_path: Path) -> None:
    agent_file(tmp_path, "a1", agentType="Explore", description="Find readers", toolUseId="toolu_meta")
    with open_session(started("a1").write(tmp_path)) as session:
        assert session.thread_title("a1") == "Explore · Find readers"
        assert session.agent_calls.call_of("a1") == "toolu_meta"


def test_a_call_whose_result_comes_later_is_known_then_under_any_policy(tmp_path: Path) -> None:
    agent_file(tmp_path, "a1")
    told = started("a1")
    path = tmp_path / f"{SESSION}.jsonl"
    lines = [line + b"\n" for line in told.lines]
    path.write_bytes(b"".join(lines[:-1]))
    with open_session(path, live=True) as session:
        assert session.agent_calls.call_of("a1") == ""
        with path.open("ab") as file:
            file.write(lines[-1])
        session.poll()
        assert session.agent_calls.call_of("a1") == "toolu_task"
        path.write_bytes(b"".join(lines[:-2]))
        session.poll()
        assert session.agent_calls.call_of("a1") == "", "a file that was read anew has no such call"


def test_a_result_is_read_for_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agent_file(tmp_path, "a1")
    told = started("a1")
    path = told.write(tmp_path)
    with open_session(path, live=True) as session:
        read: list[Record] = []
        raw_record = session.raw_record

        def counted(record: Record, thread: str = "") -> bytes:
            read.append(record)
            return raw_record(record, thread)

        monkeypatch.setattr(session, "raw_record", counted)
        session.agent_calls.by_call()
        told.turn("toolu_more")
        path.write_bytes(b"".join(line + b"\n" for line in told.lines))
        session.poll()
        assert session.agent_calls.by_call() == {"toolu_task": "a1"}
        session.thread_rows()
        assert len(read) == 1


def test_odd_copies_of_a_result_name_nobody(tmp_path: Path) -> None:
    agent_file(tmp_path, "a1")
    told = begun()
    for n, copy in enumerate(("text", None, [], {"agentId": 7}, {"agentId": ""}, {"agentId": "\ud800"})):
        told.answer(call(f"toolu_{n}", "Agent"))
        told.record(
            "user", message={"role": "user", "content": [result(f"toolu_{n}", "x")]}, toolUseResult=copy
        )
    with open_session(told.write(tmp_path)) as session:
        assert session.agent_calls.by_call() == {}
