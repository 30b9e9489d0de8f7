"""The why screen: what fills the request shown, largest first, and the causes over the whole session.

All bars have one scale, those of the parts that are no results too, so that no part can hide.
"""

from __future__ import annotations

from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.worker import get_current_worker

from inspector.app.feed import FeedUpdate, Jump
from inspector.app.screens.headed import HeadedScreen
from inspector.app.sources.why import Reason, Share, WhyAnswer, WhySource
from inspector.app.widgets.bar import Bar, Word
from inspector.app.widgets.fact_lines import FactLines
from inspector.app.widgets.key_bar import KeyBar
from inspector.app.widgets.ledger_rows import size_text
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.why_rows import WIDE, ReasonRows, ShareHead, ShareRows, figure
from inspector.errors import InspectorError
from inspector.figures import count_words, number
from inspector.replay.usage_totals import UsageTotals
from inspector.text import cells

RANKS = ("now", "sent in all", "tokens")
"""What results can be ranked by; the first with the unit in front of it."""
SHOWN, LEAST_SHOWN = 12, 5
"""Results with a row of their own, and where the screen is low; the others are summed up in one row, so
that the other parts and the causes stay in sight."""
OTHER_ROWS = 19
"""Rows of the screen that are no results with a row of their own."""
HINTS = (
    ("choose", ("rows.up", "rows.down")),
    ("go there", ("rows.pick",)),
    ("rank by", ("why.rank",)),
    ("causes", ("why.list",)),
    ("all results", ("why.unfold",)),
    ("back", ("why.back",)),
)
"""Words of the bottom line and the actions that they stand for."""


def _usage_words(usage: UsageTotals | None, *, wide: bool) -> list[Word]:
    """Tokens of the whole session; the output first, for no other screen has it."""
    if usage is None:
        return [Word("No answer of the session says what it used.", "muted")]
    answers = f" of {count_words(usage.answers, 'answer')}" if wide else ""
    out = [Word(f"tokens{answers}:", "muted")]
    for what, tokens in (
        ("output", usage.output),
        ("input", usage.input),
        ("read", usage.cache_read),
        ("written", usage.cache_creation),
    ):
        out += [Word(what, "muted"), Word(number(tokens), "fg", gap=1)]
    return out


