from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from inspector.replay.requests import Request
from inspector.session import open_session
from inspector.session.standing import Standing
from tests.bench import generator


def ratio_from_the_start(requests: list[Request]) -> float | None:
    known = [r for r in requests if r.usage and not r.estimated]
    best: tuple[int, int] | None = None
    start = known[0] if known else None
    for before, now in pairwise(known):
        if start is None or now.compaction is not None or now.wire_chars < before.wire_chars:
            start = now
        elif now.usage and start.usage:
            tokens = now.usage.context - start.usage.context
            if tokens >= 1_000 and (best is None or tokens > best[1]):
                best = (now.wire_chars - start.wire_chars, tokens)
    return best[0] / best[1] if best else None


@pytest.mark.parametrize("step_bytes", [3_000, 40_000, 1 << 20])
def test_figures_carried_along_are_those_counted_anew(tmp_path: Path, step_bytes: int) -> None:
    path = generator.mixed(tmp_path / "s.jsonl", 1.5)
    with open_session(path, read=False) as session:
        standing = Standing(session.timeline)
        more = True
        while more:
            more = session.poll(step_bytes).more
            timeline = session.timeline
            requests = timeline.requests
            assert standing.results == sum(1 for row in timeline.tracked if row.entry.result)
            assert standing.peak_chars == max((r.wire_chars for r in requests), default=0)
            fullest = max(requests, key=lambda r: r.wire_chars, default=None)
            assert standing.peak_estimated == bool(fullest and fullest.estimated)
            used = [r.usage.context for r in requests if r.usage]
            assert standing.peak_tokens == (max(used) if used else None)
            assert standing.model == next((r.model for r in reversed(requests) if r.model), "")
            ratio = ratio_from_the_start(requests)
            assert standing.chars_per_token == (ratio if ratio and 0.5 <= ratio <= 20 else None)
        assert standing.results > 10
        assert standing.chars_per_token is not None
