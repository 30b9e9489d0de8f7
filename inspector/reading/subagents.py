"""Sub-agent transcripts that belong to a session.

Three layouts are on record (`claude-code-transcripts.md` §6): `<session>/subagents/agent-*.jsonl`
with a `.meta.json` beside each, the same in folders of a workflow, and in old versions
`agent-*.jsonl` beside the session, which only their `sessionId` tells apart. A transcript that was
given another name has its sub-agents where its own `sessionId` says, or in `subagents` beside it, as
its overflow files are found too.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from inspector.errors import UnreadableError
from inspector.reading.confine import is_real_directory, open_inside, resolved
from inspector.reading.files import read_head, reason_of

FOLDER = "subagents"
"""Name of the directory that a session's newer sub-agents are in."""
_AGENT_FILE = re.compile(r"agent-(?P<id>.+?)\.jsonl(?:\.gz)?", re.DOTALL)
_META_LIMIT_BYTES = 1 << 16
_FIRST_LINES_BYTES = 1 << 16
_OWN_NAME = re.compile(r"agent-.*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.DOTALL)
"""Names that the client gives: a session is called by its id."""
_SESSION_ID = re.compile(rb'"sessionId"\s*:\s*"([^"\\]*)"')
MAX_AGENTS = 10_000
"""Most sub-agents that one session may bring."""
_SETTLED_NS = 3_000_000_000
"""A directory that was left alone for so long shows any later change by its time (the coarsest file
systems count in two seconds)."""
MAX_DEPTH = 4
"""Folders below `subagents` that are entered (`workflows/wf_…` needs two)."""


class SubAgent(msgspec.Struct, frozen=True):
    """One sub-agent's transcript."""

    path: Path
    id: str
    """The agent's id, as in its file name; untrusted text."""
    agent_type: str = ""
    description: str = ""
    tool_use_id: str = ""
    """The call of the parent that started it, where the `.meta.json` says so."""
    workflow: str = ""
    """Folder below `workflows`; empty outside one."""
    size_bytes: int = 0
    modified: float = 0.0
    """Seconds since the epoch."""


class SubAgents(msgspec.Struct, frozen=True):
    """What was found, and what could not be read."""

    agents: tuple[SubAgent, ...]
    """Oldest first."""
    problems: tuple[str, ...] = ()
    """One sentence each."""
    folders: tuple[Path, ...] = ()
    """Directories that were looked through."""


class AgentFinder:
    """Finds the sub-agents of a session again and again, at the price of a few `stat` calls.

    A directory's time tells whether anything was added to it; one that was changed a moment ago is
    looked through again, because a second change may bear the same time.
    """

    def __init__(self, session: Path) -> None:
        """Args:
        session: The parent's transcript.
        """
        self._session = session
        self._folders: tuple[Path, ...] = ()
        self._times: tuple[int, ...] = ()
        self._found = SubAgents(())

    def find(self) -> SubAgents:
        """What `find_subagents` gives now; sizes and times are those of the last search."""
        times = tuple(map(_time_ns, self._folders))
        if not self._times or times != self._times:
            self._found = find_subagents(self._session)
            self._folders = (*_roots(self._session, _names(self._session)), *self._found.folders)
            times = tuple(map(_time_ns, self._folders))
            settled = time.time_ns() - max(times) > _SETTLED_NS
            self._times = times if settled else ()
        return self._found


def _time_ns(folder: Path) -> int:
    try:
        return folder.stat(follow_symlinks=False).st_mtime_ns
    except (OSError, ValueError):  # a stated id may hold what no name can
        return 0


def _roots(session: Path, names: Sequence[str]) -> tuple[Path, ...]:
    """Where sub-agents can be: beside the session, and in a directory of its own, by each of its names."""
    place = resolved(session.parent)
    named = [path for name in names for path in (place / name, place / name / FOLDER)]
    return (place, *named, *((place / FOLDER,) if len(names) > 1 else ()))


def _names(session: Path) -> tuple[str, ...]:
    """The name of a session's file, and where that was changed, the id that its first lines state."""
    stem = session.name.removesuffix(".gz").removesuffix(".jsonl")
    stated = "" if _OWN_NAME.fullmatch(stem) else _stated_id(session)
    return (stem, stated) if stated not in ("", stem, ".", "..") and "/" not in stated else (stem,)


def _stated_id(path: Path) -> str:
    """The session that the first lines of a transcript state; empty where they do not, or cannot be read."""
    try:
        stated = _SESSION_ID.search(read_head(path, _FIRST_LINES_BYTES).data)
    except UnreadableError:
        return ""
    return stated[1].decode("utf-8", "replace") if stated else ""


def find_subagents(session: Path) -> SubAgents:
    """The sub-agents of a session; links are not followed.

    Args:
        session: The parent's transcript.
    """
    agents: list[SubAgent] = []
    problems: list[str] = []
    folders: list[Path] = []
    place, names = resolved(session.parent), _names(session)
    for name in names:
        if is_real_directory(place / name) and is_real_directory(place / name / FOLDER):
            _walk(place / name / FOLDER, (), agents, problems, folders)
    if not names[0].startswith("agent-"):
        _beside(place, names, agents, problems)
    if len(names) > 1 and is_real_directory(place / FOLDER):  # it may be that of another transcript here
        found: list[SubAgent] = []
        _walk(place / FOLDER, (), found, problems, folders)
        agents += [agent for agent in found if _stated_id(agent.path) == names[1]]
    agents.sort(key=lambda agent: (agent.modified, agent.id))
    return SubAgents(tuple(agents), tuple(problems), tuple(folders))


def _walk(
    root: Path, below: tuple[str, ...], agents: list[SubAgent], problems: list[str], folders: list[Path]
) -> None:
    here = root.joinpath(*below)
    folders.append(here)
    try:
        with os.scandir(here) as entries:
            for entry in entries:
                if len(agents) >= MAX_AGENTS:
                    problems.append(f"{here}: more than {MAX_AGENTS:,} sub-agents, the rest is left out")
                    return
                if entry.is_dir(follow_symlinks=False) and len(below) < MAX_DEPTH:
                    _walk(root, (*below, entry.name), agents, problems, folders)
                elif found := _AGENT_FILE.fullmatch(entry.name):
                    state = _own(entry, here, problems)
                    if state is None:
                        continue
                    meta = _meta(root, (*below, f"agent-{found['id']}.meta.json"))
                    workflow = below[-1] if "workflows" in below[:-1] else ""
                    agents.append(
                        SubAgent(
                            here / entry.name, found["id"], workflow=workflow,
                            size_bytes=state.st_size, modified=state.st_mtime, **meta,
                        )
                    )  # fmt: skip
    except OSError as error:
        problems.append(f"{here}: {reason_of(error)}")


def _beside(place: Path, names: Sequence[str], agents: list[SubAgent], problems: list[str]) -> None:
    """Agents of old versions: beside the session, told by the session id in their first lines."""
    try:
        with os.scandir(place) as entries:
            found = [(entry, name["id"]) for entry in entries if (name := _AGENT_FILE.fullmatch(entry.name))]
    except OSError as error:
        problems.append(f"{place}: {reason_of(error)}")
        return
    for entry, agent_id in found[:MAX_AGENTS]:
        path = place / entry.name
        state = _own(entry, place, problems)
        if state is None:
            continue
        try:
            stated = _SESSION_ID.search(read_head(path, _FIRST_LINES_BYTES).data)
        except UnreadableError as error:
            problems.append(str(error))
            continue
        if stated and stated[1].decode("utf-8", "replace") in names:
            agents.append(SubAgent(path, agent_id, size_bytes=state.st_size, modified=state.st_mtime))


def _own(entry: os.DirEntry[str], here: Path, problems: list[str]) -> os.stat_result | None:
    """How it stands with an entry that may be read; None for one that may not, or that went away."""
    try:
        state = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None
    except OSError as error:
        problems.append(f"{here / entry.name}: {reason_of(error)}")
        return None
    if not stat.S_ISREG(state.st_mode):
        return None
    if state.st_nlink > 1:  # as in the scratch directory: it may be any file of the disk
        problems.append(f"{here / entry.name}: has a second name (hard link), not read")
        return None
    return state


def _meta(root: Path, parts: tuple[str, ...]) -> dict[str, Any]:
    """What a `.meta.json` says; nothing where it is absent or odd."""
    try:
        with open_inside(root, parts) as file:
            stated = msgspec.json.decode(file.read(_META_LIMIT_BYTES))
    except (UnreadableError, OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}
    if not isinstance(stated, dict):
        return {}
    names = {"agentType": "agent_type", "description": "description", "toolUseId": "tool_use_id"}
    return {ours: stated[theirs] for theirs, ours in names.items() if isinstance(stated.get(theirs), str)}
