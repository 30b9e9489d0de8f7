"""Sub-agents: from a call to the conversation that it started, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inspector.app.feed import AgentCall, FeedState, Jump
from inspector.app.screens.agents import AgentsScreen
from inspector.app.screens.ledger_core import LedgerCore
from inspector.app.widgets.bar import Word
from inspector.replay.sentences import UNIT_HEADS
from inspector.text import fit

if TYPE_CHECKING:
    from inspector.app.screens.ledger import LedgerScreen

TITLE_CELLS = 40
"""Cells of a sub-agent's title in the bottom line."""


class Agents(LedgerCore):
    """One ledger shows one conversation; another one is laid on top of it and left again."""

    def make_ledger(self, thread: str) -> LedgerScreen:
        """A ledger of another conversation.

        Args:
            thread: Its id.
        """
        raise NotImplementedError

    def action_agents(self) -> None:
        """List all conversations of the session."""
        frame = self.frame
        if frame is None:
            return
        threads = frame.view.threads
        if len(threads) < 2 or self._sources.threads is None:
            reading = frame.update.state is FeedState.INDEXING
            known = "The session is still being read; no sub-agent is known so far."
            self.say(known if reading else "The session has one conversation; no sub-agent was started.")
            return
        unit = UNIT_HEADS[frame.view.policy.unit]
        calls = {row.id: self._sources.threads.call_of(row.id) for row in threads if row.id}
        findings = self._sources.threads.findings()
        words = self._sources.threads.part_words()
        screen = AgentsScreen(threads, calls, self._thread, findings=findings, unit=unit, words=words)
        self.app.push_screen(screen, self._show_chosen)

    def jump(self, jump: Jump | None) -> None:
        """Go where another screen was left for, in another conversation too."""
        if jump is None or jump.thread in (None, self._thread):
            super().jump(jump)
        elif jump.thread is not None:
            self.show_thread(jump.thread, replace(jump, thread=None))

    def _show_chosen(self, thread: str | None) -> None:
        if thread is not None and thread != self._thread:
            self.show_thread(thread)

    def agent_of_selected(self) -> str:
        """The sub-agent that the selected call started; empty where it started none."""
        row, threads = self.selected, self._sources.threads
        if row is None or threads is None or not row.id:
            return ""
        return threads.thread_of(row.id)

    def _lasting_words(self) -> list[Word]:
        thread = self.agent_of_selected()
        rows = self.frame.view.threads if self.frame is not None and thread else ()
        title = next((row.title for row in rows if row.id == thread), None)
        if title is None:
            return super()._lasting_words()
        offer = [
            Word("Enter", "accent", bold=True),
            Word(f"opens “{fit(title, TITLE_CELLS)}”", "strong", gap=1),
        ]
        return [*super()._lasting_words(), *offer]

    def show_thread(self, thread: str, jump: Jump | None = None) -> None:
        """Show another conversation: one below this one is gone back to, others are laid on top.

        Args:
            thread: Its id.
            jump: Where to go in it.
        """
        stack = [screen for screen in self.app.screen_stack if isinstance(screen, Agents)]
        if any(screen._thread == thread for screen in stack):
            self._leave_for(stack, thread, jump)
            return
        if self._sources.threads is None:
            return
        ledger = self.make_ledger(thread)
        self.app.push_screen(ledger, self.jump)
        if jump is not None:
            ledger.call_after_refresh(ledger.jump, jump)

    @staticmethod
    def _leave_for(stack: list[Agents], thread: str, jump: Jump | None) -> None:
        """Leave ledgers from the top down to the one of a conversation."""
        for screen, below in zip(reversed(stack), reversed(stack[:-1]), strict=False):
            if screen._thread == thread:
                return
            screen.dismiss(jump if below._thread == thread else None)

    def action_agent_back(self) -> None:
        """Go back to the ledger that this one was opened from."""
        self.dismiss(None)

    def action_agent_call(self) -> None:
        """Go to the call that started this sub-agent."""
        threads = self._sources.threads
        call = threads.call_of(self._thread) if threads is not None else AgentCall("", "")
        if not call.id:
            self.say("The session does not say which call started this sub-agent.")
            return
        self.show_thread(
            call.thread, Jump(call.request, id=call.id, reason="the call that started the agent")
        )
