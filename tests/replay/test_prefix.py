"""The predicted prefix break of a request beside what usage says of the cache."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from inspector.replay.accounting import Accounts
from inspector.replay.prefix import CAUSES, PrefixRow, prefix_rows
from inspector.replay.timeline import Timeline
from tests.pipeline.wire.records import random_records
from tests.replay.test_timeline_growth import SMALL
from tests.transcript import Transcript, begun, call, found, result


def rows(script: Transcript, folder: Path) -> list[PrefixRow]:
    return list(prefix_rows(script.open(folder).timeline))


def test_request_that_only_appends_has_no_break_and_a_warm_cache(tmp_path: Path) -> None:
    script = begun()
    for n in range(3):
        script.turn(f"toolu_{n}", chars=9_000)
    found = rows(script, tmp_path)
    assert all(r.broken is None and not r.cold and not r.verdict for r in found)
    assert found[1].cache_read


def test_cold_cache_without_a_break_is_unpredicted_and_not_certain(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=40_000)
    script.answer(text="Yes.")
    script.prompt("On.")
    script.answer(text="No.", cached=0)
    cold = rows(script, tmp_path)[2]
    assert (cold.cold, cold.verdict, cold.certain) == (True, "unpredicted", False)
    assert "system prompt" in cold.cause


@pytest.mark.parametrize(
    ("read", "creation", "cold"), [(0, 1_900, True), (0, 0, False), (1_000, 900, False), (1_800, 0, False)]
)
def test_small_cache_is_lost_where_nothing_is_read_and_all_is_written(
    tmp_path: Path, read: int, creation: int, cold: bool
) -> None:
    script = begun()
    counts = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    script.answer(text="Yes.", usage=dict(zip(counts, (5, 5, 1_800, 100), strict=True)))
    script.prompt("On.")
    script.answer(text="No.", usage=dict(zip(counts, (5, 5, read, creation), strict=True)))
    assert rows(script, tmp_path)[1].cold is cold


def test_model_change_is_a_certain_cause(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=40_000)
    script.answer(text="Yes.")
    script.prompt("On.")
    script.answer(text="No.", cached=0, model="claude-haiku-4-5")
    cold = rows(script, tmp_path)[2]
    assert cold.certain
    assert cold.cause == "The model changed from claude-opus-4-5 to claude-haiku-4-5."


def test_break_that_usage_does_not_show_says_so(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    script.prompt("Meanwhile?")
    script.answer(text="Yes.")
    script.results(result("toolu_a", "late"))
    script.answer(text="Done.")
    broken = [r for r in rows(script, tmp_path) if r.broken is not None and r.cache_read is not None]
    assert broken
    assert {r.verdict for r in broken} == {"not seen"}


def test_fewer_tokens_after_a_pause_are_results_cleared_without_a_record(tmp_path: Path) -> None:
    script = begun()
    for n in range(3):
        script.turn(f"toolu_{n}", chars=40_000)
    script.sent -= 80_000
    script.minutes += 70
    script.prompt("Back.")
    script.answer(text="Hello.", cached=0)
    cold = next(r for r in rows(script, tmp_path) if r.cold)
    assert "after 70 minutes" in cold.cause
    assert "no record says so" in cold.cause


def test_fall_at_a_recorded_clearing_of_results_of_an_earlier_file_names_its_line(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=40_000)
    script.answer(text="Yes.")
    script.record(
        "system", subtype="microcompact_boundary", content="Context microcompacted",
        microcompactMetadata={"trigger": "auto", "tokensSaved": 6_000, "compactedToolIds": ["toolu_earlier"]},
    )  # fmt: skip
    line = len(script.lines)
    script.prompt("On.")
    script.extra_tokens = -6_000
    script.answer(text="No.", cached=0)
    timeline = script.open(tmp_path).timeline
    cold = [*prefix_rows(timeline)][2]
    assert cold.certain
    assert cold.cause.endswith(f"tokens fewer were sent: line {line} records that results were cleared.")
    assert Accounts(timeline).rows()[2].cause == f"Line {line} records that results were cleared."
    (finding,) = found(script.open(tmp_path), "cold_cache")
    assert finding.cause == cold.cause


def test_every_cause_of_a_break_has_its_clause_and_is_spelled_in_one_way() -> None:
    met: set[str] = set()
    for seed in range(30):
        for policy in SMALL.values():
            timeline = Timeline(policy)
            timeline.extend(random_records(random.Random(seed), 60, 0.2))
            met |= {request.break_.cause for request in timeline.requests if request.break_ is not None}
    assert met >= {"compaction", "late result", "load", "new start", "repair", "rewind"}
    assert met <= CAUSES.keys()
