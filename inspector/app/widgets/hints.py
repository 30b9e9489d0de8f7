"""The bottom line: the keys that matter most here, or for a moment what the last action did."""

from __future__ import annotations

from collections.abc import Sequence

from textual.reactive import reactive

from inspector.app.theme import Ink
from inspector.app.widgets.drawing import Line, OneLine
from inspector.text import cells, fit

Hint = tuple[str, str]
"""Keys, word."""


class Hints(OneLine):
    """Key hints; the last of them stays at the right edge however narrow it gets."""

    DEFAULT_CSS = "Hints { height: 1; background: $surface; }"
    ground = "surface"

    hints: reactive[Sequence[Hint]] = reactive(())
    last: reactive[Hint] = reactive(("?", "keys"))
    message: reactive[str] = reactive("")
    """Stands instead of the hints until the next action; untrusted text is fine."""

    def draw(self, width: int, ink: Ink) -> Line:
        """Draw as many hints as there is room for."""
        line = Line(ink, "surface")
        keys, word = self.last
        edge = width - 2 - cells(keys) - cells(word)
        if self.message:
            line.at(1, fit(self.message, edge - 3), "strong")
        else:
            for hint, name in self.hints:
                if line.cell + cells(hint) + cells(name) + 3 > edge - 1:
                    break
                line.put("  " if line.cell > 1 else " ").put(hint, "accent", bold=True).put(
                    f" {name}", "muted"
                )
        return line.at(edge, keys, "accent", bold=True).put(f" {word}", "muted")
