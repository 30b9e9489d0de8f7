"""The compare screen: two policies side by side, where they differ, and the trade in words.

Any two may be chosen: the one that the session was opened under, the edited one, the presets, and
`recorded`, which does only what the session's own records prove.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical

from inspector.app.feed import Jump
from inspector.app.frame import Frame
from inspector.app.replaying import ReplayingScreen
from inspector.app.sources.policies import Policies
from inspector.app.widgets.bar import Bar, Word
from inspector.app.widgets.compare_curve import MORE, SAVED, SOLID, CompareCurve
from inspector.app.widgets.compare_rows import DifferenceHead, RequestDifferences, ResultDifferences
from inspector.app.widgets.fact_lines import FactLines
from inspector.app.widgets.header import Header
from inspector.app.widgets.key_bar import KeyBar
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.policy_rows import FieldHead, FieldRows
from inspector.app.widgets.totals import TotalsTable
from inspector.figures import count_words, number
from inspector.model.policy import Policy
from inspector.model.policy_fields import changed_fields
from inspector.replay.differences import Comparison
from inspector.replay.sentences import UNIT_WORDS
from inspector.replay.trade import CAVEAT

TALL, WIDE = 30, 100
HINTS = (
    ("request", ("compare.back_one", "compare.on_one")),
    ("row", ("rows.up", "rows.down")),
    ("go there", ("rows.pick",)),
    ("fields, list", ("compare.pane",)),
    ("list", ("compare.list",)),
    ("policies", ("compare.a", "compare.b"), "/"),
    ("turn round", ("compare.turn",)),
    ("back", ("compare.back",)),
)
"""Words of the bottom line and the actions that they stand for."""


class CompareScreen(ReplayingScreen[Jump | None]):
    """Two policies over the session; left with a place in it, or with None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "request back", id="compare.back_one", tooltip="One request back"),
        Binding("right", "step(1)", "request on", id="compare.on_one", tooltip="One request on"),
        Binding("a", "choose('a', 1)", "next policy A", id="compare.a", tooltip="Another policy as A"),
        Binding("A", "choose('a', -1)", "policy A before", id="compare.a_before"),
        Binding("b", "choose('b', 1)", "next policy B", id="compare.b", tooltip="Another policy as B"),
        Binding("B", "choose('b', -1)", "policy B before", id="compare.b_before"),
        Binding("t", "turn_round", "turn round", id="compare.turn", tooltip="A becomes B, and B becomes A"),
        Binding("l", "list", "results, requests", id="compare.list",
                tooltip="List the results that change, or the requests"),
        Binding("tab", "pane", "next pane", id="compare.pane", tooltip="Between the fields and the list"),
        Binding("escape", "leave", "back", id="compare.back", tooltip="Back to the ledger"),
    ]  # fmt: skip

    DEFAULT_CSS = """
    CompareScreen { background: $bg; }
    CompareScreen #space { height: 1; }
    CompareScreen #top { height: 14; }
    CompareScreen #fields { width: 54; }
    CompareScreen #totals { width: 1fr; border-left: vkey $line; }
    CompareScreen #sentence { display: none; height: 2; }
    CompareScreen #curve { height: 1fr; }
    CompareScreen #list { height: 7; }
    CompareScreen #list LineView { height: 1fr; }
    CompareScreen.-short #space { display: none; }
    CompareScreen.-short #top { height: 9; }
    CompareScreen.-short #sentence { display: block; }
    CompareScreen.-short #list { height: 5; }
    CompareScreen.-narrow #fields { width: 40; }
    """

    def __init__(self, frame: Frame, policies: Policies) -> None:
        """Open the screen: base against what-if, else what was recorded against what is predicted.

        Args:
            frame: The session, and the request to begin at.
            policies: Who replays.
        """
        super().__init__()
        self.frame = frame
        self.request = frame.request
        self._policies = policies
        self._choices: Sequence[Policy] = policies.choices()
        self.a, self.b = self._first_pair()
        self.comparison: Comparison | None = None
        self.lists_requests = False
        self._revision = 0
        self._problem = ""

    def _first_pair(self) -> tuple[Policy, Policy]:
        base, current = self._policies.base, self._policies.current
        if changed_fields(base, current):
            return base, current
        others = [policy for policy in self._choices[::-1] if changed_fields(base, policy)]
        if not others:
            return base, base
        # `recorded` comes last among the choices, so it is the first one met from behind.
        return (others[0], base) if others[0] is self._choices[-1] else (base, others[0])

    def compose(self) -> ComposeResult:
        """Header, policies, fields beside totals, curve, list, hints."""
        yield Header()
        yield Bar(id="policies")
        yield Bar(id="space")
        with Horizontal(id="top"):
            with Vertical(id="fields"):
                yield FieldHead("A", "B", id="field-head")
                yield LineView(id="field-rows")
            yield TotalsTable("A", "B", id="totals")
        yield FactLines(id="sentence")
        yield Bar(ground="surface", id="curve-head")
        yield CompareCurve(id="curve")
        with Vertical(id="list"):
            yield DifferenceHead(id="list-head")
            yield LineView(id="list-rows")
        yield KeyBar(HINTS)

    def on_mount(self) -> None:
        """Show the policies, and ask for the figures."""
        self.query_one(Header).frame = self.frame
        self.query_one("#list-rows").focus()
        self._ask()

    def on_resize(self, event: events.Resize) -> None:
        """Choose what has room."""
        self.set_class(event.size.height < TALL, "-short")
        self.set_class(event.size.width < WIDE, "-narrow")
        self.call_after_refresh(self._draw_policies)

    # -- figures ------------------------------------------------------------------------------

    def _ask(self) -> None:
        self.comparison = None
        self._problem = ""
        self._revision += 1
        rows = FieldRows(self.a, self.b, self._revision)
        first = next((n for n, change in enumerate(rows.changes) if change.differs), 0)
        self.query_one("#field-rows", LineView).set_rows(rows, cursor=first)
        self.query_one(TotalsTable).show(None, "replaying …")
        self._draw_policies()
        self.ask(self._policies, self.a, self.b, show=False)

    @on(ReplayingScreen.Replayed)
    def _take(self, event: ReplayingScreen.Replayed) -> None:
        if (event.a, event.b) != (self.a, self.b):
            return
        self.comparison, self._problem = event.comparison, event.problem
        totals = self.query_one(TotalsTable)
        totals.show(self.comparison, self._problem)
        trade = totals.trade if self.size.width >= WIDE else totals.short_trade
        self.query_one("#sentence", FactLines).show([("", trade)] if trade else [])
        self._draw_policies()
        self._draw_list()
        self._draw_curve()

    def _draw_policies(self) -> None:
        changed = len(changed_fields(self.a, self.b))
        words = [
            Word("Compare", "strong", bold=True),
            Word("A", "muted", gap=3), Word(self.a.name, "fg", bold=True, gap=1),
            Word("B", "muted", gap=3), Word(self.b.name, "accent", bold=True, gap=1),
        ]  # fmt: skip
        if self.size.width >= WIDE:
            differ = "differs" if changed == 1 else "differ"
            words.append(Word(f"{count_words(changed, 'field')} {differ}", "muted", gap=3))
        right = Word(CAVEAT if self.size.width >= WIDE else "≈ a replay", "muted")
        self.query_one("#policies", Bar).show(words, [right])

    def _draw_curve(self) -> None:
        request = f"request {self.request}"
        wide = self.size.width >= WIDE
        if self.a.unit is not self.b.unit:
            unit = UNIT_WORDS[self.a.unit]
            about = f"{unit} on the wire; B counts in {UNIT_WORDS[self.b.unit]}" if wide else unit
            words = [Word(about, "replaced", whole=True)]
        else:
            unit = UNIT_WORDS[self.a.unit]
            about = f"{unit} on the wire per request" if wide else f"{unit} on the wire"
            words = [Word(about, "muted", whole=True)]
        found = self.comparison
        if found is not None and found.requests:
            row = found.requests[min(max(1, self.request), len(found.requests)) - 1]
            approx = "≈" if found.is_converted else ""
            sizes = f"A {number(row.a_chars)}   B {approx}{number(row.b_chars)}"
            words += [Word(request, "accent", bold=True, gap=3), Word(sizes, "fg", whole=True)]
        right = [
            Word(SOLID, "bar"), Word("B", "muted", gap=1), Word(SAVED, "must-reapply"),
            Word("B saves", "muted", gap=1), Word(MORE, "over-budget"), Word("B adds", "muted", gap=1),
        ]  # fmt: skip
        self.query_one("#curve-head", Bar).show(words, right)
        self.query_one(CompareCurve).show(found, self.request)

    def _draw_list(self) -> None:
        found = self.comparison
        if found is None:
            return
        self._revision += 1
        view, head = self.query_one("#list-rows", LineView), self.query_one(DifferenceHead)
        if self.lists_requests:
            changed = [row for row in found.requests if row.differs]
            head.show(f"{number(len(changed))} of {count_words(len(found.requests), 'request')} change")
            near = next((n for n, row in enumerate(changed) if row.n >= self.request), len(changed) - 1)
            view.set_rows(RequestDifferences(changed, self._revision), cursor=max(0, near))
        else:
            head.show(f"{count_words(len(found.results), 'result')} that change, the most first")
            view.set_rows(ResultDifferences(found.results, self._revision), cursor=0)

    # -- actions ------------------------------------------------------------------------------

    def go_to(self, request: int) -> None:
        """Show another request of the curve.

        Args:
            request: From 1; taken as far as there are requests.
        """
        count = len(self.comparison.requests) if self.comparison is not None else 0
        if count:
            self.request = max(1, min(request, count))
            self._draw_curve()

    def action_step(self, requests: int) -> None:
        """Move by some requests."""
        self.go_to(self.request + requests)

    @on(CompareCurve.RequestPicked)
    def _go_to_clicked(self, event: CompareCurve.RequestPicked) -> None:
        self.go_to(event.request)

    def action_choose(self, side: str, step: int) -> None:
        """Take another policy as A or B."""
        now = self.a if side == "a" else self.b
        at = self._choices.index(now) if now in self._choices else 0
        chosen = self._choices[(at + step) % len(self._choices)]
        if side == "a":
            self.a = chosen
        else:
            self.b = chosen
        self._ask()

    def action_turn_round(self) -> None:
        """Look at it from the other side."""
        self.a, self.b = self.b, self.a
        self._ask()

    def action_list(self) -> None:
        """List results or requests."""
        self.lists_requests = not self.lists_requests
        self._draw_list()
        self.query_one("#list-rows").focus()

    def action_pane(self) -> None:
        """Go between the fields and the list."""
        rows, fields = self.query_one("#list-rows"), self.query_one("#field-rows")
        (fields if self.focused is rows else rows).focus()

    @on(LineView.Picked, "#list-rows")
    def _picked(self, event: LineView.Picked) -> None:
        rows = event.view.rows
        if isinstance(rows, ResultDifferences):
            row = rows.rows[event.row]
            reason = f"A and B part here: A sends {number(row.a_sent)} of it in all, B {number(row.b_sent)}."
            self.dismiss(Jump(request=row.request, result=row.index, reason=reason))
        elif isinstance(rows, RequestDifferences):
            sent = rows.rows[event.row]
            reason = f"A sends {number(sent.a_chars)} in this request, B {number(sent.b_chars)}."
            self.dismiss(Jump(request=sent.n, reason=reason))

    def action_leave(self) -> None:
        """Go back to the ledger."""
        self.dismiss(None)
