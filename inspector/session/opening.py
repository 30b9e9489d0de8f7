"""Opening a session in one call."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.model.policy import Policy, preset
from inspector.session.session import Session

if TYPE_CHECKING:
    from inspector.reading.chatcli_places import ChatcliPlaces


def open_session(
    path: Path | str,
    *,
    policy: Policy | str | None = None,
    origins: Mapping[str, str] | None = None,
    scratch: Path | str | None = None,
    live: bool = False,
    history: str | None = None,
    chatcli: ChatcliPlaces | None = None,
    index_directory: Path | None = None,
    read: bool = True,
) -> Session:
    """Open a session and read it to its end.

    Args:
        path: The session's file.
        policy: A policy or a preset's name; None: by the kind of session.
        origins: Field → where its value came from.
        scratch: Its scratch directory; None: where it belongs.
        live: It is being written: a call at its end is pending, not missing.
        history: ChatCLI: the one list to show.
        chatcli: Where ChatCLI keeps what is not in the file; None: it is not looked for.
        index_directory: Where the reading of a large file is kept for the next time; None: nowhere.
        read: False: only open; the caller polls.

    Raises:
        UnreadableError: It cannot be read at all.
        UsageError: There is no such policy.
    """
    session = Session(
        Path(path),
        policy=preset(policy) if isinstance(policy, str) else policy,
        origins=origins,
        scratch=Path(scratch) if scratch is not None else None,
        live=live,
        history=history,
        chatcli=chatcli,
        index_directory=index_directory,
    )
    if read:
        try:
            session.poll()
        except BaseException:
            session.close()
            raise
    return session
