"""`TextPane`: a text with its title, its search line and its forms (text, JSON, hex).

The pane owns the keys and the words around the text; `TextView` only draws it.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping
from typing import ClassVar

from textual import on
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input

from inspector.app.widgets.bar import Bar, Word
from inspector.app.widgets.document import Matches
from inspector.app.widgets.image_facts import image_facts
from inspector.app.widgets.json_text import json_problem, lay_out_json
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.prompt import Prompt
from inspector.app.widgets.text_view import TextView
from inspector.figures import count_words, number, size_words
from inspector.text import has_controls

_FORMS = ("text", "JSON", "hex")
_LOOKED_CHARS = 1 << 20
"""Longer texts are not looked through for control characters when they are shown."""


class TextPane(Vertical):
    """Title, text and foot."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "prompt('/')", "search", id="text.search", key_display="/"),
        Binding("colon", "prompt(':')", "go to line", id="text.line", key_display=":"),
        Binding("n", "match(1)", "next match", id="text.next", show=False),
        Binding("N", "match(-1)", "previous match", id="text.previous", show=False),
        Binding("v", "form", "text, JSON, hex", id="text.form"),
        Binding("C", "save", "save the text to a file", id="text.save"),
        Binding("escape", "end_search", "end the search", id="text.end_search", show=False),
    ]

    DEFAULT_CSS = """
    TextPane { width: 1fr; height: 1fr; }
    TextPane #foot-prompt { display: none; height: 1; }
    TextPane.prompting #foot-prompt { display: block; }
    TextPane.prompting #foot { display: none; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._title = ""
        self._note = ""
        self._text = ""
        self._has_controls = False
        self._bytes: bytes | None = None
        self._form = "text"
        self._query = ""
        self._matches = Matches()
        self._asking = "/"
        self._facts = ""
        self._tints: Mapping[int, str] | None = None
        self._own_lines: Collection[int] = ()

    def compose(self) -> ComposeResult:
        """Title, text, foot."""
        yield Bar(ground="surface", id="title")
        yield TextView(id="text")
        yield Bar(ground="surface", id="foot")
        yield Prompt(id="foot-prompt")

    @property
    def view(self) -> TextView:
        """The text itself."""
        return self.query_one(TextView)

    def show(
        self,
        title: str,
        text: str,
        *,
        data: bytes | None = None,
        note: str = "",
        tints: Mapping[int, str] | None = None,
        own_lines: Collection[int] = (),
    ) -> None:
        """Show a text.

        Args:
            title: Name of the text; untrusted.
            text: The text; untrusted.
            data: Its bytes where they are known, for the hex form and for saving.
            note: What should be said about the whole, such as that it was cut.
            tints: Line, from 0 → colour token, for lines that are not the text's own.
            own_lines: Lines that we wrote.
        """
        self._tints, self._own_lines = tints, own_lines
        self._title, self._text, self._bytes, self._note = title, text, data, note
        self._has_controls = len(text) > _LOOKED_CHARS or has_controls(text)
        image = image_facts(text)
        self._facts = f"{image.words}, {size_words(image.bytes)}, as base64" if image else ""
        self._form, self._query, self._matches = "text", "", Matches()
        self.remove_class("prompting")
        self.view.show_text(text, tints, own_lines)
        self._draw_bars()

    def clear(self, title: str, note: str) -> None:
        """Show that there is no text, and why.

        Args:
            title: Name of what has no text.
            note: Why; untrusted.
        """
        self.show(title, "", note=note)

    @property
    def data(self) -> bytes:
        """The bytes of the text: those given, else UTF-8 (a lone surrogate as three bytes)."""
        return self._bytes if self._bytes is not None else self._text.encode("utf-8", "surrogatepass")

    # -- forms --------------------------------------------------------------------------------

    def action_form(self) -> None:
        """Show the next form; JSON is left out, with a word why, where the text is none."""
        following = _FORMS[(_FORMS.index(self._form) + 1) % len(_FORMS)]
        if following == "JSON":
            problem = json_problem(self._text)
            if problem:
                following = "hex"
                self.notify(f"Not JSON: {problem}. Shown in hex.", markup=False)
        self._set_form(following)

    def _set_form(self, form: str) -> None:
        self._form = form
        if form == "hex":
            self.view.show_bytes(self.data)
        else:
            laid_out = form == "JSON"
            text = lay_out_json(self._text) if laid_out else self._text
            own = () if laid_out else self._own_lines
            self.view.show_text(text, None if laid_out else self._tints, own)
        self._matches = self.view.search(self._query)
        self._draw_bars()

    def action_save(self) -> None:
        """Save the exact bytes into the downloads folder; never beside a session."""
        self.app.deliver_binary(io.BytesIO(self.data), save_filename="inspector-text.txt")

    # -- finding ------------------------------------------------------------------------------

    def action_prompt(self, kind: str) -> None:
        """Ask for what to search (`/`) or for a line number (`:`)."""
        if self._form == "hex":
            self._set_form("text")
        self._asking = kind
        prompt = self.query_one(Prompt)
        prompt.value = ""
        prompt.placeholder = "search" if kind == "/" else "line"
        self.add_class("prompting")
        self.screen.set_focus(prompt)

    @on(Input.Submitted)
    def _answer(self, event: Input.Submitted) -> None:
        event.stop()
        if self._asking == ":":
            digits = event.value.strip()
            if digits.isdecimal() and len(digits) < 12:
                self.view.go_to_line(int(digits))
            elif digits:
                self.notify("A line number has digits only.", severity="warning", markup=False)
        else:
            self._search(event.value)
        self._end_prompt()

    def _search(self, query: str) -> None:
        self._query = query
        self._matches = self.view.search(query)

    def _end_prompt(self) -> None:
        self.remove_class("prompting")
        self.screen.set_focus(self.view)
        self._draw_bars()

    def action_match(self, step: int) -> None:
        """Go to the next or previous match."""
        self.view.step_match(step)
        self._draw_bars()

    def action_end_search(self) -> None:
        """Leave the prompt, else the search; with neither the screen's own Esc acts.

        Raises:
            SkipAction: There is nothing to end here.
        """
        if self.has_class("prompting"):
            self._end_prompt()
        elif self._query:
            self._search("")
            self._draw_bars()
        else:
            raise SkipAction

    # -- bars ---------------------------------------------------------------------------------

    @on(LineView.Highlighted)
    def _moved(self, event: LineView.Highlighted) -> None:
        event.stop()
        self._draw_bars()

    @on(TextView.Refused)
    def _refused(self, event: TextView.Refused) -> None:
        event.stop()
        self.notify(event.reason, severity="warning", markup=False)

    def _draw_bars(self) -> None:
        view = self.view
        rows = view.text_rows
        title = [Word(self._title, "strong", bold=True)]
        if self._form != "text":
            title.append(Word(self._form, "accent"))
        if rows is None:
            where = f"{number(len(self.data))} bytes"
        elif rows.document.line_count:
            where = f"line {view.line} of {rows.document.line_count}"
        else:
            where = ""
        self.query_one("#title", Bar).show(title, [Word(where, "muted")] if where else [])
        self.query_one("#foot", Bar).show(self._foot(), self._legend())

    def _foot(self) -> list[Word]:
        if self._query:
            rows = self.view.text_rows
            count = number(len(self._matches)) + ("+" if self._matches.capped else "")
            at = f"{rows.current + 1} of {count}" if rows and rows.current >= 0 else "no match"
            return [Word(f"/{self._query}", "accent", bold=True), Word(at, "muted", gap=3)]
        notes = [note for note in (self._note, self._facts) if note]
        if not notes:
            notes = [count_words(len(self._text), "char")]
        return [Word(note, "muted") for note in notes]

    def _legend(self) -> list[Word]:
        if not self._has_controls:
            return []
        return [Word("!", "replaced", bold=True), Word("line has control characters", "muted", gap=1)]
