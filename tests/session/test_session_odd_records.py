"""Nothing that a transcript may hold stops the replay: odd shapes in every field, under every policy."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from inspector.app.details import SessionDetails
from inspector.app.feed import Tab
from inspector.app.overflow_rows import SessionOverflow
from inspector.app.reasons import SessionWhy
from inspector.app.session import SessionFeed
from inspector.app.wire_source import SessionWire
from inspector.cli import main
from inspector.errors import InspectorError
from inspector.model.policy import PRESETS
from inspector.report import html_report, markdown_report, report, text_report
from inspector.report.json_text import json_text
from inspector.session import open_session
from inspector.session.wire import all_requests
from inspector.why import why
from tests.found import FOUND
from tests.hostile import foreign
from tests.odd_records import documents, message_lines, rollouts, transcripts

LONG = int(os.environ.get("INSPECTOR_FUZZ", "2000"))
QUICK = [Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink]
"""Without the phase that explains a failure: it replays a file hundreds of times."""
LENIENT = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
figures = {"files": 0, "records": 0, "refused": 0}


def replay(data: bytes, name: str, policy: str | None) -> None:
    """Read, replay and tell one file in every form; only `InspectorError` may come out."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        figures["files"] += 1
        try:
            session = open_session(path, policy=policy)
        except InspectorError:
            figures["refused"] += 1
            return
        with session:
            figures["records"] += sum(len(session.records(key)) for key in session.timelines)
            session.findings()
            answer = why(session, with_advice=False)
            told = json_text(report(session))
            assert foreign(told, "\n") == []
            json.loads(told)
            for make in (html_report, markdown_report, text_report):
                make(session, answer)
            for key in session.timelines:
                for body in all_requests(session, agent=key, full=True):
                    json_text(body)
            feed = SessionFeed(session, follow=False)
            texts, wire, reasons = SessionDetails(feed), SessionWire(feed), SessionWhy(feed)
            for n in range(1, len(session.timeline.requests) + 1):
                wire.view(n)
                reasons.answer(n)
            SessionOverflow(feed).rows()
            for index in range(len(session.timeline.tracked)):
                for tab in Tab:
                    with contextlib.suppress(InspectorError):
                        texts.text(tab, index, max(1, len(session.timeline.requests)))


POLICIES = st.sampled_from([None, *PRESETS])


@settings(max_examples=40, suppress_health_check=LENIENT, phases=QUICK)
@given(data=transcripts, policy=POLICIES)
def test_no_odd_transcript_stops_the_replay(policy: str | None, data: bytes) -> None:
    replay(data, "session.jsonl", policy)


@settings(max_examples=40, suppress_health_check=LENIENT, phases=QUICK)
@given(data=documents, policy=POLICIES)
def test_no_odd_document_stops_the_replay(policy: str | None, data: bytes) -> None:
    replay(data, "session.json", policy)


@pytest.mark.parametrize("name", FOUND)
def test_what_once_did_harm_stops_no_replay(name: str) -> None:
    data, ending = FOUND[name]
    for policy in (None, *PRESETS):
        replay(data, f"session{ending}", policy)


