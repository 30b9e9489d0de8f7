"""What the diff screen compares: the texts of one result, or one block in several requests.

A text that cannot be had is no error here: the screen offers what is there and says what is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

from inspector.app.feed import DetailSource, Tab
from inspector.app.sources.wire import BlockPlace, WireSource
from inspector.errors import InspectorError
from inspector.model.ledger import Level, Lifeline, span_at
from inspector.replay.view import ResultRow
from inspector.session.wire_view import Mark, Side, WireBlockRow, WireView

_AGED = frozenset({Level.TRUNCATED, Level.SUMMARIZED, Level.CLEARED})


@dataclass(frozen=True, slots=True)
class NamedText:
    """One text."""

    name: str
    """What it is, such as `overflow file`."""
    text: str
    """Raw and untrusted."""
    note: str = ""
    """What the source says about it, such as how much of a file was read; untrusted."""


@dataclass(frozen=True, slots=True)
class Texts:
    """All texts of one thing that could be read."""

    texts: Sequence[NamedText]
    missing: Sequence[str] = ()
    """A sentence for each that could not be had; untrusted."""

    @property
    def pairs(self) -> Sequence[tuple[NamedText, NamedText]]:
        """Every two of them, in their order."""
        return tuple(combinations(self.texts, 2))


class TextsSource(Protocol):
    """Whoever has texts to compare."""

    @property
    def title(self) -> str:
        """Whose texts they are; untrusted."""

    @property
    def same_words(self) -> str:
        """What it means when two of them are the same, as a sentence; empty: nothing more."""

    def read(self) -> Texts:
        """Read them. Called in a worker thread; may read files."""


class ResultTexts:
    """Transcript, wire, overflow file and aged text of one result."""

    same_words = ""

    def __init__(self, details: DetailSource, row: ResultRow, lifeline: Lifeline, request: int) -> None:
        """Args:
        details: Who reads the texts.
        row: The result as of the request.
        lifeline: Its spans.
        request: Whose wire is meant, from 1.
        """
        self._details = details
        self._row = row
        self._request = request
        self._is_aged = row.level in _AGED
        self._aged = aged_request(lifeline, request)

    @property
    def title(self) -> str:
        """Turn, tool and argument, and the request."""
        turn = f"turn {self._row.turn} " if self._row.turn else ""
        return f"request {self._request} · {turn}{self._row.tool or '(no call)'} {self._row.argument}"

    def read(self) -> Texts:
        """Read those that there are."""
        found: list[NamedText] = []
        missing: list[str] = []
        for name, tab, request in self._wanted():
            try:
                detail = self._details.text(tab, self._row.index, request)
            except InspectorError as error:
                missing.append(str(error))
            except OSError as error:
                missing.append(f"{name}: {error}")
            else:
                found.append(NamedText(name, detail.text, detail.summary))
        return Texts(found, missing)

    def _wanted(self) -> Iterator[tuple[str, Tab, int]]:
        yield "transcript", Tab.TRANSCRIPT, self._request
        yield "wire, aged" if self._is_aged else "wire", Tab.WIRE, self._request
        yield "overflow file", Tab.OVERFLOW, self._request
        if self._aged is not None:
            yield f"aged text of request {self._aged}", Tab.WIRE, self._aged


def aged_request(lifeline: Lifeline, request: int) -> int | None:
    """The first request that sends the last aged text of a result.

    Args:
        lifeline: Spans of the result.
        request: The request shown, from 1.

    Returns:
        None where the result never ages, or where the request shown sends that very text.
    """
    shown = span_at(lifeline, request)
    aged = next((span for span in reversed(lifeline) if span.level in _AGED), None)
    if aged is None or aged is shown or (shown and (aged.level, aged.chars) == (shown.level, shown.chars)):
        return None
    return aged.start


class BlockTexts:
    """One block of a request, the same block of the request compared with, and its other form."""

    same_words = "The text is the same; another field of the block changed."

    def __init__(self, source: WireSource, view: WireView, row: WireBlockRow) -> None:
        """Args:
        source: Who reads the texts.
        view: The request shown.
        row: The block.
        """
        self._source = source
        self._view = view
        self._row = row

    @property
    def title(self) -> str:
        """Where the block stands, and its words."""
        row = self._row
        return f"message {row.message}, block {row.block} · {row.kind} {' '.join(row.words.split())}"

    def read(self) -> Texts:
        """Read those that there are; the request compared with comes first."""
        found: list[NamedText] = []
        missing: list[str] = []
        view, row = self._view, self._row
        place = BlockPlace(view.request, row.message, row.block, view.against, view.side)
        for side in _sides(view, row):
            name = side_words(view, side)
            try:
                text = self._source.text(place, side)
            except (InspectorError, OSError) as error:
                missing.append(f"{name}: {error}")
                continue
            if text is None:
                missing.append(f"{name}: there is no such block")
            else:
                found.append(NamedText(name, text))
        return Texts(found, missing)


def _sides(view: WireView, row: WireBlockRow) -> Iterator[Side]:
    if view.against and row.mark is not Mark.NEW:
        yield Side.BEFORE
    yield view.side
    if view.other_chars is not None:
        yield Side.PREDICTED if view.side is Side.RECORDED else Side.RECORDED


def side_words(view: WireView, side: Side) -> str:
    """Whose text a side is: `request 7`, `request 7 recorded`.

    Args:
        view: The request shown.
        side: Which one.
    """
    request = view.against if side is Side.BEFORE else view.request
    form = view.side if side is Side.BEFORE else side
    return f"request {request} recorded" if form is Side.RECORDED else f"request {request}"
