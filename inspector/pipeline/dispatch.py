"""The cap on a tool's output when it returns, before it becomes part of the history.

Seed 000 cuts to head and tail; Claude Code persists instead, at limits of its own per tool. Which
tools have which cap is data in the policy. Errors are never capped (seed 000; `chatcli.md` §1).
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from inspector.model.policy import DispatchSettings, Unit
from inspector.pipeline.units import first, last, measure

HEAD, TAIL = 5_000, 1_000
"""What a cap keeps (seed 000), whatever its size."""
NO_CAP_GIVEN = 30_000
"""What a cap of nothing stands for (`chatcli.md` §1)."""


class PersistLimit(msgspec.Struct, frozen=True, gc=False):
    """A size over which Claude Code persists a tool's output (`claude-code.md` §1)."""

    limit: int
    """Largest output that stays inline."""
    unit: Unit
    """What it counts: Bash's limit is of bytes, the others are of UTF-16 units."""


PERSIST_LIMITS: Mapping[str, PersistLimit] = {
    "Bash": PersistLimit(30_000, Unit.BYTES),
    "Grep": PersistLimit(20_000, Unit.UTF16),
    "mcp": PersistLimit(50_000, Unit.UTF16),
}
"""Measured limits by tool; `mcp` stands for every tool named `mcp__…`. Read has none."""


def cap_of(tool: str, settings: DispatchSettings) -> int:
    """The cap of a tool in the policy's unit: by its name with or without `@`, else the default."""
    for name in (tool, f"@{tool}", tool.removeprefix("@"), "mcp" if tool.startswith("mcp__") else tool):
        if name in settings.caps:
            return settings.caps[name]
    return settings.default_cap


def persist_limit(tool: str) -> PersistLimit | None:
    """Claude Code's own limit for a tool; None where none was found."""
    return PERSIST_LIMITS.get("mcp" if tool.startswith("mcp__") else tool)


def cap(text: str, limit: int, unit: Unit = Unit.CODE_POINTS) -> str:
    """A tool's output, cut to head and tail if it is over its cap (`chatcli.md` §1).

    Args:
        text: The output.
        limit: The cap in `unit`; nothing or less means the default. Up to head + tail it leaves room
            for the head only.
        unit: What to count and cut in.
    """
    limit = limit if limit > 0 else NO_CAP_GIVEN
    size = measure(text, unit)
    if size <= limit:
        return text
    if limit <= HEAD + TAIL:
        return first(text, limit, unit) + "\n\n... [TRUNCATED]"
    head, tail = first(text, HEAD, unit), last(text, TAIL, unit)
    kept = measure(head, unit) + measure(tail, unit)
    return f"{head}\n\n... [TRUNCATED {size - kept} chars omitted, {kept} kept] ...\n\n{tail}"
