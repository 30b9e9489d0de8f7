"""The policy's side of one row: its state, its lifeline, and how a provisional request is undone."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from inspector.model.ledger import Level, Span, State
from inspector.replay.calls import Entry
from inspector.replay.view import Repair


class Tracked:
    """The policy's side of one entry: its state, its lifeline, what it weighs on the wire."""

    __slots__ = (
        "aged",
        "anew",
        "applied",
        "birth",
        "chars",
        "cleared",
        "entry",
        "estimated",
        "full",
        "level",
        "made",
        "on_wire",
        "preview",
        "preview_estimated",
        "removed",
        "repairs",
        "request",
        "spans",
        "state",
        "stored",
    )  # fmt: skip

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.state: State = State.PENDING
        self.level: Level = Level.GONE
        """What of it is on the wire now."""
        self.chars = 0
        """How much of it is on the wire now, in the policy's unit."""
        self.estimated = False
        """Whether `chars` is an estimate."""
        self.on_wire = False
        """Whether the history of the newest request holds it."""
        self.removed = False
        """Taken out by a repair."""
        self.applied = False
        """Whether its preview stands in its place."""
        self.aged: Level | None = None
        self.anew = False
        """The policy keeps no ledger: each span says what its own requests decided."""
        self.cleared = False
        self.full = 0
        """Size of the transcript's text."""
        self.preview = 0
        """Size of its preview, once replaced."""
        self.preview_estimated = False
        self.birth = 0
        """Distinct answers of the model in front of it: its age is the number since."""
        self.request = 0
        """First request that knows the result; 0: none yet."""
        self.spans: list[Span] = []
        self.repairs: Sequence[tuple[int, Repair]] = ()
        """Request and what pairing did from there on."""
        self.made: Sequence[tuple[int, int]] = ()
        """Request and how much a result that pairing made holds from there on; 0: none stands there."""
        self.stored: str | None = None
        """The text of a stored replacement."""

    @property
    def is_halved(self) -> bool:
        """Whether its text, or the stored one in its place, holds half a character."""
        if self.entry.result is not None and self.entry.result.lone_surrogates:
            return True
        try:
            (self.stored or "").encode()
        except UnicodeEncodeError:
            return True
        return False

    def snapshot(self) -> tuple[object, ...]:
        """All that a provisional request may change."""
        return (
            self.state, self.level, self.chars, self.estimated, self.on_wire, self.removed,
            self.applied, self.aged, self.cleared, self.preview, self.preview_estimated, self.request,
            list(self.spans), self.repairs, self.made,
        )  # fmt: skip

    def restore(self, snapshot: tuple[object, ...]) -> None:
        """Take back what happened since `snapshot`."""
        (
            self.state,
            self.level,
            self.chars,
            self.estimated,
            self.on_wire,
            self.removed,
            self.applied,
            self.aged,
            self.cleared,
            self.preview,
            self.preview_estimated,
            self.request,
            self.spans,
            self.repairs,
            self.made,
        ) = snapshot  # type: ignore[assignment]  # the tuple that snapshot() made


def place_of(tracked: Tracked) -> tuple[int, int]:
    """Where a result stands in the file: record and block; in front of all where there is none yet."""
    entry = tracked.entry
    return (entry.result_record.index, entry.result_block) if entry.result_record else (-1, -1)


def made_at(tracked: Tracked, n: int) -> int:
    """How much a result that pairing made for a call holds at request n; 0 where there is none."""
    return next((chars for at, chars in reversed(tracked.made) if at <= n), 0)


class Journal:
    """What a provisional request changed, so that it can be taken back."""

    def __init__(self) -> None:
        self.tracked: dict[int, tuple[Tracked, tuple[object, ...]]] = {}

    def note(self, tracked: Tracked) -> None:
        """Remember a row as it is before its first change."""
        key = tracked.entry.index
        if key not in self.tracked:
            self.tracked[key] = (tracked, tracked.snapshot())


class Undo(msgspec.Struct):
    """The state in front of a provisional request."""

    journal: Journal
    delta: int
    calls_delta: int
    images_delta: int
    inexact: int
    fresh: dict[int, list[Tracked]]
