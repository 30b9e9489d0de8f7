"""Reading a large file in several processes, which hand over frames of packed records.

Decoding and measuring take most of the time of a cold start, so parts of a file are decoded at the
same time. The others get the open file itself, so all read the same one whatever happens to its
name. Parts are small and taken by whoever is free: this process replays what has come in order, and
reads a part where it would wait. The others may fail at any moment: whoever has the frames up to
some position reads on from there.
"""

from __future__ import annotations

import os
import select
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from typing import IO, TYPE_CHECKING, Protocol

import msgspec

from inspector.errors import UnreadableError
from inspector.reading.apart import read_apart
from inspector.reading.frames import Frame, Piece, missing_bytes, next_frame
from inspector.reading.others import PIPE_BYTES, Other, start_other
from inspector.reading.source import ByteSource
from inspector.reading.tickets import FilePart, Tickets, parts_of

MAX_HELPERS = 3
"""More processes than this wait for the one that replays."""

_SILENCE_S = 60.0
"""Far longer than a part takes on a slow disk."""

if TYPE_CHECKING:
    from inspector.reading.kept import Keeper


class Frames(Protocol):
    """Gives the frames of a file one after another."""

    def next(self) -> Frame | Piece | None:
        """The next frame, or piece; None where there are no more, for whatever reason."""

    def is_ready(self, timeout_s: float) -> bool:
        """Whether `next` would not wait, or will not after so many seconds at most."""

    def finish(self, position: int) -> None:
        """The file was taken to its very end; it need not be asked whether there is more.

        Args:
            position: Where it ends.
        """

    def close(self) -> None:
        """Give back what is held; nothing is asked any more."""


