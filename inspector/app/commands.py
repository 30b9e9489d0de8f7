"""The palette: every action that has a key where the person is, made from the real bindings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from textual.binding import ActiveBinding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from inspector.app.keys import listed_bindings
from inspector.app.tabbed import TabbedApp
from inspector.app.tabs import SessionTab
from inspector.text import fit

UNLISTED = frozenset({"app.palette", "detail.pane_before", "detail.next", "detail.before"})
"""Bindings that make no sense by name; nor do those that move between rows."""


TITLE_CELLS = 50
"""Cells of a session's title."""
SHOW_TAB = "Show this session"


class ActionCommands(Provider):
    """Actions of the focused widget, its screen and the app."""

    def _actions(self) -> Iterator[tuple[str, str, ActiveBinding]]:
        """Name, help and binding of every action."""
        for active in listed_bindings(self.screen):
            binding = active.binding
            if binding.id in UNLISTED or (binding.id or "").startswith("rows."):
                continue
            key = self.app.get_key_display(binding)
            name = binding.description[:1].upper() + binding.description[1:]
            yield name, f"{binding.tooltip or binding.description} ({key})", active

    def _tabs(self) -> Iterator[tuple[str, SessionTab]]:
        """Words and tab, where several sessions are open."""
        tabs = self.app.tabs if isinstance(self.app, TabbedApp) else ()
        if len(tabs) > 1:
            for place, tab in enumerate(tabs, 1):
                yield f"Tab {place}: {fit(tab.title, TITLE_CELLS)}", tab

    async def discover(self) -> Hits:
        """All actions, before anything is typed."""
        for name, tab in self._tabs():
            yield DiscoveryHit(Content(name), partial(self._show, tab), text=name, help=SHOW_TAB)
        for name, words, active in self._actions():
            yield DiscoveryHit(name, partial(self._run, active), help=words)

    async def search(self, query: str) -> Hits:
        """Actions that match what is typed."""
        matcher = self.matcher(query)
        for name, tab in self._tabs():
            score = matcher.match(name)
            if score > 0:
                # The title is a session's own: the matcher's marks would read it as markup.
                yield Hit(score, Content(name), partial(self._show, tab), text=name, help=SHOW_TAB)
        for name, words, active in self._actions():
            score = max(matcher.match(name), matcher.match(words) * 0.8)
            if score > 0:
                yield Hit(score, matcher.highlight(name), partial(self._run, active), help=words)

    async def _show(self, tab: SessionTab) -> None:
        assert isinstance(self.app, TabbedApp)
        await self.app.show_tab(tab)

    async def _run(self, active: ActiveBinding) -> None:
        await self.app.run_action(active.binding.action, default_namespace=active.node)
