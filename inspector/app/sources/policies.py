"""The policies that a session can be shown under, and whoever replays it under one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from inspector.model.policy import Policy
from inspector.replay.differences import Comparison


class Policies(Protocol):
    """Whoever replays a session under other policies. `show` and `compare` run in worker threads."""

    @property
    def base(self) -> Policy:
        """What the session was opened under."""

    @property
    def current(self) -> Policy:
        """What is shown."""

    def choices(self) -> Sequence[Policy]:
        """Base, the edited one where there is one, the presets, and `recorded`."""

    def show(self, policy: Policy, keep_on: Callable[[], bool]) -> bool:
        """Show the session under another policy.

        Args:
            policy: The other one.
            keep_on: Asked now and then; False gives up.

        Returns:
            Whether it is shown now.
        """

    def compare(self, a: Policy, b: Policy, keep_on: Callable[[], bool]) -> Comparison | None:
        """Compare two policies over the session; None where it was given up."""

    def save(self, policy: Policy, name: str) -> str:
        """Write a policy file.

        Returns:
            Its path, for the person.

        Raises:
            InspectorError: It cannot be written there.
        """

    def load(self, name: str) -> Policy:
        """Read a policy file.

        Raises:
            InspectorError: It cannot be read, or holds no policy.
        """
