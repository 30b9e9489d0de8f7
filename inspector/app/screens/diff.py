"""The diff screen: two texts of one thing against each other, and keys for the other pairs.

All texts are read once and compared in worker threads; the screen only knows pairs of texts, so a
result of the ledger and a block of the wire are shown by the same code.
"""

from __future__ import annotations

from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker, get_current_worker

from inspector.app.diff_texts import Texts, TextsSource
from inspector.app.failures import tells_failure
from inspector.app.widgets.bar import Bar, Word
from inspector.app.widgets.diff_rows import Named
from inspector.app.widgets.diff_view import DiffView
from inspector.app.widgets.key_bar import KeyBar
from inspector.app.widgets.line_view import LineView
from inspector.figures import count_words
from inspector.line_diff import Comparison, compare_texts

HINTS = (
    ("difference", ("diff.next", "diff.previous"), "/"),
    ("pair", ("diff.pair_before", "diff.pair_next")),
    ("side by side", ("diff.form",)),
    ("line", ("rows.up", "rows.down")),
    ("back", ("diff.back",)),
)
"""Words of the bottom line and the actions that they stand for."""


class DiffScreen(Screen[None]):
    """Pairs of texts, one at a time."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "back", id="diff.back"),
        Binding("right_square_bracket,tab", "pair(1)", "next pair of texts", id="diff.pair_next"),
        Binding("left_square_bracket,shift+tab", "pair(-1)", "pair before", id="diff.pair_before"),
    ]

    DEFAULT_CSS = """
    DiffScreen { background: $bg; }
    DiffScreen DiffView { height: 1fr; }
    """

    class TextsRead(Message):
        """The worker read what there is."""

        def __init__(self, texts: Texts) -> None:
            super().__init__()
            self.texts = texts

    class Compared(Message):
        """The worker compared a pair."""

        def __init__(self, at: int, comparison: Comparison) -> None:
            super().__init__()
            self.at = at
            self.comparison = comparison

    def __init__(self, source: TextsSource) -> None:
        """Args:
        source: Who has the texts.
        """
        super().__init__()
        self._source = source
        self._texts = Texts(())
        self._at = 0
        """Number of the pair shown or being compared."""

    def compose(self) -> ComposeResult:
        """Whose texts, which pair, lines, hints."""
        yield Bar(id="facts-line", ground="panel")
        yield Bar(id="pair-line", ground="surface")
        yield DiffView()
        yield KeyBar(HINTS)

    def on_mount(self) -> None:
        """Begin to read."""
        self.query_one(DiffView).focus()
        self._draw_facts()
        self.query_one("#pair-line", Bar).show([Word("reading …", "muted")])
        self._read()

    # -- reading ------------------------------------------------------------------------------

    @work(thread=True, exclusive=True, group="diff", exit_on_error=False)
    def _read(self) -> None:
        message = self.TextsRead(self._source.read())
        if not get_current_worker().is_cancelled:
            self.post_message(message)

    @work(thread=True, exclusive=True, group="diff-pair", exit_on_error=False)
    def _compare(self, at: int) -> None:
        left, right = self._texts.pairs[at]
        message = self.Compared(at, compare_texts(left.text, right.text))
        if not get_current_worker().is_cancelled:
            self.post_message(message)

    @on(Worker.StateChanged)
    def _failed(self, event: Worker.StateChanged) -> None:
        if tells_failure(self, event):
            self.query_one("#pair-line", Bar).show([Word("This could not be read.", "replaced")])

    @on(TextsRead)
    def _begin(self, event: TextsRead) -> None:
        """Show the first pair that differs, else the first one."""
        self._texts = event.texts
        pairs = event.texts.pairs
        if pairs:
            self._show(next((at for at, (a, b) in enumerate(pairs) if a.text != b.text), 0))
            return
        only = "".join(text.name for text in event.texts.texts)
        words = f"There is only one text, {only}." if only else "There is no text of it."
        self.query_one("#pair-line", Bar).show([Word(words, "replaced"), *self._missing()])

    def _show(self, at: int) -> None:
        self._at = at
        self._draw_pair()
        self._compare(at)

    @on(Compared)
    def _take(self, event: Compared) -> None:
        if event.at != self._at:
            return
        left, right = self._texts.pairs[event.at]
        view = self.query_one(DiffView)
        view.show_comparison(event.comparison, Named(left.name, left.note), Named(right.name, right.note))
        self._draw_facts()
        self._draw_pair(self._source.same_words if event.comparison.identical else "")

    # -- drawing ------------------------------------------------------------------------------

    def _draw_facts(self) -> None:
        """Whose texts, and which difference the cursor is at."""
        view = self.query_one(DiffView)
        right: list[Word] = []
        if view.compared is not None:
            count, at = len(view.compared.changes), view.compared.change_at(view.cursor)
            name = "muted" if count else "ok"
            words = count_words(count, "difference") if count else "no difference"
            right = [Word(f"{at + 1} of {words}" if at >= 0 else words, name)]
        title = [Word("Diff", "strong", bold=True), Word(self._source.title, "muted", gap=3)]
        self.query_one("#facts-line", Bar).show(title, right)

    def _draw_pair(self, more: str = "") -> None:
        pairs = self._texts.pairs
        left, right = pairs[self._at]
        words = [
            Word(left.name, "replaced", bold=True),
            Word("│", "muted", gap=1),
            Word(right.name, "fresh", bold=True, gap=1),
        ]
        if len(pairs) > 1:
            words.append(Word(f"pair {self._at + 1} of {len(pairs)}", "muted", gap=3))
        if more:
            words.append(Word(more, "strong", gap=3))
        self.query_one("#pair-line", Bar).show([*words, *self._missing()])

    def _missing(self) -> list[Word]:
        return [Word(f"× {words}", "muted", gap=3) for words in self._texts.missing]

    @on(LineView.Highlighted)
    def _moved(self) -> None:
        self._draw_facts()

    # -- actions ------------------------------------------------------------------------------

    def action_pair(self, step: int) -> None:
        """Show another pair; past the last one comes the first."""
        count = len(self._texts.pairs)
        if count > 1:
            self._show((self._at + step) % count)
        elif count:
            self.notify("There are no other texts of it.", markup=False)

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)
