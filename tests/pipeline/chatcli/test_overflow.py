"""Paths as Go joins and cleans them."""

from __future__ import annotations

import pytest

from inspector.pipeline.chatcli.overflow import in_utf8, join_cleaned


@pytest.mark.parametrize(
    ("directory", "name", "path"),
    [
        ("/a/b", "f", "/a/b/f"),
        ("/a//b/./", "f", "/a/b/f"),
        ("a", "f", "a/f"),
        ("", "f", "f"),
        ("/", "f", "/f"),
        ("//a", "f", "/a/f"),
        ("/a", "x/../../f", "/f"),
        ("/a", "../../../f", "/f"),
        ("a", "../../f", "../f"),
        ("a", "..", "."),
    ],
)
def test_path_is_cleaned(directory: str, name: str, path: str) -> None:
    assert join_cleaned(directory, name) == path


def test_any_id_has_bytes() -> None:
    assert in_utf8("é\udcff") == b"\xc3\xa9\xff"
    assert in_utf8("\ud800") == b"\xed\xa0\x80"
