"""`KeyBar`: the line of key hints of a screen whose keys are the same wherever its focus is.

Keys are taken from the bindings and the person's keymap, not from what can be pressed just now: a
hint must not come and go while one walks between two lists.
"""

from __future__ import annotations

from collections.abc import Sequence

from inspector.app.keys import joined, stated_key
from inspector.app.widgets.bar import Bar, Word, hints

BACK = "back"
"""Last part of the id of the way out, which stays at the right edge, however narrow the line is."""

Wanted = Sequence[tuple[str, Sequence[str]] | tuple[str, Sequence[str], str]]
"""Word, ids of the bindings whose keys stand before it, and what joins these; the most needed first."""


class KeyBar(Bar):
    """One row of hints; the way out and how to see all keys stay at its right edge."""

    def __init__(self, wanted: Wanted, *, ground: str = "surface", id: str = "hints") -> None:
        """Make a bar.

        Args:
            wanted: Words and the bindings that they stand for.
            ground: Token of the background.
            id: The widget's id.
        """
        super().__init__(ground=ground, id=id)
        self._wanted = tuple(wanted)

    def on_mount(self) -> None:
        """Look the keys up: only a mounted widget knows the app's keymap."""
        pairs: list[tuple[str, str]] = []
        leaving: list[tuple[str, str]] = []
        for word, ids, *joint in self._wanted:
            keys = [stated_key(self.app, id) for id in ids]
            into = leaving if ids[0].rpartition(".")[2] == BACK else pairs
            into.append((joined(keys, "".join(joint)), word))
        self.show(hints(pairs), [*hints(leaving), *help_hint(self)])


def help_hint(widget: Bar) -> list[Word]:
    """How to see all keys."""
    return hints([(stated_key(widget.app, "app.keys"), "keys")])
