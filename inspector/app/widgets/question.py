"""`QuestionLine`: a question in the bottom line, and the words that are typed for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input, Static

from inspector.app.widgets.bar import Bar, Word
from inspector.app.widgets.prompt import Prompt
from inspector.text import printable_line


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and what becomes of the answer."""

    label: str
    answer: Callable[[str], None]
    """Takes what was typed, on Enter."""
    start: str = ""
    """What stands there at first."""
    typed: Callable[[str], None] | None = None
    """Takes every change while one types."""
    left: Callable[[], None] | None = None
    """Called on Esc."""
    complete: Callable[[str], Sequence[str]] | None = None
    """What the typed words could become."""
    note: Sequence[Word] = ()
    """Stands above the prompt; empty: no line for it, unless one is shown later."""


class _Completions(Suggester):
    """The first completion, drawn behind the cursor; → takes it."""

    def __init__(self, complete: Callable[[str], Sequence[str]]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._complete = complete

    async def get_suggestion(self, value: str) -> str | None:
        # The input draws it as it is, so it passes the gate here.
        found = next(iter(self._complete(value)), None)
        return printable_line(found) if found is not None else None


class QuestionLine(Vertical):
    """One question at a time; hidden while nothing is asked."""

    DEFAULT_CSS = """
    QuestionLine { height: auto; background: $surface; display: none; }
    QuestionLine.-asking { display: block; }
    QuestionLine #question-line { height: 1; }
    QuestionLine #question-label {
        width: auto; padding: 0 1; color: $accent; text-style: bold; background: $surface;
    }
    QuestionLine #question { width: 1fr; background: $surface; }
    QuestionLine #question-note { display: none; }
    QuestionLine.-noted #question-note { display: block; }
    """

    class Ended(Message):
        """It was answered or left."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.question: Question | None = None

    def compose(self) -> ComposeResult:
        """Note, label, prompt."""
        yield Bar(ground="surface", id="question-note")
        with Horizontal(id="question-line"):
            yield Static(markup=False, id="question-label")
            yield Prompt(id="question", select_on_focus=False)

    @property
    def prompt(self) -> Prompt:
        """Where one types."""
        return self.query_one("#question", Prompt)

    def ask(self, question: Question) -> None:
        """Ask something; a question that was open is left."""
        self.question = None
        prompt = self.prompt
        prompt.suggester = _Completions(question.complete) if question.complete is not None else None
        with prompt.prevent(Input.Changed):  # only what a person types is told
            prompt.value = question.start
        prompt.cursor_position = len(question.start)
        self.question = question
        self.query_one("#question-label", Static).update(question.label)
        self.note(question.note)
        self.add_class("-asking")
        self.screen.set_focus(prompt)  # now, so that no key typed meanwhile goes elsewhere

    def note(self, words: Sequence[Word], right: Sequence[Word] = ()) -> None:
        """Say something above the prompt."""
        self.query_one("#question-note", Bar).show(words, right)
        self.set_class(bool(words or right), "-noted")

    def leave(self) -> None:
        """End without an answer."""
        question = self.question
        self._end()
        if question is not None and question.left is not None:
            question.left()

    def _end(self) -> None:
        self.question = None
        self.remove_class("-asking")
        self.post_message(self.Ended())

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        if self.question is not None and self.question.typed is not None:
            self.question.typed(event.value)

    @on(Input.Submitted)
    def _answered(self, event: Input.Submitted) -> None:
        event.stop()
        question = self.question
        self._end()
        if question is not None:
            question.answer(event.value)
