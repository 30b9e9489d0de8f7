"""The scratch directory of a session: which one it is, what lies in it, bounded reads of it.

Read-only and confined: whatever a transcript states, only files below the session's own scratch
directories are opened (`confine.py`). Listings, line reads and measurements are capped, because a
scratch directory belongs to whoever wrote the session. What the file system says for nothing (names,
bytes, times) is told without opening a file; texts are counted only when somebody asks for them.
"""

from __future__ import annotations

import codecs
import os
import stat
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from inspector.errors import UnreadableError
from inspector.reading.confine import bases_of, is_real_directory, open_inside, parts_inside, resolved
from inspector.reading.files import is_directory, reason_of
from inspector.reading.holes import hole_end

FOLDER = "tool-results"
"""Name that Claude Code and ChatCLI both use."""
MAX_FILES = 20_000
"""Most entries that a listing returns."""
MAX_FOLDER_DEPTH = 2
"""Folders below the scratch directory that a listing enters (page images lie one below)."""
BLOCK_BYTES = 1 << 18
_YOUNG_S = 2.0
"""A listing that holds something as new as this may have been taken in the middle of writing."""


class OverflowFile(msgspec.Struct, frozen=True):
    """One ordinary file in a scratch directory."""

    path: Path
    name: str
    """Path below the scratch directory, parts joined by `/`; untrusted text."""
    size_bytes: int
    modified: float
    """Seconds since the epoch."""


class Skipped(msgspec.Struct, frozen=True):
    """An entry that is not read, and why."""

    name: str
    reason: str


class Listing(msgspec.Struct, frozen=True):
    """What the scratch directories hold."""

    files: tuple[OverflowFile, ...]
    """Oldest first."""
    skipped: tuple[Skipped, ...] = ()
    cut: bool = False
    """Whether there is more than `MAX_FILES`."""


class TextSize(msgspec.Struct, frozen=True):
    """Sizes of a file's text; invalid UTF-8 counts as the replacement characters it is shown as."""

    bytes: int
    chars: int
    utf16: int
    lines: int
    """Line feeds, and one more for a last line without one."""


class Lines(msgspec.Struct, frozen=True):
    """Some lines of a file."""

    first: int
    """Number of the first line, from 1."""
    lines: tuple[str, ...]
    """Without their line feeds; a carriage return stays."""
    more: bool
    """Whether lines follow."""
    cut: bool = False
    """Whether a line was cut, or lines were left out, to stay within the byte cap."""


def folder_of(directory: Path) -> Path:
    """The scratch directory that a directory is, or holds (a ChatCLI process's working directory)."""
    below = directory / FOLDER
    return below if directory.name != FOLDER and is_directory(below) else directory


def scratch_roots(session: Path, *, given: Path | None = None, session_ids: Sequence[str] = ()) -> list[Path]:
    """The scratch directories of a session that exist (`pipeline.md`, Command line).

    `<session>/tool-results`, else `tool-results` beside the file. A sub-agent writes to its parent
    session's (`claude-code.md` §8), whether its transcript stands in `<session>/subagents/` or, in
    old versions, beside the session. Links among these are not followed.

    Args:
        session: The transcript.
        given: `--scratch`: then this one only; it may be a link, for the user named it.
        session_ids: Session ids seen in the transcript, for one whose file was renamed or that is a
            sub-agent beside its session.
    """
    if given is not None:
        return [given] if is_directory(given) else []
    place = resolved(session.parent)
    stem = session.name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".json")
    candidates = [place / stem]
    for above in (place, *place.parents):
        if above.name == "subagents":
            candidates.append(above.parent)
            break
    candidates += [
        place / name for name in session_ids if name and "/" not in name and name not in {".", ".."}
    ]
    candidates.append(place)
    roots = [base / FOLDER for base in candidates if is_real_directory(base)]
    return [root for root in dict.fromkeys(roots) if is_real_directory(root)]


