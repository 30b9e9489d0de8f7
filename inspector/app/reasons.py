"""`SessionWhy`: what fills a request of a real session, and the ranked causes, for the why screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from inspector.app.session import SessionFeed, reading
from inspector.app.sources.why import Reason, Share, WhyAnswer
from inspector.errors import UsageError
from inspector.figures import count_words, short_number
from inspector.model.ledger import Level
from inspector.replay.accounting import Account, Accounts, Parts
from inspector.replay.conversation import span_of
from inspector.replay.sentences import UNIT_WORDS, row_sentence
from inspector.replay.timeline import Timeline
from inspector.replay.tracked import Tracked
from inspector.replay.usage_totals import UsageTotals, usage_totals
from inspector.session import Session
from inspector.why import Cause, why

_SHOWN_REASONS = 20
_PARTS: Mapping[str, Callable[[Parts], tuple[int, ...]]] = {
    "assistant text and calls": lambda parts: (parts.assistant, parts.calls),
    "thinking": lambda parts: (parts.thinking,),
    "prompts and summaries": lambda parts: (parts.user, parts.summaries),
}
"""What a request holds beside results."""


class SessionWhy:
    """The `WhySource` of one conversation of a real session."""

    def __init__(self, feed: SessionFeed, thread: str = "") -> None:
        self._feed = feed
        self._thread = thread
        self._accounts: Accounts | None = None
        self._known: tuple[int, tuple[Reason, ...]] | None = None
        """Revision and the causes as of it: they cost a pass over the session."""
        self._causes = 0
        """How many there are, those that are not shown included."""

    def answer(self, request: int) -> WhyAnswer:
        """Explain one request."""
        with reading(self._feed) as session:
            timeline = session.timelines.get(self._thread)
            if timeline is None or not 1 <= request <= len(timeline.requests):
                raise UsageError(f"There is no request {request}.")
            if self._accounts is None or self._accounts.timeline is not timeline:
                self._accounts = Accounts(timeline)
            accounts = self._accounts.rows()
            account = accounts[request - 1]
            results = tuple(_results(timeline, account, UNIT_WORDS[session.policy.unit]))
            reasons = self._reasons(session)
            return WhyAnswer(
                request=request,
                chars=account.parts.chars - account.parts.thinking,
                thinking_chars=account.parts.thinking,
                estimated=timeline.requests[request - 1].estimated,
                tokens=account.tokens,
                shown_tokens=account.shown_tokens,
                unit=UNIT_WORDS[session.policy.unit],
                results=results,
                rest=tuple(_rest(timeline, accounts[_since(timeline, request) - 1 : request], results)),
                reasons=reasons,
                reasons_total=self._causes,
                usage=_usage(session),
            )

    def _reasons(self, session: Session) -> tuple[Reason, ...]:
        if self._known is None or self._known[0] != session.revision:
            causes = why(session, with_advice=False).causes
            self._causes = len(causes)
            reasons = tuple(
                Reason(
                    kind=cause.kind,
                    loud=cause.severity.value,
                    sentence=cause.sentence,
                    request=cause.request,
                    id=cause.shown_id,
                    notes=((cause.cause,) if cause.cause else ()) + cause.also,
                    brief=cause.brief,
                    share=cause.share
                    if cause.growth and cause.ids and cause.kind != "image_result"
                    else None,
                    turn=_turn(session, cause),
                    thread=cause.thread if cause.thread != self._thread else None,
                    where=_where(session, cause) if cause.thread != self._thread else "",
                )
                for cause in causes[:_SHOWN_REASONS]
            )
            self._known = (session.revision, reasons)
        return self._known[1]


def _usage(session: Session) -> UsageTotals | None:
    """Of all conversations together."""
    totals = usage_totals(r for timeline in session.timelines.values() for r in timeline.requests)
    return totals if totals.answers else None


def _where(session: Session, cause: Cause) -> str:
    """How the conversation of a cause is called; empty for one of the whole session."""
    if cause.thread:
        return session.thread_title(cause.thread)
    return "main conversation" if cause.request is not None or cause.shown_id else ""


def _turn(session: Session, cause: Cause) -> int | None:
    """The turn of the result that a cause leads to."""
    if cause.thread not in session.timelines or not cause.shown_id:
        return None
    rows = session.timelines[cause.thread].rows_of(cause.shown_id)
    return rows[0].entry.turn + 1 if rows else None


def _results(timeline: Timeline, account: Account, unit: str) -> Iterator[Share]:
    for row in timeline.tracked:
        span = span_of(row, account.n)
        if span is None or span.level is Level.GONE or not span.chars:
            continue
        sent, in_all = _sent(row, 1, account.n)
        first = next(s.start for s in row.spans if s.level is not Level.GONE)
        yield Share(
            name=row.entry.tool or "result",
            words=row.entry.argument,
            chars=span.chars,
            tokens=account.tokens_of(span.chars),
            in_all_chars=in_all,
            request=first,
            turn=row.entry.turn + 1,
            sent=sent,
            result=row.entry.index,
            sentence=f"sent in {count_words(sent, 'request')}, {short_number(in_all)} {unit} in all; "
            f"{row_sentence(timeline, row, account.n)}",
        )


def _sent(row: Tracked, first: int, last: int) -> tuple[int, int]:
    """Requests of a stretch that sent anything of a result, and what they sent together."""
    ends = [b.start for _, b in pairwise(row.spans)] + [last + 1]
    sent = total = 0
    for span, end in zip(row.spans, ends, strict=False):
        length = max(0, min(end, last + 1) - max(span.start, first))
        if span.level is not Level.GONE:
            sent, total = sent + length, total + length * span.chars
    return sent, total


def _since(timeline: Timeline, n: int) -> int:
    """The request from which the history of request n on has only grown: compactions begin it anew."""
    requests = timeline.requests
    return next((r.n for r in reversed(requests[:n]) if r.compaction is not None), 1)


def _rest(timeline: Timeline, accounts: Sequence[Account], results: Sequence[Share]) -> Iterator[Share]:
    """The parts that are no results.

    Args:
        timeline: The conversation.
        accounts: Of the requests that sent any of it, up to the one shown.
        results: What the one shown holds of results.
    """
    account = accounts[-1]
    # What is sent in place of a result that never came is no result of a row.
    errors = account.parts.results - sum(share.chars for share in results)
    errors_in_all = sum(a.parts.results for a in accounts) - sum(
        _sent(row, accounts[0].n, account.n)[1] for row in timeline.tracked
    )
    for name, chars, in_all in (
        ("errors in place of results", errors, errors_in_all),
        *(
            (name, sum(of(account.parts)), sum(sum(of(a.parts)) for a in accounts))
            for name, of in _PARTS.items()
        ),
    ):
        if chars > 0:
            yield Share(name, chars=chars, tokens=account.tokens_of(chars), in_all_chars=in_all)
    if account.remainder:
        yield Share("system prompt, tools, what no record shows", tokens=account.remainder)
