"""Waiting for a file to change: file-system events, and an own tick for what they miss.

The directory is watched, never the file: after an atomic replace a watch on the file is dead. The
tick covers network mounts, merged events and watches that could not be had at all.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

TICK_S = 1.0
"""How long a change may go unseen where events fail."""
STEP_MS = 20
"""Poll step of the watcher; latency is about one and a half of it."""
DEBOUNCE_MS = 100
"""Longest time over which events of a burst are gathered."""


_WATCHES_GONE = "all watches that the system gives a user are taken"
_REASONS = {
    "watch limit": _WATCHES_GONE,
    "MaxFilesWatch": _WATCHES_GONE,
    "os error 28": _WATCHES_GONE,
    "os error 24": "all watchers that the system gives a user, or this process, are taken",
}
"""A part of what the watcher says → what it means: it has no codes of its own."""


def wakeups(
    paths: list[Path],
    stop: threading.Event,
    *,
    tick_s: float = TICK_S,
    unwatched: Callable[[str], None] = lambda _reason: None,
) -> Iterator[bool]:
    """Yield whenever something may have changed, until told to stop.

    Args:
        paths: Files of interest; the nearest existing directory of each is watched.
        stop: Set to end.
        tick_s: Seconds between looks where no event comes.
        unwatched: Told once, where no events are to be had, why that is; the tick alone goes on.

    Yields:
        True for an event that names one of the files or something below its own directory, False for
        the tick.
    """
    directories = {str(_existing(path.parent)) for path in paths}
    names = {path.name for path in paths} | {_stem(path) for path in paths}
    try:
        from watchfiles import watch

        events = watch(
            *directories,
            watch_filter=None,
            debounce=DEBOUNCE_MS,
            step=STEP_MS,
            stop_event=stop,
            rust_timeout=int(tick_s * 1000),
            yield_on_timeout=True,
            recursive=False,
            ignore_permission_denied=False,  # or a limit that is reached is kept silent as well
            raise_interrupt=False,
        )
        for changes in events:
            if stop.is_set():
                return
            if not changes:
                yield False
            elif any(Path(path).name in names for _, path in changes):
                yield True
    except (OSError, RuntimeError) as error:  # limits, rights, odd file systems
        unwatched(_reason(error))
    while not stop.wait(tick_s):
        yield False


def _reason(error: OSError | RuntimeError) -> str:
    said = str(error)
    return next(
        (words for part, words in _REASONS.items() if part in said),
        "the system refuses to watch its directory",
    )


def _existing(directory: Path) -> Path:
    while not directory.is_dir() and directory != directory.parent:
        directory = directory.parent
    return directory


def _stem(path: Path) -> str:
    """A session's own directory has its file's name without the ending."""
    return path.name.removesuffix(".gz").rpartition(".")[0] or path.name
