"""The text that stands in place of a result whose session stored none: as the client would make it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.model.ledger import Level
from inspector.model.policy import CLAUDE_CODE, BudgetMode
from inspector.pipeline.previews import persisted_preview, pretty_json
from inspector.replay.conversation import span_of
from inspector.session import Session
from inspector.session.replaced_text import text_on_wire
from inspector.session.wire import one_request
from tests.transcript import Transcript, call, result

POLICY = CLAUDE_CODE.with_field("budget.mode", BudgetMode.ON).with_field("budget.turn_limit", 20_000)
LONG = 'line of "quoted" text\n' * 2_000


def replaced(tmp_path: Path, content: Any) -> tuple[Session, str | None, int, bool]:
    """The session of one result over its limit, what stands for it, its size, whether that is estimated."""
    script = Transcript()
    script.prompt("go")
    script.answer(call("toolu_a"))
    script.results({"type": "tool_result", "tool_use_id": "toolu_a", "content": content})
    script.answer(text="done")
    session = script.open(tmp_path, policy=POLICY)
    row = session.timeline.tracked[0]
    span = row.spans[-1]
    assert span.level is Level.PREVIEW
    return session, text_on_wire(session, row, span), span.chars, span.estimated


def test_a_list_is_shown_as_the_json_that_goes_to_its_file(tmp_path: Path) -> None:
    content = [{"text": LONG, "type": "text", "note": 1}]
    _, text, chars, estimated = replaced(tmp_path, content)
    assert text == persisted_preview(pretty_json(content), "tool-results/toolu_a.json", split_pairs=True)
    assert text.count("toolu_a.json") == 1
    assert estimated
    assert abs(chars - len(text)) <= 2  # "47KB" for "48.9KB"


@pytest.mark.parametrize("content", [LONG, "x" + "😀" * 15_000], ids=["lines", "a character across the cut"])
def test_a_text_is_shown_to_the_unit_and_as_long_as_the_ledger_says(tmp_path: Path, content: str) -> None:
    _, text, chars, estimated = replaced(tmp_path, content)
    assert text == persisted_preview(content, "tool-results/toolu_a.txt", split_pairs=True)
    assert not estimated
    assert chars == len(text.encode("utf-16-le", "surrogatepass")) // 2


def test_of_two_stored_texts_each_request_shows_the_one_that_it_knows(tmp_path: Path) -> None:
    first, second = (persisted_preview(LONG, f"/s/tool-results/{name}.txt") for name in ("a", "longer"))
    script = Transcript()
    script.prompt("go")
    script.answer(call("toolu_a"))
    script.results(result("toolu_a", LONG))
    for n, text in enumerate((first, second)):
        line = {"kind": "tool-result", "toolUseId": "toolu_a", "replacement": text}
        script.raw(json.dumps({"type": "content-replacement", "replacements": [line]}).encode())
        script.answer(text=f"answer {n}")
        script.prompt("more")
    session = script.open(tmp_path)
    row = session.timeline.tracked[0]
    assert [text_on_wire(session, row, span) for span in row.spans if span.chars] == [first, second]
    for n, text in ((2, first), (3, second), (4, second)):
        (sent,) = [
            block["content"]
            for message in one_request(session, n)["messages"]
            for block in message["content"]
            if block["type"] == "tool_result"
        ]
        assert sent == text
        assert span_of(row, n).chars == len(text)  # type: ignore[union-attr]  # it was sent
    assert session.timeline.requests[2].break_ is not None
    assert [f.kind for f in session.findings()].count("unstable_preview") == 1