class WhyScreen(HeadedScreen):
    """What fills a request; left with the place of a result or a cause, or with None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "back", id="why.back"),
        Binding("r", "rank(1)", "rank by", id="why.rank"),
        Binding("R", "rank(-1)", "rank by the one before", id="why.rank_back"),
        Binding("z", "unfold", "all results", id="why.unfold"),
        Binding("tab", "other_list", "results, causes", id="why.list", priority=True),
    ]

    DEFAULT_CSS = """
    WhyScreen { background: $bg; }
    WhyScreen #shares { height: auto; max-height: 60%; }
    WhyScreen #reasons { height: 1fr; }
    WhyScreen #rule { height: 1; }
    WhyScreen #detail { height: 4; }
    WhyScreen.-narrow #detail { height: 5; }
    WhyScreen #note { height: 1; display: none; }
    """

    class Answered(Message):
        """The worker has the answer, or says why there is none."""

        def __init__(self, answer: WhyAnswer | None, problem: str) -> None:
            super().__init__()
            self.answer = answer
            self.problem = problem

    def __init__(self, source: WhySource, request: int) -> None:
        """Explain one request.

        Args:
            source: Who knows.
            request: The request shown.
        """
        super().__init__()
        self._source = source
        self._request = request
        self._answer: WhyAnswer | None = None
        self._rank = RANKS[0]
        self._unfolded = False
        self._revision = 0
        self._known: int | None = None
        """Revision of the session that the causes are of."""
        self._grown = False
        """Whether it has grown since."""

    def compose(self) -> ComposeResult:
        """Title, parts of the request, causes, detail, hints."""
        yield from self.compose_header()
        yield Bar([Word("Why", "strong", bold=True)], ground="panel", id="title")
        yield Bar(id="usage")
        yield ShareHead()
        yield Bar(id="note")
        yield LineView(id="shares")
        yield Bar(ground="surface", id="rule")
        yield LineView(id="reasons")
        yield FactLines(id="detail")
        yield KeyBar(HINTS)

    def on_mount(self) -> None:
        """Ask for the answer."""
        self.query_one("#shares").focus()
        self._note(f"Request {self._request} is being explained …")
        self._ask()
        if hasattr(self.app, "update"):
            self._known = self.app.update.view.revision if self.app.update is not None else None
            self.watch(self.app, "update", self.take_update, init=False)

    def take_update(self, update: FeedUpdate | None) -> None:
        """Say that the causes are not those of now: to find them again takes a pass over the session."""
        grown = update is not None and self._known not in (None, update.view.revision)
        if grown and not self._grown and self._answer is not None:
            self._grown = True
            self._draw_title(self._answer)

    @work(thread=True, exclusive=True, group="why")
    def _ask(self) -> None:
        worker = get_current_worker()
        try:
            answer, problem = self._source.answer(self._request), ""
        except InspectorError as error:
            answer, problem = None, str(error)
        if not worker.is_cancelled:
            self.post_message(self.Answered(answer, problem))

    @on(Answered)
    def _answered(self, message: Answered) -> None:
        self._answer = message.answer
        if message.answer is None:
            self._note(message.problem)
            return
        self._note("" if message.answer.results else "This request holds no results.")
        self._revision += 1
        reasons = ReasonRows(message.answer.reasons, self._revision)
        self.query_one("#reasons", LineView).set_rows(reasons, cursor=0)
        self._fill()

    def _note(self, words: str) -> None:
        bar = self.query_one("#note", Bar)
        bar.display = bool(words)
        bar.show([Word(words, "muted")] if words else [])

    def _fill(self) -> None:
        answer = self._answer
        if answer is None:
            return
        ranked = sorted(answer.results, key=lambda s: -figure(s, self._rank))
        rest = list(answer.rest)
        room = max(LEAST_SHOWN, min(SHOWN, self.size.height - OTHER_ROWS))
        shown = len(ranked) if self._unfolded else room
        if len(ranked) > shown:
            others = ranked[shown:]
            name = count_words(len(others), "other result")
            tokens, in_all = sum(s.tokens for s in others), sum(s.in_all_chars for s in others)
            chars = sum(s.chars for s in others)
            rest.insert(0, Share(name, chars=chars, tokens=tokens, in_all_chars=in_all))
        if self._rank != "tokens":
            rest = [s for s in rest if s.chars]
        whole = sum(figure(s, self._rank) for s in (*ranked, *answer.rest))
        self._revision += 1
        rows = ShareRows([*ranked[:shown], *rest], whole, self._rank, self._revision)
        self.query_one("#shares", LineView).set_rows(rows, cursor=0)
        self._draw_title(answer)
        self._draw_detail()

    def _draw_title(self, answer: WhyAnswer) -> None:
        wide = self.size.width >= WIDE
        short_unit = answer.unit.removesuffix(" units")
        right = [Word("rank by", "muted")]
        right += [
            Word(
                r if at else f"{short_unit} {r}",
                "accent" if r == self._rank else "muted",
                bold=r == self._rank,
                gap=1 if not at else 2,
            )
            for at, r in enumerate(RANKS)
            if wide or r == self._rank
        ]
        left = [
            Word("Why", "strong", bold=True),
            Word(f"request {answer.request}:", "muted", gap=3),
            Word(size_text(answer.chars, estimated=answer.estimated), "strong", bold=True, gap=1),
            Word(answer.unit if wide else short_unit, "muted", gap=1),
        ]
        tokens = [Word(f"{number(answer.tokens)} tokens", "strong", bold=True, gap=3)]
        thinking = [Word(f"+ {number(answer.thinking_chars)} of thinking", "muted", gap=1)]
        tokens *= answer.tokens is not None
        thinking *= bool(answer.thinking_chars)
        # Thinking has a row of its own in the list; the tokens stand here only.
        needed = sum(word.gap + cells(word.text) for word in (*left, *thinking, *tokens, *right))
        left += thinking * (needed <= self.size.width) + tokens
        self.query_one("#title", Bar).show(left, right)
        self.query_one("#usage", Bar).show(_usage_words(answer.usage, wide=self.size.width >= WIDE))
        shown, total = len(answer.reasons), answer.reasons_total
        figure_words = f"the first {shown} of {number(total)}" if total > shown else f"{shown}"
        self.query_one("#rule", Bar).show(
            [
                Word("Causes", "strong", bold=True),
                Word(f"{figure_words} over the whole session", "muted"),
            ],
            [Word("it has grown since: Esc, then look again", "replaced")] * self._grown,
        )

    @property
    def _on_reasons(self) -> bool:
        return self.focused is not None and self.focused.id == "reasons"

    def selected(self) -> Share | Reason | None:
        """The part or the cause under the cursor of the list that has the focus."""
        view = self.query_one("#reasons" if self._on_reasons else "#shares", LineView)
        rows = view.rows
        if isinstance(rows, ShareRows | ReasonRows) and len(rows):
            return rows.rows[view.cursor]
        return None

    @on(LineView.Highlighted)
    def _draw_detail(self) -> None:
        chosen = self.selected()
        facts: list[tuple[str, str]] = []
        if isinstance(chosen, Reason):
            facts = [("cause", chosen.sentence), *(("and", note) for note in chosen.notes[:3])]
            if chosen.where:
                facts.insert(0, ("in", f"{chosen.where}  {chosen.thread or ''}".rstrip()))
        elif chosen is not None:
            facts = [("part", f"{chosen.name} {chosen.words}".strip())]
            if chosen.sentence:
                facts.append(("sent", chosen.sentence))
        self.query_one("#detail", FactLines).show(facts)

    # -- actions ------------------------------------------------------------------------------

    @on(LineView.Picked)
    def _picked(self) -> None:
        chosen = self.selected()
        if isinstance(chosen, Reason) and (chosen.request is not None or chosen.id):
            self.dismiss(
                Jump(request=chosen.request, id=chosen.id, reason=chosen.sentence, thread=chosen.thread)
            )
        elif isinstance(chosen, Share) and chosen.result is not None:
            self.dismiss(Jump(request=chosen.request, result=chosen.result, reason=chosen.sentence))
        else:
            self.notify("This is of the whole request or session: there is no one place.", markup=False)

    def action_rank(self, step: int) -> None:
        """Rank by something else."""
        self._rank = RANKS[(RANKS.index(self._rank) + step) % len(RANKS)]
        self._fill()

    def action_unfold(self) -> None:
        """Give every result a row of its own, or only the largest."""
        self._unfolded = not self._unfolded
        self._fill()

    def action_other_list(self) -> None:
        """Go to the causes, or back to the results."""
        self.query_one("#shares" if self._on_reasons else "#reasons").focus()

    def on_descendant_focus(self) -> None:
        """Cursor and detail belong to the list that has the focus."""
        for view in self.query(LineView):
            view.show_cursor = view.has_focus
            view.refresh()
        self._draw_detail()

    def on_resize(self) -> None:
        """Give as many results a row as have room, and long sentences another row where rows are short."""
        self.set_class(self.size.width < WIDE, "-narrow")
        if self._answer is not None:
            self._fill()

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)
