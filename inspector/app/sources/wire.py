"""The requests of a conversation as they are sent, block by block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from inspector.app.sources.files import FilePlace
from inspector.session.wire_view import Side, WireView


@dataclass(frozen=True, slots=True)
class BlockPlace:
    """One block of a request that is shown."""

    request: int
    """From 1."""
    message: int
    """Index of its message, from 0."""
    block: int
    """Index in its message, from 0."""
    against: int | None = None
    """The request that the shown one is compared with; None: the one before."""
    form: Side = Side.PREDICTED
    """Whether the request is shown as predicted or as recorded."""


@dataclass(frozen=True, slots=True)
class UnsentPlace:
    """A call or result that the history of a request holds and the request does not send."""

    request: int
    """From 1."""
    record: int
    """`Record.index`."""
    block: int
    """Ordinal among the record's blocks."""


class WireSource(Protocol):
    """The requests of one conversation, as they are sent."""

    def view(self, request: int, against: int | None = None, side: Side = Side.PREDICTED) -> WireView:
        """One request, block by block.

        Args:
            request: From 1.
            against: The request to compare with; None: the one before, of recorded ones the newest before.
            side: As predicted, or as recorded.

        Raises:
            InspectorError: There is no such request any more, it was not recorded, or its texts cannot
                be read.
        """

    def text(self, block: BlockPlace | UnsentPlace, side: Side) -> str | None:
        """The text of a block; None where that side has no such block.

        Args:
            block: Which one; of what is not sent there is one text only, that of the transcript.
            side: Whose text.

        Raises:
            InspectorError: It cannot be read.
        """

    def place(self, block: BlockPlace | UnsentPlace) -> FilePlace:
        """Where the record stands that a block was made from.

        Args:
            block: Which one.

        Raises:
            InspectorError: No record has it: the client adds it by itself, or it was made by a repair.
        """
