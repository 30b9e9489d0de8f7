"""TOML of any origin is tables or a sentence; nothing is waited for, nothing is read without end."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inspector.errors import InspectorError, UnreadableError, UsageError
from inspector.reading.toml_file import read_toml

LIMIT_BYTES = 100_000
PIECES = st.lists(
    st.sampled_from(
        ["a", "=", "[", "]", "[[", "]]", "{", "}", '"', "'''", "\\u0000", "9" * 30, "1e999", "nan", "-", ".",
         "#", "\n", ",", "true", "2026-01-01", "T25:00:00", "+99:00", "0x", "_", "\r", "\x00", "é"]
    ),
    max_size=12,
).map("".join)  # fmt: skip


def test_tables_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text('a = 1\n[b]\nc = "d"\n', encoding="utf-8")
    assert read_toml(path, LIMIT_BYTES) == {"a": 1, "b": {"c": "d"}}


def test_every_figure_that_toml_knows_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text("a = [9223372036854775807, -9223372036854775808]\n", encoding="utf-8")
    assert read_toml(path, LIMIT_BYTES) == {"a": [(1 << 63) - 1, -(1 << 63)]}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"a=" + b"9" * 5_000, "digits"),
        (b"a=" + b"[" * 5_000, "nested too deep"),
        (b"a." * 5_000 + b"b=1", "nested too deep"),
        (b"a=" + b"[" * 70 + b"]" * 70, "nested too deep"),
        (b"[t]\na=0x" + b"f" * 5_000, "a: a figure of more than 64 bits"),
        (b"a=[1, [0x8000000000000000]]", "a: a figure of more than 64 bits"),
        (b"a=-9223372036854775809", "a: a figure of more than 64 bits"),
        (b"\xff", "utf-8"),
        (b"a=\nb=1", "line 1"),
    ],
)
def test_what_is_no_toml_is_said(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(data)
    with pytest.raises(UsageError, match=words) as said:
        read_toml(path, LIMIT_BYTES)
    assert str(path) in str(said.value)


def test_only_ordinary_files_of_some_size_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"#" * (LIMIT_BYTES + 1))
    os.mkfifo(tmp_path / "pipe.toml")
    for each in (path, tmp_path / "pipe.toml", tmp_path, tmp_path / "none.toml", Path("/dev/zero")):
        with pytest.raises(UnreadableError):
            read_toml(each, LIMIT_BYTES)


@given(text=PIECES | st.text())
@example(text="a=0x" + "f" * 5_000)
@example(text="a." * 5_000 + "b=1")
def test_any_text_is_tables_or_a_sentence(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with suppress(InspectorError):
        assert isinstance(read_toml(path, LIMIT_BYTES), dict)
