"""Two requests against each other as data (`inspector-requests/1`) and as text.

The text tells only what is not the same: the first changed block is where the prompt cache ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from inspector.figures import count_words, number
from inspector.line_diff import compare_texts, unified
from inspector.session.wire_view import Mark
from inspector.text import printable_line

if TYPE_CHECKING:
    from inspector.session.request_pair import RequestPair
    from inspector.session.wire_view import WireBlockRow

SCHEMA = "inspector-requests/1"
SHOWN_LINES = 40
"""Lines of one changed block that the text tells; the JSON has its sizes, `wire` its whole text."""
_SIGNS = {Mark.SAME: "=", Mark.CHANGED: "~", Mark.AFTER: "╎", Mark.NEW: "+"}


def request_diff_data(pair: RequestPair) -> dict[str, Any]:
    """Both requests as plain data, ready for JSON.

    Args:
        pair: Two requests.
    """
    view = pair.view
    place = view.first_changed
    return {
        "schema": SCHEMA,
        "earlier": pair.earlier,
        "later": pair.later,
        "unit": view.unit,
        "chars": view.chars,
        "unchanged_chars": view.chars_of(Mark.SAME),
        "after_break_chars": view.chars_of(Mark.CHANGED, Mark.AFTER),
        "blocks_gone": view.gone,
        "fields_changed": list(pair.fields),
        "first_changed": {"message": place[0], "block": place[1]} if place else None,
        "cause": view.break_words or None,
        "blocks": [
            {
                "message": row.message,
                "block": row.block,
                "role": row.role,
                "role_before": row.role_before or None,
                "kind": row.kind,
                "tool_use_id": row.tool_use_id or None,
                "mark": row.mark.value,
                "chars": row.chars,
                "chars_before": row.before,
            }
            for row in view.rows
        ],
    }


def request_diff_text(pair: RequestPair) -> str:
    """Both requests for a person; every text in it is printable, line by line.

    Args:
        pair: Two requests.
    """
    return "\n".join(printable_line(line) for line in _lines(pair))


def _lines(pair: RequestPair) -> Iterator[str]:
    view = pair.view
    yield f"{pair.earlier} → {pair.later}: {number(view.chars)} {view.unit}"
    yield (
        f"  {number(view.chars_of(Mark.SAME))} unchanged, "
        f"{number(view.chars_of(Mark.CHANGED, Mark.AFTER))} changed or behind a change, "
        f"{number(view.chars_of(Mark.NEW))} new, {count_words(view.gone, 'block')} gone"
    )
    if pair.fields:
        yield (
            f"  prefix break in front of all messages: {', '.join(pair.fields)} "
            f"{'is' if len(pair.fields) == 1 else 'are'} not what the earlier request had."
        )
    if view.ends_at is not None:
        message, block = view.ends_at
        yield (
            f"  The later request ends where message {message}, block {block} of the earlier one stood; "
            "all that it sends was sent before."
        )
    elif view.break_at is None:
        kept = "The messages only grew" if pair.fields else "The prefix is unbroken"
        yield f"  {kept}: the later request begins with all blocks of the earlier one."
    else:
        first = view.rows[view.break_at]
        message, block = view.gone_at or (first.message, first.block)
        gone = ", which the later request does not send" if view.gone_at else ""
        cause = f": {view.break_words}" if view.break_words else ""
        yield f"  prefix break at message {message}, block {block}{gone}{cause}"
    for row in view.rows:
        if row.mark in (Mark.CHANGED, Mark.NEW):
            yield from _block(pair, row)


def _block(pair: RequestPair, row: WireBlockRow) -> Iterator[str]:
    before = number(row.before) if row.before is not None else "new"
    words = " ".join(row.words.split())[:80]
    place = f"message {row.message}, block {row.block}"
    yield ""
    role = f"{row.role_before} → {row.role}" if row.role_before else row.role
    yield f"{_SIGNS[row.mark]} {place}  {role} {row.kind}  {before} → {number(row.chars)}  {words}"
    texts = pair.changed.get((row.message, row.block))
    if texts is None:
        return
    lines = list(unified(compare_texts(*texts)))
    for sign, line in lines[:SHOWN_LINES]:
        yield f"    {sign} {line}"
    if len(lines) > SHOWN_LINES:
        yield f"    … {number(len(lines) - SHOWN_LINES)} more lines"
