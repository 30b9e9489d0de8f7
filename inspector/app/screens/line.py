"""A line of the session's file that is no record, as it stands: what a finding about it points at."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker, get_current_worker

from inspector.app.failures import tells_failure
from inspector.app.sources.files import LineSource, OpenedText
from inspector.app.widgets.bar import Bar, Word
from inspector.app.widgets.key_bar import KeyBar
from inspector.app.widgets.text_pane import TextPane
from inspector.errors import InspectorError
from inspector.figures import number
from inspector.model.findings import Finding
from inspector.text import fit

HINTS = (
    ("search", ("text.search",)),
    ("text, JSON, hex", ("text.form",)),
    ("wrap", ("text.wrap_all",)),
    ("save", ("text.save",)),
    ("back", ("line.back",)),
)
"""Words of the bottom line and the actions that they stand for."""


class LinePlace(NamedTuple):
    """Where a line stands, and what is wrong with it."""

    thread: str
    """Conversation whose file it is in; empty: the main one."""
    name: str
    """What people call it: `line 19`."""
    start: int
    """First byte."""
    end: int
    """One past the last byte."""
    fact: str
    """The finding's sentence."""


def line_of(finding: Finding) -> LinePlace | None:
    """The line that a finding is about; None where it is about something else."""
    extent = finding.data.get("bytes")
    if not isinstance(extent, list) or len(extent) != 2:
        return None
    start, end = extent
    return LinePlace(finding.thread, finding.see, start, end, finding.fact)


class LineScreen(Screen[None]):
    """One line, as text or as bytes."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "back", id="line.back")]

    DEFAULT_CSS = "LineScreen { background: $bg; }"

    class LineRead(Message):
        """The worker read the line, or could not."""

        def __init__(self, opened: OpenedText | None, problem: str) -> None:
            super().__init__()
            self.opened = opened
            self.problem = problem

    def __init__(self, source: LineSource, place: LinePlace) -> None:
        """Args:
        source: Who reads it.
        place: Where it stands.
        """
        super().__init__()
        self._source = source
        self._place = place

    def compose(self) -> ComposeResult:
        """What is wrong with it, the line, hints."""
        yield Bar(id="fact", ground="panel")
        yield TextPane()
        yield KeyBar(HINTS)

    def on_mount(self) -> None:
        """Begin to read."""
        pane = self.query_one(TextPane)
        pane.clear(self._place.name, "reading …")
        pane.view.focus()
        self._read()

    def on_resize(self) -> None:
        """Say what is wrong as far as there is room."""
        room = max(0, self.size.width - 2)
        self.query_one("#fact", Bar).show([Word(fit(self._place.fact, room), "strong")])

    @work(thread=True, exclusive=True, group="line", exit_on_error=False)
    def _read(self) -> None:
        place = self._place
        try:
            message = self.LineRead(self._source.read(place.thread, place.start, place.end), "")
        except InspectorError as error:
            message = self.LineRead(None, str(error))
        if not get_current_worker().is_cancelled:
            self.post_message(message)

    @on(Worker.StateChanged)
    def _failed(self, event: Worker.StateChanged) -> None:
        tells_failure(self, event)

    @on(LineRead)
    def _show(self, event: LineRead) -> None:
        pane, opened = self.query_one(TextPane), event.opened
        if opened is None:
            pane.clear(self._place.name, event.problem)
            return
        shown = number(len(opened.data))
        note = f"first {shown} of {number(opened.total_bytes)} bytes shown"
        pane.show(
            self._place.name,
            opened.text,
            data=opened.data,
            note=note if opened.total_bytes > len(opened.data) else "",
        )
        pane.view.action_wrap_all()  # it is one line, and longer than any screen
