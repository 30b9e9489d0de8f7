"""Messages, repairs and what a cut tells (rules 13-17, 22-24, 32-34)."""

from __future__ import annotations

from functools import partial

import pytest

from inspector.model.transcript import Block, BlockKind, Flag, Replacement, Role
from inspector.pipeline.wire.history import History
from inspector.pipeline.wire.parts import MISSING_TEXT, Part, RepairKind
from tests.counting import calls_of
from tests.pipeline.wire.records import Script, call, result, size, text


def read(script: Script, *, linear: bool = False) -> History:
    history = History(linear=linear)
    for record in script.records:
        history.add(record)
    return history


def shape(history: History) -> list[tuple[str, list[str]]]:
    """Role and blocks of every message: the tool_use id, or the uuid of a text's record."""
    out = []
    for message in history.wire():
        names = []
        for block in message.blocks:
            if block.part is not Part.RECORD:
                names.append(f"{block.part.name.lower()} {block.id}".strip())
                continue
            record = history.record(block.record)
            names.append(record.blocks[block.block].id or record.uuid)
        out.append(("assistant" if message.assistant else "user", names))
    return out


def answered(*ids: str) -> Script:
    script = Script()
    script.user(text(), uuid="p")
    for tool_use_id in ids:
        script.answer("m", call(tool_use_id))
    for tool_use_id in ids:
        script.user(result(tool_use_id))
    return script


def test_records_of_one_answer_are_one_message_across_its_results() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.answer("m", call("1"))
    script.user(result("1"))
    script.answer("m", call("2"))
    script.user(result("2"))
    history = read(script)
    assert history.cut(None).messages == 3
    assert shape(history)[1:] == [("assistant", ["1", "2"]), ("user", ["1", "2"])]


def test_an_answer_does_not_join_across_a_prompt() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.answer("m", text(), uuid="a")
    script.user(text(), uuid="q")
    script.answer("m", text(), uuid="b")
    history = read(script)
    history.cut(None)
    assert [names for _, names in shape(history)] == [["p"], ["a"], ["q"], ["b"]]


def test_a_call_that_nothing_answers_is_dropped_and_its_text_stays() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.answer("m", text(), uuid="t")
    script.answer("m", call("1"))
    script.answer("m", call("2"))
    script.user(result("2"))
    history = read(script)
    cut = history.cut(None)
    assert shape(history)[1] == ("assistant", ["t", "2"])
    assert [(r.kind, r.id, r.message) for r in cut.repairs] == [(RepairKind.DROPPED, "1", 1)]


def test_a_call_of_the_last_message_is_pending_while_its_request_is() -> None:
    script = answered()
    script.answer("m", text(), uuid="t")
    script.answer("m", call("1"))
    history = read(script)
    assert [r.kind for r in history.cut(None).repairs] == [RepairKind.PENDING]
    script.user(result("1"))
    history.add(script.records[-1])
    cut = history.cut(None)
    assert (cut.repairs, cut.added, cut.first_changed) == ((), ((3, 0),), None)


def test_an_orphan_result_goes_and_its_message_says_so() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.answer("m", text(), uuid="t")
    script.user(result("gone"))
    history = read(script)
    cut = history.cut(None)
    assert shape(history)[2] == ("user", ["no_content"])
    assert [r.kind for r in cut.repairs] == [RepairKind.ORPHAN, RepairKind.EMPTIED]


def test_a_call_under_another_message_id_displaces_the_results() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.answer("m", call("1"))
    script.answer("copy", call("1"))
    script.user(result("1"))
    history = read(script)
    cut = history.cut(None)
    assert shape(history)[1:] == [
        ("assistant", ["1"]),
        ("user", ["missing 1"]),
        ("assistant", ["interrupted"]),
        ("user", ["no_content"]),
    ]
    kinds = [r.kind for r in cut.repairs]
    assert kinds.count(RepairKind.EMPTIED) == 2
    assert {RepairKind.SYNTHETIC, RepairKind.DUPLICATE, RepairKind.ORPHAN} <= set(kinds)
    fillers = len(MISSING_TEXT) + len("[Tool use interrupted]") + len("(no content)")
    assert cut.tally.text.chars == 10 + 20 + fillers


def test_a_missing_result_stands_in_front_of_those_that_are_there() -> None:
    script = Script()
    script.user(text())
    script.answer("m", call("1"))
    script.answer("m", call("2"))
    script.user(result("2"))
    script.user(text(), uuid="q")
    script.answer("n", text())
    script.user(result("1"))
    history = read(script)
    history.cut(None)
    assert shape(history)[2] == ("user", ["missing 1", "2", "q"])
    assert shape(history)[4] == ("user", ["no_content"])


def test_an_id_that_comes_back_loses_its_later_call_and_result() -> None:
    script = answered("1")
    script.answer("n", text(), uuid="t")
    script.answer("n", call("1"))
    script.user(result("1"))
    history = read(script)
    history.cut(None)
    assert shape(history)[3:] == [("assistant", ["t"]), ("user", ["no_content"])]


def test_of_two_results_for_one_call_the_first_stays() -> None:
    script = answered("1")
    script.user(result("1", 777))
    history = read(script)
    cut = history.cut(None)
    assert [(r.kind, r.record) for r in cut.repairs] == [(RepairKind.DUPLICATE, 3)]
    assert cut.tally.text.chars == 10 + 20 + 100


def test_results_come_before_the_texts_of_their_message() -> None:
    script = answered()
    script.answer("m", call("1"))
    script.user(text(), uuid="q")
    script.user(result("1"))
    history = read(script)
    cut = history.cut(None)
    assert shape(history)[2] == ("user", ["1", "q"])
    assert [r.kind for r in cut.repairs] == [RepairKind.MOVED]


