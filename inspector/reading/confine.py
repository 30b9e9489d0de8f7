"""Path confinement: a file is opened step by step below a root, or not at all.

The paths come from transcripts, and a transcript may come from anyone. Checking a path and then
opening it leaves a moment in which it can change; so each part is opened relative to the directory
opened before it, links are refused by the kernel, and the file that is open is the one examined.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO

import msgspec

from inspector.errors import UnreadableError
from inspector.reading.files import open_regular, reason_of

_DIRECTORY = os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY | os.O_NONBLOCK


def open_inside(root: Path, parts: Sequence[str]) -> BinaryIO:
    """Open an ordinary file below a root without following any link.

    Args:
        root: A directory that is trusted as it stands (the root itself may be reached by a link).
        parts: Names from the root down to the file; each a plain name.

    Raises:
        UnreadableError: A part is no plain name, a link, or absent; the last is no ordinary file,
            or has a second name somewhere (a hard link may lead to a file outside the root).
    """
    if not parts or not all(is_plain_name(part) for part in parts):
        raise UnreadableError("not a plain file name")
    fd = _open_directory(root, None, os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            below = _open_directory(part, fd, os.O_NOFOLLOW)
            os.close(fd)
            fd = below
        file = open_regular(parts[-1], follow=False, dir_fd=fd)
    finally:
        os.close(fd)
    if os.fstat(file.fileno()).st_nlink > 1:
        file.close()
        raise UnreadableError(f"{parts[-1]}: has a second name (hard link), so it is not read")
    return file


def is_plain_name(name: str) -> bool:
    """Whether a path part names an entry of its own directory and nothing else."""
    return name not in {"", ".", ".."} and "/" not in name and "\0" not in name


def is_real_directory(path: Path) -> bool:
    """Whether a path is a directory itself, not a link to one."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except (OSError, ValueError):
        return False


def resolved(path: Path) -> Path:
    """A path with its links resolved; as it stands where they lead in a circle or cannot be read."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path.absolute()


class Base(msgspec.Struct, frozen=True):
    """One way in which a path can begin that leads into a root."""

    root: Path
    parts: tuple[str, ...]


def bases_of(roots: Sequence[Path]) -> tuple[Base, ...]:
    """How paths into some roots begin: as the roots are given, and with their own links resolved."""
    return tuple(
        Base(root, PurePosixPath(base).parts) for root in roots for base in (root.absolute(), resolved(root))
    )


def parts_inside(stated: str, bases: Sequence[Base]) -> tuple[Path, tuple[str, ...]] | None:
    """Which root an absolute path lies in, judged by its words alone, and the way down.

    Args:
        stated: A path as a transcript states it.
        bases: Of the roots (`bases_of`).

    Returns:
        Root and parts, or None: not absolute, not below a root, or with a `..` in it.
    """
    path = PurePosixPath(stated)
    parts = path.parts
    if not path.is_absolute() or ".." in parts or "\0" in stated:
        return None
    for base in bases:
        depth = len(base.parts)
        if len(parts) > depth and parts[:depth] == base.parts:
            return base.root, parts[depth:]
    return None


def last_names(stated: str) -> tuple[str, ...]:
    """The file names that a stated path can mean, likeliest first.

    A backslash separates parts on Windows and is a letter elsewhere, so both readings are given.

    Args:
        stated: A path as a transcript states it.
    """
    posix = stated.rstrip("/").rpartition("/")[2]
    names = (posix, PureWindowsPath(stated).name) if "\\" in stated else (posix,)
    return tuple(dict.fromkeys(name for name in names if is_plain_name(name)))


def _open_directory(path: Path | str, dir_fd: int | None, flags: int) -> int:
    try:
        return os.open(path, _DIRECTORY | flags, dir_fd=dir_fd)
    except (OSError, ValueError) as error:
        raise UnreadableError(f"{path}: {reason_of(error)}") from None
