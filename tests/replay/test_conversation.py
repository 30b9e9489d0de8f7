"""Rows as of any request."""

from __future__ import annotations

from inspector.model.ledger import Level, State
from inspector.model.policy import DOCUMENTED
from inspector.replay.conversation import Conversation
from inspector.replay.view import Repair
from tests.builders import LEDGER, Transcript, call, text
from tests.counting import calls_of


def test_row_is_fresh_then_replaced_then_must_reapply() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"), call("b"))
    script.result("a", "x" * 150_000)
    script.result("b", "x" * 100_000)
    script.answer("m2", text())
    rows = Conversation(script.timeline(LEDGER))
    assert [rows.result(0, n).state for n in (1, 2, 3)] == [
        State.PENDING, State.REPLACED, State.MUST_REAPPLY,
    ]  # fmt: skip
    assert [rows.result(1, n).state for n in (2, 3)] == [State.FROZEN, State.FROZEN]
    assert rows.result(0, 2).decided_now
    assert not rows.result(0, 3).decided_now
    assert rows.result(0, 1).chars is None


def test_call_that_is_answered_late_is_shown_in_its_turn_until_then() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"))
    script.prompt("go on")
    script.answer("m2", text())
    script.result("a")
    script.answer("m3", text())
    rows = Conversation(script.timeline(DOCUMENTED))
    assert [list(rows.turn_results(1, n)) for n in (2, 3)] == [[0], []]
    assert list(rows.turn_results(2, 3)) == [0]
    assert rows.result(0, 2).pairing is Repair.SYNTHETIC
    assert rows.result(0, 3).pairing is Repair.OK


def test_turn_adds_up_what_counts_and_what_stays() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"), call("b", "Read"), call("c"))
    for name, size in (("a", 150_000), ("b", 70_000), ("c", 100_000)):
        script.result(name, "x" * size)
    turn = Conversation(script.timeline(LEDGER)).turn(1, 2)
    assert (turn.counted, turn.kept, turn.replaced, turn.over_by) == (250_000, 100_000, 150_000, 50_000)
    assert turn.tools == (("Bash", 2), ("Read", 1))
    assert dict(turn.states) == {"r": 1, "s": 1, "f": 1}
    assert turn.now


def test_what_a_compaction_took_away_undecided_counts_nowhere() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a", "Read"), call("b"))
    script.result("a", "x" * 70_000)
    script.result("b", "x" * 150_000)
    script.compacted()
    script.answer("m2", text())
    rows = Conversation(script.timeline(LEDGER))
    assert [rows.result(index, 2).counted for index in (0, 1)] == [False, False]
    turn = rows.turn(1, 2)
    assert (turn.counted, turn.kept, turn.wire_chars, turn.over_by) == (0, 0, 0, 0)


def test_changes_of_a_row_are_found_from_any_request() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a", "Grep"))
    script.result("a", "line\n" * 1_000)
    for n in range(2, 7):
        script.answer(f"m{n}", text())
        script.prompt()
    rows = Conversation(script.timeline(DOCUMENTED))
    assert [(s.start, s.level) for s in rows.lifeline(0)] == [
        (2, Level.FULL), (4, Level.TRUNCATED), (6, Level.SUMMARIZED),
    ]  # fmt: skip
    assert rows.next_change(0, 2) == 4
    assert rows.last_change(0, 6) == 4
    assert rows.next_change(0, 6) is None


def test_outlines_of_a_turn_say_what_its_rows_say_for_less() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", *(call(f"t{n}", command="ls") for n in range(40)))
    for n in range(38):
        script.result(f"t{n}", "x" * n)
    script.answer("m2", call("late"))
    shown = Conversation(script.timeline(DOCUMENTED))
    for n in range(1, shown.request_count + 1):
        for t in range(1, shown.turn_count(n) + 1):
            rows = [shown.result(i, n) for i in shown.turn_results(t, n)]
            assert [(o.index, o.turn, o.tool, o.argument, o.chars) for o in shown.turn_outlines(t, n)] == [
                (r.index, t, r.tool, r.argument, r.chars) for r in rows
            ]
    last = shown.request_count
    in_full = calls_of(lambda: [shown.result(i, last) for i in shown.turn_results(1, last)])
    assert calls_of(lambda: shown.turn_outlines(1, last)) * 3 < in_full
