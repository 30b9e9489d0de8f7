"""What one request decides about one group, in the words of both seeds."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from inspector.model.policy import CLAUDE_CODE, DOCUMENTED, BudgetSettings
from inspector.pipeline.budget import Item, decide, kept_in_full

CLIENT = CLAUDE_CODE.budget
SEED = DOCUMENTED.budget


def items(*sizes: int, preview: int = 2_000, skipped: tuple[int, ...] = ()) -> list[Item]:
    return [Item(key, size, key in skipped, preview) for key, size in enumerate(sizes)]


FRESH = st.lists(
    st.builds(
        lambda size, skipped, preview: (size, skipped, preview),
        st.integers(0, 90_000), st.booleans(), st.integers(0, 6_000),
    ),
    max_size=8,
).map(lambda rows: [Item(key, *row) for key, row in enumerate(rows)])  # fmt: skip
SETTINGS = st.sampled_from([CLIENT, SEED, replace(SEED, result_limit=None), replace(CLIENT, turn_limit=900)])


def test_equal_to_the_limit_is_not_over() -> None:
    decision = decide(items(100_000, 100_000), 0, 0, CLIENT)
    assert (decision.replace, decision.frozen, decision.over) == ((), (0, 1), False)


def test_one_unit_over_replaces_the_largest() -> None:
    decision = decide(items(100_000, 100_001), 0, 0, CLIENT)
    assert decision.replace == (1,)
    assert (decision.total, decision.remaining, decision.over) == (200_001, 100_000, True)


def test_choosing_ends_where_the_sum_equals_the_limit() -> None:
    decision = decide(items(*[50_000] * 5), 0, 0, CLIENT)
    assert (decision.replace, decision.remaining, decision.accepted) == ((0,), 200_000, False)
    seed = replace(SEED, turn_limit=52_000)
    exact = decide(items(30_000, *[10_000] * 5), 0, 0, seed)
    assert (exact.replace, exact.remaining) == ((0,), 52_000)
    assert (exact.over, exact.over_after_limit) == (True, False)
    assert decide(items(30_000, *[10_000] * 5), 1, 0, seed).replace == (0, 1)


def test_equal_sizes_are_chosen_in_message_order() -> None:
    sizes = (29_500, 29_900, 28_000, 29_500, 29_800, 28_000, 28_000, 28_000, 28_000)
    decision = decide(items(*sizes), 0, 0, CLIENT)
    assert decision.replace == (1, 4)
    assert decide(items(*sizes), 30_000, 0, CLIENT).replace == (1, 4, 0)


def test_skipped_results_are_neither_counted_nor_chosen() -> None:
    decision = decide(items(150_000, 120_000, skipped=(0,)), 0, 0, CLIENT)
    assert (decision.total, decision.skipped, decision.frozen) == (120_000, (0,), (1,))


def test_frozen_results_over_the_limit_are_accepted() -> None:
    decision = decide(items(10), 250_000, 0, CLIENT)
    assert (decision.replace, decision.accepted, decision.cannot_fit) == ((0,), True, False)


def test_the_client_does_not_count_previews_and_the_seed_does() -> None:
    assert decide(items(150_000), 0, 60_000, CLIENT).replace == ()
    no_limit = replace(SEED, result_limit=None)
    assert decide(items(150_000), 0, 60_000, no_limit).replace == (0,)


def test_a_result_over_its_own_limit_is_replaced_whatever_the_sum() -> None:
    decision = decide(items(20_000, 20_001), 0, 0, SEED)
    assert (decision.replace, decision.over, decision.over_after_limit) == ((1,), False, False)


def test_many_results_under_their_limit_still_meet_the_turn_limit() -> None:
    decision = decide(items(*[20_000] * 11, preview=5_000), 0, 0, SEED)
    assert decision.replace == (0, 1)
    assert decision.remaining == 190_000


def test_what_would_not_shrink_is_passed_over_and_said() -> None:
    decision = decide(items(4_000, 3_000, preview=5_000), 199_000, 0, SEED)
    assert (decision.replace, decision.frozen) == ((), (0, 1))
    assert decision.accepted
    assert decision.cannot_fit


@given(FRESH, st.integers(0, 250_000), st.integers(0, 60_000), SETTINGS)
def test_each_fresh_result_gets_exactly_one_state(
    fresh: list[Item], frozen: int, previews: int, settings: BudgetSettings
) -> None:
    decision = decide(fresh, frozen, previews, settings)
    assert sorted((*decision.replace, *decision.frozen, *decision.skipped)) == [i.key for i in fresh]


@given(FRESH, st.integers(0, 250_000), st.integers(0, 60_000), SETTINGS)
def test_the_group_fits_or_the_decision_says_why(
    fresh: list[Item], frozen: int, previews: int, settings: BudgetSettings
) -> None:
    decision = decide(fresh, frozen, previews, settings)
    by_key = {item.key: item for item in fresh}
    kept = frozen + sum(by_key[key].size for key in decision.frozen)
    if settings.count_previews:
        kept += previews + sum(by_key[key].preview_size for key in decision.replace)
    assert decision.remaining == kept
    if kept > settings.turn_limit:
        assert decision.accepted
        stuck = [k for k in decision.frozen if by_key[k].preview_size < by_key[k].size]
        assert not stuck
    else:
        assert not decision.accepted


@given(FRESH, st.integers(0, 250_000), SETTINGS)
def test_no_kept_result_is_larger_than_one_chosen_for_the_sum(
    fresh: list[Item], frozen: int, settings: BudgetSettings
) -> None:
    settings = replace(settings, result_limit=None, count_previews=False)
    decision = decide(fresh, frozen, 0, settings)
    by_key = {item.key: item for item in fresh}
    if decision.replace and decision.frozen:
        smallest = min(by_key[key].size for key in decision.replace)
        assert smallest >= max(by_key[key].size for key in decision.frozen)


@given(FRESH, st.integers(0, 250_000), SETTINGS, st.data())
def test_what_cannot_be_kept_is_frozen_and_counts_again(
    fresh: list[Item], frozen_total: int, settings: BudgetSettings, data: st.DataObject
) -> None:
    decision = decide(fresh, frozen_total, 0, settings)
    failed = data.draw(st.sets(st.sampled_from(decision.replace))) if decision.replace else set()
    kept = kept_in_full(decision, failed, fresh, settings)
    assert set(kept.replace) == set(decision.replace) - failed
    assert set(kept.frozen) == set(decision.frozen) | failed
    assert sorted(kept.frozen, key=[i.key for i in fresh].index) == list(kept.frozen)
    assert kept.accepted == (kept.remaining > settings.turn_limit)
    assert kept.remaining - decision.remaining == sum(
        i.size - (i.preview_size if settings.count_previews else 0) for i in fresh if i.key in failed
    )
