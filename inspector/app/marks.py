"""Marks: places of a session that a person wants to find again, with a note each."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from typing import Any

from inspector.app.state import StateStore

LAST_REQUEST = 1 << 40
"""No session has so many; a larger number in a file is damage."""
MOST_MARKS = 1_000
"""Marks of one session that are kept."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One place."""

    request: int
    id: str = ""
    """tool_use id of the result; empty: the request as a whole."""
    thread: str = ""
    """Conversation, as the session names it; empty: the main one."""
    note: str = ""

    @property
    def place(self) -> tuple[str, int, str]:
        """What tells it from others."""
        return self.thread, self.request, self.id


class Marks:
    """The marks of one session, in order of requests."""

    def __init__(self, store: StateStore, session: str) -> None:
        """Args:
        store: Who keeps them.
        session: Path of the session; empty: a session that nobody will open again.
        """
        self._store = store if session else StateStore(None)
        self._session = session
        # A digest, because a path may be longer than a file name, and says what somebody works on.
        digest = hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        self._name = f"marks/{digest}"
        self._marks = _read(self._store.read(self._name))

    @property
    def problem(self) -> str:
        """Why they are not kept; empty while they are."""
        return self._store.problem

    def all(self) -> list[Mark]:
        """All marks of all conversations."""
        return sorted(self._marks, key=lambda mark: mark.place)

    def at(self, request: int, thread: str, id: str | None = None) -> list[Mark]:
        """Marks at a request.

        Args:
            request: Which one.
            thread: Conversation.
            id: Only on this result (empty: on the request itself); None: all.
        """
        return [
            mark
            for mark in self.all()
            if mark.request == request and mark.thread == thread and id in (None, mark.id)
        ]

    def notes(self, thread: str) -> dict[int, str]:
        """Request of a conversation that has marks → their notes, one after the other."""
        out: dict[int, list[str]] = {}
        for mark in self.all():
            if mark.thread == thread:
                out.setdefault(mark.request, []).extend([mark.note] if mark.note else [])
        return {request: "; ".join(notes) for request, notes in out.items()}

    def put(self, mark: Mark) -> None:
        """Set a mark, or give the one that is there another note."""
        others = [m for m in self._marks if m.place != mark.place]
        self._marks = [*others[: MOST_MARKS - 1], mark]
        self._save()

    def remove(self, mark: Mark) -> None:
        """Take a mark away."""
        self._marks = [m for m in self._marks if m.place != mark.place]
        self._save()

    def _save(self) -> None:
        marks = [asdict(mark) for mark in self.all()]
        self._store.write(self._name, {"session": printable_path(self._session), "marks": marks})


def printable_path(path: str) -> str:
    """A path that JSON can hold: half characters, as odd file names have them, are spelled out."""
    return path.encode("utf-8", "backslashreplace").decode("utf-8")


def _read(value: Any) -> list[Mark]:
    """Marks from a file; what is none is left out."""
    found = value.get("marks") if isinstance(value, dict) else None
    out: list[Mark] = []
    for item in found[:MOST_MARKS] if isinstance(found, list) else ():
        request = item.get("request") if isinstance(item, dict) else None
        if isinstance(request, int) and not isinstance(request, bool) and 0 < request <= LAST_REQUEST:
            words = {key: item[key] for key in ("id", "thread", "note") if isinstance(item.get(key), str)}
            out.append(Mark(request, **words))
    return out


class Memory:
    """What is remembered of one session, and between all of them."""

    def __init__(self, store: StateStore | None = None, session: str = "") -> None:
        """Args:
        store: Who keeps it; None keeps it for this run.
        session: Path of the session; empty: one that nobody will open again.
        """
        self.store = store if store is not None else StateStore(None)
        self.session = session
        self.marks = Marks(self.store, session)
