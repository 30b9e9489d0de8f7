"""One app for one browser window: a process that lives as long as the window's websocket."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial

from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from inspector.serve import DRIVER, DRIVER_VARIABLE
from inspector.text import printable_line

STOP_S = 3.0
"""Seconds that an app has to end when it is asked to, and again when it is told to."""
PRELUDE = b"__GANGLION__\n"
"""What an app's process writes before its first packet."""
PRELUDE_LINES = 10
"""It comes within so many lines, or it is no such process."""
COMPLAINT_BYTES = 1 << 14
"""So much of what a process complains of is kept."""
_PASSED_ON = ("exit", "deliver_file_start")
"""What an app may ask of the page."""


class Child(AppService):
    """An app in a process of its own, started without a shell."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        write_bytes: Callable[[bytes], Awaitable[None]],
        write_str: Callable[[str], Awaitable[None]],
        close: Callable[[], Awaitable[object]],
        download_manager: DownloadManager,
        say: Callable[[str], None],
    ) -> None:
        """Args:
        argv: The process.
        write_bytes: Sends what the app draws.
        write_str: Sends what the app asks of the page.
        close: Ends the connection.
        download_manager: Holds the files that the app offers.
        say: Takes what the process complained of, as one printable line.
        """

        async def end() -> None:
            await close()

        super().__init__(
            argv[0],
            write_bytes=write_bytes,
            write_str=write_str,
            close=end,
            download_manager=download_manager,
        )
        self._argv = argv
        self._say = say
        self._ending: asyncio.Task[None] | None = None
        self._connected = True

    def _build_environment(self, width: int = 80, height: int = 24) -> dict[str, str]:
        environment = super()._build_environment(width, height)
        environment[DRIVER_VARIABLE] = DRIVER
        return environment

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        # In a session of its own: Ctrl-C in the terminal is for the server, which ends its apps itself.
        process = await asyncio.create_subprocess_exec(
            *self._argv,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=self._build_environment(width, height),
            start_new_session=True,
        )
        self._process, self._stdin = process, process.stdin
        return process

    @property
    def pid(self) -> int | None:
        """The process; None before it is started."""
        return self._process.pid if self._process is not None else None

    async def run(self) -> None:
        """Hand on what the app draws, until it ends; then end the connection."""
        process = self._process
        assert process is not None and process.stdout is not None and process.stderr is not None
        complaints = asyncio.create_task(_last_of(process.stderr))
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            await self._hand_on(process.stdout)
        words = (await complaints).decode("utf-8", "replace").strip()
        if words:
            last = printable_line(words.splitlines()[-1])
            self._say(last)
            await self._send(lambda: self.remote_write_bytes(f"\x1bc{last}\r\n".encode()))
        await self._send(self.remote_close)

    async def _hand_on(self, stdout: asyncio.StreamReader) -> None:
        for _ in range(PRELUDE_LINES):
            line = await stdout.readline()
            if line == PRELUDE:
                break
            if not line:
                return
        while True:
            head = await stdout.readexactly(5)
            payload = await stdout.readexactly(int.from_bytes(head[1:], "big"))
            await self._send(partial(self._take, head[:1], payload))

    async def _take(self, kind: bytes, payload: bytes) -> None:
        if kind == b"D":
            await self.on_data(payload)
        elif kind == b"M":
            await self.on_meta(payload)
        elif kind == b"P":
            await self.on_packed(payload)

    async def on_meta(self, data: bytes) -> None:
        """What the app asks of the page; only what is known to be harmless is passed on."""
        asked = json.loads(data)
        if isinstance(asked, dict) and asked.get("type") in _PASSED_ON:
            await super().on_meta(data)

    async def _send(self, send: Callable[[], Awaitable[None]]) -> None:
        """Send something; a window that is gone is no error, and the app's output must still be taken."""
        if self._connected:
            try:
                await send()
            except (ConnectionError, RuntimeError):
                self._connected = False

    async def stop(self) -> None:
        """End the process, kindly first; returns when it is gone. May be called more than once."""
        if self._ending is None:
            self._ending = asyncio.create_task(self._end())
        await asyncio.shield(self._ending)

    async def _end(self) -> None:
        process, task = self._process, self._task
        if process is None:
            return
        self._connected = False
        await self._download_manager.cancel_app_downloads(app_service_id=self.app_service_id)
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self.send_meta({"type": "quit"}), STOP_S)
        for harder in (process.terminate, process.kill):
            try:
                await asyncio.wait_for(process.wait(), STOP_S)
                break
            except TimeoutError:
                with suppress(ProcessLookupError):
                    harder()
        await process.wait()
        if task is not None:
            await task


async def _last_of(stream: asyncio.StreamReader) -> bytes:
    """The last bytes of a stream, which is read to its end."""
    kept = b""
    while data := await stream.read(1 << 12):
        kept = (kept + data)[-COMPLAINT_BYTES:]
    return kept
