"""Getting things out: copying, saving, and the editor on the files behind a result."""

from __future__ import annotations

from pathlib import Path

from textual import on, work
from textual.message import Message
from textual.worker import get_current_worker

from inspector.app.external import EDITOR, open_outside
from inspector.app.feed import Tab
from inspector.app.saving import default_directory, file_name, free_path, save_new, typed_path
from inspector.app.screens.ledger_core import LedgerCore
from inspector.app.sources.files import FilePlace
from inspector.app.widgets.question import Question
from inspector.errors import InspectorError
from inspector.figures import count_words
from inspector.reading.home import home_directory
from inspector.text import printable, printable_line

_TRANSCRIPT_TABS = frozenset({Tab.TRANSCRIPT, Tab.RECORD})
"""Views in which the editor opens the transcript, even where there is an overflow file."""


class Files(LedgerCore):
    """From the selected result to the clipboard, a file, or an editor."""

    class Saved(Message):
        """A worker has written a text, or could not."""

        def __init__(self, words: str) -> None:
            super().__init__()
            self.words = words

    class EditorWanted(Message):
        """A worker has found what the editor is to open, or why there is nothing."""

        def __init__(self, place: FilePlace | None, problem: str = "") -> None:
            super().__init__()
            self.place = place
            self.problem = problem

    # -- clipboard ----------------------------------------------------------------------------

    def action_copy(self) -> None:
        """Copy the text shown, through the gate."""
        shown = self.detail.shown
        if shown is None or not shown.text:
            self.say("Nothing to copy.")
            return
        text = "\t".join(printable(piece) for piece in shown.text.split("\t"))
        self.app.copy_to_clipboard(text)
        self.say(f"Copied {count_words(len(text), 'character')} of “{self.detail.tab.value}”.")

    def action_copy_place(self) -> None:
        """Copy the file and line of the selected result's record."""
        row, places = self.selected, self._sources.places
        if row is None or places is None:
            self.say("Select a result first.")
            return
        try:
            place = places.record(row.index)
        except InspectorError as error:
            self.say(str(error))
            return
        words = printable_line(place.copied)
        self.app.copy_to_clipboard(words)
        self.say(f"Copied {words}  ({place.words})")

    # -- saving -------------------------------------------------------------------------------

    def action_save(self) -> None:
        """Ask for a file and write the text of the view shown to it, in full and as it is."""
        row, frame = self.selected, self.frame
        if row is None or frame is None:
            self.say("Select a result first.")
            return
        tab, request = self.detail.tab, frame.request
        directory = default_directory(self._memory.session, Path.cwd(), home_directory())
        name = file_name(row.tool or "result", row.id[-8:], tab.value.split()[0].lower(), ending=".txt")
        path = free_path(directory, name)
        # Short where it can be: the bottom line of a narrow screen has no room for a long path.
        start = f"./{path.name}" if directory == Path.cwd() else str(path)

        def save(words: str) -> None:
            if words.strip():
                self._save(words, tab, row.index, request)

        self.ask(Question(f"save “{tab.value}” as", save, start=start))

    @work(thread=True, group="save", exit_on_error=False)
    def _save(self, name: str, tab: Tab, index: int, request: int) -> None:
        """Read the text again and write it, in a thread."""
        try:
            path = typed_path(name)
            places = self._sources.places
            if places is not None:
                data = places.whole(tab, index, request)
            else:
                text = self._sources.details.text(tab, index, request).text
                data = text.encode("utf-8", "surrogatepass")
            save_new(path, data)
            words = f"Saved {count_words(len(data), 'byte')} to {path}"
        except (InspectorError, OSError) as error:
            words = f"Not saved: {error}"
        self.post_message(self.Saved(words))

    @on(Saved)
    def show_saved(self, event: Saved) -> None:
        """Say what became of it."""
        self.say(event.words)

    # -- editor -------------------------------------------------------------------------------

    def action_editor(self) -> None:
        """Open the overflow file of the selected result, or the transcript at its record."""
        row = self.selected
        if row is None:
            self.say("Select a result first.")
            return
        self._find_place(row.index, self.detail.tab)

    @work(thread=True, exclusive=True, group="place", exit_on_error=False)
    def _find_place(self, index: int, tab: Tab) -> None:
        """Find the file in a thread: matching an overflow file reads it."""
        places = self._sources.places
        assert places is not None
        try:
            place = None if tab in _TRANSCRIPT_TABS else places.overflow(index)
            message = self.EditorWanted(place or places.record(index))
        except (InspectorError, OSError) as error:
            message = self.EditorWanted(None, str(error))
        if not get_current_worker().is_cancelled:
            self.post_message(message)

    @on(EditorWanted)
    def open_editor(self, event: EditorWanted) -> None:
        """Step aside for the editor."""
        if event.place is None:
            self.say(event.problem)
        else:
            open_outside(self.app, EDITOR, event.place.path, event.place.line)
