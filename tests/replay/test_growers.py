"""Results ranked by what they cost: size times the requests that sent them."""

from __future__ import annotations

from pathlib import Path

from inspector.replay.accounting import Accounts
from inspector.replay.growers import growers
from tests.transcript import Transcript, begun


def ranked(script: Transcript, folder: Path, policy: str | None = None, caused: dict[str, int] | None = None):  # type: ignore[no-untyped-def]  # the struct says its own types
    timeline = script.open(folder, policy).timeline
    return growers(timeline, Accounts(timeline).rows(), caused or {})


def test_smaller_result_that_stayed_longer_costs_more(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_early", chars=20_000)
    for n in range(6):
        script.turn(f"toolu_{n}", chars=10)
    script.turn("toolu_late", chars=50_000)
    script.answer(text="Done.")
    first, second, *_ = ranked(script, tmp_path)
    assert (first.id, first.stayed, first.carry_chars) == ("toolu_early", 9, 9 * 20_000)
    assert (second.id, second.stayed) == ("toolu_late", 2)
    assert 0 < second.share < first.share + second.share <= 1


def test_shortened_stretches_count_at_their_own_size(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=9_000, tool="Grep")
    for n in range(6):
        script.turn(f"toolu_{n}", chars=10)
    aged = next(g for g in ranked(script, tmp_path, "documented") if g.id == "toolu_a")
    assert 2 * 9_000 < aged.carry_chars < 3 * 9_000
    assert aged.stayed == 7


def test_what_a_result_caused_stands_beside_its_own_size(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=100)
    (only,) = ranked(script, tmp_path, caused={"toolu_a": 4_000})
    assert (only.chars, only.caused_chars) == (100, 4_000)


def test_a_request_without_usage_carries_the_system_prompt_too(tmp_path: Path) -> None:
    """The pending request is no smaller for not being answered: a share of its shown text alone misleads."""
    script = begun()
    script.turn("toolu_late", chars=400)
    (late,) = ranked(script, tmp_path)
    assert late.stayed == 1
    # About 100 of some 17,200 tokens, of which the system prompt and tools are 17,000.
    assert 0 < late.share < 0.01
