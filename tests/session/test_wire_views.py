"""One request block by block: what stayed, what changed, what came behind a change."""

from __future__ import annotations

from pathlib import Path

from inspector.model.policy import Unit
from inspector.session.wire_view import BlockRows, Mark, Side
from inspector.session.wire_views import WireViews
from tests.session.test_replacement_findings import FULL, PREVIEW, session_with
from tests.transcript import begun


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


def test_a_result_that_moved_is_found_by_its_id_in_the_request_before() -> None:
    def result(id: str, text: str) -> dict[str, object]:
        return {"type": "tool_result", "tool_use_id": id, "content": text}

    before = [{"role": "user", "content": [result("a", "first"), result("b", "second")]}]
    now = [{"role": "user", "content": [result("b", "shorter"), {"type": "text", "text": "x"}]}]
    rows = BlockRows(Unit.UTF16, now, before, None, str)
    assert rows.old(0, 0) == result("b", "second")
    assert rows.old(0, 1) is None


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
