"""Results one a line: the text report of what a filter leaves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from inspector.errors import UsageError
from inspector.figures import count_words, number
from inspector.replay.filters import Filter
from inspector.replay.sentences import UNIT_WORDS
from inspector.replay.view import Repair
from inspector.session.filtered import SessionFilter
from inspector.text import column, fit, printable_line

if TYPE_CHECKING:
    from inspector.replay.view import ResultRow
    from inspector.session import Session

_TOOL, _ARGUMENT = 12, 40
"""Cells of the columns that hold words of the session."""


def rows_text(session: Session, filter_: Filter, threads: list[str]) -> str:
    """The results that pass, by conversation.

    Args:
        session: Read to its end.
        filter_: What must hold; an empty one leaves all.
        threads: Conversations to look at.

    Raises:
        UsageError: There is no such conversation.
    """
    for thread in threads:
        if thread not in session.timelines:
            raise UsageError(f"there is no sub-agent {thread!r} in this session")
    return "\n".join(_lines(session, filter_, threads))


def _lines(session: Session, filter_: Filter, threads: list[str]) -> Iterator[str]:
    unit = UNIT_WORDS[session.policy.unit]
    found = SessionFilter(session, filter_)
    for thread in threads:
        rows = [row for _, row in found.rows(thread)]
        of = len(session.timelines[thread].tracked)
        title = session.thread_title(thread) if thread else "main conversation"
        words = f" that match “{filter_}”" if filter_ else ""
        counts = f"{number(len(rows))} of {count_words(of, 'result')}"
        yield f"{printable_line(title)}: {counts}{printable_line(words)}"
        if rows:
            yield (
                f"  {'turn':>5} {'request':>7} {'line':>6}  {'tool':{_TOOL}} {'argument':{_ARGUMENT}} "
                f"{unit:>11} {'on wire':>10}  state, level, repair"
            )
        yield from map(_line, rows)


def _line(row: ResultRow) -> str:
    wire = ("≈" if row.estimated else "") + number(row.wire_chars)
    words = [row.state.value, row.level.value]
    if row.pairing is not Repair.OK:
        words.append(row.pairing.value)
    tool, argument = _column(row.tool or "—", _TOOL), _column(row.argument, _ARGUMENT)
    return (
        f"  {row.turn:>5} {row.request or '—':>7} {row.line:>6}  {tool} {argument} "
        f"{number(row.chars):>11} {wire:>10}  {', '.join(words)}  {printable_line(row.id)}"
    )


def _column(text: str, width: int) -> str:
    # By cells, so that wide characters do not push the figures away.
    return column(fit(text, width), width)