class Reader:
    """All parts of a file, those of other processes too, as frames in order."""

    def __init__(
        self,
        parts: Sequence[FilePart],
        read: Callable[[FilePart], Iterator[Piece]],
        start: Callable[[Tickets], Other],
        helpers: int,
        keeper: Keeper | None = None,
    ) -> None:
        """Start the others.

        Args:
            parts: One or more, numbered from 0.
            read: Reads one of them.
            start: Starts a process that reads those of which it takes the tickets.
            helpers: Other processes; each takes 20 MB.
            keeper: Keeps the frames, if they are to be kept.

        Raises:
            OSError: No process can be started.
        """
        self._parts = parts
        self._part = self._position = 0
        self._keeper = keeper
        self._failed = False
        self._heard_s = time.monotonic()
        """When something was read last, here or elsewhere."""
        self._tickets = Tickets.of(self._parts[1:])
        self._own: dict[int, deque[Piece]] = {0: deque()}
        """Parts that this process has taken → pieces of them that nobody has asked for yet."""
        self._here: Iterator[Piece] | None = self._read_here(read)
        self._heads: dict[_FramePipe, tuple[Frame, bytes]] = {}
        """Pipe → its next frame, taken out because only so can be seen of which part it is."""
        self._others: list[Other] = []
        self._pipes: list[_FramePipe] = []
        """Those that have not come to their end."""
        try:
            for _ in range(min(helpers, MAX_HELPERS, len(self._parts) - 1)):
                other = start(self._tickets)
                self._others.append(other)
                self._pipes.append(_FramePipe(other.stream))
        except OSError:
            self.close()
            raise

    @classmethod
    def of_file(
        cls, source: ByteSource, thread: str, helpers: int, part_bytes: int, keeper: Keeper | None = None
    ) -> Reader:
        """Read the parts of one file.

        Args:
            source: The file; what it holds at this moment is read.
            thread: As for `ClaudeCodeAdapter`.
            helpers: Other processes.
            part_bytes: As for `parts_of`.
            keeper: Keeps the frames, if they are to be kept.

        Raises:
            OSError: No process can be started.
            UnreadableError: The file cannot be read.
        """
        return cls(
            parts_of(source, source.size, part_bytes),
            lambda part: read_apart(source, part, thread),
            lambda tickets: start_other(source, tickets, thread),
            helpers,
            keeper,
        )

    def next(self) -> Frame | Piece | None:
        """The next frame, or piece; waits for it."""
        while self._part < len(self._parts) and not self._is_here() and not self._is_over():
            self._go_on(None)
        found = self._taken() if self._part < len(self._parts) and self._is_here() else None
        if found is None:
            if not self._failed and self._part >= len(self._parts):
                self.finish(self._position)
            self.close()
            return None
        self._position = found.position
        if found.last:
            self._own.pop(self._part, None)
            self._part += 1
        return found

    def is_ready(self, timeout_s: float) -> bool:
        """Whether `next` would not wait. If it would, something is done for it, or waited for."""
        if self._part >= len(self._parts) or self._is_here():
            return True
        self._go_on(timeout_s)
        return self._is_here() or self._is_over()

    def _is_here(self) -> bool:
        """Whether the next frame of the part that is next was read."""
        return bool(self._own.get(self._part)) or any(f.part == self._part for f, _ in self._heads.values())

    def _is_over(self) -> bool:
        """Whether nothing more can come of the part that is next."""
        if self._failed or self._here is not None:
            return self._failed
        return self._part in self._own or not self._silent()

    def _silent(self) -> list[_FramePipe]:
        """Those whose next frame is not known."""
        return [pipe for pipe in self._pipes if pipe not in self._heads]

    def _taken(self) -> Frame | Piece:
        """The next of the part that is next, which is here; it is kept, if it is to be."""
        if own := self._own.get(self._part):
            piece = own.popleft()
            if self._keeper is not None:
                self._keeper.add_piece(piece)
            return piece
        pipe = next(pipe for pipe, (frame, _) in self._heads.items() if frame.part == self._part)
        frame, data = self._heads.pop(pipe)
        if self._keeper is not None:
            self._keeper.add(data)
        return frame

    def _go_on(self, timeout_s: float | None) -> None:
        """Let one thing happen: another process says something, or a piece is read here.

        Args:
            timeout_s: As long is waited where there is nothing to do; None: until something comes, or
                a process that says nothing must be taken for a stopped one.
        """
        if self._part not in self._own and self._listen(0):
            return
        if self._read_piece():
            self._heard_s = time.monotonic()
            return
        if self._is_over():
            return
        if self._listen(_SILENCE_S if timeout_s is None else timeout_s):
            self._heard_s = time.monotonic()
        elif time.monotonic() - self._heard_s >= _SILENCE_S:
            self._failed = True

    def _listen(self, timeout_s: float | None) -> bool:
        """Take out what other processes have said; whether any has."""
        silent = {pipe.stream.fileno(): pipe for pipe in self._silent()}
        poll = select.poll()  # which, unlike select, has no greatest descriptor
        for descriptor in silent:
            poll.register(descriptor, select.POLLIN)
        ready = poll.poll(None if timeout_s is None else 1_000 * timeout_s) if silent else []
        for pipe in [silent[descriptor] for descriptor, _ in ready]:
            try:
                if (found := pipe.next()) is not None:
                    self._heads[pipe] = found
            except EOFError:
                self._pipes.remove(pipe)
                other = next(other for other in self._others if other.stream is pipe.stream)
                self._failed |= other.wait() != 0
            except (OSError, ValueError, msgspec.DecodeError):
                self._pipes.remove(pipe)
                self._failed = True
        return bool(ready)

    def _read_piece(self) -> bool:
        """Read some of a part here; False: no part is left for this process."""
        if self._here is None:
            return False
        try:
            found = next(self._here, None)
        except (OSError, ValueError, UnreadableError):
            found, self._failed = None, True
        if found is None:
            self._here = None
            return False
        self._own[found.part].append(found)
        return True

    def _read_here(self, read: Callable[[FilePart], Iterator[Piece]]) -> Iterator[Piece]:
        """Pieces of the first part, and of those that this process takes when it is asked for more."""
        part: FilePart | None = self._parts[0]
        while part is not None:
            self._own.setdefault(part.number, deque())
            yield from read(part)
            part = self._tickets.take()

    def finish(self, position: int) -> None:
        """Keep what was read, if it is to be kept."""
        if self._keeper is not None:
            self._keeper.finish(position)

    def close(self) -> None:
        """End the processes."""
        self._part, self._here = len(self._parts), None
        self._own.clear()
        self._heads.clear()
        self._tickets.close()
        if self._keeper is not None:
            self._keeper.abandon()
        for other in self._others:
            other.end()
        self._pipes.clear()


class _FramePipe:
    """The pipe of another process, which may be stopped in the middle of a frame."""

    def __init__(self, stream: IO[bytes]) -> None:
        os.set_blocking(stream.fileno(), False)
        self.stream = stream
        self._said = bytearray()
        """What has come of the next frame. Nothing behind it is taken, so that what is here stays small."""

    def next(self) -> tuple[Frame, bytes] | None:
        """The next frame and its bytes; None where some of it has not come yet.

        Raises:
            EOFError: There are no more.
            ValueError: What comes is no frame.
            DecodeError: It is a frame of something else.
            OSError: The pipe is broken.
        """
        while missing := missing_bytes(self._said):
            try:
                data = os.read(self.stream.fileno(), min(missing, PIPE_BYTES))
            except BlockingIOError:
                return None
            if not data and self._said:
                raise ValueError("cut off in a frame")
            if not data:
                raise EOFError
            self._said += data
        said = bytes(self._said)
        self._said.clear()
        frame = next_frame(BytesIO(said).read)
        return None if frame is None else (frame, said)
