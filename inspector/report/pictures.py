"""The two pictures of the HTML report as inline SVG: what each request holds, and which results stayed.

Colours come from the page's own CSS variables, so that both pictures follow its light and dark form;
every shape has a `<title>`, which browsers show without a script.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from inspector.figures import number, short_number
from inspector.model.ledger import Level
from inspector.text import printable_line

if TYPE_CHECKING:
    from inspector.replay.accounting import Account
    from inspector.replay.growers import Grower
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked

_WIDTH, _LEFT, _TOP, _HEIGHT = 960, 64, 12, 220
_STEPS = 4
_ROWS = 40
_ROW, _LABEL = 15, 340
_COLUMNS = 400
"""Most columns that the curve draws; of longer sessions the fullest request of each stretch."""
LAYERS = (
    ("rest", "system, tools, unseen"),
    ("results", "results"),
    ("calls", "calls"),
    ("talk", "prompts, answers, summaries"),
)
"""Layers of the curve from the bottom up: class and name."""
_LEVELS = {
    Level.FULL: "full",
    Level.EXEMPT: "full",
    Level.PREVIEW: "preview",
    Level.TRUNCATED: "short",
    Level.SUMMARIZED: "short",
    Level.CLEARED: "gone",
}


def gated(text: str) -> str:
    """A text of the session for HTML: printable, and without meaning to the parser."""
    return escape(printable_line(text), quote=True)


def curve(accounts: Sequence[Account]) -> str:
    """Tokens of every request, stacked by what they are; empty without requests."""
    shown = _thinned(accounts)
    if not shown:
        return ""
    layers = _all_layers(shown)
    top = max(1, *(sum(each) for each in layers))
    wide = (_WIDTH - _LEFT) / len(shown)
    parts = [_axis(top)]
    for at, (account, heights) in enumerate(zip(shown, layers, strict=True)):
        base = float(_TOP + _HEIGHT)
        bars = []
        for (name, _), tokens in zip(LAYERS, heights, strict=True):
            height = tokens / top * _HEIGHT
            base -= height
            bars.append(
                f'<rect class="{name}" x="{_LEFT + at * wide:.1f}" y="{base:.1f}" '
                f'width="{max(0.7, wide - (wide > 4)):.1f}" height="{height:.1f}"/>'
            )
        parts.append(f"<g><title>{_words(account, heights)}</title>{''.join(bars)}</g>")
    parts.append(
        f'<text x="{_LEFT}" y="{_TOP + _HEIGHT + 16}">request {shown[0].n}</text>'
        f'<text x="{_WIDTH}" y="{_TOP + _HEIGHT + 16}" text-anchor="end">request {shown[-1].n}</text>'
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_TOP + _HEIGHT + 22}" role="img" '
        f'aria-label="Tokens of every request">{"".join(parts)}</svg>'
    )


def _thinned(accounts: Sequence[Account]) -> list[Account]:
    step = -(-len(accounts) // _COLUMNS) or 1
    stretches = (accounts[i : i + step] for i in range(0, len(accounts), step))
    return [max(stretch, key=lambda a: a.tokens or a.shown_tokens) for stretch in stretches]


def _all_layers(accounts: Sequence[Account]) -> list[tuple[int, int, int, int]]:
    """Heights in tokens. A request without usage is drawn on the remainder that was known last."""
    out, rest = [], 0
    for account in accounts:
        rest = account.remainder if account.remainder is not None else rest
        out.append(_layers(account, rest))
    return out


def _layers(account: Account, rest: int) -> tuple[int, int, int, int]:
    parts = account.parts
    results, calls = account.tokens_of(parts.results), account.tokens_of(parts.calls)
    return rest, results, calls, max(0, account.shown_tokens - results - calls)


def _words(account: Account, heights: Sequence[int]) -> str:
    total = number(account.tokens) if account.tokens is not None else f"≈ {number(account.shown_tokens)}"
    split = ", ".join(f"{name} ≈ {number(t)}" for (_, name), t in zip(LAYERS, heights, strict=True) if t)
    return f"request {account.n}: {total} tokens ({split})"


def _axis(top: int) -> str:
    out = []
    for step in range(_STEPS + 1):
        y = _TOP + _HEIGHT - _HEIGHT * step / _STEPS
        out.append(
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{short_number(top * step // _STEPS)}</text>'
        )
    return "".join(out)


def stay_map(timeline: Timeline, ranked: Sequence[Grower]) -> str:
    """The costliest results, one row each, over all requests; empty without results."""
    rows = ranked[:_ROWS]
    if not rows:
        return ""
    total = len(timeline.requests)
    wide = (_WIDTH - _LABEL) / total
    parts = []
    for at, grower in enumerate(rows):
        y = at * _ROW
        label = printable_line(f"{grower.tool} {grower.id}")
        short = label if len(label) <= 32 else f"{label[:14]}…{label[-16:]}"
        parts.append(
            f'<text x="{_LABEL - 70}" y="{y + 11}" text-anchor="end">{escape(short)}</text>'
            f'<text x="{_LABEL - 8}" y="{y + 11}" text-anchor="end">{short_number(grower.chars)}</text>'
        )
        parts += _stretches(timeline.tracked[grower.index], y, total, wide)
    return (
        f'<svg viewBox="0 0 {_WIDTH} {len(rows) * _ROW + 4}" role="img" '
        f'aria-label="Which results stayed, over all requests">{"".join(parts)}</svg>'
    )


def _stretches(row: Tracked, y: int, total: int, wide: float) -> list[str]:
    ends = [b.start for _, b in pairwise(row.spans)] + [total + 1]
    out = []
    for span, end in zip(row.spans, ends, strict=True):
        name = _LEVELS.get(span.level)
        if name is None:
            continue
        out.append(
            f'<rect class="{name}" x="{_LABEL + (span.start - 1) * wide:.1f}" y="{y + 2}" '
            f'width="{max(1.0, (end - span.start) * wide):.1f}" height="{_ROW - 4}"><title>'
            f"requests {span.start} to {end - 1}: {span.level.value}, {number(span.chars)}</title></rect>"
        )
    return out
