"""How a large file is read: from what was kept of it, by several processes, or by this one.

Measured with two processors: a copy of this process pays from 12 MB on, one that is started anew from
30 MB on. Keeping a reading pays from a tenth of a second on. What neither pays for loads nothing of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.errors import UnreadableError

if TYPE_CHECKING:
    from inspector.reading.agent_files import AgentReader
    from inspector.reading.kept import Keeper
    from inspector.reading.reader import Frames
    from inspector.reading.source import ByteSource
    from inspector.reading.subagents import SubAgent

KEPT_FROM_BYTES = 48 << 20
"""Readings of files from this size on are kept."""
APART_FROM_BYTES = 32 << 20
"""Files from this size on are read by several processes."""
COPIED_FROM_BYTES = 12 << 20
"""The same where a process can be copied."""
PART_BYTES = 2 << 20
"""Bytes of a part: few enough that nobody waits long for the last one."""


def frames_of(
    source: ByteSource, path: Path, thread: str, directory: Path | None
) -> tuple[Frames | None, Keeper | None]:
    """Whoever gives the frames of a file.

    Args:
        source: The file.
        path: Its name.
        thread: As for `ClaudeCodeAdapter`.
        directory: Where readings are kept; None: nowhere.

    Returns:
        None where this process has to read; then, whoever keeps what it reads, or None.
    """
    if source.size < min(KEPT_FROM_BYTES, APART_FROM_BYTES, COPIED_FROM_BYTES):
        return None, None
    keeper = None
    if directory is not None and source.size >= KEPT_FROM_BYTES:
        from inspector.reading.kept import Keeper, kept_reading

        if (kept := kept_reading(directory, path, source, thread)) is not None:
            return kept, None
        keeper = Keeper(directory, path, source, thread)
    from inspector.reading.others import may_be_copied, processors

    helpers = processors() - 1
    if source.size < (COPIED_FROM_BYTES if may_be_copied() else APART_FROM_BYTES) or not helpers:
        return None, keeper
    from inspector.reading.reader import Reader

    try:
        return Reader.of_file(source, thread, helpers, PART_BYTES, keeper), None
    except (OSError, UnreadableError):  # no more processes, or descriptors; a fault is met again below
        return None, keeper


def agent_reader(agents: Sequence[SubAgent]) -> AgentReader | None:
    """Whoever gives the frames of many sub-agents; None where this process has to read them.

    Args:
        agents: Of none of which anything was read.
    """
    if len(agents) < 2 or sum(map(_size_of, agents)) < COPIED_FROM_BYTES:
        return None
    from inspector.reading.others import may_be_copied, processors

    helpers = processors() - 1
    if not helpers or not may_be_copied():
        return None
    from inspector.reading.agent_files import AgentReader

    try:
        return AgentReader(agents, helpers)
    except OSError:  # no more processes, or descriptors
        return None


def _size_of(agent: SubAgent) -> int:
    try:
        return agent.path.stat().st_size
    except OSError:  # gone just now; whoever reads it says so
        return 0
