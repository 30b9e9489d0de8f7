"""One alphabet: every state, level, repair and event has one sign of one cell."""

from __future__ import annotations

import pytest
from msgspec import structs
from rich.cells import cell_len

from inspector.app.signs import (
    EVENTS,
    LEVELS,
    MARK,
    NOT_REPLACED,
    REPAIRS,
    STATES,
    WIRE,
    has_level,
    is_sent,
    sign_table,
    state_sign,
    strongest,
)
from inspector.app.theme import DARK
from inspector.app.widgets.bars import EIGHTHS, group_bar, result_bar
from inspector.app.widgets.wire_rows import MARKS, UNSENT
from inspector.cli.topics import topic
from inspector.model.ledger import Level, State
from inspector.replay.view import Event, Repair
from tests.app.fakes import FakeView


def test_nothing_is_without_a_sign() -> None:
    assert {state for state, _ in STATES} == set(State)
    assert set(LEVELS) == set(Level)
    assert set(REPAIRS) == set(Repair)
    assert set(EVENTS) | {Event.DIFFERS} == set(Event)


@pytest.mark.parametrize(
    "table", [STATES, LEVELS, REPAIRS, EVENTS], ids=["states", "levels", "repairs", "events"]
)
def test_signs_take_one_cell_and_have_a_colour(table: dict[object, tuple[str, str, str]]) -> None:
    for sign, word, name in table.values():
        assert cell_len(sign) == 1
        assert cell_len(word) <= 13
        assert name in DARK


def test_capital_letters_mean_decided_now() -> None:
    for (state, now), sign in STATES.items():
        if sign.sign.isalpha() and state in {State.FROZEN, State.SKIPPED, State.REPLACED}:
            assert sign.sign.isupper() == now


@pytest.mark.parametrize(
    ("events", "sign"),
    [
        (Event.PLANNED_BREAK | Event.OVER, "▲"),
        (Event.COMPACTION | Event.BREAK, "▼"),
        (Event.BREAK | Event.REPAIR, "╎"),
        (Event.REPAIR | Event.PLANNED_BREAK, "±"),
        (Event.DIFFERS, None),
        (Event(0), None),
    ],
)
def test_the_strongest_event_marks_a_column(events: Event, sign: str | None) -> None:
    found = strongest(events)
    assert (found.sign if found else None) == sign


def test_nothing_is_gone_where_nothing_ever_came() -> None:
    row = FakeView().result(0, 38)
    for repair, has in ((Repair.PENDING, False), (Repair.SYNTHETIC, False), (Repair.ORPHAN, True)):
        assert has_level(structs.replace(row, wire_chars=None, pairing=repair)) == has
    assert has_level(structs.replace(row, wire_chars=163, pairing=Repair.SYNTHETIC))


def test_what_pairing_made_for_a_call_is_counted_but_is_nothing_of_its_result() -> None:
    row = FakeView().result(0, 38)
    made = structs.replace(row, chars=None, wire_chars=163, level=Level.GONE, pairing=Repair.SYNTHETIC)
    assert not is_sent(made)
    assert not has_level(made)
    assert state_sign(made).word == "error sent"


def test_whatever_a_row_a_bar_or_the_wire_draws_is_in_the_alphabet_for_people() -> None:
    told = {sign for _, rows in sign_table() for sign, _ in rows}
    letters = {*(sign.sign for sign in STATES.values()), NOT_REPLACED.sign, MARK.sign}
    wire = {*(sign for sign, _ in MARKS.values()), UNSENT}
    bars = {cell.text for cell in group_bar(120_000, 90_000, 200_000, now=True, width=14)} | {"┊", "►"}
    bars |= {
        *result_bar(90_000, 200_000, replaced=True, width=14),
        *result_bar(90_000, 200_000, replaced=False, width=14),
    }
    eighths = {*EIGHTHS, "╸", " ", "│"}  # parts of a sign that is there, and what says nothing
    for drawn in (letters, wire, {sign for text in bars for sign in text} - eighths):
        assert drawn <= told
    assert {sign.sign for sign in WIRE} == wire
    page = topic("signs")
    assert all(f" {sign} " in page for sign in told)
