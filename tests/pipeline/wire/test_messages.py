"""Exact messages: reminders, replacements and cleared results (rules 12, 16, 23, 27, 29-31)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from inspector.model.transcript import Boundary, Flag, Record, Replacement, Role
from inspector.pipeline.wire.clearing import CLEARED_TEXT, GapSettings
from inspector.pipeline.wire.facts import ClientFacts
from inspector.pipeline.wire.history import History
from inspector.pipeline.wire.messages import api_messages, build_messages, glue
from tests.pipeline.wire.records import Script, call, result, text

NEW = ClientFacts(screen=True, new=True)
OLD = ClientFacts(screen=True, new=False)
NOTE = "<system-reminder>note</system-reminder>"


class Shelf:
    """Texts by uuid; whatever is not stated is made of the record's blocks."""

    def __init__(self, **stated: Any) -> None:
        self.stated = stated

    def content(self, record: Record) -> str | list[Any]:
        stated = self.stated.get(record.uuid)
        if stated is not None and not any(b.id for b in record.blocks):
            return [{"type": "text", "text": stated}]
        out: list[Any] = []
        for block in record.blocks:
            if record.role is Role.USER and block.id:
                out.append({"type": "tool_result", "tool_use_id": block.id, "content": stated or "ok"})
            elif block.id:
                out.append({"type": "tool_use", "id": block.id, "name": block.name, "input": {}})
            else:
                out.append({"type": "text", "text": record.uuid})
        return out

    def reminders(self, record: Record) -> tuple[Sequence[str], bool]:
        return [NOTE], record.uuid.startswith("beside")


def body(script: Script, facts: ClientFacts, shelf: Shelf | None = None, **options: Any) -> list[Any]:
    history = History()
    for record in script.records:
        history.add(record)
    history.cut(None)
    return api_messages(build_messages(history, facts, shelf or Shelf(), **options))


def turn(*ids: str, tool: str = "Bash", **fields: Any) -> Script:
    script = Script()
    script.user(text(), uuid="p")
    for tool_use_id in ids:
        script.answer("m", call(tool_use_id, tool), **fields)
    for tool_use_id in ids:
        script.user(result(tool_use_id), uuid=f"r{tool_use_id}")
    return script


def test_reminders_go_onto_the_last_result_which_is_trimmed() -> None:
    script = turn("1", "2")
    script.bridge(flags=Flag.REMINDER)
    script.bridge(flags=Flag.REMINDER)
    results = body(script, NEW, Shelf(r1=" a ", r2=" b\n"))[2]["content"]
    assert [r["content"] for r in results] == [" a ", f"b\n\n{NOTE}\n\n{NOTE}"]


def test_without_reminders_results_stand_as_the_tools_gave_them() -> None:
    script = turn("1")
    script.bridge(flags=Flag.REMINDER)
    history = History()
    for record in script.records:
        history.add(record)
    history.cut(None)
    messages = build_messages(history, NEW, Shelf(r1=" a "))
    assert api_messages(messages, reminders=False)[2]["content"][0]["content"] == " a "
    assert messages[2].blocks[0].glued == (NOTE,)


def test_a_reminder_beside_the_result_is_a_text_of_its_own() -> None:
    script = turn("1")
    script.bridge(uuid="beside", flags=Flag.REMINDER)
    assert body(script, NEW)[2]["content"][1] == {"type": "text", "text": NOTE}


def test_reminders_of_a_prompt_stand_in_front_of_it() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.bridge(flags=Flag.REMINDER)
    assert [b["text"] for b in body(script, NEW)[0]["content"]] == [f"{NOTE}\n", "p"]


def test_each_of_two_answers_in_one_message_keeps_its_own_reminder() -> None:
    script = turn("1")
    script.bridge(flags=Flag.REMINDER)
    script.answer("m", call("2"))
    script.user(result("2"))
    script.bridge(flags=Flag.REMINDER)
    results = body(script, NEW)[2]["content"]
    assert [r["content"] for r in results] == [f"ok\n\n{NOTE}", f"ok\n\n{NOTE}"]


