"""`inspector serve`: the app in a browser.

The session and its policy are looked at before anything is served, so that a mistake is told at the
terminal and not in a window; each window then starts `inspector open` with the same arguments.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from inspector.cli.commands import session_path
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
    path = _session_of(arguments)
    served = Served(
        argv=[sys.executable, "-m", "inspector", *app_words(arguments, path)],
        title=f"{printable_line(path.stem)} · inspector" if path is not None else "inspector",
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


def _session_of(arguments: argparse.Namespace) -> Path | None:
    """The session, once its policy is known to be one; None: the list of sessions.

    Raises:
        UsageError: The arguments cannot be.
        UnreadableError: There is no such file.
    """
    if not arguments.path and not arguments.latest:
        if arguments.policy or arguments.set or arguments.scratch or arguments.request is not None:
            raise UsageError("--policy, --set, --scratch and --request are about one session: name it")
        return None
    path = session_path(arguments).absolute()
    if not path.is_file():
        raise UnreadableError(f"{path}: there is no such file")
    policy_of(arguments, path, os.environ)
    return path


def app_words(arguments: argparse.Namespace, path: Path | None) -> list[str]:
    """The command line of the app that a window starts.

    Args:
        arguments: Those of `inspector serve`.
        path: The session, absolute: nothing in its name can pass for an option.
    """
    common = [f"--root={arguments.root}"] if arguments.root is not None else []
    if getattr(arguments, "ascii", False):
        common.append("--ascii")
    if path is None:
        return common
    words = ["open", *common, *(f"--set={change}" for change in arguments.set)]
    for name in ("policy", "scratch", "request"):
        value = getattr(arguments, name)
        if value is not None:
            words.append(f"--{name}={value}")
    if arguments.no_follow:
        words.append("--no-follow")
    return [*words, str(path)]
