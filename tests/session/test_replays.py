"""A session replayed under another policy is the session opened under it."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.model.ledger import Level
from inspector.model.policy import CHATCLI, CLAUDE_CODE, DOCUMENTED, Ageing, BudgetMode, Policy
from inspector.replay.timeline import Timeline
from inspector.session import Session, open_session
from inspector.session.policy_words import policy_changes
from inspector.session.replays import Replay, recorded_policy
from tests.claude_session import Transcript, grown


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return grown(45).write(tmp_path / "5e55.jsonl")


def replayed(session: Session, policy: Policy) -> Replay:
    replay = session.new_replay(policy)
    assert session.bring_up(replay)
    return replay


def facts(timeline: Timeline) -> object:
    return (
        [(r.n, r.wire_chars, r.events, r.pending) for r in timeline.requests],
        [(t.entry.id, tuple(t.spans), t.repairs) for t in timeline.tracked],
    )


@pytest.mark.parametrize("policy", [DOCUMENTED, CLAUDE_CODE, CHATCLI], ids=lambda p: p.name)
def test_a_replay_is_what_opening_under_that_policy_gives(path: Path, policy: Policy) -> None:
    with open_session(path) as session, open_session(path, policy=policy) as other:
        assert facts(session.replayed(policy)) == facts(other.timeline)


@pytest.mark.parametrize("policy", [DOCUMENTED, CLAUDE_CODE, CHATCLI], ids=lambda p: p.name)
def test_a_session_without_records_has_no_request_under_any_policy(tmp_path: Path, policy: Policy) -> None:
    path = tmp_path / "5e55.jsonl"
    path.write_text('{"type":"summary","summary":"nothing yet","leafUuid":"x"}\n')
    with open_session(path) as session:
        assert facts(session.replayed(policy)) == facts(session.timeline)


def test_a_replay_that_was_stopped_is_taken_up_again(path: Path) -> None:
    with open_session(path) as session, open_session(path, policy=DOCUMENTED) as other:
        replay = session.new_replay(DOCUMENTED)
        assert not session.bring_up(replay, lambda: False)
        assert not replay.timelines[""].records
        assert session.bring_up(replay)
        assert facts(replay.timelines[""]) == facts(other.timeline)


def test_a_replay_is_brought_up_to_what_was_read_meanwhile(path: Path) -> None:
    with open_session(path, live=True) as session:
        replay = replayed(session, DOCUMENTED)
        grown(52).write(path)
        session.poll()
        session.adopt(replay)
        assert session.policy is DOCUMENTED
        with open_session(path, policy=DOCUMENTED, live=True) as other:
            assert facts(session.timeline) == facts(other.timeline)


def test_an_adopted_policy_holds_for_what_is_read_later(path: Path) -> None:
    with open_session(path, live=True) as session:
        revision = session.revision
        before = session.adopt(replayed(session, DOCUMENTED), {"budget.mode": "what-if"})
        assert session.revision > revision
        assert before.policy is CLAUDE_CODE
        grown(52).write(path)
        session.poll()
        with open_session(path, policy=DOCUMENTED, live=True) as other:
            assert facts(session.timeline) == facts(other.timeline)
            assert [f.kind for f in session.findings()] == [f.kind for f in other.findings()]
        session.adopt(before)
        with open_session(path, live=True) as other:
            assert facts(session.timeline) == facts(other.timeline)


def test_a_session_that_starts_over_keeps_the_adopted_policy(path: Path) -> None:
    with open_session(path, live=True) as session:
        session.adopt(replayed(session, DOCUMENTED))
        Transcript().turn(("Bash", "ls", 90_000)).write(path)
        session.poll()
        assert session.timeline.policy is DOCUMENTED
        assert session.timeline.tracked[0].spans[-1].level is Level.PREVIEW


def test_recorded_does_only_what_the_records_prove(path: Path) -> None:
    with open_session(path, policy=DOCUMENTED) as session:
        policy = recorded_policy(CLAUDE_CODE)
        assert (policy.budget.mode, policy.microcompact.variant) == (BudgetMode.AUTO, Ageing.RECORDED)
        rows = session.replayed(policy).tracked
        assert {span.level for row in rows for span in row.spans} == {Level.FULL}


def test_changed_fields_are_counted_for_an_edited_copy(path: Path) -> None:
    edited = DOCUMENTED.with_field("budget.turn_limit", 1).with_field("name", "documented*")
    with open_session(path, policy=edited) as session:
        assert policy_changes(session) == 1


def test_the_ratio_of_tokens_is_told_in_the_unit_of_the_policy_that_is_shown(tmp_path: Path) -> None:
    script = grown(45)
    path = tmp_path / "5e55.jsonl"
    script.write(path)
    path.write_text(
        path.read_text().replace("row of the import", "列 の 読み込み 行目です!"), encoding="utf-8"
    )
    with open_session(path) as session:
        ratio = session.chars_per_token()
        rows = session.timeline.tracked
        sizes = [row.entry.result.size for row in rows if row.entry.result is not None]
        session.adopt(replayed(session, CHATCLI))
        in_bytes = session.chars_per_token()
        assert ratio is not None and in_bytes is not None
        bytes_, units = sum(size.bytes for size in sizes), sum(size.utf16 for size in sizes)
        assert in_bytes == pytest.approx(ratio * bytes_ / units)
        assert in_bytes > 1.2 * ratio
        session.adopt(replayed(session, CLAUDE_CODE))
        assert session.chars_per_token() == ratio
