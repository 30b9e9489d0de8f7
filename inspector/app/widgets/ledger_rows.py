"""Rows of the ledger: a turn with its budget bar, its results below, one column group per stage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgspec
from msgspec.structs import replace
from rich.segment import Segment
from textual.cache import LRUCache

from inspector.app.signs import DIFFERS, REPAIRS, SAME, Sign, has_level, is_sent, level_sign, state_sign
from inspector.app.theme import Ink
from inspector.app.widgets.bars import group_bar, result_bar
from inspector.app.widgets.columns import Columns, columns_for
from inspector.app.widgets.drawing import Line
from inspector.app.widgets.turn_index import Place, RowIndex
from inspector.figures import number
from inspector.model.ledger import Level, State
from inspector.model.policy import Unit
from inspector.replay.sentences import UNIT_HEADS
from inspector.replay.view import Repair, ResultRow, TurnRow
from inspector.text import cells, fit, fit_argument

REPLACED_STATES = frozenset({State.REPLACED, State.MUST_REAPPLY})
KEPT_ROWS = 1_000
"""Drawn rows that are kept: several screens full."""
SEARCHED_RESULTS = 64
"""Results of a turn that are looked at to name its one repair by its own sign."""


def size_text(chars: int | None, *, estimated: bool = False) -> str:
    """A size in full; an estimate carries `≈`, an unknown one is a dash."""
    return f"≈{number(chars)}" if estimated and chars is not None else number(chars)


class ShownTurn(msgspec.Struct, frozen=True):
    """All that the heading of a turn tells."""

    turn: TurnRow
    is_open: bool
    repair: str
    """Sign of its repairs, where it has any."""


DrawnRows: TypeAlias = LRUCache[tuple[ResultRow | ShownTurn, int, int, bool, Ink], list[Segment]]
"""What is told, limit, width and whether it is selected → the row; most look alike in the next request."""


def drawn_rows() -> DrawnRows:
    """An empty store of drawn rows."""
    return LRUCache(KEPT_ROWS)


class LedgerRows:
    """The rows of the main picture. Drawn when they are seen, from what the view says then."""

    def __init__(self, index: RowIndex, revision: int, drawn: DrawnRows | None = None) -> None:
        """Show the session as of the index's request.

        Args:
            index: Which row is what.
            revision: A number that no other rows of the same list have.
            drawn: Rows that were drawn before, as of whichever request.
        """
        self.index = index
        self.revision = revision
        self._drawn = drawn if drawn is not None else drawn_rows()

    def __len__(self) -> int:
        return len(self.index)

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Draw a heading or a result."""
        columns = columns_for(width)
        told = self._told(self.index.place(row), columns)
        key = (told, self.index.view.policy.budget.turn_limit, width, selected, ink)
        segments = self._drawn.get(key)
        if segments is None:
            line = Line(ink, "select" if selected else "bg")
            if selected:
                line.put("▌", "accent")
            if isinstance(told, ResultRow):
                self._result(line, columns, told)
            else:
                self._turn(line, columns, told)
            segments = self._drawn[key] = line.segments
        return segments

    def _told(self, place: Place, columns: Columns) -> ResultRow | ShownTurn:
        """All that the drawing of a row says: a row of which the same is told looks the same."""
        view, request = self.index.view, self.index.request
        if place.result is not None:
            # These change with every request, and no row tells them.
            return replace(view.result(place.result, request), age=0, sentence="")
        turn = view.turn(place.turn, request)
        repair = "±" if columns.words or not turn.repairs else self._repair_sign(place.turn)
        return ShownTurn(turn, self.index.is_open(place.turn), repair)

    # -- a turn's heading ---------------------------------------------------------------------

    def _turn(self, line: Line, columns: Columns, shown: ShownTurn) -> None:
        turn, is_open = shown.turn, shown.is_open
        over = turn.over_by > 0
        line.at(2, "▾" if is_open else "▸", "muted")
        line.at(columns.tool, f"turn {turn.number}", "strong", bold=True)
        counted = number(turn.counted) if turn.counted else "—"
        room = columns.chars_edge - cells(counted) - line.cell - 2
        line.put("  ").put(fit(tools_words(turn), room), "muted")
        counted_name = "over-budget" if over else "fg" if turn.counted else "muted"
        line.right(columns.chars_edge, counted, counted_name, bold=over and turn.now)
        self._separate(line, columns, 0)
        self._turn_repairs(line, columns, turn, shown.repair)
        self._separate(line, columns, 1)
        if columns.bar_cells:
            line.to(columns.bar)
            width = columns.bar_cells
            for cell in group_bar(turn.kept, turn.replaced, turn.limit, now=turn.now, width=width):
                line.put(cell.text, cell.name, on=cell.on or None)
        wire = size_text(turn.wire_chars, estimated=turn.estimated)
        line.right(columns.wire_edge, wire, "fg" if turn.wire_chars else "muted")
        self._separate(line, columns, 2)
        self._turn_state(line, columns, turn, is_open)
        self._separate(line, columns, 3)
        line.right(columns.age_edge, number(turn.age), "fg" if is_open else "muted")
        if not is_open:
            self._level(line, columns, level_sign(turn.level, now=turn.now))

    def _turn_repairs(self, line: Line, columns: Columns, turn: TurnRow, sign: str) -> None:
        if not turn.repairs:
            return
        line.at(columns.pairing, sign, "repaired")
        if columns.words:
            line.put(f" {turn.repairs} repaired", "repaired")

    def _repair_sign(self, t: int) -> str:
        """The sign of a turn's only kind of repair, or `±` for several."""
        view, request = self.index.view, self.index.request
        results = view.turn_results(t, request)[:SEARCHED_RESULTS]
        kinds = {view.result(index, request).pairing for index in results} - {Repair.OK, Repair.PENDING}
        return REPAIRS[kinds.pop()].sign if len(kinds) == 1 else "±"

    def _turn_state(self, line: Line, columns: Columns, turn: TurnRow, is_open: bool) -> None:
        if turn.over_by:
            line.at(columns.state, "▲", "over-budget", bold=turn.now)
            if columns.words:
                line.put(f" over {number(turn.over_by)}", "over-budget", bold=turn.now)
        elif not is_open and turn.states:
            if columns.words:
                counts = "  ".join(f"{letter} {count}" for letter, count in turn.states)
                line.at(columns.state, fit(counts, columns.separators[3] - columns.state), "muted")
            else:
                letters = {letter.lower() for letter, _ in turn.states}
                line.at(columns.state, letters.pop() if len(letters) == 1 else "+", "muted")

    # -- a result -----------------------------------------------------------------------------

    def _result(self, line: Line, columns: Columns, result: ResultRow) -> None:
        put_name(line, result, columns)
        size = number(result.chars)
        if result.counted or result.chars is None:
            line.right(columns.chars_edge, size, "fg" if result.chars else "muted")
        else:
            line.right(columns.chars_edge + 1, f"({size})", "muted")
        self._separate(line, columns, 0)
        put_repair(line, columns.pairing, result, words=columns.words)
        self._separate(line, columns, 1)
        self._result_bar(line, columns, result)
        put_wire(line, result, columns.arrow, columns.wire_edge)
        self._separate(line, columns, 2)
        put_state(line, columns.state, result, words=columns.words)
        self._separate(line, columns, 3)
        if has_level(result):
            self._level(line, columns, level_sign(result.level, now=result.decided_now))
        if result.recorded:
            sign = SAME if result.recorded == "same" else DIFFERS
            line.at(columns.recorded, sign.sign, sign.name, bold=sign is DIFFERS)

    def _result_bar(self, line: Line, columns: Columns, result: ResultRow) -> None:
        if not columns.bar_cells:
            return
        limit = self.index.view.policy.budget.turn_limit
        line.to(columns.bar)
        if result.counted and is_sent(result):
            replaced = result.state in REPLACED_STATES
            bar = result_bar(result.chars or 0, limit, replaced=replaced, width=columns.bar_cells)
            line.put(bar, state_sign(result).name if replaced else "frozen")
        elif columns.words and is_sent(result):
            line.put("not counted", "muted")
        line.at(columns.limit, "┊", "line")

    # -- both ---------------------------------------------------------------------------------

    def _level(self, line: Line, columns: Columns, sign: Sign) -> None:
        plain = sign.sign == "■"
        if columns.level_word is None:
            line.at(columns.level, sign.sign, "ghost" if plain else sign.name)
            return
        # A solid sign before every "full" would be a wall in the calm column.
        line.at(columns.level, " " if plain else sign.sign, sign.name)
        line.at(columns.level_word, sign.word, sign.name)

    @staticmethod
    def _separate(line: Line, columns: Columns, number: int) -> None:
        if columns.separators:
            line.at(columns.separators[number], "│", "line")


