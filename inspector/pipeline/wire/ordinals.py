"""Records by number: lists that can be added to in the middle, and what stands under a key.

A chain handles hundreds of thousands of records, so it names them by their ordinals and keeps a list
only where one number does not do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inspector.model.transcript import BlockKind, Record, Role

# A member looked up on its enum costs ten times what a name costs, and these are asked for per record.
_ASSISTANT = Role.ASSISTANT
_USER = Role.USER
_TOOL_RESULT = BlockKind.TOOL_RESULT


class Order:
    """A list of ordinals that can be added to in the middle: siblings go behind their parent."""

    def __init__(self, records: list[Record]) -> None:
        self._records = records
        self._next: dict[int, int] = {}
        self._first = self._last = -1

    def __contains__(self, ordinal: int) -> bool:
        return ordinal in self._next

    def append(self, ordinal: int) -> None:
        if ordinal in self._next:
            return
        if self._last < 0:
            self._first = ordinal
        else:
            self._next[self._last] = ordinal
        self._next[ordinal] = -1
        self._last = ordinal

    def extend(self, ordinals: Iterable[int]) -> None:
        for ordinal in ordinals:
            self.append(ordinal)

    def put(self, ordinal: int, host: int) -> None:
        """Behind a host, past more of the host's message and past results that came before it."""
        if host < 0 or ordinal in self._next:
            return
        message_id = self._records[host].message_id if self._records[host].role is _ASSISTANT else ""
        at = host
        while message_id and self._is_of(self._next[at], message_id):
            at = self._next[at]
        while 0 <= self._next[at] < ordinal and holds_result(self._records[self._next[at]]):
            at = self._next[at]
        self._next[ordinal] = self._next[at]
        self._next[at] = ordinal
        if self._last == at:
            self._last = ordinal

    def flat(self) -> list[int]:
        out: list[int] = []
        at = self._first
        while at >= 0:
            out.append(at)
            at = self._next[at]
        return out

    def _is_of(self, ordinal: int, message_id: str) -> bool:
        if ordinal < 0:
            return False
        record = self._records[ordinal]
        return record.role is _ASSISTANT and record.message_id == message_id


class Places:
    """Ordinals under keys. Nearly every key has one: a list is made for the second only."""

    def __init__(self, *, with_empty: bool = False) -> None:
        """Args:
        with_empty: Whether the empty key is one like any other; else nothing stands under it.
        """
        self._ordinals: dict[str, int | list[int]] = {}
        self._with_empty = with_empty

    def add(self, key: str, ordinal: int) -> None:
        """Adds an ordinal under a key."""
        known = self._ordinals.get(key)
        if known is None:
            if key or self._with_empty:
                self._ordinals[key] = ordinal
        elif isinstance(known, int):
            self._ordinals[key] = [known, ordinal]
        else:
            known.append(ordinal)

    def remove(self, key: str, ordinal: int) -> None:
        """Takes an ordinal away again.

        Raises:
            LookupError: It does not stand under the key.
        """
        known = self._ordinals[key]
        if isinstance(known, list) and ordinal in known:
            known.remove(ordinal)
            if len(known) == 1:
                self._ordinals[key] = known[0]
        elif known == ordinal:
            del self._ordinals[key]
        else:
            raise LookupError(ordinal)

    def of(self, key: str) -> Sequence[int]:
        """The ordinals under a key, in order; none for a key that was never met."""
        known = self._ordinals.get(key)
        if known is None:
            return ()
        return (known,) if isinstance(known, int) else known


def holds_result(record: Record) -> bool:
    """Whether a user record answers a call."""
    if record.role is not _USER:
        return False
    if len(record.blocks) == 1:
        return record.blocks[0].kind is _TOOL_RESULT
    for block in record.blocks:  # noqa: SIM110 - any() costs three times as much, for every record
        if block.kind is _TOOL_RESULT:
            return True
    return False
