"""Marks are kept per session, in order, whatever stands in their file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from inspector.app.marks import MOST_MARKS, Mark, Marks, Memory
from inspector.app.state import StateStore


def test_marks_are_in_order_and_told_apart_by_their_place(tmp_path: Path) -> None:
    marks = Marks(StateStore(tmp_path), "/s/a.jsonl")
    for mark in (Mark(9), Mark(3, "toolu_b"), Mark(3, "toolu_a"), Mark(1, thread="x"), Mark(9, note="late")):
        marks.put(mark)
    assert [(m.thread, m.request, m.id, m.note) for m in marks.all()] == [
        ("", 3, "toolu_a", ""), ("", 3, "toolu_b", ""), ("", 9, "", "late"), ("x", 1, "", ""),
    ]  # fmt: skip
    assert len(marks.at(3, "")) == 2
    assert marks.at(3, "", "toolu_a") == [Mark(3, "toolu_a")]
    assert marks.at(3, "", "") == marks.at(1, "") == []
    marks.remove(Mark(3, "toolu_b", note="whatever it says"))
    assert marks.at(3, "") == [Mark(3, "toolu_a")]


def test_sessions_have_marks_of_their_own(tmp_path: Path) -> None:
    store = StateStore(tmp_path)
    Marks(store, "/s/a.jsonl").put(Mark(1))
    assert Marks(store, "/s/b.jsonl").all() == []
    assert Marks(StateStore(tmp_path), "/s/a.jsonl").all() == [Mark(1)]


def test_a_session_without_a_path_is_not_kept(tmp_path: Path) -> None:
    memory = Memory(StateStore(tmp_path))
    memory.marks.put(Mark(1))
    assert memory.marks.all() == [Mark(1)]
    assert not list(tmp_path.iterdir())


def test_odd_file_names_can_be_kept(tmp_path: Path) -> None:
    Marks(StateStore(tmp_path), "/s/\udcff.jsonl").put(Mark(1))
    assert Marks(StateStore(tmp_path), "/s/\udcff.jsonl").all() == [Mark(1)]


@pytest.mark.parametrize(
    "value",
    [
        [], "x", {"marks": 3}, {"marks": [1, None, {}, {"request": "4"}, {"request": True}, {"request": 0}]},
    ],
)  # fmt: skip
def test_what_is_no_mark_is_left_out(value: Any) -> None:
    store = StateStore(None)
    name = Marks(store, "/s")._name
    store.write(name, value)
    assert Marks(store, "/s").all() == []


def test_fields_of_other_types_are_left_out_and_the_number_is_bounded() -> None:
    store = StateStore(None)
    name = Marks(store, "/s")._name
    store.write(name, {"marks": [{"request": 4, "id": 7, "note": "n", "more": 1}] * (MOST_MARKS + 5)})
    found = Marks(store, "/s").all()
    assert found[0] == Mark(4, note="n")
    assert len(found) == MOST_MARKS
