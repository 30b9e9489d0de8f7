"""The members of a group added up once are what they are added up anew."""

from __future__ import annotations

import random

import msgspec
import pytest

from inspector.model.transcript import BlockKind, Record, Size
from inspector.replay.calls import Turn
from inspector.replay.group_sums import GroupSums
from inspector.replay.timeline import Timeline
from inspector.replay.tracked import Tracked
from tests.pipeline.wire.records import random_records
from tests.replay.test_timeline_growth import SMALL, state_of


class Anew(Timeline):
    """A timeline that adds the members of a group up for each request."""

    def _so_far(self, turn: Turn, fresh: list[Tracked]) -> GroupSums:
        return self._added_up(turn, fresh)


def records_of_few_ids(rng: random.Random) -> list[Record]:
    """A session whose answers share ids, with results of any size; now and then its lines are mixed."""
    records = random_records(rng, rng.randint(5, 100), rng.choice((0.0, 0.1)), ids=rng.choice((1, 1, 2)))
    if rng.random() < 0.4:
        rng.shuffle(records)
    return [
        msgspec.structs.replace(
            record,
            index=n,
            line=n + 1,
            blocks=tuple(
                msgspec.structs.replace(block, size=Size(*[rng.choice((5, 60, 240))] * 3))
                if block.kind is BlockKind.TOOL_RESULT
                else block
                for block in record.blocks
            ),
        )
        for n, record in enumerate(records)
    ]


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("seed", range(40))
def test_a_group_that_grows_over_many_requests_is_decided_as_if_added_up_anew(name: str, seed: int) -> None:
    rng = random.Random(seed)
    records = records_of_few_ids(rng)
    kept, anew = Timeline(SMALL[name]), Anew(SMALL[name])
    for record in records:
        kept.feed(record)
        anew.feed(record)
        if rng.random() < 0.3:
            kept.settle()
            anew.settle()
    kept.settle()
    anew.settle()
    assert state_of(kept) == state_of(anew)
