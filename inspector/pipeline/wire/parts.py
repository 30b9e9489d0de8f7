"""What the wire is made of before its texts are loaded: references to blocks, and the repairs.

A wire message names blocks of records instead of holding texts, so that one computation serves both
the replay, which needs sizes for every request, and the exact body of one request.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum, StrEnum

import msgspec

from inspector.model.policy import Unit
from inspector.model.transcript import NOTHING, Size

MISSING_TEXT = "[Tool result missing due to internal error]"
"""Content of the result that stands in for a displaced one (rule 34)."""
INTERRUPTED_TEXT = "[Tool use interrupted]"
"""Text of an assistant message that lost all its calls (rule 32)."""
NO_CONTENT_TEXT = "(no content)"
"""Text of a user message that lost all its results (rule 33)."""


class Part(IntEnum):
    """Where a block of the wire comes from."""

    RECORD = 0
    """A block of a record, as it stands there."""
    MISSING = 1
    """A result made at the API edge (rule 34)."""
    INTERRUPTED = 2
    """The filler of an emptied assistant message (rule 32)."""
    NO_CONTENT = 3
    """The filler of an emptied user message (rule 33)."""


MADE_TEXTS: dict[Part, str] = {
    Part.MISSING: MISSING_TEXT,
    Part.INTERRUPTED: INTERRUPTED_TEXT,
    Part.NO_CONTENT: NO_CONTENT_TEXT,
}
"""Texts of the parts that no record holds."""


class WireBlock(msgspec.Struct, frozen=True, gc=False):
    """One block of a wire message, by reference."""

    part: Part
    record: int = -1
    """`Record.index`; -1 for a part that no record holds."""
    block: int = 0
    """Ordinal among the record's blocks."""
    id: str = ""
    """tool_use id of a result that was made at the edge."""
    joint: bool = False
    """A text that meets the text of the next record: it gets a final line feed (rule 23)."""


class WireMessage(msgspec.Struct, frozen=True, gc=False):
    """One API message, by reference. Never without blocks."""

    assistant: bool
    """True: role assistant; False: role user."""
    blocks: tuple[WireBlock, ...]


class RepairKind(StrEnum):
    """What was done so that calls and results pair."""

    SYNTHETIC = "synthetic"
    """A result was made for a call whose own result stands elsewhere (rule 34)."""
    DROPPED = "dropped"
    """A call that nothing in the history answers was left out (rule 17)."""
    PENDING = "pending"
    """The same in the last message of the pending request: its result may still come."""
    ORPHAN = "orphan"
    """A result was removed whose call is not in the message before it (rule 33)."""
    DUPLICATE = "duplicate"
    """A call whose id came before, or a second result for one call, was removed (rules 32, 33)."""
    EMPTIED = "emptied"
    """A message lost everything and was filled (rules 32, 33)."""
    MOVED = "moved"
    """A result was moved in front of the other blocks of its message (rule 24)."""


class WireRepair(msgspec.Struct, frozen=True, gc=False):
    """One repair that is in force on a wire."""

    kind: RepairKind
    id: str
    """tool_use id; empty for an emptied message."""
    message: int
    """Index of the wire message at which it happened, from 0."""
    record: int
    """`Record.index` of what was repaired (for a made result: of the call); -1 where there is none."""
    block: int = 0


class Tally(msgspec.Struct, frozen=True, gc=False):
    """Sums over blocks that are on a wire."""

    text: Size = NOTHING
    """Texts, inputs of calls and texts of results, as they stand in the transcript."""
    thinking: Size = NOTHING
    user: Size = NOTHING
    """Part of `text`: what the user (or the client in the user's name) wrote."""
    assistant: Size = NOTHING
    """Part of `text`: texts of answers."""
    calls: Size = NOTHING
    """Part of `text`: inputs of calls."""
    results: Size = NOTHING
    """Part of `text`: results, those made at the edge included."""
    summaries: Size = NOTHING
    """Part of `text`: summaries of compactions."""
    images: int = 0
    image_chars: int = 0
    """Base64 characters of all images."""


TALLY_FIGURES = 20
"""Numbers that a tally is made of. They are summed as plain numbers: a struct for each step costs more."""


UNIT_PLACES: dict[Unit, int] = {Unit.CODE_POINTS: 0, Unit.UTF16: 1, Unit.BYTES: 2}
"""Which of the three numbers of a size among these is the one in a unit."""


def text_in(figures: Sequence[int], place: int) -> int:
    """`Tally.text` of summed figures, in one unit.

    Args:
        figures: `TALLY_FIGURES` numbers.
        place: One of `UNIT_PLACES`.
    """
    return sum(figures[place:15:3])


def tally_of(figures: Sequence[int]) -> Tally:
    """The tally of summed figures: three each of user, assistant, calls, results, summaries and thinking,
    then images and their characters.

    Args:
        figures: `TALLY_FIGURES` numbers.
    """
    user, assistant, calls, results, summaries, thinking = (
        Size(*figures[n : n + 3]) for n in range(0, 18, 3)
    )
    text = Size(sum(figures[0:15:3]), sum(figures[1:15:3]), sum(figures[2:15:3]))
    return Tally(text, thinking, user, assistant, calls, results, summaries, figures[18], figures[19])
