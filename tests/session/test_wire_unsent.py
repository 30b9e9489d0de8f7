"""What a request's history holds and the request does not send: who is told, where, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.model.transcript import BlockKind
from inspector.replay.conversation import Conversation
from inspector.replay.view import Repair
from inspector.session import Session, open_session
from inspector.session.wire_view import Side, WireView
from inspector.session.wire_views import WireViews
from tests.builders import openai_call, openai_result, write_json
from tests.counting import calls_of
from tests.session.test_replacement_findings import FULL, session_with
from tests.transcript import Transcript, begun, call, result

Shown = tuple[str, str, str, int]


def damaged() -> Transcript:
    """A call without result, a result without call, an id that is called twice."""
    script = begun()
    script.answer(call("toolu_a", argument="make"), call("toolu_lost", argument="make slow"))
    script.results(result("toolu_a", "ok"), result("toolu_none", "nobody asked"))
    script.turn("toolu_b", chars=7)
    script.turn("toolu_a", chars=9)
    script.answer(text="done")
    return script


def shown(view: WireView) -> list[Shown]:
    """What is not sent: kind, id, reason and the block in front of which it stands."""
    return [(u.kind, u.tool_use_id, u.why.value, u.row) for u in view.unsent]


def kinds(view: WireView) -> list[tuple[str, str]]:
    return [(row.kind, row.tool_use_id) for row in view.rows]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("claude-code", [
            ("call", "toolu_lost", "dropped", 2), ("result", "toolu_none", "orphan", 3),
            ("call", "toolu_a", "duplicate", 5), ("result", "toolu_a", "orphan", 6),
        ]),
        ("documented", [
            ("result", "toolu_none", "orphan", 5),
            ("call", "toolu_a", "duplicate", 7), ("result", "toolu_a", "duplicate", 7),
        ]),
        ("chatcli", [("result", "toolu_none", "orphan", 4)]),
    ],
)  # fmt: skip
def test_every_policy_tells_what_its_own_pairing_left_out_behind_what_stands_before_it(
    tmp_path: Path, policy: str, expected: list[Shown]
) -> None:
    with damaged().open(tmp_path, policy) as session:
        view = WireViews(session).view(4)
        assert shown(view) == expected, kinds(view)


def test_each_request_tells_what_it_leaves_out_itself(tmp_path: Path) -> None:
    with damaged().open(tmp_path, "claude-code") as session:
        views = WireViews(session)
        assert [len(views.view(n).unsent) for n in (1, 2, 3, 4, 5)] == [0, 2, 2, 4, 4]
        assert views.view(2).unsent[1].sentence.startswith("× orphan: no call with this id")


def test_what_is_not_sent_is_in_no_sum_and_its_size_is_that_in_the_transcript(tmp_path: Path) -> None:
    with damaged().open(tmp_path, "claude-code") as session:
        view = WireViews(session).view(4)
        assert view.chars == session.timeline.requests[3].wire_chars == sum(r.chars for r in view.rows)
        assert [u.chars for u in view.unsent] == [
            len('{"command":"make slow"}'), len("nobody asked"), len('{"command":"toolu_a"}'), 9,
        ]  # fmt: skip


def test_its_text_and_its_record_are_those_of_the_transcript(tmp_path: Path) -> None:
    with damaged().open(tmp_path, "claude-code") as session:
        views = WireViews(session)
        lost, orphan, *_ = views.view(4).unsent
        assert '"make slow"' in str(views.unsent_text(lost.record, lost.block))
        assert views.unsent_text(orphan.record, orphan.block) == "nobody asked"
        record = views.record_at(orphan.record)
        assert record is not None
        assert b"nobody asked" in session.path.read_bytes().splitlines()[record.line - 1]
        assert views.record_at(10_000) is None
        assert views.unsent_text(10_000, 0) is None
        assert views.unsent_text(orphan.record, 99) is None


def test_a_call_that_may_still_run_is_told_as_the_ledger_tells_it(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    with script.open(tmp_path, live=True) as session:
        (waiting,) = WireViews(session).view(2).unsent
        assert (waiting.why, waiting.kind) == (Repair.PENDING, "call")
        row = Conversation(session.timeline).result(waiting.result or 0, 2)
        assert (row.id, row.pairing, row.sentence) == ("toolu_a", Repair.PENDING, waiting.sentence)


def test_the_recorded_form_tells_nothing_of_what_a_prediction_leaves_out(tmp_path: Path) -> None:
    with session_with(line=False, later=FULL).open(tmp_path) as session:
        assert WireViews(session).view(2, side=Side.RECORDED).unsent == ()


def test_what_a_compaction_took_away_is_not_in_the_history_any_more(tmp_path: Path) -> None:
    for policy in ("claude-code", "documented", "chatcli"):
        script = damaged()
        script.record(
            "system", subtype="compact_boundary", content="Conversation compacted", parentUuid=None,
            compactMetadata={"trigger": "manual", "preTokens": 9},
        )  # fmt: skip
        script.record("user", isCompactSummary=True, message={"role": "user", "content": "We tested."})
        script.answer(text="go on")
        with script.open(tmp_path, policy) as session:
            views = WireViews(session)
            assert views.view(4).unsent, policy
            assert not views.view(5).unsent, policy
            assert "We tested." in [row.words for row in views.view(5).rows], policy


def removed_by_ledger(session: Session, n: int) -> set[tuple[str, str]]:
    """Ids and repairs of the ledger's rows that take something out at a request."""
    rows = Conversation(session.timeline)
    turns = range(1, rows.turn_count(n) + 1)
    known = [rows.result(i, n) for t in turns for i in rows.turn_results(t, n)]
    gone = (Repair.ORPHAN, Repair.DUPLICATE, Repair.DROPPED)
    return {(row.id, row.pairing.value) for row in known if row.pairing in gone}


