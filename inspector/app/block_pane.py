"""What the pane below the wire's list shows of a block: its change first, else one of its texts.

What changed is why one looks at a block, so nobody has to ask for it; the whole texts are one key away.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from inspector.app.diff_texts import side_words
from inspector.app.feed import DetailText
from inspector.app.sources.wire import BlockPlace, UnsentPlace, WireSource
from inspector.app.unified import unified_text
from inspector.app.widgets.ledger_rows import size_text
from inspector.app.widgets.wire_rows import ShownLine, other_side
from inspector.errors import UsageError
from inspector.figures import number
from inspector.session.wire_view import Mark, Side, WireBlockRow, WireView


class Choice(NamedTuple):
    """One thing that the pane can show of a block."""

    side: Side
    """Whose text; of a difference the later one."""
    against: Side | None = None
    """The text in front of it; None: the text alone."""


def choices(view: WireView, row: WireBlockRow) -> Sequence[Choice]:
    """What there is to show of a block, the most telling first.

    Args:
        view: The request shown.
        row: The block.
    """
    other = other_side(view.side) if view.other_chars is not None else None
    out: list[Choice] = []
    if row.mark is Mark.CHANGED:
        out.append(Choice(view.side, Side.BEFORE))
    if other is not None and row.differs:
        out.append(Choice(Side.RECORDED, Side.PREDICTED))
    out.append(Choice(view.side))
    if other is not None:
        out.append(Choice(other))
    if view.against:
        out.append(Choice(Side.BEFORE))
    return out


def choices_of(view: WireView, shown: ShownLine) -> Sequence[Choice]:
    """What there is to show of a line of the list; of what is not sent its one text, the transcript's.

    Args:
        view: The request shown.
        shown: The line; it is a block's.
    """
    return choices(view, shown.row) if shown.row is not None else [Choice(view.side)]


def pane_title(view: WireView, shown: ShownLine, choice: Choice) -> str:
    """What the pane shows, and of which block.

    Args:
        view: The request shown.
        shown: The line of the list; it is a block's.
        choice: One of its choices.
    """
    if shown.unsent is not None:
        return f"{shown.unsent.kind} {shown.unsent.words}, not sent in request {view.request}"
    assert shown.row is not None
    return f"message {shown.row.message}, block {shown.row.block}, {choice_words(view, choice)}"


def choice_words(view: WireView, choice: Choice) -> str:
    """What is shown, for the pane's title.

    Args:
        view: The request shown.
        choice: One of `choices`.
    """
    if choice.against is None:
        return side_words(view, choice.side)
    if choice.against is Side.BEFORE:
        return f"{side_words(view, Side.BEFORE)} → {side_words(view, choice.side)}"
    return f"request {view.request}: {choice.against.value} → {choice.side.value}"


def read_choice(
    source: WireSource, place: BlockPlace | UnsentPlace, choice: Choice, view: WireView, shown: ShownLine
) -> DetailText:
    """The text to show. Called in a worker thread; may read files.

    Its size is told as the list tells it: the text shown may be laid out, or count otherwise.

    Args:
        source: Who reads the texts.
        place: The block.
        choice: One of `choices`.
        view: The request shown.
        shown: The line of the list that the block stands in.

    Raises:
        InspectorError: It cannot be read, or that side has no such block.
    """
    text = source.text(place, choice.side)
    before = source.text(place, choice.against) if choice.against is not None else None
    if text is None and before is None:
        raise UsageError("There is no such block.")
    size = size_text(_size(view, shown, choice.side), estimated=shown.estimated)
    if choice.against is None:
        return DetailText(text or "", f"{size} {view.unit}")
    if text == before:
        return DetailText(text or "", "The text is the same; another field of the block differs.")
    found = unified_text(before or "", text or "")
    sizes = f"{number(_size(view, shown, choice.against))} → {size} {view.unit}"
    return DetailText(found.text, f"{sizes}, {found.summary}", found.tints, found.own_lines)


def _size(view: WireView, shown: ShownLine, side: Side) -> int:
    """What the list says of one side of a block; 0 where that side has none."""
    if shown.row is None:
        return shown.unsent.chars if shown.unsent is not None else 0
    if side is Side.BEFORE:
        return shown.row.before or 0
    return shown.row.chars if side is view.side else shown.row.other or 0
