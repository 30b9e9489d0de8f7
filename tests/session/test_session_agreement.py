"""One figure is one figure: ledger, wire, accounts, reports and comparisons of random sessions agree."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inspector.model.ledger import Level
from inspector.replay.accounting import parts_of, results_by_tool
from inspector.replay.conversation import Conversation
from inspector.replay.timeline import Timeline
from inspector.replay.view import Event, Repair
from inspector.report import report
from inspector.report.accounts import shares
from inspector.report.compare import compare_policies
from inspector.scan import scan_file
from inspector.session import Session, open_session
from inspector.session.body_blocks import block_chars, blocks_of
from inspector.session.wire import all_requests, one_request
from inspector.session.wire_view import Mark, WireView
from inspector.session.wire_views import WireViews
from tests.builders import (
    Transcript,
    call,
    image,
    openai_result,
    persisted_text,
    result,
    text,
    tokens,
    write_json,
)

SEEDS = range(6)
SIZES = (0, 1, 60, 900, 3_001, 20_001, 110_000)
WORDS = ("line of output\n", "読 ", "🦊", "é́ ", "\ud83d ", "\x1b[31m", "\u2028")
TOOLS = ("Bash", "Read", "Grep", "Write")


def some_text(choose: random.Random, chars: int) -> str:
    unit = "".join(choose.choices(WORDS, k=8))
    return (unit * (chars // len(unit) + 1))[:chars]


def some_content(choose: random.Random) -> Any:
    """Content of a result: mostly a text, sometimes a list, and now and then nothing that a tool gives."""
    words = {"type": "text", "text": some_text(choose, choose.choice(SIZES))}
    odd = [{"type": "hologram", "text": "hm"}, "bare", None, {"type": "text", "text": 7}, words]
    return choose.choices([words["text"], [words], [words, image()], odd, None], [12, 3, 1, 1, 1])[0]


def some_transcript(seed: int, folder: Path) -> Path:
    """A Claude Code transcript with repairs, clearings, compactions, broken lines and odd items."""
    choose = random.Random(seed)
    script = Transcript(version=choose.choice(["2.0.67", "2.1.38", "2.1.150"]))
    script.prompt("go on")
    used: list[str] = []
    for turn in range(choose.randrange(4, 16)):
        calls = [f"t{turn}.{n}" for n in range(choose.choice([1, 1, 2, 5]))]
        if used and choose.random() < 0.1:
            calls[0] = choose.choice(used)
        used += calls
        blocks = [call(i, choose.choice(TOOLS), command=some_text(choose, 9)) for i in calls]
        usage = tokens(17_000 + 900 * turn) if choose.random() < 0.8 else None
        script.answer(f"m{turn}", text(some_text(choose, 40)), *blocks, usage=usage)
        answered = [i for i in calls if choose.random() > 0.05]
        script.results(*(result(i, some_content(choose)) for i in answered))
        {
            0: lambda: script.compacted(),
            1: lambda ids=used[:3]: script.cleared(*ids),
            2: lambda: script.results("bare", {"type": "hologram", "text": "hm"}, text("x")),
            3: lambda: script.line(b'{"type": "user", "mess'),
            4: lambda: script.result("orphan", "nobody asked"),
        }.get(choose.randrange(14), lambda: None)()
    return script.write(folder)


def some_list(seed: int, folder: Path) -> Path:
    """A list of OpenAI messages."""
    choose = random.Random(seed)
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go on"}]
    for turn in range(choose.randrange(4, 14)):
        ids = [f"c{turn}.{n}" for n in range(choose.choice([1, 2, 4]))]
        ids[-1] = choose.choice([ids[-1]] * 9 + ["c0.0"])
        functions = [{"name": "f", "arguments": choose.choice(['{"a": 1.50}', "{}", "no JSON"])} for _ in ids]
        calls = [
            {"id": i, "type": "function", "function": function}
            for i, function in zip(ids, functions, strict=True)
        ]
        messages.append({"role": "assistant", "content": some_text(choose, 30), "tool_calls": calls})
        messages += [openai_result(i, some_content(choose)) for i in ids if choose.random() > 0.07]
    return write_json(folder, messages)


def sizes_agree(timeline: Timeline, view: WireView, n: int) -> None:
    """A request weighs on the wire, in the ledger, by kind and by row what it weighs as a whole."""
    request, parts = timeline.requests[n - 1], parts_of(timeline, timeline.requests[n - 1])
    assert parts.chars - parts.thinking == request.wire_chars
    assert min(parts.user, parts.assistant, parts.calls, parts.results, parts.summaries) >= 0
    assert sum(results_by_tool(timeline, n).values()) == parts.results
    beside = view.reminder_chars + view.resume_chars
    assert view.chars_of(*Mark) == view.chars + beside
    if request.estimated:
        assert request.wire_chars == (view.chars if view.ledger_chars is None else view.ledger_chars)
        return
    assert view.chars == request.wire_chars
    if not beside:
        of_kind = {kind: sum(r.chars for r in view.rows if r.kind == kind) for kind in ("result", "call")}
        assert of_kind == {"result": parts.results, "call": parts.calls}


def rows_agree(timeline: Timeline, view: WireView, n: int) -> None:
    """Headings are sums of their rows, and each row is what stands on the wire."""
    conversation, sent = Conversation(timeline), 0
    seen: list[int] = []
    for t in range(1, conversation.turn_count(n) + 1):
        turn, indices = conversation.turn(t, n), conversation.turn_results(t, n)
        rows = [conversation.result(index, n) for index in indices]
        seen += indices
        assert turn.wire_chars == sum(row.wire_chars or 0 for row in rows)
        assert turn.counted == sum(row.chars or 0 for row in rows if row.counted)
        assert turn.kept + turn.replaced == turn.counted
        assert turn.over_by == max(0, turn.counted - turn.limit)
        assert turn.repairs == sum(row.pairing not in (Repair.OK, Repair.PENDING) for row in rows)
        sent += turn.wire_chars
        for row in rows:
            if len(timeline.rows_of(row.id)) > 1 or row.estimated or view.resumed or view.reminder_chars:
                continue
            blocks = [b for b in view.rows if b.kind == "result" and b.tool_use_id == row.id]
            assert sum(block.chars for block in blocks) == (row.wire_chars or 0), row
            assert bool(blocks) == (row.wire_chars is not None), row
            if row.level is Level.FULL and row.pairing is Repair.OK:
                assert row.wire_chars == row.chars
    assert len(set(seen)) == len(seen)
    assert sent == parts_of(timeline, timeline.requests[n - 1]).results


def bodies_agree(session: Session, thread: str) -> Iterator[tuple[int, WireView]]:
    """`wire --all`, `wire --request N` and the view of the request hold the same blocks."""
    views, body = WireViews(session, thread), []
    for item in all_requests(session, agent=thread):
        n = item["request"]
        body = body[: item["keep"]] + item["tail"]
        assert body == one_request(session, n, agent=thread)["messages"]
        view = views.view(n)
        sizes = [block_chars(block, session.policy.unit) for message in body for block in blocks_of(message)]
        assert sizes == [row.chars for row in view.rows]
        yield n, view


def reports_agree(session: Session) -> None:
    """Totals are those of the requests, and a policy compared with itself is the same."""
    document, requests = report(session), session.timeline.requests
    peak = max(r.wire_chars for r in requests)
    assert document["totals"]["peak_chars"] == session.thread_rows()[0].peak_chars == peak
    for account in session.accounts():
        if account.tokens is not None:
            assert account.remainder is not None
            assert account.remainder + account.shown_tokens == account.tokens
        whole = account.tokens or account.shown_tokens
        assert not account.parts.chars or abs(sum(part for _, _, part in shares(account)) - whole) < 7
    found = compare_policies(session, session.policy, session.policy)
    assert (found.a_totals, found.changed_requests, len(found.results)) == (found.b_totals, 0, 0)
    assert [r.a_chars for r in found.requests] == [r.wire_chars for r in requests]
    broken = Event.BREAK | Event.PLANNED_BREAK
    assert found.a_totals.breaks == sum(bool(r.events & broken) for r in requests)
    for finding in session.findings():
        assert finding.request is None or 1 <= finding.request <= len(requests)


@pytest.mark.parametrize("policy", [None, "documented", "chatcli"])
@pytest.mark.parametrize("make", [some_transcript, some_list])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_place_tells_the_same_figures(seed: int, make: Any, policy: str | None, tmp_path: Path) -> None:
    with open_session(make(seed, tmp_path), policy=policy) as session:
        for n, view in bodies_agree(session, ""):
            sizes_agree(session.timeline, view, n)
            rows_agree(session.timeline, view, n)
        reports_agree(session)


@pytest.mark.parametrize("policy", [None, "documented", "chatcli"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_session_that_is_followed_tells_what_the_whole_one_tells(
    seed: int, policy: str | None, tmp_path: Path
) -> None:
    path = some_transcript(seed, tmp_path)
    with (
        open_session(path, policy=policy, live=True) as whole,
        open_session(path, policy=policy, live=True, read=False) as pieces,
    ):
        while pieces.poll(1_999).more:
            pieces.findings()
        assert report(pieces) == report(whole)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_scan_tells_what_the_report_tells(seed: int, tmp_path: Path) -> None:
    path = some_transcript(seed, tmp_path)
    row = scan_file(str(path))
    with open_session(path) as session:
        document = report(session)
    totals = document["totals"]
    assert (row.requests, row.results) == (totals["requests"], totals["results"])
    assert (row.peak_chars, row.peak_tokens) == (totals["peak_chars"], totals["peak_tokens"])
    assert sum(row.findings.values()) == len(document["findings"])


def reused(folder: Path, *, cleared: bool) -> Session:
    """A session whose second call has the id of the first, and a line that names that id."""
    script = Transcript(version="2.1.38")
    script.prompt()
    script.answer("m1", call("a", "Bash", command="ls"))
    script.result("a", "first " * 900)
    script.answer("m2", call("a", "Bash", command="ls -l"))
    script.result("a", "again")
    if cleared:
        script.cleared("a")
    else:
        script.replaced(("a", persisted_text("/s/tool-results/a.txt")))
    script.answer("m3", text())
    return script.open(folder)


@pytest.mark.parametrize("cleared", [False, True])
def test_a_line_that_names_an_id_used_again_is_about_the_result_that_is_sent(
    cleared: bool, tmp_path: Path
) -> None:
    with reused(tmp_path, cleared=cleared) as session:
        for n, view in bodies_agree(session, ""):
            sizes_agree(session.timeline, view, n)
            (block,) = [row for row in view.rows if row.kind == "result"] or [None]
            assert block is None or block.chars == Conversation(session.timeline).result(0, n).wire_chars
        assert Conversation(session.timeline).result(0, 4).wire_chars != len("first " * 900)
