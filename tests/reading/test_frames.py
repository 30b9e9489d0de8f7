from __future__ import annotations

import zlib
from io import BytesIO

import msgspec
import pytest

from inspector.reading.claude_code import ClaudeCodeAdapter
from inspector.reading.frames import Frame, frame_bytes, missing_bytes, next_frame
from inspector.reading.packed import packed
from tests.reading.samples import as_line, assistant, call, user


def frame(argument: str = "ls") -> Frame:
    adapter = ClaudeCodeAdapter(part=0)
    adapter.take_odd(as_line(user(1, "a")))
    adapter.take_odd(as_line(assistant(2, [call("t", command=argument)], 1)))
    adapter.take_odd(as_line(b"{broken", 3))
    return Frame(0, 77, 4, b"}\n", (1, 2), False, adapter.report(), packed(adapter.records))


def test_frames_come_back_one_behind_another() -> None:
    first, empty = frame(), msgspec.structs.replace(frame(), columns=None, position=99)
    stream = BytesIO(frame_bytes(first) + frame_bytes(empty))
    assert next_frame(stream.read) == first
    assert next_frame(stream.read) == empty
    assert next_frame(stream.read) is None


def test_of_a_frame_that_has_come_in_part_is_known_how_much_is_missing() -> None:
    data = frame_bytes(frame())
    for length in range(8, len(data) + 1):
        assert missing_bytes(data[:length]) == len(data) - length
    assert [missing_bytes(data[:length]) for length in range(8)] == [8 - length for length in range(8)]
    with pytest.raises(ValueError, match="impossible"):
        missing_bytes(b"\xff" * 8)


def test_frame_cut_off_anywhere_is_refused() -> None:
    data = frame_bytes(frame())
    for length in range(1, len(data)):
        with pytest.raises(ValueError, match="cut off"):
            next_frame(BytesIO(data[:length]).read)


def test_damaged_frame_is_refused() -> None:
    data = bytearray(frame_bytes(frame()))
    data[len(data) // 2] ^= 1
    with pytest.raises(ValueError, match="damaged"):
        next_frame(BytesIO(bytes(data)).read)


def test_impossible_length_is_refused_before_anything_is_read() -> None:
    with pytest.raises(ValueError, match="impossible"):
        next_frame(BytesIO(b"\xff" * 64).read)


def test_sound_bytes_of_something_else_are_refused() -> None:
    other = bytearray(frame_bytes(frame()))
    data = msgspec.msgpack.encode({"a": 1})
    other[:8] = len(data).to_bytes(4, "little") + zlib.crc32(data).to_bytes(4, "little")
    with pytest.raises(msgspec.DecodeError):
        next_frame(BytesIO(bytes(other[:8]) + data).read)


def test_word_that_is_no_unicode_cannot_be_packed() -> None:
    with pytest.raises(UnicodeEncodeError):
        frame_bytes(frame("\ud800"))
