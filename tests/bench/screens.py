"""Work with a screen, against a Textual app that does the least: imported by `tests.bench.work`.

All apps run without a terminal, with what Textual itself offers for tests, so that both sides of a
ratio pay the same for drawing.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.app import App, ComposeResult
from textual.message import Message
from textual.pilot import Pilot
from textual.widgets import Static

from inspector.app.app import InspectorApp
from inspector.app.feed import FeedState
from inspector.app.opening import Begun
from inspector.watch import DEBOUNCE_MS, STEP_MS

SIZE = (120, 40)
APPENDED = 40
PAUSE_S = 0.15
"""Between two appended lines, at least: more than a burst that is gathered."""
GOLDEN = 0.618
"""Share of the watcher's step by which pauses differ. Were all alike, each line would come at the same
moment of a step, and which one that is would say more than the work does: a whole step lies between the
best and the worst, and whoever draws a little later meets another moment."""
MOVES = 30
PATIENCE_S = 10.0
BEAT_S = 0.005
"""How often a pause of the event loop is looked for."""
LOOKED_S = 2.0
"""A bare app is looked at for as long as this."""
IDLE_S = 10.0

Figures = dict[str, float]


class Bare(App[None]):
    """One line of text, and a watch of one file where one is given."""

    class Grown(Message):
        """The file holds more."""

        def __init__(self, size: int) -> None:
            super().__init__()
            self.size = size

    def __init__(self, watched: Path | None = None) -> None:
        super().__init__()
        self.watched = watched
        self.seen = 0
        self._stop = threading.Event()

    def compose(self) -> ComposeResult:
        yield Static("0", markup=False)

    def on_mount(self) -> None:
        if self.watched is not None:
            threading.Thread(target=self._watch, args=(self.watched,), daemon=True).start()

    def _watch(self, path: Path) -> None:
        from watchfiles import watch

        with path.open("rb") as file:
            file.seek(0, 2)
            for _ in watch(
                path.parent,
                watch_filter=None,
                debounce=DEBOUNCE_MS,
                step=STEP_MS,
                stop_event=self._stop,
                recursive=False,
            ):
                if file.read():
                    self.post_message(self.Grown(file.tell()))

    def on_bare_grown(self, event: Grown) -> None:
        self.query_one(Static).update(str(event.size))
        self.seen += 1

    def on_unmount(self) -> None:
        self._stop.set()


def bare_pauses(path: Path) -> Figures:
    """Pauses of an app that does nothing: what the machine itself adds."""
    del path
    return asyncio.run(_paused(Bare(), lambda: False))


def app_pauses(path: Path) -> Figures:
    """Pauses of the event loop from the first screen until the session is read to its end."""

    def begin() -> Begun:
        import inspector.app.screens.ledger  # noqa: F401 (as `app.run` loads it, in the thread)
        from inspector.app.catalog import opened

        return Begun(opened(path, follow=False))

    app = InspectorApp(None, begin=begin, opening=str(path))
    return asyncio.run(_paused(app, lambda: app.update is None or app.update.state is FeedState.INDEXING))


async def _paused(app: App[Any], reading: Callable[[], bool]) -> Figures:
    """Let a task wake every few milliseconds; what it comes too late is a pause."""
    late: list[float] = []
    async with app.run_test(size=SIZE):
        began = time.perf_counter()
        while reading() or time.perf_counter() - began < LOOKED_S:
            before = time.perf_counter()
            await asyncio.sleep(BEAT_S)
            late.append(time.perf_counter() - before - BEAT_S)
        read = time.perf_counter() - began
    late.sort()
    return {
        "seconds": late[-1],
        "p99_seconds": late[int(len(late) * 0.99)],
        "over": float(sum(1 for pause in late if pause > 0.05)),
        "read_seconds": read,
    }


def app_idle(path: Path) -> Figures:
    """Processor seconds that the followed session takes in a second in which nothing happens."""
    return asyncio.run(_idle(path))


async def _idle(path: Path) -> Figures:
    app = _inspector(path)
    async with app.run_test(size=SIZE) as pilot:
        await _at_rest(pilot, lambda: app.update.view.revision if app.update else 0, quiet_s=3.0)
        before, began = time.process_time(), time.perf_counter()
        await asyncio.sleep(IDLE_S)
        return {"seconds": (time.process_time() - before) / (time.perf_counter() - began)}


def bare_append(path: Path) -> Figures:
    """Append → painted, by a watch, a read, a message and one line of text."""
    app = Bare(path)
    return asyncio.run(_appended(app, path, lambda: app.seen))


def app_append(path: Path) -> Figures:
    """Append → painted in the inspector, everything included."""
    app = _inspector(path)
    return asyncio.run(_appended(app, path, lambda: app.update.view.revision if app.update else 0))


async def _appended(app: App[Any], path: Path, seen: Callable[[], int]) -> Figures:
    from tests.bench.work import fresh_lines

    lines = fresh_lines(path, APPENDED)
    took = []
    async with app.run_test(size=SIZE) as pilot:
        await _at_rest(pilot, seen)
        with path.open("ab", buffering=0) as file:
            for number, line in enumerate(lines):
                await asyncio.sleep(PAUSE_S + number * GOLDEN % 1 * STEP_MS / 1_000)
                before = seen()
                file.write(line)
                began = time.perf_counter()
                while seen() == before and time.perf_counter() - began < PATIENCE_S:
                    await asyncio.sleep(0.001)
                await _refreshed(app)
                took.append(time.perf_counter() - began)
    took.sort()
    return {"seconds": took[len(took) // 2], "p95_seconds": took[int(len(took) * 0.95)]}


def app_move(path: Path) -> Figures:
    """From request to request, until the app is idle, against a repaint of the same screen."""
    return asyncio.run(_moved(path))


async def _moved(path: Path) -> Figures:
    app = _inspector(path, follow=False)
    async with app.run_test(size=SIZE) as pilot:
        await _at_rest(pilot, lambda: app.update.view.revision if app.update else 0, quiet_s=2.0)
        assert app.update is not None
        screen: Any = app.screen
        count = app.update.view.request_count
        places = [1 + (step * 7_919) % count for step in range(MOVES)]
        moves: list[tuple[float, float]] = []
        repaints: list[tuple[float, float]] = []
        for place in places:
            moves.append(await _timed(pilot, lambda n=place: screen.go_to(n)))
            repaints.append(await _timed(pilot, lambda: screen.refresh(layout=True)))
    (move, core), (repaint, repaint_core) = (
        (sorted(wall for wall, _ in of)[MOVES // 2], sorted(core for _, core in of)[MOVES // 2])
        for of in (moves, repaints)
    )
    return {
        "seconds": move,
        "repaint_seconds": repaint,
        "core_seconds": core,
        "repaint_core_seconds": repaint_core,
        "requests": count,
    }


async def _timed(pilot: Pilot[Any], do: Callable[[], object]) -> tuple[float, float]:
    """Wall and processor seconds until the app is idle again."""
    began, core = time.perf_counter(), time.thread_time()
    do()
    await pilot.pause()
    return time.perf_counter() - began, time.thread_time() - core


async def _at_rest(pilot: Pilot[Any], seen: Callable[[], int], quiet_s: float = 0.5) -> None:
    """Wait until nothing has come for a while."""
    last, since = -1, time.monotonic()
    while time.monotonic() - since < quiet_s or (seen() == 0 and time.monotonic() - since < PATIENCE_S):
        if seen() != last:
            last, since = seen(), time.monotonic()
        await asyncio.sleep(0.05)
        if isinstance(pilot.app, Bare):
            return
    await pilot.pause()


async def _refreshed(app: App[Any]) -> None:
    """Wait until what is due has been drawn."""
    drawn = asyncio.Event()
    app.screen.call_after_refresh(drawn.set)
    waiting: Awaitable[object] = drawn.wait()
    await waiting


def _inspector(path: Path, *, follow: bool = True) -> Any:
    from inspector.app.catalog import opened

    return InspectorApp(opened(path, policy=None, origins={}, scratch=None, follow=follow))
