"""A timeline that was settled at any places is the same as one that was fed at once."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.model.policy import CLAUDE_CODE, DOCUMENTED, Policy
from inspector.model.transcript import Boundary, Record, Replacement, Role
from inspector.replay.calls import Turn
from inspector.replay.requests import AnyGroup, Request
from inspector.replay.timeline import Timeline
from inspector.replay.tracked import Tracked
from tests.builders import LEDGER
from tests.counting import calls_of
from tests.pipeline.wire.records import random_records

POLICIES = {"claude-code": CLAUDE_CODE, "ledger on": LEDGER, "documented": DOCUMENTED}
SMALL = {
    name: policy.with_field("budget.turn_limit", 250).with_field("microcompact.min_content", 50)
    for name, policy in POLICIES.items()
}
"""Limits that the short results of the random records reach."""


def group_facts(group: AnyGroup) -> tuple[Any, ...]:
    """What there is to know of a decision, however it is kept."""
    return (
        group.turn, group.ids, group.decision, group.frozen_total, group.visible_total, group.skipped,
        group.replaced, group.limit, group.again, group.counted,
    )  # fmt: skip


class Careful(Timeline):
    """A timeline that goes the long way for every group."""

    def _is_under_limit(self, turn: Turn, fresh: list[Tracked], request: Request) -> bool:
        return False


def state_of(timeline: Timeline) -> dict[str, Any]:
    """All that a screen can be told."""
    return {
        "requests": [
            (r.n, r.message_id, r.wire_chars, r.estimated, r.events, r.over_by, r.answers, r.turns,
             r.pending, sorted(r.repairs), r.break_, [group_facts(g) for g in r.groups])
            for r in timeline.requests
        ],
        "rows": [
            (t.entry.id, t.state, t.level, t.chars, t.on_wire, t.removed, t.applied, t.aged, t.cleared,
             t.preview, t.request, t.spans, t.repairs)
            for t in timeline.tracked
        ],
        "unreplaced": timeline.unreplaced,
    }  # fmt: skip


def with_side_lines(rng: random.Random, records: list[Record]) -> list[Record]:
    """Stored replacements, recorded clearings and changes of the client's mode in between."""
    out: list[Record] = []
    ids: list[str] = []
    for record in records:
        ids += [b.id for b in record.blocks if b.id]
        out.append(record)
        chance = rng.random()
        if ids and chance < 0.1:
            stored = (Replacement(rng.choice(ids), "stored text"),)
            out.append(Record(0, 0, 0, 0, Role.REPLACEMENTS, record.flags, replacements=stored))
        elif ids and chance < 0.15:
            uuid = f"clear-{len(out)}"
            cleared = Boundary(cleared_ids=(rng.choice(ids),))
            out.append(Record(0, 0, 0, 0, Role.CLEARING, record.flags, uuid, record.uuid, boundary=cleared))
        elif chance < 0.2:
            word = rng.choice(["cli", "sdk-cli"])
            out.append(Record(0, 0, 0, 0, Role.BRIDGE, record.flags, f"b-{len(out)}", entrypoint=word))
    return [msgspec.structs.replace(r, index=n, line=n + 1) for n, r in enumerate(out)]


def compare(records: list[Record], policy: Policy, cuts: set[int], *, linear: bool, live: bool) -> None:
    once = Timeline(policy, linear=linear, live=live)
    once.extend(records)
    grown = Timeline(policy, linear=linear, live=live)
    for at, record in enumerate(records):
        grown.feed(record)
        if at in cuts:
            grown.settle()
    grown.settle()
    left, right = state_of(grown), state_of(once)
    for a, b in zip(left["requests"], right["requests"], strict=True):
        assert a == b
    for a, b in zip(left["rows"], right["rows"], strict=True):
        assert a == b
    assert left == right


@pytest.mark.parametrize("name", SMALL)
@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    damage=st.sampled_from([0.0, 0.05, 0.3]),
    often=st.sampled_from([0.1, 0.5, 1.0]),
    linear=st.booleans(),
    live=st.booleans(),
)
def test_settling_in_between_changes_nothing(
    name: str, seed: int, damage: float, often: float, linear: bool, live: bool
) -> None:
    rng = random.Random(seed)
    records = with_side_lines(rng, random_records(rng, 40, damage))
    cuts = {at for at in range(len(records)) if rng.random() < often}
    compare(records, SMALL[name], cuts, linear=linear, live=live)


@pytest.mark.parametrize("name", SMALL)
@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    damage=st.sampled_from([0.0, 0.02, 0.2]),
    linear=st.booleans(),
    live=st.booleans(),
)
def test_a_group_without_choice_is_decided_as_by_the_long_way(
    name: str, seed: int, damage: float, linear: bool, live: bool
) -> None:
    rng = random.Random(seed)
    records = with_side_lines(rng, random_records(rng, rng.randint(5, 70), damage))
    fast, careful = (kind(SMALL[name], linear=linear, live=live) for kind in (Timeline, Careful))
    fast.extend(records)
    careful.extend(records)
    assert state_of(fast) == state_of(careful)


@pytest.mark.parametrize(("first", "second"), [("claude-code", "ledger on"), ("ledger on", "claude-code")])
@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    damage=st.sampled_from([0.0, 0.05, 0.3]),
    linear=st.booleans(),
    live=st.booleans(),
)
def test_cuts_of_another_policy_with_the_same_pairing_give_the_same_replay(
    first: str, second: str, seed: int, damage: float, linear: bool, live: bool
) -> None:
    rng = random.Random(seed)
    records = with_side_lines(rng, random_records(rng, rng.randint(5, 60), damage))
    known = Timeline(SMALL[first], linear=linear, live=live)
    known.extend(records)
    replay = Timeline(SMALL[second], linear=linear, live=live, known=known)
    replay.extend(records)
    alone = Timeline(SMALL[second], linear=linear, live=live)
    alone.extend(records)
    assert state_of(replay) == state_of(alone)
    assert replay.off_chain_ids() == alone.off_chain_ids()


def test_another_pairing_or_a_pause_that_clears_needs_a_history_of_its_own() -> None:
    known = Timeline(CLAUDE_CODE)
    known.extend(random_records(random.Random(1), 20, 0.0))
    assert known.may_lend_history(LEDGER)
    assert not known.may_lend_history(DOCUMENTED)
    assert not known.may_lend_history(CLAUDE_CODE.with_field("microcompact.clear_after_gap_minutes", 60))
    assert not Timeline(CLAUDE_CODE).may_lend_history(LEDGER)


def test_a_replay_with_known_cuts_follows_no_chain() -> None:
    records = random_records(random.Random(2), 200, 0.0)
    known = Timeline(CLAUDE_CODE)
    known.extend(records)
    alone = calls_of(partial(Timeline(LEDGER).extend, records))
    again = calls_of(partial(Timeline(LEDGER, known=known).extend, records))
    assert again < 0.7 * alone
