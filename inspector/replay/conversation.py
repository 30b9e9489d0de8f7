"""`Conversation`: a timeline with the questions a screen asks of it (`view.SessionView`).

Everything is derived from lifelines when it is asked for, so moving to any request costs what is
drawn, however long the session is.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from inspector.model.ledger import Level, Lifeline, Span, State
from inspector.model.transcript import Candidate
from inspector.replay.otherwise import otherwise_sentence
from inspector.replay.sentences import row_sentence
from inspector.replay.tracked import made_at
from inspector.replay.view import Figures, Repair, RequestRow, ResultOutline, ResultRow, TurnRow

if TYPE_CHECKING:
    from inspector.model.policy import Policy
    from inspector.replay.requests import Request
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked

LETTERS: dict[State, str] = {
    State.PENDING: "?",
    State.REPLACED: "r",
    State.MUST_REAPPLY: "r",
    State.FROZEN: "f",
    State.SKIPPED: "s",
    State.NOT_CANDIDATE: "-",
}
NOT_REPLACED = "n"
"""Of a result that its request left as it was, where no ledger keeps that for the next one."""
_STRENGTH = (
    Level.FULL,
    Level.EXEMPT,
    Level.PREVIEW,
    Level.TRUNCATED,
    Level.CLEARED,
    Level.SUMMARIZED,
    Level.GONE,
)


class Conversation:
    """Rows of one timeline as of any request."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline

    @property
    def policy(self) -> Policy:
        return self.timeline.policy

    @property
    def request_count(self) -> int:
        return len(self.timeline.requests)

    def request(self, n: int) -> RequestRow:
        """One request for the timeline strip and the header."""
        request = self._request(n)
        return RequestRow(
            n=request.n,
            message_id=request.message_id,
            pending=request.pending,
            wire_chars=request.wire_chars,
            estimated=request.estimated,
            events=request.events,
            over_by=request.over_by,
            repairs=len(request.repairs),
            usage=request.usage,
            time=request.time,
            line=request.line,
            thinking_chars=request.thinking_chars,
        )

    def figures(self) -> Figures:
        """Sizes and events of all requests: a strip of them needs no rows."""
        requests = self.timeline.requests
        return Figures(
            [r.wire_chars for r in requests],
            [r.usage.context if r.usage is not None else 0 for r in requests],
            [r.events for r in requests],
        )

    def turn_count(self, n: int) -> int:
        """Turns that request n knows."""
        return self._request(n).turns

    def turn_results(self, t: int, n: int) -> Sequence[int]:
        """Indices of the entries of turn t that request n knows."""
        first_record = self._request(n).first_record
        known = []
        for entry in self.timeline.calls.turns[t - 1].entries:
            call, result = entry.call_record, entry.result_record
            answered = result is not None and result.index < first_record
            called = call is not None and call.index < first_record
            shown_under = entry.turn if answered else entry.call_turn
            if (answered or called) and shown_under == t - 1:
                known.append(entry.index)
        return known

    def turn_outlines(self, t: int, n: int) -> Sequence[ResultOutline]:
        """The same as outlines."""
        rows = self.timeline.tracked
        return [
            ResultOutline(i, t, (row := rows[i]).entry.tool, row.entry.argument,
                          row.full if span_of(row, n) is not None else None)
            for i in self.turn_results(t, n)
        ]  # fmt: skip

    def turn(self, t: int, n: int) -> TurnRow:
        """The heading of a turn as of request n."""
        rows = [self.timeline.tracked[i] for i in self.turn_results(t, n)]
        tools: dict[str, int] = {}
        states: dict[str, int] = {}
        counted = replaced = wire = 0
        only_predicted = True
        repairs = 0
        estimated = False
        level = Level.FULL
        birth = min((r.birth for r in rows if r.entry.result), default=self._request(n).answers)
        for row in rows:
            name = row.entry.tool or "(no call)"
            tools[name] = tools.get(name, 0) + 1
            repairs += repair_at(row, n) not in (Repair.OK, Repair.PENDING)
            wire += made_at(row, n)
            span = span_of(row, n)
            if span is None:
                continue
            letter = NOT_REPLACED if row.anew and span.state is State.PENDING else LETTERS[span.state]
            states[letter] = states.get(letter, 0) + 1
            wire += span.chars
            estimated |= span.estimated
            level = max(level, span.level, key=_STRENGTH.index)
            if _counts(row, span.state, span.level):
                counted += row.full
            if span.state in (State.REPLACED, State.MUST_REAPPLY):
                replaced += row.full
                only_predicted &= span.chars == row.full
        limit = self.policy.budget.turn_limit
        return TurnRow(
            number=t,
            tools=tuple(tools.items()),
            counted=counted,
            kept=counted - replaced,
            replaced=replaced,
            limit=limit,
            over_by=max(0, counted - limit),
            now=any(r.request == n for r in rows),
            wire_chars=wire,
            repairs=repairs,
            age=max(0, self._request(n).answers - birth),
            rows=len(rows),
            states=tuple(states.items()),
            level=level,
            estimated=estimated,
            only_predicted=only_predicted and replaced > 0,
        )

    def result(self, index: int, n: int) -> ResultRow:
        """One row as of request n."""
        row = self.timeline.tracked[index]
        entry = row.entry
        span = span_of(row, n)
        arrived = span is not None
        state = state_at(row, span, n)
        repair = repair_at(row, n)
        level = span.level if span else Level.GONE
        age = self._request(n).answers - row.birth
        reason = self._level_reason(row, level, age) if arrived else ""
        return ResultRow(
            index=index,
            id=entry.id,
            tool=entry.tool,
            argument=entry.argument,
            chars=row.full if arrived else None,
            counted=_counts(row, state, level) or not arrived,
            pairing=repair,
            repaired_now=any(at == n for at, what in row.repairs if what is not Repair.PENDING),
            state=state,
            decided_now=span is not None and span.decided and n == (span.start if row.anew else row.request),
            level=level,
            wire_chars=self._sent(row, span, n),
            estimated=bool(span and span.estimated),
            level_reason=reason,
            recorded=self.recorded(row),
            line=entry.line,
            sentence=row_sentence(self.timeline, row, n),
            anew=row.anew,
            otherwise=otherwise_sentence(self.timeline, row),
            turn=entry.turn + 1,
            request=row.request,
            age=max(0, age),
            is_error=entry.result.is_error if entry.result else None,
        )

    def lifeline(self, index: int) -> Lifeline:
        return tuple(self.timeline.tracked[index].spans)

    def last_change(self, index: int, before: int) -> int | None:
        """The newest request before `before` in which the result's state changed."""
        starts = [s.start for s in self.timeline.tracked[index].spans]
        at = bisect_left(starts, before) - 1
        return starts[at] if at >= 0 else None

    def next_change(self, index: int, after: int) -> int | None:
        """The first request after `after` in which the result's state changes."""
        starts = [s.start for s in self.timeline.tracked[index].spans]
        at = bisect_right(starts, after)
        return starts[at] if at < len(starts) else None

    def recorded(self, row: Tracked) -> str:
        """Whether the session's own replacement line and recorded request agree with the prediction.

        Returns:
            `same`, `differs`, or nothing where neither was recorded.
        """
        if row.entry.id in self.timeline.differing:
            return "differs"
        if not self.timeline.stored:
            return self._request_word(row)
        if row.stored is None and row.state is State.REPLACED:
            return "differs"
        if row.stored is not None:
            return "same" if row.state is State.REPLACED else "differs"
        if row.entry.candidate is Candidate.YES and row.request:
            return "same"
        return self._request_word(row)

    def _request_word(self, row: Tracked) -> str:
        """`same` where the request that first held a result was recorded and has it as predicted."""
        if not 1 <= row.request <= len(self.timeline.requests):
            return ""
        return "same" if self._request(row.request).request_ref in self.timeline.recorded_words else ""

    def _level_reason(self, row: Tracked, level: Level, age: int) -> str:
        if level in (Level.TRUNCATED, Level.SUMMARIZED, Level.CLEARED, Level.GONE):
            return ""
        _, reason = self.timeline.sizing.level(row.entry, age, self.timeline.base_chars(row))
        return reason

    @staticmethod
    def _sent(row: Tracked, span: Span | None, n: int) -> int | None:
        """What of a result, or of the one that pairing made in its place, is on the wire."""
        own = span.chars if span is not None and span.level is not Level.GONE else None
        made = made_at(row, n)
        return (own or 0) + made if made else own

    def _request(self, n: int) -> Request:
        return self.timeline.requests[n - 1]


def span_of(row: Tracked, n: int) -> Span | None:
    """The span that holds at request n; None where the result was not there yet."""
    spans = row.spans
    at = bisect_right(spans, n, key=lambda span: span.start) - 1
    return spans[at] if at >= 0 else None


def _counts(row: Tracked, state: State, level: Level) -> bool:
    """Whether a row counts against the budget; one that was taken away undecided never did."""
    if state is State.PENDING and level is Level.GONE and not row.anew:
        return False
    return state not in (State.SKIPPED, State.NOT_CANDIDATE)


def state_at(row: Tracked, span: Span | None, n: int) -> State:
    """The state to show: a result replaced in an earlier request is must-reapply from then on."""
    if span is None:
        return State.PENDING
    if span.state is State.REPLACED and n > row.request and not row.anew:
        return State.MUST_REAPPLY
    return span.state


def repair_at(row: Tracked, n: int) -> Repair:
    """What pairing had done to a row by request n."""
    done = Repair.OK
    for at, repair in row.repairs:
        if at > n:
            break
        done = repair
    return done
