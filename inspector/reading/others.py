"""Starting another process that reads parts of a file for this one.

A bare interpreter needs forty milliseconds to load what it reads with: as long as it then takes to read
20 MB. A copy of this process has all that, but a lock that another thread holds at that moment would be
held in the copy for ever. So a process of one thread, as a command that prints is, is copied on Linux,
which tells how many there are; any other one, as the app is, starts an interpreter.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, NoReturn, Protocol

import msgspec
import orjson

import inspector
from inspector.reading import apart
from inspector.reading.frames import Piece
from inspector.reading.source import ByteSource
from inspector.reading.tickets import FilePart, Tickets

PIPE_BYTES = 1 << 20
"""As much as a pipe may hold without the system's leave: a process that is ahead of this one goes on."""

_SET_PIPE_SIZE = 1031
"""Linux's `F_SETPIPE_SZ`."""
_KILL = 9
"""SIGKILL: the module of signals takes a millisecond to load."""
_START = (
    "import sys; sys.path[:0] = sys.argv[3:]; from inspector.reading import apart; apart.main(sys.argv[1:3])"
)
"""What a bare interpreter runs. It sees the standard library and the directories that it is given."""


class Other(Protocol):
    """Another process, and what it says."""

    stream: IO[bytes]
    """The reading end of its output."""

    def wait(self) -> int:
        """Wait until it has ended; 0 where it has done all that it was to do."""

    def end(self) -> None:
        """End it, wherever it is, and close its output."""


def processors() -> int:
    """Processors that this process may use; 1 where no other process can be started."""
    if not sys.executable or os.name != "posix":
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def start_other(source: ByteSource, tickets: Tickets, thread: str) -> Other:
    """Start a process that takes parts of a file while there are any, and says what stands in them.

    Args:
        source: The file; the process reads what is open here, whatever happens to its name.
        tickets: The parts.
        thread: As for `ClaudeCodeAdapter`.

    Raises:
        OSError: No process can be started.
    """
    if may_be_copied():
        return copy_that_reads(lambda part: apart.read_apart(source, part, thread), tickets, source.fileno())
    return _Interpreter(source, tickets, thread)


def copy_that_reads(
    read: Callable[[FilePart], Iterator[Piece]], tickets: Tickets, *descriptors: int
) -> Other:
    """Copy this process, which has to be one that may be; the copy takes parts while there are any.

    Args:
        read: Reads a part.
        tickets: The parts.
        descriptors: All that it reads from and that are open already.

    Raises:
        OSError: It cannot be copied.
    """
    return _Copy(lambda output: apart.hand_over(read, tickets, output), {*descriptors, tickets.descriptor})


def may_be_copied() -> bool:
    """Whether this process has no thread but this one."""
    try:
        return sys.platform == "linux" and len([*Path("/proc/self/task").iterdir()]) == 1
    except OSError:
        return False


class _Interpreter:
    """A bare interpreter, which is started anew."""

    def __init__(self, source: ByteSource, tickets: Tickets, thread: str) -> None:
        import subprocess  # which takes longer to load than a copy to make

        modules = (inspector, msgspec, orjson)
        roots = sorted({str(Path(module.__file__).parent.parent) for module in modules if module.__file__})
        options = ["-I", "-S", *(["-B"] if sys.dont_write_bytecode else [])]
        if sys.pycache_prefix:
            options += ["-X", f"pycache_prefix={sys.pycache_prefix}"]
        self._process = subprocess.Popen(
            [sys.executable, *options, "-c", _START, str(tickets.descriptor), thread, *roots],
            stdin=source.fileno(),
            stdout=subprocess.PIPE,
            bufsize=0,
            pipesize=PIPE_BYTES,
            stderr=subprocess.DEVNULL,
            pass_fds=(tickets.descriptor,),
        )
        assert self._process.stdout is not None
        self.stream: IO[bytes] = self._process.stdout

    def wait(self) -> int:
        return self._process.wait()

    def end(self) -> None:
        self._process.kill()
        self.stream.close()
        self._process.wait()


class _Copy:
    """A copy of this process, which does one piece of work and nothing else."""

    def __init__(self, work: Callable[[int], object], needed: set[int]) -> None:
        reading, writing = os.pipe()
        try:
            _widen(writing)
            self._id = os.fork()
        except OSError:
            os.close(reading)
            os.close(writing)
            raise
        if not self._id:
            os.close(reading)  # which may be one of the first three, where one of these was closed
            _work_alone(work, writing, needed | {writing})
        os.close(writing)
        self.stream: IO[bytes] = os.fdopen(reading, "rb", buffering=0)
        self._status: int | None = None

    def wait(self) -> int:
        if self._status is None:
            self._status = os.waitstatus_to_exitcode(os.waitpid(self._id, 0)[1])
        return self._status

    def end(self) -> None:
        if self._status is None:
            os.kill(self._id, _KILL)
        self.stream.close()
        self.wait()


def _widen(pipe: int) -> None:
    """Let a pipe hold more, where the system allows it."""
    import fcntl

    with suppress(OSError):
        fcntl.fcntl(pipe, _SET_PIPE_SIZE, PIPE_BYTES)


def _work_alone(work: Callable[[int], object], output: int, needed: set[int]) -> NoReturn:
    """In a copy: work, and end without anything that this process would do at its end.

    Args:
        work: Gets the descriptor to write to.
        output: The descriptor.
        needed: All descriptors that it uses. The others are closed: a pipe that a copy holds too never
            comes to its end.
    """
    code = 1
    try:
        gc.disable()
        for descriptor in [int(entry.name) for entry in Path("/proc/self/fd").iterdir()]:
            if descriptor > 2 and descriptor not in needed:
                with suppress(OSError):  # that of the list itself is closed by now
                    os.close(descriptor)
        work(output)
        code = 0
    except BaseException:  # nobody is here to be told; the other side sees how it ended
        code = 1
    finally:
        os._exit(code)
