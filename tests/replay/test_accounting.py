"""Tokens and characters of every request: exact where usage is exact, and the rest never guessed away."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.model.policy import CLAUDE_CODE, DOCUMENTED
from inspector.replay.accounting import ERRORS_SENT, JUMP_TOKENS, Accounts, parts_of, results_by_tool
from inspector.report.text import text_report
from inspector.samples import stories
from inspector.session import open_session
from tests import builders
from tests.transcript import CHARS_PER_TOKEN, SYSTEM_TOKENS, begun, call, result


def test_remainder_is_what_the_records_do_not_show_and_stays(tmp_path: Path) -> None:
    script = begun()
    for n in range(6):
        script.turn(f"toolu_{n}", chars=6_000)
    script.answer(text="Done.")
    rows = [a for a in Accounts(script.open(tmp_path).timeline).rows() if a.remainder is not None]
    assert len(rows) == 7
    for row in rows:
        assert row.remainder == pytest.approx(SYSTEM_TOKENS, abs=10)
        assert row.tokens == row.remainder + row.shown_tokens
        assert not row.cause


def test_parts_sum_up_to_what_is_on_the_wire(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"), text="I look.")
    script.results(result("toolu_a", "x" * 500))
    script.answer(text="Done.")
    timeline = script.open(tmp_path).timeline
    parts = parts_of(timeline, timeline.requests[1])
    assert (parts.results, parts.assistant, parts.user) == (
        500,
        len("I look."),
        len("Please look at the shop."),
    )
    for request in timeline.requests:
        made = parts_of(timeline, request)
        assert made.chars - made.thinking == request.wire_chars


def test_rate_is_measured_where_a_text_enters(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=20_000)
    script.turn("toolu_b", chars=20_000)
    script.answer(text="Done.")
    rows = Accounts(script.open(tmp_path).timeline).rows()
    assert rows[1].rate == pytest.approx(1 / CHARS_PER_TOKEN, rel=0.05)
    assert rows[1].growth_tokens == pytest.approx(20_000 / CHARS_PER_TOKEN, abs=50)


def test_tokens_that_no_record_shows_are_a_jump_and_say_so(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=6_000)
    script.turn("toolu_b", chars=6_000)
    script.extra_tokens = 30_000
    script.turn("toolu_c", chars=600)
    script.answer(text="Done.")
    rows = Accounts(script.open(tmp_path).timeline).rows()
    (jumped,) = [a for a in rows if a.cause]
    assert jumped.n == 3
    assert jumped.jump == pytest.approx(30_000, abs=6_100)
    assert jumped.jump >= JUMP_TOKENS
    assert not jumped.certain


def test_fall_below_the_remainder_is_text_that_was_cleared_without_a_record(tmp_path: Path) -> None:
    script = begun()
    for n in range(4):
        script.turn(f"toolu_{n}", chars=40_000)
    script.sent -= 120_000  # the client left results out of what it sent, and wrote nothing of it
    script.answer(text="Done.")
    rows = Accounts(script.open(tmp_path).timeline).rows()
    (cut,) = [a for a in rows if a.cut_tokens]
    assert cut.cut_tokens == pytest.approx(30_000, rel=0.1)
    assert cut.remainder == pytest.approx(SYSTEM_TOKENS, abs=200)
    assert "no record says so" in cut.cause


def test_remainder_is_never_negative_even_where_usage_is_nonsense(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=50_000)
    script.sent = 0
    script.extra_tokens = -SYSTEM_TOKENS + 5
    script.turn("toolu_b", chars=50_000)
    script.answer(text="Done.")
    for row in Accounts(script.open(tmp_path).timeline).rows():
        assert row.remainder is None or row.remainder >= 0
        assert row.shown_tokens >= 0


def test_accounts_extend_to_the_same_figures_as_from_an_empty_start(tmp_path: Path) -> None:
    script = begun()
    for n in range(60):
        script.turn(f"toolu_{n}", chars=3_000 + 40 * n)
    lines, path = list(script.lines), script.write(tmp_path)
    path.write_bytes(b"".join(line + b"\n" for line in lines[:5]))
    session = open_session(path, live=True)
    accounts = Accounts(session.timeline)
    for at in range(5, len(lines), 7):
        with path.open("ab") as file:
            file.write(b"".join(line + b"\n" for line in lines[at : at + 7]))
        session.poll()
        accounts.rows()
    assert list(accounts.rows()) == list(Accounts(session.timeline).rows())
    assert len(accounts.rows()) == 61


def test_results_of_a_request_are_told_by_tool_and_state(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=700, tool="Grep")
    script.turn("toolu_b", chars=300, tool="Read")
    script.answer(text="Done.")
    timeline = script.open(tmp_path).timeline
    assert results_by_tool(timeline, 3) == {("Grep", "frozen"): 700, ("Read", "skipped"): 300}
    assert results_by_tool(timeline, 2) == {("Grep", "frozen"): 700}


def test_generated_samples_give_back_the_system_prompt_that_they_were_made_with() -> None:
    for story in stories():
        session = open_session(next(iter(sorted(story.folder.rglob("*.json*")))))
        rest = [a.remainder for a in Accounts(session.timeline).rows() if a.remainder is not None]
        if rest and story.home:
            assert 15_000 < min(rest) < 21_000, story.name


@pytest.mark.parametrize("policy", ["documented", "claude-code", "chatcli"])
def test_parts_of_every_sample_sum_up_under_every_policy(policy: str) -> None:
    for story in stories():
        for path in sorted(story.folder.rglob("*.json*")):
            if path.suffix not in {".json", ".jsonl"} or path.name.endswith(".meta.json"):
                continue
            for timeline in open_session(path, policy=policy).timelines.values():
                for account, request in zip(Accounts(timeline).rows(), timeline.requests, strict=True):
                    parts = account.parts
                    assert parts.chars - parts.thinking == request.wire_chars, (path.name, request.n)
                    assert min(parts.user, parts.assistant, parts.calls, parts.results) >= 0


def test_message_list_without_parents_has_its_history_on_the_wire(tmp_path: Path) -> None:
    path = tmp_path / "messages.json"
    path.write_text(
        '[{"role":"user","content":"How many?"},{"role":"assistant","content":"Four."},'
        '{"role":"user","content":"And now?"},{"role":"assistant","content":"Five."}]'
    )
    requests = open_session(path).timeline.requests
    assert [r.wire_chars for r in requests] == [9, 22, 27]


def test_errors_in_place_of_missing_results_are_among_the_results_by_tool() -> None:
    session = open_session(Path(__file__).parents[2] / "sample_sessions" / "chatcli-session" / "refunds.json")
    by_tool = results_by_tool(session.timeline, 6)
    assert by_tool[ERRORS_SENT] == 163
    assert sum(by_tool.values()) == parts_of(session.timeline, session.timeline.requests[5]).results


def test_usage_too_small_for_what_came_new_is_put_aside_and_said_once(tmp_path: Path) -> None:
    """As of a gateway that states a constant: shares and limits are reckoned from the texts instead."""
    script = begun()
    script.extra_tokens = 12 - SYSTEM_TOKENS
    for n in range(3):
        script.sent = 0
        script.turn(f"toolu_{n}", chars=90_000)
    script.sent = 0
    script.answer(text="Done.")
    session = script.open(tmp_path)
    rows = Accounts(session.timeline).rows()
    assert [row.tokens is None for row in rows] == [False, True, True, True, True]
    assert rows[3].shown_tokens == pytest.approx(270_000 / 3, rel=0.02)
    assert [row.n for row in rows if row.cause] == [2]
    assert "not counted" in rows[1].cause
    shown = text_report(session)
    assert "unseen part" not in shown
    assert "cleared on the wire" not in shown
    (jump,) = [f for f in session.findings() if f.kind == "context_jump" and f.request == 2]
    assert "tokens" not in jump.fact


def test_a_picture_of_a_cleared_result_is_no_part_of_a_request() -> None:
    script = builders.Transcript()
    script.prompt()
    script.answer("m1", builders.call("a"), builders.call("b"))
    seen = [builders.image(), builders.text("seen")]
    script.results(builders.result("a", [builders.image()]), builders.result("b", seen))
    script.answer("m2", builders.text())
    script.cleared("a")
    script.answer("m3", builders.text())
    script.compacted()
    timeline = script.timeline(CLAUDE_CODE)
    assert [parts_of(timeline, request).images for request in timeline.requests] == [0, 2, 1, 0]


def test_a_picture_of_a_result_that_pairing_takes_out_is_no_part_of_a_request() -> None:
    script = builders.Transcript()
    script.prompt()
    script.answer("m1", builders.call("a"))
    pictures = [builders.image()]
    script.results(builders.result("a", pictures), builders.result("orphan", pictures))
    timeline = script.timeline(DOCUMENTED)
    assert [parts_of(timeline, request).images for request in timeline.requests] == [0, 1]