def test_a_reminder_behind_the_rest_of_an_answer_goes_onto_the_result_that_came_in_between() -> None:
    script = turn("1")
    script.answer("m", text(), uuid="rest")
    script.bridge(flags=Flag.REMINDER)
    script.answer("n", text())
    first, second, third, _ = body(script, NEW)
    assert [first["role"], second["role"], third["role"]] == ["user", "assistant", "user"]
    assert third["content"][0]["content"] == f"ok\n\n{NOTE}"


def test_a_reminder_alone_is_a_message_between_two_answers() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.answer("m", text())
    script.bridge(flags=Flag.REMINDER)
    script.answer("n", text())
    assert [m["role"] for m in body(script, NEW)] == ["user", "assistant", "user", "assistant"]


def test_reminders_in_front_of_the_first_answer_do_not_pass_it() -> None:
    script = Script()
    script.user(text(), flags=Flag.TRANSCRIPT_ONLY)
    script.bridge(flags=Flag.REMINDER)
    script.answer("m", call("1"))
    script.user(result("1"), uuid="r")
    messages = body(script, NEW)
    assert [m["role"] for m in messages] == ["user", "assistant", "user"]
    assert messages[2]["content"][0]["content"] == "ok"


def test_an_emptied_message_says_so_even_beside_a_reminder() -> None:
    script = Script()
    script.user(text(), uuid="p")
    script.answer("m", text())
    script.user(result("gone"))
    script.bridge(flags=Flag.REMINDER)
    assert [b["text"] for b in body(script, NEW)[2]["content"]] == ["(no content)", NOTE]


def test_the_newest_models_get_reminders_in_a_system_message_and_bare_results() -> None:
    script = turn("1")
    script.bridge(flags=Flag.REMINDER)
    facts = ClientFacts(screen=True, new=True, system_reminders=True)
    messages = body(script, facts, Shelf(r1="a\n"))
    assert [m["role"] for m in messages] == ["user", "assistant", "user", "system"]
    assert messages[2]["content"][0]["content"] == "a\n"


def test_attachments_of_the_old_client_are_not_sent() -> None:
    script = turn("1")
    script.bridge(flags=Flag.REMINDER)
    assert body(script, OLD)[2]["content"][0]["content"] == "ok"


@pytest.mark.parametrize(
    ("content", "glued"),
    [
        ("", "note"),
        (None, "note"),
        (
            [{"type": "text", "text": "a"}],
            [{"type": "text", "text": "a\n"}, {"type": "text", "text": "note"}],
        ),
        ([{"type": "image"}], [{"type": "image"}, {"type": "text", "text": "note"}]),
        ("  lead and trail \n", "lead and trail\n\nnote"),
        ("\ufeff\u3000a\xa0\u2029", "a\n\nnote"),
        ("\x85\x1ca\u200b", "\x85\x1ca\u200b\n\nnote"),
        (
            [5, {"type": "text", "text": "a"}, {"type": "text", "text": " b "}, {"type": "image"}],
            [
                5,
                {"type": "text", "text": "a"},
                {"type": "text", "text": " b \n"},
                {"type": "image"},
                {"type": "text", "text": "note"},
            ],
        ),
    ],
)
def test_how_a_reminder_is_glued(content: Any, glued: Any) -> None:
    block = {"type": "tool_result"} if content is None else {"type": "tool_result", "content": content}
    assert glue(block, ["note"])["content"] == glued
    assert block.get("content") == content


def test_a_notification_is_wrapped_by_the_new_client_only() -> None:
    script = Script()
    script.user(text(), uuid="n", flags=Flag.NOTIFICATION)
    assert body(script, NEW)[0]["content"][0]["text"].startswith("<system-reminder>")
    assert body(script, OLD)[0]["content"][0]["text"] == "n"


def test_a_notification_without_reminders_is_the_text_of_its_record() -> None:
    script = Script()
    script.user(text(), uuid="n", flags=Flag.NOTIFICATION)
    script.user(text(), uuid="go on")
    history = History()
    for record in script.records:
        history.add(record)
    history.cut(None)
    (message,) = api_messages(build_messages(history, NEW, Shelf()), reminders=False)
    assert [block["text"] for block in message["content"]] == ["n\n", "go on"]


