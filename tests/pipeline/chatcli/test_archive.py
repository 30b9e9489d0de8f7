"""What the archive takes, refuses and pushes out."""

from __future__ import annotations

import pytest

from inspector.pipeline.chatcli.archive import Archive, key_of, keys_in, marker


def test_key_is_the_front_of_the_digest_and_survives_a_round_trip() -> None:
    key = key_of(b"abc")
    assert key == "ba7816bf8f01cfea"
    assert keys_in(f"see {marker(key)} and {marker(key)}".encode()) == (key,)


@pytest.mark.parametrize("mode", ["off", "none", "disabled"])
def test_inactive_archive_keeps_nothing(mode: str) -> None:
    assert Archive(mode).put(b"abc") is None


def test_text_with_a_marker_is_refused() -> None:
    assert Archive().put(b"x <<ccr:0123456789abcdef>>") is None
    assert Archive().put(b"x <<ccr:0123456789ABCDEF>>") is not None


def test_entry_over_a_quarter_of_the_store_is_refused() -> None:
    assert Archive(max_bytes=403).put(b"x" * 101) is None
    assert Archive(max_bytes=403).put(b"x" * 100) is not None


def test_full_store_pushes_out_what_was_used_longest_ago() -> None:
    archive = Archive(max_bytes=40)
    for content in (b"a" * 10, b"b" * 10, b"c" * 10, b"d" * 10, b"a" * 10, b"e" * 10):
        stored = archive.put(content)
        assert stored is not None
        archive = stored
    assert [v[:1] for v in archive.entries.values()] == [b"c", b"d", b"a", b"e"]


def test_putting_leaves_the_old_store_as_it_was() -> None:
    archive = Archive()
    archive.put(b"abc")
    assert not archive.entries
