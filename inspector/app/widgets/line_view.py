"""`LineView`: the one virtualised list under every long list and text of the app.

Textual's own tables measure every cell on the event loop (minutes at 100,000 rows), so rows are
drawn one by one when they become visible and kept as strips. What a row looks like is not known
here: a `Rows` object draws it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from inspector.app.theme import Ink, ink_of

CACHED_STRIPS = 1_000
"""Drawn rows that are kept: several screens full."""


class Rows(Protocol):
    """Rows of a list or lines of a text. Asked only for what is visible."""

    @property
    def revision(self) -> int:
        """Rises whenever any row may look different; drawn rows of an older revision are dropped."""

    def __len__(self) -> int: ...

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Draw one row.

        Every text of a session must have passed `printable` before it gets here.

        Args:
            row: Row number, from 0.
            width: Cells to fill; what is missing is filled, what is too long is cut.
            selected: Whether the cursor stands on it.
            ink: Styles of the theme.
        """


class NoRows:
    """An empty list."""

    revision = 0

    def __len__(self) -> int:
        return 0

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:  # noqa: ARG002 (the shape of `Rows`)
        """There is nothing to draw.

        Raises:
            IndexError: Always.
        """
        raise IndexError(row)


class LineView(ScrollView, can_focus=True, inherit_bindings=False):
    """A scrolling list of rows with a cursor; cost of a repaint: the rows that are visible."""

    ALLOW_SELECT = False

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "cursor(-1)", "Row up", id="rows.up", show=False),
        Binding("down", "cursor(1)", "Row down", id="rows.down", show=False),
        Binding("pageup", "page(-1)", "Page up", id="rows.page_up", show=False),
        Binding("pagedown", "page(1)", "Page down", id="rows.page_down", show=False),
        Binding("ctrl+home", "edge(-1)", "First row", id="rows.first", show=False),
        Binding("ctrl+end", "edge(1)", "Last row", id="rows.last", show=False),
        Binding("enter", "pick", "open", id="rows.pick", show=False),
    ]

    DEFAULT_CSS = """
    LineView {
        width: 1fr; height: 1fr;
        background: $bg; color: $fg;
        overflow-x: hidden; overflow-y: auto;
        scrollbar-size-vertical: 1;
        scrollbar-size-horizontal: 1;
    }
    """

    cursor: reactive[int] = reactive(0, repaint=False)
    """Row under the cursor; 0 in an empty list."""

    class Highlighted(Message):
        """The cursor came to another row."""

        def __init__(self, view: LineView, row: int) -> None:
            super().__init__()
            self.view = view
            self.row = row

        @property
        def control(self) -> LineView:
            return self.view

    class Picked(Message):
        """A row was opened: Enter, or a click on the row under the cursor."""

        def __init__(self, view: LineView, row: int) -> None:
            super().__init__()
            self.view = view
            self.row = row

        @property
        def control(self) -> LineView:
            return self.view

    def __init__(
        self,
        rows: Rows | None = None,
        *,
        show_cursor: bool = True,
        ground: str = "bg",
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """Make a view.

        Args:
            rows: What to show; None shows nothing yet.
            show_cursor: Whether a row is marked; without it the keys scroll.
            ground: Token of the background.
            id: The widget's id.
            classes: The widget's classes.
        """
        super().__init__(id=id, classes=classes)
        self.show_cursor = show_cursor
        self.ground = ground
        self.content_width = 0
        """Cells of the widest row; more than the widget's width makes it scroll sideways."""
        self._rows: Rows = rows if rows is not None else NoRows()
        self._strips: LRUCache[tuple[int, int, bool, int], Strip] = LRUCache(CACHED_STRIPS)
        self._ink: Ink | None = None
        self._on_screen: dict[int, Strip] = {}
        """Line of the screen → what was drawn there last."""

    def on_mount(self) -> None:
        """Take the size of the rows given at the start."""
        self.virtual_size = Size(self.content_width, len(self._rows))

    # -- rows ---------------------------------------------------------------------------------

    @property
    def rows(self) -> Rows:
        """What is shown."""
        return self._rows

    def set_rows(self, rows: Rows, *, cursor: int | None = None) -> None:
        """Show other rows.

        Args:
            rows: The rows.
            cursor: Where to put the cursor; None keeps its row number as far as it goes.
        """
        self._rows = rows
        self._strips.clear()
        self.rows_changed(cursor=cursor)

    def rows_changed(self, *, cursor: int | None = None) -> None:
        """Take note that the rows have another number or look; their `revision` tells stale ones.

        Args:
            cursor: Where to put the cursor; None keeps its row number as far as it goes.
        """
        self.take_size(Size(self.content_width, len(self._rows)))
        wanted = self.cursor if cursor is None else cursor
        moved = wanted != self.cursor
        self.cursor = wanted
        if moved:
            self._show_cursor_row()
        self.redraw()

    def take_size(self, size: Size) -> None:
        """Take note of the size of all rows.

        Args:
            size: Cells and rows.
        """
        if self.styles.auto_dimensions:
            self.virtual_size = size
        elif size != self.virtual_size:
            # Set as above it would lay out and draw the whole screen, at every step. Here only a
            # scrollbar that comes or goes can move anything, and that one sees to it itself.
            self.set_reactive(LineView.virtual_size, size)
            self._scroll_update(size)

    def redraw(self) -> None:
        """Draw the visible rows anew and show those that differ: most of a screen stays as it was."""
        width = self.size.width
        for y in range(self.size.height):
            if self._drawn(y) != self._on_screen.get(y):
                self.refresh(Region(0, y, width, 1))

    # -- drawing ------------------------------------------------------------------------------

    @property
    def ink(self) -> Ink:
        """Styles of the theme shown now."""
        return ink_of(self.app)

    def render_line(self, y: int) -> Strip:
        """Draw one visible line."""
        strip = self._on_screen[y] = self._drawn(y)
        return strip

    def _drawn(self, y: int) -> Strip:
        ink = self.ink
        if ink is not self._ink:
            self._strips.clear()
            self._ink = ink
        scroll_x, scroll_y = self.scroll_offset
        width = self.size.width
        row = scroll_y + y
        if row >= len(self._rows):
            return Strip.blank(width, ink.style(on=self.ground))
        selected = self.show_cursor and row == self.cursor
        strip = self._strip(row, selected, max(width, self.content_width), ink)
        if scroll_x or strip.cell_length != width:
            strip = strip.crop(scroll_x, scroll_x + width)
        return strip

    def _strip(self, row: int, selected: bool, width: int, ink: Ink) -> Strip:
        key = (row, self._rows.revision, selected, width)
        strip = self._strips.get(key)
        if strip is None:
            fill = ink.style(on="select" if selected else self.ground)
            drawn = Strip(self._rows.draw(row, width, selected, ink))
            strip = self._strips[key] = drawn.adjust_cell_length(width, fill)
        return strip

    def notify_style_update(self) -> None:
        """Forget drawn rows when the stylesheet changes."""
        super().notify_style_update()
        self._strips.clear()

    # -- cursor -------------------------------------------------------------------------------

    def validate_cursor(self, cursor: int) -> int:
        """Keep the cursor on a row."""
        return max(0, min(cursor, len(self._rows) - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        """Redraw the two rows and say where the cursor is."""
        if old == new:
            return
        self.refresh_line(old)
        self.refresh_line(new)
        self._show_cursor_row()
        self.post_message(self.Highlighted(self, new))

    def _show_cursor_row(self) -> None:
        if self.show_cursor:
            region = Region(self.scroll_offset.x, self.cursor, 1, 1)
            self.scroll_to_region(region, animate=False, force=True)

    def _move(self, rows: int) -> None:
        if self.show_cursor:
            self.cursor += rows
        else:
            self.scroll_relative(y=rows, animate=False)

    def action_cursor(self, rows: int) -> None:
        """Move by some rows."""
        self._move(rows)

    def action_page(self, pages: int) -> None:
        """Move by pages; one row of the old page stays in view."""
        self._move(pages * max(1, self.size.height - 1))

    def action_edge(self, direction: int) -> None:
        """Move to the first or last row."""
        self._move(direction * len(self._rows))

    def action_pick(self) -> None:
        """Open the row under the cursor."""
        if len(self._rows):
            self.post_message(self.Picked(self, self.cursor))

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the row clicked on; a click on the cursor's row opens it."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        row = offset.y + self.scroll_offset.y
        if row >= len(self._rows) or not self.show_cursor:
            return
        if row == self.cursor:
            self.post_message(self.Picked(self, row))
        else:
            self.cursor = row
