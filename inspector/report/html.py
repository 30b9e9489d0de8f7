"""The report as one HTML file that asks for nothing: no script, no request, all pictures inside.

A content policy forbids everything but the page's own style, so that even a text that got through the
escaping could load or run nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import resources
from typing import TYPE_CHECKING

from inspector.figures import count_words, number
from inspector.replay.prefix import prefix_rows
from inspector.replay.sentences import UNIT_WORDS
from inspector.report.accounts import shares, unseen_words
from inspector.report.facts import SIGNS, by_severity, facts, severity_words
from inspector.report.pictures import LAYERS, curve, gated, stay_map
from inspector.why import why

if TYPE_CHECKING:
    from inspector.replay.accounting import Account
    from inspector.replay.timeline import Timeline
    from inspector.session import Session
    from inspector.why import Cause, Why

_CAUSES = 12
_OPEN_FINDINGS = 30
_MAP = (
    ("full", "in full"),
    ("preview", "preview"),
    ("short", "truncated or summarized"),
    ("gone", "cleared"),
)
_HEAD = (
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    '<meta name="referrer" content="no-referrer">\n'
)


def html_report(session: Session, answer: Why | None = None) -> str:
    """The whole page.

    Args:
        session: Read to its end.
        answer: Of `inspector.why.why`; None: made here, without advice.
    """
    answer = answer or why(session, with_advice=False)
    accounts = session.accounts()
    css = resources.files("inspector.report").joinpath("page.css").read_text(encoding="utf-8")
    title = gated(session.title)
    body = "\n".join(_body(session, answer, accounts))
    return f"{_HEAD}<title>{title} · inspector</title>\n<style>\n{css}</style></head>\n<body>\n{body}\n</body></html>"


def _body(session: Session, answer: Why, accounts: Sequence[Account]) -> Iterator[str]:
    yield f"<h1>{gated(session.title)} <span class=small>{gated(session.source_words)}</span></h1>"
    yield "<dl>" + "".join(f"<dt>{n}</dt><dd>{gated(v)}</dd>" for n, v in facts(session)) + "</dl>"
    yield "<h2>Why</h2>"
    yield "<ol>" + "".join(_cause(c) for c in answer.causes[:_CAUSES]) + "</ol>"
    yield "<h2>What each request holds</h2>"
    yield f'<p class="small legend">tokens; parts are estimated {_legend(LAYERS)}</p>'
    yield curve(accounts)
    if answer.peak is not None:
        yield _peak(answer.peak, UNIT_WORDS[session.policy.unit])
    if answer.growers:
        yield "<h2>Which results stayed</h2>"
        yield f'<p class="small legend">the costliest first, over all requests {_legend(_MAP)}</p>'
        yield stay_map(session.timeline, answer.growers)
    yield from _advice(answer)
    yield from _findings(session)
    yield "<h2>Requests</h2>"
    for key, timeline in session.timelines.items():
        name = gated(session.thread_title(key)) if key else "main conversation"
        rows = session.accounts(key)
        yield f"<details{'' if key else ' open'}><summary>{name}: {count_words(len(rows), 'request')}</summary>"
        yield _table(timeline, rows)
        yield "</details>"


def _legend(entries: Sequence[tuple[str, str]]) -> str:
    return "".join(
        f'<svg viewBox="0 0 10 10" aria-hidden="true"><rect class="{name}" width="10" height="10"/></svg>{words}'
        for name, words in entries
    )


def _cause(cause: Cause) -> str:
    notes = [f"{'Because' if cause.certain else 'Likely'}: {cause.cause}"] if cause.cause else []
    notes += [f"Then: {fact}" for fact in cause.also[:4]]
    more = "".join(f"<br><span class=small>{gated(note)}</span>" for note in notes)
    return (
        f"<li class={cause.severity.value}><span class=kind>{SIGNS[cause.severity]} {gated(cause.kind)}</span> "
        f"{gated(cause.sentence)}{more}</li>"
    )


def _peak(peak: Account, unit: str) -> str:
    total = max(1, peak.tokens or peak.shown_tokens)
    rows = "".join(
        f"<tr><td class=left>{word}</td><td>{number(chars) if chars else ''}</td><td>≈ {number(tokens)}</td>"
        f"<td>{100 * tokens / total:.0f} %</td></tr>"
        for word, chars, tokens in shares(peak)
    )
    return (
        f"<p>The fullest request is {peak.n}.</p><table><tr><th class=left>part</th><th>{unit}</th><th>tokens</th>"
        f"<th>share</th></tr>{rows}</table>"
    )


def _advice(answer: Why) -> Iterator[str]:
    advice = answer.advice
    if advice is None or not advice.helping:
        return
    yield f"<h2>Limits that keep it under {number(advice.under_tokens)} tokens</h2>"
    yield f"<p>{f'The mildest is {gated(advice.enough)}.' if advice.enough else 'None that was tried is enough.'}"
    yield f"Now the fullest request has ≈ {number(advice.peak_tokens)} tokens.</p>"
    rows = "".join(
        f"<tr><td class=left>{gated(t.name)}</td><td>≈ {number(t.peak_tokens)}</td><td>≈ {number(t.saved_tokens)}"
        f"</td><td>{t.shortened}</td><td>{t.asked_again}</td><td>{t.breaks}</td></tr>"
        for t in advice.helping
    )
    yield (
        "<table><tr><th class=left>limit</th><th>peak tokens</th><th>saved in all</th><th>results shortened</th>"
        f"<th>asked again</th><th>prefix breaks</th></tr>{rows}</table>"
    )
    for trial in advice.worsening:
        yield f"<p>Worse with {gated(trial.name)}: {gated(trial.worse_words)}.</p>"


def _findings(session: Session) -> Iterator[str]:
    findings = by_severity(session.findings())
    yield f"<h2>Findings: {severity_words(findings)}</h2>"
    items = []
    for finding in findings:
        cause = ""
        if finding.cause:
            cause = f"{'Because' if finding.certain else 'Likely'}: {finding.cause}"
        where = f" <span class=small>{gated(finding.see)}</span>" if finding.see else ""
        items.append(
            f"<li class={finding.severity.value}><span class=kind>{SIGNS[finding.severity]} {finding.kind}</span> "
            f"{gated(finding.fact)}{where}{f'<br><span class=small>{gated(cause)}</span>' if cause else ''}</li>"
        )
    yield "<ul>" + "".join(items[:_OPEN_FINDINGS]) + "</ul>"
    if len(items) > _OPEN_FINDINGS:
        rest = "".join(items[_OPEN_FINDINGS:])
        yield f"<details><summary>{len(items) - _OPEN_FINDINGS} more</summary><ul>{rest}</ul></details>"


def _table(timeline: Timeline, accounts: Sequence[Account]) -> str:
    rows = []
    for request, account, prefix in zip(timeline.requests, accounts, prefix_rows(timeline), strict=True):
        events = [f"over by {number(request.over_by)}"] if request.over_by else []
        events += [f"{len(request.repairs)} repaired"] if request.repairs else []
        if prefix.broken is not None:
            events.append(f"prefix breaks: {prefix.broken.cause}")
        if prefix.cold:
            events.append(f"cold cache: {prefix.cause}")
        if said := unseen_words(account):
            events.append(said)
        rows.append(
            f"<tr><td>{request.n}{'*' if request.pending else ''}</td>"
            f"<td>{'≈ ' if request.estimated else ''}{number(request.wire_chars)}</td>"
            f"<td>{number(account.tokens)}</td><td>{number(account.remainder)}</td>"
            f"<td>{number(prefix.cache_read)}</td><td class=left>{gated('; '.join(events))}</td></tr>"
        )
    unit = UNIT_WORDS[timeline.policy.unit]
    return (
        f"<div class=wide><table><tr><th>request</th><th>{unit}</th><th>tokens</th><th>≈ unseen</th>"
        f"<th>cache read</th><th class=left>events</th></tr>{''.join(rows)}</table></div>"
    )
