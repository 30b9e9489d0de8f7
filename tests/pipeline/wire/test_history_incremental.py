"""An incremental cut is the same as one from an empty start, whatever the transcript looks like."""

from __future__ import annotations

import random

import msgspec
import pytest

from inspector.model.transcript import Block, BlockKind, Flag, Record, Role
from inspector.pipeline.wire.history import Cut, History
from inspector.pipeline.wire.ordinals import holds_result
from inspector.pipeline.wire.parts import WireMessage, WireRepair
from tests.counting import calls_of
from tests.pipeline.wire.records import Script, call, random_records, result, size, text


def cuts_of(records: list[Record]) -> list[tuple[str | None, int]]:
    """Tip and `upto` of every request: one in front of each new answer."""
    seen: set[tuple[str, str]] = set()
    out: list[tuple[str | None, int]] = []
    for record in records:
        answer = (record.message_id, record.request_ref)
        if record.is_answer and answer not in seen:
            seen.add(answer)
            out.append((record.parent, record.index))
    return out


def scratch(
    records: list[Record], tip: str | None, upto: int, *, linear: bool = False
) -> tuple[History, Cut]:
    history = History(linear=linear)
    for record in records:
        if record.index < upto:
            history.add(record)
    return history, history.cut(tip, upto=upto)


def results_of(history: History) -> set[tuple[int, int]]:
    return {
        (b.record, b.block)
        for m in history.wire()
        if not m.assistant
        for b in m.blocks
        if b.record >= 0 and history.record(b.record).blocks[b.block].id
    }


def first_difference(old: tuple[WireMessage, ...], new: tuple[WireMessage, ...]) -> int | None:
    flat_old = [(n, b, m.assistant) for n, m in enumerate(old) for b in m.blocks]
    flat_new = [(n, b, m.assistant) for n, m in enumerate(new) for b in m.blocks]
    for place, item in enumerate(flat_old):
        if place >= len(flat_new):
            return item[0]
        if item != flat_new[place]:
            return min(item[0], flat_new[place][0])
    return None


def check(records: list[Record], *, eager: bool, linear: bool = False, every: int = 1) -> None:
    """Compares each cut (every n-th one, on long files) with one from an empty start."""
    history = History(linear=linear)
    fed = 0
    if eager:
        for record in records:
            history.add(record)
    requests: list[tuple[str | None, int]] = [*cuts_of(records), (None, records[-1].index + 1)]
    for number, (tip, upto) in enumerate(requests):
        while not eager and fed < len(records) and records[fed].index < upto:
            history.add(records[fed])
            fed += 1
        old_wire, old_repairs, old_results = history.wire(), history.repairs(), results_of(history)
        cut = history.cut(tip, upto=upto)
        if number % every:
            continue
        plain, expected = scratch(records, tip, upto, linear=linear)
        assert history.entries() == plain.entries()
        assert history.wire() == plain.wire()
        assert history.repairs() == plain.repairs()
        assert history.siblings() == plain.siblings()
        assert (cut.messages, cut.tally) == (expected.messages, expected.tally)
        assert cut.messages == len(plain.wire())
        if number:
            new = results_of(plain)
            assert (set(cut.added), set(cut.removed)) == (new - old_results, old_results - new)
            known = {key_of(r) for r in old_repairs}
            assert {key_of(r) for r in cut.repairs} == {key_of(r) for r in plain.repairs()} - known
            assert cut.first_changed == first_difference(old_wire, plain.wire())
            assert bool(cut.cause) == (cut.first_changed is not None)


def key_of(repair: WireRepair) -> tuple[str, str, int, int]:
    return repair.kind, repair.id, repair.record, repair.block


@pytest.mark.parametrize("seed", range(150))
def test_incremental_cuts_equal_cuts_from_scratch(seed: int) -> None:
    rng = random.Random(seed)
    check(random_records(rng, rng.randint(5, 120), damage=0.0), eager=bool(seed % 2))


