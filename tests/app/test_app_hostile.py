"""Every screen of the real program on really hostile sessions: the bytes of its terminal are judged."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.app.terminal import Terminal
from tests.app.test_app_terminal_bytes import OWN
from tests.hostile import EVERYTHING, Corpus, foreign, snapshot

PASTE = "\x1b[200~" + EVERYTHING.replace("\x1b[201~", "")[:3_000] + "\x1b[201~"
LEDGER = [
    "left", "left", "right", "[", "]", "n", "n", "N", "*", "down", "down", "1", "2", "3", "4", "escape",
    "tab", "tab", "R", "W", "c", "tab", "c", "tab", "c", "tab", "c", "escape", "f", "home", "end",
    ":", "3", "enter", "?", "pagedown", "escape", "ctrl+p", "evil", "escape",
    "ctrl+p", *"screenshot", "enter",
]  # fmt: skip
FINDINGS = ["i", "down", "enter", "i", "z", "k", "K", "/", PASTE, "enter", "escape", "escape"]
OVERFLOW = ["o", "down", "tab", "w", "R", "v", "v", "v", "c", "C", "/", "evil", "enter", "n", "escape"]
OVERFLOW += ["shift+tab", "down", "down", "end", "c", "e", "P", "f5", "escape", "escape"]
WHY = ["y", "down", "r", "R", "z", "tab", "down", "enter"]
WIRE = ["v", "down", "enter", "u", "p", "p", "b", "left", "right", "tab", "down", "escape", "escape"]
SESSIONS = ["s", "down", "down", "/", PASTE, "escape", "escape"]
MAP = ["m", "left", "right", "+", "-", "z", "s", "down", "enter"]
COMPARE = ["x", "a", "b", "t", "l", "down", "tab", "enter", "left"]
POLICY = ["w", "down", "down", "tab", "escape", "escape", "p", "escape", "r", "R", "B", "escape"]
MARKS = ["left", "b", PASTE, "enter", "'", "down", "escape", "/", PASTE, "escape", "a", "down", "enter", " ", " "]
SCREENS = {
    "map": MAP, "compare": COMPARE, "policy": POLICY, "marks": MARKS,
    "ledger": LEDGER, "findings": FINDINGS, "overflow": OVERFLOW, "why": WHY, "wire": WIRE,
    "sessions": SESSIONS,
}  # fmt: skip


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return Corpus(tmp_path_factory.mktemp("hostile"))


@contextmanager
def opened(arguments: Sequence[str], home: Path) -> Iterator[Terminal]:
    (home / "Downloads").mkdir(parents=True)
    environment = {
        "HOME": str(home),
        "EDITOR": "'unbalanced",
        "PAGER": "no-such-program",
        "XDG_STATE_HOME": "",
    }
    terminal = Terminal(arguments, environment)
    try:
        yield terminal
    finally:
        terminal.close()


def judge(terminal: Terminal, code: int) -> None:
    written = terminal.written.decode("utf-8")
    shown = OWN.sub("", written)
    assert code == 0, shown[-3_000:]
    assert foreign(shown)[:3] == []
    assert "\x1b[31m" not in written, "a colour of the text itself"
    for copied in re.findall(r"\x1b\]52;c;([A-Za-z0-9+/=]*)", written):
        assert foreign(base64.b64decode(copied).decode("utf-8"), "\n\t") == [], (
            "a copy that acts where it is pasted"
        )


@pytest.mark.parametrize("screen", SCREENS)
def test_no_screen_of_an_open_session_lets_a_byte_through(
    screen: str, corpus: Corpus, tmp_path: Path
) -> None:
    before = snapshot(corpus.home)
    home = tmp_path / "user"
    with opened(["open", str(corpus.claude_code), "--root", str(corpus.home)], home) as terminal:
        terminal.wait_for("evil")
        terminal.rest(0.6)
        begin = len(terminal.written)
        terminal.press(*SCREENS[screen])
        assert b"evil" in terminal.written[begin:].lower(), "no hostile text was drawn"
        if screen == "ledger":
            terminal.rest(0.5)
        terminal.press("ctrl+q")
        code = terminal.leave()
        judge(terminal, code)
    saved = [p for p in (home / "Downloads").rglob("*") if p.is_file()]
    for path in saved:
        if path.suffix == ".svg":
            assert foreign(path.read_text(encoding="utf-8")) == []
    assert len(saved) == {"ledger": 1, "overflow": 1}.get(screen, 0), "what was saved"
    assert snapshot(corpus.home) == before


@pytest.mark.parametrize("kind", ["chatcli", "messages", "named"])
def test_no_screen_of_another_kind_of_session_lets_a_byte_through(
    kind: str, corpus: Corpus, tmp_path: Path
) -> None:
    path = getattr(corpus, kind)
    with opened(["open", str(path), "--root", str(corpus.home)], tmp_path / "user") as terminal:
        terminal.wait_for("evil")
        terminal.rest(0.5)
        terminal.press("left", "tab", "tab", "escape", "i", "escape", "y", "escape", "v", "escape", "ctrl+q")
        judge(terminal, terminal.leave())


def test_the_list_of_sessions_lets_no_byte_through(corpus: Corpus, tmp_path: Path) -> None:
    before = snapshot(corpus.home)
    with opened(["--root", str(corpus.home)], tmp_path / "user") as terminal:
        terminal.wait_for("evil")
        terminal.rest(1)
        terminal.press("down", "down", "down", PASTE, "escape", "f5", "down")
        terminal.press("/", "5e55", "enter")
        terminal.rest(0.6)
        terminal.press("left", "ctrl+q")
        judge(terminal, terminal.leave())
    assert snapshot(corpus.home) == before
