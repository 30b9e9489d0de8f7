"""What the screens that edit and compare policies have in common: one replay at a time, in a thread.

The newest wish wins: a replay that is not wanted any more is told to stop at its next look.
"""

from __future__ import annotations

from collections.abc import Callable

from textual.message import Message
from textual.screen import Screen, ScreenResultType
from textual.worker import get_current_worker

from inspector.app.sources.policies import Policies
from inspector.errors import InspectorError
from inspector.model.policy import Policy
from inspector.replay.differences import Comparison
from inspector.text import printable_line


class ReplayingScreen(Screen[ScreenResultType]):
    """A screen that asks for replays; their outcome comes back as a message."""

    class Replayed(Message):
        """A replay is done, or could not be."""

        def __init__(self, a: Policy, b: Policy, comparison: Comparison | None, problem: str = "") -> None:
            super().__init__()
            self.a = a
            self.b = b
            self.comparison = comparison
            """None where there is a problem."""
            self.problem = problem

    def ask(self, policies: Policies, a: Policy, b: Policy, *, show: bool) -> None:
        """Ask for a comparison; an older wish that is still being worked on is given up.

        Args:
            policies: Who replays.
            a: The one policy.
            b: The other.
            show: Whether the session is to be shown under `b` from now on.
        """

        def work() -> None:
            worker = get_current_worker()
            self._work(policies, a, b, show=show, keep_on=lambda: not worker.is_cancelled)

        self.run_worker(work, thread=True, exclusive=True, group="replay", exit_on_error=False)

    def _work(
        self, policies: Policies, a: Policy, b: Policy, *, show: bool, keep_on: Callable[[], bool]
    ) -> None:
        """Runs in a thread; touches no widget."""
        problem, comparison = "", None
        try:
            if show and not policies.show(b, keep_on):
                return
            comparison = policies.compare(a, b, keep_on)
        except (InspectorError, ValueError, OSError) as error:
            problem = str(error)
        except Exception as fault:  # the last resort: a panel that waits for ever would say nothing
            problem = printable_line(f"Replaying failed: {fault!r}")
        if keep_on() and (problem or comparison is not None):
            self.post_message(self.Replayed(a, b, comparison, problem))