class Scratch:
    """The scratch directories of one session, read-only."""

    def __init__(self, roots: Sequence[Path]) -> None:
        """Args:
        roots: Directories, first one first in every search.
        """
        self.roots: tuple[Path, ...] = tuple(roots)
        self._bases = bases_of(roots)
        self._sizes: dict[tuple[Path, int, float], TextSize] = {}
        self._listing: Listing | None = None
        self._listed: dict[str, int | None] = {}
        """Directories of the listing that is kept, and when each was last changed; empty: none is kept."""

    def listing(self) -> Listing:
        """Every ordinary file, oldest first; links, devices and the like are named as skipped.

        A directory changes when a file is added or taken away, so the listing is kept until then. It
        does not change when a file is written to, so one that holds a file which was written just now
        is not kept; where nothing is different, the same object is returned again.
        """
        if self._listed and all(_changed_ns(path) == then for path, then in self._listed.items()):
            assert self._listing is not None
            return self._listing
        files: list[OverflowFile] = []
        skipped: list[Skipped] = []
        listed: dict[str, int | None] = {}
        for root in self.roots:
            self._list(root, "", 0, files, skipped, listed)
        cut = len(files) > MAX_FILES
        files.sort(key=lambda file: (file.modified, file.name))
        found = Listing(tuple(files[:MAX_FILES]), tuple(skipped), cut)
        self._listing = found if found != self._listing else self._listing
        young = time.time() - _YOUNG_S
        is_settled = all(then is not None and then < young * 1e9 for then in listed.values())
        self._listed = listed if is_settled and (not files or files[-1].modified < young) else {}
        return self._listing or found

    def _list(
        self,
        root: Path,
        below: str,
        depth: int,
        files: list[OverflowFile],
        skipped: list[Skipped],
        listed: dict[str, int | None],
    ) -> None:
        listed[str(root / below)] = _changed_ns(str(root / below))
        try:
            with os.scandir(root / below) as entries:
                for entry in entries:
                    if len(files) > MAX_FILES or len(skipped) > MAX_FILES:
                        return
                    name = f"{below}{entry.name}"
                    if entry.is_dir(follow_symlinks=False) and depth < MAX_FOLDER_DEPTH:
                        self._list(root, f"{name}/", depth + 1, files, skipped, listed)
                        continue
                    try:
                        state = entry.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue  # it went away just now, which is no fault of the others
                    if why := _unfit(state):
                        skipped.append(Skipped(name, why))
                    else:
                        files.append(OverflowFile(root / name, name, state.st_size, state.st_mtime))
        except OSError as error:
            skipped.append(Skipped(below or str(root), reason_of(error)))

    def parts_inside(self, stated: str) -> tuple[Path, tuple[str, ...]] | None:
        """The root that an absolute path lies in, and the way down from there (`confine.parts_inside`)."""
        return parts_inside(stated, self._bases)

    def look(
        self, root: Path, parts: Sequence[str], head_bytes: int = 0
    ) -> tuple[OverflowFile, bytes] | None:
        """A file below one of the roots and its first bytes, opened once.

        Args:
            root: One of the roots.
            parts: Names from there to the file.
            head_bytes: How many bytes of its beginning to read.

        Returns:
            None where there is no file that may be read.

        Raises:
            UnreadableError: It is there, but its beginning cannot be read.
        """
        try:
            file = open_inside(root, parts)
        except UnreadableError:
            return None
        name = "/".join(parts)
        with file:
            state = os.fstat(file.fileno())
            try:
                head = os.pread(file.fileno(), head_bytes, 0) if head_bytes else b""
            except OSError as error:
                raise UnreadableError(f"{root / name}: {reason_of(error)}") from None
        return OverflowFile(root / name, name, state.st_size, state.st_mtime), head

    def _inside(self, path: Path) -> tuple[Path, tuple[str, ...]]:
        inside = self.parts_inside(str(path))
        if inside is None:
            raise UnreadableError(f"{path}: not inside the session's scratch directory")
        return inside

    def blocks(self, path: Path, limit_bytes: int) -> Iterator[bytes]:
        """The first bytes of a file, block by block.

        Args:
            path: A file below one of the roots.
            limit_bytes: Stop after so many.

        Raises:
            UnreadableError: It lies outside, or cannot be read.
        """
        position = 0
        with open_inside(*self._inside(path)) as file:
            while position < limit_bytes:
                block = _read(path, file.fileno(), position, min(limit_bytes - position, BLOCK_BYTES))
                if not block:
                    return
                yield block
                position += len(block)

    def _pieces(self, path: Path) -> Iterator[bytes | int]:
        """All of a file: block by block, and holes as the number of their bytes."""
        with open_inside(*self._inside(path)) as file:
            position = 0
            while True:
                end = hole_end(file.fileno(), position)
                if end > position:
                    yield end - position
                block = _read(path, file.fileno(), end, BLOCK_BYTES)
                if not block:
                    return
                yield block
                position = end + len(block)

    def read_bytes(self, path: Path, limit_bytes: int) -> bytes:
        """The first bytes of a file.

        Raises:
            UnreadableError: It lies outside, or cannot be read.
        """
        return b"".join(self.blocks(path, limit_bytes))

    def read_lines(self, path: Path, first: int, last: int, *, limit_bytes: int = 1 << 20) -> Lines:
        """Lines `first` … `last` of a file.

        Args:
            path: A file below one of the roots.
            first: First line wanted, from 1.
            last: Last line wanted, included.
            limit_bytes: Most bytes to return over all lines; what is beyond is cut off.

        Raises:
            UnreadableError: It lies outside, or cannot be read.
        """
        pieces = self._pieces(path)
        # Of a hole, as much as shows that it is too long.
        blocks = (p if isinstance(p, bytes) else bytes(min(p, limit_bytes + 1)) for p in pieces)
        return _pick_lines(blocks, first, last, limit_bytes)

    def text_size(self, file: OverflowFile) -> TextSize:
        """Sizes of a file's text in every unit; remembered until the file changes.

        Raises:
            UnreadableError: It cannot be read.
        """
        key = (file.path, file.size_bytes, file.modified)
        if (known := self._sizes.get(key)) is None:
            known = self._sizes[key] = self._count(file.path)
        return known

    def _count(self, path: Path) -> TextSize:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        size = chars = utf16 = feeds = 0
        last = b""
        for block in self._pieces(path):
            if isinstance(block, int):
                size, last = size + block, b"\0"
                rest = len(decoder.decode(b"\0")) - 1  # what a character that was cut off is read as
                chars, utf16 = chars + rest + block, utf16 + rest + block
                continue
            size += len(block)
            feeds += block.count(b"\n")
            last = block[-1:]
            if block.isascii() and not decoder.getstate()[0]:
                chars += len(block)
                utf16 += len(block)
                continue
            text = decoder.decode(block)
            chars += len(text)
            utf16 += len(text.encode("utf-16-le")) // 2
        rest = len(decoder.decode(b"", final=True))
        unended = int(last not in {b"", b"\n"})
        return TextSize(size, chars + rest, utf16 + rest, feeds + unended)