@pytest.mark.parametrize("name", FOUND)
def test_what_once_did_harm_stops_no_command(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, ending = FOUND[name]
    path = tmp_path / f"session{ending}"
    path.write_bytes(data)
    scratch = ["--scratch", str(tmp_path / "scratch"), "--out", str(tmp_path / "out")]
    for command in (
        ["run", str(path), "--policy", "documented", "--records", str(tmp_path / "records"), *scratch],
        ["compare", str(path), "--policy", "documented", "--policy", "chatcli", "--json"],
        ["compare", str(path), str(path), "--json"],
        ["compare", str(path), "--request", "2"],
        ["overflow", str(path), "--json"],
    ):
        assert main(command) in (0, 1, 2), (command, capsys.readouterr().err)


@settings(max_examples=30, suppress_health_check=LENIENT, phases=QUICK)
@given(data=st.one_of(rollouts, message_lines), policy=POLICIES)
def test_no_odd_lines_of_other_kinds_stop_the_replay(policy: str | None, data: bytes) -> None:
    replay(data, "session.jsonl", policy)


@pytest.mark.soak
@settings(max_examples=LONG, suppress_health_check=LENIENT, phases=QUICK)
@given(data=st.one_of(rollouts, message_lines), policy=POLICIES)
def test_no_odd_lines_of_other_kinds_stop_the_replay_in_a_long_run(policy: str | None, data: bytes) -> None:
    replay(data, "session.jsonl", policy)


@pytest.mark.soak
@pytest.mark.parametrize("policy", [None, *PRESETS])
@settings(max_examples=LONG, suppress_health_check=LENIENT, phases=QUICK)
@given(data=transcripts)
def test_no_odd_transcript_stops_the_replay_in_a_long_run(policy: str | None, data: bytes) -> None:
    replay(data, "session.jsonl", policy)


@pytest.mark.soak
@pytest.mark.parametrize("policy", [None, *PRESETS])
@settings(max_examples=LONG, suppress_health_check=LENIENT, phases=QUICK)
@given(data=documents)
def test_no_odd_document_stops_the_replay_in_a_long_run(policy: str | None, data: bytes) -> None:
    replay(data, "session.json", policy)


@pytest.mark.soak
def test_the_long_run_went_over_many_records() -> None:
    print(figures)
    assert figures["records"] > LONG


def nested(depth: int, kind: str) -> bytes:
    opening, closing = {"list": (b"[", b"]"), "object": (b'{"a":', b"}")}[kind]
    return opening * depth + b"1" + closing * depth


def wrapped(value: bytes, place: str) -> bytes:
    head = b'{"type":"user","uuid":"u1","sessionId":"s","message":{"role":"user","content":%b}}'
    inner = {
        "content": b"[%b]",
        "input": b'[{"type":"tool_use","id":"t","name":"Bash","input":%b}]',
        "result": b'[{"type":"tool_result","tool_use_id":"t","content":%b}]',
        "extra": b'"x"},"extra":{"a":%b',
    }
    return head % (inner[place] % value)


@pytest.mark.parametrize("place", ["content", "input", "result", "extra"])
@pytest.mark.parametrize("kind", ["list", "object"])
def test_a_record_nested_a_hundred_thousand_deep_costs_itself_only(
    place: str, kind: str, tmp_path: Path
) -> None:
    good = wrapped(b'{"type":"text","text":"go"}', "content")
    data = b"\n".join([good, wrapped(nested(100_000, kind), place), good.replace(b"u1", b"u2")]) + b"\n"
    for policy in (None, *PRESETS):
        replay(data, "session.jsonl", policy)
    path = tmp_path / "session.jsonl"
    path.write_bytes(data)
    with open_session(path) as session:
        assert session.counts.lines == 3
        assert len(session.records()) >= 2
        assert len(session.records()) == 3 or session.counts.bad_lines


@pytest.mark.parametrize("kind", ["list", "object"])
def test_a_document_nested_a_hundred_thousand_deep_is_refused_or_read(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deep = nested(100_000, kind)
    for name, data in {
        "whole.json": deep,
        "list.json": b'[{"role":"user","content":[%b]},{"role":"user","content":"x"}]' % deep,
        "chat.json": b'{"version":2,"agent_history":[{"role":"user","content":"x","extra":%b}]}' % deep,
        "call.json": b'[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"B","input":%b}]}]'
        % deep,
    }.items():
        path = tmp_path / name
        path.write_bytes(data)
        for command in ("report", "check", "wire"):
            code = main([command, str(path), *(["--all"] if command == "wire" else [])])
            said = capsys.readouterr()
            assert code in (0, 1, 2), (name, command, said.err)


CYCLE: list[dict[str, Any]] = [
    {"type": "user", "uuid": "u1", "parentUuid": "u3", "message": {"role": "user", "content": "a"}},
    {"type": "assistant", "uuid": "u2", "parentUuid": "u1", "message": {"role": "assistant", "content": "b"}},
    {"type": "user", "uuid": "u3", "parentUuid": "u2", "message": {"role": "user", "content": "c"}},
    {"type": "user", "uuid": "u4", "parentUuid": "u4", "message": {"role": "user", "content": "d"}},
]


@pytest.mark.parametrize("policy", [None, *PRESETS])
def test_records_that_are_their_own_parents_end(policy: str | None) -> None:
    replay(b"\n".join(json.dumps(record).encode() for record in CYCLE), "session.jsonl", policy)


def test_numbers_of_any_size_are_read(tmp_path: Path) -> None:
    for number in ("1e400", "-1e400", "9" * 5_000, "0." + "1" * 5_000, "NaN", "-Infinity", "1E-999999"):
        line = wrapped(
            b'{"type":"tool_use","id":"t","name":"B","input":{"n":%b}}' % number.encode(), "content"
        )
        usage = line.replace(b'"role"', b'"usage":{"input_tokens":%b},"role"' % number.encode())
        replay(b"\n".join([line, usage]), "session.jsonl", None)
        replay(b'[{"role":"user","content":[{"n":%b}]}]' % number.encode(), "session.json", None)
