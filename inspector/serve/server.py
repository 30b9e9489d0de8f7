"""The server: a page, its files and a websocket for each window; every request passes the guard."""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import secrets
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from aiohttp import WSCloseCode, WSMsgType, web
from aiohttp.typedefs import Handler
from textual_serve.download_manager import DownloadManager

from inspector.errors import UsageError
from inspector.serve.child import Child
from inspector.serve.guard import is_own_host, is_own_origin, is_token
from inspector.serve.page import COMMON_HEADERS, FONT_PX, STATIC_FILES, page, page_headers
from inspector.text import printable_line

MOST_CHILDREN = 16
"""Windows that may be open at once; each is a process."""
MESSAGE_BYTES = 1 << 20
"""A larger message of a window ends its connection: a paste has its limits."""
LEAST_CELLS, MOST_CELLS = 2, 1000
"""Width and height that a window may ask for."""
HEARTBEAT_S = 15.0


@dataclass(frozen=True, slots=True)
class Served:
    """What is served, and to whom."""

    argv: Sequence[str]
    """The process that is started for each window."""
    title: str
    """Words for the browser's tab; untrusted."""
    token: str
    """The secret part of the address."""
    host: str = "127.0.0.1"
    """Loopback address."""
    port: int = 0
    """0: one that is free."""


