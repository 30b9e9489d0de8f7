"""`TextView`: long untrusted text with line numbers, search, wrapping, selection and a hex form.

A row is drawn when it is visible and cut to the view, so neither five megabytes nor a line of one
are slow; `Document` finds the lines and `line_text` looks at no more of one than can show.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import ClassVar

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.message import Message
from textual.selection import Selection
from textual.strip import Strip

from inspector.app.widgets.document import Document, Matches
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.text_rows import WRAP_CHARS, HexRows, TextRows
from inspector.text import printable


class TextView(LineView):
    """Viewer of one text at a time; what stands around it (title, prompt) is `TextPane`."""

    ALLOW_SELECT = True

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "wrap", "wrap this line", id="text.wrap"),
        Binding("W", "wrap_all", "wrap all lines", id="text.wrap_all"),
        Binding("R", "escape", "spell control characters out", id="text.escape"),
        Binding("c", "copy", "copy the selection or line", id="text.copy"),
        Binding("home", "edge(-1)", "first line", id="text.first", show=False),
        Binding("end", "edge(1)", "last line", id="text.last", show=False),
    ]

    class Refused(Message):
        """Something was asked for that this text is too long for."""

        def __init__(self, reason: str) -> None:
            super().__init__()
            self.reason = reason

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        self._content: TextRows | HexRows = TextRows(Document(""))
        super().__init__(self._content, id=id, classes=classes)

    # -- content ------------------------------------------------------------------------------

    def show_text(
        self, text: str, tints: Mapping[int, str] | None = None, own_lines: Collection[int] = ()
    ) -> None:
        """Show a text from its first line.

        Args:
            text: Raw, untrusted text.
            tints: Line, from 0 → colour token, for lines that are not the text's own.
            own_lines: Lines that we wrote.
        """
        rows = TextRows(Document(text))
        rows.tints = tints or {}
        rows.own_lines = own_lines
        rows.set_width(self.size.width or 80)
        self._show(rows)

    def show_bytes(self, data: bytes) -> None:
        """Show bytes in hex.

        Args:
            data: The bytes.
        """
        self._show(HexRows(data))

    def _show(self, rows: TextRows | HexRows) -> None:
        self.screen.clear_selection()
        self._content = rows
        self.set_rows(rows, cursor=0)
        self.scroll_to(0, 0, animate=False)

    @property
    def text_rows(self) -> TextRows | None:
        """The rows, unless they are bytes."""
        return self._content if isinstance(self._content, TextRows) else None

    @property
    def line(self) -> int:
        """Number of the line under the cursor, from 1 as people count."""
        rows = self.text_rows
        return (rows.place(self.cursor)[0] if rows else self.cursor) + 1

    def on_resize(self, event: events.Resize) -> None:
        """Wrap anew for another width; the line under the cursor stays the same."""
        rows = self.text_rows
        if rows is not None:
            line = rows.place(self.cursor)[0]
            rows.set_width(event.size.width)
            self.rows_changed(cursor=rows.row_of(line))

    # -- finding ------------------------------------------------------------------------------

    def search(self, query: str) -> Matches:
        """Find a text literally and go to the first match at or after the cursor's line.

        Args:
            query: What to find; empty ends the search.
        """
        rows = self.text_rows
        if rows is None:
            return Matches()
        rows.matches = rows.document.find_all(query)
        rows.current = -1
        rows.revision += 1
        if len(rows.matches):
            start = rows.document.span(rows.place(self.cursor)[0])[0]
            n = next((n for n, at in enumerate(rows.matches.starts) if at >= start), 0)
            self.go_to_match(n)
        self.rows_changed()
        return rows.matches

    def go_to_match(self, n: int) -> None:
        """Go to a match; past the last one comes the first.

        Args:
            n: Number of the match, from 0.
        """
        rows = self.text_rows
        if rows is None or not len(rows.matches):
            return
        rows.current = n % len(rows.matches)
        rows.revision += 1
        at = rows.matches.starts[rows.current]
        line = rows.document.line_at(at)
        place = at - rows.document.span(line)[0]
        self._go_to_row(rows.row_of(line, place))

    def step_match(self, step: int) -> None:
        """Go some matches on or back from the current one."""
        rows = self.text_rows
        if rows is not None:
            self.go_to_match(rows.current + step if rows.current >= 0 else min(step, 0))

    def go_to_line(self, line: int) -> None:
        """Go to a line, or as far as there are lines.

        Args:
            line: Line number, from 1.
        """
        rows = self.text_rows
        if rows is not None and len(rows):
            self._go_to_row(rows.row_of(max(0, min(line, rows.document.line_count) - 1)))

    def _go_to_row(self, row: int) -> None:
        """Put the cursor on a row, with a third of the view above it where the row was out of sight."""
        height = self.size.height
        if not self.scroll_offset.y <= row < self.scroll_offset.y + height:
            self.scroll_to(y=max(0, row - height // 3), animate=False, force=True, immediate=True)
        self.rows_changed(cursor=row)

    # -- forms --------------------------------------------------------------------------------

    def action_wrap(self) -> None:
        """Wrap the line under the cursor, or cut it again."""
        rows = self.text_rows
        if rows is not None and len(rows):
            line = rows.place(self.cursor)[0]
            rows.toggle_wrap(line)
            self.rows_changed(cursor=rows.row_of(line))

    def action_wrap_all(self) -> None:
        """Wrap all long lines, or none."""
        rows = self.text_rows
        if rows is None:
            return
        if len(rows.document.text) > WRAP_CHARS:
            self.post_message(
                self.Refused(f"over {WRAP_CHARS:,} chars are not wrapped whole; w wraps a line")
            )
            return
        line = rows.place(self.cursor)[0]
        rows.wrap_all(not rows.wraps)
        self.rows_changed(cursor=rows.row_of(line))

    def action_escape(self) -> None:
        """Spell control characters out, or draw them as pictures again."""
        rows = self.text_rows
        if rows is not None:
            line = rows.place(self.cursor)[0]
            rows.toggle_escaped()
            self.rows_changed(cursor=rows.row_of(line))

    # -- selection ----------------------------------------------------------------------------

    def action_copy(self) -> None:
        """Copy what is selected, else the line under the cursor, with control characters shown."""
        text = self.screen.get_selected_text()
        rows = self.text_rows
        if text is None and len(self._rows):
            text = self._shown(self.cursor) if rows is None else self._line_to_copy(rows)
        if text:
            self.app.copy_to_clipboard(text)

    def _line_to_copy(self, rows: TextRows) -> str:
        raw = rows.raw(rows.place(self.cursor)[0])
        return "\t".join(printable(piece) for piece in raw.split("\t"))

    def _shown(self, row: int) -> str:
        return self._content.shown(row)

    @property
    def _gutter(self) -> int:
        rows = self.text_rows
        return rows.gutter if rows else 1

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text, without line numbers; rows of one wrapped line are joined."""
        last = len(self._rows) - 1
        start = selection.start or Offset(0, 0)
        end = selection.end or Offset(1 << 30, last)
        rows = self.text_rows
        out: list[str] = []
        for row in range(start.y, min(end.y, last) + 1):
            text = self._shown(row)
            a = max(0, start.x - self._gutter) if row == start.y else 0
            b = max(0, end.x - self._gutter) if row == end.y else len(text)
            goes_on = rows is not None and rows.place(row)[1] > 0 and out
            out.append(("" if goes_on or not out else "\n") + text[a:b])
        return "".join(out), "\n"

    def selection_updated(self, selection: Selection | None) -> None:  # noqa: ARG002 (Textual's hook)
        """Redraw when the mouse selects."""
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw a row with its places for the mouse and its selected stretch."""
        strip = super().render_line(y)
        row = self.scroll_offset.y + y
        if row >= len(self._rows):
            return strip
        selection = self.text_selection
        span = selection.get_span(row) if selection is not None else None
        if span is not None:
            strip = self._with_selection(strip, *span)
        return strip.apply_offsets(0, row)

    def _with_selection(self, strip: Strip, start: int, end: int) -> Strip:
        text = strip.text
        end = len(text.rstrip()) if end < 0 else min(end, len(text))
        start = max(start, self._gutter)
        if start >= end:
            return strip
        left, right = cell_len(text[:start]), cell_len(text[:end])
        before, chosen, after = strip.divide([left, right, strip.cell_length])
        ink = self.ink
        ground = Style(reverse=True) if ink.mono else Style(bgcolor=ink.tokens["now-column"], bold=True)
        return Strip.join([before, chosen.apply_style(ground), after])
