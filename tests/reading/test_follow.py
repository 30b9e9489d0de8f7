from __future__ import annotations

import gzip
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from inspector.errors import UnreadableError
from inspector.reading import cutter as cutter_module
from inspector.reading.follow import Batch, FileState, Follower
from inspector.reading.lines import RawLine
from tests.reading.samples import lines_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def exchange(path: Path, data: bytes) -> None:
    other = path.with_name("other")
    other.write_bytes(data)
    other.replace(path)


def texts(batch: Batch) -> list[bytes]:
    return [line.data for line in batch.lines]


def test_only_whole_lines_are_given_and_the_half_one_waits(path: Path) -> None:
    path.write_bytes(b'{"a":1}\n{"b"')
    follower = Follower(path)
    first = follower.poll()
    assert (texts(first), first.state, first.partial, first.position, first.size) == (
        [b'{"a":1}'], FileState.OK, 4, 8, 12,
    )  # fmt: skip
    assert follower.partial_line() == RawLine(2, 8, 12, b'{"b"')
    append(path, b":2}\n")
    second = follower.poll()
    assert second.lines == [RawLine(2, 8, 15, b'{"b":2}')]
    assert (second.partial, second.position, second.size, second.at_end) == (0, 16, 16, True)
    assert follower.partial_line() is None
    assert follower.poll().lines == []


def test_character_cut_between_two_writes_is_whole_again(path: Path) -> None:
    data = '{"a":"é"}\n'.encode()
    path.write_bytes(data[:7])
    follower = Follower(path)
    assert follower.poll().lines == []
    append(path, data[7:])
    assert texts(follower.poll()) == [data[:-1]]


def test_lines_end_at_line_feeds_only(path: Path) -> None:
    line = '{"a":"\u2028 \u2029 \x85 \x0b \x0c"}'.encode()
    path.write_bytes(line + b"\n" + line + b"\r\n")
    assert texts(Follower(path).poll()) == [line, line]


def test_numbers_count_physical_lines(path: Path) -> None:
    path.write_bytes(b"// note\n\n{}\n \r\n{}\n")
    assert [(line.number, line.start, line.end) for line in Follower(path).poll().lines] == [
        (1, 0, 7),
        (3, 9, 11),
        (5, 15, 17),
    ]


def test_byte_order_mark_is_no_part_of_the_first_line(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf{}\n{}\n")
    assert [(line.start, line.data) for line in Follower(path).poll().lines] == [(3, b"{}"), (6, b"{}")]


def test_file_created_later_is_read_from_its_start(path: Path) -> None:
    follower = Follower(path)
    assert follower.poll() == Batch([], FileState.MISSING, 0, 0, 0)
    path.write_bytes(b"{}\n")
    batch = follower.poll()
    assert (texts(batch), batch.state, batch.restarted) == ([b"{}"], FileState.OK, False)


def test_shorter_file_is_read_anew(path: Path) -> None:
    path.write_bytes(b'{"a":1}\n{"b":2}\n{"c"')
    follower = Follower(path)
    follower.poll()
    path.write_bytes(b'{"d":4}\n')
    batch = follower.poll()
    assert (batch.lines, batch.state, batch.restarted) == (
        [RawLine(1, 0, 7, b'{"d":4}')],
        FileState.TRUNCATED,
        True,
    )


def test_file_written_anew_in_place_is_noticed_though_it_is_longer(path: Path) -> None:
    path.write_bytes(b'{"a":1}\n')
    follower = Follower(path)
    follower.poll()
    path.write_bytes(b'{"b":2}\n{"c":3}\n')
    batch = follower.poll()
    assert (texts(batch), batch.state) == ([b'{"b":2}', b'{"c":3}'], FileState.TRUNCATED)


def test_exchanged_file_is_read_anew_and_is_the_source_from_then_on(path: Path) -> None:
    path.write_bytes(b'{"a":1}\n')
    follower = Follower(path)
    follower.poll()
    exchange(path, b'{"a":1}\n{"b":2}\n')
    batch = follower.poll()
    assert (texts(batch), batch.state) == ([b'{"a":1}', b'{"b":2}'], FileState.REPLACED)
    assert follower.source is not None
    assert follower.source.read(8, 15) == b'{"b":2}'


def test_deleted_file_keeps_what_was_read_and_gives_what_came_last(path: Path) -> None:
    path.write_bytes(b'{"a":1}\n')
    follower = Follower(path)
    follower.poll()
    append(path, b'{"b":2}\n')
    path.unlink()
    batch = follower.poll()
    assert (texts(batch), batch.state, batch.restarted) == ([b'{"b":2}'], FileState.DELETED, False)
    assert follower.source is not None
    assert follower.source.read(0, 7) == b'{"a":1}'
    path.write_bytes(b'{"c":3}\n')
    assert follower.poll().state is FileState.REPLACED


def test_polling_can_be_done_in_small_steps(path: Path) -> None:
    path.write_bytes(b'{"a":1}\n' * 40)
    follower = Follower(path)
    steps = [follower.poll(max_bytes=10) for _ in range(32)]
    assert [len(step.lines) for step in steps[:4]] == [1, 1, 1, 2]
    assert sum(len(step.lines) for step in steps) == 40
    assert [step.at_end for step in steps[-2:]] == [False, True]


def test_line_too_long_is_given_by_its_place_alone(path: Path) -> None:
    path.write_bytes(b'{"a":1}\n{"long":"' + b"x" * 500 + b'"}\n{"b":2}\n{"long":' + b"y" * 400)
    follower = Follower(path, max_line_bytes=300)
    lines = [line for _ in range(60) for line in follower.poll(max_bytes=32).lines]
    assert lines == [
        RawLine(1, 0, 7, b'{"a":1}'),
        RawLine(2, 8, 519, b"", oversized=True),
        RawLine(3, 520, 527, b'{"b":2}'),
    ]
    rest = follower.partial_line()
    assert rest is not None
    assert rest.oversized


def test_line_over_many_blocks_is_one_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutter_module, "BLOCK_BYTES", 16)
    line = b'{"long":"' + b"x" * 500 + b'"}'
    path.write_bytes(line + b"\n" + line + b"\n")
    assert texts(Follower(path).poll()) == [line, line]


