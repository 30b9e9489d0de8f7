"""Frames: pieces of a reading in packed form, one behind another in a pipe or in a file.

Each frame says how far the file has been read and brings the records since the frame before, so a
reading may break off between any two of them and be taken up by somebody else from there.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from struct import Struct

import msgspec

from inspector.model.transcript import Record
from inspector.reading.packed import Columns, packed
from inspector.reading.readings import Reading

_HEAD = Struct("<II")
"""Bytes of the frame and their CRC-32."""

MAX_FRAME_BYTES = 1 << 30
"""More than a frame of one line of the greatest length can hold."""


class Frame(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A piece of a reading, up to the end of some line."""

    part: int
    """Ordinal of the part of the file that was read apart from the others; counts begin anew there."""
    position: int
    """First byte that was not read."""
    line: int
    """Number of the line that begins there, counted from the beginning of the part."""
    anchor: bytes
    """The last bytes before it, as they were read."""
    file: tuple[int, int]
    """Device and inode of the file that was read; zeros where it could not be."""
    last: bool
    """Whether nothing more of the part was read."""
    reading: Reading
    columns: Columns | None
    """The records; None where there are none."""


class Piece(msgspec.Struct, frozen=True):
    """The same of what this process has read: its records as they are."""

    part: int
    position: int
    line: int
    anchor: bytes
    file: tuple[int, int]
    last: bool
    reading: Reading
    records: list[Record]
    """Counted from the beginning of the part; whoever takes the piece owns them."""

    def frame(self) -> Frame:
        """Its packed form."""
        return Frame(
            self.part, self.position, self.line, self.anchor, self.file, self.last, self.reading,
            packed(self.records) if self.records else None,
        )  # fmt: skip


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Frame).decode


def frame_bytes(frame: Frame) -> bytes:
    """A frame as it stands in a pipe or a file.

    Raises:
        UnicodeEncodeError: Some word of it is no Unicode text: it cannot be packed.
    """
    data = _encode(frame)
    return _HEAD.pack(len(data), zlib.crc32(data)) + data


def next_frame(read: Callable[[int], bytes]) -> Frame | None:
    """The next frame.

    Args:
        read: Gives so many bytes, or fewer at the end.

    Returns:
        None at the end.

    Raises:
        ValueError: What stands there is no frame, or is cut off.
        DecodeError: It is a frame of something else.
    """
    head = read(_HEAD.size)
    if not head:
        return None
    if len(head) < _HEAD.size:
        raise ValueError("cut off in the head of a frame")
    length, check = _sizes(head)
    data = read(length)
    if len(data) < length or zlib.crc32(data) != check:
        raise ValueError("a frame that is damaged or cut off")
    return _decode(data)


def missing_bytes(said: bytes | bytearray) -> int:
    """How many bytes of a frame are certainly still to come; 0: it is whole.

    Args:
        said: Those that have come.

    Raises:
        ValueError: They are no frame.
    """
    if len(said) < _HEAD.size:
        return _HEAD.size - len(said)
    return _HEAD.size + _sizes(said)[0] - len(said)


def _sizes(said: bytes | bytearray) -> tuple[int, int]:
    length, check = _HEAD.unpack_from(said)
    if length > MAX_FRAME_BYTES:
        raise ValueError("a frame of impossible length")
    return length, check
