"""The app in a browser on hostile sessions: what its window gets is judged like the bytes of a terminal."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from pathlib import Path

import aiohttp
import pytest
from aiohttp import WSMsgType

from inspector.cli.serve_command import app_process
from tests.app.terminal import ESCAPE_MS, KEYS
from tests.app.test_app_hostile import MARKS, PASTE, copied_in
from tests.app.test_app_terminal_bytes import OWN
from tests.hostile import Corpus, foreign, snapshot
from tests.serve.test_server import ENDS, TOKEN, serving

TOUR = [
    "left", "i", "down", "enter", "escape", "o", "down", "tab", "v", "escape", "escape", "y", "escape", "v",
    "p", "escape", "m", "escape", "x", "escape", "z", "Z", "w", "escape", *MARKS, "ctrl+p", PASTE, "escape",
    "s", "/", PASTE, "escape", "escape", "tab", "c", "escape", "}",
]  # fmt: skip
"""Each screen once, and every line that takes words."""


class Window:
    """A window, as the terminal of the page drives it."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self.drawn = bytearray()
        self.asked: list[str] = []
        """What the app asked of the page."""
        self.ended = False

    async def rest(self, quiet_s: float = 0.15, words: bytes = b"") -> None:
        """Take what comes until nothing does, and some words have come."""
        while not self.ended:
            try:
                message = await self._socket.receive(timeout=20 if words not in self.drawn else quiet_s)
            except TimeoutError:
                assert words in self.drawn
                return
            if message.type is WSMsgType.BINARY:
                self.drawn += message.data
            elif message.type is WSMsgType.TEXT:
                self.asked.append(message.data)
            else:
                assert message.type in ENDS
                self.ended = True

    async def press(self, keys: Sequence[str]) -> None:
        for key in keys:
            text = KEYS.get(key, key).encode("utf-8", "replace").decode()
            await self._socket.send_json(["stdin", text])
            # What follows an escape at once is a part of its sequence.
            await self.rest(0.3 if key == "escape" else 0.05)


@pytest.mark.parametrize("kind", ["sessions", "named", "ascii"])
async def test_no_foreign_byte_comes_to_a_window(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = Corpus(tmp_path / "corpus", flood=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", "")
    monkeypatch.setenv("ESCDELAY", str(ESCAPE_MS))
    before = snapshot(corpus.home)
    words = {
        "sessions": ["open", f"--root={corpus.home}", str(corpus.messages), str(corpus.chatcli)],
        "named": ["open", f"--root={corpus.home}", str(corpus.named)],
        "ascii": ["open", "--ascii", f"--root={corpus.home}", str(corpus.named)],
    }[kind]
    async with asyncio.timeout(120), serving(app_process(words), title=corpus.named.name) as running:
        _, page = await running.get(f"{TOKEN}/")
        assert foreign(page, "\n") == []
        async with running.window(f"{TOKEN}/ws?width=120&height=40") as socket:
            window = Window(socket)
            await window.rest(0.5, b"evil")
            await window.press(TOUR)
            await window.press(["ctrl+q"])
            await window.rest(2)
    written = window.drawn.decode("utf-8")
    assert foreign(OWN.sub("", written))[:3] == []
    assert "\x1b[31m" not in written, "a colour of the text itself"
    for text in copied_in(written):
        assert foreign(text, "\n\t") == []
    assert {json.loads(asked)[0] for asked in window.asked} <= {"instance_id", "pong", "deliver_file_start"}
    assert not re.search("evil.example", "".join(window.asked))
    assert window.ended
    assert snapshot(corpus.home) == before
