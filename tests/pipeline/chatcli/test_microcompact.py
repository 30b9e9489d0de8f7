"""What must hold for ageing, whatever it is given, and how rare its second level is."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.model.chatcli import AgeingLimits, Message, Meta
from inspector.pipeline.chatcli.archive import Archive, key_of, marker
from inspector.pipeline.chatcli.microcompact import Step, ages, apply_microcompact, is_candidate, preview
from tests.pipeline.chatcli.histories import HISTORIES, answer, later, result

LIMITS = st.builds(
    AgeingLimits,
    st.integers(1, 3),
    st.integers(1, 4),
    st.integers(0, 3_000),
    st.integers(0, 600),
    st.integers(1, 4_000),
)
ARCHIVES = st.sampled_from([None, Archive(), Archive("off"), Archive("lossless", 9_000)])


@settings(max_examples=120, deadline=None)
@given(HISTORIES, LIMITS, ARCHIVES, st.integers(0, 6))
def test_only_old_large_candidates_change(
    history: Sequence[Message], limits: AgeingLimits, archive: Archive | None, turn: int
) -> None:
    run = apply_microcompact(history, turn, limits, archive)
    touched = {a.at for a in run.aged}
    for at, age in enumerate(ages(history)):
        before, after = history[at], run.messages[at]
        assert after == before.with_content(after.content)
        old = age >= min(limits.truncate_turns, limits.summarize_turns)
        if turn < limits.truncate_turns or not old or not is_candidate(before):
            assert at not in touched
            assert after is before
        if len(before.content) < limits.min_bytes:
            assert after is before


@settings(max_examples=120, deadline=None)
@given(HISTORIES, st.sampled_from([None, Archive()]))
def test_a_second_pass_changes_nothing_with_the_default_sizes(
    history: Sequence[Message], archive: Archive | None
) -> None:
    once = apply_microcompact(history, 9, AgeingLimits(), archive)
    again = apply_microcompact(once.messages, 9, AgeingLimits(), once.archive)
    assert again.messages == once.messages
    assert not again.aged


@settings(max_examples=60, deadline=None)
@given(HISTORIES)
def test_what_an_archive_promises_can_be_recalled(history: Sequence[Message]) -> None:
    run = apply_microcompact(history, 9, AgeingLimits(), Archive())
    assert run.archive is not None
    for aged in run.aged:
        original = history[aged.at].content
        if aged.keys == (key_of(original),):
            assert run.archive.get(aged.keys[0]) == original
            assert run.messages[aged.at].content.count(marker(aged.keys[0]).encode()) == 1


@settings(max_examples=60, deadline=None)
@given(st.binary(min_size=2_601, max_size=9_000))
def test_count_in_the_preview_is_exact(content: bytes) -> None:
    text = preview(content, AgeingLimits())
    front, _, rest = text.partition(b"\n[... ")
    count, _, back = rest.partition(b" chars omitted from old tool result ...]\n")
    if b"\n[... " not in content:
        assert len(front) + int(count) + len(back) == len(content)


def test_loop_turn_is_a_gate_for_summaries_too() -> None:
    history = [answer("a"), result("a", 9_000), *later(6)]
    assert not apply_microcompact(history, 1, AgeingLimits()).gate_open
    assert apply_microcompact(history, 2, AgeingLimits()).aged[0].step is Step.SUMMARIZED


def test_truncated_result_never_becomes_a_summary_with_default_settings() -> None:
    history = (answer("a"), result("a", 9_000), *later(2))
    seen = []
    for turn in range(2, 9):
        run = apply_microcompact(history, turn, AgeingLimits())
        seen += [aged.step for aged in run.aged]
        history = (*run.messages, *later(1))
    assert seen == [Step.TRUNCATED]


def test_exactly_the_minimum_is_shortened() -> None:
    for size, count in ((2_999, 0), (3_000, 1)):
        history = [answer("a"), result("a", size), *later(2)]
        assert len(apply_microcompact(history, 5, AgeingLimits()).aged) == count


def test_errors_and_feedback_age_and_other_user_messages_do_not() -> None:
    feedback = Message("user", b"f" * 4_000, Meta(agent_feedback=True))
    plain = Message("user", b"f" * 4_000, Meta(preserve_verbatim=True))
    history = [answer("a"), result("a", 4_000, is_error=True), feedback, plain, *later(2)]
    assert [a.at for a in apply_microcompact(history, 5, AgeingLimits()).aged] == [1, 2]


def test_markers_are_carried_over_without_a_layer() -> None:
    mark = b"<<ccr:0123456789abcdef>>"
    history = [answer("a"), result("a", b"x" * 4_000 + mark + b"y" * 4_000), *later(4)]
    content = apply_microcompact(history, 5, AgeingLimits()).messages[1].content
    assert content.endswith(b"\n[full content recoverable via @recall " + mark + b"]")
