from __future__ import annotations

import base64
import struct

import pytest

from inspector.reading.images import UNREADABLE, image_size
from tests.reading.samples import png_head

GIF = b"GIF89a" + struct.pack("<HH", 640, 480) + bytes(20)
JPEG_START = b"\xff\xd8\xff\xe0" + struct.pack(">H", 16) + bytes(14)
JPEG = JPEG_START + b"\xff\xff\xc2" + struct.pack(">HBHH", 17, 8, 480, 640) + bytes(20)
WEBP_LOSSY = b"RIFF\0\0\0\0WEBPVP8 " + bytes(10) + struct.pack("<HH", 640 | 0x4000, 480) + bytes(9)
WEBP_LOSSLESS = b"RIFF\0\0\0\0WEBPVP8L" + bytes(4) + b"/" + struct.pack("<I", 639 | 479 << 14) + bytes(9)
WEBP_EXTENDED = b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + bytes([0x7F, 2, 0, 0xDF, 1, 0]) + bytes(9)


@pytest.mark.parametrize(
    "picture",
    [png_head(640, 480), GIF, JPEG, WEBP_LOSSY, WEBP_LOSSLESS, WEBP_EXTENDED],
    ids=["png", "gif", "jpeg", "webp", "webp-lossless", "webp-extended"],
)
def test_size_of_a_picture_stands_in_its_first_bytes(picture: bytes) -> None:
    assert image_size(base64.b64encode(picture)) == (640, 480)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"/9j/",
        b"no base64 at all!",
        b"\xff\xfe",
        base64.b64encode(b"plain text, no picture at all"),
        base64.b64encode(JPEG_START),
        base64.b64encode(JPEG_START + b"rubbish where a marker should be"),
        base64.b64encode(b"RIFF\0\0\0\0WEBPVP8X"),
        base64.b64encode(b"RIFF\0\0\0\0WEBPXXXX" + bytes(30)),
        base64.b64encode(png_head(1, 1)[:12]),
    ],
)
def test_what_is_no_picture_has_no_size(data: bytes) -> None:
    assert image_size(data) == UNREADABLE


def test_marker_without_a_length_is_stepped_over() -> None:
    frame = b"\xff\xc0" + struct.pack(">HBHH", 17, 8, 2, 3) + bytes(20)
    assert image_size(base64.b64encode(b"\xff\xd8\xff\x01" + frame)) == (3, 2)


def test_zero_length_in_a_picture_does_not_loop_for_ever() -> None:
    assert image_size(base64.b64encode(b"\xff\xd8" + b"\xff\xe0\0\0" * 50)) == UNREADABLE
