"""Every screen of the real program on really hostile sessions: the bytes of its terminal are judged."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from tests.app.terminal import Terminal, side_by_side
from tests.app.test_app_terminal_bytes import OWN
from tests.hostile import EVERYTHING, Corpus, foreign, snapshot

PASTE = "\x1b[200~" + EVERYTHING.replace("\x1b[201~", "")[:3_000] + "\x1b[201~"
LEDGER = [
    "left", "left", "right", "[", "]", "n", "n", "N", "*", "down", "down", "1", "2", "3", "4", "escape",
    "tab", "tab", "W", "c", "tab", "c", "tab", "c", "tab", "c", "escape", "f", "home", "end",
    ":", "3", "enter", "?", "pagedown", "escape", "ctrl+p", "evil", "escape",
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
MARKS = [
    "left",
    "b",
    PASTE,
    "enter",
    "'",
    "down",
    "escape",
    "/",
    PASTE,
    "escape",
    "a",
    "down",
    "enter",
    " ",
    " ",
]
TURNS = [
    "z", "down", "end", "z", "Z", "z", "pagedown", "enter", "Z", "a", "down", "down", "enter", "backspace",
]  # fmt: skip
STOPS = ["B", "down", "down", "=", PASTE, "enter", " ", "down", "=", "12", "enter", "r", "R", "B", "escape"]
ASKED = [
    "w", "down", "enter", PASTE, "enter", "escape", "S", PASTE, "enter", "L", PASTE, "enter", "L",
    "\x1b[200~/nowhere/\x1b]0;evil\x07\x1b[201~", "enter", "escape", "escape",
    ":", PASTE, "enter", "escape", "v", "t", PASTE, "enter", "escape", "escape", "ctrl+p", PASTE, "escape",
]  # fmt: skip
"""Everything that takes words, with words that act."""
WIRE_TEXTS = [
    "v", "down", "down", "f", "f", "p", "p", "d", "n", "u", "escape", "t", "1", "enter", "d", "escape", "c",
    "C", "down", "u", "/", PASTE, "enter", "escape", "escape",
]  # fmt: skip
SCREENS = {
    "turns": TURNS, "stops": STOPS, "asked": ASKED, "wire-texts": WIRE_TEXTS,
    "map": MAP, "compare": COMPARE, "policy": POLICY, "marks": MARKS,
    "ledger": LEDGER, "findings": FINDINGS, "overflow": OVERFLOW, "why": WHY, "wire": WIRE,
    "sessions": SESSIONS,
}  # fmt: skip


EXPORTS = [
    "down", "C", "enter", "down", "C", "enter", "down", "C", "enter",
    "ctrl+p", "export view as svg", "enter", "ctrl+p", "export view as text", "enter",
]  # fmt: skip
"""The text shown saved as it is, then the screen as a picture and as text."""


@dataclass
class Use:
    """What came of using the program in a terminal of its own."""

    written: str = ""
    code: int = 0
    drawn: dict[str, str] = field(default_factory=dict)
    """Screen → what was written while it was used."""
    saved: dict[str, bytes] = field(default_factory=dict)
    """File name → content, of what the program saved."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return Corpus(tmp_path_factory.mktemp("hostile"))


def used(
    arguments: Sequence[str], home: Path, use: Callable[[Terminal, Use], None], words: str = "evil"
) -> Use:
    """Run the program with the directory of a user of its own, and use it."""
    (home / "Downloads").mkdir(parents=True)
    environment = {
        "HOME": str(home),
        "EDITOR": "'unbalanced",
        "PAGER": "no-such-program",
        "XDG_STATE_HOME": "",
    }
    terminal, out = Terminal(arguments, environment, home), Use()
    try:
        terminal.wait_for(words, 30)
        terminal.rest(0.4, busy_s=15)  # the title comes first, then the session is read
        use(terminal, out)
        terminal.press("ctrl+q")
        out.code = terminal.leave()
    finally:
        terminal.close()
    out.written = terminal.written.decode("utf-8", "surrogateescape")
    files = [path for path in home.rglob("*") if path.is_file() and ".local" not in path.parts]
    out.saved = {path.name: path.read_bytes() for path in files}
    return out


def judge(use: Use) -> None:
    shown = OWN.sub("", use.written)
    assert use.code == 0, shown[-3_000:]
    assert foreign(shown)[:3] == []
    assert "\x1b[31m" not in use.written, "a colour of the text itself"
    for text in copied(use):
        assert foreign(text, "\n\t") == [], "a copy that acts where it is pasted"


def copied(use: Use) -> list[str]:
    """Texts that were put on the clipboard."""
    return copied_in(use.written)


def copied_in(written: str) -> list[str]:
    """The same, in what was written."""
    found = re.findall(r"\x1b\]52;c;([A-Za-z0-9+/=]*)", written)
    return [base64.b64decode(each).decode("utf-8") for each in found]


