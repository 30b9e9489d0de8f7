"""Lines of a session as decoded JSON: read on, bounded, and whatever stands between them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from inspector.reading.cutter import Cutter
from inspector.session import objects as objects_module
from inspector.session.objects import Objects


def objects_of(path: Path) -> list[object]:
    objects, out = Objects(path), []
    while (piece := objects.next())[1]:
        out += piece[0]
    return out


def test_a_line_too_long_and_a_hole_cost_themselves_only_when_lines_are_decoded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b'{"a":1}\n{"a":"' + b"x" * 5_000 + b'"}\n{"a":3}\n')
    assert len(objects_of(path)) == 3
    monkeypatch.setattr(objects_module, "Cutter", partial(Cutter, 1_000))
    monkeypatch.setattr("inspector.reading.cutter.BLOCK_BYTES", 400)
    assert objects_of(path) == [{"a": 1}, {"a": 3}]
    with path.open("r+b") as file:
        file.truncate(4 << 40)
        file.seek(0, 2)
        file.write(b'\n{"a":4}\n')
    assert objects_of(path) == [{"a": 1}, {"a": 3}, {"a": 4}]


def test_lines_that_are_decoded_again_go_on_where_a_half_one_stood(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b'{"a":1}\n{"a"')
    objects = Objects(path)
    assert objects.next()[0] == [{"a": 1}]
    assert objects.next() == ([], 0)
    with path.open("ab") as file:
        file.write(b":2}\n")
    assert objects.next()[0] == [{"a": 2}]
