"""What ChatCLI keeps outside a session's file, and which of its scratch directories belong to it.

A session names neither its scratch directory nor its log, and the directory's name is random; ids of
tool calls in file names are the only link. The temporary directory is everybody's, so only real
directories of the session's own owner are looked into.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from inspector.reading.scratch import FOLDER, MAX_FILES

MAX_DIRECTORIES = 500
"""Newest scratch directories that are looked into."""
MAX_LOG_BYTES = 32 << 20
"""Newest bytes of the log that are read; ChatCLI starts a new file at 100 MB."""
_BLOCK_BYTES = 1 << 20
_WORKSPACE = "chatcli-agent-"
_SHARED = "chatcli-tool-results"
"""Where ChatCLI writes when it could not create a directory of its own (§7)."""


class ChatcliPlaces(msgspec.Struct, frozen=True):
    """Directories and files of one user's ChatCLI."""

    temporary: Path
    """`$TMPDIR`: its scratch directories lie directly below."""
    archive: Path
    """The CCR store."""
    log: Path


def chatcli_places(environment: Mapping[str, str], home: Path) -> ChatcliPlaces:
    """Where ChatCLI keeps things for a user (`chatcli.md` §6, §7, §9.2).

    Args:
        environment: `TMPDIR`, `CHATCLI_COMPRESSION_CCR_DIR` and `LOG_FILE` are asked for.
        home: The user's home directory.
    """
    own = home / ".chatcli"
    return ChatcliPlaces(
        Path(environment.get("TMPDIR") or "/tmp"),  # noqa: S108 - only read: it is where Go's TempDir is
        Path(environment.get("CHATCLI_COMPRESSION_CCR_DIR") or own / "ccr"),
        Path(environment.get("LOG_FILE") or own / "app.log"),
    )


def find_workspaces(temporary: Path, session: Path, ids: Collection[str]) -> list[Path]:
    """The scratch directories that hold files of a session's calls, newest first.

    Args:
        temporary: `$TMPDIR`.
        session: The session's file; only directories of its owner are looked into.
        ids: Its tool call ids.
    """
    if not any(ids):
        return []
    try:
        owner = session.stat().st_uid
        with os.scandir(temporary) as entries:
            named = [e for e in entries if e.name.startswith(_WORKSPACE) or e.name == _SHARED]
        found = [e for e in named if e.is_dir(follow_symlinks=False)]
        dated = [(e.stat(follow_symlinks=False), Path(e.path)) for e in found]
    except OSError:
        return []
    mine = sorted(((s.st_mtime, path) for s, path in dated if s.st_uid == owner), reverse=True)
    roots = [path if path.name == _SHARED else path / FOLDER for _, path in mine[:MAX_DIRECTORIES]]
    return [root for root in roots if _holds(root, ids)]


def _holds(root: Path, ids: Collection[str]) -> bool:
    """Whether a directory holds an overflow file of one of the calls."""
    try:
        if root.is_symlink():
            return False
        with os.scandir(root) as entries:
            names = [entry.name for _, entry in zip(range(MAX_FILES), entries, strict=False)]
    except OSError:
        return False
    from inspector.reading.chatcli_scratch import match_names

    return any(name.ids for name in match_names(names, ids))


class LogTail(NamedTuple):
    """The newest lines of a log."""

    data: bytes
    """From the start of a line on."""
    first_line: int
    """Number of that line in the file, from 1."""


def log_tail(path: Path, limit_bytes: int = MAX_LOG_BYTES) -> LogTail:
    """The newest whole lines of the log; nothing where there is none.

    The lines in front are counted only, block by block: ChatCLI begins a new log at 100 MB (§9.2).

    Args:
        path: The log.
        limit_bytes: Most bytes to keep.
    """
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:
            size = os.fstat(file.fileno()).st_size
            start = max(0, size - limit_bytes)
            before = sum(file.read(min(_BLOCK_BYTES, start - at)).count(b"\n") for at in _blocks(start))
            file.seek(start)
            data = file.read(limit_bytes)
    except (OSError, ValueError):
        return LogTail(b"", 1)
    if start == 0:
        return LogTail(data, 1)
    return LogTail(data[data.find(b"\n") + 1 :], before + 2)


def _blocks(end: int) -> range:
    return range(0, end, _BLOCK_BYTES)
