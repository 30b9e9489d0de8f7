"""The words of a call, understood: which command it is, and with which arguments.

The parser of a command is made only where it is needed: those of all commands together take longer
than to read a small session.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Container, Sequence

from inspector import __version__
from inspector.cli.command_arguments import COMMANDS, Later, add_roots
from inspector.cli.parser import Formatter, Parser
from inspector.errors import UsageError

_EXAMPLES = """\
examples:
  inspector                          pick a session
  inspector A.jsonl B.jsonl          these sessions, each in a tab
  inspector demo                     watch a bundled sample session being written
  inspector open --latest            the newest session, live
  inspector serve --latest           the same in a browser
  inspector report PATH              what the pipeline does to a session
  inspector why PATH                 why the context is as large as it is
  inspector scan DIR                 many sessions, one row each
  inspector check PATH... --json     findings for a script; exit 0 none, 1 some, 2 unusable
  inspector wire PATH --request 12   the messages of request 12 as JSON
  inspector help                     topics: policies, findings, exit-codes, files
  inspector run PATH --scratch DIR   the pipeline for real: files, records, managed history
"""


def with_command(words: Sequence[str], known: Container[str]) -> list[str]:
    """The words of a call; files without a command before them are to be opened.

    Args:
        words: The command line without the program's name.
        known: Names of all commands.
    """
    for place, word in enumerate(words):
        if word.startswith("-") or (place and words[place - 1] == "--root"):
            continue
        is_file = "/" in word or os.path.isfile(word)  # noqa: PTH113 - never raises
        return ["open", *words] if is_file and word not in known else list(words)
    return list(words)


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """The arguments of a call.

    Args:
        words: The command line without the program's name.

    Raises:
        UsageError: It cannot be understood.
        SystemExit: It asked for a help or the version, which has been printed.
    """
    words = with_command(words, COMMANDS)
    only = words[0] if words and words[0] in COMMANDS else None
    arguments, unknown = parser(only).parse_known_args(words)
    if unknown:
        called = "inspector" if only is None else f"inspector {only}"
        raise UsageError(
            f"unrecognized arguments: {' '.join(unknown)}; `{called} --help` shows how it is called"
        )
    return arguments


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """The whole command line.

    Args:
        only: The one command that is called; None: all of them.
    """
    top = Parser(
        prog="inspector",
        description="The debugger for an agent's context window.",
        epilog=_EXAMPLES,
        formatter_class=Formatter,
    )
    top.add_argument("--version", action="version", version=f"inspector {__version__}")
    add_roots(top)
    top.set_defaults(run=Later("pick", "app_commands"), root=None)
    commands_ = top.add_subparsers(title="commands", metavar="COMMAND", prog=top.prog)
    for name in COMMANDS if only is None else (only,):
        COMMANDS[name](commands_)
    for command in (top, *commands_.choices.values()):
        command.add_argument(
            "--debug",
            action="store_true",
            default=argparse.SUPPRESS,
            help="write the traceback of a fault in the inspector to a file",
        )
        command.add_argument(
            "--ascii",
            action=argparse.BooleanOptionalAction,
            default=argparse.SUPPRESS,
            help="draw all signs in ASCII, or none (default: where the terminal lacks the others)",
        )
    return top
