"""The alphabet: one sign, one word and one colour token for each state, repair, level and event.

Every screen takes its signs from here, so that a letter means the same wherever it stands. A
capital letter and a bright token mean "decided in this request"; lower case means "earlier".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from inspector.model.ledger import Level, State
from inspector.replay.view import Event, Repair, ResultRow


class Sign(NamedTuple):
    """How one fact is drawn: sign first, word where there is room, colour last."""

    sign: str
    """One cell."""
    word: str
    name: str
    """Colour token."""


STATES: Mapping[tuple[State, bool], Sign] = {
    (State.PENDING, True): Sign("?", "fresh", "fresh"),
    (State.PENDING, False): Sign("?", "fresh", "fresh"),
    (State.REPLACED, True): Sign("R", "replaced now", "replaced"),
    (State.REPLACED, False): Sign("r", "must-reapply", "must-reapply"),
    (State.MUST_REAPPLY, True): Sign("r", "must-reapply", "must-reapply"),
    (State.MUST_REAPPLY, False): Sign("r", "must-reapply", "must-reapply"),
    (State.FROZEN, True): Sign("F", "frozen now", "fresh"),
    (State.FROZEN, False): Sign("f", "frozen", "frozen"),
    (State.SKIPPED, True): Sign("S", "skipped now", "skipped"),
    (State.SKIPPED, False): Sign("s", "skipped", "skipped"),
    (State.NOT_CANDIDATE, True): Sign("-", "no candidate", "muted"),
    (State.NOT_CANDIDATE, False): Sign("-", "no candidate", "muted"),
}
"""(state, decided in this request) → sign. Words have at most twelve cells."""

NOT_REPLACED = Sign("n", "not replaced", "frozen")
"""Left as it was by a budget without a ledger, which decides again in the next request."""

STATE_WORDS: Mapping[str, str] = {
    "?": "fresh: no request has decided it yet",
    "R": "replaced now: a preview is sent, the text is on disk",
    "r": "must-reapply: the very same preview as before",
    "F": "frozen now: sent in full, never replaced later",
    "f": "frozen in an earlier request",
    "S": "skipped now: its tool has no limit, it is not counted",
    "s": "skipped in an earlier request",
    "-": "no candidate: an image, nothing, or saved already",
    "n": "not replaced; each request decides anew (no ledger)",
}
"""Letter of a state → what it means, for the help."""

LEVELS: Mapping[Level, Sign] = {
    Level.FULL: Sign("■", "full", "muted"),
    Level.EXEMPT: Sign("■", "exempt", "muted"),
    Level.PREVIEW: Sign("░", "preview", "must-reapply"),
    Level.TRUNCATED: Sign("▄", "truncated", "truncated"),
    Level.SUMMARIZED: Sign("▁", "one line", "summarized"),
    Level.CLEARED: Sign("▁", "cleared", "summarized"),
    Level.GONE: Sign("·", "gone", "muted"),
}

REPAIRS: Mapping[Repair, Sign] = {
    Repair.OK: Sign(" ", "ok", "muted"),
    Repair.SYNTHETIC: Sign("+", "synthetic", "repaired"),
    Repair.ORPHAN: Sign("×", "orphan", "orphan"),
    Repair.DUPLICATE: Sign("»", "duplicate", "repaired"),
    Repair.MOVED: Sign("↑", "moved", "repaired"),
    Repair.REORDERED: Sign("↑", "reordered", "repaired"),
    Repair.DROPPED: Sign("×", "dropped", "repaired"),
    Repair.PENDING: Sign("?", "no result", "fresh"),
    Repair.EMPTIED: Sign("×", "emptied", "repaired"),
}

REMOVED: Mapping[Repair, Sign] = {
    Repair.ORPHAN: Sign("×", "removed", "muted"),
    Repair.DUPLICATE: Sign("»", "pruned", "muted"),
    Repair.DROPPED: Sign("×", "removed", "muted"),
    Repair.PENDING: Sign("?", "waiting", "muted"),
    Repair.SYNTHETIC: Sign("+", "error sent", "muted"),
}
"""What stands in the state column of a call whose own result is not on the wire."""

EVENTS: Mapping[Event, Sign] = {
    Event.OVER: Sign("▲", "over budget", "over-budget"),
    Event.COMPACTION: Sign("▼", "compaction", "compaction"),
    Event.BREAK: Sign("╎", "prefix break", "prefix-break"),
    Event.REPAIR: Sign("±", "repair", "repaired"),
    Event.ERROR: Sign("!", "error", "replaced"),
    Event.RESUME: Sign("»", "resume", "muted"),
    Event.PLANNED_BREAK: Sign("╎", "planned break", "ghost"),
}
"""Events that the timeline marks, strongest first; a column shows the first that it has."""

FINDINGS: Mapping[str, str] = {
    "missing_result": "+", "orphan_result": "×", "unanswered_call_dropped": "×", "duplicate_tool_use": "»",
    "duplicate_result": "»", "displaced_result": "↑", "pending_result": "?", "over_result_limit": "▲",
    "over_turn_budget": "▲", "accepted_overage": "▲", "prefix_break": "╎", "compaction": "▼",
    "recorded_differs": "≠", "overflow_size_mismatch": "≠", "overflow_preview_mismatch": "≠",
    "resume": "»", "fork": "»", "clearing": "▁", "cleared_unrecorded": "▁",
    "overflow_missing": "×", "overflow_elsewhere": "↑", "overflow_unreferenced": "?",
}  # fmt: skip
"""Kind → sign of the common alphabet; the others have `!`."""

MARK = Sign("◆", "mark", "accent")
"""A request that the person marked, on the timeline and in the header."""

DIFFERS = Sign("≠", "differs", "recorded-differs")
"""Recorded and predicted differ; stands in the list and the facts, not on the timeline."""

SAME = Sign("=", "same", "ghost")

WIRE: Sequence[Sign] = (
    Sign("=", "as in the request before", "ghost"),
    Sign("~", "changed: here the prefix breaks", "prefix-break"),
    Sign("╎", "the same, but behind the break", "prefix-break"),
    Sign("+", "new", "fresh"),
    Sign("×", "not sent", "muted"),
)
"""What stands before a block on the wire screen."""

BARS: Sequence[Sign] = (
    Sign("█", "of a turn: sent in full", "bar"),
    Sign("━", "of a result: sent in full", "frozen"),
    Sign("░", "of a turn: replaced; compared: saved", "replaced"),
    Sign("░", "of a request: by usage, beside the recorded text", "bar-future"),
    Sign("╌", "of a result: replaced", "replaced"),
    Sign("▒", "beyond the limit; compared: added", "over-budget"),
    Sign("┊", "the limit of a turn", "line"),
    Sign("►", "goes on beyond the edge", "over-budget"),
    MARK,
)
"""What bars and the timeline are drawn with."""


def is_sent(row: ResultRow) -> bool:
    """Whether anything of the result itself is on the wire; what pairing made for it is none of it."""
    return row.wire_chars is not None and row.level is not Level.GONE


def state_sign(row: ResultRow) -> Sign:
    """The sign of a result's budget state, or of its removal."""
    if not is_sent(row) and row.pairing in REMOVED:
        return REMOVED[row.pairing]
    if row.anew and row.state is State.PENDING:
        return NOT_REPLACED
    return STATES[row.state, row.decided_now]


