"""One request block by block: what stayed, what changed, what came behind a change."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.replay.conversation import Conversation
from inspector.session import Session, open_session
from inspector.session.wire_builder import WireBuilder
from inspector.session.wire_view import Mark, Side
from inspector.session.wire_views import WireViews
from tests.builders import openai_call, openai_result, write_json
from tests.session.test_replacement_findings import FULL, PREVIEW, session_with
from tests.transcript import begun

SAMPLES = Path(__file__).parents[2] / "sample_sessions"


def test_a_request_that_only_grew_has_no_break(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", argument="make test")
    script.answer(text="done")
    view = WireViews(script.open(tmp_path)).view(2)
    assert view.break_at is None
    assert [row.mark for row in view.rows] == [Mark.SAME, Mark.NEW, Mark.NEW]
    assert [row.words for row in view.rows[1:]] == ["Bash make test", "Bash make test"]
    assert view.chars == sum(row.chars for row in view.rows)


def test_blocks_behind_a_change_are_unchanged_and_yet_no_cache_hits(tmp_path: Path) -> None:
    session = session_with(line=True, later=FULL, entrypoint="sdk-cli").open(tmp_path)
    view = WireViews(session).view(3)
    assert [row.mark for row in view.rows] == [Mark.SAME, Mark.SAME, Mark.CHANGED, Mark.NEW, Mark.NEW]
    assert view.break_at == 2
    assert (view.rows[2].before, view.rows[2].chars) == (len(PREVIEW), len(FULL))
    assert "another mode" in view.break_words


def test_the_text_of_the_request_before_is_that_of_the_same_block(tmp_path: Path) -> None:
    session = session_with(line=True, later=FULL, entrypoint="sdk-cli").open(tmp_path)
    views = WireViews(session)
    assert views.text(3, 2, 0, Side.BEFORE) == PREVIEW
    assert views.text(3, 2, 0, Side.PREDICTED) == FULL
    assert views.text(3, 0, 0, Side.BEFORE) == views.text(2, 0, 0, Side.PREDICTED)
    new = views.view(3).rows[-1]
    assert views.text(3, new.message, new.block, Side.BEFORE) is None
    assert views.text(3, 99, 0, Side.BEFORE) is None


def test_recorded_sizes_stand_beside_predicted_ones(tmp_path: Path) -> None:
    session = session_with(line=False, later=FULL).open(tmp_path)
    views = WireViews(session)
    row = views.view(2).rows[2]
    assert (row.chars, row.other, row.differs) == (len(FULL), len(PREVIEW), True)
    assert views.text(2, 2, 0, Side.RECORDED) == PREVIEW
    assert views.text(2, 2, 0, Side.PREDICTED) == FULL
    assert views.text(2, 2, 0, Side.BEFORE) is None


def test_the_pending_request_of_a_finished_session_is_that_of_a_resume(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a")
    view = WireViews(script.open(tmp_path)).view(2)
    assert view.resumed
    assert not view.is_recorded
    assert view.rows[-1].words == "No response requested."


def test_every_block_leads_to_the_record_that_it_was_made_from(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", argument="make test")
    script.answer(text="done")
    session = script.open(tmp_path)
    views = WireViews(session)
    lines = [
        None if (record := views.record_of(3, row.message, row.block)) is None else record.line
        for row in views.view(3).rows
    ]
    raw = session.path.read_bytes().splitlines()
    kinds = [None if line is None else raw[line - 1] for line in lines]
    assert kinds[0] is not None
    assert b'"tool_use"' in (kinds[1] or b"")
    assert b'"tool_result"' in (kinds[2] or b"")
    assert b"done" in (kinds[3] or b"")
    assert views.record_of(3, 99, 0) is None


@pytest.mark.parametrize(
    ("story", "policy"),
    [
        ("chatcli-session/refunds.json", None),
        *((f"{name}/*.jsonl", policy) for name in ("interrupted-call", "parallel-blowup", "ageing")
          for policy in (None, "documented", "chatcli")),
    ],
)  # fmt: skip
def test_the_blocks_of_a_request_add_up_to_its_size_on_the_ledger(story: str, policy: str | None) -> None:
    (path,) = SAMPLES.glob(story)
    with open_session(path, policy=policy) as session:
        views = WireViews(session)
        answered = [r for r in session.timeline.requests if not r.pending]
        assert answered
        assert [views.view(r.n).chars for r in answered] == [r.wire_chars for r in answered]


def test_calls_and_results_of_chatcli_are_blocks_with_ids_and_its_system_prompt_is_apart() -> None:
    with open_session(SAMPLES / "chatcli-session" / "refunds.json") as session:
        view = WireViews(session).view(6)
        assert view.system_chars == len("You are a coding agent. Work in small steps.")
        assert view.thinking_chars == 0
        kinds = [(row.kind, row.tool_use_id) for row in view.rows if row.tool_use_id]
        assert kinds == [
            *((kind, f"call_r{n}") for n in (1, 2, 3) for kind in ("call", "result")),
            ("call", "call_r4"), ("call", "call_r5"), ("result", "call_r4"), ("result", "call_r5"),
        ]  # fmt: skip


def test_only_a_system_message_in_front_of_the_talk_is_the_system_prompt(tmp_path: Path) -> None:
    history = [
        {"role": "system", "content": "prompt"},
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "done"},
        {"role": "system", "content": "a notice in between"},
        {"role": "critic", "content": "a role of its own"},
        {"role": "user", "content": "on"},
    ]
    with open_session(write_json(tmp_path, {"version": 2, "chat_history": history})) as session:
        view = WireViews(session).view(2)
        assert view.chars == session.timeline.requests[1].wire_chars == len("go") + 4 + 19 + 17 + len("on")
        assert view.system_chars == len("prompt")


def test_a_claude_code_session_under_the_rules_of_chatcli_keeps_the_inputs_of_its_calls() -> None:
    (path,) = SAMPLES.glob("interrupted-call/*.jsonl")
    with open_session(path, policy="chatcli") as session:
        message = next(m for m in WireBuilder(session, "").body(2) if m.get("tool_calls"))
    assert message["tool_calls"][0]["arguments"] == {"file_path": "/home/mara/shop/docker-compose.yml"}


SAME_EVERYWHERE = ("damaged-lines", "interrupted-call", "chatcli-session")


@pytest.mark.parametrize("policy", ["claude-code", "documented", "chatcli"])
@pytest.mark.parametrize("name", SAME_EVERYWHERE)
def test_the_size_of_a_request_is_that_of_the_ledger(name: str, policy: str) -> None:
    path = next(p for p in (SAMPLES / name).iterdir() if p.suffix in (".json", ".jsonl"))
    assert_same_sizes(open_session(path, policy=policy))


@pytest.mark.parametrize("policy", ["claude-code", "documented", "chatcli"])
def test_an_input_that_is_sent_as_a_text_weighs_what_the_text_does(tmp_path: Path, policy: str) -> None:
    inputs = {"a": '{"cmd":   "ls"}', "b": "no json"}
    functions = [{"id": id, "function": {"name": "sh", "arguments": text}} for id, text in inputs.items()]
    asked = {"role": "assistant", "content": None, "tool_calls": functions}
    messages = [{"role": "user", "content": "go"}, asked, openai_result("a"), openai_result("b")]
    session = open_session(write_json(tmp_path, messages), policy=policy)
    assert_same_sizes(session)
    calls = [row.chars for row in WireViews(session).view(2).rows if row.kind == "call"]
    as_object = [len('{"cmd":"ls"}'), len('{"input":"no json"}')]
    assert calls == (as_object if policy == "chatcli" else [len(text) for text in inputs.values()])


def test_what_a_resume_adds_stands_apart_from_the_size_of_the_records(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a")
    session = script.open(tmp_path)
    view = WireViews(session).view(2)
    assert view.resumed
    assert view.chars == session.timeline.requests[1].wire_chars
    assert view.resume_chars == sum(row.chars for row in view.rows) - view.chars > 0


def test_where_the_ledger_only_estimates_another_size_both_are_told(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "go"},
        openai_call(("a", "{}")), openai_result("a"), openai_call(("a", "{}")), openai_result("a"),
    ]  # fmt: skip
    session = open_session(write_json(tmp_path, messages), policy="documented")
    first, last = WireViews(session).view(2), WireViews(session).view(3)
    assert (first.estimated, first.ledger_chars) == (False, None)
    assert (last.estimated, last.ledger_chars) == (True, session.timeline.requests[2].wire_chars)
    assert last.chars - session.timeline.requests[2].wire_chars == len("[Tool use interrupted](no content)")


def assert_same_sizes(session: Session) -> None:
    """Header, rows and turns say what the blocks of every request hold."""
    views, rows = WireViews(session), Conversation(session.timeline)
    for request in session.timeline.requests:
        view = views.view(request.n)
        assert view.chars == request.wire_chars
        sent = sum(row.chars for row in view.rows if row.kind == "result")
        known = range(1, rows.turn_count(request.n) + 1)
        assert sum(rows.turn(t, request.n).wire_chars for t in known) == sent
        shown = [rows.result(i, request.n) for t in known for i in rows.turn_results(t, request.n)]
        assert sum(row.wire_chars or 0 for row in shown) == sent