def put_name(line: Line, result: ResultRow, columns: Columns) -> None:
    """Write tool and argument; a long tool name takes its cells from the argument."""
    line.to(columns.tool)
    room = columns.argument_edge + 1 - columns.tool
    if not result.tool:
        line.put(fit("(no call)", room), "muted")
        return
    # The names of one server's tools begin alike.
    line.put(fit(result.tool, max(5, min(14, room - 6)), "end"), "fg")
    argument = max(columns.argument, line.cell + 1)
    if argument <= columns.argument_edge:
        line.at(argument, fit_argument(result.argument, columns.argument_edge + 1 - argument), "muted")


def put_repair(line: Line, cell: int, result: ResultRow, *, words: bool) -> None:
    """Write what pairing did; without words an untouched result stays blank."""
    sign = REPAIRS[result.pairing]
    bold = result.repaired_now or None
    if result.pairing is Repair.OK:
        if words:
            line.at(cell, sign.word, sign.name)
        return
    line.at(cell, sign.sign, sign.name, bold=bold)
    if words:
        line.put(f" {sign.word}", sign.name, bold=bold)


def put_wire(line: Line, result: ResultRow, arrow: int, edge: int) -> None:
    """Write what is on the wire, with an arrow where it is not the result itself."""
    if result.wire_chars is None:
        line.right(edge, "—", "muted")
        return
    name = "fg"
    if is_sent(result) and result.level not in {Level.FULL, Level.EXEMPT}:
        name = level_sign(result.level, now=result.decided_now).name
        line.at(arrow, "→", name)
    line.right(edge, size_text(result.wire_chars, estimated=result.estimated), name)


