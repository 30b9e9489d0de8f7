"""Park snapshots: a ChatCLI run put aside with its whole history and one open call (§9.2).

They are the only file that shows an agent run between two of its turns, which is why they are read
although they are no session.
"""

from __future__ import annotations

from dataclasses import dataclass

from inspector.model.chatcli import Message
from inspector.reading.chatcli_session import HISTORY, messages_of
from inspector.reading.go_json import GoJsonError, Int, Struct, Text, parse

VERSION = 1

_SNAPSHOT = Struct({"version": Int(), "history": HISTORY, "pending_tool_call_id": Text()})


@dataclass(frozen=True, slots=True)
class ParkSnapshot:
    """One snapshot, decoded."""

    history: tuple[Message, ...] = ()
    pending_tool_call_id: str = ""
    """The call that waits for its result; it is not to be reported as missing."""
    version: int = 0
    problem: str = ""
    """One sentence where the file is no snapshot, or of a version not known here; else empty."""


def load_snapshot(data: bytes) -> ParkSnapshot:
    """Decode a park snapshot.

    Args:
        data: The whole file.
    """
    try:
        fields = _SNAPSHOT.fill(parse(data), None, "snapshot")
    except GoJsonError as error:
        return ParkSnapshot(problem=f"{error}.")
    if fields is None or fields["history"] is None:
        return ParkSnapshot(problem="There is no history in it.")
    problem = "" if fields["version"] == VERSION else f"Its version is {fields['version']}, not {VERSION}."
    return ParkSnapshot(
        messages_of(fields["history"]), fields["pending_tool_call_id"], fields["version"], problem
    )
