"""Calls and results that do not pair, whatever the policy does about it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from inspector.model.findings import KINDS, Finding, counted
from inspector.model.ledger import Level
from inspector.model.policy import Pairing
from inspector.model.transcript import Flag, Role
from inspector.replay.diagnose.noticed import boundary_between, compaction_before
from inspector.replay.diagnose.settled import LOOSE, Settled
from inspector.replay.view import Repair

if TYPE_CHECKING:
    from inspector.model.transcript import Record
    from inspector.replay.diagnose.noticed import Noticed
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked

_LINES_SHOWN = 8
"""Lines that one sentence names."""


def finding(kind: str, fact: str, **rest: Any) -> Finding:
    """A finding with the default severity of its kind."""
    return Finding(kind, rest.pop("severity", KINDS[kind][1]), fact, **rest)


class PairingFindings:
    """Findings of the pairing family of one conversation."""

    def __init__(self, timeline: Timeline, noticed: Noticed) -> None:
        self._timeline = timeline
        self._noticed = noticed
        self._dropped = Settled(timeline, _dropped)
        self._emptied = Settled(timeline, _emptied)
        self._removed = Settled(timeline, _removed)
        self._missing: dict[str, Finding] = {}
        """Id → what is told of a call behind which so much was answered that it stays so."""
        self._rows = 0
        """Unanswered rows from the first one on of which that is so of each."""
        self._under: Hashable = None

    def now(self, again: int) -> list[Finding]:
        """In file order within each kind.

        Args:
            again: How often settled requests have changed after all.
        """
        timeline, noticed = self._timeline, self._noticed
        # What was lost in a broken line, or saved from it, comes with the line itself.
        lines = (again, len(timeline.bad_lines))
        # Once an id is called or answered again, a call without a result may share that of another one.
        under = (lines, len(noticed.repeated))
        if under != self._under or noticed.steady < self._rows:
            self._under, self._missing, self._rows = under, {}, 0
        removed: dict[str, int] = {}
        for n, tool_use_id in self._removed.now(again):
            removed.setdefault(tool_use_id, n)
        return [
            *self._missing_now(),
            *self._dropped.now(lines),
            *self._emptied.now(again),
            *_orphans(timeline, noticed),
            *_duplicates(timeline, noticed),
            *_misplaced(timeline, noticed, removed),
            *_off_chain(timeline),
        ]

    def _missing_now(self) -> list[Finding]:
        """Calls without a result. O(those that may still get one), and what is told of the others."""
        timeline, known = self._timeline, self._missing
        out = list(known.values())
        rows = self._noticed.unanswered[self._rows :]
        ids = [
            i
            for i in dict.fromkeys(row.entry.id for row in rows if row.entry.id)
            # Of an id that is used once, the row itself tells.
            if i not in known
            and (len(entries := timeline.calls.of(i)) == 1 or all(e.result is None for e in entries))
        ]
        goes_on = timeline.live or timeline.waiting_ids
        pending = set(timeline.pending_ids(ids)) if goes_on else set()
        settled = len(timeline.requests) - LOOSE
        loose: set[str] = set()
        for tool_use_id in ids:
            found = _missing(timeline, tool_use_id, is_pending=tool_use_id in pending)
            if loose or found.request is None or found.request > settled:
                loose.add(tool_use_id)  # and all behind it: what is kept stays in file order
            else:
                known[tool_use_id] = found
            out.append(found)
        self._rows += next((at for at, row in enumerate(rows) if row.entry.id in loose), len(rows))
        self._noticed.steady = self._rows
        return out


def _named(row: Tracked) -> str:
    call = f"{row.entry.tool} " if row.entry.tool else ""
    return f"{call}{row.entry.id}"


def _missing(timeline: Timeline, tool_use_id: str, *, is_pending: bool) -> Finding:
    row = timeline.rows_of(tool_use_id)[0]
    request = timeline.request_after(row.entry)
    place = f"line {row.entry.line}"
    if is_pending and timeline.may_run(row.entry):
        return finding(
            "pending_result", f"{_named(row)} has no result yet.", request=request, ids=(tool_use_id,),
            cause="The call is the last thing in a session that is still being written."
            if timeline.live else "The run is parked: it goes on with this result.", see=place,
        )  # fmt: skip
    return finding(
        "missing_result", f"{_named(row)} was called in {place} and no result answers it.",
        request=request, ids=(tool_use_id,), cause=_why_missing(timeline, row), see=place,
    )  # fmt: skip


def _why_missing(timeline: Timeline, row: Tracked) -> str:
    if timeline.bad_lines_between(row.entry.line):
        return "A line behind the call could not be read; the result may have stood there."
    call = row.entry.call_record
    if call is not None and timeline.interrupted_after(call.index):
        return "The user interrupted before the tool returned."
    if call is not None and call.index >= timeline.newest_index - 1:
        return "The file ends here: the session was stopped, or copied, while the tool ran."
    return ""


def _dropped(timeline: Timeline, start: int, end: int) -> Iterator[Finding]:
    for request in [r for r in timeline.requests[start:end] if r.repairs]:
        for repair, tool_use_id in request.repairs:
            if repair is Repair.DROPPED:
                salvaged = _salvaged_line(timeline, tool_use_id)
                yield finding(
                    "unanswered_call_dropped",
                    f"The client leaves the unanswered call {tool_use_id} out of request {request.n}.",
                    request=request.n, ids=(tool_use_id,), see=f"request {request.n}",
                    cause=f"Its result stands in line {salvaged}, which it skips." if salvaged else "",
                    data={"line": salvaged} if salvaged else {},
                )  # fmt: skip


def _emptied(timeline: Timeline, start: int, end: int) -> Iterator[Finding]:
    for request in [r for r in timeline.requests[start:end] if r.repairs]:
        if any(what is Repair.EMPTIED for what, _ in request.repairs):
            yield finding(
                "message_emptied", f"A message of request {request.n} lost all its blocks and was filled.",
                request=request.n, see=f"request {request.n}",
            )  # fmt: skip


def _salvaged_line(timeline: Timeline, tool_use_id: str) -> int | None:
    """The line of a result that was saved from a bad line: the client itself skips such lines."""
    for row in timeline.rows_of(tool_use_id):
        record = row.entry.result_record
        if record is not None and record.flags & Flag.SALVAGED:
            return record.line
    return None


def _orphans(timeline: Timeline, noticed: Noticed) -> Iterator[Finding]:
    compactions = [r for _, r in timeline.boundaries if r.role is Role.BOUNDARY]
    for tool_use_id in dict.fromkeys(row.entry.id for row in noticed.uncalled):
        if any(entry.call_block is not None for entry in timeline.calls.of(tool_use_id)):
            continue
        row = timeline.rows_of(tool_use_id)[0]
        before = compaction_before(row.entry.result_record, compactions)
        yield finding(
            "orphan_result",
            f"Line {row.entry.line} answers {tool_use_id}, which nothing in this session called.",
            request=timeline.request_after(row.entry), ids=(tool_use_id,), see=f"line {row.entry.line}",
            cause=_why_orphan(timeline, row, before), certain=before is None,
        )  # fmt: skip


def _why_orphan(timeline: Timeline, row: Tracked, compaction: Record | None) -> str:
    if compaction is not None:
        return (
            f"The call went into the summary of the compaction in line {compaction.line}; its result stayed."
        )
    if timeline.starts_mid_conversation:
        return "The file starts in mid conversation; the call stands in an earlier file."
    if timeline.request_after(row.entry) == 1:
        return "No answer stands in front of it: the history was cut between a call and its result."
    return ""


def _duplicates(timeline: Timeline, noticed: Noticed) -> Iterator[Finding]:
    repeated = {i: timeline.rows_of(i) for i in dict.fromkeys(row.entry.id for row in noticed.repeated)}
    for tool_use_id, rows in repeated.items():
        calls = [r for r in rows if r.entry.call_block is not None]
        if len(calls) < 2:
            continue
        answered = [r for r in calls if r.entry.result is not None]
        reused = len({r.entry.turn for r in calls}) > 1 and len(answered) > 1
        lines = _some(r.entry.call_record.line for r in calls if r.entry.call_record)
        fact = f"{tool_use_id} is the id of {len(calls)} calls ({lines})."
        kind = "id_reused" if reused else "duplicate_tool_use"
        second = calls[1].entry.call_record
        yield finding(
            kind, fact, request=timeline.request_after(calls[1].entry), ids=(tool_use_id,),
            see=f"line {second.line if second else calls[1].entry.line}", data={"occurrences": len(calls)},
            cause=_why_repeated(timeline, calls, reused=reused),
        )  # fmt: skip
    for tool_use_id, rows in repeated.items():
        answered = [r for r in rows if r.entry.result is not None]
        if (count := len(answered)) > 1:
            lines = _some(row.entry.line for row in answered)
            called = sum(1 for row in rows if row.entry.call_block is not None)
            first_stays = called == 1 and timeline.policy.pairing.variant is not Pairing.GLOBAL
            yield finding(
                "duplicate_result", f"{tool_use_id} is answered {count} times ({lines}).",
                request=timeline.request_after(answered[-1].entry), ids=(tool_use_id,),
                cause="The first answer is sent; what answers again is left out." if first_stays else "",
                see=f"line {answered[-1].entry.line}", data={"occurrences": count},
            )  # fmt: skip


def _why_repeated(timeline: Timeline, calls: Sequence[Tracked], *, reused: bool) -> str:
    """Where one id comes from, or what becomes of its calls but the first."""
    if reused:
        told = "Each call has a result of its own: a server that hands out one id again and again."
        others = sum(1 for row in calls[1:] if row.entry.result is not None)
        one = counted(others, "result that was", "results that were")
        return f"{told} Keeping only the first call would delete {one} really given."
    apart = len({row.entry.turn for row in calls}) > 1
    if apart and timeline.policy.pairing.variant is Pairing.POSITIONAL:
        return ""
    lines = _some(row.entry.call_record.line for row in calls[1:] if row.entry.call_record)
    return f"The first call is kept; what repeats it in {lines} is left out."


def _some(lines: Iterable[int]) -> str:
    """Lines by number, each once; of very many the first ones."""
    shown = list(dict.fromkeys(lines))
    more = f" and {len(shown) - _LINES_SHOWN:,} more" if len(shown) > _LINES_SHOWN else ""
    word = "line" if len(shown) == 1 else "lines"
    return f"{word} {', '.join(map(str, shown[:_LINES_SHOWN]))}{more}"


def _removed(timeline: Timeline, start: int, end: int) -> list[tuple[int, str]]:
    """Requests, and results that the client takes out of them (rule 33)."""
    if timeline.policy.pairing.variant is not Pairing.CLIENT:
        return []
    return [
        (request.n, tool_use_id)
        for request in timeline.requests[start:end]
        for repair, tool_use_id in request.repairs
        if repair is Repair.ORPHAN
    ]


def _misplaced(timeline: Timeline, noticed: Noticed, removed: Mapping[str, int]) -> Iterator[Finding]:
    # A result that came before its call was sorted while nothing was wrong with it yet.
    early = [row for row in noticed.uncalled if row.entry.displaced and row not in noticed.displaced]
    rows = [*noticed.displaced, *early]
    known = {row.entry.id for row in (*rows, *noticed.behind, *noticed.repeated)}
    apart = [timeline.rows_of(i)[-1] for i in removed if i not in known]
    rows += [row for row in apart if row.entry.call_record is not None and row.entry.result is not None]
    for row in sorted(rows, key=lambda row: row.entry.index):
        call, answer = row.entry.call_record, row.entry.result_record
        where = "another answer stands between."
        if call is not None and answer is not None and answer.index < call.index:
            where = "it stands before the call."
        elif not row.entry.displaced and call is not None:
            where = f"{call.message_id} began further up, and {where}"
        n = removed.get(row.entry.id)
        yield finding(
            "displaced_result",
            f"The result of {_named(row)} (line {row.entry.line}) does not follow the message that "
            f"called it: {where}",
            request=timeline.request_after(row.entry), ids=(row.entry.id,), see=f"line {row.entry.line}",
            cause=f"The client leaves it out of request {n} and sends an error in its place." if n else "",
        )  # fmt: skip
    yield from _behind_compactions(timeline, noticed)
    for tool_use_id in timeline.calls.order_violations:
        row = timeline.rows_of(tool_use_id)[-1]
        yield finding(
            "order_violation",
            f"The result of {tool_use_id} (line {row.entry.line}) stands behind another block of its "
            "message; results must come first.",
            request=timeline.request_after(row.entry), ids=(tool_use_id,), see=f"line {row.entry.line}",
        )  # fmt: skip


def _behind_compactions(timeline: Timeline, noticed: Noticed) -> Iterator[Finding]:
    """Results that are not sent because a compaction took their calls away."""
    compactions = [r for _, r in timeline.boundaries if r.role is Role.BOUNDARY]
    for row in noticed.behind:
        boundary = boundary_between(row, compactions)
        if boundary is None or not row.spans or row.spans[0].level is not Level.GONE:
            continue  # the call was kept with its result, or this policy sends both
        yield finding(
            "displaced_result",
            f"The result of {_named(row)} (line {row.entry.line}) stands behind the compaction in line "
            f"{boundary.line}, its call in front of it: the result is left out of request {row.request}.",
            request=row.request or None, ids=(row.entry.id,), see=f"line {row.entry.line}",
            cause="What a compaction took in is not sent any more, and a result without its call is refused.",
        )  # fmt: skip


def _off_chain(timeline: Timeline) -> Iterator[Finding]:
    ids = timeline.off_chain_ids()
    if ids:
        yield finding(
            "off_chain_result",
            f"{counted(len(ids), 'result is a sibling', 'results are siblings')} of the "
            "parent chain (parallel calls), and sent all the same.",
            ids=tuple(ids), cause="Results of one answer hang on different records of it.",
        )  # fmt: skip
    if left := timeline.left_behind():
        yield finding(
            "off_chain_result",
            f"{counted(len(left), 'result hangs', 'results hang')} on a branch that the conversation left; "
            "no later request holds what stands there.",
            ids=tuple(row.entry.id for row in left), see=f"line {left[0].entry.line}",
            cause="The conversation went on from an earlier record.",
        )  # fmt: skip