def has_level(row: ResultRow) -> bool:
    """Whether ageing says anything of a row: nothing is gone where nothing ever came."""
    return is_sent(row) or row.pairing not in (Repair.SYNTHETIC, Repair.PENDING)


def level_sign(level: Level, *, now: bool = False) -> Sign:
    """The sign of what is on the wire.

    Args:
        level: How much of the result is left.
        now: Whether it came to be so in this request; a fresh preview is bright.
    """
    sign = LEVELS[level]
    return sign._replace(name="replaced") if level is Level.PREVIEW and now else sign


def strongest(events: Event) -> Sign | None:
    """The mark of a timeline column that has these events."""
    for event, sign in EVENTS.items():
        if events & event:
            return sign
    return None


def sign_table() -> list[tuple[str, list[tuple[str, str]]]]:
    """The alphabet for people: heading, and rows of sign and words."""
    states = {sign.sign: STATE_WORDS[sign.sign] for sign in (*STATES.values(), NOT_REPLACED)}
    return [
        ("Signs of the timeline", _rows([*EVENTS.values(), MARK])),
        ("Signs of pairing", _rows([s for s in REPAIRS.values() if s.sign.strip()])),
        ("Signs of the budget's state", [*states.items()]),
        ("Signs of what is on the wire", _rows(LEVELS.values())),
        ("Signs of what was recorded", _rows([SAME, DIFFERS])),
        ("Signs of the wire", _rows(WIRE)),
        ("Bars", _rows([sign for sign in BARS if sign is not MARK])),
    ]


def _rows(signs: Iterable[Sign]) -> list[tuple[str, str]]:
    """Sign and words; signs that stand for several things have several rows."""
    return [(sign.sign, sign.word) for sign in signs]