def put_state(line: Line, cell: int, result: ResultRow, *, words: bool) -> None:
    """Write the budget state: the letter always bold, the word bright only where it is new."""
    sign = state_sign(result)
    now = result.decided_now and result.state not in {State.SKIPPED, State.NOT_CANDIDATE}
    letter_bold = is_sent(result) and (now or sign.sign in "fr")
    line.at(cell, sign.sign, sign.name, bold=letter_bold or None)
    if words:
        kept = now or sign.name == "must-reapply"
        line.put(f" {sign.word}", sign.name if kept else "muted")


def tools_words(turn: TurnRow) -> str:
    """A turn's tools and how often each was called."""
    return " ".join(name if count == 1 else f"{name}×{count}" for name, count in turn.tools)


def put_heading(line: Line, columns: Columns, unit: Unit, limit: int) -> None:
    """Write the heads of the ledger's columns."""
    line.at(2, "turn · result", "muted")
    line.right(columns.chars_edge, UNIT_HEADS[unit], "muted")
    separators = (*columns.separators, *(None,) * (4 - len(columns.separators)))
    _mark(line, separators[0])
    line.at(
        columns.pairing if columns.words else columns.pairing - 1,
        "pairing" if columns.words else "pair",
        "muted",
    )
    _mark(line, separators[1])
    if columns.bar_cells:
        line.at(columns.bar, fit(f"budget {number(limit)}", columns.bar_cells), "muted")
        line.at(columns.limit, "│", "muted")
    line.right(columns.wire_edge, "on wire", "muted")
    _mark(line, separators[2])
    line.at(columns.state, "state" if columns.words else "st", "muted")
    _mark(line, separators[3])
    if columns.words:
        line.at(columns.age_edge - 1, "ageing" if columns.level_word else "age", "muted")
        line.right(columns.recorded, "rec" if columns.level_word else "", "muted")
    else:
        line.right(columns.level, "age", "muted")


def _mark(line: Line, cell: int | None) -> None:
    if cell is not None:
        line.at(cell, "│", "line")
