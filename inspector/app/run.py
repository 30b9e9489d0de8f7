"""Starts the app: on the picker, on one session, or on the demo."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypedDict

from inspector.alphabet import Charset
from inspector.app.app import InspectorApp
from inspector.app.catalog import Demo, KnownOpener, KnownSessions, opened
from inspector.app.keymap import keymap_file, read_keymap
from inspector.app.state import StateStore, state_directory
from inspector.model.policy import Policy
from inspector.reading.chatcli_places import ChatcliPlaces
from inspector.reading.locate import Place, home_directory


class _Person(TypedDict):
    """What the app takes from the person's own directories."""

    store: StateStore
    keymap: dict[str, str]


def _person() -> _Person:
    """Marks and keys of whoever starts the app.

    Raises:
        UsageError: The keymap cannot be.
    """
    home = home_directory()
    keymap = read_keymap(keymap_file(os.environ, home))
    return {"store": StateStore(state_directory(os.environ, home)), "keymap": keymap}


def run_picker(
    places: Sequence[Place], chatcli: ChatcliPlaces | None = None, *, charset: Charset | None = None
) -> int:
    """The list of known sessions.

    Raises:
        UsageError: The person's keymap cannot be.
    """
    person = _person()
    opener = KnownOpener(chatcli)
    try:
        _run(InspectorApp(None, catalog=KnownSessions(places), opener=opener, charset=charset, **person))
    finally:
        opener.close()
    return 0


class Asked(NamedTuple):
    """A session to open, and by which rules."""

    path: Path
    policy: Policy | None = None
    """None: those of whoever wrote it."""
    origins: Mapping[str, str] = MappingProxyType({})
    """Field of the policy → where its value came from."""


def run_sessions(
    asked: Sequence[Asked],
    *,
    scratch: Path | None,
    request: int | None,
    follow: bool,
    places: Sequence[Place],
    chatcli: ChatcliPlaces | None = None,
    charset: Charset | None = None,
) -> int:
    """Sessions, each in a tab; the first one is shown.

    Raises:
        UnreadableError: One of them cannot be opened.
        UsageError: The person's keymap cannot be.
    """
    person = _person()
    first, *others = [
        opened(
            one.path,
            policy=one.policy,
            origins=dict(one.origins),
            scratch=scratch,
            chatcli=chatcli,
            follow=follow,
        )
        for one in asked
    ]
    opener = KnownOpener(chatcli)
    try:
        known = KnownSessions(places)
        _run(
            InspectorApp(
                first,
                others=others,
                catalog=known,
                opener=opener,
                request=request,
                charset=charset,
                **person,
            )
        )
    finally:
        opener.close()
    return 0


def run_demo(name: str | None, *, speed: float, charset: Charset | None = None) -> int:
    """A bundled story, played live.

    Raises:
        UsageError: There is no such story, or the person's keymap cannot be.
    """
    person = _person()
    demo = Demo(name, speed=speed)
    try:
        _run(InspectorApp(demo.open(), charset=charset, **person))
    finally:
        demo.close()
    return 0


def _run(app: InspectorApp) -> None:
    """Run the app; a fault in it comes out here, once the terminal is as it was."""
    app.run()
    if app.fault is not None:
        raise app.fault
