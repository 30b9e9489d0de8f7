"""What is on the screen before a session is: drawn with next to nothing loaded.

Loading the screens and opening a session take longer than everything up to the first drawing, so
they come after it, in a thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from inspector.app.theme import Ink
from inspector.app.widgets.drawing import FixedLines, Line
from inspector.text import fit

if TYPE_CHECKING:
    from inspector.app.feed import Opener, OpenSession
    from inspector.app.sources.sessions import SessionCatalog


class Begun(NamedTuple):
    """What the app begins with."""

    session: OpenSession | None
    """What to show; None begins with the list of sessions, which needs a catalog."""
    catalog: SessionCatalog | None = None
    """Other sessions; None offers none."""
    opener: Opener | None = None
    """Opens what is chosen among them."""
    others: Sequence[OpenSession] = ()
    """More sessions, each in a tab of its own."""


Begin: TypeAlias = Callable[[], Begun]
"""Opens what the app begins with; called once, in a worker thread."""


class OpeningView(FixedLines):
    """The first screen: a header with what is being opened, and the keys that work already."""

    DEFAULT_CSS = "OpeningView { width: 1fr; height: 1fr; background: $bg; }"

    def __init__(self, words: str) -> None:
        """Args:
        words: What is being opened; untrusted.
        """
        super().__init__()
        self._words = words

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:
        """Draw the header, and the hints at the foot."""
        if y == 0:
            line = Line(ink, "panel").at(1, "inspector", "strong", bold=True)
            line.put("  opening ", "muted").put(fit(self._words, max(0, width - line.cell - 1)), "fg")
            return line.to(width)
        if y == self.size.height - 1:
            line = Line(ink, "surface").at(1, "q", "accent", bold=True).put(" quit", "muted")
            return line.to(width)
        return Line(ink)
