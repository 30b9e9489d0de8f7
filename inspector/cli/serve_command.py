"""`inspector serve`: the app in a browser.

The session and its policy are looked at before anything is served, so that a mistake is told at the
terminal and not in a window; each window then starts `inspector open` with the same arguments.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import inspector
from inspector.cli.named import LIVE_UNWATCHED, scratch_directory, session_paths
from inspector.cli.output import Output
from inspector.cli.settings import policy_of
from inspector.errors import UnreadableError, UsageError
from inspector.serve.guard import loopback_address, new_token
from inspector.text import printable_line

MISSING = "the app in a browser needs what the extra `serve` installs: pip install 'inspector[serve]'"
HIGHEST_PORT = 65535


def serve_app(arguments: argparse.Namespace, output: Output) -> int:
    """`inspector serve`: until Ctrl-C."""
    host = loopback_address(arguments.host)
    if not 0 <= arguments.port <= HIGHEST_PORT:
        raise UsageError(f"--port wants a number up to {HIGHEST_PORT}, not {arguments.port}")
    try:
        from inspector.serve.server import Served, serve
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("inspector"):
            raise
        raise UsageError(MISSING) from None
    paths = _sessions_of(arguments)
    served = Served(
        argv=app_process(app_words(arguments, paths)),
        title=f"{printable_line(paths[0].stem)} · inspector" if paths else "inspector",
        token=new_token(),
        host=host,
        port=arguments.port,
    )

    def ready(address: str) -> None:
        output.text(address)
        output.flush()
        output.say("inspector: the address holds a secret: whoever knows it sees what the app shows")
        output.say("inspector: Ctrl-C stops")

    serve(served, ready=ready, say=lambda words: output.say(f"inspector: {words}"))
    return 0


def _sessions_of(arguments: argparse.Namespace) -> list[Path]:
    """The sessions, once their policies are known to be some; none: the list of sessions.

    Raises:
        UsageError: The arguments cannot be.
        UnreadableError: There is no such file.
    """
    if not arguments.paths and not arguments.latest:
        if arguments.policy or arguments.set or arguments.scratch or arguments.request is not None:
            raise UsageError("--policy, --set, --scratch and --request are about a session: name one")
        return []
    if arguments.live and arguments.no_follow:
        raise UsageError(LIVE_UNWATCHED)
    scratch_directory(arguments)
    paths = [path.absolute() for path in session_paths(arguments)]
    for path in paths:
        if not path.is_file():
            raise UnreadableError(f"{path}: there is no such file")
        policy_of(arguments, path, os.environ)
    return paths


def app_process(words: Sequence[str]) -> list[str]:
    """The process that runs the app as this one runs: nothing is imported from the current directory.

    Args:
        words: Its command line without the program's name.
    """
    home = str(Path(inspector.__file__).parent.parent)
    start = f"import sys; sys.path.append({home!r}); from inspector.cli import main; sys.exit(main())"
    return [sys.executable, "-P", "-c", start, *words]


def app_words(arguments: argparse.Namespace, paths: Sequence[Path]) -> list[str]:
    """The command line of the app that a window starts.

    Args:
        arguments: Those of `inspector serve`.
        paths: The sessions, absolute: nothing in a name can pass for an option.
    """
    common = [f"--root={arguments.root}"] if arguments.root is not None else []
    if getattr(arguments, "ascii", False):
        common.append("--ascii")
    if not paths:
        return common
    words = ["open", *common, *(f"--set={change}" for change in arguments.set)]
    for name in ("policy", "scratch", "request"):
        value = getattr(arguments, name)
        if value is not None:
            words.append(f"--{name}={value}")
    words += [
        option
        for option, is_on in (("--live", arguments.live), ("--no-follow", arguments.no_follow))
        if is_on
    ]
    return [*words, *map(str, paths)]
