"""Starts the app: on the picker, on one session, or on the demo."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from inspector.app.app import InspectorApp
from inspector.app.catalog import Demo, KnownOpener, KnownSessions, opened
from inspector.model.policy import Policy
from inspector.reading.chatcli_places import ChatcliPlaces
from inspector.reading.locate import Place


def run_picker(places: Sequence[Place], chatcli: ChatcliPlaces | None = None) -> int:
    """The list of known sessions."""
    opener = KnownOpener(chatcli)
    try:
        InspectorApp(None, catalog=KnownSessions(places), opener=opener).run()
    finally:
        opener.close()
    return 0


def run_session(
    path: Path,
    *,
    policy: Policy | None,
    origins: dict[str, str],
    scratch: Path | None,
    request: int | None,
    follow: bool,
    places: Sequence[Place],
    chatcli: ChatcliPlaces | None = None,
) -> int:
    """One session.

    Raises:
        UnreadableError: It cannot be opened.
    """
    session = opened(path, policy=policy, origins=origins, scratch=scratch, chatcli=chatcli, follow=follow)
    opener = KnownOpener(chatcli)
    try:
        InspectorApp(session, catalog=KnownSessions(places), opener=opener, request=request).run()
    finally:
        opener.close()
    return 0


def run_demo(name: str | None, *, speed: float) -> int:
    """A bundled story, played live."""
    demo = Demo(name, speed=speed)
    try:
        InspectorApp(demo.open()).run()
    finally:
        demo.close()
    return 0
