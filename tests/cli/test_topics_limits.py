"""`inspector help limits` states what the code holds to."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from inspector.app import overflow_rows
from inspector.app.overflow_rows import OPENED_BYTES, SessionOverflow
from inspector.app.session import SessionFeed
from inspector.cli import topics
from inspector.errors import UnreadableError, UsageError
from inspector.figures import number, size_words
from inspector.reading import nesting
from inspector.reading.files import WHOLE_LIMIT_BYTES, read_whole
from inspector.reading.follow import Follower
from inspector.reading.lines import MAX_LINE_BYTES
from inspector.reading.locate import MAX_SESSIONS
from inspector.reading.scratch import MAX_FILES
from inspector.session import agents, open_session, scratch_view
from inspector.session.scratch_view import read_overflow
from tests.cli.terminal import run
from tests.session.test_session_odd_records import nested, wrapped
from tests.transcript import SESSION, begun


def test_the_page_states_every_figure() -> None:
    page = topics.topic("limits")
    for size in (
        MAX_LINE_BYTES,
        WHOLE_LIMIT_BYTES,
        OPENED_BYTES,
        topics.MAX_PRINTED_BYTES,
        topics.MAX_UNPACKED_BYTES,
    ):
        assert size_words(size) in page
    for count in (nesting.MAX_LEVELS, agents.MAX_AGENTS, MAX_FILES, MAX_SESSIONS):
        assert number(count) in page
    assert topics.OPENED_BYTES == OPENED_BYTES


def test_a_line_that_is_too_long_is_a_place_without_a_text(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"x" * 3_000_000 + b"\n{}\n")
    follower = Follower(path, max_line_bytes=2_000_000)
    long, short = follower.poll(8_000_000).lines
    assert long.oversized and not long.data
    assert short.data == b"{}"
    follower.close()


def test_a_document_that_is_too_large_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(b"[" + b" " * 400 + b"]")
    with pytest.raises(UnreadableError, match="larger than 100 bytes"):
        read_whole(path, 100)


@pytest.mark.parametrize("depth", [100, nesting.MAX_LEVELS - 10, 1_100, 100_000])
@pytest.mark.parametrize("place", ["content", "input", "result"])
def test_nesting_up_to_the_limit_is_read_and_beyond_costs_that_record_only(
    place: str, depth: int, tmp_path: Path
) -> None:
    good, deep = wrapped(b'{"type":"text","text":"go"}', "content"), wrapped(nested(depth, "list"), place)
    transcript = tmp_path / "s.jsonl"
    transcript.write_bytes(b"\n".join([good, deep.replace(b"u1", b"u2"), good.replace(b"u1", b"u3")]) + b"\n")
    messages = tmp_path / "s.json"
    use = b'{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"B","input":%b}]}'
    plain = b'{"role":"user","content":"go"}'
    messages.write_bytes(b"[%b,%b,%b]" % (plain, use % nested(depth, "list"), plain))
    for path in (transcript, messages):
        with open_session(path) as read:
            bad = [(line.line, line.reason) for line in read.counts.bad_lines]
            whole, without = (3, []), (2, [(2, "nested too deeply to be read")])
            if depth < nesting.MAX_LEVELS:
                assert (len(read.records()), bad) == whole
            elif path is transcript and depth < 100_000:  # some Pythons read more of a transcript
                assert (len(read.records()), bad) in (whole, without)
            else:
                assert (len(read.records()), bad) == without


def test_more_sub_agents_than_are_read_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "MAX_AGENTS", 2)
    path = begun().write(tmp_path)
    folder = tmp_path / SESSION / "subagents"
    folder.mkdir(parents=True)
    for n in range(4):
        (folder / f"agent-{n}.jsonl").write_bytes(begun().lines[0] + b"\n")
    with open_session(path) as read:
        assert any("of 4 sub-agents the first 2" in finding.fact for finding in read.findings())


def test_an_overflow_file_is_printed_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begun().write(tmp_path)
    folder = tmp_path / SESSION / "tool-results"
    folder.mkdir(parents=True)
    (folder / "toolu_1.txt").write_bytes(b"x" * 99 + b"\n" + b"y" * 150)
    monkeypatch.setattr(scratch_view, "MAX_PRINTED_BYTES", 200)
    with open_session(path) as read:
        with pytest.raises(UsageError, match="--lines"):
            read_overflow(read, "toolu_1.txt", None)
        with pytest.raises(UsageError, match="choose fewer"):
            read_overflow(read, "toolu_1.txt", (1, 2))
        assert read_overflow(read, "toolu_1.txt", (1, 1)) == b"x" * 99 + b"\n"
        monkeypatch.setattr(scratch_view, "MAX_PRINTED_BYTES", 250)
        assert len(read_overflow(read, "toolu_1.txt", None)) == 250


def test_an_overflow_file_in_the_viewer_is_cut_and_its_size_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begun().write(tmp_path)
    folder = tmp_path / SESSION / "tool-results"
    folder.mkdir(parents=True)
    (folder / "toolu_1.txt").write_bytes(b"x" * 300)
    monkeypatch.setattr(overflow_rows, "OPENED_BYTES", 200)
    with open_session(path) as read:
        files = SessionOverflow(SessionFeed(read, follow=False))
        (row,) = files.rows()
        shown = files.open(row)
    assert (len(shown.text), shown.total_bytes) == (200, 300)


@pytest.mark.parametrize("name", ["s.json", "s.jsonl"])
def test_a_file_of_nothing_but_holes_costs_no_reading(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    path.write_bytes(b'[{"role":"user","content":"x"},')
    os.truncate(path, 1 << 42)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_inblock
    code, _, err = run(["report", str(path)], monkeypatch, terminal=False)
    assert code == 2
    assert str(path).encode() in err
    assert resource.getrusage(resource.RUSAGE_SELF).ru_inblock - before < 10_000
