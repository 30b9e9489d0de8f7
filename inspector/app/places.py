"""Screens that a key opens from the ledger. A screen that exists is registered here, and only here.

Bindings, hints, help and palette are made from this table, so no key is offered that leads nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from textual.binding import Binding
from textual.screen import Screen

from inspector.app.diff_texts import ResultTexts
from inspector.app.feed import FeedState, Sources
from inspector.app.frame import Frame
from inspector.app.screens.compare import CompareScreen
from inspector.app.screens.diff import DiffScreen
from inspector.app.screens.findings import FindingsScreen
from inspector.app.screens.map import MapScreen
from inspector.app.screens.overflow import OverflowScreen
from inspector.app.screens.sessions import SessionsScreen
from inspector.app.screens.what_if import WhatIfScreen
from inspector.app.screens.why import WhyScreen
from inspector.app.screens.wire import WireScreen
from inspector.app.sources.sessions import SessionCatalog
from inspector.model.findings import Finding

NO_REQUEST = "There is no request yet."
"""What to say where a key is about a request and the session has none."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a screen is handed when it is opened."""

    frame: Frame
    """The session as of the request shown."""
    result: int | None
    """Result under the cursor, by index."""
    sources: Sources
    catalog: SessionCatalog | None
    thread: str = ""
    """Conversation shown; empty: the main one."""
    finding: Finding | None = None
    """What was found at the request shown, of several the one that was jumped to."""


@dataclass(frozen=True, slots=True)
class ScreenKey:
    """One screen and its key."""

    key: str
    name: str
    """Part of the binding's id, `screen.NAME`."""
    word: str
    """For hints."""
    tooltip: str
    """For help and palette."""
    make: Callable[[Context], Screen[Any] | None]
    """Makes the screen, or None where there is nothing to show. Its result is a `Jump` or None."""
    available: Callable[[Sources, SessionCatalog | None], bool] = lambda _sources, _catalog: True
    """Whether there is anything to show; otherwise the key is not offered."""
    nothing: str = ""
    """What to say where `make` found nothing to show; empty: nothing."""

    @property
    def binding(self) -> Binding:
        """The key as a binding of the ledger."""
        return Binding(
            self.key,
            f"open_screen('{self.name}')",
            self.word,
            id=f"screen.{self.name}",
            tooltip=self.tooltip,
        )


def _map(context: Context) -> Screen[Any]:
    return MapScreen(context.frame, result=context.result, thread=context.thread)


def _what_if(context: Context) -> Screen[Any] | None:
    policies = context.sources.policies
    return WhatIfScreen(policies) if policies is not None else None


def _compare(context: Context) -> Screen[Any] | None:
    policies = context.sources.policies
    return CompareScreen(context.frame, policies) if policies is not None else None


def _has_policies(sources: Sources, _catalog: SessionCatalog | None) -> bool:
    return sources.policies is not None


def _findings(context: Context) -> Screen[Any]:
    view, threads = context.frame.view, context.sources.threads
    screen = FindingsScreen(
        view.findings,
        requests=view.request_count,
        thread=context.thread,
        select=context.finding,
        reading=context.frame.update.state is FeedState.INDEXING,
        elsewhere=threads.findings if threads is not None else dict,
        lines=context.sources.lines,
    )
    return screen.opened(context.frame, context.thread)


def _overflow(context: Context) -> Screen[Any] | None:
    source = context.sources.overflow
    if source is None:
        return None
    return OverflowScreen(source, select=context.result).opened(context.frame, context.thread)


def _sessions(context: Context) -> Screen[Any] | None:
    return SessionsScreen(context.catalog, home=False) if context.catalog is not None else None


def _why(context: Context) -> Screen[Any] | None:
    source = context.sources.why
    if source is None or not context.frame.request:
        return None
    return WhyScreen(source, context.frame.request).opened(context.frame, context.thread)


def _wire(context: Context) -> Screen[Any] | None:
    source, frame = context.sources.wire, context.frame
    if source is None or not frame.request:
        return None
    screen = WireScreen(source, frame.request, requests=frame.view.request_count, thread=context.thread)
    return screen.opened(frame, context.thread)


def _diff(context: Context) -> Screen[Any] | None:
    view, request, index = context.frame.view, context.frame.request, context.result
    if index is None or not request:
        return None
    texts = ResultTexts(context.sources.details, view.result(index, request), view.lifeline(index), request)
    return DiffScreen(texts)


SCREEN_KEYS: tuple[ScreenKey, ...] = (
    ScreenKey(
        "v",
        "wire",
        "wire",
        "The request as it is sent, against the one before",
        _wire,
        lambda sources, _catalog: sources.wire is not None,
        NO_REQUEST,
    ),
    ScreenKey(
        "y",
        "why",
        "why",
        "What fills this request, and why",
        _why,
        lambda sources, _catalog: sources.why is not None,
        NO_REQUEST,
    ),
    ScreenKey(
        "d",
        "diff",
        "diff",
        "Texts of the selected result against each other",
        _diff,
        nothing="The cursor is on no result; go down to one.",
    ),
    ScreenKey("m", "map", "map", "The whole session as a picture", _map),
    ScreenKey("i", "findings", "findings", "All findings of the session", _findings),
    ScreenKey(
        "o",
        "overflow",
        "overflow",
        "Overflow files and their texts",
        _overflow,
        lambda sources, _catalog: sources.overflow is not None,
    ),
    ScreenKey("w", "what_if", "what-if", "What another policy would have meant", _what_if, _has_policies),
    ScreenKey("x", "compare", "compare", "Two policies side by side", _compare, _has_policies),
    ScreenKey(
        "s",
        "sessions",
        "sessions",
        "Other sessions",
        _sessions,
        lambda _sources, catalog: catalog is not None,
    ),
)
"""Registered screens in the order of their hints."""


def screen_key(name: str) -> ScreenKey | None:
    """The registered screen of a name."""
    return next((entry for entry in SCREEN_KEYS if entry.name == name), None)
