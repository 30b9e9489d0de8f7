"""Which records a request holds (rules 3, 5-10)."""

from __future__ import annotations

from inspector.model.transcript import Flag, Record
from inspector.pipeline.wire.chain import Chain
from tests.pipeline.wire.records import Script, call, result, text


def uuids(records: list[Record], tip: str | None = None, upto: int | None = None) -> list[str]:
    chain = Chain()
    for record in records:
        chain.add(record)
    chain.move(tip, upto)
    return [chain.records[n].uuid for n in chain.entries]


def parallel() -> Script:
    script = Script()
    script.user(text(), uuid="p")
    script.answer("m", call("1"), uuid="a1")
    script.answer("m", call("2"), uuid="a2")
    script.user(result("2"), uuid="r2", parent="a2")
    script.user(result("1"), uuid="r1", parent="a1")
    return script


def test_results_that_the_chain_misses_stand_in_order_of_completion() -> None:
    assert uuids(parallel().records) == ["p", "a1", "a2", "r2", "r1"]
    assert uuids(parallel().records, "r2") == ["p", "a1", "a2", "r2", "r1"]


def test_a_result_that_hangs_on_a_result_is_no_sibling() -> None:
    script = parallel()
    script.user(result("1"), uuid="copy", parent="r2")
    script.answer("n", text(), uuid="b", parent="r1")
    assert "copy" not in uuids(script.records)


def test_what_hangs_behind_the_last_message_hangs_there_without_the_record_between_too() -> None:
    script = parallel()
    script.bridge(uuid="first", parent="gone", flags=Flag.REMINDER)
    script.bridge(uuid="second", flags=Flag.REMINDER)
    expected = ["p", "a1", "a2", "r2", "r1", "first", "second"]
    assert uuids(script.records) == expected
    script.bridge(uuid="late progress", parent="p")
    script.bridge(uuid="behind it", parent="gone too", flags=Flag.REMINDER)
    assert uuids(script.records) == expected
    chain = Chain()
    for record in script.records:
        chain.add(record)
        chain.move(None, record.index + 1)
    script.bridge(uuid="gone", parent="r1")  # the record between turns up after all, and tells nothing new
    chain.add(script.records[-1])
    chain.move(None, None)
    assert [chain.records[n].uuid for n in chain.entries] == uuids(script.records)


def test_results_on_a_branch_that_was_left_are_told_for_as_long_as_it_is_left() -> None:
    script = parallel()
    script.user(text(), uuid="q", parent="p")
    script.answer("n", call("3"), uuid="b", parent="q")
    script.user(result("3"), uuid="r3", parent="b")
    script.user(text(), uuid="back", parent="r1")
    chain = Chain()
    found = []
    for upto, record in enumerate(script.records, 1):
        chain.add(record)
        chain.move(None, upto)
        found.append([left.uuid for left in chain.left_behind()])
    assert found == [[], [], [], [], [], ["r2", "r1"], ["r2", "r1"], ["r2", "r1"], ["r3"]]


def test_results_before_the_root_are_on_no_branch() -> None:
    script = parallel()
    script.user(text(), uuid="new", parent="")
    chain = Chain()
    for record in script.records:
        chain.add(record)
    chain.move(None, None)
    assert chain.left_behind() == []


def test_siblings_of_the_first_answer_stay_in_front_of_the_second_with_the_same_id() -> None:
    script = parallel()
    script.bridge(uuid="x", parent="r1")
    script.answer("m", call("3"), uuid="a3")
    script.user(result("3"), uuid="r3")
    assert uuids(script.records) == ["p", "a1", "a2", "r2", "r1", "x", "a3", "r3"]


def test_the_chain_decides_and_not_the_order_of_lines() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.user(result("1"), uuid="r", parent="a")
    script.answer("m", call("1"), uuid="a", parent="p")
    assert uuids(script.records, "r") == ["p", "a", "r"]


def test_a_result_whose_line_stands_in_front_of_its_call_off_the_chain_is_found() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.answer("m", call("1"), uuid="a1")
    script.user(result("2"), uuid="r2", parent="a2")
    script.answer("m", call("2"), uuid="a2", parent="a1")
    script.user(result("1"), uuid="r1", parent="a1")
    assert uuids(script.records, "r1") == ["p", "a1", "a2", "r2", "r1"]


def test_a_missing_parent_is_bridged_by_the_record_in_front() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.bridge(uuid="x")
    script.answer("m", text(), uuid="a", parent="gone")
    assert uuids(script.records) == ["p", "x", "a"]


def test_the_first_of_two_records_with_one_uuid_counts() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.user(text(99), uuid="p", parent="")
    chain = Chain()
    assert [chain.add(r) for r in script.records] == [True, False]


