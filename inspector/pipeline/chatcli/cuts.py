"""Cuts at byte positions, moved to a line end where one is near enough: shared by all previews.

The rules differ in which half a line end must lie and in nothing else, so they live in one place.
"""

from __future__ import annotations


def head(content: bytes, size_bytes: int) -> bytes:
    """The first bytes, shortened to the last line end if that lies past the middle.

    Args:
        content: Any bytes.
        size_bytes: At most this many are kept.

    Returns:
        The head, with the line end it was cut at (`chatcli.md` §3.4, §4, §5).
    """
    piece = content[:size_bytes]
    cut = piece.rfind(b"\n")
    return piece[: cut + 1] if cut > min(size_bytes, len(content)) // 2 else piece


def tail(content: bytes, size_bytes: int) -> bytes:
    """The last bytes, without the broken first line if that ends before the middle.

    Only the first line end is looked at, and one at position 0 does not count (§3.4, §4).

    Args:
        content: Any bytes, at least `size_bytes` of them.
        size_bytes: At most this many are kept.
    """
    piece = content[len(content) - size_bytes :]
    cut = piece.find(b"\n")
    return piece[cut + 1 :] if 0 < cut < size_bytes // 2 else piece


def keep_ends(content: bytes, size_bytes: int) -> bytes:
    """Three quarters of the allowance from the front and the rest from the end (§8, recovery).

    Args:
        content: More than `size_bytes` bytes.
        size_bytes: Allowance; 50 bytes of it are set aside for the marker.
    """
    front = size_bytes * 3 // 4
    back = size_bytes - front - 50
    return content[:front] + b"\n... [truncated] ...\n" + content[len(content) - back :]
