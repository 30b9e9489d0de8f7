"""Type and size of an image that stands in a text as base64, read from its first bytes.

Such a text says nothing to a reader; what it is and how large it is does. Nothing is decoded but
the head, and no image library is asked to look at untrusted bytes.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass

_HEAD_CHARS = 1 << 17
"""Base64 characters that are decoded: a JPEG may carry a long profile before its size."""
_LOOK_CHARS = 1 << 12
"""How far into a text the base64 may begin (a data URL, a JSON block)."""
_START = re.compile(r"(?:iVBORw0KGgo|/9j/|R0lGOD|UklGR)[A-Za-z0-9+/]{20}")
_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")
_SIZE_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG start-of-frame markers."""


@dataclass(frozen=True, slots=True)
class ImageFacts:
    """What the head of an image tells."""

    type: str
    """`PNG`, `JPEG`, `GIF` or `WebP`."""
    width_px: int
    """0 where the head does not tell."""
    height_px: int
    bytes: int
    """Size of the decoded image."""

    @property
    def words(self) -> str:
        """`PNG image 640 × 480 px`."""
        size = f" {self.width_px} × {self.height_px} px" if self.width_px else ""
        return f"{self.type} image{size}"


def image_facts(text: str) -> ImageFacts | None:
    """Recognise an image that stands in a text as base64.

    Args:
        text: Anything; only its beginning is looked at, and the run of base64 that begins there.

    Returns:
        What it is, or None when there is no such image.
    """
    found = _START.search(text, 0, _LOOK_CHARS)
    if found is None:
        return None
    run = _BASE64.match(text, found.start())
    chars = len(run.group().rstrip("=")) if run else 0
    head_text = text[found.start() : found.start() + min(chars, _HEAD_CHARS)]
    try:
        head = base64.b64decode(head_text[: len(head_text) // 4 * 4])
    except binascii.Error:
        return None
    for reader in (_png, _gif, _webp, _jpeg):
        facts = reader(head)
        if facts is not None:
            type_, width, height = facts
            return ImageFacts(type_, width, height, chars * 3 // 4)
    return None


def _png(head: bytes) -> tuple[str, int, int] | None:
    if not head.startswith(b"\x89PNG\r\n\x1a\n"):
        return None
    return "PNG", int.from_bytes(head[16:20]), int.from_bytes(head[20:24])


def _gif(head: bytes) -> tuple[str, int, int] | None:
    if head[:6] not in {b"GIF87a", b"GIF89a"}:
        return None
    return "GIF", int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")


def _webp(head: bytes) -> tuple[str, int, int] | None:
    if head[:4] != b"RIFF" or head[8:12] != b"WEBP":
        return None
    form = head[12:16]
    if form == b"VP8X":
        width, height = (int.from_bytes(head[at : at + 3], "little") + 1 for at in (24, 27))
    elif form == b"VP8L":
        bits = int.from_bytes(head[21:25], "little")
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    elif form == b"VP8 ":
        width, height = (int.from_bytes(head[at : at + 2], "little") & 0x3FFF for at in (26, 28))
    else:
        width = height = 0
    return "WebP", width, height


def _jpeg(head: bytes) -> tuple[str, int, int] | None:
    if not head.startswith(b"\xff\xd8\xff"):
        return None
    at = 2
    while at + 9 <= len(head) and head[at] == 0xFF:
        marker = head[at + 1]
        if marker in _SIZE_MARKERS:
            return "JPEG", int.from_bytes(head[at + 7 : at + 9]), int.from_bytes(head[at + 5 : at + 7])
        at += 2 + int.from_bytes(head[at + 2 : at + 4])
    return "JPEG", 0, 0
