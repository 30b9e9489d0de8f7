from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import aiohttp
import pyte
import pytest
from aiohttp import WSMsgType

from inspector.cli.serve_command import app_process
from inspector.errors import UsageError
from inspector.samples import stories
from inspector.serve import server as module
from inspector.serve.page import COMMON_HEADERS, STATIC_FILES
from inspector.serve.server import Served, Server
from tests.serve.processes import BROKEN, ECHO, STUBBORN, talking

TOKEN = "a-secret-of-the-test"
ENDS = {WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED}


class Running:
    """A server, and a client for it."""

    def __init__(self, server: Server, address: str, client: aiohttp.ClientSession, said: list[str]) -> None:
        self.server = server
        self.address = address
        self.root = address.removesuffix(f"{TOKEN}/")
        self.host = self.root.removeprefix("http://").rstrip("/")
        self.client = client
        self.said = said

    async def get(self, path: str, **headers: str) -> tuple[int, str]:
        async with self.client.get(self.root + path, headers=headers) as response:
            for name in COMMON_HEADERS:
                assert name in response.headers, (path, name)
            return response.status, await response.text(errors="replace")

    def window(
        self, path: str = f"{TOKEN}/ws?width=100&height=30", **headers: str
    ) -> aiohttp.client._WSRequestContextManager:
        return self.client.ws_connect(self.root + path, headers=headers)


@asynccontextmanager
async def serving(argv: Sequence[str] = ECHO, title: str = "a session") -> AsyncIterator[Running]:
    said: list[str] = []
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()
    server = Server(Served(argv, title, TOKEN), said.append)
    task = asyncio.create_task(server.run(ready.set_result, stop))
    try:
        async with aiohttp.ClientSession() as client:
            yield Running(server, await asyncio.wait_for(ready, 10), client, said)
    finally:
        stop.set()
        await asyncio.wait_for(task, 30)
    assert not server.children


async def drawn(window: aiohttp.ClientWebSocketResponse) -> bytes:
    """What the app sends next."""
    while (message := await window.receive(timeout=20)).type is not WSMsgType.BINARY:
        assert message.type is WSMsgType.TEXT, message
    return bytes(message.data)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# -- the guard -----------------------------------------------------------------------------------


async def test_the_page_and_its_files_come_to_whoever_knows_the_address() -> None:
    async with serving() as running:
        status, text = await running.get(f"{TOKEN}/")
        assert status == 200
        assert f"ws://{running.host}/{TOKEN}/ws" in text
        for address in re.findall(r'(?:src|href)="(static/[^"]+)"', text):
            assert (await running.get(f"{TOKEN}/{address}"))[0] == 200, address


@pytest.mark.parametrize(
    "path",
    ["", "ws", "wrong/", "wrong/ws", f"{TOKEN}x/", f"{TOKEN[:-1]}/", "wrong/static/css/xterm.css",
     f"?token={TOKEN}", "download/key", "download/key?instance=wrong", f"static/{TOKEN}", f"wrong/{TOKEN}/"],
)  # fmt: skip
async def test_without_the_secret_nothing_is_said(path: str) -> None:
    async with serving() as running:
        assert (await running.get(path))[0] == 403
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await running.window(path)
        assert refused.value.status == 403
        assert not running.server.children


@pytest.mark.parametrize("path", [f"{TOKEN}/", f"{TOKEN}/ws", f"{TOKEN}/static/js/textual.js"])
@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "10.1.2.3"])
async def test_a_name_that_was_pointed_here_is_refused(path: str, host: str) -> None:
    async with serving() as running:
        assert (await running.get(path, Host=host))[0] == 403
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await running.window(path, Host=host)


async def test_another_page_may_not_ask_even_with_the_secret() -> None:
    async with serving() as running:
        for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
            assert (await running.get(f"{TOKEN}/", Origin=origin))[0] == 403
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await running.window(Origin=origin)
        async with running.window(Origin=f"http://{running.host}") as window:
            assert await drawn(window)


async def test_a_forwarded_port_is_served_under_its_own_number() -> None:
    async with serving() as running:
        status, text = await running.get(f"{TOKEN}/", Host="localhost:9000")
        assert status == 200
        assert f"ws://localhost:9000/{TOKEN}/ws" in text
        async with running.window(Host="localhost:9000", Origin="http://localhost:9000") as window:
            assert await drawn(window)


async def test_only_the_files_of_the_page_are_handed_out() -> None:
    async with serving() as running:
        for name in STATIC_FILES:
            assert (await running.get(f"{TOKEN}/static/{name}"))[0] == 200
        for name in (
            "",
            "images/background.png",
            "%2e%2e/server.py",
            "..%2fserver.py",
            "css",
        ):
            assert (await running.get(f"{TOKEN}/static/{name}"))[0] in {403, 404}, name


async def test_a_hostile_title_stays_in_the_title() -> None:
    async with serving(title="</title><script>alert(1)</script>") as running:
        _, text = await running.get(f"{TOKEN}/")
        assert "<script>alert" not in text
        assert "&lt;/title&gt;" in text


# -- windows -------------------------------------------------------------------------------------


async def test_a_window_is_an_app_of_its_own_in_its_size_and_ends_with_it() -> None:
    async with serving() as running:
        async with running.window() as one, running.window(f"{TOKEN}/ws?width=9999999&height=x") as two:
            assert await drawn(one) == b"100x30 inspector.app.served_driver:ServedDriver"
            assert (await drawn(two)).startswith(b"1000x24")
            pids = [child.pid or 0 for child in running.server.children]
            assert len(pids) == 2
        for _ in range(200):
            if not running.server.children:
                break
            await asyncio.sleep(0.02)
        assert not any(map(alive, pids))


