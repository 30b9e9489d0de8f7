"""How much of a result is on the wire, from the figures the index holds, without its text."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING

import msgspec

from inspector.model.ledger import Level
from inspector.model.policy import MicrocompactSettings, Policy, Unit
from inspector.model.transcript import NOTHING, Candidate, Size
from inspector.pipeline import microcompact, previews
from inspector.pipeline.units import in_unit, measure

if TYPE_CHECKING:
    from inspector.replay.calls import Entry
    from inspector.replay.tracked import Tracked

# A member looked up on its enum costs ten times what a name costs, and these are asked for per record.
_CLEARED = Level.CLEARED
_FULL = Level.FULL
_GONE = Level.GONE
_PREVIEW = Level.PREVIEW
_SUMMARIZED = Level.SUMMARIZED
_TRUNCATED = Level.TRUNCATED
_PERSISTED = Candidate.PERSISTED


def aged_level(entry: Entry, age: int, base_chars: int, settings: MicrocompactSettings) -> tuple[Level, str]:
    """What ageing by some rules makes of a result, and why it is left where it is.

    Args:
        entry: A call with its result.
        age: Distinct answers that stand after the result.
        base_chars: Its text on the wire before ageing, in the policy's unit.
        settings: The rules.
    """
    block = entry.result
    is_error = bool(block and block.is_error)
    tool = entry.tool
    command = entry.argument.partition(" ")[0] if tool in microcompact.COMMANDED else ""
    level, reason = microcompact.level(age, base_chars, tool, is_error, settings, command)
    if level in (_TRUNCATED, _SUMMARIZED) and entry.is_mixed:
        return Level.EXEMPT, "more than text"
    return level, reason


CLEARED_CHARS = len(microcompact.CLEARED)
"""Size of the text that stands for a cleared result."""


SIZES: dict[Unit, Callable[[Size], int]] = {
    Unit.CODE_POINTS: attrgetter("chars"),
    Unit.UTF16: attrgetter("utf16"),
    Unit.BYTES: attrgetter("bytes"),
}
"""Unit → the one of the three lengths of a size; what `in_unit` does, for places that do it very often."""


class Weight(msgspec.Struct, frozen=True):
    """A size in the policy's unit."""

    chars: int
    estimated: bool = False
    """Whether it could not be told exactly."""


class Sizing:
    """The arithmetic of one policy over entries."""

    def __init__(self, policy: Policy, scratch: str = "tool-results") -> None:
        """Args:
        policy: Unit, limits and cuts.
        scratch: Directory that a predicted preview names; its length is part of the preview's.
        """
        self.policy = policy
        self.scratch = scratch
        self._persists = policy.budget.result_limit is None

    def in_unit(self, size: Size) -> int:
        return in_unit(size, self.policy.unit)

    def text(self, text: str) -> int:
        """Size of a text that is at hand."""
        return measure(text, self.policy.unit)

    def full(self, entry: Entry) -> int:
        """Size of the transcript's text; 0 while there is no result."""
        return in_unit(entry.result.size if entry.result else NOTHING, self.policy.unit)

    def call(self, entry: Entry) -> int:
        """Size of the call's input as JSON."""
        return in_unit(entry.call_block.size if entry.call_block else NOTHING, self.policy.unit)

    def path(self, entry: Entry) -> str:
        """Where the full text would go if the budget replaced it."""
        if not self._persists:
            return f"{self.scratch}/budget_{entry.id}_1.txt"
        ending = "json" if entry.result is not None and entry.result.is_list else "txt"
        return f"{self.scratch}/{entry.id}.{ending}"

    def path_line(self, tracked: Tracked) -> str:
        """What keeps the file of a replaced result named once ageing shortens it (`documented.md`)."""
        if not tracked.applied:
            return ""
        paths = (self.path(tracked.entry),) if tracked.stored is None else previews.paths_in(tracked.stored)
        return microcompact.path_line(paths[0]) if paths else ""

    def preview(self, entry: Entry) -> Weight:
        """Size of what would stay if the budget replaced it."""
        block = entry.result
        if block is None:
            return Weight(0)
        path, unit = self.path(entry), self.policy.unit
        if block.is_mixed:
            return Weight(in_unit(block.size, unit))
        if self._persists and block.is_list:
            return Weight(previews.listed_preview_size(block.size, block.shape, path, unit), estimated=True)
        if self._persists:
            size, exact = previews.persisted_preview_size(block.size, block.shape, path, unit)
        else:
            size, exact = previews.budget_preview_size(
                block.size, block.shape, path, self.policy.budget, unit
            )
        return Weight(size, not exact)

    def aged(self, tracked: Tracked, level: Level) -> Weight:
        """Size of what ageing leaves at a level; where its preview was in force, its file is named again."""
        block = tracked.entry.result
        if block is None:
            return Weight(0)
        unit = self.policy.unit
        if level is Level.TRUNCATED:
            size, exact = microcompact.truncated_size(block.size, block.shape, self.policy.microcompact, unit)
        else:
            size, exact = microcompact.summary_size(block.size, block.shape, unit)
        return Weight(size + self.text(self.path_line(tracked)), not exact)

    def level(self, entry: Entry, age: int, base_chars: int) -> tuple[Level, str]:
        """What ageing makes of it at an age, and why it is left where it is."""
        return aged_level(entry, age, base_chars, self.policy.microcompact)

    def on_wire(self, tracked: Tracked) -> tuple[Level, Weight]:
        """What of it is on the wire as things stand, and how much."""
        block = tracked.entry.result
        if block is None or not tracked.on_wire or tracked.removed:
            return _GONE, Weight(0)
        if tracked.cleared:
            return _CLEARED, Weight(CLEARED_CHARS, estimated=True)
        if tracked.aged is not None:
            return tracked.aged, self.aged(tracked, tracked.aged)
        if tracked.applied:
            return _PREVIEW, Weight(tracked.preview, tracked.preview_estimated)
        if block.candidate is _PERSISTED:
            return _PREVIEW, Weight(tracked.full)
        return _FULL, Weight(tracked.full)
