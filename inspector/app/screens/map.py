"""The map screen: the whole session as a picture, and the way back into the ledger at any cell.

A blow-up is seen as what it is here: wide white slabs. The cursor is a cross-hair of one result and
one request, the same two that the ledger has selected, and Enter takes both back there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from inspector.app.feed import FeedUpdate, Jump
from inspector.app.frame import Frame
from inspector.app.lifelines import cost_words, stretches, unseen_words
from inspector.app.tabs import is_shown
from inspector.app.theme import Ink
from inspector.app.widgets.bar import Bar, Word
from inspector.app.widgets.columns import WIDE
from inspector.app.widgets.drawing import FixedLines, Line, Part, parts_width, put_parts
from inspector.app.widgets.header import Header
from inspector.app.widgets.key_bar import KeyBar
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.map_cells import ZOOMS, zoom_words
from inspector.app.widgets.map_index import MapIndex, Order
from inspector.app.widgets.map_view import MapHead, MapLegend, MapRows, MapView
from inspector.figures import count_words, number
from inspector.replay.sentences import UNIT_HEADS, UNIT_WORDS
from inspector.replay.view import ResultOutline
from inspector.text import cells, fit, fit_call

TALL = 30
"""Height from which there is room for blank rows between the parts."""
HINTS = (
    ("request", ("map.back_one", "map.on_one")),
    ("result", ("rows.up", "rows.down")),
    ("open here", ("rows.pick",)),
    ("zoom", ("map.nearer", "map.farther"), "/"),
    ("small results", ("map.small",)),
    ("sort", ("map.sort",)),
    ("back", ("map.back",)),
)
"""Words of the bottom line and the actions that they stand for."""


class MapScreen(Screen[Jump | None]):
    """Results by requests; left with the place under the cursor, or with None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "request back", id="map.back_one", tooltip="One request back"),
        Binding("right", "step(1)", "request on", id="map.on_one", tooltip="One request on"),
        Binding("shift+left", "step(-10)", "ten back", id="map.back_ten", tooltip="Ten requests back"),
        Binding("shift+right", "step(10)", "ten on", id="map.on_ten", tooltip="Ten requests on"),
        Binding("home", "edge(-1)", "first request", id="map.first", tooltip="First request"),
        Binding("end", "edge(1)", "newest request", id="map.newest", tooltip="Newest request, and follow"),
        Binding("plus,equals_sign", "zoom(-1)", "nearer", id="map.nearer", key_display="+",
                tooltip="Fewer requests per cell"),
        Binding("minus", "zoom(1)", "farther", id="map.farther", key_display="-",
                tooltip="More requests per cell"),
        Binding("z", "small", "small results", id="map.small", tooltip="Show or hide small results"),
        Binding("s", "sort", "sort", id="map.sort", tooltip="In order of the session, or largest first"),
        Binding("escape", "leave", "back", id="map.back", tooltip="Back to the ledger as it was"),
    ]  # fmt: skip

    DEFAULT_CSS = """
    MapScreen { background: $bg; }
    MapScreen #space { height: 1; }
    MapScreen MapView { scrollbar-size-vertical: 0; }
    MapScreen #legend { height: 1; }
    MapScreen LifelineLines { height: 4; }
    MapScreen.-short #space { display: none; }
    MapScreen.-short LifelineLines { height: 3; }
    """

    def __init__(self, frame: Frame, *, result: int | None = None, thread: str = "") -> None:
        """Open the map.

        Args:
            frame: The session, and the request to begin at.
            result: Result to begin at, by index; None takes the first one that this request decided.
            thread: Conversation shown; empty: the main one.
        """
        super().__init__()
        self.frame = frame
        self.result = result
        """Index of the result under the cursor; None while there is none."""
        self.zoom = 0
        """Ordinal in `ZOOMS`."""
        self.small = False
        self.order = Order.SESSION
        self._thread = thread
        self._kept = result
        self._index = MapIndex()
        self._revision = 0
        self._seen_requests = frame.view.request_count

    def compose(self) -> ComposeResult:
        """Header, facts, curve, map, legend, lifeline, hints."""
        yield Header()
        yield Bar(id="facts")
        yield Bar(id="space")
        yield MapHead(id="head")
        yield MapView(id="map")
        yield MapLegend(id="legend")
        yield LifelineLines(id="lifeline")
        yield KeyBar(HINTS)

    def on_mount(self) -> None:
        """Fill the map; go on with the session as it grows."""
        self._view.focus()
        self._index.take(self.frame.view)
        self._choose_rows()
        self.call_after_refresh(self._centre)
        if hasattr(self.app, "update"):
            self.watch(self.app, "update", self.take_update, init=False)

    def _centre(self) -> None:
        """Begin with the cursor's row in the middle: what happened around it is what one looks for."""
        view = self._view
        view.scroll_to(y=view.cursor - view.size.height // 2, animate=False, force=True)
        self.call_after_refresh(self._draw_rows_in_view)

    def on_resize(self, event: events.Resize) -> None:
        """Choose what has room."""
        self.set_class(event.size.height < TALL, "-short")
        self.call_after_refresh(self._draw_facts)
        self.call_after_refresh(self._draw_lifeline)

    @property
    def _view(self) -> MapView:
        return self.query_one("#map", MapView)

    @property
    def request(self) -> int:
        """Request under the cursor, from 1; 0 while there is none."""
        return self.frame.request

    # -- what is shown ------------------------------------------------------------------------

    def take_update(self, update: FeedUpdate | None) -> None:
        """Show the session as it is known now; where the person moved, the cursor stays."""
        if update is None or not is_shown(self):
            return
        if self._thread:
            if update.in_thread is None:
                return
            update = replace(update, view=update.in_thread(self._thread))
        count = update.view.request_count
        old = self.frame
        following = old.following
        request = count if following else max(1, min(old.request, count)) if count else 0
        fresh = 0 if following else max(0, count - self._seen_requests)
        self.frame = Frame(update, request, following, fresh)
        self._index.take(update.view)
        self._choose_rows()

    def _choose_rows(self) -> None:
        """Take the rows that are asked for, with the cursor on the same result where it still has one."""
        self._index.show(small=self.small, order=self.order, keep=self._kept)
        row = self._index.row_of(self.result)
        if row is None:
            view = self.frame.view
            row = self._index.nearest(view.turn_count(self.request) if self.request else 0)
        self._draw(cursor=row)

    def _draw(self, cursor: int | None = None) -> None:
        self._revision += 1
        rows = MapRows(
            self.frame.view, self._index.rows, self._revision, ZOOMS[self.zoom], max(1, self.request)
        )
        self._view.set_rows(rows, cursor=cursor)
        self.query_one("#head", MapHead).show(rows)
        self.query_one(Header).frame = self.frame
        self._take_cursor()
        self._draw_facts()

    @on(LineView.Highlighted)
    def _take_cursor(self) -> None:
        row = self.selected
        if row is not None:
            self.result = row.index
        self._draw_lifeline()
        self.call_after_refresh(self._draw_rows_in_view)

    @property
    def selected(self) -> ResultOutline | None:
        """The result under the cursor."""
        rows = self._index.rows
        return rows[min(self._view.cursor, len(rows) - 1)] if rows else None

    def _draw_facts(self) -> None:
        shown, hidden = len(self._index.rows), len(self._index.all) - len(self._index.rows)
        wide = self.size.width >= WIDE
        unit = (UNIT_WORDS if wide else UNIT_HEADS)[self.frame.view.policy.unit]
        words = [Word("Map", "strong", bold=True)]
        if wide:
            words.append(Word("rows results, columns requests", "muted", gap=3))
        size = f" of 3,000 {unit} or more" if hidden else ""
        more = f", {number(hidden)} {'smaller hidden' if wide else 'hidden'}" if hidden else ""
        words.append(Word(f"{count_words(shown, 'result')}{size}{more}", "muted", gap=3))
        if self.order is Order.SIZE:
            words.append(Word(self.order.value, "accent", gap=3))
        rows = self._view.rows
        zoom = ""
        if isinstance(rows, MapRows):
            zoom = zoom_words(rows.zoom, rows.columns(self._view.size.width or self.size.width))
        self.query_one("#facts", Bar).show(words, [Word(zoom, "muted")])

    def _draw_rows_in_view(self) -> None:
        view, count = self._view, len(self._index.rows)
        first = view.scroll_offset.y + 1
        last = min(count, first + view.size.height - 1)
        words = f"rows {number(first)}–{number(last)} of {number(count)}" if last < count or first > 1 else ""
        self.query_one("#legend", MapLegend).show(words)

    def _draw_lifeline(self) -> None:
        lines = self.query_one("#lifeline", LifelineLines)
        selected, view = self.selected, self.frame.view
        if selected is None:
            words = f"{number(self._index.small)} small results are hidden; z shows them."
            lines.show([[(words if self._index.small else _EMPTY, "muted", None)]])
            return
        row = view.result(selected.index, view.request_count)
        lifeline = view.lifeline(selected.index)
        unit = UNIT_WORDS[view.policy.unit]
        size = f"   {number(row.chars)} {unit}" if row.chars is not None else "   no result"
        room = self.size.width - 4 - cells(size)
        name: list[Part] = [
            (fit_call(row.tool or "(no call)", row.argument, room), "strong", True),
            (size, "muted", None),
            (f"   {fit(row.id, 20, 'middle')}", "muted", None),
        ]
        spans: list[Part] = []
        for stretch in stretches(view, row, lifeline):
            here = stretch.first <= self.request <= stretch.last
            spans.append((stretch.where, "accent", True))
            spans.append((f" {stretch.words}   ", "strong" if here else "fg", None))
        cost: list[Part] = [(cost_words(view, row, lifeline), "muted", None)]
        lines.show([name, spans or [(unseen_words(view, row), "muted", None)], cost])

    # -- actions ------------------------------------------------------------------------------

    def go_to(self, request: int, *, follow: bool = False) -> None:
        """Move the cursor to a request.

        Args:
            request: From 1; taken as far as there are requests.
            follow: Whether to follow the newest one from here.
        """
        count = self.frame.view.request_count
        if not count:
            return
        if self.frame.following and not follow:
            self._seen_requests = count
        fresh = 0 if follow else max(0, count - self._seen_requests)
        self.frame = Frame(self.frame.update, max(1, min(request, count)), follow, fresh)
        self._draw()

    def action_step(self, requests: int) -> None:
        """Move by some requests."""
        self.go_to(self.request + requests)

    def action_edge(self, direction: int) -> None:
        """Move to the first request, or to the newest and follow."""
        if direction < 0:
            self.go_to(1)
        else:
            self.go_to(self.frame.view.request_count, follow=True)

    def action_zoom(self, step: int) -> None:
        """More or fewer requests per cell."""
        self.zoom = max(0, min(self.zoom + step, len(ZOOMS) - 1))
        self._draw()

    def action_small(self) -> None:
        """Show small results too, or hide them; the selected one stays."""
        self.small = not self.small
        self._kept = self.result
        self._choose_rows()
        self.call_after_refresh(self._centre)

    def action_sort(self) -> None:
        """Change the order of the rows."""
        self.order = Order.SIZE if self.order is Order.SESSION else Order.SESSION
        self._choose_rows()
        self.call_after_refresh(self._centre)

    @on(MapView.CellPicked)
    @on(MapHead.RequestPicked)
    def _go_to_clicked(self, event: MapView.CellPicked | MapHead.RequestPicked) -> None:
        self.go_to(event.request)

    @on(LineView.Picked)
    def _open_here(self) -> None:
        row = self.selected
        if row is None or not self.request:
            return
        lifeline = self.frame.view.lifeline(row.index)
        first = lifeline[0].start if lifeline else self.request
        self.dismiss(Jump(request=max(self.request, first), result=row.index))

    def action_leave(self) -> None:
        """Go back to the ledger as it was."""
        self.dismiss(None)


_EMPTY = "No tool results yet. Rows appear with the first tool call."


_LEAST_CELLS = 8
"""Where fewer are left, no part begins: a mere `…` would look as if the part before were cut."""


class LifelineLines(FixedLines):
    """Name, lifeline and cost of the selected result, one line each."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: list[list[Part]] = []

    def show(self, lines: list[list[Part]]) -> None:
        """Draw other lines."""
        self._lines = lines
        self.refresh()

    @property
    def plain(self) -> str:
        """What it says, for tests."""
        return "\n".join("".join(text for text, _, _ in parts).rstrip() for parts in self._lines)

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:
        """Draw a line; whole parts are given up where there is no room."""
        line = Line(ink).to(2)
        for part in self._lines[y] if y < len(self._lines) else ():
            room = width - 1 - line.cell
            if parts_width([part]) > room:
                if room >= _LEAST_CELLS:
                    line.put(fit(part[0].rstrip(), room), part[1], bold=part[2])
                break
            put_parts(line, [part])
        return line
