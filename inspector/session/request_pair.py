"""Two requests block by block with the texts that differ: of one session, or two files with a body each.

Both end up as one `RequestPair`, so that they are printed by the same code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.errors import UnreadableError, UsageError
from inspector.model.policy import Unit
from inspector.reading.files import read_whole
from inspector.reading.lenient import decode_json
from inspector.reading.message_lines import PREFIX_FIELDS, without_cache_marks
from inspector.reading.messages import read_messages
from inspector.replay.sentences import UNIT_WORDS
from inspector.session.block_rows import BlockRows
from inspector.session.body_blocks import Body, block_text, blocks_of
from inspector.session.wire_view import Mark, Side, WireBlockRow, WireView
from inspector.session.wire_views import WireViews

if TYPE_CHECKING:
    from inspector.session.session import Session


@dataclass(frozen=True, slots=True)
class RequestPair:
    """Two requests."""

    earlier: str
    """Name of the one compared with, such as `request 6` or a path; untrusted."""
    later: str
    """Name of the one whose blocks are told; untrusted."""
    view: WireView
    changed: Mapping[tuple[int, int], tuple[str, str]]
    """(message, block), from 0, of changed blocks → text in the earlier and in the later request."""
    fields: tuple[str, ...] = ()
    """Fields of the two bodies that stand in front of the messages in the cached prefix and differ."""


def request_pair(
    session: Session, n: int, *, against: int | None = None, recorded: bool = False, agent: str = ""
) -> RequestPair:
    """Two requests of one session.

    Args:
        session: Read to its end.
        n: The request whose blocks are told, from 1.
        against: The other one; None: the one before.
        recorded: Both as the transcript recorded them, instead of as predicted.
        agent: A sub-agent's id; empty: the main conversation.

    Raises:
        UsageError: There is no such request or agent, it was not recorded, or there is none before it.
    """
    if agent not in session.timelines:
        raise UsageError(f"there is no sub-agent {agent!r} in this session")
    views = WireViews(session, agent)
    count = len(views.timeline.requests)
    for number in (n, against):
        if number is not None and not 1 <= number <= count:
            raise UsageError(f"there is no request {number}; the session has 1 to {count}")
    form = Side.RECORDED if recorded else Side.PREDICTED
    view = views.view(n, against, form)
    if view.against is None:
        raise UsageError(f"there is no {'recorded ' * recorded}request before {n}; name one with --against")

    def text(row: WireBlockRow, side: Side) -> str:
        return views.text(n, row.message, row.block, side, view.against, form) or ""

    changed = {
        (row.message, row.block): (text(row, Side.BEFORE), text(row, form))
        for row in view.rows
        if row.mark is Mark.CHANGED
    }
    words = "recorded request" if recorded else "request"
    return RequestPair(f"{words} {view.against}", f"{words} {n}", view, changed)


def two_bodies(earlier: Path, later: Path) -> RequestPair:
    """Two files that hold a request body, or a list of messages, each.

    Marks for the cache are left out: they move from request to request, and the cached text stays.

    Args:
        earlier: The one that was sent first.
        later: The one after it.

    Raises:
        UnreadableError: One of them holds no messages.
    """
    before, after = _body(earlier), _body(later)
    view, changed = _bodies_view(before.messages, after.messages)
    changed_fields: tuple[str, ...] = ()
    if before.fields.get("model") and after.fields.get("model"):  # which every whole body has
        changed_fields = tuple(name for name in PREFIX_FIELDS if before.fields[name] != after.fields[name])
    return RequestPair(str(earlier), str(later), view, changed, changed_fields)


def _bodies_view(before: Body, now: Body) -> tuple[WireView, dict[tuple[int, int], tuple[str, str]]]:
    """Two bodies that no session stands behind.

    Returns:
        The later one beside the earlier one, as requests 2 and 1; and the texts of its changed blocks.
    """
    names = {
        str(block.get("id")): str(block.get("name") or "tool")
        for message in [*before, *now]
        for block in blocks_of(message)
        if block.get("type") == "tool_use"
    }
    unit = Unit.CODE_POINTS
    maker = BlockRows(unit, now, before, None, lambda id: f"{names.get(id, '(no call)')} {id}")
    rows = maker.rows()
    changed: dict[tuple[int, int], tuple[str, str]] = {}
    for row in rows:
        if row.mark is Mark.CHANGED:
            block = blocks_of(now[row.message])[row.block]
            old = maker.old(row.message, row.block)
            changed[row.message, row.block] = (block_text(old) if old else "", block_text(block))
    view = WireView(
        request=2,
        against=1,
        rows=rows,
        break_at=maker.break_at,
        break_words="",
        gone=maker.gone,
        unit=UNIT_WORDS[unit],
        resumed=False,
        is_recorded=False,
        other_chars=None,
        ends_at=maker.ends_at,
        gone_at=maker.gone_at,
    )
    return view, changed


@dataclass(frozen=True, slots=True)
class _BodyFile:
    """What a file with a request body holds, without marks for the cache."""

    messages: Body
    fields: Mapping[str, Any]
    """Those in front of the messages; none where the file is a bare list of messages."""


def _body(path: Path) -> _BodyFile:
    data = read_whole(path)
    try:
        records = read_messages(data).records
    except UnreadableError as error:
        raise UnreadableError(f"{path}: {error}") from None
    found: list[Any] = [decode_json(data[record.start : record.end]).value for record in records]
    whole = decode_json(data).value
    fields = {name: whole.get(name) for name in PREFIX_FIELDS} if isinstance(whole, dict) else {}
    return _BodyFile(
        [without_cache_marks(message) for message in found if isinstance(message, dict)],
        {name: without_cache_marks(value) for name, value in fields.items()},
    )
