"""One stage over the whole width: the same rows as the ledger, with all that one stage has to say."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from rich.segment import Segment

from inspector.app.signs import LEVELS, STATES, has_level, is_sent, level_sign
from inspector.app.theme import Ink
from inspector.app.widgets.bars import BEYOND_CELLS, group_bar, result_bar
from inspector.app.widgets.columns import Columns, columns_for
from inspector.app.widgets.drawing import Line
from inspector.app.widgets.ledger_rows import (
    REPLACED_STATES,
    put_name,
    put_repair,
    put_state,
    size_text,
    tools_words,
)
from inspector.app.widgets.turn_index import RowIndex
from inspector.figures import number, percent
from inspector.model.ledger import Level, Span
from inspector.replay.sentences import UNIT_HEADS
from inspector.replay.view import ResultRow, SessionView, TurnRow
from inspector.text import cells, fit


class StageView(IntEnum):
    """A stage that can be shown alone; the value is its key."""

    PAIRING = 1
    BUDGET = 2
    STATE = 3
    AGEING = 4


def name_edge(width: int) -> int:
    """Last cell of the argument in a stage's table."""
    return max(20, min(44, width * 30 // 100))


def span_words(span: Span) -> str:
    """What one stretch of a lifeline was: the state while in full, else what was left, and its size."""
    in_full = span.level in {Level.FULL, Level.PREVIEW}
    word = span.state.value if in_full else LEVELS[span.level].word
    if span.level is Level.GONE:
        return word
    return f"{word} {size_text(span.chars, estimated=span.estimated)}"


class StageRows:
    """Rows of one stage's table."""

    def __init__(self, index: RowIndex, revision: int, stage: StageView) -> None:
        """Show one stage as of the index's request.

        Args:
            index: Which row is what.
            revision: A number that no other rows of the same list have.
            stage: The stage.
        """
        self.index = index
        self.revision = revision
        self.stage = stage

    def __len__(self) -> int:
        return len(self.index)

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Draw a heading or a result."""
        index = self.index
        place = index.place(row)
        line = Line(ink, "select" if selected else "bg")
        if selected:
            line.put("▌", "accent")
        if place.result is None:
            turn = index.view.turn(place.turn, index.request)
            line.at(2, "▾" if index.is_open(place.turn) else "▸", "muted")
            line.at(4, f"turn {turn.number}", "strong", bold=True).put("  ")
            line.put(fit(tools_words(turn), name_edge(width) + 1 - line.cell), "muted")
            self._turn(line, turn, width)
        else:
            result = index.view.result(place.result, index.request)
            put_name(line, result, _name_columns(width))
            self._result(line, result, width)
        return line.segments

    def _turn(self, line: Line, turn: TurnRow, width: int) -> None:
        edge = name_edge(width)
        if self.stage is StageView.PAIRING and turn.repairs:
            line.at(edge + 18, "±", "repaired").put(f" {turn.repairs} repaired", "repaired")
        elif self.stage is StageView.BUDGET:
            over = "over-budget" if turn.over_by else "fg"
            line.right(edge + 11, number(turn.counted) if turn.counted else "—", over, bold=turn.now or None)
            bar = _bar_cells(width)
            line.to(edge + 14)
            for cell in group_bar(
                turn.kept, turn.replaced, turn.limit, now=turn.now, width=bar, room=_beyond(bar)
            ):
                line.put(cell.text, cell.name, on=cell.on or None)
            line.right(_share_edge(width), percent(turn.counted, turn.limit), over)
            if turn.over_by:
                line.put(f"  ▲ over {number(turn.over_by)}", "over-budget", bold=turn.now)
        elif self.stage is StageView.STATE:
            counts = "  ".join(f"{letter} {count}" for letter, count in turn.states)
            line.at(edge + 3, counts, "muted")
        elif self.stage is StageView.AGEING:
            line.right(edge + 7, number(turn.age), "fg")
            sign = level_sign(turn.level, now=turn.now)
            line.at(edge + 10, " " if sign.sign == "■" else sign.sign, sign.name).at(
                edge + 12, sign.word, sign.name
            )

    def _result(self, line: Line, result: ResultRow, width: int) -> None:
        edge = name_edge(width)
        if self.stage is StageView.PAIRING:
            line.at(edge + 3, fit(result.id, 13, keep="middle"), "ghost")
            put_repair(line, edge + 18, result, words=True)
            line.right(edge + 38, f"line {result.line}", "muted")
            self._rest(line, edge + 41, result.sentence, width)
        elif self.stage is StageView.BUDGET:
            self._budget(line, result, width)
        elif self.stage is StageView.STATE:
            put_state(line, edge + 3, result, words=True)
            self._lifeline(line, edge + 19, result, width)
        else:
            self._ageing(line, result, width)

    def _budget(self, line: Line, result: ResultRow, width: int) -> None:
        edge, bar, limit = name_edge(width), _bar_cells(width), self.index.view.policy.budget.turn_limit
        size = number(result.chars)
        line.right(
            edge + (11 if result.counted else 12),
            size if result.counted else f"({size})",
            "fg" if result.counted else "muted",
        )
        line.to(edge + 14)
        if result.counted and is_sent(result):
            replaced = result.state in REPLACED_STATES
            drawn = result_bar(result.chars or 0, limit, replaced=replaced, width=bar)
            line.put(drawn, STATES[result.state, result.decided_now].name if replaced else "frozen")
            line.at(edge + 14 + bar, "┊", "line")
            line.right(_share_edge(width), percent(result.chars or 0, limit), "muted")
        else:  # what is gone is none of what the budget holds now, but its turn once counted it
            line.put("not counted" if is_sent(result) else "", "muted").at(edge + 14 + bar, "┊", "line")
        put_state(line, _share_edge(width) + 3, result, words=True)

    def _ageing(self, line: Line, result: ResultRow, width: int) -> None:
        edge = name_edge(width)
        sign = level_sign(result.level, now=result.decided_now)
        if has_level(result):
            line.at(edge + 10, " " if sign.sign == "■" else sign.sign, sign.name)
            line.at(edge + 12, sign.word, sign.name)
        line.right(edge + 31, number(result.chars), "muted")
        if result.chars != result.wire_chars:
            line.at(edge + 33, "→", sign.name)
        line.right(edge + 43, size_text(result.wire_chars, estimated=result.estimated), "fg")
        self._rest(line, edge + 46, result.level_reason, width)

    def _lifeline(self, line: Line, cell: int, result: ResultRow, width: int) -> None:
        """Write the stretches up to this request, then those to come, fainter; the present one always."""
        line.to(cell)
        request = self.index.request
        spans = self.index.view.lifeline(result.index)
        texts = [f"{span.start} {span_words(span)}" for span in spans]
        room = width - 4 - cell
        present = sum(span.start <= request for span in spans)
        first = 0
        while first < present - 1 and sum(map(cells, texts[first:present])) + 2 * (present - first) > room:
            first += 1
        if first:
            line.put("… ", "ghost")
        for place in range(first, len(spans)):
            text = f"{'  ' if place > first else ''}{texts[place]}"
            if place >= present and line.cell + cells(text) >= width - 2:
                line.put(" …", "ghost")
                return
            line.put(text, "fg" if place < present else "ghost", bold=True if place == present - 1 else None)

    @staticmethod
    def _rest(line: Line, cell: int, text: str, width: int) -> None:
        line.at(cell, fit(text, width - 1 - cell), "muted")


def put_stage_heading(line: Line, stage: StageView, view: SessionView, width: int) -> None:
    """Write the heads of one stage's table."""
    edge, unit = name_edge(width), UNIT_HEADS[view.policy.unit]
    line.at(2, "turn · result", "muted")
    if stage is StageView.PAIRING:
        line.at(edge + 3, "id", "muted").at(edge + 18, "pairing", "strong", bold=True)
        line.right(edge + 38, "record", "muted").at(edge + 41, "what happened", "muted")
    elif stage is StageView.BUDGET:
        bar, limit = _bar_cells(width), number(view.policy.budget.turn_limit)
        line.right(edge + 11, unit, "muted").at(edge + 14, "budget", "strong", bold=True)
        if bar > len(limit) + 9:
            line.right(edge + 12 + bar, limit, "muted")
        line.at(edge + 14 + bar, "│", "muted").right(_share_edge(width), "share", "muted")
        line.at(_share_edge(width) + 3, "decision", "muted")
        return
    elif stage is StageView.STATE:
        line.at(edge + 3, "state", "strong", bold=True)
        line.at(edge + 19, f"life by request, {unit} on the wire", "muted")
    else:
        line.right(edge + 7, "age", "muted").at(edge + 10, "ageing", "strong", bold=True)
        line.right(edge + 31, unit, "muted").right(edge + 43, "on wire", "muted").at(
            edge + 46, "why", "muted"
        )
    back = f"{stage.value} or Esc: all stages"
    if line.cell + len(back) + 3 < width:
        line.right(width - 2, back, "ghost")


def _bar_cells(width: int) -> int:
    """Cells of the bar up to its limit: what the other columns leave, less a fifth for what goes beyond."""
    room = width - name_edge(width) - 14 - 1 - 8 - 3 - 14
    return max(10, room * 5 // 6)


def _beyond(bar: int) -> int:
    """Cells behind the limit."""
    return max(BEYOND_CELLS, bar // 5)


def _share_edge(width: int) -> int:
    """Last cell of the share."""
    bar = _bar_cells(width)
    return name_edge(width) + 14 + bar + 1 + _beyond(bar) + 5


def _name_columns(width: int) -> Columns:
    """Columns whose argument reaches to the edge of a stage's table."""
    base = columns_for(max(width, 80))
    fields = {name: getattr(base, name) for name in base.__slots__}
    return Columns(**(fields | {"argument_edge": name_edge(width)}))
