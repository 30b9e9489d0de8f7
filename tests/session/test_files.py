"""The files beside a session: listed once for each state of it, and found by a result's id."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.reading.scratch import Listing, Scratch
from tests.transcript import SESSION, begun, call


@pytest.mark.parametrize(
    ("name", "id", "found"),
    [
        ("toolu_a.txt", "toolu_a", True),
        ("toolu_a.json", "toolu_a", True),
        ("budget_toolu_a_3.txt", "toolu_a", True),
        ("a_b.txt", "a/b", True),
        ("toolu_a.bin", "toolu_a", False),
        ("toolu_a.txt", "toolu_b", False),
        (".txt", "", False),
    ],
)
def test_a_file_bears_the_id_of_a_result_in_either_systems_way(
    tmp_path: Path, name: str, id: str, found: bool
) -> None:
    script = begun()
    script.turn("toolu_a")
    scratch = tmp_path / SESSION / "tool-results"
    scratch.mkdir(parents=True)
    (scratch / name).write_text("text")
    with script.open(tmp_path) as session:
        assert session.files.has_file_of(id) is found


def test_the_files_are_listed_once_until_something_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = begun()
    script.turn("toolu_a")
    with script.open(tmp_path, live=True) as session:
        listed: list[Scratch] = []
        listing = Scratch.listing

        def noted(scratch: Scratch) -> Listing:
            listed.append(scratch)
            return listing(scratch)

        monkeypatch.setattr(Scratch, "listing", noted)
        assert not session.files.has_file_of("toolu_a")
        states = session.files.states
        assert session.files.listing() is session.files.listing()
        assert len(listed) == 1
        scratch = tmp_path / SESSION / "tool-results"
        scratch.mkdir(parents=True)
        (scratch / "toolu_a.txt").write_text("text")
        script.answer(call("toolu_b"))
        script.write(tmp_path)
        session.poll()
        assert session.files.has_file_of("toolu_a")
        assert (len(listed), session.files.states) == (2, states + 1)
