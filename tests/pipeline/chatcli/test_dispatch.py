"""Truncation when a tool returns."""

from __future__ import annotations

import pytest

from inspector.pipeline.chatcli.dispatch import cap_for, stored_output, truncate_output


@pytest.mark.parametrize(
    ("plugin", "cap"),
    [
        ("@read", 80_000),
        ("read", 80_000),
        ("@search", 60_000),
        ("@tree", 50_000),
        ("@docs-flatten", 50_000),
        ("@coder", 30_000),
        ("read_file", 30_000),
    ],
)
def test_cap_of_each_plugin(plugin: str, cap: int) -> None:
    assert cap_for(plugin) == cap


def test_one_byte_over_the_cap_leaves_six_kilobytes() -> None:
    assert truncate_output(b"x" * 80_000, 80_000) == b"x" * 80_000
    short = truncate_output(b"x" * 80_001, 80_000)
    assert (
        short == b"x" * 5_000 + b"\n\n... [TRUNCATED 74001 chars omitted, 6000 kept] ...\n\n" + b"x" * 1_000
    )


def test_small_cap_keeps_the_head_only() -> None:
    assert truncate_output(b"x" * 6_001, 6_000) == b"x" * 6_000 + b"\n\n... [TRUNCATED]"


def test_errors_are_stored_whatever_their_size() -> None:
    assert stored_output("@coder", b"x" * 90_000, b"exit 1") == b"x" * 90_000 + b"\nerror: exit 1"
    assert stored_output("@coder", b"", b"exit 1") == b"exit 1"
    assert len(stored_output("@coder", b"x" * 90_000)) < 7_000