def _read(path: Path, descriptor: int, position: int, most_bytes: int) -> bytes:
    try:
        return os.pread(descriptor, most_bytes, position)
    except OSError as error:
        raise UnreadableError(f"{path}: {reason_of(error)}") from None


def _changed_ns(directory: str) -> int | None:
    """When entries of a directory were last added, taken away or renamed; None: it cannot be looked at."""
    try:
        return Path(directory).stat().st_mtime_ns
    except (OSError, ValueError):
        return None


def _pick_lines(blocks: Iterator[bytes], first: int, last: int, room: int) -> Lines:
    """Lines `first` … `last` of a stream, of all of them at most `room` bytes."""
    lines: list[str] = []
    held = bytearray()
    number, started = 1, False
    for block in blocks:
        if number < first and (feeds := block.count(b"\n")) < first - number:
            number += feeds
            continue
        at = 0
        while at < len(block):
            if number > last or room < 0:
                return Lines(first, tuple(lines), more=True, cut=room < 0)
            feed = block.find(b"\n", at)
            end = len(block) if feed < 0 else feed
            if number >= first:
                held += block[at : min(end, at + room)]
                room -= end - at
                started = True
            at = end + 1
            if feed >= 0 or room < 0:
                if started:
                    lines.append(held.decode("utf-8", "replace"))
                held.clear()
                number, started = number + 1, False
    if started:
        lines.append(held.decode("utf-8", "replace"))
    return Lines(first, tuple(lines), more=False, cut=room < 0)


def _unfit(state: os.stat_result) -> str:
    """Why an entry is not read; empty when it is."""
    if stat.S_ISLNK(state.st_mode):
        return "a link, not followed"
    if stat.S_ISDIR(state.st_mode):
        return "a folder, too deep"
    if not stat.S_ISREG(state.st_mode):
        return "not an ordinary file"
    if state.st_nlink > 1:
        return "has a second name (hard link), not read"
    return ""
