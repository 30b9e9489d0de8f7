"""Which sessions a call names: by path, by id, or the newest. Only an id makes anybody look for sessions."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from inspector.errors import UsageError

MOST_SESSIONS = 20
"""As many as the app has tabs for (`app.tabs`), stated here because that module loads the app."""
LIVE_UNWATCHED = "--live and --no-follow are opposites: a session that is not watched is taken as finished"


def session_path(arguments: argparse.Namespace) -> Path:
    """The file that a command names: a path, an id, or the newest one.

    Raises:
        UsageError: Nothing is named.
        UnreadableError: There is no such session.
    """
    if arguments.path and (os.path.exists(arguments.path) or "/" in arguments.path):  # noqa: PTH110 - never raises
        return Path(arguments.path)
    if not arguments.path and not arguments.latest:
        raise UsageError("name a session: PATH, an id, or --latest")
    needs_directory(arguments.root)
    from inspector.reading.home import home_directory
    from inspector.reading.locate import find_session, known_places, latest_session, list_sessions

    sessions = list_sessions(known_places(os.environ, home_directory(), arguments.root)).sessions
    return latest_session(sessions).path if arguments.latest else find_session(sessions, arguments.path).path


def session_paths(arguments: argparse.Namespace) -> list[Path]:
    """The files that a command of several sessions names, each once, in their order.

    Raises:
        UsageError: Nothing is named, too many are, or what is said of one session is said of several.
        UnreadableError: There is no such session.
    """
    names = list(dict.fromkeys(arguments.paths)) or [None]
    if len(names) > MOST_SESSIONS:
        raise UsageError(f"{len(names)} sessions are named; at most {MOST_SESSIONS} are open side by side")
    if len(names) > 1 and (arguments.scratch or arguments.request is not None):
        raise UsageError("--scratch and --request are about one session: name only one")
    each = [argparse.Namespace(**{**vars(arguments), "path": name}) for name in names]
    return [session_path(one) for one in each]


def needs_directory(root: Path | None) -> None:
    """A place that somebody names must be there; those that are looked in anyway need not.

    Raises:
        UsageError: It is not.
    """
    if root is not None and not os.path.isdir(root):  # noqa: PTH112 - never raises
        raise UsageError(f"{root}: there is no such directory")


def scratch_directory(arguments: argparse.Namespace) -> Path | None:
    """What `--scratch` names; a session that is still written may make it later.

    Raises:
        UsageError: There is no such directory: every overflow file would be taken for missing.
    """
    scratch: Path | None = arguments.scratch
    if not arguments.live:
        needs_directory(scratch)
    return scratch
