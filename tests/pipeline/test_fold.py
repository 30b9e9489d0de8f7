"""The fold: settling saves work and changes nothing."""

import copy
import sys
from collections.abc import Iterable
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from inspector.model.policy import CLAUDE_CODE, DOCUMENTED, Pairing, Policy
from inspector.overflow import OverflowStore
from inspector.pipeline import fold as fold_module
from inspector.pipeline.conversation import Messages, Normal, normalise, write_back
from inspector.pipeline.fold import Fold
from inspector.pipeline.ledger import EMPTY
from inspector.pipeline.stages import run
from tests.pipeline.histories import FORMS, GROWN, SOUND, Grown
from tests.pipeline.test_stages import turn

TIGHT = replace(DOCUMENTED, budget=replace(DOCUMENTED.budget, turn_limit=60_000))
EAGER = replace(
    replace(TIGHT, archive=True),
    microcompact=replace(TIGHT.microcompact, truncate_turns=1, summarize_turns=2),
)
POLICIES = st.sampled_from(
    [
        TIGHT,
        EAGER,
        replace(CLAUDE_CODE, budget=replace(CLAUDE_CODE.budget, turn_limit=60_000)),
        EAGER.with_field("pairing.variant", Pairing.POSITIONAL),
        EAGER.with_field("pairing.variant", Pairing.CLIENT),
    ]
)


def assert_same_as_running_everything(histories: Iterable[Messages], policy: Policy) -> None:
    with TemporaryDirectory() as scratch:
        store = OverflowStore(scratch, policy.budget.preview)
        fold, ledger = Fold(policy, store), EMPTY
        for history in histories:
            folded = fold.request(history)
            whole = run(normalise(history), ledger, policy, store)
            assert folded.messages == write_back(whole.messages)
            assert folded.report == whole.report
            assert folded.replaced == whole.replaced
            assert fold.ledger.entries == whole.ledger.entries
            assert fold.ledger.repairs == whole.ledger.repairs
            # Settled messages may have left the list since; what is still asked for is the same.
            assert {**fold.ledger.aged, **whole.ledger.aged} == fold.ledger.aged
            ledger = fold.ledger


@settings(max_examples=60)
@given(st.one_of(GROWN, SOUND), POLICIES)
def test_settling_changes_nothing(grown: Grown, policy: Policy) -> None:
    assert_same_as_running_everything(grown.histories(), policy)


@settings(max_examples=60)
@given(st.one_of(GROWN, SOUND), POLICIES, st.data())
def test_settling_changes_nothing_when_the_history_is_cut_or_copied(
    grown: Grown, policy: Policy, data: st.DataObject
) -> None:
    histories: list[Messages] = []
    for history in grown.histories():
        change = data.draw(st.sampled_from(["none", "none", "cut", "rewind", "copy"]))
        if change == "cut":
            history = history[data.draw(st.integers(0, len(history))) :]
        elif change == "rewind":
            history = history[: data.draw(st.integers(0, len(history)))]
        elif change == "copy":
            history = copy.deepcopy(history)
        histories.append(history)
    assert_same_as_running_everything(histories, policy)


def test_a_result_that_comes_very_late_is_still_put_in_place() -> None:
    history: list[Any] = turn(10, 10)
    missing = history[1]["content"].pop()
    histories = [list(history)]
    for t in range(1, 9):
        history += turn(10, at=t)
        histories.append(list(history))
    history.append({"role": "user", "content": [missing]})
    assert_same_as_running_everything([*histories, history], DOCUMENTED)


def test_a_history_that_is_rewound_is_young_again() -> None:
    history: list[Any] = [{"role": "user", "content": "go"}]
    for t in range(12):
        history += turn(30_000, 6_000, at=t)
    ends = range(1, len(history) + 1)
    for policy in (DOCUMENTED, EAGER):
        assert_same_as_running_everything([history[:end] for end in (*ends, *reversed(ends))], policy)


@pytest.mark.parametrize("line", range(18))
def test_an_interrupt_while_settling_loses_nothing(line: int) -> None:
    history: list[Any] = [{"role": "user", "content": "go"}]
    for t in range(12):
        history += [*turn(30_000, 6_000, at=t), {"role": "user", "content": "and"}]
        history[-2]["content"].append({"type": "tool_result", "tool_use_id": f"no_{t}", "content": "x"})
    lines = 0

    def interrupt(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal lines
        if frame.f_code is not Fold._settle.__code__:
            return None
        if event == "line":
            lines += 1
            if lines == line + 1:
                sys.settrace(None)
                raise KeyboardInterrupt
        return interrupt

    with TemporaryDirectory() as scratch:
        store = OverflowStore(scratch)
        fold, ledger = Fold(EAGER, store), EMPTY
        for end in range(1, len(history) + 1):
            whole = run(normalise(history[:end]), ledger, EAGER, store)
            sys.settrace(interrupt if end == 20 else None)
            try:
                folded = fold.request(history[:end])
            except KeyboardInterrupt:
                folded = fold.request(history[:end])
            finally:
                sys.settrace(None)
            assert folded.messages == write_back(whole.messages)
            assert folded.report.repairs == whole.report.repairs
            ledger = whole.ledger
        assert fold.ledger.entries == ledger.entries


def test_the_stages_see_only_the_messages_that_can_still_change(monkeypatch: Any) -> None:
    seen: list[int] = []

    def counting(messages: tuple[Normal, ...], *rest: Any) -> Any:
        seen.append(len(messages))
        return run(messages, *rest)

    monkeypatch.setattr(fold_module, "run", counting)
    for policy in (DOCUMENTED, CLAUDE_CODE):
        seen.clear()
        with TemporaryDirectory() as scratch:
            fold = Fold(policy, OverflowStore(scratch))
            history: list[Any] = [{"role": "user", "content": "go"}]
            for t in range(60):
                history += turn(30_000, 10, at=t)
                fold.request(history)
        assert max(seen) <= 12


def test_forms_settle_alike() -> None:
    from tests.pipeline.histories import CallStory, TurnStory, grow

    story = [TurnStory((CallStory("Grep", 6_000, "answered"),), False, False, False) for _ in range(12)]
    for form in FORMS:
        assert_same_as_running_everything(grow(story, form).histories(), EAGER)
