from __future__ import annotations

import random

import pytest

from inspector.pipeline.wire.again import CutAgain
from inspector.pipeline.wire.history import History
from tests.pipeline.wire.records import random_records
from tests.pipeline.wire.test_history_incremental import cuts_of


def test_the_same_cuts_come_again_and_the_provisional_one_last() -> None:
    records = random_records(random.Random(3), 60, damage=0.1)
    history = History()
    for record in records:
        history.add(record)
    cuts = [history.cut(tip, upto=upto) for tip, upto in cuts_of(records)]
    pending = history.cut(None, provisional=True)
    again = CutAgain(history)
    assert [again.cut(tip, upto=upto) for tip, upto in cuts_of(records)] == cuts
    assert again.cut(None, provisional=True) == pending
    assert (again.entries(), again.siblings()) == (history.entries(), history.siblings())


def test_a_history_that_went_on_cannot_be_said_again_at_an_earlier_place() -> None:
    records = random_records(random.Random(3), 60, damage=0.0)
    history = History()
    for record in records:
        history.add(record)
    for tip, upto in cuts_of(records):
        history.cut(tip, upto=upto)
    with pytest.raises(LookupError):
        CutAgain(history).cut(None, provisional=True)
