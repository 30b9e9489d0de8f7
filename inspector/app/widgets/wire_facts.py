"""The facts line of the wire screen: how large the request is, and what became of the one before.

What changed stands in front of what is only in it, because a narrow line gives up its end.
"""

from __future__ import annotations

from inspector.app.signs import DIFFERS, SAME
from inspector.app.widgets.bar import Word
from inspector.app.widgets.ledger_rows import size_text
from inspector.app.widgets.wire_rows import UNSENT, is_estimate, other_side
from inspector.app.widgets.wire_rule import AFTER, UNCHANGED
from inspector.figures import count_words, number
from inspector.session.wire_view import Mark, Side, WireView

WORDS_WIDTH, WORDS_WIDTH_BESIDE = 100, 120
"""Cells from which the signs have words, without and with the size of the other form at the right edge;
below, the list and the rule say what they are."""


def fact_words(view: WireView, width: int) -> tuple[list[Word], list[Word]]:
    """The words at the left and at the right edge.

    Args:
        view: The request.
        width: Cells of the line.
    """
    is_wide = width >= (WORDS_WIDTH if view.other_chars is None else WORDS_WIDTH_BESIDE)
    against = f" against {view.against}" if view.against else ""
    form = "recorded " if view.side is Side.RECORDED else ""
    left = [
        Word("Wire", "strong", bold=True),
        Word(f"{form}request {view.request}{against}", "muted", gap=3),
        Word(size_text(view.chars, estimated=view.estimated), "strong", bold=True, gap=3),
        Word(view.unit if is_wide else view.unit.removesuffix(" units"), "muted", gap=1),
        *_change_words(view, is_wide=is_wide),
        *(Word(text, "muted", gap=3, whole=True) for text in _beside(view)),
        *_kept_words(view, is_wide=is_wide),
        *(Word(text, "muted", gap=3, whole=True) for text in _parts(view)),
    ]
    right = []
    if view.resumed:
        right.append(Word("as a resume would send it", "replaced"))
    if view.other_chars is not None:
        sign = DIFFERS if any(row.differs for row in view.rows) else SAME
        whose = f" {other_side(view.side).value}" if is_wide else ""  # as the head of its column says
        right.append(Word(f"{sign.sign}{whose} {number(view.other_chars)}", sign.name))
    return left, right


def _change_words(view: WireView, *, is_wide: bool) -> list[Word]:
    """What lies behind the break, and what is gone or not sent."""
    gap = 3 if is_wide else 2
    out = []
    if view.chars_of(Mark.CHANGED, Mark.AFTER):
        text = f"{AFTER} {_size_of(view, Mark.CHANGED, Mark.AFTER)}{' after the break' if is_wide else ''}"
        out.append(Word(text, "prefix-break", bold=True, gap=gap, whole=True))
    if view.gone:
        text = f"· {count_words(view.gone, 'block')} gone"
        out.append(Word(text, "prefix-break", gap=gap, whole=True))
    if view.unsent:
        text = f"{UNSENT} {number(len(view.unsent))}{' not sent' if is_wide else ''}"
        out.append(Word(text, "muted", gap=gap, whole=True))
    return out


def _kept_words(view: WireView, *, is_wide: bool) -> list[Word]:
    """What stayed and what is new.

    Sizes have the signs of the rule below, so that each says how long its part is. Together they are the
    size and what stands beside it, so they come behind both.
    """
    gap = 3 if is_wide else 2
    out = []
    text = f"{UNCHANGED} {_size_of(view, Mark.SAME)}{' unchanged' if is_wide else ''}"
    out.append(Word(text, "ok", gap=gap, whole=True))
    if view.against and view.chars_of(Mark.NEW):
        text = f"+ {_size_of(view, Mark.NEW)}{' new' if is_wide else ''}"
        out.append(Word(text, "fresh", gap=gap, whole=True))
    return out


def _size_of(view: WireView, *marks: Mark) -> str:
    """What the blocks with these marks hold together."""
    estimated = any(row.mark in marks and is_estimate(view, row) for row in view.rows)
    return size_text(view.chars_of(*marks), estimated=estimated)


def _beside(view: WireView) -> list[str]:
    """What the size holds no part of, but the sizes of unchanged and new blocks do."""
    beside = (view.reminder_chars, "reminders"), (view.resume_chars, "what a resume adds")
    out = _added(*beside)
    if view.resume_chars < 0:
        out.append(f"− {number(-view.resume_chars)} that a resume leaves out")
    return out


def _parts(view: WireView) -> list[str]:
    """What no size holds, or what the size was reckoned from."""
    out = []
    if view.transcript_chars > view.chars:
        out.append(f"{number(view.transcript_chars)} in the transcript")
    out += _added((view.system_chars, "system prompt"), (view.thinking_chars, "thinking"))
    if view.ledger_chars is not None:
        out.append(f"≈{number(view.ledger_chars)} in the ledger, an estimate")
    return out


def _added(*parts: tuple[int, str]) -> list[str]:
    return [f"+ {number(chars)} of {what}" for chars, what in parts if chars > 0]
