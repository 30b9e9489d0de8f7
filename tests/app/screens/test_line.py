"""A line that is no record, looked at from its finding."""

from __future__ import annotations

import threading

from inspector.app.screens.findings import FindingsScreen
from inspector.app.screens.line import LineScreen, line_of
from inspector.app.sources.files import OpenedText
from inspector.app.widgets.bar import Bar
from inspector.app.widgets.text_pane import TextPane
from inspector.errors import UnreadableError
from inspector.model.findings import Finding, Severity
from tests.app.covers import covers
from tests.app.stage import Stage
from tests.app.stages import until

BAD = Finding(
    "bad_line", Severity.ERROR, "Line 7 (bytes 90–400): no JSON: it ends early.", see="line 7",
    data={"line": 7, "bytes": [90, 400], "saved": 0, "lost": True},
)  # fmt: skip
OTHER = Finding("usage_repeated", Severity.INFO, "12 records carry usage.", None)


class Lines:
    """Gives one line, or refuses."""

    def __init__(self, data: bytes, problem: str = "") -> None:
        self.data, self.problem = data, problem
        self.asked: list[tuple[str, int, int]] = []
        self.threads: set[int] = set()

    def read(self, thread: str, start: int, end: int) -> OpenedText:
        self.asked.append((thread, start, end))
        self.threads.add(threading.get_ident())
        if self.problem:
            raise UnreadableError(self.problem)
        return OpenedText(self.data.decode("utf-8", "replace"), self.data, end - start)


def stage(source: Lines) -> Stage:
    return Stage(lambda: FindingsScreen((BAD, OTHER), requests=3, lines=source))


def test_only_findings_about_bytes_name_a_line() -> None:
    place = line_of(BAD)
    assert place is not None
    assert (place.name, place.start, place.end, place.fact) == ("line 7", 90, 400, BAD.fact)
    assert line_of(OTHER) is None


@covers("line.back")
async def test_enter_shows_the_line_wrapped_and_escape_leads_back() -> None:
    source = Lines(b'{"type":"user",' + b"x" * 295)
    app = stage(source)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LineScreen) and bool(source.asked))
        pane = app.screen.query_one(TextPane)
        await until(pilot, lambda: pane.data == source.data)
        await pilot.pause()
        assert source.asked == [("", 90, 400)]
        assert source.threads.isdisjoint({threading.get_ident()})
        assert app.screen.query_one("#fact", Bar).plain.strip() == BAD.fact
        rows = [pane.view.render_line(y).text.rstrip() for y in range(6)]
        assert rows[0].startswith('    1  {"type":"user",xxx')
        assert "".join(row[7:] for row in rows) == source.data.decode()
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, FindingsScreen)
        assert app.results == []


async def test_what_is_not_shown_is_said() -> None:
    app = stage(Lines(b"x" * 100))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LineScreen))
        pane = app.screen.query_one(TextPane)
        await until(pilot, lambda: bool(pane.data))
        await pilot.pause()
        assert "first 100 of 310 bytes shown" in pane.query_one("#foot", Bar).plain


async def test_a_file_that_is_gone_is_a_sentence() -> None:
    app = stage(Lines(b"", "s.jsonl: the file is gone"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LineScreen))
        foot = app.screen.query_one(TextPane).query_one("#foot", Bar)
        await until(pilot, lambda: "the file is gone" in foot.plain)


async def test_a_finding_about_no_line_is_only_named() -> None:
    app = stage(Lines(b""))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "enter")
        await pilot.pause()
        assert isinstance(app.screen, FindingsScreen)
