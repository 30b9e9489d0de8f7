"""Which results of a request a filter leaves, newest turn first."""

from __future__ import annotations

import threading
from pathlib import Path

from inspector.app.matching import Matches, TextMatches, match_rows
from inspector.app.session import LiveView
from inspector.replay.filters import parse_filter
from tests.builders import LEDGER, Transcript, call, text


def view(folder: Path) -> LiveView:
    script = Transcript()
    for n in range(3):
        script.prompt()
        script.answer(f"m{n}", call(f"a{n}", "Grep"), call(f"b{n}"))
        script.result(f"a{n}", f"needle {n}")
        script.result(f"b{n}", "hay")
    script.answer("end", text())
    with script.open(folder, LEDGER) as session:
        return LiveView(session, threading.RLock())


def test_rows_are_found_turn_by_turn_and_each_text_is_read_once(tmp_path: Path) -> None:
    shown = view(tmp_path)
    read: list[int] = []

    def read_text(index: int, request: int) -> str:
        read.append(index)
        return "needle" if index % 2 == 0 else f"hay {request}"

    texts = TextMatches(read_text)
    wanted = parse_filter("text:needle")
    found = match_rows(shown, 4, wanted, texts)
    assert found == Matches(wanted, 4, ((3, (4,)), (2, (2,)), (1, (0,))), 6)
    match_rows(shown, 3, wanted, texts)
    assert sorted(read) == [0, 1, 2, 3, 4, 5]


def test_search_that_is_stopped_has_no_outcome(tmp_path: Path) -> None:
    texts = TextMatches(lambda _index, _request: "")
    assert match_rows(view(tmp_path), 4, parse_filter("tool:Grep"), texts, stopped=lambda: True) is None
    assert match_rows(view(tmp_path), 0, parse_filter("tool:Grep"), texts) == Matches(
        parse_filter("tool:Grep"), 0
    )