def test_pipe_is_refused_without_waiting(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(UnreadableError, match="named pipe"):
        Follower(path).poll()


def test_file_exchanged_for_a_pipe_is_refused(path: Path) -> None:
    path.write_bytes(b"{}\n")
    follower = Follower(path)
    follower.poll()
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(UnreadableError, match="named pipe"):
        follower.poll()


def test_name_below_a_file_is_a_missing_file(path: Path) -> None:
    path.write_bytes(b"")
    assert Follower(path / "session.jsonl").poll().state is FileState.MISSING


def test_packed_file_is_read_once(path: Path) -> None:
    packed = path.with_suffix(".jsonl.gz")
    packed.write_bytes(gzip.compress(b'{"a":1}\n{"b":2}'))
    follower = Follower(packed)
    batch = follower.poll()
    assert (texts(batch), batch.state, batch.size) == ([b'{"a":1}'], FileState.OK, 15)
    assert follower.poll().lines == []
    assert follower.partial_line() == RawLine(2, 8, 15, b'{"b":2}')


PIECES = st.lists(
    st.sampled_from(
        [b"{}", b"\n", b"\r\n", b'{"a":', b'"\xc3', b'\xa9"}', b"// no", b"\xef\xbb\xbf", b" ", b"xyz"]
    ),
    min_size=1,
    max_size=6,
).map(b"".join)


class FollowerMachine(RuleBasedStateMachine):
    """A writer does what it likes; after each poll the follower knows the file's whole lines."""

    def __init__(self) -> None:
        super().__init__()
        self.directory = TemporaryDirectory()
        self.path = Path(self.directory.name) / "session.jsonl"
        self.follower = Follower(self.path, max_line_bytes=40)
        self.content: bytes | None = None
        self.lines: list[RawLine] = []

    @precondition(lambda self: self.content is not None)
    @rule(data=PIECES)
    def append(self, data: bytes) -> None:
        append(self.path, data)
        self.content = (self.content or b"") + data

    @rule(data=PIECES)
    def replace(self, data: bytes) -> None:
        exchange(self.path, data)
        self.content = data

    @precondition(lambda self: self.content)
    @rule(share=st.floats(0, 0.99))
    def truncate(self, share: float) -> None:
        length = int(len(self.content or b"") * share)
        os.truncate(self.path, length)
        self.content = (self.content or b"")[:length]

    @precondition(lambda self: self.content is not None)
    @rule()
    def delete(self) -> None:
        self.path.unlink()
        self.content = None

    @rule(step=st.sampled_from([3, 1_000]))
    def poll_to_the_end(self, step: int) -> None:
        for _ in range(500):
            batch = self.follower.poll(max_bytes=step)
            if batch.restarted:
                self.lines = []
            self.lines += batch.lines
            if batch.at_end:
                break
        assert batch.at_end
        if self.content is None:
            assert batch.state is (FileState.DELETED if self.follower.source else FileState.MISSING)
        else:
            self.compare(batch)

    def compare(self, batch: Batch) -> None:
        content = self.content or b""
        whole = content[: content.rfind(b"\n") + 1]
        assert batch.size == len(content)
        assert batch.position == len(whole)
        assert batch.partial == len(content) - len(whole)
        assert [(line.number, line.start) for line in self.lines] == [
            (line.number, line.start) for line in lines_of(whole)
        ]
        assert all(line.oversized or line.data == content[line.start : line.end] for line in self.lines)

    @invariant()
    def no_more_lines_than_the_file_had(self) -> None:
        numbers = [line.number for line in self.lines]
        assert numbers == sorted(set(numbers))

    def teardown(self) -> None:
        self.follower.close()
        self.directory.cleanup()


TestFollowerMachine = FollowerMachine.TestCase
TestFollowerMachine.settings = settings(max_examples=60, stateful_step_count=15, deadline=None)


def test_parked_file_is_opened_only_when_something_of_it_changed(path: Path) -> None:
    path.write_bytes(b'{"a":1}\n')
    follower = Follower(path)
    assert len(follower.poll().lines) == 1
    assert follower.source is not None
    follower.source.park()
    assert follower.poll().lines == []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "open", lambda *_: pytest.fail("it was opened"))
        batch = follower.poll()
    assert (batch.lines, batch.state, batch.position, batch.size) == ([], FileState.OK, 8, 8)
    append(path, b'{"b":2}\n{"c"')
    batch = follower.poll()
    assert (texts(batch), batch.partial) == ([b'{"b":2}'], 4)
    assert follower.poll().partial == 4
    assert follower.poll().partial == 4
    path.write_bytes(b'{"x":9}\n{"y":8}\n{"z"')
    batch = follower.poll()
    assert batch.state is FileState.TRUNCATED
    assert texts(batch) == [b'{"x":9}', b'{"y":8}']
    path.unlink()
    assert follower.poll().state is FileState.DELETED