@pytest.mark.parametrize("seed", range(400))
def test_incremental_cuts_equal_cuts_from_scratch_on_damaged_records(seed: int) -> None:
    rng = random.Random(1000 + seed)
    check(random_records(rng, rng.randint(5, 80), damage=rng.choice((0.02, 0.1, 0.3))), eager=bool(seed % 2))


@pytest.mark.parametrize("seed", range(150))
def test_incremental_cuts_equal_cuts_from_scratch_where_answers_share_their_ids(seed: int) -> None:
    rng = random.Random(6000 + seed)
    damage = rng.choice((0.0, 0.0, 0.02, 0.1))
    check(random_records(rng, rng.randint(5, 120), damage, ids=rng.choice((1, 2, 5))), eager=bool(seed % 2))


@pytest.mark.parametrize("seed", range(20))
def test_incremental_cuts_of_a_linear_source_equal_cuts_from_scratch(seed: int) -> None:
    rng = random.Random(2000 + seed)
    records = random_records(rng, 60, damage=0.1)
    assert any(r.role is Role.ASSISTANT for r in records)
    check(records, eager=bool(seed % 2), linear=True)


@pytest.mark.parametrize("seed", range(120))
def test_incremental_cuts_equal_cuts_from_scratch_where_most_calls_stay_unanswered(seed: int) -> None:
    rng = random.Random(3000 + seed)
    kept = [
        record
        for record in random_records(rng, rng.randint(10, 90), damage=0.0)
        if not (holds_result(record) and rng.random() < 0.8)
    ]
    parents = ["", *(record.uuid for record in kept)]
    chained = [msgspec.structs.replace(r, parent=p) for r, p in zip(kept, parents, strict=False)]
    check(chained, eager=bool(seed % 2))


def lost_turns(rng: random.Random, count: int) -> list[Record]:
    """Lost calls and prompts in any order, and now and then what ends the row."""
    script = Script()
    script.user(text())
    for n in range(count):
        chance, id = rng.random(), f"toolu-{n}"
        if chance < 0.4:
            script.answer(f"m{n if rng.random() < 0.9 else n - 1}", call(id), *([call(f"{id}b")] * (n % 2)))
        elif chance < 0.7:
            script.user(*[text(rng.randint(1, 9))] * rng.randint(1, 2), flags=rng.choice(FLAGS))
        elif chance < 0.75:
            script.user(result(f"toolu-{rng.randint(0, n)}"))
        elif chance < 0.8:
            script.answer(f"m{n}", text())
        elif chance < 0.85:
            script.answer(f"m{n}", text(), call(id))
            script.user(result(id), *([text()] * rng.randint(0, 1)))
        elif chance < 0.9:
            script.user(text(), Block(BlockKind.IMAGE, size(0), images=((9, 9),)))
        elif chance < 0.95:
            script.bridge()
        else:
            script.user(text(), parent=rng.choice(script.records).uuid)
    return script.records


FLAGS = [Flag(0)] * 6 + [Flag.SUMMARY, Flag.TRANSCRIPT_ONLY, Flag.API_ERROR]


@pytest.mark.parametrize("seed", range(300))
def test_incremental_cuts_equal_cuts_from_scratch_where_prompts_follow_lost_calls(seed: int) -> None:
    rng = random.Random(4000 + seed)
    check(lost_turns(rng, rng.randint(3, 60)), eager=bool(seed % 2), linear=not seed % 3)


@pytest.mark.parametrize("prompts", [False, True], ids=["calls", "calls and prompts"])
def test_lost_calls_in_a_row_cost_what_lost_calls_cost(prompts: bool) -> None:
    def cost(answers: int) -> int:
        script = Script()
        script.user(text(), uuid="p")
        for n in range(answers):
            script.answer(f"m{n}", call(f"toolu-{n}"))
            if prompts:
                script.user(text())
        history = History()

        def cut_all() -> None:
            for record in script.records:
                if record.role is Role.ASSISTANT:
                    history.cut(record.parent, upto=record.index)
                history.add(record)

        return calls_of(cut_all)

    assert cost(160) < 5 * cost(40)
