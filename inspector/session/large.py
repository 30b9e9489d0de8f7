"""How a large file is read: from what was kept of it, by other processes, or by this one.

Measured with two processors: another process pays from about 100 MB on (five sixths of the time at
500 MB). Where lines are long, reading is the larger part, so both read; where they are short, replaying
is, and this process leaves all of the reading to the other one. Keeping a reading pays from a tenth of
a second on. What neither pays for loads nothing of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.reading.kept import Keeper
    from inspector.reading.reader import Frames
    from inspector.reading.source import ByteSource

KEPT_FROM_BYTES = 48 << 20
"""Readings of files from this size on are kept."""
APART_FROM_BYTES = 96 << 20
"""Files from this size on are read by other processes."""
LONG_LINE_BYTES = 4 << 10
"""Of a file with lines as long as this on the average, this process reads a part as well."""

_SAMPLE_BYTES = 256 << 10


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
    if source.size < KEPT_FROM_BYTES:
        return None, None
    from inspector.reading.kept import Keeper, kept_reading
    from inspector.reading.reader import Reader, processors

    if directory is not None and (kept := kept_reading(directory, path, source, thread)) is not None:
        return kept, None
    keeper = Keeper(directory, path, source, thread) if directory is not None else None
    parts = processors()
    if source.size < APART_FROM_BYTES or parts == 1:
        return None, keeper
    try:
        return Reader(source, thread, parts if _has_long_lines(source) else 1, keeper), None
    except OSError:  # no more processes
        return None, keeper


def _has_long_lines(source: ByteSource) -> bool:
    middle = source.size // 2
    sample = source.read(middle, middle + _SAMPLE_BYTES)
    return sample.count(b"\n") < len(sample) // LONG_LINE_BYTES
