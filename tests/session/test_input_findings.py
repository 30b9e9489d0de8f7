"""Findings about bytes: which line, which bytes, what was saved from it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from inspector.model.findings import Severity
from inspector.reading.follow import Follower
from inspector.report import report
from inspector.session import line_intake, open_session
from inspector.session.input_findings import NEWEST_CHECKED
from tests.transcript import Transcript, begun, call, found, result, the


def answered(text: object = "x") -> Transcript:
    script = begun()
    script.answer(call("toolu_a"))
    script.results(result("toolu_a", text))
    return script


def test_bad_line_is_named_with_its_bytes(tmp_path: Path) -> None:
    script = begun()
    script.raw(b'{"type":"user","message":')
    script.answer(text="Yes.")
    finding = the(script.open(tmp_path), "bad_line")
    start = len(script.lines[0]) + 1
    assert finding.see == "line 2"
    assert finding.data["bytes"] == [start, start + len(script.lines[1])]
    assert finding.data["lost"]


def test_comment_is_told_quietly_and_a_record_within_is_none(tmp_path: Path) -> None:
    script = begun()
    script.raw(b"  // exported by somebody")
    script.raw(b"// " + script.lines[0])
    script.answer(text="Yes.")
    session = script.open(tmp_path)
    told = [finding for finding in session.findings() if finding.kind == "comment_line"]
    assert [(finding.see, finding.severity) for finding in told] == [
        ("line 2", Severity.INFO),
        ("line 3", Severity.INFO),
    ]
    assert (session.counts.lines, session.counts.parsed) == (4, 2)
    assert session.timeline.bad_lines == []


def test_comment_at_the_end_is_no_half_line(tmp_path: Path) -> None:
    path = answered().write(tmp_path)
    with path.open("ab") as file:
        file.write(b"// the end")
    with open_session(path) as session:
        assert not session.partial_tail
        assert session.counts.bad_lines[-1].kind == "comment_line"


def test_run_of_nul_bytes_is_no_ordinary_bad_line(tmp_path: Path) -> None:
    script = begun()
    script.raw(b"\x00" * 4_096)
    script.answer(text="Yes.")
    finding = the(script.open(tmp_path), "nul_run")
    assert finding.see == "line 2"


def test_half_last_line_of_a_live_session_is_partial(tmp_path: Path) -> None:
    script = answered()
    path = script.write(tmp_path)
    with path.open("ab") as file:
        file.write(b'{"type":"assis')
    session = open_session(path, live=True)
    assert the(session, "partial_line")
    assert not found(session, "bad_line")


def test_a_last_line_is_no_longer_partial_when_it_ends_though_it_is_no_record(tmp_path: Path) -> None:
    path = answered().write(tmp_path)
    with open_session(path, live=True) as session, path.open("ab") as file:
        for written, partial_lines in ((b'{"type":"mode"', 1), (b"}\n", 0), (b" ", 1), (b"\n", 0)):
            file.write(written)
            file.flush()
            session.poll()
            assert len(found(session, "partial_line")) == partial_lines


def test_half_character_names_its_result(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    record = {
        "type": "user", "uuid": "u9", "parentUuid": None, "sessionId": "s",
        "message": {"role": "user", "content": [result("toolu_a", "cut \ud83d here")]},
    }  # fmt: skip
    script.raw(json.dumps(record).encode())
    finding = the(script.open(tmp_path), "lone_surrogate")
    assert (finding.ids, finding.see) == (("toolu_a",), "line 3")


def test_half_character_in_a_stored_preview_names_the_result_that_it_stands_for(tmp_path: Path) -> None:
    script = answered("whole")
    texts = {"toolu_a": "<persisted-output>\ncut \ud83d", "toolu_nobody": "\ud83d"}
    stored = [{"kind": "tool-result", "toolUseId": i, "replacement": text} for i, text in texts.items()]
    line = {"type": "content-replacement", "sessionId": "s", "replacements": stored}
    script.raw(json.dumps(line).encode())
    session = script.open(tmp_path)
    finding = the(session, "lone_surrogate")
    assert (finding.ids, finding.see) == (("toolu_a",), "line 3")
    assert finding.fact.startswith("The stored preview of Bash toolu_a")
    assert [row["lone_surrogates"] for row in report(session)["results"]] == [True]


def test_control_characters_in_results_are_one_finding(tmp_path: Path) -> None:
    finding = the(answered("\x1b[31mred\x1b[0m").open(tmp_path), "control_characters")
    assert finding.ids == ("toolu_a",)


def test_bytes_that_are_no_utf8_are_told_with_their_line(tmp_path: Path) -> None:
    script = answered()
    script.lines[2] = script.lines[2].replace(b'"content": "x"', b'"content": "x\xff\xfe"')
    finding = the(script.open(tmp_path), "invalid_utf8")
    assert finding.see == "line 3"


def test_record_of_an_unknown_type_is_counted_by_type(tmp_path: Path) -> None:
    script = answered()
    script.record("hologram")
    script.record("hologram")
    assert the(script.open(tmp_path), "unknown_record").data == {"types": {"hologram": 2}}


def test_record_that_states_no_type_is_told_as_such(tmp_path: Path) -> None:
    script = answered()
    script.raw(b"{}")
    assert the(script.open(tmp_path), "unknown_record").fact.endswith("is not known: none stated.")


def test_line_beyond_the_bound_is_told_and_the_ones_behind_it_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bounded = partial(Follower, max_line_bytes=100_000)
    monkeypatch.setattr(line_intake, "Follower", bounded)
    script = answered("x" * 3_000_000)
    script.answer(text="Done.")
    session = script.open(tmp_path)
    finding = the(session, "huge_line")
    assert (finding.see, finding.data["lost"]) == ("line 3", True)
    assert len(session.timeline.requests) == 3
    assert the(session, "missing_result").cause.startswith("A line behind the call could not be read")


def test_clean_session_gives_no_finding_of_the_family(tmp_path: Path) -> None:
    session = answered().open(tmp_path)
    assert {f.kind for f in session.findings()} <= {"usage_repeated"}


def written_by(tmp_path: Path, *versions: str) -> Path:
    path = tmp_path / "s.jsonl"
    lines = [
        {"type": "user", "uuid": f"u{n}", "parentUuid": f"u{n - 1}" if n else None, "version": version,
         "sessionId": "s", "timestamp": "2026-01-01T00:00:00Z", "message": {"role": "user", "content": "hi"}}
        for n, version in enumerate(versions)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize(
    ("version", "newer"),
    [
        (NEWEST_CHECKED, False),
        ("2.1.9", False),
        ("1.99.999", False),
        ("99.0.0", True),
        ("99.0.0-beta.1", True),
        (f"{NEWEST_CHECKED}1", True),
        ("dev", False),
        ("9" * 5_000 + ".0", False),
        ("²", False),
    ],
)
def test_only_newer_clients_are_unknown(tmp_path: Path, version: str, newer: bool) -> None:
    with open_session(written_by(tmp_path, version)) as opened:
        assert bool(found(opened, "unknown_version")) is newer


def test_several_newer_versions_are_one_finding(tmp_path: Path) -> None:
    with open_session(written_by(tmp_path, "2.1.9", "98.0.0", "99.0.0")) as opened:
        finding = the(opened, "unknown_version")
    assert "98.0.0, 99.0.0" in finding.fact
    assert NEWEST_CHECKED in finding.fact


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            b'{"version":2,"chat_history":[{"role":"user","content":"go"},{"role":"user","content":"cut',
            "Unterminated string starting at line 1, column 86. Saved from it: 1 record.",
        ),
        (
            b'{"version":1,"chat_history":[{"role":"user","content":"go"}]}',
            "An object needs a version of 2 or more.",
        ),
    ],
    ids=["broken", "version 1"],
)
def test_why_chatcli_refuses_a_file_is_one_sentence(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(data)
    with open_session(path) as session:
        assert next(f.fact for f in session.findings() if f.kind == "bad_line").endswith(f"): {words}")
