"""The help: every key that works on the screen below, made from its bindings, and what the signs mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from inspector.app.keys import joined, stated_key
from inspector.app.theme import Ink
from inspector.app.widgets.bar import Bar, Word, hints
from inspector.app.widgets.drawing import Line
from inspector.app.widgets.line_view import LineView
from inspector.text import fit

KeyTable = Sequence[tuple[str, Sequence[tuple[str, str]]]]
"""Heading, and rows of key and what it does."""
KEY_CELLS = 16


class HelpRows:
    """Headings, keys and words as rows."""

    revision = 0

    def __init__(self, table: KeyTable) -> None:
        self._rows: list[tuple[str, str, bool]] = []
        for heading, keys in table:
            if self._rows:
                self._rows.append(("", "", False))
            self._rows.append((heading, "", True))
            self._rows += [(key, words, False) for key, words in keys]

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def headings(self) -> list[int]:
        """Rows of the headings."""
        return [at for at, (_, _, heading) in enumerate(self._rows) if heading]

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:  # noqa: ARG002 (no cursor here)
        """Draw a heading, or a key and its words."""
        key, words, heading = self._rows[row]
        line = Line(ink, "surface")
        if heading:
            line.at(2, key, "muted", bold=True)
        else:
            line.at(4, key, "accent", bold=True).at(KEY_CELLS, fit(words, width - KEY_CELLS - 1))
        return line.segments


class HelpScreen(ModalScreen[None]):
    """A window over the screen that it explains."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark", "dismiss", "back", id="help.back"),
        Binding("tab", "part(1)", "next part", id="help.part", priority=True),
        Binding("shift+tab", "part(-1)", "part before", id="help.part_before", priority=True),
    ]

    DEFAULT_CSS = """
    HelpScreen { align: center middle; background: $bg 60%; }
    HelpScreen > Vertical { width: 72; max-width: 96%; height: 90%; background: $surface; }
    HelpScreen LineView { background: $surface; }
    """

    def __init__(self, table: KeyTable) -> None:
        """Show a table of keys.

        Args:
            table: Heading, and rows of key and what it does.
        """
        super().__init__()
        self._table = table

    def compose(self) -> ComposeResult:
        """Title, keys, hints."""
        with Vertical():
            yield Bar([Word("Keys", "strong", bold=True)], ground="panel")
            yield LineView(HelpRows(self._table), show_cursor=False, ground="surface")
            scroll = joined([stated_key(self.app, "up"), stated_key(self.app, "down")])
            part = stated_key(self.app, "help.part")
            yield Bar(
                hints([(scroll, "scroll"), (part, "next part, signs"), ("Esc", "back")]), ground="panel"
            )

    def action_part(self, step: int) -> None:
        """Scroll to the next heading, or the one before; past the last one comes the first."""
        view = self.query_one(LineView)
        headings = HelpRows(self._table).headings
        top = view.scroll_offset.y
        lowest = max(0, len(view.rows) - view.size.height)
        after = [at for at in headings if at > top and top < lowest]
        before = [at for at in headings if at < top]
        if step > 0:
            target = after[0] if after else 0
        else:
            target = before[-1] if before else lowest
        view.scroll_to(y=target, animate=False, immediate=True)
