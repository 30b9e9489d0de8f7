"""Where the client's reminders go on the wire (rules 30, 31): the texts that attachments hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from inspector.model.transcript import Flag, Record, Role
from inspector.pipeline.wire.grouping import is_sent


class Reminder(msgspec.Struct, frozen=True):
    """One attachment that is sent."""

    record: Record
    """The attachment."""
    behind: int | None
    """Position among the entries: it is glued to the last result in front of it. None: to the last."""


class Placement(msgspec.Struct, frozen=True):
    """Reminders of one history by the message that they belong to."""

    at: dict[int, list[Reminder]]
    """Wire message of the user → its attachments, in chain order."""
    between: dict[int, list[Reminder]]
    """Wire message in front of which a message of nothing but reminders stands → its attachments."""


def place_reminders(entries: Sequence[Record], places: Mapping[int, int], messages: int) -> Placement:
    """Assigns attachments that hold texts to messages.

    Those behind a user record belong to its message, also where further records of the answer in front
    of it stand between (rule 22); those behind an answer, or at the very start, to the user message that
    follows, and where an answer or nothing follows they are a message of their own.

    Args:
        entries: The history, steps that are no messages included, in order.
        places: `Record.index` → index of its wire message.
        messages: Number of wire messages.
    """
    placement = Placement({}, {})
    waiting: list[Reminder] = []
    last = -1
    after_user = False
    for position, record in enumerate(entries):
        if record.role is Role.BRIDGE:
            if record.flags & Flag.REMINDER:
                target = placement.at.setdefault(last, []) if after_user else waiting
                target.append(Reminder(record, position if after_user else None))
            continue
        place = places.get(record.index)
        if place is None or not is_sent(record):
            continue
        is_user = record.role is Role.USER
        if place < last:
            continue
        if waiting and (is_user or place > last):
            targets = placement.at if is_user else placement.between
            targets.setdefault(place, []).extend(waiting)
            waiting = []
        last, after_user = place, is_user
    if waiting:
        placement.between[messages] = waiting
    return placement
