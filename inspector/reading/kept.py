"""Frames kept in the user's cache directory, so that a large session is read only once.

A kept reading counts as long as the file is the same one (device and inode) and holds what it held:
one of the same size must also have the same time of change, and of one that grew the head, the tail
before the old end and samples in between must be as they were. Not noticed is an edit in the middle
of a file that keeps its length and its time of change, or that has grown as well, where no sample
lies on it. A cache that cannot be used or written is done without, in silence: it is never needed.
"""

from __future__ import annotations

import hashlib
import os
import stat
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO

import msgspec

from inspector import __version__
from inspector.errors import UnreadableError
from inspector.model.transcript import Record
from inspector.reading.cutter import ANCHOR_BYTES
from inspector.reading.frames import Frame, Piece, frame_bytes, next_frame
from inspector.reading.readings import Reading
from inspector.reading.source import ByteSource

MAX_BYTES = 512 << 20
"""Most that all kept readings may take together; those not used for longest go first."""

_ENDING = ".frames"
_ABANDONED_S = 24 * 3600
"""A draft that nobody has written to for so long belongs to a process that is gone."""
_HEADER_BYTES = 512
_EDGE_BYTES = 64 << 10
_SAMPLE_BYTES = 4 << 10
_SAMPLES = 32


class _Header(msgspec.Struct, frozen=True, array_like=True):
    """Of which file a reading is, and how far."""

    maker: str
    device: int
    inode: int
    size: int
    """Of the file when it was read."""
    changed_ns: int
    position: int
    """First byte that was not read."""
    digest: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Header).decode


