"""The list of the main screen: keeps the selection on its result while requests change."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive

from inspector.app.feed import FeedState
from inspector.app.frame import Frame
from inspector.app.matching import Matches
from inspector.app.theme import Ink
from inspector.app.widgets.columns import columns_for
from inspector.app.widgets.drawing import Line, OneLine
from inspector.app.widgets.ledger_rows import LedgerRows, drawn_rows, put_heading
from inspector.app.widgets.line_view import LineView, Rows
from inspector.app.widgets.match_index import MatchIndex
from inspector.app.widgets.stage_rows import StageRows, StageView, put_stage_heading
from inspector.app.widgets.turn_index import MOST_OPEN, Folds, Place, Rest, RowIndex, TurnIndex
from inspector.figures import count_words, number
from inspector.text import cells, fit, printable_line


class Sentence:
    """What stands in an empty list: a fact, then the next step."""

    def __init__(self, fact: str, step: str, revision: int) -> None:
        self.fact = fact
        self.step = step
        self.revision = revision

    def __len__(self) -> int:
        return 3

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:  # noqa: ARG002 (the shape of `Rows`)
        """Draw it on the second line, and on the third where one has no room for both."""
        line = Line(ink)
        apart = 4 + cells(printable_line(self.fact)) + 2 + cells(self.step) > width - 1
        if row == 1:
            line.at(4, fit(self.fact, width - 5), "strong", bold=True)
        if row == (2 if apart else 1):
            line.to(4 if apart else line.cell + 2).put(fit(self.step, width - 1 - line.cell), "muted")
        return line.segments


class Ledger(LineView, inherit_bindings=False):
    """Turns and their results as of the request shown."""

    # Home and End belong to requests here, and rows are never far: ctrl+home, ctrl+end.
    BINDINGS: ClassVar[list[BindingType]] = [
        *LineView.BINDINGS[:-1],
        Binding(
            "enter",
            "pick",
            "open, fold",
            id="rows.pick",
            show=False,
            tooltip="Fold or unfold a turn, open a result",
        ),
        Binding("z", "open_all", "open all", id="rows.open_all", show=False, tooltip="Open all turns"),
        Binding("Z", "close_all", "close all", id="rows.close_all", show=False, tooltip="Close all turns"),
    ]

    frame: reactive[Frame | None] = reactive(None, repaint=False)
    stage: reactive[StageView | None] = reactive(None, repaint=False)
    """The stage shown alone; None shows all."""

    class Selected(Message):
        """Another turn or result is under the cursor, or the same one as of another request."""

        def __init__(self, place: Place | None) -> None:
            super().__init__()
            self.place = place

    class ResultPicked(Message):
        """A result was opened."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.folds = Folds()
        self.matches: Matches | None = None
        """What a filter leaves; None shows everything."""
        self._index: RowIndex | None = None
        self._revisions = count(1)
        self._wanted: Place | None = None
        self._drawn_rows = drawn_rows()

    @property
    def place(self) -> Place | None:
        """What is under the cursor; None in an empty list."""
        return self._index.place(self.cursor) if self._index is not None and len(self._index) else None

    def select(self, place: Place) -> None:
        """Put the cursor on a turn or result; a folded turn is opened for its result.

        Args:
            place: Where; it may come into being with the next frame.
        """
        if place.result is not None:
            self.folds.folded.discard(place.turn)
            self.folds.opened.add(place.turn)
        self._wanted = place
        self._rebuild()

    def show_matches(self, matches: Matches | None) -> None:
        """Show only what passes a filter.

        Args:
            matches: What passes; None shows everything.
        """
        self.matches = matches
        self._rebuild()

    # -- frames -------------------------------------------------------------------------------

    def watch_frame(self, frame: Frame | None) -> None:
        """Show the new frame."""
        if frame is not None:
            self._rebuild()

    def watch_stage(self) -> None:
        """Show one stage, or all."""
        self._rebuild()

    def _rebuild(self) -> None:
        frame = self.frame
        if frame is None or not self.is_mounted:
            return
        # A cursor on the top row stays on top: there the newest turn arrives.
        keep = self._wanted or (self.place if self.cursor else None)
        above = self.cursor - self.scroll_offset.y
        inside = keep.turn if keep is not None and keep.result is not None else None
        if self.matches is None:
            self._index = TurnIndex(frame.view, frame.request, self.folds, inside)
        else:
            self._index = MatchIndex(frame.view, frame.request, self.folds, self.matches)
        row = self._index.row_of(keep) if keep is not None and len(self._index) else 0
        if self._wanted is not None and keep is not None and row:
            above = max(above, self._heading_above(self._index, keep, row))
        if self._wanted is not None and self._wanted.turn <= self._index.turns:
            self._wanted = None
        self.show_cursor = bool(len(self._index))
        # The selected row keeps its place on the screen, so the eye need not look for it.
        self._strips.clear()
        self._rows = self._rows_for(frame, self._index)
        self.take_size(Size(0, len(self._rows)))
        self.scroll_to(y=max(0, row - above), animate=False, immediate=True)
        moved = row != self.cursor
        self.rows_changed(cursor=row)
        if not moved:
            self.post_message(self.Selected(self.place))

    def _heading_above(self, index: RowIndex, place: Place, row: int) -> int:
        """Rows to leave above a result that was jumped to, so that the heading of its turn is seen too."""
        return min(row - index.row_of(Place(place.turn)), max(0, self.size.height // 2))

    def _rows_for(self, frame: Frame, index: RowIndex) -> Rows:
        revision = next(self._revisions)
        if not len(index) and self.matches is not None:
            return Sentence(f"Nothing matches “{self.matches.filter}”.", "Esc clears the filter.", revision)
        if not len(index) and frame.update.state is FeedState.INDEXING:
            return Sentence("The session is being read.", "Rows appear as they are known.", revision)
        if not len(index):
            requests = count_words(frame.view.request_count, "request")
            step = f"{requests} so far. Rows appear with the first tool call."
            return Sentence("No tool results yet.", step, revision)
        if self.stage is None:
            return LedgerRows(index, revision, self._drawn_rows)
        return StageRows(index, revision, self.stage)

    # -- cursor -------------------------------------------------------------------------------

    def watch_cursor(self, old: int, new: int) -> None:
        """Tell what is selected now."""
        super().watch_cursor(old, new)
        if old != new:
            self.post_message(self.Selected(self.place))

    def action_pick(self) -> None:
        """Fold or unfold a turn; open a result."""
        place = self.place
        if place is None or self._index is None:
            return
        if place.result is not None:
            self.post_message(self.ResultPicked())
            return
        self.folds.toggle(place.turn, is_open=self._index.is_open(place.turn))
        self._wanted = place
        self._rebuild()

    def action_open_all(self) -> None:
        """Open all turns."""
        self._open_or_close(Rest.ALL)
        if self._index is not None and self._index.turns > MOST_OPEN:
            self.notify(f"The newest {number(MOST_OPEN)} turns are open.", markup=False)

    def action_close_all(self) -> None:
        """Leave only the headings of turns; the cursor goes to the heading of its turn."""
        self._open_or_close(Rest.NONE)

    def _open_or_close(self, rest: Rest) -> None:
        place = self.place
        self.folds.all_others(rest)
        if place is not None:
            self._wanted = place if rest is Rest.ALL else Place(place.turn)
        self._rebuild()

    def on_line_view_picked(self, event: LineView.Picked) -> None:
        """A second click does what Enter does."""
        event.stop()
        self.action_pick()


class LedgerHead(OneLine):
    """Heads of the ledger's columns."""

    DEFAULT_CSS = "LedgerHead { height: 1; background: $surface; }"
    ground = "surface"
    frame: reactive[Frame | None] = reactive(None, repaint=False)
    stage: reactive[StageView | None] = reactive(None, repaint=False)

    def draw(self, width: int, ink: Ink) -> Line:
        """Draw the heads where the rows have their columns."""
        line = Line(ink, "surface")
        if self.frame is None:
            return line
        view = self.frame.view
        if self.stage is None:
            put_heading(line, columns_for(width), view.policy.unit, view.policy.budget.turn_limit)
        else:
            put_stage_heading(line, self.stage, view, width)
        return line

    def watch_frame(self) -> None:
        """Draw the new frame."""
        self.redraw()

    def watch_stage(self) -> None:
        """Draw the new heads."""
        self.redraw()
