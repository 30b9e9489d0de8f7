"""The why screen: what fills the request shown, largest first, and the causes over the whole session.

All bars have one scale, those of the parts that are no results too, so that no part can hide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.worker import get_current_worker

from inspector.app.feed import Jump
from inspector.app.sources import Reason, Share, WhyAnswer, WhySource
from inspector.app.theme import Ink
from inspector.app.widgets.bar import Bar, Word
from inspector.app.widgets.bars import EIGHTHS
from inspector.app.widgets.drawing import FixedLines, Line
from inspector.app.widgets.fact_lines import FactLines
from inspector.app.widgets.key_bar import KeyBar
from inspector.app.widgets.line_view import LineView
from inspector.errors import InspectorError
from inspector.text import count_words, estimate, fit, number, percent

RANKS = ("chars now", "sent in all", "tokens")
"""What results can be ranked by."""
SHOWN = 12
"""Results with a row of their own; the others are summed up in one, so that the other parts stay in sight."""
_LOUD = {"error": ("×", "over-budget"), "warning": ("!", "replaced"), "info": ("·", "muted")}
"""Loudness of a cause → sign and colour token."""

HINTS = (
    ("choose", ("rows.up", "rows.down")),
    ("go there", ("rows.pick",)),
    ("rank by", ("why.rank",)),
    ("causes", ("why.list",)),
    ("all results", ("why.unfold",)),
    ("back", ("why.back",)),
)
"""Words of the bottom line and the actions that they stand for."""


class _Layout(NamedTuple):
    bar: int
    """Cells of the longest bar."""
    share: int
    """Last cell of the share."""
    size: int
    """Last cell of the size."""
    what: int
    """First cell of the name."""


def _layout(width: int) -> _Layout:
    bar = 20 if width >= 100 else 8
    return _Layout(bar, 6 + bar + 6, 6 + bar + 19, 6 + bar + 22)


def figure(share: Share, rank: str) -> int:
    """What a part is ranked by."""
    if rank == "sent in all":
        return share.in_all_chars or share.chars
    return share.tokens if rank == "tokens" else share.chars


class ShareRows:
    """Rows of the parts of a request."""

    def __init__(self, rows: Sequence[Share], whole: int, rank: str, revision: int) -> None:
        """Args:
        rows: Results by rank, then the other parts.
        whole: What the shares are shares of.
        rank: One of `RANKS`.
        revision: Rises with every change.
        """
        self.rows = rows
        self.revision = revision
        self._whole = max(1, whole)
        self._rank = rank
        self._longest = max((figure(r, rank) for r in rows), default=1) or 1

    def __len__(self) -> int:
        return len(self.rows)

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Place, bar, share, size, what it is, first request."""
        share = self.rows[row]
        size = figure(share, self._rank)
        layout = _layout(width)
        is_result = share.result is not None
        line = Line(ink, "select" if selected else "bg")
        line.put("▌" if selected else " ", "accent")
        if is_result:
            line.right(3, str(row + 1), "muted")
        line.to(6)
        eighths = max(1, round(size / self._longest * layout.bar * 8)) if size else 0
        line.put(EIGHTHS[8] * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else ""), "bar")
        line.right(layout.share, percent(size, self._whole), "muted")
        words = estimate(size) if self._rank == "tokens" else number(size)
        line.right(layout.size, words, "strong" if is_result else "fg", bold=is_result or None)
        room = width - layout.what - 9
        name = fit(share.name, max(4, room))
        line.at(layout.what, name, "strong" if is_result else "muted", bold=is_result or None)
        left = width - 9 - line.cell - 1
        if share.words and left > 3:
            # What tells paths apart is their end.
            line.put(" ").put(fit(share.words, left, "end" if share.words.startswith("/") else "start"))
        if share.request is not None:
            line.right(width - 2, f"→ {share.request}", "accent")
        return line.segments


class ReasonRows:
    """Rows of the causes."""

    def __init__(self, rows: Sequence[Reason], revision: int) -> None:
        self.rows = rows
        self.revision = revision

    def __len__(self) -> int:
        return len(self.rows)

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Sign, kind, sentence, request."""
        reason = self.rows[row]
        sign, name = _LOUD.get(reason.loud, _LOUD["info"])
        line = Line(ink, "select" if selected else "bg")
        line.put("▌" if selected else " ", "accent").at(2, sign, name, bold=True)
        kind = 24 if width >= 100 else 18
        line.at(4, fit(reason.kind.replace("_", " "), kind - 1), name)
        line.at(4 + kind, fit(reason.sentence, width - kind - 14))
        if reason.request is not None:
            line.right(width - 2, f"→ {reason.request}", "accent")
        return line.segments


class ShareHead(FixedLines):
    """The list's head, in its columns."""

    ground = "surface"

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:  # noqa: ARG002 (it has one row)
        """Draw the names of the columns."""
        layout = _layout(width)
        line = Line(ink, "surface").right(3, "#", "muted").at(6, "share", "muted")
        line.right(layout.size, "size", "muted").at(layout.what, "what", "muted")
        return line.right(width - 2, "since", "muted")


class WhyScreen(Screen[Jump | None]):
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

    def compose(self) -> ComposeResult:
        """Title, parts of the request, causes, detail, hints."""
        yield Bar([Word("Why", "strong", bold=True)], ground="panel", id="title")
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
        shown = len(ranked) if self._unfolded else SHOWN
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
        tokens = f"{number(answer.tokens)} tokens" if answer.tokens is not None else ""
        left = [
            Word("Why", "strong", bold=True),
            Word(f"request {answer.request}:", "muted", gap=3),
            Word(number(answer.chars), "strong", bold=True, gap=1),
            Word(answer.unit, "muted", gap=1),
        ]
        if answer.thinking_chars:
            left.append(Word(f"+ {number(answer.thinking_chars)} of thinking", "muted", gap=1))
        if tokens:
            left.append(Word(tokens, "strong", bold=True, gap=3))
        right = [Word("rank by", "muted")]
        right += [
            Word(r, "accent" if r == self._rank else "muted", bold=r == self._rank, gap=1 if not at else 2)
            for at, r in enumerate(RANKS)
        ]
        self.query_one("#title", Bar).show(left, right)
        self.query_one("#rule", Bar).show(
            [
                Word("Causes", "strong", bold=True),
                Word(f"{len(answer.reasons)} over the whole session", "muted"),
            ]
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
            self.dismiss(Jump(request=chosen.request, id=chosen.id, reason=chosen.sentence))
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

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)
