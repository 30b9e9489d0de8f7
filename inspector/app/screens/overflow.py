"""The overflow screen: the scratch directory at the left, the text of the selected file at the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.segment import Segment
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.worker import Worker, get_current_worker

from inspector.app.external import EDITOR, PAGER, open_outside
from inspector.app.failures import tells_failure
from inspector.app.feed import Jump
from inspector.app.screens.headed import HeadedScreen
from inspector.app.signs import Sign
from inspector.app.sources.files import OpenedText
from inspector.app.sources.overflow import FileState, OverflowRow, OverflowSource
from inspector.app.theme import Ink
from inspector.app.widgets.bar import Bar, Word
from inspector.app.widgets.drawing import FixedLines, Line
from inspector.app.widgets.fact_lines import FactLines
from inspector.app.widgets.key_bar import KeyBar
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.text_pane import TextPane
from inspector.errors import InspectorError
from inspector.figures import count_words, number
from inspector.text import cells, fit, printable_line

FILE_STATES: Mapping[FileState, Sign] = {
    FileState.OK: Sign("=", "ok", "ok"),
    FileState.MISSING: Sign("×", "missing", "over-budget"),
    FileState.SIZE_DIFFERS: Sign("≠", "size differs", "recorded-differs"),
    FileState.PREVIEW_DIFFERS: Sign("≠", "preview differs", "recorded-differs"),
    FileState.ELSEWHERE: Sign("↑", "found elsewhere", "repaired"),
    FileState.NO_OWNER: Sign("?", "no owner", "muted"),
    FileState.READ_AGAIN: Sign("!", "read again", "replaced"),
}
"""State of a file → sign."""

_LEAST_DIRECTORY, _MOST_DIRECTORY = 12, 30
"""Cells that the name of the directory is worth, and takes at most."""
HINTS = (
    ("file", ("rows.up", "rows.down")),
    ("viewer", ("tab",)),
    ("search", ("overflow.search",)),
    ("line", ("overflow.line",)),
    ("$EDITOR", ("overflow.editor",)),
    ("$PAGER", ("overflow.pager",)),
    ("text/JSON/hex", ("text.form",)),
    ("raw", ("text.escape",)),
    ("owner", ("rows.pick",)),
    ("back", ("overflow.back",)),
)
"""Words of the bottom line and the actions that they stand for."""

_NAME, _BYTES_EDGE, _OWNER, _STATE = 2, 24, 27, 41
"""Cells of the columns; the list is 58 cells wide."""


class FileRows:
    """Rows of the list."""

    def __init__(self, rows: Sequence[OverflowRow], revision: int) -> None:
        self.rows = rows
        self.revision = revision

    def __len__(self) -> int:
        return len(self.rows)

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Name, size, owner, state."""
        file = self.rows[row]
        sign = FILE_STATES[file.state]
        line = Line(ink, "select" if selected else "bg")
        line.put("▌" if selected else " ", "accent")
        line.at(_NAME, fit(file.name, 14, "end"), "strong" if selected else "fg", bold=selected or None)
        line.right(_BYTES_EDGE, number(file.size_bytes), "fg" if file.size_bytes is not None else "muted")
        whose, _, tool = (file.owner or "—").rpartition(" ")
        line.at(_OWNER, f"{whose} " if whose else "", "muted")
        line.put(fit(tool, _OWNER + 13 - line.cell, "end"), "muted")
        words = fit(file.state_words or sign.word, width - _STATE - 2)
        calm = file.state is FileState.OK
        line.at(_STATE, f"{sign.sign} {words}", sign.name, bold=None if calm else True)
        return line.segments


_AS_THEY_SHOULD_BE = frozenset({FileState.OK, FileState.READ_AGAIN})


class FileHead(FixedLines):
    """The list's head, in its columns."""

    ground = "surface"

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:  # noqa: ARG002 (one row, as wide as it is)
        """Draw the names of the columns."""
        line = Line(ink, "surface").at(_NAME, "file", "muted").right(_BYTES_EDGE, "bytes", "muted")
        return line.at(_OWNER, "owner", "muted").at(_STATE, "state", "muted")


