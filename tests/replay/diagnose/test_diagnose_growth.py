"""A diagnosis that was asked at any places says the same as one that is asked once, at the end."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from inspector.model.findings import Finding
from inspector.model.transcript import Block, BlockKind, Persisted, Record, Role, Usage
from inspector.replay.diagnose import Diagnosis
from inspector.replay.timeline import Timeline
from tests.pipeline.wire.records import random_records
from tests.replay.test_timeline_growth import SMALL, with_side_lines


def with_oddities(rng: random.Random, records: list[Record]) -> list[Record]:
    """Usage that jumps and falls, results of every kind that is told, and usage that comes late."""
    tokens = 20_000
    out: list[Record] = []
    for record in records:
        blocks = tuple(odd_block(rng, block) for block in record.blocks)
        if record.role is not Role.ASSISTANT or not record.message_id:
            out.append(replace(record, blocks=blocks))
            continue
        tokens = max(5_000, tokens + rng.choice([400, 3_000, 70_000, -18_000]))
        usage = Usage(5, rng.choice([tokens, tokens // 2]), 100, 20)
        out.append(replace(record, blocks=blocks, usage=usage if rng.random() < 0.8 else None))
        if rng.random() < 0.1:
            earlier = rng.choice([r for r in out if r.message_id])
            late = replace(earlier, uuid=f"late-{len(out)}", usage=Usage(7, tokens // 3, 3, 1), blocks=())
            out.append(late)
    return [replace(r, index=n, line=n + 1) for n, r in enumerate(out)]


def odd_block(rng: random.Random, block: Block) -> Block:
    if block.kind is BlockKind.TOOL_USE:
        return replace(block, argument=rng.choice(["", "ls", "cat a"]))
    if block.kind is not BlockKind.TOOL_RESULT or rng.random() < 0.5:
        return block
    odd = rng.choice(
        [
            {"controls": True}, {"lone_surrogates": True}, {"images": ((9_000, 2),)},
            {"base64_chars": 5_000}, {"persisted": Persisted("/x/a.txt", "60KB")}, {"is_error": True},
        ]
    )  # fmt: skip
    return replace(block, **odd)


@pytest.mark.parametrize("name", SMALL)
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    damage=st.sampled_from([0.0, 0.05, 0.3]),
    often=st.sampled_from([0.1, 0.5, 1.0]),
    live=st.booleans(),
)
@example(seed=406, damage=0.05, often=0.5, live=True)  # a replacement recorded after its group settled
@example(seed=37, damage=0.05, often=0.5, live=False)  # one result that answers both calls of an id
def test_asking_in_between_changes_nothing(
    name: str, seed: int, damage: float, often: float, live: bool
) -> None:
    rng = random.Random(seed)
    records = with_oddities(rng, with_side_lines(rng, random_records(rng, 60, damage)))
    policy = SMALL[name].with_field("budget.result_limit", 80)
    timeline = Timeline(policy, live=live)
    diagnosis = Diagnosis(timeline)
    asked = 0
    found: list[Finding] = []
    for at, record in enumerate(records, 1):
        timeline.feed(record)
        if rng.random() < often or at == len(records):
            timeline.settle()
            if rng.random() < 0.5:
                diagnosis.noticed.update()  # as whoever looks at its rows in between does
            found = diagnosis.now(records[asked:at])
            asked = at
    assert found == Diagnosis(timeline).now()


def test_the_random_sessions_hold_what_is_told() -> None:
    kinds: set[str] = set()
    for seed in range(20):
        rng = random.Random(seed)
        records = with_oddities(rng, with_side_lines(rng, random_records(rng, 60, 0.05)))
        timeline = Timeline(SMALL["claude-code"])
        timeline.extend(records)
        kinds |= {finding.kind for finding in Diagnosis(timeline).now()}
    assert kinds >= {
        "missing_result", "over_turn_budget", "prefix_break", "cold_cache", "image_result",
        "base64_text", "usage_repeated", "compaction", "duplicate_result",
    }  # fmt: skip