class Server:
    """Serves one command to the browsers of this machine."""

    def __init__(self, served: Served, say: Callable[[str], None]) -> None:
        """Args:
        served: What.
        say: Takes messages for the person at the terminal, one line each.
        """
        self._served = served
        self._say = say
        self._windows: dict[Child, web.WebSocketResponse] = {}
        self._downloads = DownloadManager()
        self._static = Path(str(files("textual_serve"))) / "static"

    @property
    def children(self) -> Sequence[Child]:
        """Apps that run now."""
        return tuple(self._windows)

    def application(self) -> web.Application:
        """The routes, behind the guard."""
        app = web.Application(middlewares=[self._guard])
        app.add_routes(
            [
                web.get("/{token}/", self._page),
                web.get("/{token}/ws", self._websocket),
                web.get("/{token}/static/{name:.+}", self._file),
                web.get("/download/{key}", self._download),
            ]
        )
        app.on_response_prepare.append(_keep_to_itself)
        app.on_shutdown.append(self._close_windows)
        return app

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        host = request.headers.get("Host", "")
        # The terminal's script asks for downloads by an address of its own, with the secret behind it.
        first, _, _rest = request.path.removeprefix("/").partition("/")
        given = request.query.get("instance", "") if first == "download" else first
        if len(request.headers.getall("Host", ())) != 1 or not is_own_host(host):
            raise web.HTTPForbidden(text="This address is not one of this machine's own.\n")
        if not is_own_origin(request.headers.get("Origin"), host):
            raise web.HTTPForbidden(text="Another page may not ask.\n")
        if not is_token(given, self._served.token):
            raise web.HTTPForbidden(text="Take the whole address that `inspector serve` printed.\n")
        try:
            return await handler(request)
        except web.HTTPException:
            raise
        except Exception as fault:  # told here: the server's own log would quote the request
            self._say(printable_line(f"a request failed: {type(fault).__name__}: {fault}"))
            raise web.HTTPInternalServerError(text="This failed.\n") from fault

    async def _page(self, request: web.Request) -> web.Response:
        nonce = secrets.token_urlsafe(16)
        host = request.headers["Host"]
        text = page(
            self._served.title,
            f"ws://{host}/{self._served.token}/ws",
            nonce,
            _whole(request.query.get("fontsize"), FONT_PX),
        )
        return web.Response(text=text, content_type="text/html", headers=page_headers(host, nonce))

    async def _file(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        if name not in STATIC_FILES:
            raise web.HTTPNotFound(text="There is no such file.\n")
        return web.FileResponse(self._static / name)

    async def _download(self, request: web.Request) -> web.StreamResponse:
        """A text that the person wants as a file; always saved, never shown as a page."""
        key = request.match_info["key"]
        try:
            about = await self._downloads.get_download_metadata(key)
        except KeyError:
            raise web.HTTPNotFound(text="There is no such file.\n") from None
        response = web.StreamResponse()
        response.content_type = "application/octet-stream"
        name = "".join(sign for sign in about.file_name if sign.isalnum() or sign in "._-") or "text"
        response.headers["Content-Disposition"] = (
            f'attachment; filename="{name.encode("ascii", "ignore").decode()}"'
        )
        await response.prepare(request)
        async for chunk in self._downloads.download(key):
            await response.write(chunk)
        await response.write_eof()
        return response

    # -- windows ------------------------------------------------------------------------------

    async def _websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Start an app, and end it with the connection."""
        if len(self._windows) >= MOST_CHILDREN:
            self._say(f"{MOST_CHILDREN} windows are open; close one to open another")
            raise web.HTTPServiceUnavailable(text="Too many windows are open.\n")
        websocket = web.WebSocketResponse(heartbeat=HEARTBEAT_S, max_msg_size=MESSAGE_BYTES)
        child = Child(
            self._served.argv,
            write_bytes=websocket.send_bytes,
            write_str=websocket.send_str,
            close=websocket.close,
            download_manager=self._downloads,
            say=self._say,
        )
        self._windows[child] = websocket
        try:
            await websocket.prepare(request)
            # By this the script knows the secret when it asks for a download.
            await websocket.send_json(["instance_id", self._served.token])
            width, height = request.query.get("width"), request.query.get("height")
            await child.start(_cells(width, 80), _cells(height, 24))
            await _take_typed(websocket, child)
        finally:
            await child.stop()
            del self._windows[child]
        return websocket

    async def _close_windows(self, _app: web.Application) -> None:
        """The server ends: so do the windows' connections, and with them their apps."""
        for websocket in tuple(self._windows.values()):
            await websocket.close(code=WSCloseCode.GOING_AWAY, message=b"the server ends")
        await asyncio.gather(*(child.stop() for child in self.children))

    # -- running ------------------------------------------------------------------------------

    async def run(self, ready: Callable[[str], None], stop: asyncio.Event) -> None:
        """Serve until it is told to stop; every app has ended when this returns.

        Args:
            ready: Takes the address, once it can be opened.
            stop: Ends it.

        Raises:
            UsageError: The port cannot be had.
        """
        served = self._served
        quiet = logging.getLogger("inspector.serve")
        quiet.addHandler(logging.NullHandler())
        quiet.propagate = False
        # No log of requests: it would hold the secret.
        runner = web.AppRunner(self.application(), access_log=None, logger=quiet)
        await runner.setup()
        try:
            site = web.TCPSite(runner, served.host, served.port)
            try:
                await site.start()
            except (OSError, OverflowError) as error:
                raise UsageError(_port_words(served, error)) from None
            name = f"[{served.host}]" if ":" in served.host else served.host
            ready(f"http://{name}:{runner.addresses[0][1]}/{served.token}/")
            await stop.wait()
        finally:
            await runner.cleanup()


def serve(served: Served, *, ready: Callable[[str], None], say: Callable[[str], None]) -> None:
    """Serve until Ctrl-C, or until the process is told to end.

    Args:
        served: What.
        ready: Takes the address, once it can be opened.
        say: Takes messages, one line each.

    Raises:
        UsageError: The port cannot be had.
    """

    async def run() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(name, stop.set)
        await Server(served, say).run(ready, stop)

    asyncio.run(run())


async def _keep_to_itself(_request: web.Request, response: web.StreamResponse) -> None:
    for name, value in COMMON_HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.pop("Server", None)


async def _take_typed(websocket: web.WebSocketResponse, child: Child) -> None:
    """Hand what a window sends to its app; what is no message of the terminal's script is dropped."""
    async for message in websocket:
        if message.type is not WSMsgType.TEXT:
            continue
        try:
            kind, *rest = json.loads(message.data)
        except (ValueError, TypeError, RecursionError):
            continue
        given = rest[0] if rest else None
        if kind == "stdin" and isinstance(given, str):
            await child.send_bytes(given.encode("utf-8", "replace"))
        elif kind == "resize" and isinstance(given, dict):
            await child.set_terminal_size(_cells(given.get("width"), 80), _cells(given.get("height"), 24))
        elif kind == "ping" and isinstance(given, str):
            await websocket.send_json(["pong", given])
        elif kind == "focus":
            await child.focus()
        elif kind == "blur":
            await child.blur()


def _cells(given: object, default: int) -> int:
    return max(LEAST_CELLS, min(_whole(given, default), MOST_CELLS))


def _whole(given: object, default: int) -> int:
    """A whole number that somebody sent; the default where it is none."""
    try:
        return int(str(given))
    except ValueError:
        return default


def _port_words(served: Served, error: OSError | OverflowError) -> str:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return f"--port {served.port} is taken; without --port a free one is found"
    reason = error.strerror if isinstance(error, OSError) and error.strerror else error
    return f"--host {served.host} --port {served.port}: {reason}"
