"""Findings that follow from another one are told under it: a person acts on the cause, once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from inspector.model.findings import Finding

_PAIRING_FAULTS = frozenset({"missing_result", "orphan_result", "duplicate_tool_use"})
_LOST = "could not be read"
"""What pairing says of a line that was lost behind a call."""


def _same_ids(cause: Finding, effect: Finding) -> bool:
    return bool(set(cause.ids) & set(effect.ids))


def _same_request(cause: Finding, effect: Finding) -> bool:
    return cause.request is not None and cause.request == effect.request


def _lost_line(cause: Finding, effect: Finding) -> bool:
    """Pairing says in its own words that a line was lost behind the call."""
    line = cause.data.get("line")
    return bool(cause.data.get("lost", True)) and isinstance(line, int) and _LOST in effect.cause


def _same_line(cause: Finding, effect: Finding) -> bool:
    return cause.data.get("line") is not None and cause.data.get("line") == effect.data.get("line")


def _in_chain(cause: Finding, effect: Finding) -> bool:
    return set(effect.ids) <= set(cause.ids)


Fits = Callable[[Finding, Finding], bool]
Rule = tuple[str, frozenset[str], Fits]

RULES: Sequence[Rule] = (
    ("bad_line", frozenset({"missing_result", "orphan_result", "unanswered_call_dropped"}), _lost_line),
    ("nul_run", frozenset({"missing_result", "orphan_result"}), _lost_line),
    *(
        (kind, frozenset({"unanswered_call_dropped"}), _same_line)
        for kind in (
            "bad_line",
            "nul_run",
            "control_characters",
            "invalid_utf8",
            "lone_surrogate",
            "huge_line",
        )
    ),
    ("duplicate_tool_use", frozenset({"duplicate_result", "missing_result"}), _same_ids),
    ("id_reused", frozenset({"duplicate_result"}), _same_ids),
    ("missing_result", frozenset({"unanswered_call_dropped"}), _same_ids),
    ("missing_result", frozenset({"message_emptied", "prefix_break"}), _same_request),
    (
        "displaced_result",
        frozenset({"off_chain_result", "order_violation", "unanswered_call_dropped"}),
        _same_ids,
    ),
    ("displaced_result", frozenset({"prefix_break"}), _same_request),
    ("over_turn_budget", frozenset({"accepted_overage", "cannot_fit", "context_jump"}), _same_request),
    ("over_turn_budget", frozenset({"not_applied", "over_result_limit"}), _same_ids),
    ("base64_text", frozenset({"image_result", "context_jump"}), _same_ids),
    ("overflow_reread_loop", frozenset({"overflow_reread"}), _in_chain),
    ("overflow_missing", frozenset({"overflow_reread"}), _same_ids),
    ("compaction", frozenset({"prefix_break", "cold_cache", "context_jump"}), _same_request),
    ("replacement_lost", frozenset({"prefix_break", "cold_cache", "context_jump"}), _same_request),
    ("cold_cache", frozenset({"prefix_break"}), _same_request),
    ("cleared_without_copy", frozenset({"read_again_after_clear"}), _same_ids),
)
"""Kind of the cause → kinds of what follows from it, and when. The first rule that fits decides."""


def fold(findings: Sequence[Finding]) -> list[tuple[Finding, list[Finding]]]:
    """Put every finding under its cause.

    Args:
        findings: Of one session, in any order.

    Returns:
        Causes in the order given, each with what follows from it, at any depth.
    """
    causes = _Causes(findings)
    parents: dict[int, int] = {}
    for at, effect in enumerate(findings):
        parent = _parent(at, effect, causes)
        if parent is not None:
            parents[at] = parent
    out: dict[int, tuple[Finding, list[Finding]]] = {
        at: (finding, []) for at, finding in enumerate(findings) if at not in parents
    }
    for at in parents:
        top = at
        while top in parents:
            top = parents[top]
        out[top][1].append(findings[at])
    return list(out.values())


def _parent(at: int, effect: Finding, causes: _Causes) -> int | None:
    for kind, effects, fits in RULES:
        if effect.kind in effects:
            found = causes.first(kind, effect.thread, effect, fits, at)
            if found is not None:
                return found
    # Findings of the file itself belong to no conversation, but explain those of any.
    if effect.thread and effect.kind in _PAIRING_FAULTS:
        for kind in ("bad_line", "nul_run"):
            found = causes.first(kind, None, effect, _lost_line, at)
            if found is not None:
                return found
    return None


class _Causes:
    """Findings by what an effect shares with them: a damaged session has thousands of each kind."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self._findings = findings
        self._under: dict[tuple[object, ...], list[int]] = {}
        self._ids: dict[int, frozenset[str]] = {}
        for at, finding in enumerate(findings):
            keys = {("id", i) for i in finding.ids} | {("request", finding.request), ("all", "")}
            line = finding.data.get("line")
            if isinstance(line, int):
                keys |= {("line", line)} | ({("lost", "")} if finding.data.get("lost", True) else set())
            for thread in (finding.thread, None):
                for key in keys:
                    self._under.setdefault((finding.kind, thread, *key), []).append(at)

    def first(
        self,
        kind: str,
        thread: str | None,
        effect: Finding,
        fits: Callable[[Finding, Finding], bool],
        at: int,
    ) -> int | None:
        """The first finding of a kind that an effect follows from.

        Args:
            kind: Kind of the cause.
            thread: Its conversation; None: any.
            effect: What may follow from it.
            fits: Whether it does.
            at: Place of the effect: nothing follows from itself.
        """
        found = (
            next((n for n in places if n != at and self._fits(n, effect, fits)), None)
            for places in self._alike(kind, thread, effect, fits)
        )
        return min((n for n in found if n is not None), default=None)

    def _fits(self, n: int, effect: Finding, fits: Fits) -> bool:
        """Whether a finding that `_alike` tells fits, without going through its ids once for each effect."""
        if fits is _same_ids:
            return True  # it was looked up by such an id
        if fits is not _in_chain:
            return fits(self._findings[n], effect)
        if n not in self._ids:
            self._ids[n] = frozenset(self._findings[n].ids)
        return self._ids[n].issuperset(effect.ids)

    def _alike(self, kind: str, thread: str | None, effect: Finding, fits: Fits) -> Iterator[Sequence[int]]:
        """Lists of findings, at least one of which holds each that fits."""
        if fits is _same_request:
            yield self._under.get((kind, thread, "request", effect.request), ())
        elif fits is _same_line:
            yield self._under.get((kind, thread, "line", effect.data.get("line")), ())
        elif fits is _lost_line:
            yield self._under.get((kind, thread, "lost", ""), ()) if _LOST in effect.cause else ()
        elif effect.ids and fits in (_same_ids, _in_chain):
            for id in effect.ids:
                yield self._under.get((kind, thread, "id", id), ())
        elif fits is not _same_ids:
            yield self._under.get((kind, thread, "all", ""), ())