async def test_what_is_typed_arrives_and_odd_messages_do_no_harm() -> None:
    async with serving() as running, running.window() as window:
        await drawn(window)
        for odd in (
            "",
            "{",
            "[]",
            "{}",
            "7",
            "null",
            '["stdin"]',
            '["stdin", 5]',
            '["resize", []]',
            '["x", 1]',
        ):
            await window.send_str(odd)
        await window.send_bytes(b"\x00\xff")
        await window.send_json(["stdin", "né\ud800"])
        assert await drawn(window) == "D:né?".encode()
        await window.send_json(["resize", {"width": -3, "height": 1e300}])
        assert await drawn(window) == b'M:{"type": "resize", "width": 2, "height": 24}'


async def test_an_app_that_quits_closes_its_window() -> None:
    quits = talking('os.write(1, b"__GANGLION__\\n"); send(b"D", b"bye"); meta(type="exit")')
    async with serving(quits) as running, running.window() as window:
        assert await drawn(window) == b"bye"
        assert (await window.receive(timeout=10)).type in ENDS


async def test_an_app_cannot_make_the_browser_open_an_address() -> None:
    asks = talking(
        'os.write(1, b"__GANGLION__\\n"); meta(type="open_url", url="http://evil.example", new_tab=True);'
        'meta(type="odd"); send(b"M", b"[1]"); send(b"D", b"done"); next(packets())'
    )
    async with serving(asks) as running, running.window() as window:
        first = await window.receive(timeout=10)
        assert first.data == f'["instance_id", "{TOKEN}"]'
        assert (await window.receive(timeout=10)).data == b"done"


async def test_what_an_app_complains_of_is_told_in_printable_words() -> None:
    async with serving(BROKEN) as running, running.window() as window:
        shown = await drawn(window)
        assert shown.startswith(b"\x1bc")
        assert b"\x1b" not in shown[1:]
        assert b"cannot be read" in shown
        assert running.said == ["inspector: ␛]52;c;eA==␇ cannot be read"]


async def test_a_text_to_save_is_downloaded_with_the_secret_only() -> None:
    delivers = talking(
        """
os.write(1, b"__GANGLION__\\n")
meta(type="deliver_file_start", key="k1", path="/x/a\\"b;<c>.html", open_method="browser",
     mime_type="text/html", encoding="utf-8", name=None)
parts = [b"<script>", b""]
for kind, data in packets():
    if json.loads(data)["type"] == "quit":
        break
    if json.loads(data)["type"] == "deliver_chunk_request":
        part = parts.pop(0)
        send(b"P", b"ts13:deliver_chunks2:k1%d:%se" % (len(part), part))
"""
    )
    async with serving(delivers) as running, running.window() as window:
        await window.receive(timeout=10)
        assert (await window.receive(timeout=10)).data == '["deliver_file_start", "k1"]'
        assert (await running.get("download/k1"))[0] == 403
        assert (await running.get(f"download/k2?instance={TOKEN}"))[0] == 404
        async with running.client.get(f"{running.root}download/k1?instance={TOKEN}") as response:
            assert await response.read() == b"<script>"
            assert response.content_type == "application/octet-stream"
            assert response.headers["Content-Disposition"] == 'attachment; filename="abc.html"'


async def test_too_many_windows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CHILDREN", 1)
    async with serving() as running, running.window() as window:
        await drawn(window)
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await running.window()
        assert refused.value.status == 503


# -- the end -------------------------------------------------------------------------------------


async def test_all_apps_end_with_the_server() -> None:
    async with serving() as running:
        windows = [await running.window() for _ in range(3)]
        for window in windows:
            await drawn(window)
        pids = [child.pid or 0 for child in running.server.children]
        assert all(map(alive, pids))
    assert len(pids) == 3
    assert not any(map(alive, pids))


async def test_an_app_that_will_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.serve.child.STOP_S", 0.1)
    async with serving(STUBBORN) as running:
        assert await drawn(await running.window()) == b"here"
        pid = running.server.children[0].pid or 0
    assert not alive(pid)


async def test_a_port_that_is_taken_is_said() -> None:
    async with serving() as running:
        port = int(running.host.rpartition(":")[2])
        other = Server(Served(ECHO, "x", TOKEN, port=port), running.said.append)
        with pytest.raises(UsageError, match=f"--port {port} is taken"):
            await other.run(lambda _address: None, asyncio.Event())


# -- the app itself ------------------------------------------------------------------------------


async def test_the_app_paints_into_the_window_and_takes_keys() -> None:
    """The real app on a real session, driven as the terminal of the page drives it."""
    story = next(s for s in stories() if s.name == "ageing")
    screen = pyte.Screen(100, 30)
    stream = pyte.ByteStream(screen)

    async def until(window: aiohttp.ClientWebSocketResponse, words: str) -> None:
        while not any(words in line for line in screen.display):
            message = await window.receive(timeout=20)
            if message.type is WSMsgType.BINARY:
                stream.feed(re.sub(rb"\x1b\[\?[0-9;]*\$p", b"", message.data))
            assert message.type in {WSMsgType.BINARY, WSMsgType.TEXT}, screen.display

    argv = app_process(["open", "--no-follow", str(story.path)])
    async with asyncio.timeout(60), serving(argv) as running, running.window() as window:
        await until(window, "request 15 of 15")
        await window.send_json(["focus"])
        await window.send_json(["stdin", "\x1b[D"])
        await until(window, "request 14 of 15")
        await window.send_json(["stdin", "q"])
        while (await window.receive(timeout=20)).type not in ENDS:
            pass
