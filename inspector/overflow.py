"""`OverflowStore`: full results on disk, each written once, whole or not at all.

A file becomes visible only when it is complete (written under a temporary name, then linked to its
own, which fails if that exists), so readers and other writers in any thread or process need no
lock. Whatever goes wrong is an answer (`Kept.error`), never an exception: the caller then leaves
the result in full.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock

from inspector.model.overflow import Kept
from inspector.model.policy import Preview
from inspector.whole_files import exists, opened_directory, publish, sweep, temporary_file

ARCHIVE_DIRECTORY = "ccr"
"""Below the scratch directory: originals of aged results, `KEY.ccr`."""
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:@+=,-]{0,119}")
_KEY = re.compile(r"[0-9a-f]{16}")
_NO_ANSWER = frozenset({errno.ENOENT, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO})
"""Errors that tell nothing about what stands under a name."""
_CHUNK_BYTES = 1 << 20
_TEMPORARY = ".overflow-"


def keeps_files(environment: Mapping[str, str]) -> bool:
    """Whether the environment asks to leave overflow files behind (seed 000, for debugging).

    Args:
        environment: Variables; `CHATCLI_AGENT_KEEP_TMPDIR` equal to `true`, in any case, says yes.
    """
    return environment.get("CHATCLI_AGENT_KEEP_TMPDIR", "").lower() == "true"


def safe_name(id: str) -> str:
    """A file name part for an id that may hold anything.

    Ordinary ids stay as they are. Any other loses what could leave the directory or confuse a
    terminal, and gets a digest so that two ids never share a name.
    """
    if _PLAIN.fullmatch(id):
        return id
    digest = hashlib.sha256(id.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    # The tilde stands in no ordinary id, so no id can be made to look like another one's name.
    return f"{re.sub('[^A-Za-z0-9_-]', '_', id[:40])}~{digest}"


class OverflowStore:
    """The overflow files of one scratch directory. May be shared by threads and processes.

    Stores that are given the same text under the same id share one file; `clean` of the one that
    wrote it removes it for all. Conversations that branch off from one another should keep files.
    """

    def __init__(self, directory: Path | str, preview: Preview = Preview.HEAD_TAIL) -> None:
        """Nothing is touched before the first text comes.

        Args:
            directory: Where files go; made with mode 0700 when it is not there.
            preview: Whose file names: `budget_<id>_<n>.txt`, or `<id>.txt` and `<id>.json`.
        """
        self.directory = Path(os.path.abspath(directory))  # noqa: PTH100 - a link given stays a link
        self._preview = preview
        self._lock = Lock()
        self._written: set[Path] = set()
        self._made: set[Path] = set()
        self._swept: set[Path] = set()

    def path_for(self, result_id: str, extension: str) -> str:
        """The path that a text of this result gets when it is the first of its id."""
        return str(self.directory / self._name(result_id, extension, 1))

    def keep(self, result_id: str, text: str, extension: str) -> Kept:
        """Write the full text of a result, unless an equal one is there already.

        Args:
            result_id: The tool_use id, whatever it holds.
            text: The full text; lone surrogates are kept as three bytes each.
            extension: `txt` or `json`.

        Returns:
            Where it is, or why it could not be written. Another text under the same id gets the
            next ordinal (`documented.md`, Budget); Claude Code's names have none, so there it is
            an error.
        """
        data = text.encode("utf-8", "surrogatepass")
        ordinal = 1
        while True:
            name = self._name(result_id, extension, ordinal)
            kept, taken = self._write_once(self.directory, name, data)
            if not taken or self._preview is Preview.PERSISTED:
                return kept
            ordinal += 1

    def archive(self, key: str, text: str) -> Kept:
        """Keep the original of an aged text.

        Args:
            key: Its `archive.key_of`.
            text: The original.
        """
        if not _KEY.fullmatch(key):
            return Kept("", f"{key!r} is no archive key")
        data = text.encode("utf-8", "surrogatepass")
        return self._write_once(self.directory / ARCHIVE_DIRECTORY, f"{key}.ccr", data)[0]

    def recall(self, key: str) -> str | None:
        """The original that a marker `<<ccr:KEY>>` stands for; None where there is none."""
        if not _KEY.fullmatch(key):
            return None
        with suppress(OSError, ValueError), opened_directory(self.directory / ARCHIVE_DIRECTORY) as directory:
            data = _read(directory, f"{key}.ccr")
            return None if data is None else data.decode("utf-8", "surrogatepass")
        return None

    def names_file_of(self, result_id: str, path: str) -> bool:
        """Whether a path is one that a text of this result can have got here.

        Args:
            result_id: The tool_use id.
            path: Any path; a record may name whatever it likes.
        """
        file = Path(path)
        if file.parent != self.directory:
            return False
        if self._preview is Preview.PERSISTED:
            return file.name in (self._name(result_id, "txt", 1), self._name(result_id, "json", 1))
        start, _, ordinal = file.name.removesuffix(".txt").rpartition("_")
        return start == f"budget_{safe_name(result_id)}" and re.fullmatch("[1-9][0-9]*", ordinal) is not None

    def adopt(self, result_id: str, path: str) -> None:
        """Count a file of an earlier process as this store's own, so that `clean` removes it.

        Args:
            result_id: The tool_use id whose text it holds.
            path: As a replacement names it; ignored where the store would never have written that
                result, so that no record can have a foreign file removed.
        """
        if self.names_file_of(result_id, path):
            with self._lock:
                self._written.add(Path(path))

    def clean(self) -> None:
        """Remove the files that this store wrote or adopted, and the directories that it made.

        What others wrote stays, and so does a directory that still holds something.
        """
        with self._lock:
            written, made = sorted(self._written), sorted(self._made, reverse=True)
            self._written.clear()
            self._made.clear()
        for file in written:
            with suppress(OSError):
                file.unlink()
        for directory in made:
            with suppress(OSError):
                directory.rmdir()

    def _name(self, result_id: str, extension: str, ordinal: int) -> str:
        safe = safe_name(result_id)
        if self._preview is Preview.PERSISTED:
            return f"{safe}.{extension}"
        return f"budget_{safe}_{ordinal}.{extension}"

    def _write_once(self, parent: Path, name: str, data: bytes) -> tuple[Kept, bool]:
        """Write a file if there is none; the second value tells that another text has the name."""
        path = parent / name
        for attempt in (1, 2):
            try:
                self._make(parent)
                with opened_directory(parent) as directory:
                    if parent not in self._swept:
                        self._swept.add(parent)
                        sweep(directory, _TEMPORARY)
                    return self._settle(directory, path, data)
            except FileNotFoundError as error:
                # The directory vanished under way: made again once.
                if attempt == 2:
                    return Kept("", _words(error, parent)), False
            except (OSError, ValueError) as error:  # ValueError: a path with a null character
                return Kept("", _words(error, parent)), False
        raise AssertionError("both attempts return")

    def _settle(self, directory: int, path: Path, data: bytes) -> tuple[Kept, bool]:
        if not exists(directory, path.name) and _create(directory, path.name, data):
            with self._lock:
                self._written.add(path)
            return Kept(str(path)), False
        if _holds(directory, path.name, data):
            return Kept(str(path)), False
        return Kept("", f"{path}: the name is taken by another text"), True

    def _make(self, directory: Path) -> None:
        missing = []
        while not directory.exists():
            missing.append(directory)
            directory = directory.parent
        for each in reversed(missing):
            with suppress(FileExistsError):
                each.mkdir(mode=0o700)
                with self._lock:
                    self._made.add(each)


def _create(directory: int, name: str, data: bytes) -> bool:
    """Put a complete file under a name that is free; False if it was taken meanwhile."""
    with temporary_file(directory, _TEMPORARY, data) as temporary:
        return publish(directory, temporary, name)


def _holds(directory: int, name: str, data: bytes) -> bool:
    """Whether a name is a plain file with exactly this content."""
    try:
        return _read(directory, name, len(data)) == data
    except OSError as error:
        if error.errno in _NO_ANSWER:
            raise
        return False


def _read(directory: int, name: str, length: int | None = None) -> bytes | None:
    """A plain file's content, no link followed; None where it is not plain or not of that length."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(name, flags, dir_fd=directory)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or (length is not None and status.st_size != length):
            return None
        chunks = []
        while chunk := os.read(descriptor, _CHUNK_BYTES):
            chunks.append(chunk)
        return b"".join(chunks)
    finally:
        os.close(descriptor)


def _words(error: OSError | ValueError, directory: Path) -> str:
    return f"{directory}: {getattr(error, 'strerror', None) or error}"
