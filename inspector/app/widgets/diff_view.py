"""`DiffView`: two texts as one list of lines, equal stretches folded; untrusted on both sides.

Used for what stood in the transcript against what reached the wire, and against the overflow file.
"""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from inspector.app.widgets.diff_rows import ComparedRows, DiffRows, Named, SideRows
from inspector.app.widgets.line_view import LineView, NoRows
from inspector.line_diff import Comparison, compare_texts

SIDES_FROM_CELLS = 120
"""Narrower views show one text under the other: half of them would hold too little of a line."""


class DiffView(LineView):
    """A list of differing lines with keys to go from change to change."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "change(1)", "next difference", id="diff.next"),
        Binding("N", "change(-1)", "difference before", id="diff.previous"),
        Binding("u", "form", "side by side, unified", id="diff.form"),
    ]

    unified = False
    """Whether the person wants one text under the other however wide the view is."""

    @property
    def compared(self) -> ComparedRows | None:
        """The comparison shown."""
        return self.rows if isinstance(self.rows, ComparedRows) else None

    def show(self, left: str, right: str, *, left_name: str, right_name: str) -> None:
        """Compare two texts and show them from the top.

        Args:
            left: The fuller text; untrusted.
            right: The other; untrusted.
            left_name: What the left text is.
            right_name: What the right text is.
        """
        self.show_comparison(compare_texts(left, right), Named(left_name), Named(right_name))

    def show_comparison(self, comparison: Comparison, left: Named, right: Named) -> None:
        """Show two texts that were compared elsewhere, as in a thread.

        Args:
            comparison: The two texts.
            left: What the left text is.
            right: What the right text is.
        """
        self.set_rows(self._form()(comparison, left, right), cursor=0)
        self.scroll_to(0, 0, animate=False)

    def clear(self) -> None:
        """Show nothing."""
        self.set_rows(NoRows(), cursor=0)

    def _form(self) -> type[DiffRows] | type[SideRows]:
        return SideRows if self._has_room and not self.unified else DiffRows

    @property
    def _has_room(self) -> bool:
        return self.outer_size.width >= SIDES_FROM_CELLS

    def _lay_out(self) -> None:
        """Take the form that is due; the cursor stays at its difference."""
        shown, form = self.compared, self._form()
        if shown is None or isinstance(shown, form):
            return
        rows = form(shown.comparison, shown.left, shown.right)
        at = shown.change_at(self.cursor)
        self.set_rows(rows, cursor=rows.changes[at] if at >= 0 else 0)

    def on_resize(self, _event: events.Resize) -> None:
        """Go over to the form for the new width."""
        self._lay_out()

    def action_form(self) -> None:
        """Show the texts side by side, or one under the other."""
        if not self._has_room:
            self.notify(f"Side by side needs {SIDES_FROM_CELLS} columns.", markup=False)
            return
        self.unified = not self.unified
        self._lay_out()

    def action_change(self, step: int) -> None:
        """Go to the next or previous difference."""
        shown = self.compared
        if shown is None:
            return
        after = (row for row in shown.changes if row > self.cursor)
        earlier = (row for row in reversed(shown.changes) if row < self.cursor)
        row = next(after if step > 0 else earlier, self.cursor)
        height, top = self.size.height, self.scroll_offset.y
        if not top <= row < top + height * 2 // 3:
            # Its first line alone at the edge of the view would not show what the difference is.
            self.scroll_to(y=max(0, row - height // 3), animate=False, force=True, immediate=True)
        self.cursor = row
