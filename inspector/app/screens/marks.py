"""The list of marks: Enter goes to one, Del removes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from inspector.app.keys import key_hints
from inspector.app.marks import Mark, Marks
from inspector.app.theme import Ink
from inspector.app.widgets.bar import Bar, Word, hints
from inspector.app.widgets.drawing import Line
from inspector.app.widgets.line_view import LineView
from inspector.figures import count_words
from inspector.text import fit

_WHERE_CELLS = 30


@dataclass(frozen=True, slots=True)
class MarkRow:
    """A mark and what to say of it."""

    mark: Mark
    name: str = ""
    """Tool and argument of its result; empty where they are not known."""
    thread: str = ""
    """Title of its conversation; empty for the main one."""


class MarkRows:
    """Rows of the list."""

    def __init__(self, rows: Sequence[MarkRow], revision: int) -> None:
        self.rows = rows
        self.revision = revision

    def __len__(self) -> int:
        return len(self.rows)

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Request, what is marked, note."""
        found = self.rows[row]
        mark = found.mark
        line = Line(ink, "select" if selected else "surface")
        line.put("▌" if selected else " ", "accent").right(8, str(mark.request), "accent", bold=True)
        where = found.name or mark.id[-12:] or "the request"
        where = f"{found.thread} · {where}" if mark.thread else where
        line.at(11, fit(where, _WHERE_CELLS), "muted")
        note = 11 + _WHERE_CELLS + 2
        return line.at(note, fit(mark.note or "—", width - note - 1), "fg" if mark.note else "muted").segments


class MarksScreen(ModalScreen[Mark | None]):
    """A window over the ledger; left with a mark to go to, or with None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,apostrophe", "dismiss", "back", id="marks.back"),
        Binding("delete,d", "remove", "remove", id="marks.remove", tooltip="Remove the mark"),
    ]

    DEFAULT_CSS = """
    MarksScreen { align: center middle; background: $bg 60%; }
    MarksScreen > Vertical { width: 90; max-width: 96%; height: auto; max-height: 80%; background: $surface; }
    MarksScreen LineView { background: $surface; height: auto; max-height: 30; }
    """

    def __init__(self, rows: Sequence[MarkRow], marks: Marks) -> None:
        """Show marks.

        Args:
            rows: What to list; at least one.
            marks: Whom to tell of a removal.
        """
        super().__init__()
        self._rows = list(rows)
        self._marks = marks
        self._revision = 0

    def compose(self) -> ComposeResult:
        """Title, list, hints."""
        with Vertical():
            yield Bar([Word("Marks", "strong", bold=True)], ground="panel", id="title")
            yield LineView(MarkRows(self._rows, 0), ground="surface", id="marks")
            yield Bar(ground="panel", id="keys")

    def on_mount(self) -> None:
        """Say how many there are."""
        self.query_one("#marks").focus()
        self._draw_bars()
        self.call_after_refresh(self._draw_bars)

    def _draw_bars(self) -> None:
        title = [Word("Marks", "strong", bold=True), Word(count_words(len(self._rows), "mark"), "muted")]
        self.query_one("#title", Bar).show(title)
        keys = (
            ("go there", ("rows.pick",), ""),
            ("remove", ("marks.remove",), ""),
            ("back", ("marks.back",), ""),
        )
        self.query_one("#keys", Bar).show(hints(key_hints(self, keys)))

    @on(LineView.Picked)
    def _pick(self, event: LineView.Picked) -> None:
        self.dismiss(self._rows[event.row].mark)

    def action_remove(self) -> None:
        """Remove the mark under the cursor; the last one closes the list."""
        view = self.query_one("#marks", LineView)
        self._marks.remove(self._rows.pop(view.cursor).mark)
        if not self._rows:
            self.dismiss(None)
            return
        self._revision += 1
        view.set_rows(MarkRows(self._rows, self._revision))
        self._draw_bars()