def test_records_rescued_from_a_bad_line_take_no_part() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.user(text(), uuid="s", flags=Flag.SALVAGED)
    assert uuids(script.records) == ["p"]


def test_a_root_in_mid_file_starts_a_new_history() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.user(text(), uuid="q", parent="")
    assert uuids(script.records) == ["q"]


def test_nothing_before_a_compaction_is_sent_but_what_it_preserves() -> None:
    script = parallel()
    script.boundary(anchor="s", preserved_uuids=("a2", "r2"))
    script.user(text(), uuid="s", flags=Flag.SUMMARY)
    script.user(text(), uuid="next")
    assert uuids(script.records)[1:] == ["s", "a2", "r2", "next"]


def test_a_preserved_segment_is_walked_with_its_siblings() -> None:
    script = parallel()
    script.boundary(anchor="s", preserved_head="a1", preserved_tail="r2")
    script.user(text(), uuid="s", flags=Flag.SUMMARY)
    assert uuids(script.records)[1:] == ["s", "a1", "a2", "r2", "r1"]


def test_the_pending_tip_is_the_last_message_with_the_reminders_behind_it() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.bridge(uuid="reminder", flags=Flag.REMINDER)
    script.bridge(uuid="late", parent="")
    assert uuids(script.records) == ["p", "reminder"]


def test_a_circle_of_parents_ends() -> None:
    script = Script()
    script.user(text(), uuid="a", parent="b")
    script.user(text(), uuid="b", parent="a")
    assert sorted(uuids(script.records)) == ["a", "b"]


def test_an_answer_without_parent_has_no_history() -> None:
    assert uuids(parallel().records, "") == []


def test_only_records_in_front_of_the_answer_exist() -> None:
    assert uuids(parallel().records, "a2", 3) == ["p", "a1", "a2"]


def test_without_parents_an_empty_tip_is_the_last_record() -> None:
    script = Script()
    script.user(text(), uuid="", parent="")
    script.answer("m", text(), parent="")
    chain = Chain(linear=True)
    for record in script.records:
        chain.add(record)
    chain.move("", 1)
    assert chain.entries == [0]
    chain.move("", None)
    assert chain.entries == [0, 1]


def test_a_result_is_no_sibling_through_a_line_behind_the_request() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.answer("m", call("1"), uuid="a1")
    script.answer("m", call("2"), uuid="a2", parent="early")
    script.user(result("2"), uuid="r2", parent="a2")
    script.user(result("1"), uuid="r1", parent="a1")
    script.user(result("3"), uuid="early", parent="later")
    in_front = list(script.records)
    script.answer("m", call("3"), uuid="later", parent="r1")
    assert uuids(script.records, "r1", 6) == uuids(in_front, "r1", 6)


def test_siblings_in_front_of_their_parents_come_in_with_all_that_hangs_on_them() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.answer("m", call("1"), uuid="a1")
    script.answer("m", call("3"), uuid="a3", parent="a2")
    script.user(result("3"), uuid="r3", parent="a3")
    script.answer("m", call("2"), uuid="a2", parent="a1")
    script.user(result("2"), uuid="r2", parent="a2")
    script.user(result("1"), uuid="r1", parent="a1")
    assert uuids(script.records, "r1") == ["p", "a1", "a2", "a3", "r3", "r2", "r1"]


def test_siblings_whose_parents_form_a_ring_are_all_there() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.answer("m", call("1"), uuid="a1")
    script.answer("m", call("2"), uuid="a2", parent="a3")
    script.answer("m", call("3"), uuid="a3", parent="a2")
    script.user(result("1"), uuid="r1", parent="a1")
    assert sorted(uuids(script.records, "r1")) == ["a1", "a2", "a3", "p", "r1"]


def without_parents() -> list[Record]:
    script = Script()
    script.user(text(), uuid="p", parent="")
    script.answer("m", call("1"), uuid="a", parent="")
    script.user(result("1"), uuid="r", parent="")
    script.boundary()
    script.user(text(), uuid="summary", parent="")
    script.answer("n", text(), uuid="b", parent="")
    return script.records


def test_a_compaction_begins_anew_where_records_have_no_parents_too() -> None:
    records = without_parents()
    at_once, growing = Chain(linear=True), Chain(linear=True)
    for record in records:
        at_once.add(record)
        growing.add(record)
        growing.move(None, record.index + 1)
    at_once.move(None, None)
    for chain in (at_once, growing):
        assert [chain.records[n].index for n in chain.entries if chain.records[n].blocks] == [4, 5]
    at_once.move(None, 3)
    assert [at_once.records[n].uuid for n in at_once.entries] == ["p", "a", "r"]
