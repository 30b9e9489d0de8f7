"""Starts the app: on the picker, on one session, or on the demo.

What is drawn first needs little; everything else is loaded, and the session opened, in a thread of
the app (`Begin`), so that somebody who waits sees at once for what.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from inspector.alphabet import Charset
from inspector.app.app import InspectorApp
from inspector.app.keymap import keymap_file, read_keymap
from inspector.app.opening import Begin, Begun
from inspector.app.state import StateStore, state_directory
from inspector.reading.home import home_directory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.model.policy import Policy
    from inspector.reading.chatcli_places import ChatcliPlaces
    from inspector.reading.locate import Place


class Beside(NamedTuple):
    """A session that is to stand in a tab beside another one."""

    path: Path
    policy: Policy | None
    origins: dict[str, str]
    """Field of the policy → where its value came from."""


class Wanted(NamedTuple):
    """One session, as it was asked for, and those beside it."""

    path: Path
    policy: Policy | None
    origins: dict[str, str]
    """Field of the policy → where its value came from."""
    scratch: Path | None
    places: Sequence[Place]
    """Where other sessions are looked for."""
    chatcli: ChatcliPlaces | None
    beside: Sequence[Beside] = ()
    """More sessions."""
    live: bool = False
    """`--live`: they count as live however long ago they were written to."""


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

    def begin(left: ExitStack) -> Begun:
        from inspector.app.catalog import KnownOpener, KnownSessions
        from inspector.app.screens.sessions import SessionsScreen  # noqa: F401 (loaded here, in the thread)

        opener = KnownOpener(chatcli)
        left.callback(opener.close)
        return Begun(None, KnownSessions(places), opener)

    return _run(begin, "the list of sessions", charset)


def run_session(
    want: Callable[[], Wanted],
    *,
    name: str,
    request: int | None = None,
    follow: bool = True,
    charset: Charset | None = None,
) -> int:
    """One session, or several in tabs; the first one is shown.

    Args:
        want: Finds out what was asked for; called in a worker thread, for it may have to look at files.
        name: What is opened, for the person.
        request: Request to show first; None follows the newest.
        follow: Whether to watch the file.
        charset: What the terminal can draw; None: everything.

    Raises:
        UnreadableError: It cannot be opened.
        UsageError: What was asked for cannot be, or the person's keymap.
    """

    def begin(left: ExitStack) -> Begun:
        from inspector.app.catalog import KnownOpener, KnownSessions, opened

        wanted = want()
        _load_ledger()
        session = opened(
            wanted.path,
            policy=wanted.policy,
            origins=wanted.origins,
            scratch=wanted.scratch,
            chatcli=wanted.chatcli,
            follow=follow,
            live=wanted.live,
        )
        others = [
            opened(
                each.path,
                policy=each.policy,
                origins=each.origins,
                chatcli=wanted.chatcli,
                follow=follow,
                live=wanted.live,
            )
            for each in wanted.beside
        ]
        opener = KnownOpener(wanted.chatcli)
        left.callback(opener.close)
        return Begun(session, KnownSessions(wanted.places), opener, others)

    return _run(begin, name, charset, request)


def run_demo(name: str | None, *, speed: float, charset: Charset | None = None) -> int:
    """A bundled story, played live.

    Raises:
        UsageError: There is no such story, or the person's keymap cannot be.
    """

    def begin(left: ExitStack) -> Begun:
        from inspector.app.catalog import Demo

        demo = Demo(name, speed=speed)
        left.callback(demo.close)
        _load_ledger()
        return Begun(demo.open())

    return _run(begin, "a sample", charset)


def _load_ledger() -> None:
    """Load the main screen and all that it opens: the app's own thread would stand still meanwhile."""
    import inspector.app.screens.ledger  # noqa: F401 (loading it is all)


def _run(
    begin: Callable[[ExitStack], Begun], opening: str, charset: Charset | None, request: int | None = None
) -> int:
    """Run the app; a fault in it comes out here, once the terminal is as it was.

    Returns:
        The exit code: 0, or what tells of the signal that ended it.
    """
    with ExitStack() as left:
        begin_here: Begin = lambda: begin(left)  # noqa: E731 (a def would need a third name for it)
        app = InspectorApp(
            None, begin=begin_here, opening=opening, request=request, charset=charset, **_person()
        )
        app.run()
        if app.fault is not None:
            raise app.fault
        return app.return_code or 0
