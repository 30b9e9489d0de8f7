"""Writing what a person asked for to a file that did not exist before.

Nothing is ever overwritten, and nothing is put beside a session unless its path was typed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from inspector.errors import UsageError
from inspector.whole_files import write_new

_ODD = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 60


def file_name(*words: str, ending: str) -> str:
    """A file name from words of a session, with nothing in it that a shell or a file system minds.

    Args:
        words: Untrusted; what is left of them is joined by `-`.
        ending: With its dot.
    """
    cleaned = (_ODD.sub("_", word).strip("._-") for word in words)
    return ("-".join(word for word in cleaned if word)[:_LONGEST] or "text") + ending


def typed_path(words: str) -> Path:
    """The file that a person typed; `~` of nobody stays as it is.

    Args:
        words: A path.

    Raises:
        UsageError: It names no file.
    """
    path = Path(os.path.expanduser(words.strip()))  # noqa: PTH111 - the other one raises for unknown users
    if not words.strip() or path.name in {"", ".."}:
        raise UsageError(f"{words.strip() or 'an empty text'} names no file")
    return path


def free_path(directory: Path, name: str) -> Path:
    """A path that nothing has: the name itself, or with a number before its ending.

    Args:
        directory: Where.
        name: File name.
    """
    path = directory / name
    number = 2
    while path.exists() or path.is_symlink():
        path = directory / f"{Path(name).stem}-{number}{Path(name).suffix}"
        number += 1
    return path


def default_directory(session: str, current: Path, home: Path) -> Path:
    """Where files go that nobody named a place for: the current directory, unless the session is there.

    Args:
        session: Path of the session; empty where there is none.
        current: Current directory.
        home: The person's home directory.
    """
    beside = bool(session) and Path(session).absolute().parent == current.absolute()
    return home if beside else current


def save_new(path: Path, data: bytes) -> None:
    """Write a new file.

    Args:
        path: Where; nothing may be there.
        data: What.

    Raises:
        UsageError: Something is there already, or it cannot be written.
    """
    try:
        write_new(path, data)
    except FileExistsError:
        raise UsageError(f"{path} exists; nothing was overwritten") from None
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise UsageError(f"{path} cannot be written: {reason}") from None
