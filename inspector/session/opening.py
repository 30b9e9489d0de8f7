"""Opening a session in one call, and reading it step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.model.policy import Policy, preset
from inspector.session.session import Session

if TYPE_CHECKING:
    from inspector.reading.chatcli_places import ChatcliPlaces

STEP_BYTES = 24 << 20
"""Bytes that are read at a time: what was read is replayed while other processes read on."""
_LAST_LOOK_BYTES = 32 << 20
"""With no more than this left to read, findings wait for the end: each time the directories are looked at."""


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
    with_findings: bool = False,
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
        with_findings: As for `read_on`.

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
            for _ in read_on(session, with_findings=with_findings):
                pass
        except BaseException:
            session.close()
            raise
    return session


def read_on(session: Session, *, with_findings: bool = False) -> Iterator[None]:
    """Read a session to its end.

    Args:
        session: Just opened.
        with_findings: They will be asked for. Those of a large file are made while it is read: at its
            end the other processes, which read parts of it meanwhile, would have nothing to do.

    Yields:
        After each step but the last one.

    Raises:
        UnreadableError: It cannot be read at all.
    """
    look_below = 0
    while session.poll(STEP_BYTES).more:
        left = session.size_bytes - session.position
        look_below = look_below or session.size_bytes // 2
        if with_findings and _LAST_LOOK_BYTES <= left <= look_below:
            session.findings()
            look_below = left // 2
        yield
