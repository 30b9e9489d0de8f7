"""Where sessions live, and the only place that knows it.

The environment and the home directory are passed in, so that nothing here depends on who runs it.
Thousands of sessions have to list quickly: a listing stats files and opens none; titles are read
afterwards, for the rows that are shown, from a bounded head and tail.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path

import msgspec

from inspector.errors import UsageError
from inspector.reading.files import is_directory, reason_of

MAX_SESSIONS = 200_000
"""Most sessions that a listing holds."""
MAX_DEPTH = 8
"""Folders below a directory given with `--root` that are entered."""
_NOT_ENTERED = frozenset({"subagents", "tool-results", "node_modules", ".git", ".hg", "__pycache__"})
_SUFFIX = re.compile(r"(?P<stem>.+?)\.(?P<form>jsonl|json)(?:\.gz)?", re.DOTALL)
_CODEX_NAME = re.compile(
    r"rollout-(?P<time>[\dT-]+?)-(?P<id>[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})"
)
_COST_FILE = re.compile(r"\d{15,}")
"""ChatCLI could write cost files `<unix nanoseconds>.json` into the same directory."""


class Origin(StrEnum):
    """Whose session a place holds."""

    CLAUDE_CODE = "Claude Code"
    CHATCLI = "ChatCLI"
    CODEX = "Codex"
    OTHER = "file"
    """Found below a directory given with `--root`; its content decides."""


class Place(msgspec.Struct, frozen=True):
    """A directory that holds sessions."""

    directory: Path
    kind: Origin


class KnownSession(msgspec.Struct, frozen=True):
    """One session file, as a listing knows it."""

    path: Path
    kind: Origin
    name: str
    """File name without its endings; the picker shows a title in its place once one is read."""
    project: str
    """Folder of the project for Claude Code, of the day for Codex; untrusted text."""
    size_bytes: int
    modified: float
    """Seconds since the epoch."""
    id: str
    """What `open ID` takes: session id or name."""


class SessionList(msgspec.Struct, frozen=True):
    """The sessions of some places."""

    sessions: tuple[KnownSession, ...]
    """Newest first."""
    problems: tuple[str, ...] = ()
    """Directories that could not be read and links that were not followed, one sentence each."""


def known_places(environment: Mapping[str, str], home: Path, root: Path | None = None) -> tuple[Place, ...]:
    """The directories in which sessions are looked for.

    Args:
        environment: `CLAUDE_CONFIG_DIR`, `CODEX_HOME`, `CHATCLI_PARK_DIR` and `XDG_CONFIG_HOME` are
            asked for.
        home: The user's home directory.
        root: `--root`: then only below this directory. One that is laid out like a home or a
            configuration directory is read as such.
    """
    if root is None:
        claude = Path(environment.get("CLAUDE_CONFIG_DIR") or home / ".claude")
        codex = Path(environment.get("CODEX_HOME") or home / ".codex")
        settings = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
        parked = Path(environment.get("CHATCLI_PARK_DIR") or settings / "chatcli" / "parked")
        return (
            Place(claude / "projects", Origin.CLAUDE_CODE),
            Place(home / ".chatcli" / "sessions", Origin.CHATCLI),
            Place(parked, Origin.CHATCLI),
            Place(codex / "sessions", Origin.CODEX),
        )
    layouts = (
        (root / ".claude" / "projects", Origin.CLAUDE_CODE),
        (root / ".chatcli" / "sessions", Origin.CHATCLI),
        (root / ".codex" / "sessions", Origin.CODEX),
        (root / "projects", Origin.CLAUDE_CODE),
    )
    found = tuple(Place(directory, kind) for directory, kind in layouts if is_directory(directory))
    return found or (Place(root, Origin.OTHER),)


def list_sessions(places: Sequence[Place]) -> SessionList:
    """Every session of the given places, newest first. No session file is opened.

    Args:
        places: Directories; one that is absent holds no sessions and is no problem.
    """
    problems: list[str] = []
    found: dict[Path, KnownSession] = {}
    for place in places:
        for session in _SEARCHES[place.kind](place, problems):
            found.setdefault(session.path, session)
            if len(found) >= MAX_SESSIONS:
                problems.append(
                    f"{place.directory}: more than {MAX_SESSIONS:,} sessions, the rest is left out"
                )
                break
    newest = sorted(found.values(), key=lambda session: (-session.modified, str(session.path)))
    return SessionList(tuple(newest), tuple(problems))


def find_session(sessions: Sequence[KnownSession], wanted: str) -> KnownSession:
    """The session with an id, or the only one whose id begins with the text.

    Args:
        sessions: A listing, newest first.
        wanted: Id or the beginning of one.

    Raises:
        UsageError: There is none, or there are several.
    """
    if not wanted:
        raise UsageError("an empty text names no session")
    exact = [session for session in sessions if wanted in {session.id, session.name}]
    if exact:
        return exact[0]  # copies of one session: the newest is meant
    begun = [session for session in sessions if session.id.startswith(wanted)]
    ids = list(dict.fromkeys(session.id for session in begun))
    if len(ids) == 1:
        return begun[0]
    if not ids:
        raise UsageError(f"{wanted!r} is neither a file nor the beginning of a session's id")
    more = f" and {len(ids) - 5} more" if len(ids) > 5 else ""
    raise UsageError(f"{wanted!r} is the beginning of {len(ids)} ids: {', '.join(ids[:5])}{more}")


def latest_session(sessions: Sequence[KnownSession]) -> KnownSession:
    """The newest session of a listing (`--latest`).

    Raises:
        UsageError: There is none.
    """
    if not sessions:
        raise UsageError("no session found")
    return sessions[0]


def _scan(directory: Path, problems: list[str], *, may_be_absent: bool) -> Iterator[os.DirEntry[str]]:
    """Entries of a directory in the order of the file system; links are left out and counted."""
    links = 0
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                if entry.is_symlink():
                    links += 1
                else:
                    yield entry
    except OSError as error:
        if not (may_be_absent and isinstance(error, FileNotFoundError)):
            problems.append(f"{directory}: {reason_of(error)}")
    if links:
        problems.append(f"{directory}: {links} {'link' if links == 1 else 'links'} not followed")


def _known(
    entry: os.DirEntry[str], kind: Origin, project: str, problems: list[str], forms: frozenset[str]
) -> KnownSession | None:
    """An entry as a session, or None where it is none."""
    name = _SUFFIX.fullmatch(entry.name)
    if name is None or name["form"] not in forms:
        return None
    try:
        if not entry.is_file(follow_symlinks=False):
            return None
        state = entry.stat(follow_symlinks=False)
    except OSError as error:
        problems.append(f"{entry.path}: {reason_of(error)}")
        return None
    stem = name["stem"]
    found = _CODEX_NAME.fullmatch(stem)
    return KnownSession(
        Path(entry.path), kind, stem, project, state.st_size, state.st_mtime, found["id"] if found else stem
    )


def _claude_sessions(place: Place, problems: list[str]) -> Iterator[KnownSession]:
    """`projects/<project>/<id>.jsonl`; sub-agents of old versions stand beside and are left out."""
    for folder in list(_scan(place.directory, problems, may_be_absent=True)):
        if not folder.is_dir(follow_symlinks=False):
            continue
        for entry in _scan(Path(folder.path), problems, may_be_absent=True):
            if not entry.name.startswith("agent-"):
                session = _known(entry, place.kind, folder.name, problems, frozenset({"jsonl"}))
                if session is not None:
                    yield session


def _chatcli_sessions(place: Place, problems: list[str]) -> Iterator[KnownSession]:
    """`sessions/<name>.json`; a `.tmp` is a write on its way, and cost files are no sessions."""
    for entry in _scan(place.directory, problems, may_be_absent=True):
        session = _known(entry, place.kind, "", problems, frozenset({"json"}))
        if session is not None and not _COST_FILE.fullmatch(session.name):
            yield session


def _codex_sessions(place: Place, problems: list[str]) -> Iterator[KnownSession]:
    """`sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`."""
    for session in _below(place, place.directory, (), 4, problems, frozenset({"jsonl"})):
        yield msgspec.structs.replace(session, project=session.project.replace("/", "-"))


def _other_sessions(place: Place, problems: list[str]) -> Iterator[KnownSession]:
    """Every JSON Lines or JSON file below a directory; what it is, its content says later."""
    return _below(place, place.directory, (), MAX_DEPTH, problems, frozenset({"jsonl", "json"}))


def _below(
    place: Place,
    directory: Path,
    parts: tuple[str, ...],
    depth: int,
    problems: list[str],
    forms: frozenset[str],
) -> Iterator[KnownSession]:
    folders: list[str] = []
    for entry in _scan(directory, problems, may_be_absent=place.kind is not Origin.OTHER):
        if entry.is_dir(follow_symlinks=False):
            if depth > 0 and entry.name not in _NOT_ENTERED:
                folders.append(entry.name)
            continue
        if entry.name.startswith("agent-") or entry.name.endswith(".meta.json"):
            continue
        session = _known(entry, place.kind, "/".join(parts), problems, forms)
        if session is not None:
            yield session
    for name in folders:
        yield from _below(place, directory / name, (*parts, name), depth - 1, problems, forms)


_SEARCHES = {
    Origin.CLAUDE_CODE: _claude_sessions,
    Origin.CHATCLI: _chatcli_sessions,
    Origin.CODEX: _codex_sessions,
    Origin.OTHER: _other_sessions,
}
