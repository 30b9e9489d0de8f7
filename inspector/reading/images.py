"""Width and height of an image from its first bytes, so that no picture is ever decoded."""

from __future__ import annotations

import binascii
import struct

_HEAD_CHARS = 64 * 1024
"""Base64 characters looked at: a JPEG may carry a thumbnail in front of its size."""

_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Start-of-frame markers; the other three of that range are tables."""

UNREADABLE = (0, 0)


def image_size(base64_data: bytes) -> tuple[int, int]:
    """Width and height in px of a PNG, JPEG, GIF or WebP.

    Args:
        base64_data: The picture in base64; the beginning is enough.

    Returns:
        `(0, 0)` where the bytes are no such picture or end too early.
    """
    head = base64_data[:_HEAD_CHARS]
    try:
        data = binascii.a2b_base64(head[: len(head) // 4 * 4])
    except (binascii.Error, ValueError):
        return UNREADABLE
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n"):
            return _pair(">II", data, 16)
        if data.startswith((b"GIF87a", b"GIF89a")):
            return _pair("<HH", data, 6)
        if data.startswith(b"\xff\xd8"):
            return _jpeg_size(data)
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return _webp_size(data)
    except (struct.error, IndexError):
        pass  # the picture ends before its size: not readable, as said above
    return UNREADABLE


def _pair(layout: str, data: bytes, offset: int) -> tuple[int, int]:
    first, second = struct.unpack_from(layout, data, offset)
    return first, second


def _jpeg_size(data: bytes) -> tuple[int, int]:
    position = 2
    while True:
        if data[position] != 0xFF:
            return UNREADABLE
        marker = data[position + 1]
        if marker == 0xFF:  # fill byte
            position += 1
            continue
        if marker in _JPEG_FRAMES:
            height, width = _pair(">HH", data, position + 5)
            return width, height
        if marker == 0x01 or 0xD0 <= marker <= 0xD8:  # markers without a length
            position += 2
            continue
        (length,) = struct.unpack_from(">H", data, position + 2)
        position += 2 + max(length, 2)


def _webp_size(data: bytes) -> tuple[int, int]:
    kind = data[12:16]
    if kind == b"VP8 ":
        width, height = _pair("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8X":
        width = int.from_bytes(data[24:27], "little")
        height = int.from_bytes(data[27:30], "little")
        return (width + 1, height + 1) if len(data) >= 30 else UNREADABLE
    return UNREADABLE
