"""Break conditions to choose from: those that make sense in the session shown."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from inspector.app.frame import Frame
from inspector.app.keys import key_hints
from inspector.app.stops import Stop, StopKind
from inspector.app.theme import Ink
from inspector.app.widgets.bar import Bar, Word, hints
from inspector.app.widgets.drawing import Line
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.question import Question, QuestionLine
from inspector.model.policy import Unit
from inspector.replay.sentences import UNIT_WORDS
from inspector.text import fit

READY = (
    Stop(StopKind.BUDGET, 100),
    Stop(StopKind.SIZE, 20_000),
    Stop(StopKind.BREAK),
    Stop(StopKind.REPAIR),
)
"""Offered in every session; those with a figure ask for it."""
LOOKED_TURNS = 200
"""Newest turns whose tools are offered."""


@dataclass(frozen=True, slots=True)
class StopsAnswer:
    """What was chosen."""

    stops: frozenset[Stop]
    step: int = 0
    """Run on from here: 1 forwards, -1 backwards; 0: do not run."""


def offered(frame: Frame, chosen: Collection[Stop]) -> list[Stop]:
    """Conditions for a session: the ready ones, its kinds of findings, its tools.

    Args:
        frame: The session as of a request.
        chosen: Conditions that are set, with their own figures.
    """
    view = frame.view
    figures: dict[StopKind, Stop] = {
        stop.kind: stop for stop in chosen if stop.kind in (StopKind.BUDGET, StopKind.SIZE)
    }
    out = [figures.get(stop.kind, stop) for stop in READY]
    kinds = sorted({f.kind for f in view.findings if f.request is not None})
    out += [Stop(StopKind.FINDING, kind) for kind in kinds]
    tools: set[str] = set()
    newest = view.turn_count(frame.request)
    for turn in range(newest, max(0, newest - LOOKED_TURNS), -1):
        tools.update(name for name, _ in view.turn(turn, frame.request).tools)
    out += [Stop(StopKind.TOOL, tool) for tool in sorted(tools - {"", "(no call)"})]
    return out + sorted(
        (stop for stop in chosen if stop not in out), key=lambda stop: stop.words(view.policy.unit)
    )


class StopRows:
    """Rows of the list."""

    def __init__(self, stops: Sequence[Stop], chosen: Collection[Stop], revision: int, unit: Unit) -> None:
        """Show conditions.

        Args:
            stops: All that are offered.
            chosen: Those that are set.
            revision: Rises with each change.
            unit: What sizes are counted in.
        """
        self.stops = stops
        self.chosen = chosen
        self.revision = revision
        self.unit = unit

    def __len__(self) -> int:
        return len(self.stops)

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """A cross for a chosen one, and its words."""
        stop = self.stops[row]
        on = stop in self.chosen
        line = Line(ink, "select" if selected else "surface")
        line.put("▌" if selected else " ", "accent")
        line.at(2, "[×]" if on else "[ ]", "accent" if on else "muted", bold=on or None)
        return line.at(
            6, fit(stop.words(self.unit), width - 7), "strong" if on else "fg", bold=on or None
        ).segments


class StopsScreen(ModalScreen[StopsAnswer | None]):
    """A window over the ledger; left with what was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,B", "leave(0)", "done", id="stops.done", tooltip="Keep what is chosen"),
        Binding("r", "leave(1)", "run on", id="stops.run", tooltip="Run to the next hit"),
        Binding("R", "leave(-1)", "run back", id="stops.run_back", tooltip="Run back to the hit before"),
        Binding("space", "choose", "choose", id="stops.choose", tooltip="Choose or drop a condition"),
        Binding("equals_sign", "figure", "figure", id="stops.figure", tooltip="Change the figure"),
    ]

    DEFAULT_CSS = """
    StopsScreen { align: center middle; background: $bg 60%; }
    StopsScreen > Vertical { width: 64; max-width: 96%; height: auto; max-height: 80%; background: $surface; }
    StopsScreen LineView { background: $surface; height: auto; max-height: 24; }
    """

    def __init__(self, frame: Frame, chosen: Collection[Stop]) -> None:
        """Offer conditions.

        Args:
            frame: The session as of a request.
            chosen: What is set already.
        """
        super().__init__()
        self._chosen = set(chosen)
        self._offered = offered(frame, chosen)
        self._unit = frame.view.policy.unit
        self._revision = 0

    def compose(self) -> ComposeResult:
        """Title, list, hints."""
        with Vertical():
            yield Bar([Word("Break at", "strong", bold=True)], ground="panel")
            yield LineView(ground="surface", id="stops")
            yield Bar(ground="panel", id="keys")
            yield QuestionLine(id="asked")

    def on_mount(self) -> None:
        """Show the list."""
        self.query_one("#stops").focus()
        self._refill()
        self.call_after_refresh(self._draw_keys)

    def _draw_keys(self) -> None:
        keys = (
            ("choose", ("stops.choose",), ""),
            ("figure", ("stops.figure",), ""),
            ("run", ("stops.run",), ""),
            ("run back", ("stops.run_back",), ""),
            ("done", ("stops.done",), ""),
        )
        self.query_one("#keys", Bar).show(hints(key_hints(self, keys)))

    def _refill(self) -> None:
        self._revision += 1
        rows = StopRows(self._offered, frozenset(self._chosen), self._revision, self._unit)
        self.query_one("#stops", LineView).set_rows(rows)

    @property
    def _cursor(self) -> int:
        return self.query_one("#stops", LineView).cursor

    @on(LineView.Picked)
    def action_choose(self) -> None:
        """Choose the condition under the cursor, or drop it."""
        self._chosen ^= {self._offered[self._cursor]}
        self._refill()

    def action_figure(self) -> None:
        """Ask for the figure of the condition under the cursor."""
        row = self._cursor
        stop = self._offered[row]
        if stop.kind not in (StopKind.BUDGET, StopKind.SIZE):
            return

        def take(words: str) -> None:
            digits = words.strip().replace(",", "").replace("_", "")
            if digits.isascii() and digits.isdecimal() and len(digits) < 16:
                self._chosen.discard(stop)
                self._offered[row] = replace(stop, value=int(digits))
                self._chosen.add(self._offered[row])
                self._refill()

        label = "percent of the turn's budget" if stop.kind is StopKind.BUDGET else UNIT_WORDS[self._unit]
        self.query_one(QuestionLine).ask(Question(label, take, start=str(stop.value)))

    @on(QuestionLine.Ended)
    def _back_to_list(self) -> None:
        self.query_one("#stops").focus()

    def action_leave(self, step: int) -> None:
        """Leave the question, or the window with what is chosen."""
        line = self.query_one(QuestionLine)
        if line.question is not None:
            line.leave()
        else:
            self.dismiss(StopsAnswer(frozenset(self._chosen), step))
