"""The wire source of a real session: what is not sent leads to its text and its record."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.app.session import SessionFeed
from inspector.app.sources.wire import UnsentPlace
from inspector.app.wire_source import SessionWire
from inspector.errors import UsageError
from inspector.session.wire_view import Side
from tests.transcript import begun, call, result


def test_what_is_not_sent_has_the_text_and_the_line_of_its_record(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    script.results(result("toolu_a", "ok"), result("toolu_none", "nobody asked"))
    script.answer(text="done")
    feed = SessionFeed(script.open(tmp_path), follow=False)
    source = SessionWire(feed)
    (orphan,) = source.view(2).unsent
    place = UnsentPlace(2, orphan.record, orphan.block)
    assert source.text(place, Side.PREDICTED) == "nobody asked"
    assert source.place(place).line == 3
    assert source.text(UnsentPlace(2, 10_000, 0), Side.PREDICTED) is None
    with pytest.raises(UsageError, match="No record"):
        source.place(UnsentPlace(2, 10_000, 0))
