"""Reading a large file in processes of their own, which hand over frames of packed records.

Decoding and measuring take most of the time of a cold start; parts of a file are decoded at the same
time, and this process can replay, draw and answer keys meanwhile. The others are started anew with a
bare interpreter (nothing is forked) and get the open file itself, so all read the same file whatever
happens to its name. They may fail at any moment: whoever has the frames up to some position reads on
from there.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import IO, Protocol

import msgspec
import orjson

import inspector
from inspector.errors import UnreadableError
from inspector.reading.apart import read_apart
from inspector.reading.frames import Frame, next_frame
from inspector.reading.kept import Keeper
from inspector.reading.source import ByteSource

MAX_PARTS = 4
"""More readers than this wait for the one that replays."""

_OWN_SHARE = 0.5
"""Size of the part that this process reads, for one of another process: it replays as well."""
_LONGEST_STEP = 8 << 20
"""Bytes in which a line must end where a file is cut into parts."""

_START = (
    "import sys; sys.path[:0] = sys.argv[5:]; from inspector.reading import apart; apart.main(sys.argv[1:5])"
)
"""What another process runs. It sees the standard library and the directories that it is given."""


class Frames(Protocol):
    """Gives the frames of a file one after another."""

    def next(self) -> Frame | None:
        """The next frame; None where there are no more, for whatever reason."""

    def is_ready(self, timeout_s: float) -> bool:
        """Whether `next` would not wait, or will not after so many seconds at most."""

    def finish(self, position: int) -> None:
        """The file was taken to its very end; it need not be asked whether there is more.

        Args:
            position: Where it ends.
        """

    def close(self) -> None:
        """Give back what is held; nothing is asked any more."""


def processors() -> int:
    """Processors that this process may use; 1 where no other process can be started."""
    if not sys.executable or os.name != "posix":
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Reader:
    """All parts of a file, those of other processes too, as frames in order."""

    def __init__(self, source: ByteSource, thread: str, parts: int, keeper: Keeper | None = None) -> None:
        """Start them.

        Args:
            source: The file; what it holds at this moment is read.
            thread: As for `ClaudeCodeAdapter`.
            parts: Parts of the file, from 1. Of more than one, this process reads the first: it would
                wait for it anyway, and each other process takes 20 MB.
            keeper: Keeps the frames, if they are to be kept.

        Raises:
            OSError: No process can be started.
        """
        cuts = _cuts(source, source.size, min(parts, MAX_PARTS))
        self._stops = cuts[1:]
        self._part = 0
        self._position = 0
        self._keeper = keeper
        self._here: Iterator[bytes] = iter(())
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        try:
            for part, (start, stop) in enumerate(pairwise(cuts)):
                if part == 0 and len(cuts) > 2:
                    self._here = read_apart(source, start, stop, part, thread)
                else:
                    self._processes[part] = _process(source, start, stop, part, thread)
        except OSError:
            self.close()
            raise

    def next(self) -> Frame | None:
        """The next frame; waits for it."""
        while self._part < len(self._stops):
            try:
                frame = self._frame_of_part()
            except (OSError, ValueError, UnreadableError, msgspec.DecodeError):
                break
            if frame is not None:
                self._position = frame.position
                return frame
            process, is_last = self._processes.get(self._part), self._part == len(self._stops) - 1
            failed = process is not None and process.wait() != 0
            if failed or (self._position != self._stops[self._part] and not is_last):
                break  # it ended too early; only the last part may end with half a line
            self._part += 1
            if is_last:
                self.finish(self._position)
        self.close()
        return None

    def _frame_of_part(self) -> Frame | None:
        copy = self._keeper.add if self._keeper is not None else _drop
        process = self._processes.get(self._part)
        if process is None:
            return next_frame(BytesIO(next(self._here, b"")).read, copy)
        pipe = process.stdout
        return next_frame(lambda length: _exactly(pipe, length), copy) if pipe is not None else None

    def is_ready(self, timeout_s: float) -> bool:
        """Whether the part that is next has something to say, or ends."""
        process = self._processes.get(self._part)
        if process is None or process.stdout is None or process.stdout.closed:
            return True
        return bool(select.select([process.stdout], [], [], timeout_s)[0])

    def finish(self, position: int) -> None:
        """Keep what was read, if it is to be kept."""
        if self._keeper is not None:
            self._keeper.finish(position)

    def close(self) -> None:
        """End the processes."""
        self._part = len(self._stops)
        self._here = iter(())
        if self._keeper is not None:
            self._keeper.abandon()
        for process in self._processes.values():
            process.kill()
            if process.stdout is not None:
                process.stdout.close()
            process.wait()


def _exactly(pipe: IO[bytes], length: int) -> bytes:
    """So many bytes of a pipe, or fewer at its end; nothing is read ahead, or `select` would not know."""
    pieces = []
    while length and (data := pipe.read(length)):
        pieces.append(data)
        length -= len(data)
    return b"".join(pieces)


def _drop(_data: bytes) -> None:
    """Nothing is kept."""


def _process(source: ByteSource, start: int, stop: int, part: int, thread: str) -> subprocess.Popen[bytes]:
    modules = (inspector, msgspec, orjson)
    roots = sorted({str(Path(module.__file__).parent.parent) for module in modules if module.__file__})
    options = ["-I", "-S", *(["-B"] if sys.dont_write_bytecode else [])]
    if sys.pycache_prefix:
        options += ["-X", f"pycache_prefix={sys.pycache_prefix}"]
    return subprocess.Popen(
        [sys.executable, *options, "-c", _START, str(start), str(stop), str(part), thread, *roots],
        stdin=source.fileno(),
        stdout=subprocess.PIPE,
        bufsize=0,
        pipesize=1 << 20,
        stderr=subprocess.DEVNULL,
    )


def _cuts(source: ByteSource, size: int, parts: int) -> list[int]:
    """Where the parts of a file begin, and its end; a part begins with a line."""
    cuts = [0]
    for part in range(1, parts):
        wished = max(int(size * (_OWN_SHARE + part - 1) / (_OWN_SHARE + parts - 1)), cuts[-1])
        found = source.read(wished, min(wished + _LONGEST_STEP, size)).find(b"\n") + 1
        if found and wished + found < size:
            cuts.append(wished + found)
    return [*cuts, size]
