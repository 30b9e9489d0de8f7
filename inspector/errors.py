"""What a user is told when something cannot be done: one sentence with the place and what to do."""

from __future__ import annotations


class InspectorError(Exception):
    """Base of all errors that are shown to a person instead of a traceback."""


class UsageError(InspectorError):
    """The call's words are off: an unknown request number, a policy that does not exist."""


class UnreadableError(InspectorError):
    """A session, scratch directory or policy file that cannot be read at all."""


class UnwritableError(InspectorError):
    """An output that was named cannot be written: no space, no right, no such place."""