class OverflowScreen(HeadedScreen):
    """Files of the scratch directory and a viewer; left with the owner of a file, or with None."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 (Textual declares it so)

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "back", id="overflow.back"),
        Binding("e", "editor", "$EDITOR", id="overflow.editor"),
        Binding("P", "pager", "$PAGER", id="overflow.pager"),
        Binding("c", "copy_path", "copy the path", id="overflow.copy_path"),
        Binding("f5", "reload", "read the directory again", id="overflow.reload"),
        Binding("slash", "search", "search", id="overflow.search", show=False),
        Binding("colon", "line", "go to line", id="overflow.line", show=False),
    ]

    DEFAULT_CSS = """
    OverflowScreen { background: $bg; }
    OverflowScreen #panes { height: 1fr; margin-top: 1; }
    OverflowScreen #list { width: 58; height: 1fr; }
    OverflowScreen #files { height: auto; max-height: 60%; margin-bottom: 1; }
    OverflowScreen #text-pane { border-left: vkey $line; }
    OverflowScreen.-narrow #panes { layout: vertical; margin-top: 0; }
    OverflowScreen.-narrow #list { width: 1fr; height: auto; max-height: 9; }
    OverflowScreen.-narrow #files { max-height: 6; margin-bottom: 0; }
    OverflowScreen.-narrow #facts { display: none; height: 7; }
    OverflowScreen.-narrow.-odd #list { max-height: 15; }
    OverflowScreen.-narrow.-odd #facts { display: block; }
    OverflowScreen.-narrow #text-pane { border-left: none; }
    """

    class RowsRead(Message):
        """The worker read the directory."""

        def __init__(self, rows: Sequence[OverflowRow], problem: str) -> None:
            super().__init__()
            self.rows = rows
            self.problem = problem

    class TextRead(Message):
        """The worker read a file."""

        def __init__(self, row: OverflowRow, opened: OpenedText | None, problem: str) -> None:
            super().__init__()
            self.row = row
            self.opened = opened
            self.problem = problem

    def __init__(self, source: OverflowSource, *, select: int | None = None) -> None:
        """Show a scratch directory.

        Args:
            source: Where rows and texts come from.
            select: Index of the result whose file is selected first; None takes the first file.
        """
        super().__init__()
        self._source = source
        self._select = select
        self._rows: Sequence[OverflowRow] = ()
        self._problem = ""
        self._revision = 0

    def compose(self) -> ComposeResult:
        """Facts line, list with facts, viewer, hints."""
        yield from self.compose_header()
        yield Bar(id="facts-line")
        with Horizontal(id="panes"):
            with Vertical(id="list"):
                yield FileHead()
                yield LineView(id="files")
                yield FactLines(indent=2, id="facts")
            yield TextPane(id="text-pane")
        yield KeyBar(HINTS)

    def on_mount(self) -> None:
        """Begin to read."""
        self.query_one("#files").focus()
        self.query_one("#facts-line", Bar).show(
            [Word("Overflow", "strong", bold=True), Word("reading …", "muted")]
        )
        self.action_reload()

    def on_resize(self) -> None:
        """Name the directory as far as there is room."""
        if self._revision:
            self._draw_facts_line()

    # -- reading ------------------------------------------------------------------------------

    def action_reload(self) -> None:
        """Read the directory again."""
        self._read_rows()

    @work(thread=True, exclusive=True, group="overflow-rows", exit_on_error=False)
    def _read_rows(self) -> None:
        try:
            message = self.RowsRead(tuple(self._source.rows()), "")
        except InspectorError as error:
            message = self.RowsRead((), str(error))
        if not get_current_worker().is_cancelled:
            self.post_message(message)

    @work(thread=True, exclusive=True, group="overflow-text", exit_on_error=False)
    def _read_text(self, row: OverflowRow) -> None:
        try:
            message = self.TextRead(row, self._source.open(row), "")
        except InspectorError as error:
            message = self.TextRead(row, None, str(error))
        if not get_current_worker().is_cancelled:
            self.post_message(message)

    @on(Worker.StateChanged)
    def _failed(self, event: Worker.StateChanged) -> None:
        tells_failure(self, event)

    @on(RowsRead)
    def _show_rows(self, event: RowsRead) -> None:
        before = self.selected
        self._rows, self._problem = event.rows, event.problem
        self._revision += 1
        wanted = 0
        for place, row in enumerate(self._rows):
            if row.path == before.path if before else self._select is not None and row.result == self._select:
                wanted = place
                break
        files = self.query_one("#files", LineView)
        files.set_rows(FileRows(self._rows, self._revision), cursor=wanted)
        self._draw_facts_line()
        self._show_selected()

    @on(TextRead)
    def _show_text(self, event: TextRead) -> None:
        if event.row != self.selected:
            return
        pane = self.query_one(TextPane)
        opened = event.opened
        if opened is None:
            pane.clear(event.row.name, event.problem)
            return
        note = opened.note
        if opened.total_bytes > len(opened.data):
            cut = f"first {number(len(opened.data))} of {number(opened.total_bytes)} bytes shown"
            note = f"{cut}, {note}" if note else cut
        pane.show(event.row.name, opened.text, data=opened.data, note=note)

    # -- selection ----------------------------------------------------------------------------

    @property
    def selected(self) -> OverflowRow | None:
        """The row under the cursor."""
        files = self.query_one("#files", LineView)
        return self._rows[files.cursor] if self._rows else None

    @on(LineView.Highlighted, "#files")
    def _moved(self) -> None:
        self._show_selected()

    def _show_selected(self) -> None:
        row = self.selected
        pane = self.query_one(TextPane)
        facts = self.query_one("#facts", FactLines)
        # Where there is no room for the facts of every file, those of one that is not as it should be
        # have it: they say why, and so do they where there is none.
        self.set_class(row is None or row.state not in _AS_THEY_SHOULD_BE, "-odd")
        if row is None:
            facts.show([("", self._empty_words())])
            pane.clear("", self._problem or "nothing to show")
            return
        facts.show([*row.facts, ("path", row.path)])
        if row.state is FileState.MISSING:
            pane.clear(row.name, "There is no such file: the text is lost, only the preview is left.")
        else:
            self._read_text(row)

    def _empty_words(self) -> str:
        if self._problem:
            return self._problem
        if not self._source.directory:
            return "No overflow files. The session has no scratch directory, and no result names a file."
        return "No overflow files. No result names one, and the scratch directory is empty."

    def _draw_facts_line(self) -> None:
        on_disk = [row.size_bytes for row in self._rows if row.size_bytes is not None]
        words = [Word("Overflow", "strong", bold=True)]
        words.append(
            Word(
                f"{count_words(len(on_disk), 'file')}, {count_words(sum(on_disk), 'byte')} on disk",
                "muted",
                gap=3,
            )
        )
        if self._problem:
            words.append(Word(f"! {self._problem}", "replaced", bold=True, gap=3))
        for state, sign in FILE_STATES.items():
            count = sum(row.state is state for row in self._rows)
            if count and state not in _AS_THEY_SHOULD_BE:
                loud = state is not FileState.NO_OWNER
                words.append(Word(f"{sign.sign} {count} {sign.word}", sign.name, bold=loud, gap=3))
        # The directory gets what the figures leave: what is wrong with the files is to be seen first.
        room = self.size.width - 2 - sum(word.gap + cells(word.text) for word in words) - 1
        if self._source.directory and room >= _LEAST_DIRECTORY:
            directory = fit(self._source.directory, min(room, _MOST_DIRECTORY), "end")
            words.insert(1, Word(directory, "muted", gap=3))
        self.query_one("#facts-line", Bar).show(words)

    # -- actions ------------------------------------------------------------------------------

    @on(LineView.Picked, "#files")
    def _go_to_owner(self) -> None:
        row = self.selected
        if row is not None and (row.request is not None or row.result is not None):
            self.dismiss(Jump(request=row.request, result=row.result))
        elif row is not None:
            self.notify("No result of this session owns the file.", markup=False)

    def action_leave(self) -> None:
        """Go back to where the screen was opened."""
        self.dismiss(None)

    def action_search(self) -> None:
        """Search the text, from the list too."""
        self.query_one(TextPane).action_prompt("/")

    def action_line(self) -> None:
        """Go to a line of the text, from the list too."""
        self.query_one(TextPane).action_prompt(":")

    def action_editor(self) -> None:
        """Open the file in `$VISUAL` or `$EDITOR`."""
        if self.selected is not None:
            open_outside(self.app, EDITOR, self.selected.path)

    def action_pager(self) -> None:
        """Open the file in `$PAGER`."""
        if self.selected is not None:
            open_outside(self.app, PAGER, self.selected.path)

    def action_copy_path(self) -> None:
        """Copy the file's path, control characters shown."""
        if self.selected is not None:
            self.app.copy_to_clipboard(printable_line(self.selected.path))
            self.notify("Path copied.", markup=False)