SCREENS_AT_ONCE = {
    "ledger": ("ledger",),
    "findings-map-compare-why-wire": ("findings", "map", "compare", "why", "wire"),
    "marks-policy-overflow": ("marks", "policy", "overflow"),
    "sessions": ("sessions",),
    "turns-stops-wire": ("turns", "stops", "wire-texts"),
    "asked": ("asked",),
}
"""Screens that one start of the program goes through."""


ASCII_SCREENS = ("findings", "overflow", "why", "wire", "turns")


def go_through(screens: Sequence[str], terminal: Terminal, use: Use) -> None:
    for screen in screens:
        use.drawn[screen] = terminal.press(*SCREENS[screen])
        terminal.press("escape", "escape")
    terminal.rest(0.2)


def look_around(terminal: Terminal, use: Use) -> None:
    use.drawn["ledger"] = terminal.press(
        "left", "tab", "tab", "escape", "i", "escape", "y", "escape", "v", "escape"
    )


def look_through_list(terminal: Terminal, use: Use) -> None:
    terminal.press("down", "down", "down", PASTE, "escape", "f5", "down", "/", "5e55", "enter")
    terminal.rest(0.6)
    use.drawn["ledger"] = terminal.press("left")


def export(terminal: Terminal, use: Use) -> None:
    use.drawn["ledger"] = terminal.press(*EXPORTS)
    terminal.rest(0.6)


def go_through_tabs(terminal: Terminal, use: Use) -> None:
    use.drawn["ledger"] = terminal.press(
        "}", "left", "i", "escape", "{", "{", "ctrl+p", "evil", "down", "enter", "ctrl+p", "tab", "down",
        "enter", "?", "escape", "s", "down", "escape", "Q", "Q",
    )  # fmt: skip
    terminal.rest(0.4)


def watch_demo(terminal: Terminal, use: Use) -> None:
    use.drawn["demo"] = terminal.press("left", "i", "escape", "v", "escape", "o", "escape", "c")
    terminal.rest(0.6)


@pytest.fixture(scope="module")
def uses(
    request: pytest.FixtureRequest, corpus: Corpus, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Mapping[str, Future[Use]]]:
    root, homes = ["--root", str(corpus.home)], tmp_path_factory.mktemp("homes")
    before = snapshot(corpus.home)
    runs: dict[str, Callable[[], Use]] = {}
    for name, screens in SCREENS_AT_ONCE.items():
        runs[name] = partial(
            used, ["open", str(corpus.claude_code), *root], homes / name, partial(go_through, screens)
        )
    for kind in ("chatcli", "messages", "named"):
        runs[kind] = partial(used, ["open", str(getattr(corpus, kind)), *root], homes / kind, look_around)
    runs["list"] = partial(used, root, homes / "list", look_through_list)
    runs["exports"] = partial(used, ["open", str(corpus.named), *root], homes / "exports", export)
    three = [str(path) for path in (corpus.named, corpus.messages, corpus.chatcli)]
    runs["tabs"] = partial(used, ["open", *three, *root], homes / "tabs", go_through_tabs)
    runs["ascii"] = partial(
        used, ["open", "--ascii", three[0], *root], homes / "ascii", partial(go_through, ASCII_SCREENS)
    )
    runs["demo"] = partial(used, ["demo", "--speed", "20"], homes / "demo", watch_demo, "requests")
    yield side_by_side(request, "case", runs)
    assert snapshot(corpus.home) == before, "nothing is written beside a session"


@pytest.mark.parametrize("case", SCREENS_AT_ONCE)
def test_no_screen_of_an_open_session_lets_a_byte_through(case: str, uses: Mapping[str, Future[Use]]) -> None:
    use = uses[case].result()
    judge(use)
    for screen, drawn in use.drawn.items():
        assert "evil" in drawn.lower(), f"{screen}: no hostile text was drawn"
    for name, data in use.saved.items():
        if name.endswith(".svg"):
            assert foreign(data.decode("utf-8")) == []
    assert len(use.saved) == (1 if "overflow" in use.drawn else 0)
    assert "ledger" not in use.drawn or copied(use), "no copy was made"


@pytest.mark.parametrize("case", ["chatcli", "messages", "named", "list", "tabs", "ascii", "demo"])
def test_no_other_session_and_no_list_of_them_lets_a_byte_through(
    case: str, uses: Mapping[str, Future[Use]]
) -> None:
    judge(uses[case].result())


@pytest.mark.parametrize("case", ["exports"])
def test_no_picture_of_a_screen_holds_what_acts(case: str, uses: Mapping[str, Future[Use]]) -> None:
    use = uses[case].result()
    judge(use)
    pictures = {
        name.rpartition(".")[2]: data.decode("utf-8")
        for name, data in use.saved.items()
        if "inspector-" in name
    }
    assert pictures.keys() == {"svg", "txt"}, use.saved.keys()
    assert len(use.saved) > 2, "the text itself, as it is, under a name of our own"
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+", name) for name in use.saved)
    for text in pictures.values():
        assert "evil" in text
        assert foreign(text, "\n") == []
    assert "<script" not in pictures["svg"]
