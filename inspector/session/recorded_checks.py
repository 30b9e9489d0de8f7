"""`RecordedChecks`: what a session's transcript recorded of its requests, conversation by conversation.

A check is made when a conversation is asked about first: most sessions record nothing, and what reads
the records is loaded for none of those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.pipeline.wire.recorded import RecordedRequest
    from inspector.session.recorded_check import RecordedCheck
    from inspector.session.session import Session


class RecordedChecks:
    """The checks of one session, under the policy in force."""

    def __init__(self, session: Session) -> None:
        """Args:
        session: Whose requests they are.
        """
        self._session = session
        self._checks: dict[str, RecordedCheck] = {}

    def of(self, thread: str) -> RecordedCheck | None:
        """The recorded requests of a conversation beside the predicted ones; None where none are recorded."""
        session = self._session
        if not session.is_claude_code or not session.timelines[thread].new_client:
            return None
        if thread not in self._checks:
            from inspector.session.recorded_check import RecordedCheck

            self._checks[thread] = RecordedCheck(session, thread)
        return self._checks[thread]

    def request(self, thread: str, request_ref: str) -> RecordedRequest | None:
        """A request that the transcript itself recorded; None where it did not.

        Args:
            thread: Its conversation.
            request_ref: What its answer names it by.
        """
        check = self.of(thread)
        if not request_ref or check is None:
            return None
        check.read()
        return check.wire.requests.get(request_ref)

    def notes(self) -> list[str]:
        """What the recorded requests leave open, a sentence each."""
        return [note for check in self._checks.values() if (note := check.note())]

    def forget(self, thread: str | None = None) -> None:
        """Drop what was derived from an earlier state.

        Args:
            thread: The conversation; None: all of them.
        """
        if thread is None:
            self._checks.clear()
        else:
            self._checks.pop(thread, None)
