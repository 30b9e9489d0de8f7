"""The commands that open the app. They load little: what is drawn first must not wait for the rest."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from inspector.alphabet import Charset, charset_of
from inspector.cli.collector import collect_for_screens
from inspector.cli.named import LIVE_UNWATCHED
from inspector.errors import UsageError

if TYPE_CHECKING:
    from inspector.app.run import Wanted
    from inspector.cli.output import Output


def pick(arguments: argparse.Namespace, output: Output) -> int:
    """`inspector`: the picker."""
    _needs_terminal(output)
    if arguments.root is not None:
        from inspector.cli.named import needs_directory

        needs_directory(arguments.root)
    collect_for_screens()
    from inspector.app.run import run_picker
    from inspector.reading.chatcli_places import chatcli_places
    from inspector.reading.home import home_directory
    from inspector.reading.locate import known_places

    home = home_directory()
    places = known_places(os.environ, home, arguments.root)
    return run_picker(places, chatcli_places(os.environ, home), charset=_charset(arguments))


def open_app(arguments: argparse.Namespace, output: Output) -> int:
    """`inspector open`: the app on one session, or on several in tabs."""
    _needs_terminal(output)
    if arguments.live and arguments.no_follow:
        raise UsageError(LIVE_UNWATCHED)
    collect_for_screens()
    from inspector.app.run import run_session

    # A file's name says what to open, so that the screen can be drawn before anything is looked at.
    # All other words may be mistaken, and a mistake is better told before the screen is taken.
    plain = len(arguments.paths) == 1 and os.path.isfile(arguments.paths[0])  # noqa: PTH113 - never raises
    if plain and not arguments.policy and not arguments.set and not arguments.scratch:
        name = str(arguments.paths[0])
        want = lambda: _wanted(arguments)  # noqa: E731 (both ways in one place)
    else:
        wanted = _wanted(arguments)
        name = str(wanted.path)
        want = lambda: wanted  # noqa: E731 (likewise)
    return run_session(
        want,
        name=name,
        request=arguments.request,
        follow=not arguments.no_follow,
        charset=_charset(arguments),
    )


def _wanted(arguments: argparse.Namespace) -> Wanted:
    from inspector.app.run import Beside, Wanted
    from inspector.cli.named import scratch_directory, session_paths
    from inspector.cli.settings import policy_of
    from inspector.reading.chatcli_places import chatcli_places
    from inspector.reading.home import home_directory
    from inspector.reading.locate import known_places

    path, *others = session_paths(arguments)
    policy, origins = policy_of(arguments, path, os.environ)
    beside = [Beside(other, *policy_of(arguments, other, os.environ)) for other in others]
    home = home_directory()
    places = known_places(os.environ, home, arguments.root)
    chatcli = chatcli_places(os.environ, home)
    scratch = scratch_directory(arguments)
    return Wanted(path, policy, origins, scratch, places, chatcli, beside, arguments.live)


def demo(arguments: argparse.Namespace, output: Output) -> int:
    """`inspector demo`: a sample session, played into a temporary directory while the app follows."""
    if arguments.stories:
        from inspector.samples import stories

        for story in stories():
            output.text(f"{story.name:24} {story.line}")
        return 0
    _needs_terminal(output)
    collect_for_screens()
    from inspector.app.run import run_demo

    return run_demo(arguments.story, speed=arguments.speed, charset=_charset(arguments))


def _charset(arguments: argparse.Namespace) -> Charset:
    """What the app may draw with; it draws to stderr, or to a browser, which has every sign."""
    asked: bool | None = getattr(arguments, "ascii", None)
    if _is_served():
        return Charset(bool(asked))
    return charset_of(asked, os.environ, sys.stderr.encoding if sys.stderr else None)


def _is_served() -> bool:
    driver = os.environ.get("TEXTUAL_DRIVER")  # `DRIVER_VARIABLE`; not loaded where nobody sets it
    if not driver:
        return False
    from inspector.serve import DRIVER

    return driver == DRIVER


def _needs_terminal(output: Output) -> None:
    if _is_served():
        return  # a browser is the terminal, and `inspector serve` has started us
    if not output.messages_to_terminal:  # the app draws to stderr, so that stdout stays free
        raise UsageError("the app needs a terminal; report, check, wire, overflow and run work without one")
