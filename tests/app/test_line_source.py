"""What stands in the file of a session, whether or not it is a record."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from inspector.app.line_source import LINE_BYTES, SessionLines
from inspector.app.session import SessionFeed
from inspector.session import open_session
from tests.transcript import begun, call


def lines_of(path: Path) -> SessionLines:
    return SessionLines(SessionFeed(open_session(path), follow=False))


@pytest.mark.parametrize("packed", [False, True])
def test_a_bad_line_is_given_byte_for_byte(tmp_path: Path, packed: bool) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    script.raw(b'{"type":"user","x":"\xff\x1b]0;')
    path = script.write(tmp_path)
    if packed:
        path = Path(f"{path}.gz")
        path.write_bytes(gzip.compress(script.write(tmp_path).read_bytes()))
    session = open_session(path)
    (bad,) = session.counts.bad_lines
    opened = lines_of(path).read("", bad.start, bad.end)
    assert opened.data == script.lines[-1]
    assert opened.total_bytes == len(opened.data)
    assert "\ufffd" in opened.text


def test_a_line_of_a_sub_agent_is_read_from_its_file(tmp_path: Path) -> None:
    path = begun().write(tmp_path)
    folder = path.with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-a1b2.jsonl").write_bytes(b"{no record}\n")
    assert lines_of(path).read("a1b2", 0, 11).data == b"{no record}"


def test_a_message_that_breaks_off_is_read_from_its_list(tmp_path: Path) -> None:
    path = tmp_path / "messages.json"
    path.write_bytes(b'[{"role":"user","content":"a"},{"role":"user","cont')
    session = open_session(path)
    (bad,) = session.counts.bad_lines
    assert lines_of(path).read("", bad.start, bad.end).data == b'{"role":"user","cont'


def test_of_a_huge_one_only_the_beginning_is_read(tmp_path: Path) -> None:
    script = begun()
    script.raw(b"{" + b"x" * (2 * LINE_BYTES))
    path = script.write(tmp_path)
    start = len(script.lines[0]) + 1
    opened = lines_of(path).read("", start, start + 2 * LINE_BYTES + 1)
    assert (len(opened.data), opened.total_bytes) == (LINE_BYTES, 2 * LINE_BYTES + 1)
