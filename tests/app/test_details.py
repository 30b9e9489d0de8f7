"""Texts for the detail pane."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from inspector.app.details import SessionDetails
from inspector.app.feed import Tab
from inspector.app.overflow_rows import SessionOverflow
from inspector.app.session import SessionFeed
from inspector.app.sources.overflow import FileState
from inspector.errors import UsageError
from inspector.session import open_session
from tests.builders import LEDGER, Transcript, call, persisted_text, text, write_json

FULL = "".join(f"line {n}\n" for n in range(20_000))


def told(folder: Path) -> Path:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("big"), call("small"), call("saved"), call("open"))
    script.result("big", FULL)
    script.result("small", "a few words")
    script.result("saved", persisted_text(str(folder / "tool-results" / "saved.txt"), "5KB"))
    script.answer("m2", text())
    scratch = folder / "tool-results"
    scratch.mkdir()
    (scratch / "saved.txt").write_text("first line\n" + "y" * 5_109, encoding="utf-8")
    (scratch / "loose.txt").write_text("nobody's", encoding="utf-8")
    return script.write(folder)


@contextmanager
def opened(folder: Path) -> Iterator[SessionFeed]:
    with open_session(told(folder), policy=LEDGER.with_field("budget.turn_limit", 10_000)) as session:
        yield SessionFeed(session, follow=False)


def test_wire_is_what_the_model_saw_and_the_transcript_what_the_tool_gave(tmp_path: Path) -> None:
    with opened(tmp_path) as feed:
        details = SessionDetails(feed)
        assert details.text(Tab.TRANSCRIPT, 0, 2).text == FULL
        wire = details.text(Tab.WIRE, 0, 2)
        assert wire.text.startswith("<persisted-output>")
        assert wire.tints[0] == "replaced"
        assert details.text(Tab.WIRE, 1, 2).text == "a few words"
        diff = details.text(Tab.DIFF, 0, 2)
        assert "- line 19999" in diff.text
        assert "no difference" in details.text(Tab.DIFF, 1, 2).summary


def test_the_error_that_chatcli_sends_for_a_missing_result_is_shown_too() -> None:
    sample = Path(__file__).parents[2] / "sample_sessions" / "chatcli-session" / "refunds.json"
    with open_session(sample) as session:
        (row,) = session.timeline.rows_of("call_r5")
        details = SessionDetails(SessionFeed(session, follow=False))
        shown = details.text(Tab.WIRE, row.entry.index, 6)
    assert shown.text.startswith("[Tool result missing")
    assert shown.summary == "sent in place of a result"


def test_record_and_overflow_file_are_read_again(tmp_path: Path) -> None:
    with opened(tmp_path) as feed:
        details = SessionDetails(feed)
        assert '"tool_use_id": "small"' in details.text(Tab.RECORD, 1, 2).text
        assert details.text(Tab.OVERFLOW, 2, 2).text.startswith("first line\ny")
        with pytest.raises(UsageError, match="No overflow file"):
            details.text(Tab.OVERFLOW, 1, 2)
        with pytest.raises(UsageError, match="no result"):
            details.text(Tab.WIRE, 3, 2)


def test_overflow_rows_name_owners_and_files_without_one(tmp_path: Path) -> None:
    with opened(tmp_path) as feed:
        source = SessionOverflow(feed)
        rows = {row.name: row for row in source.rows()}
        assert (rows["saved.txt"].state, rows["saved.txt"].result) == (FileState.OK, 2)
        assert rows["loose.txt"].state is FileState.NO_OWNER
        assert source.open(rows["loose.txt"]).data == b"nobody's"
        assert source.directory == str(tmp_path / "tool-results")


def test_what_is_sent_for_a_call_without_a_result_is_shown_as_its_wire(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "Bash", "input": {}}]},
        {"role": "user", "content": "and?"},
    ]
    with open_session(write_json(tmp_path, messages)) as session:
        details = SessionDetails(SessionFeed(session, follow=False))
        last = len(session.timeline.requests)
        shown = details.text(Tab.WIRE, 0, last)
        assert shown.summary == "sent in place of a result"
        assert shown.text
        with pytest.raises(UsageError, match="no result"):
            details.text(Tab.TRANSCRIPT, 0, last)
