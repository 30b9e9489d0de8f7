"""What must hold for the budget, whatever it is given, and the places where ChatCLI is odd."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.model.chatcli import BudgetLimits, Message
from inspector.pipeline.chatcli.budget import FLOOR_BYTES, enforce_budget, overflow_name, preview, turn_places
from inspector.pipeline.chatcli.overflow import AssumedSink, Outcome
from tests.pipeline.chatcli.histories import HISTORIES, answer, result, user

SINK = AssumedSink("/scratch")
LIMITS = st.builds(BudgetLimits, st.integers(1, 9_000), st.integers(1, 20_000))


class MemorySink:
    """Keeps what is written; fails for the paths it was told to."""

    directory = "/scratch"

    def __init__(self, *, has_directory: bool = True, broken: frozenset[str] = frozenset()) -> None:
        self.files: dict[str, bytes] = {}
        self.has_directory = has_directory
        self.broken = broken

    def prepare(self) -> bool:
        return self.has_directory

    def write(self, path: str, content: bytes) -> bool:
        if path not in self.broken:
            self.files[path] = content
        return path not in self.broken


@settings(max_examples=100, deadline=None)
@given(HISTORIES, LIMITS)
def test_only_results_of_a_turn_change(history: Sequence[Message], limits: BudgetLimits) -> None:
    run = enforce_budget(history, limits, SINK)
    grouped = {at for turn in turn_places(history) for at in turn}
    for at, (before, after) in enumerate(zip(history, run.messages, strict=True)):
        assert after == before.with_content(after.content)
        if at not in grouped:
            assert after is before


@settings(max_examples=100, deadline=None)
@given(HISTORIES, LIMITS)
def test_turn_fits_or_holds_nothing_that_may_be_cut(history: Sequence[Message], limits: BudgetLimits) -> None:
    run = enforce_budget(history, limits, SINK)
    cut = {c.at for c in run.cuts if c.number_of_pass == 2}
    for turn in run.turns:
        if turn.after_bytes > limits.turn_bytes:
            assert all(at in cut or len(run.messages[at].content) <= FLOOR_BYTES for at in turn.places)


@settings(max_examples=100, deadline=None)
@given(HISTORIES, LIMITS, st.integers(0, 50))
def test_every_cut_text_is_on_disk_in_full(
    history: Sequence[Message], limits: BudgetLimits, counter: int
) -> None:
    sink = MemorySink()
    run = enforce_budget(history, limits, sink, counter)
    assert run.counter == counter + len(run.cuts)
    assert list(sink.files) == [cut.path for cut in run.cuts]
    for at in {cut.at for cut in run.cuts}:
        first = next(cut for cut in run.cuts if cut.at == at)
        assert sink.files[first.path] == history[at].content


@settings(max_examples=60, deadline=None)
@given(HISTORIES)
def test_a_second_pass_changes_nothing_where_previews_fit_the_limit(history: Sequence[Message]) -> None:
    limits = BudgetLimits(5_700, 1_000_000)
    once = enforce_budget(history, limits, AssumedSink("/s"))
    assert enforce_budget(once.messages, limits, AssumedSink("/s"), once.counter).messages == once.messages


def test_limits_are_reached_only_above() -> None:
    history = [answer("a"), result("a", 20_000)]
    assert not enforce_budget(history, BudgetLimits(), SINK).cuts
    history = [answer("a"), result("a", 20_001)]
    assert len(enforce_budget(history, BudgetLimits(), SINK).cuts) == 1


def test_saving_of_the_first_pass_is_never_counted() -> None:
    run = enforce_budget([answer("a"), result("a", 50_000)], BudgetLimits(), SINK)
    assert run.report.total_final_chars < run.report.total_original_chars
    assert run.report.bytes_saved_to_disk == 0


def test_many_small_results_stay_over_the_limit() -> None:
    ids = [f"c{n}" for n in range(50)]
    history = [answer(*ids), *(result(i, 5_200) for i in ids)]
    run = enforce_budget(history, BudgetLimits(), SINK)
    assert not run.cuts
    assert run.turns[0].after_bytes == 260_000


def test_failed_directory_takes_no_number_and_a_failed_write_takes_one() -> None:
    history = [answer("a", "b"), result("a", 30_000), result("b", 30_000)]
    run = enforce_budget(history, BudgetLimits(), MemorySink(has_directory=False))
    assert [c.outcome for c in run.cuts] == [Outcome.DIRECTORY_FAILED] * 2
    assert run.counter == 0
    assert run.messages[1].content.endswith("\n... [output truncated — dir creation failed]".encode())
    run = enforce_budget(history, BudgetLimits(), MemorySink(broken=frozenset({"/scratch/budget_a_1.txt"})))
    assert [c.outcome for c in run.cuts] == [Outcome.WRITE_FAILED, Outcome.WRITTEN]
    assert run.cuts[1].path == "/scratch/budget_b_2.txt"
    assert run.report.results_persisted_disk == 2


def test_unknown_role_does_not_end_a_turn_and_a_user_does() -> None:
    developer = Message("developer", b"note")
    assert turn_places([answer("a"), developer, result("a"), user(), result("a")]) == [[2]]


def test_only_slashes_leave_a_file_name() -> None:
    assert overflow_name("a/../b\\c:0", 7) == "budget_a_.._b\\c:0_7.txt"
    assert overflow_name("", 1) == "budget__1.txt"


def test_omitted_count_is_the_size_less_five_thousand_even_below_zero() -> None:
    assert b"[-4998 chars omitted " in preview(b"xy", "/p")
    assert b"[0 chars omitted " in preview(b"x" * 5_000, "/p")
    text = b"a" * 3_000 + b"\n" + b"b" * 6_000 + b"\nend"
    assert f"[{len(text) - 5_000} chars omitted ".encode() in preview(text, "/p")


def test_end_is_lost_between_four_and_five_thousand_bytes() -> None:
    assert preview(b"x" * 4_990 + b"the end", "/p").count(b"the end") == 0
    assert preview(b"x" * 4_994 + b"the end", "/p").endswith(b"the end")
