"""The what-if panel: what is edited is what the ledger behind it shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from inspector.app.app import InspectorApp
from inspector.app.screens.ledger import LedgerScreen
from inspector.app.screens.what_if import GROW_AFTER_S, WhatIfScreen
from inspector.app.session import SessionFeed
from inspector.app.widgets.bar import Bar
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.totals import TotalsTable
from inspector.model.policy import CHATCLI, CLAUDE_CODE, DOCUMENTED, Ageing, Policy
from inspector.model.policy_fields import FIELDS
from inspector.session.policy_file import load_policy, save_policy
from tests.app.covers import covers
from tests.app.policy_stage import BASE, policy_app, rested
from tests.app.stage import HOSTILE
from tests.app.stages import line, make_app, settle, until
from tests.claude_session import grown

SIZE = (120, 40)
PATHS = [field.path for field in FIELDS]


def panel(app: InspectorApp) -> WhatIfScreen:
    assert isinstance(app.screen, WhatIfScreen)
    return app.screen


def title(app: InspectorApp) -> str:
    return app.screen.query_one("#title", Bar).plain


def shown(app: InspectorApp) -> Policy:
    assert app.update is not None
    return app.update.view.policy


async def opened(pilot: Pilot[Any], path: str = "unit") -> InspectorApp:
    await rested(pilot)
    await pilot.press("w")
    await rested(pilot)
    app = pilot.app
    assert isinstance(app, InspectorApp)
    panel(app).query_one("#rows", LineView).cursor = PATHS.index(path)
    await pilot.pause()
    return app


async def typed(pilot: Pilot[Any], words: str) -> None:
    await pilot.press("enter")
    pilot.app.screen.query_one("#value").value = words  # type: ignore[attr-defined]  # a prompt
    await pilot.press("enter")
    await rested(pilot)


async def test_every_field_has_a_row_and_nothing_is_changed_at_first(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        assert len(panel(app).query_one("#rows", LineView).rows) == len(FIELDS)
        assert panel(app).policy == BASE
        assert "as opened" in title(app)
        assert "send the same in every request" in panel(app).query_one(TotalsTable).plain


@covers("screen.what_if", "whatif.next")
async def test_a_changed_value_changes_what_the_ledger_shows(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot, "microcompact.variant")
        assert app.update is not None
        before = app.update.view.request(24).wire_chars
        await pilot.press("right")
        await rested(pilot)
        assert shown(app).microcompact.variant is Ageing.AGES
        assert app.update.view.request(24).wire_chars < before
        ledger = app.screen_stack[-2]
        assert isinstance(ledger, LedgerScreen) and ledger.frame is not None
        assert ledger.frame.view.policy is shown(app)
        assert ledger.frame.request == 24
        assert "documented*  1 field changed" in title(app)
        assert "more prefix breaks" in panel(app).query_one(TotalsTable).plain


async def test_steps_that_follow_at_once_are_replayed_once(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot, "budget.turn_limit")
        revision = app.update.view.revision if app.update else 0
        await pilot.press("left", "left", "left")
        await rested(pilot)
        assert shown(app).budget.turn_limit == 80_000
        assert app.update is not None and app.update.view.revision <= revision + 2


async def test_a_typed_value_is_taken_and_a_wrong_one_is_told(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot, "budget.turn_limit")
        await typed(pilot, "55,000")
        assert shown(app).budget.turn_limit == 55_000
        await typed(pilot, "plenty")
        assert "'plenty' is no value for it" in title(app)
        assert panel(app).policy.budget.turn_limit == 55_000
        await typed(pilot, "200000")
        assert panel(app).policy == BASE and "as opened" in title(app)


async def test_names_of_tools_are_typed(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot, "budget.skip_tools")
        await typed(pilot, "Bash, Read")
        assert shown(app).budget.skip_tools == frozenset({"Bash", "Read"})


async def test_enter_turns_a_switch(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot, "archive")
        await pilot.press("enter")
        await rested(pilot)
        assert shown(app).archive is True


@covers("whatif.before", "whatif.undo", "whatif.defaults")
async def test_one_field_is_put_back_or_all(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot, "budget.turn_limit")
        await pilot.press("left", "down", "right")
        assert "2 fields changed" in title(app)
        await pilot.press("u")
        assert "1 field changed" in title(app)
        await pilot.press("d")
        await rested(pilot)
        assert panel(app).policy == BASE and shown(app) == BASE


@covers("whatif.preset")
async def test_presets_go_round_and_edits_start_from_them(tmp_path: Path) -> None:
    async with policy_app(tmp_path, policy=DOCUMENTED).run_test(size=SIZE) as pilot:
        app = await opened(pilot, "budget.turn_limit")
        await pilot.press("p")
        assert panel(app).policy == CLAUDE_CODE
        await pilot.press("left")
        assert panel(app).policy.name == "claude-code*"
        await pilot.press("p")
        assert panel(app).policy == CHATCLI
        await pilot.press("p")
        await rested(pilot)
        assert panel(app).policy == DOCUMENTED and shown(app) == DOCUMENTED


@covers("whatif.back")
async def test_leaving_keeps_the_edited_policy_even_while_it_is_replayed(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot, "budget.turn_limit")
        await pilot.press("left", "escape")
        await rested(pilot)
        assert isinstance(app.screen, LedgerScreen)
        assert shown(app).budget.turn_limit == 100_000
        await pilot.press("w")
        await rested(pilot)
        assert panel(app).policy.budget.turn_limit == 100_000
        assert "1 field changed" in title(app)


async def test_escape_leaves_the_prompt_first(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot, "budget.turn_limit")
        await pilot.press("enter", "escape")
        assert not panel(app).has_class("-asking")
        await pilot.press("left")
        assert panel(app).policy.budget.turn_limit == 100_000


@covers("whatif.save", "whatif.load")
async def test_a_policy_is_saved_and_loaded(tmp_path: Path) -> None:
    folder = tmp_path / "policies"
    folder.mkdir()
    session = tmp_path / "session"
    session.mkdir()
    async with policy_app(session).run_test(size=SIZE) as pilot:
        app = await opened(pilot, "budget.turn_limit")
        await pilot.press("left", "S")
        prompt = app.screen.query_one("#value")
        prompt.value = str(folder / "tight.toml")  # type: ignore[attr-defined]  # a prompt
        await pilot.press("enter")
        assert load_policy(folder / "tight.toml").budget.turn_limit == 100_000
        save_policy(CHATCLI, folder / "other.toml")
        await pilot.press("L")
        prompt.value = str(folder / "other.toml")  # type: ignore[attr-defined]
        await pilot.press("enter")
        await rested(pilot)
        assert shown(app) == CHATCLI
        await pilot.press("L")
        prompt.value = str(folder / "none.toml")  # type: ignore[attr-defined]
        await pilot.press("enter")
        await rested(pilot)
        assert "none.toml" in title(app)


async def test_a_hostile_file_name_stays_text(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        await pilot.press("L")
        app.screen.query_one("#value").value = HOSTILE  # type: ignore[attr-defined]  # a prompt
        await pilot.press("enter")
        drawn = app.screen.query_one("#title", Bar).render_line(0).text
        assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for c in drawn)


async def test_the_figures_follow_a_session_that_grows(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        assert "over 61 requests" in line(app, "#totals")
        assert app._session is not None and isinstance(app._session.feed, SessionFeed)
        grown(63).write(tmp_path / "slow-import.jsonl")
        app._session.feed._poll()
        await pilot.pause(GROW_AFTER_S)
        await rested(pilot)
        assert "over 64 requests" in line(app, "#totals")


@covers("screen.preset")
async def test_p_on_the_ledger_shows_the_next_policy(tmp_path: Path) -> None:
    async with policy_app(tmp_path, policy=DOCUMENTED).run_test(size=SIZE) as pilot:
        await rested(pilot)
        app = pilot.app
        assert isinstance(app, InspectorApp)
        await pilot.press("p")
        await rested(pilot)
        assert shown(app) == CLAUDE_CODE
        assert "claude-code" in app.screen.query_one("#hints", Bar).plain
        await pilot.press("p", "p", "p")
        await rested(pilot)
        assert shown(app) == DOCUMENTED


async def test_without_a_session_on_disk_no_policy_is_offered() -> None:
    async with make_app(request=38).run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("w", "x", "p")
        assert isinstance(pilot.app.screen, LedgerScreen)
        assert "what-if" not in pilot.app.screen.query_one("#hints", Bar).plain


async def test_a_fault_in_a_replay_is_said_and_waited_for_no_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError(HOSTILE)

    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot, "budget.turn_limit")
        monkeypatch.setattr("inspector.app.policies.SessionPolicies.compare", fail)
        await pilot.press("left")
        await until(pilot, lambda: "Replaying failed" in title(app))
        assert "replaying …" not in title(app)
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, WhatIfScreen))


async def test_the_whole_value_can_be_read_where_its_column_cuts_it(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=(80, 24)) as pilot:
        app = await opened(pilot, "order")
        table = panel(app).query_one(TotalsTable)
        rows = [table.render_line(y).text.strip() for y in range(table.size.height)]
        assert "Now: pairing → budget → microcompact." in " ".join(rows[-4:])
        assert rows[-1].endswith("…"), "what has no room is told to be missing"
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot, "order")
        table = panel(app).query_one(TotalsTable)
        told = " ".join(table.render_line(y).text.strip() for y in range(table.size.height)).strip()
        assert told.endswith("Now: pairing → budget → microcompact.")
