"""The text that stands in place of a result whose session stored none: as the client would make it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from inspector.model.ledger import Level
from inspector.model.policy import CLAUDE_CODE, BudgetMode
from inspector.pipeline.previews import persisted_preview, pretty_json
from inspector.session import Session
from inspector.session.replaced_text import text_on_wire
from tests.transcript import Transcript, call

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
