"""The conversations of a session: which records belong to which, whose file they came from, their replays."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.model.transcript import Record
    from inspector.replay.timeline import Timeline
    from inspector.session.intake import Intake

_THREAD = attrgetter("thread")


class Conversations:
    """All of them by key: empty for the main one, else a sub-agent's id."""

    def __init__(self, main: Intake, make: Callable[[str], Timeline]) -> None:
        """Begin with an empty main conversation.

        Args:
            main: The file of the main conversation.
            make: Makes the empty timeline of a conversation.
        """
        self.timelines: dict[str, Timeline] = {"": make("")}
        self.records: dict[str, list[Record]] = {"": []}
        """In file order."""
        self.owners: dict[str, Intake] = {"": main}
        """The file that holds a conversation."""
        self._make = make
        self._told_bad_lines: dict[Intake, int] = {}
        """File → how many of its bad lines its conversations know of."""

    def spread(self, records: Sequence[Record], intake: Intake, default: str) -> set[str]:
        """Hand records to the timelines of their conversations.

        Args:
            records: What is new of a file.
            intake: The file.
            default: The conversation of records that name none.

        Returns:
            The conversations that have something new.
        """
        touched: set[str] = set()
        for thread, run in groupby(records, key=_THREAD):
            key = thread or default
            timeline = self.timelines.get(key)
            if timeline is None:
                self.owners[key] = intake
                timeline = self.timelines[key] = self._make(key)
                self.records[key] = []
            feed, keep = timeline.feed, self.records[key].append
            for record in run:
                feed(record)
                keep(record)
            touched.add(key)
        return touched | self._tell_lost(intake, touched)

    def _tell_lost(self, intake: Intake, touched: set[str]) -> set[str]:
        """Tell the conversations of a file which of its lines were lost, though no record came with them.

        Returns:
            Those that have something new to hear.
        """
        bad_lines = intake.counts.bad_lines
        is_new = len(bad_lines) != self._told_bad_lines.get(intake, 0)
        if not bad_lines or not (is_new or touched):
            return set()
        self._told_bad_lines[intake] = len(bad_lines)
        lost = [b.line for b in bad_lines if b.lost]
        keys = self._of_file(intake) if is_new else touched
        for key in keys:
            self.timelines[key].bad_lines = lost
        return keys

    def drop(self, intake: Intake) -> set[str]:
        """Forget the conversations of a file that was written anew; which these were."""
        self._told_bad_lines.pop(intake, None)
        keys = self._of_file(intake)
        for key in keys:
            del self.timelines[key], self.records[key], self.owners[key]
        return keys

    def _of_file(self, intake: Intake) -> set[str]:
        return {key for key, owner in self.owners.items() if owner is intake}
