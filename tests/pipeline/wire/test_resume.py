"""What a load puts between the old end and the new prompt (rules 17-20)."""

from __future__ import annotations

import msgspec

from inspector.model.transcript import Flag
from inspector.pipeline.wire.history import History
from inspector.pipeline.wire.resume import CALL_INTERRUPTED_TEXT, CONTINUE_TEXT, NO_RESPONSE_TEXT, resume
from tests.pipeline.wire.records import Script, call, result, text


def added(script: Script, *, new: bool) -> list[str]:
    out = []
    for content in resume(script.records, "next", new=new).contents.values():
        if isinstance(content, str):
            out.append(content)
        else:
            out.append(content[0].get("text") or f"{content[0]['tool_use_id']} {content[0]['content']}")
    assert out[-1] == "next"
    return out[:-1]


def cut_off(*, answered: bool) -> Script:
    script = Script()
    script.user(text())
    script.answer("m", text())
    script.answer("m", call("1"))
    script.answer("m", call("2"))
    if answered:
        script.user(result("1"))
    return script


def test_the_new_client_answers_the_calls_that_were_running() -> None:
    first, second = f"1 {CALL_INTERRUPTED_TEXT}", f"2 {CALL_INTERRUPTED_TEXT}"
    assert added(cut_off(answered=False), new=True) == [first, second, NO_RESPONSE_TEXT]
    assert added(cut_off(answered=True), new=True) == [second, NO_RESPONSE_TEXT]


def test_the_made_results_pair_on_the_next_wire() -> None:
    script = cut_off(answered=True)
    history = History()
    for record in (*script.records, *resume(script.records, "next", new=True).records):
        history.add(record)
    cut = history.cut(None)
    assert (cut.messages, cut.repairs) == (5, ())


def test_the_old_client_asks_to_continue_only_behind_a_result() -> None:
    assert added(cut_off(answered=True), new=False) == [CONTINUE_TEXT, NO_RESPONSE_TEXT]
    assert added(cut_off(answered=False), new=False) == []


def test_the_old_client_looks_for_the_end_behind_no_answer_of_lost_calls_alone() -> None:
    script = Script()
    script.user(text())
    script.answer("m", call("1"))
    assert added(script, new=False) == [NO_RESPONSE_TEXT]
    script.user(result("1"))
    script.answer("n", call("2"))
    assert added(script, new=False) == [CONTINUE_TEXT, NO_RESPONSE_TEXT]


def test_behind_a_prompt_both_clients_say_that_nothing_was_asked() -> None:
    script = Script()
    script.user(text())
    assert added(script, new=True) == added(script, new=False) == [NO_RESPONSE_TEXT]


def test_an_error_at_the_end_is_passed_over() -> None:
    script = Script()
    script.user(text())
    script.answer("e", text(), flags=Flag.API_ERROR | Flag.SYNTHETIC)
    assert added(script, new=False) == [NO_RESPONSE_TEXT]


def with_exit() -> Script:
    script = Script()
    script.user(text())
    script.answer("m", text())
    script.user(text(), flags=Flag.META | Flag.LOCAL_CAVEAT, uuid="caveat")
    script.user(text(), flags=Flag.LOCAL_COMMAND | Flag.EXIT)
    script.user(text(), flags=Flag.LOCAL_OUTPUT)
    return script


def test_behind_the_output_of_a_local_command_the_new_client_adds_nothing() -> None:
    assert added(with_exit(), new=True) == []


def test_the_old_client_forgets_an_exit_but_keeps_its_caveat() -> None:
    resumed = resume(with_exit().records, "next", new=False)
    assert resumed.records[0].parent == "caveat"
    assert added(with_exit(), new=False) == [NO_RESPONSE_TEXT]


def test_the_prompt_hangs_on_the_last_record_that_counts_not_on_a_copy_of_an_older_one() -> None:
    script = with_exit()
    last = script.answer("n", text())
    script.records.append(msgspec.structs.replace(script.records[0], index=9, flags=Flag.DUPLICATE))
    for new in (True, False):
        assert resume(script.records, "next", new=new).records[0].parent == last


def test_the_prompt_hangs_on_the_summary_not_on_what_a_compaction_preserved_behind_it() -> None:
    script = Script()
    script.user(text())
    kept = script.answer("m", text())
    script.boundary(anchor="summary", preserved_uuids=(kept,))
    script.user(text(), uuid="summary", flags=Flag.SUMMARY | Flag.TRANSCRIPT_ONLY)
    for new in (True, False):
        assert resume(script.records, "next", new=new).records[0].parent == "summary"


def test_an_empty_file_gets_the_prompt_alone() -> None:
    assert added(Script(), new=True) == added(Script(), new=False) == []
