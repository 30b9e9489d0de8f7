"""Findings of a session that grows: what they cost, and that nothing stays said that is no longer so."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from inspector.session import Session, open_session
from inspector.session import overflow as overflow_module
from tests.counting import calls_of
from tests.transcript import Transcript, begun, call, found, result, the


def worked(turns: int) -> Transcript:
    script = begun()
    for n in range(turns):
        script.turn(f"toolu_{n}")
    return script


def append(script: Transcript, path: Path, written: int) -> None:
    with path.open("ab") as file:
        file.writelines(line + b"\n" for line in script.lines[written:])


def cost_of_one_more(folder: Path, turns: int) -> int:
    script = worked(turns)
    folder.mkdir()
    path = script.write(folder)
    with open_session(path, live=True) as session:
        session.findings()
        for n in range(3):  # the first time after a growth, what follows late usage is set up
            written = len(script.lines)
            script.turn(f"more_{n}")
            append(script, path, written)
            session.poll()
            cost = calls_of(session.findings)
        return cost


def test_one_more_turn_costs_the_same_in_a_long_session(tmp_path: Path) -> None:
    short, long = (cost_of_one_more(tmp_path / str(n), n) for n in (30, 600))
    assert long < 1.3 * short  # places are looked up by halving


def cost_of_asking_again(folder: Path, turns: int) -> int:
    folder.mkdir()
    with worked(turns).open(folder) as session:
        first = session.findings()
        session._forget()
        session.findings()
        session._forget()
        cost = calls_of(session.findings)
        assert session.findings() == first
        return cost


def test_conversation_that_did_not_grow_is_not_gone_over_again(tmp_path: Path) -> None:
    short, long = (cost_of_asking_again(tmp_path / str(n), n) for n in (20, 400))
    assert long == short


def cost_of_falls(folder: Path, turns: int) -> int:
    """Of a session whose usage falls every ten turns, as old results are cleared on the wire."""
    script = begun()
    for n in range(turns):
        script.turn(f"toolu_{n}", chars=20_000)
        if n % 10 == 9:
            script.extra_tokens -= 30_000
            script.sent = max(script.sent, -4 * script.extra_tokens)
    folder.mkdir()
    with script.open(folder) as session:
        cost = calls_of(session.findings)
        assert len(found(session, "cleared_unrecorded")) >= turns // 20
    return cost


def test_inferred_clearings_cost_what_the_ones_before_left(tmp_path: Path) -> None:
    short, long = (cost_of_falls(tmp_path / str(n), n) for n in (40, 400))
    assert long < 14 * short


def persisted(script: Transcript, folder: Path, name: str) -> Path:
    path = folder / "tool-results" / f"{name}.txt"
    script.answer(call(name))
    preview = "x" * 2_000
    script.results(
        result(
            name,
            f"<persisted-output>\nOutput too large (60KB). Full output saved to: {path}\n\n"
            f"Preview (first 2KB):\n{preview}\n...\n</persisted-output>",
        )
    )
    return path


def grow(script: Transcript, path: Path, session: Session) -> None:
    written = len(script.lines)
    script.turn(f"t_{written}")
    append(script, path, written)
    session.poll()


def test_overflow_file_that_appears_is_no_longer_missing(tmp_path: Path) -> None:
    script = begun()
    file = persisted(script, tmp_path, "toolu_a")
    path = script.write(tmp_path)
    with open_session(path, live=True) as session:
        assert the(session, "overflow_missing").ids == ("toolu_a",)
        file.parent.mkdir()
        file.write_text("x" * 61_440)
        grow(script, path, session)
        assert found(session, "overflow_missing") == []
        file.unlink()
        grow(script, path, session)
        assert the(session, "overflow_missing").ids == ("toolu_a",)


def test_overflow_file_that_is_written_to_is_checked_again_while_it_is_new(tmp_path: Path) -> None:
    script = begun()
    file = persisted(script, tmp_path, "toolu_a")
    file.parent.mkdir()
    file.write_text("x" * 10_000)
    path = script.write(tmp_path)
    with open_session(path, live=True) as session:
        assert the(session, "overflow_size_mismatch").data["actual_chars"] == 10_000
        with file.open("a") as more:
            more.write("x" * 51_440)
        grow(script, path, session)
        assert found(session, "overflow_size_mismatch") == []


def test_sound_overflow_file_is_checked_once_while_the_session_grows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = begun()
    file = persisted(script, tmp_path, "toolu_a")
    file.parent.mkdir()
    file.write_text("x" * 61_440)
    for place in (file, file.parent):
        os.utime(place, (1_700_000_000, 1_700_000_000))
    checks: list[object] = []
    match = overflow_module.match_stated
    monkeypatch.setattr(overflow_module, "match_stated", lambda *a: (checks.append(a), match(*a))[1])
    path = script.write(tmp_path)
    with open_session(path, live=True) as session:
        for _ in range(3):
            assert found(session, "overflow_missing") == []
            grow(script, path, session)
        (tmp_path / "tool-results" / "loose.txt").write_text("another one")
        grow(script, path, session)
        assert the(session, "overflow_unreferenced").data["names"] == ["loose.txt"]
    assert len(checks) == 1


def test_scratch_directory_is_listed_again_only_when_it_changed(tmp_path: Path) -> None:
    script = begun()
    file = persisted(script, tmp_path, "toolu_a")
    file.parent.mkdir()
    for n in range(100):
        (file.parent / f"{n}.txt").write_text("x")
        os.utime(file.parent / f"{n}.txt", (1_700_000_000, 1_700_000_000))
    os.utime(file.parent, (1_700_000_000, 1_700_000_000))
    path = script.write(tmp_path)
    with open_session(path, live=True) as session:
        before = session.files.listing()
        grow(script, path, session)
        assert calls_of(partial(session.files.scratch.listing)) < 60
        assert session.files.listing() is before


def interrupted(folder: Path, turns: int, late: str = "") -> tuple[list[Any], list[Any], int]:
    """Findings about calls that were never answered, asked after each record and asked at the end."""
    script = begun()
    folder.mkdir()
    with script.open(folder, live=True) as session:
        path = session.path
        for n in range(turns):
            written = len(script.lines)
            script.answer(call(f"toolu_{n}"))
            script.prompt("[Request interrupted by user for tool use]" if n % 2 else "Go on.")
            append(script, path, written)
            session.poll()
            cost = calls_of(session.findings)
        if late:
            written = len(script.lines)
            script.results(result(late, "late"))
            script.answer(text="Done.")
            append(script, path, written)
            session.poll()
        grown = [f for f in session.findings() if f.kind in ("missing_result", "pending_result")]
    with script.open(folder, live=True) as session:
        once = [f for f in session.findings() if f.kind in ("missing_result", "pending_result")]
    return grown, once, cost


def test_calls_that_stay_without_a_result_are_told_as_if_asked_once(tmp_path: Path) -> None:
    grown, once, _ = interrupted(tmp_path / "open", 12)
    assert grown == once
    assert len(once) == 12
    grown, once, _ = interrupted(tmp_path / "late", 12, late="toolu_3")
    assert grown == once
    assert len(once) == 11, "a result that comes after all takes the finding away"


def test_calls_without_a_result_are_not_explained_again_with_each_record(tmp_path: Path) -> None:
    short, long = (interrupted(tmp_path / str(turns), turns)[2] for turns in (20, 120))
    assert long - short < 100 * 32, "each costs a few looks, and no search for what followed it"


def cost_beside_lost_calls(folder: Path, lost: int) -> int:
    """Of one more turn in a session where so many calls were never answered."""
    script = begun()
    for n in range(lost):
        script.answer(call(f"lost_{n}"))
        script.prompt("go on")
    folder.mkdir()
    for n in range(12):
        script.turn(f"toolu_{n}")
    path = script.write(folder)
    with open_session(path, live=True) as session:
        session.findings()
        for n in range(3):
            written = len(script.lines)
            script.turn(f"more_{n}")
            append(script, path, written)
            session.poll()
            cost = calls_of(session.findings)
        assert sum(found.kind == "missing_result" for found in session.findings()) == lost
        return cost


def test_lost_calls_that_stay_lost_are_not_gone_over_again(tmp_path: Path) -> None:
    few, many = (cost_beside_lost_calls(tmp_path / str(n), n) for n in (20, 400))
    assert many < 1.3 * few  # places are looked up by halving
