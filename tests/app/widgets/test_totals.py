"""The totals table: figures and their difference fit at every width, and the trade stands below."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.app.widgets.totals import TotalsTable
from inspector.model.policy import CHATCLI, DOCUMENTED
from inspector.report.compare import compare_policies, total_rows
from inspector.session import open_session
from inspector.text import cells
from tests.app.policy_stage import BASE
from tests.app.stage import Stage
from tests.claude_session import grown


@pytest.mark.parametrize("width", [38, 64])
async def test_figures_and_difference_stand_side_by_side(width: int, tmp_path: Path) -> None:
    with open_session(grown(45).write(tmp_path / "s.jsonl"), policy=BASE) as session:
        found = compare_policies(session, BASE, DOCUMENTED)
    table = TotalsTable("base", "what-if")
    async with Stage(table).run_test(size=(width, 24)) as pilot:
        table.show(None, "replaying …")
        await pilot.pause()
        assert "replaying …" in table.render_line(1).text
        table.show(found)
        await pilot.pause()
        for y, (_, _, right, difference, _) in enumerate(total_rows(found), start=1):
            words = table.render_line(y).text.rstrip()
            assert cells(words) <= width
            assert words.endswith(
                difference or right.replace("request ", "req ") if width < 60 else difference
            )
        below = " ".join(
            table.render_line(y).text.strip() for y in range(len(total_rows(found)) + 1, 20)
        ).strip()
        assert below == (table.trade if width >= 60 else table.short_trade)


async def test_no_label_is_cut_where_it_is_narrow_and_units_differ(tmp_path: Path) -> None:
    with open_session(grown(45).write(tmp_path / "s.jsonl"), policy=BASE) as session:
        found = compare_policies(session, BASE, CHATCLI)
    table = TotalsTable("A", "B")
    async with Stage(table).run_test(size=(41, 24)) as pilot:
        table.show(found)
        await pilot.pause()
        rows = [table.render_line(y).text for y in range(1, len(total_rows(found)) + 1)]
    assert not [row for row in rows if "…" in row]
    assert any("≈ sent, chars" in row for row in rows)
    assert any("≈ over window" in row for row in rows)


@pytest.mark.parametrize(("width", "sent"), [(41, 4_196_849), (41, 987_654_321), (64, 98_765_432_100)])
async def test_a_long_figure_does_not_run_into_its_label(width: int, sent: int, tmp_path: Path) -> None:
    with open_session(grown(45).write(tmp_path / "s.jsonl"), policy=BASE) as session:
        found = compare_policies(session, BASE, DOCUMENTED)
    large = found.a_totals._replace(sent_chars=sent)
    other = found.b_totals._replace(sent_chars=sent // 2)
    table = TotalsTable("base", "what-if")
    async with Stage(table).run_test(size=(width, 24)) as pilot:
        shown = replace(found, a_totals=large, b_totals=other)
        table.show(shown)
        await pilot.pause()
        for y, row in enumerate(total_rows(shown), start=1):
            words = table.render_line(y).text.rstrip()
            assert not re.search(r"[a-z…][\d−+]|\d[−+]", words), words
            assert words.endswith(row[3]), words


async def test_nothing_is_said_before_there_are_figures() -> None:
    table = TotalsTable("base", "what-if")
    async with Stage(table).run_test(size=(64, 24)) as pilot:
        await pilot.pause()
        assert (table.trade, table.short_trade, table.plain) == ("", "", "")
