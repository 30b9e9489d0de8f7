"""Screens that a key opens from the ledger. A screen that exists is registered here, and only here.

Bindings, hints, help and palette are made from this table, so no key is offered that leads nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual.binding import Binding
from textual.screen import Screen

from inspector.app.feed import DetailSource, Jump
from inspector.app.frame import Frame


@dataclass(frozen=True, slots=True)
class Sources:
    """Whoever reads files for the screens; None where a session has no such thing."""

    details: DetailSource


@dataclass(frozen=True, slots=True)
class Context:
    """What a screen is handed when it is opened."""

    frame: Frame
    """The session as of the request shown."""
    result: int | None
    """Result under the cursor, by index."""
    sources: Sources


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
    make: Callable[[Context], Screen[Jump | None]]
    """Makes the screen; its result is where to go in the ledger, or None."""
    available: Callable[[Sources], bool] = lambda _: True
    """Whether there is anything to show; otherwise the key is not offered."""

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


SCREEN_KEYS: tuple[ScreenKey, ...] = ()
"""Registered screens in the order of their hints."""


def screen_key(name: str) -> ScreenKey | None:
    """The registered screen of a name."""
    return next((entry for entry in SCREEN_KEYS if entry.name == name), None)
