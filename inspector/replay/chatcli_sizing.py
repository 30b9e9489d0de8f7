"""Sizes and levels of results under ChatCLI's stages.

Their ageing works on the stored history, at the loop's own turns, so a level follows from no age: it
is what some run has made of the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.model.ledger import Level
from inspector.model.policy import Policy
from inspector.replay.sizing import Sizing

if TYPE_CHECKING:
    from inspector.replay.calls import Entry
    from inspector.replay.chatcli_timeline import ChatcliTimeline


class ChatcliSizing(Sizing):
    """What the sentences ask about sizes, answered from what the runs did."""

    def __init__(self, policy: Policy, scratch: str, timeline: ChatcliTimeline) -> None:
        """Args:
        policy: Unit, limits and cuts.
        scratch: Directory that a predicted preview names.
        timeline: Whose rows hold what the runs did.
        """
        super().__init__(policy, scratch)
        self._timeline = timeline

    def level(self, entry: Entry, age: int, base_chars: int) -> tuple[Level, str]:  # noqa: ARG002 - as for `Sizing`
        """What ageing has made of a result, and why it left it where it is.

        Args:
            entry: A call with its result.
            age: Distinct answers that stand after the result.
            base_chars: Not asked for: a run has measured the result itself.
        """
        row = self._timeline.tracked[entry.index]
        settings = self.policy.microcompact
        if row.aged is not None:
            return row.aged, ""
        if age < min(settings.truncate_turns, settings.summarize_turns):
            return Level.FULL, ""
        if row.full < settings.min_content:
            return Level.FULL, "short"
        return Level.FULL, "the loop has just begun"
