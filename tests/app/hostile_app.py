"""Run by `test_terminal_bytes`: an app in a real terminal whose every text is hostile.

Usage: python -m tests.app.hostile_app CASE
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget

from inspector.app.diff_texts import NamedText, Texts
from inspector.app.screens.diff import DiffScreen
from inspector.app.screens.findings import FindingsScreen
from inspector.app.screens.overflow import OverflowScreen
from inspector.app.screens.sessions import SessionsScreen
from inspector.app.sources.files import OpenedText
from inspector.app.sources.overflow import FileState, OverflowRow
from inspector.app.sources.sessions import SessionRow, SessionSummary
from inspector.app.widgets.diff_view import DiffView
from inspector.app.widgets.prompt import Prompt
from inspector.errors import UnreadableError
from inspector.model.findings import Finding, Severity
from tests.app.stage import HOSTILE, NOW, Catalog, Folder, Stage

TEXT = "\n".join([HOSTILE, HOSTILE.replace(" ", "\t"), HOSTILE[::-1], HOSTILE + "\r"])


class HostileFolder(Folder):
    """Every second file cannot be opened, for a reason that quotes its name."""

    def open(self, row: OverflowRow) -> OpenedText:
        if row.state is FileState.SIZE_DIFFERS:
            raise UnreadableError(f"{row.name} is no plain file.")
        if row.state is FileState.PREVIEW_DIFFERS:
            raise RuntimeError(HOSTILE)
        return OpenedText(TEXT, TEXT.encode("utf-8", "surrogatepass"), 10**6, HOSTILE)


def overflow() -> Screen[object]:
    rows = [
        OverflowRow(HOSTILE, f"/s/{HOSTILE}", 1, state, HOSTILE, HOSTILE, None, None, ((HOSTILE, HOSTILE),))
        for state in FileState
    ]
    return OverflowScreen(HostileFolder(rows, {}, directory=HOSTILE))  # type: ignore[return-value] # of any result


def sessions() -> Screen[object]:
    rows = [SessionRow(f"/{n}{HOSTILE}", HOSTILE, HOSTILE, HOSTILE, 1, NOW, True) for n in range(4)]
    known = {
        rows[0].path: SessionSummary(3, 9, over=1, curve=(1, 2, 9)),
        rows[1].path: SessionSummary(0, 0, problem=HOSTILE),
    }
    return SessionsScreen(Catalog(rows, known), clock=lambda: NOW)  # type: ignore[return-value] # of any result


def no_sessions() -> Screen[object]:
    nothing = Catalog((), {})
    nothing.looked_in = ((HOSTILE, HOSTILE),)  # type: ignore[assignment] # as many places as a test needs
    return SessionsScreen(nothing, clock=lambda: NOW)  # type: ignore[return-value] # of any result


def found() -> Screen[object]:
    kinds = ("missing_result", HOSTILE)
    findings = [
        Finding(kind, Severity.INFO, HOSTILE, n, (HOSTILE,), HOSTILE, False, HOSTILE)
        for kind in kinds
        for n in (None, 1, 2, 3, 4, 5, 6)
    ]
    return FindingsScreen(findings, requests=1)  # type: ignore[return-value] # of any result


class HostileLines:
    """Gives a hostile line, or refuses with a hostile reason."""

    def read(self, thread: str, start: int, end: int) -> OpenedText:
        if not start:
            raise UnreadableError(HOSTILE)
        return OpenedText(TEXT, TEXT.encode("utf-8", "surrogatepass"), end - start)


def lines() -> Screen[object]:
    findings = [
        Finding("bad_line", Severity.ERROR, HOSTILE, see=HOSTILE, data={"bytes": [start, 10**6]})
        for start in (1, 0)
    ]
    return FindingsScreen(findings, requests=1, lines=HostileLines())  # type: ignore[return-value] # of any result


class HostileTexts:
    """Texts, names and reasons that are all hostile."""

    title = same_words = HOSTILE

    def read(self) -> Texts:
        other = NamedText(HOSTILE, TEXT.replace("evil", "EVIL") + "\n" + HOSTILE, HOSTILE)
        return Texts([NamedText(HOSTILE, TEXT, HOSTILE), NamedText("same", TEXT), other], (HOSTILE,))


def compared() -> Screen[object]:
    return DiffScreen(HostileTexts())  # type: ignore[return-value] # of any result


def only_reasons() -> Screen[object]:
    nothing = HostileTexts()
    nothing.read = lambda: Texts((), (HOSTILE,))  # type: ignore[method-assign] # what this one reads
    return DiffScreen(nothing)  # type: ignore[return-value] # of any result


class HostileDiff(DiffView):
    """Compares hostile texts."""

    def on_mount(self) -> None:
        self.show(TEXT, TEXT.replace("evil", "EVIL"), left_name=HOSTILE, right_name=HOSTILE)
        self.focus()


CASES: dict[str, tuple[Callable[[], Screen[object]] | type[Widget], Sequence[str]]] = {
    "overflow": (
        overflow,
        [
            "tab",
            "w",
            "R",
            "w",
            "slash",
            *"evil",
            "enter",
            "n",
            "v",
            "down",
            "c",
            "escape",
            "shift+tab",
            "down",
            "down",
            "down",
            "down",
            "P",
            "e",
            "down",
            "enter",
        ],
    ),
    "sessions": (sessions, ["down", "down", "PASTE", "escape", "down", *"zz"]),
    "no-sessions": (no_sessions, ["PASTE"]),
    "findings": (found, ["enter", "down", "z", "k", "k", "slash", "PASTE", "enter"]),
    "lines": (lines, ["enter", "W", "R", "v", "v", "v", "c", "escape", "down", "enter", "escape"]),
    "diff": (HostileDiff, ["n", "n", "N", "pagedown", "u", "n"]),
    "diff-screen": (compared, ["n", "u", "n", "tab", "tab", "u", "right_square_bracket", "n", "pagedown"]),
    "diff-nothing": (only_reasons, ["tab", "n"]),
}  # fmt: skip
"""Name → what is shown, and the keys pressed in it."""


async def press(pilot: Pilot[object], keys: Sequence[str]) -> None:
    """Use the app for a while, then leave it."""
    await pilot.pause(0.3)
    for key in keys:
        if key == "PASTE":
            pilot.app.screen.query_one(Prompt).insert_text_at_cursor(HOSTILE)
        else:
            await pilot.press(key)
        await pilot.pause(0.05)
    await pilot.pause(0.3)
    pilot.app.exit("done")


def main() -> int:
    """Run one case in the terminal at hand."""
    shown, keys = CASES[sys.argv[1]]
    app = Stage(shown() if isinstance(shown, type) else shown)
    result = app.run(auto_pilot=lambda pilot: press(pilot, keys))
    return 0 if result == "done" else 3


if __name__ == "__main__":
    sys.exit(main())
