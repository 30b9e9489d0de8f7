"""How the context grew: jumps, compactions, usage that is written more than once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.transcript import SYSTEM_TOKENS, Transcript, begun, found, result, the


def test_jump_names_the_largest_results_and_its_tokens(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_small", chars=500)
    script.turn("toolu_a", "toolu_b", chars=50_000)
    script.answer(text="Done.")
    finding = the(script.open(tmp_path), "context_jump")
    assert finding.request == 3
    assert set(finding.ids) == {"toolu_a", "toolu_b"}
    assert finding.data["tokens"] >= 25_000


def test_compaction_tells_the_tokens_before_and_after(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=80_000)
    script.answer(text="Yes.")
    meta = {"trigger": "auto", "preTokens": 37_000}
    script.record("system", subtype="compact_boundary", parentUuid=None, compactMetadata=meta)
    script.sent = 0
    script.record("user", isCompactSummary=True, message={"role": "user", "content": "What was said so far."})
    script.answer(text="On.")
    finding = the(script.open(tmp_path), "compaction")
    assert finding.see == "request 3"
    assert finding.data["before"] > finding.data["after"] >= SYSTEM_TOKENS


@pytest.mark.parametrize(
    ("beside", "words"),
    [
        (0, ", as the last request used."),
        (20, ": the last request, and 20 of its answer."),
        (304, ", +304 against the last request; the text since is in it."),
    ],
)
def test_what_the_boundary_states_is_told_from_what_the_last_request_used(
    beside: int, words: str, tmp_path: Path
) -> None:
    script = begun()
    script.turn("toolu_a", chars=80_000)
    script.answer(text="Yes.")
    used = the_request(script, tmp_path) + beside
    meta = {"trigger": "auto", "preTokens": used}
    script.record("system", subtype="compact_boundary", parentUuid=None, compactMetadata=meta)
    script.sent = 0
    script.record("user", isCompactSummary=True, message={"role": "user", "content": "What was said so far."})
    script.answer(text="On.")
    finding = the(script.open(tmp_path), "compaction")
    assert f"{used - beside:,} tokens before" in finding.fact
    assert finding.cause == f"The boundary states {used:,} tokens{words}"


def the_request(script: Transcript, folder: Path) -> int:
    """What the last answered request used."""
    with script.open(folder) as session:
        return max(r.usage.context for r in session.timeline.requests if r.usage)


def test_usage_on_every_record_of_an_answer_counts_once(tmp_path: Path) -> None:
    script = begun()
    script.answer({"type": "text", "text": "One."}, {"type": "text", "text": "Two."})
    script.results(result("toolu_nobody", "x"))
    finding = the(script.open(tmp_path), "usage_repeated")
    assert finding.data == {"records": 2, "answers": 1}


def test_steady_growth_is_no_jump(tmp_path: Path) -> None:
    script = begun()
    for n in range(5):
        script.turn(f"toolu_{n}", chars=20_000)
    assert not found(script.open(tmp_path), "context_jump")