@pytest.mark.parametrize("policy", ["claude-code", "documented", "chatcli"])
def test_the_ledger_says_the_same_of_the_same_request(tmp_path: Path, policy: str) -> None:
    with damaged().open(tmp_path, policy) as session:
        views = WireViews(session)
        for n in range(1, 6):
            unsent = views.view(n).unsent
            told = {(u.tool_use_id, u.why.value) for u in unsent}
            assert removed_by_ledger(session, n) <= told
            rows = [session.timeline.tracked[u.result or 0] for u in unsent]
            said = {(row.entry.id, what.value) for row in rows for at, what in row.repairs if at <= n}
            assert told <= said, "a call and its result share a row, which may have been repaired twice"
            assert bool(told) == (n > 1)


@pytest.mark.parametrize("policy", ["claude-code", "documented", "chatcli"])
def test_all_calls_and_results_of_the_history_are_either_sent_or_told(tmp_path: Path, policy: str) -> None:
    with damaged().open(tmp_path, policy) as session:
        view = WireViews(session).view(5)
        blocks = [b for record in session.records("") for b in record.blocks]
        held = [b for b in blocks if b.kind in (BlockKind.TOOL_USE, BlockKind.TOOL_RESULT)]
        sent = [row for row in view.rows if row.kind in ("call", "result")]
        made = [row for row in sent if row.state == "error"]
        assert len(held) == len(sent) - len(made) + len(view.unsent)


@pytest.mark.parametrize("policy", ["documented", "claude-code"])
def test_lists_of_messages_tell_it_too(tmp_path: Path, policy: str) -> None:
    messages = [
        {"role": "user", "content": "go"},
        openai_result("early"), openai_call(("a", "{}")), openai_result("a"), openai_result("a"),
    ]  # fmt: skip
    with open_session(write_json(tmp_path, messages), policy=policy) as session:
        view = WireViews(session).view(2)
        assert [(u.tool_use_id, u.kind) for u in view.unsent] == [("early", "result"), ("a", "result")]
        assert view.unsent[1].row == len(view.rows) - view.resumed * 2


def test_an_id_that_comes_often_costs_in_proportion(tmp_path: Path) -> None:
    def work(times: int) -> int:
        script = begun()
        script.turn("toolu_a")
        for _ in range(times):
            script.answer(call("toolu_a"))
            script.results(result("toolu_a", "again"))
        folder = tmp_path / str(times)
        folder.mkdir()
        with script.open(folder, "claude-code") as session:
            views = WireViews(session)
            n = len(session.timeline.requests) - 1
            assert len(views.view(n).unsent) == 2 * (times - 1)
            return calls_of(lambda: views.view(n))

    assert work(80) < 2.6 * work(40)
