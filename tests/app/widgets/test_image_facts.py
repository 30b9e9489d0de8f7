"""Type and size of base64 images are read from their heads; broken ones are no error."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.app.widgets.image_facts import image_facts


def u16(n: int) -> bytes:
    return n.to_bytes(2, "little")


HEADS = {
    "PNG": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (640).to_bytes(4) + (480).to_bytes(4),
    "GIF": b"GIF89a" + u16(640) + u16(480),
    "JPEG": b"\xff\xd8\xff\xe0\0\x10JFIF"
    + bytes(10)
    + b"\xff\xc0\0\x11\x08"
    + (480).to_bytes(2)
    + (640).to_bytes(2),
    "WebP": b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0"
    + (639).to_bytes(3, "little")
    + (479).to_bytes(3, "little"),
}


@pytest.mark.parametrize("kind", HEADS)
def test_type_and_size_of_each_kind(kind: str) -> None:
    data = HEADS[kind] + bytes(100)
    facts = image_facts("data:image/x;base64," + base64.b64encode(data).decode())
    assert facts is not None
    assert (facts.type, facts.width_px, facts.height_px, facts.bytes) == (kind, 640, 480, len(data))
    assert facts.words == f"{kind} image 640 × 480 px"


@given(st.sampled_from(sorted(HEADS)), st.integers(0, 40), st.binary(max_size=60))
def test_cut_and_broken_heads_are_no_error(kind: str, cut: int, rest: bytes) -> None:
    facts = image_facts(base64.b64encode(HEADS[kind][:cut] + rest).decode())
    assert facts is None or facts.type in HEADS


def test_plain_text_is_no_image() -> None:
    assert image_facts("iVBORw0KGgo is how a PNG begins") is None