def test_two_prompts_in_a_row_are_one_message_and_the_first_gets_a_line_feed() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.user(text(), uuid="q")
    history = read(script)
    assert history.cut(None).tally.text.chars == 21
    assert [b.joint for b in history.wire()[0].blocks] == [True, False]


@pytest.mark.parametrize(
    ("flags", "sent"),
    [
        (Flag.API_ERROR | Flag.SYNTHETIC, False),
        (Flag.SYNTHETIC | Flag.NO_RESPONSE, True),
        (Flag.TRANSCRIPT_ONLY, False),
        (Flag.TRANSCRIPT_ONLY | Flag.SUMMARY, True),
        (Flag.META, True),
    ],
)
def test_which_records_become_content(flags: Flag, sent: bool) -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.answer("m", text(), flags=flags)
    history = read(script)
    assert history.cut(None).messages == (2 if sent else 1)


def test_thinking_and_images_are_counted_apart() -> None:
    script = Script()
    script.user(text(), Block(BlockKind.IMAGE, size(0), image_chars=400))
    script.answer("m", Block(BlockKind.THINKING, size(30)), call("1"))
    script.user(result("1", 5, images=((8, 8),), image_chars=100))
    tally = read(script).cut(None).tally
    assert (tally.text.chars, tally.thinking.chars) == (35, 30)
    assert (tally.images, tally.image_chars) == (2, 500)


def test_a_compaction_changes_the_first_message_and_removes_results() -> None:
    script = answered("1")
    history = read(script)
    history.cut(None)
    script.boundary()
    script.user(text(), flags=Flag.SUMMARY)
    for record in script.records[-2:]:
        history.add(record)
    cut = history.cut(None)
    assert (cut.first_changed, cut.cause, cut.removed) == (0, "compaction", ((2, 0),))


def test_a_rewind_is_told_with_the_message_at_which_it_starts() -> None:
    script = answered("1")
    script.answer("n", text())
    history = read(script)
    history.cut(None)
    script.user(text(), parent=script.records[2].uuid)
    history.add(script.records[-1])
    cut = history.cut(None)
    assert (cut.first_changed, cut.cause) == (2, "rewind")


def test_a_result_that_comes_late_changes_an_old_message() -> None:
    script = answered("1")
    script.answer("m", call("2"), uuid="late-call", parent=script.records[1].uuid)
    script.answer("n", text(), parent=script.records[2].uuid)
    history = read(script)
    history.cut(None)
    script.user(result("2"), parent="late-call")
    script.user(text(), parent=script.records[4].uuid)
    for record in script.records[-2:]:
        history.add(record)
    cut = history.cut(None)
    assert cut.first_changed is not None
    assert cut.cause
    assert (5, 0) in cut.added


def test_a_linear_source_needs_no_parents_and_no_message_ids() -> None:
    script = Script()
    script.user(text(), parent="")
    script(Role.ASSISTANT, call("1"), parent="")
    script.user(result("1"), parent="")
    script(Role.ASSISTANT, text(), parent="")
    script(Role.ASSISTANT, text(), parent="")
    assert read(script, linear=True).cut(None).messages == 5


def test_replacement_lines_count_when_they_stand_in_front_of_the_answer() -> None:
    script = answered("1")
    script(Role.REPLACEMENTS, replacements=(Replacement("1", "short"),), uuid="-")
    history = read(script)
    history.cut(None, upto=3)
    assert history.replaced() == {}
    history.cut(None)
    assert history.replaced() == {"1": "short"}


def test_a_request_costs_what_is_new_and_not_the_session() -> None:
    def growing(turns: int) -> None:
        script = Script()
        script.user(text())
        history = History()
        history.add(script.records[0])
        for turn in range(turns):
            place = len(script.records)
            script.answer(f"m{turn}", call(f"{turn}"))
            script.user(result(f"{turn}"))
            for record in script.records[place:]:
                history.add(record)
            history.cut(script.records[-1].uuid)

    assert calls_of(partial(growing, 1_000)) < 11 * calls_of(partial(growing, 100))


def test_answers_in_a_row_cost_what_answers_cost() -> None:
    def cost(answers: int) -> int:
        script = Script()
        script.user(text(), uuid="p")
        for n in range(answers):
            script.answer(f"m{n}", text())
        history = History()

        def cut_all() -> None:
            for record in script.records:
                if record.role is Role.ASSISTANT:
                    history.cut(record.parent, upto=record.index)
                history.add(record)

        return calls_of(cut_all)

    assert cost(160) < 5 * cost(40)


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("provisional", [False, True])
def test_more_of_an_answer_joins_it_though_a_request_was_cut_between(linear: bool, provisional: bool) -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.answer("m", call("1"))
    script.user(result("1"))
    history = read(script, linear=linear)
    history.cut(None, provisional=provisional)
    script.answer("m", call("2"))
    tip = script.user(result("2"))
    for record in script.records[3:]:
        history.add(record)
    assert history.cut(tip).messages == 3
    assert shape(history)[1:] == [("assistant", ["1", "2"]), ("user", ["1", "2"])]


def test_a_call_on_a_step_that_is_no_message_can_be_taken_back() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.answer("m", call("1"), uuid="a")
    script.user(result("1"), uuid="r")
    script(Role.BRIDGE, call("2"), uuid="b")
    script.user(text(), uuid="q")
    history = History()
    first, *others = script.records
    history.add(first)
    history.cut("p")
    for record in others:
        history.add(record)
    there = history.cut("q").tally
    history.cut("p")
    assert history.cut("q").tally == there