class Kept:
    """A kept reading, as its frames."""

    def __init__(self, file: BinaryIO) -> None:
        """Args:
        file: At its first frame.
        """
        self._file = file

    def next(self) -> Frame | None:
        """The next frame; None at the end, or where the rest is damaged."""
        if self._file.closed:
            return None
        try:
            return next_frame(self._file.read)
        except (OSError, ValueError, msgspec.DecodeError):
            return None

    def is_ready(self, timeout_s: float) -> bool:  # noqa: ARG002 - a file never lets anybody wait
        """It is."""
        return True

    def finish(self, position: int) -> None:
        """It is kept already."""

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def kept_reading(directory: Path, path: Path, source: ByteSource, thread: str) -> Kept | None:
    """What was kept of a file; None where there is nothing, or where it does not count any more.

    Args:
        directory: Where readings are kept.
        path: The file's name.
        source: The file.
        thread: As for `ClaudeCodeAdapter`.
    """
    place = _place(directory, path, thread)
    try:
        file = os.fdopen(os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.getuid():
            raise ValueError("a file that is none of ours")
        block = file.read(_HEADER_BYTES)
        if len(block) < _HEADER_BYTES or not _counts(_decode(block.rstrip(b"\0")), source):
            raise ValueError("a reading of another file, or of another state of it")
        with suppress(OSError):
            os.utime(file.fileno())  # used just now
    except (OSError, ValueError, msgspec.DecodeError, UnreadableError):
        file.close()
        return None
    return Kept(file)


class Keeper:
    """Keeps the frames of a reading while they are taken."""

    def __init__(self, directory: Path, path: Path, source: ByteSource, thread: str) -> None:
        """Args:
        directory: Where readings are kept; it is made where it is not there.
        path: The file's name.
        source: The file.
        thread: As for `ClaudeCodeAdapter`.
        """
        self._directory = directory
        self._place = _place(directory, path, thread)
        self._draft = self._place.with_name(f".{self._place.name}.{os.getpid()}")
        self._source = source
        self._file: BinaryIO | None = None
        try:
            self._changed_ns = os.fstat(source.fileno()).st_mtime_ns
            self._size = source.size
            directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            self._file = os.fdopen(os.open(self._draft, flags, 0o600), "wb")
            self._file.write(bytes(_HEADER_BYTES))
        except (OSError, ValueError):
            self.abandon()

    def add(self, data: bytes) -> None:
        """Keep the bytes of a frame."""
        if self._file is not None:
            try:
                self._file.write(data)
            except OSError:
                self.abandon()

    def add_piece(self, piece: Piece) -> None:
        """Keep what this process has read, in packed form."""
        if self._file is not None:
            try:
                self.add(frame_bytes(piece.frame()))
            except UnicodeEncodeError:
                self.abandon()

    def keep(self, position: int, line: int, reading: Reading, records: list[Record]) -> bool:
        """Keep what this process has read.

        Args:
            position: First byte that it has not read.
            line: Number of the line that begins there.
            reading: The adapter's report.
            records: Those since the one before.

        Returns:
            Whether it is kept.
        """
        try:
            anchor = self._source.read(max(position - ANCHOR_BYTES, 0), position)
        except UnreadableError:
            self.abandon()
        else:
            self.add_piece(Piece(0, position, line, anchor, self._source.identity, False, reading, records))
        return self._file is not None

    def finish(self, position: int) -> None:
        """The reading is complete; from now on it counts.

        Args:
            position: First byte of the file that was not read.
        """
        file = self._file
        if file is None:
            return
        try:
            status = os.fstat(self._source.fileno())
            if self._source.size < position:
                raise ValueError("the file was cut")
            unchanged = status.st_size == self._size and status.st_mtime_ns == self._changed_ns
            changed_ns = self._changed_ns if unchanged else 0
            header = _encode(
                _Header(
                    _maker(), status.st_dev, status.st_ino, self._size, changed_ns, position,
                    _digest(self._source, position),
                )
            )  # fmt: skip
            file.seek(0)
            file.write(header.ljust(_HEADER_BYTES, b"\0"))
            file.close()
            self._draft.replace(self._place)
            self._file = None
            _make_room(self._directory, self._place)
        except (OSError, ValueError, UnreadableError):
            self.abandon()

    def abandon(self) -> None:
        """The reading does not count."""
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            with suppress(OSError):
                self._draft.unlink(missing_ok=True)
            self._file = None


def _place(directory: Path, path: Path, thread: str) -> Path:
    name = os.fsencode(path.absolute()) + b"\0" + thread.encode("utf-8", "surrogatepass")
    return directory / (hashlib.blake2b(name, digest_size=16).hexdigest() + _ENDING)


def _counts(header: _Header, source: ByteSource) -> bool:
    """Whether a file still holds what was read of it."""
    status = os.fstat(source.fileno())
    same = (header.maker, header.device, header.inode) == (_maker(), status.st_dev, status.st_ino)
    if not same or not 0 < header.position <= header.size <= status.st_size:
        return False
    if status.st_size == header.size and status.st_mtime_ns != header.changed_ns:
        return False
    # What has been appended is read in this process: of much, other processes are better.
    if status.st_size - header.position > max(header.position // 4, _EDGE_BYTES):
        return False
    return _digest(source, header.position) == header.digest


def _digest(source: ByteSource, position: int) -> bytes:
    """Of the head, of the tail, and of samples between."""
    found = hashlib.blake2b(source.read(0, min(_EDGE_BYTES, position)), digest_size=16)
    found.update(source.read(max(position - _EDGE_BYTES, 0), position))
    for sample in range(1, _SAMPLES):
        start = position * sample // _SAMPLES
        found.update(source.read(start, min(start + _SAMPLE_BYTES, position)))
    return found.digest()


@cache
def _maker() -> str:
    """What made a reading: another version of the code that reads makes another one."""
    found = hashlib.blake2b(digest_size=12)
    here = Path(__file__).parent
    for source in sorted([*here.glob("*.py"), here.parent / "model" / "transcript.py"]):
        with suppress(OSError):
            found.update(source.read_bytes())
    return f"{__version__}/{found.hexdigest()}"


def _make_room(directory: Path, newest: Path) -> None:
    """Remove the readings that were not used for longest, and drafts whose writers were killed."""
    files: list[tuple[int, int, Path]] = []
    for file in directory.glob(f"*{_ENDING}"):
        with suppress(OSError):
            status = file.lstat()
            files.append((status.st_mtime_ns, status.st_size, file))
    for draft in directory.glob(f".*{_ENDING}.*"):
        with suppress(OSError):
            if newest.lstat().st_mtime - draft.lstat().st_mtime > _ABANDONED_S:
                draft.unlink()
    left = MAX_BYTES
    for _, size, file in sorted(files, reverse=True):
        left -= size
        if left < 0 and file != newest:
            with suppress(OSError):
                file.unlink()
