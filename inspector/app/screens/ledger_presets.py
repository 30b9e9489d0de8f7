"""Going through the policies: the session is shown under the next one, without leaving the list."""

from __future__ import annotations

from textual import on, work
from textual.message import Message
from textual.worker import get_current_worker

from inspector.app.screens.ledger_core import LedgerCore
from inspector.app.sources.policies import Policies
from inspector.errors import InspectorError
from inspector.model.policy import Policy


class Presets(LedgerCore):
    """The key that shows the session under the next policy."""

    class PolicyShown(Message):
        """The session is shown under another policy, or could not be."""

        def __init__(self, name: str, problem: str = "") -> None:
            super().__init__()
            self.name = name
            self.problem = problem

    _wanted_policy: Policy | None = None
    """What the session is being replayed under; None: no replay is on its way."""

    def action_preset(self) -> None:
        """Show the session under the next policy; the replay runs in a thread."""
        policies = self._sources.policies
        if policies is None:
            return
        choices = policies.choices()
        last = self._wanted_policy or policies.current
        at = choices.index(last) if last in choices else -1
        wanted = self._wanted_policy = choices[(at + 1) % len(choices)]
        self.say(f"policy {wanted.name}: replaying …")
        self._replay(policies, wanted)

    @work(thread=True, exclusive=True, group="replay", exit_on_error=False)
    def _replay(self, policies: Policies, policy: Policy) -> None:
        """Replay in a thread; the feed then posts the session as it is under that policy."""
        worker = get_current_worker()
        try:
            if not policies.show(policy, lambda: not worker.is_cancelled):
                return
            shown = self.PolicyShown(policy.name)
        except (InspectorError, OSError) as error:
            shown = self.PolicyShown(policy.name, str(error))
        if not worker.is_cancelled:
            self.post_message(shown)

    @on(PolicyShown)
    def tell_policy(self, event: PolicyShown) -> None:
        """Say under which policy the session is shown now."""
        self._wanted_policy = None
        self.say(event.problem or f"Shown under the policy {event.name}.")