def test_a_replacement_line_counts_on_the_screen_and_not_in_print() -> None:
    script = turn("1")
    script(Role.REPLACEMENTS, replacements=(Replacement("1", "short"),), uuid="-")
    assert body(script, NEW)[2]["content"][0]["content"] == "short"
    assert body(script, ClientFacts(screen=False, new=True))[2]["content"][0]["content"] == "ok"


def test_a_replacement_line_does_not_touch_a_result_that_the_edge_makes_up() -> None:
    script = turn("1")
    script.answer("n", text())
    script.records[2] = msgspec.structs.replace(script.records[2], blocks=(text(),))
    script.user(result("1"))
    script(Role.REPLACEMENTS, replacements=(Replacement("1", "short"),), uuid="-")
    assert "missing" in body(script, NEW)[2]["content"][0]["content"]


def test_results_that_a_boundary_names_are_cleared_from_there_on() -> None:
    script = turn("1", "2")
    script(Role.CLEARING, boundary=Boundary(cleared_ids=("1",)))
    script.answer("n", text())
    results = body(script, OLD)[2]["content"]
    assert [r["content"] for r in results] == [CLEARED_TEXT, "ok"]


def test_a_clearing_that_nothing_follows_yet_counts_for_the_request_that_waits() -> None:
    script = turn("1", "2")
    script(Role.CLEARING, boundary=Boundary(cleared_ids=("1",)))
    assert [r["content"] for r in body(script, OLD)[2]["content"]] == [CLEARED_TEXT, "ok"]


def idle(minutes: int, tool: str = "Bash") -> Script:
    script = turn("1", "2", tool=tool)
    script.answer("n", text(), time=0.0)
    script.user(text(), time=minutes * 60.0)
    return script


@pytest.mark.parametrize(
    ("script", "facts", "cleared"),
    [
        (idle(60), OLD, True),
        (idle(59), OLD, False),
        (idle(60), NEW, False),
        (idle(60), ClientFacts(screen=False, new=False), False),
        *((idle(60, tool), OLD, True) for tool in ("Read", "Grep", "Glob", "Write", "Edit")),
        *((idle(60, tool), OLD, False) for tool in ("mcp__a__b", "TodoWrite", "Agent", "Task", "bash", "")),
    ],
)
def test_a_gap_in_time_clears_all_but_the_newest_results(
    script: Script, facts: ClientFacts, cleared: bool
) -> None:
    results = body(script, facts, gap=GapSettings(minutes=60, keep=1))[2]["content"]
    assert [r["content"] for r in results] == [CLEARED_TEXT if cleared else "ok", "ok"]
    assert body(script, facts)[2]["content"][0]["content"] == "ok"


def test_a_tool_that_runs_for_hours_clears_nothing() -> None:
    script = turn("1", "2")
    script.answer("n", call("3"), time=0.0)
    script.user(result("3"), time=9_000.0)
    assert body(script, OLD, gap=GapSettings(keep=0))[2]["content"][0]["content"] == "ok"


@pytest.mark.parametrize(("prompt", "meta", "cleared"), [(0.0, 9_000.0, False), (9_000.0, 9_001.0, True)])
def test_the_gap_ends_at_a_prompt_and_not_at_what_the_client_adds(
    prompt: float, meta: float, cleared: bool
) -> None:
    script = turn("1", "2")
    script.answer("n", text(), time=0.0)
    script.user(text(), time=prompt)
    script.user(text(), time=meta, flags=Flag.META)
    first = body(script, OLD, gap=GapSettings(keep=0))[2]["content"][0]
    assert first["content"] == (CLEARED_TEXT if cleared else "ok")


def test_only_the_request_of_the_prompt_is_cleared() -> None:
    script = idle(60)
    script.answer("o", call("3"), time=3601.0)
    script.user(result("3"), time=3602.0)
    results = body(script, OLD, gap=GapSettings(keep=0))[2]["content"]
    assert [r["content"] for r in results] == ["ok", "ok"]
