"""What each command takes: its arguments, its help, its examples, and the code that it runs."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from inspector.cli.examples import EXAMPLES
from inspector.cli.parser import Formatter, Parser

if TYPE_CHECKING:
    from inspector.cli.output import Output


class Later:
    """A command that is imported when it is run: help and mistakes need none of them."""

    def __init__(self, name: str, module: str = "commands") -> None:
        """Args:
        name: A function of the module.
        module: A module of this package.
        """
        self.name = name
        self.module = module

    def load(self) -> Callable[[argparse.Namespace, Output], int]:
        """The command itself."""
        command: Callable[[argparse.Namespace, Output], int]
        command = getattr(import_module(f"inspector.cli.{self.module}"), self.name)
        return command

    def __call__(self, arguments: argparse.Namespace, output: Output) -> int:
        """Run it; returns the exit code."""
        return self.load()(arguments, output)


_Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


def add_roots(parser: argparse.ArgumentParser) -> None:
    """Add `--root`, which counts in front of a command and behind it.

    Args:
        parser: The command's, or that of the whole line.
    """
    # A command that had a default of its own would undo what stands in front of it.
    parser.add_argument(
        "--root",
        type=Path,
        metavar="DIR",
        default=argparse.SUPPRESS,
        help="look for sessions below DIR",
    )


def _session(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", metavar="PATH|ID", help="a session's file, or its id")
    _chosen(parser)


def _sessions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH|ID", help="a session's file, or its id; several open in tabs"
    )
    _chosen(parser)
    parser.add_argument("--request", type=int, metavar="N", help="start at request N")
    parser.add_argument("--no-follow", action="store_true", help="do not watch the file; take it as finished")


def _chosen(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--latest", action="store_true", help="the newest known session")
    add_roots(parser)
    _policy(parser)


def _policy(parser: argparse.ArgumentParser) -> None:
    _rules(parser)
    parser.add_argument("--scratch", type=Path, metavar="DIR", help="the session's scratch directory")
    parser.add_argument("--live", action="store_true", help="the session is still being written")


def _rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--policy",
        metavar="NAME|FILE",
        help="documented, claude-code, chatcli, or a TOML file (default: what wrote the session)",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="change one field of the policy, such as budget.turn_limit=50000",
    )


def _filter(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument(
        "--filter",
        metavar="EXPR",
        help=f"only {what}, such as 'tool:Bash size>20000 -is:error' (see `inspector help filter`)",
    )


def _open(commands_: _Commands) -> None:
    command = commands_.add_parser(
        "open",
        help="the app on one session, or on several in tabs",
        epilog=EXAMPLES["open"],
        formatter_class=Formatter,
    )
    _sessions(command)
    command.set_defaults(run=Later("open_app", "app_commands"))


_SERVE = """\
Serves the app to a browser of this machine. The address that is printed holds a random secret, new
with every start: whoever knows it sees what the app shows. Every window is an app of its own; all of
them end with Ctrl-C. Without PATH it begins with the list of sessions.
"""


def _serve(commands_: _Commands) -> None:
    command = commands_.add_parser(
        "serve",
        help="the app in a browser of this machine",
        description=_SERVE,
        epilog=EXAMPLES["serve"],
        formatter_class=Formatter,
    )
    _sessions(command)
    command.add_argument(
        "--port", type=int, default=0, metavar="N", help="port to listen on (default: one that is free)"
    )
    command.add_argument(
        "--host",
        default="localhost",
        metavar="NAME",
        help="loopback address to listen on (default localhost)",
    )
    command.set_defaults(run=Later("serve_app", "serve_command"))


def _demo(commands_: _Commands) -> None:
    command = commands_.add_parser(
        "demo",
        help="play a bundled sample session live and open the app on it",
        epilog=EXAMPLES["demo"],
        formatter_class=Formatter,
    )
    command.add_argument("story", nargs="?", metavar="STORY", help="which sample (default: the first)")
    command.add_argument("--speed", type=float, default=1.0, metavar="X", help="times faster (default 1)")
    command.add_argument("--stories", action="store_true", help="list the samples and end")
    command.set_defaults(run=Later("demo", "app_commands"))


def _list(commands_: _Commands) -> None:
    command = commands_.add_parser(
        "list",
        help="known sessions, newest first",
        epilog=EXAMPLES["list"],
        formatter_class=Formatter,
    )
    add_roots(command)
    command.add_argument("--json", action="store_true", help="as JSON")
    command.add_argument("--limit", type=int, default=50, metavar="N", help="most rows (default 50; 0: all)")
    command.set_defaults(run=Later("list_sessions_", "list_command"))


def _report(commands_: _Commands) -> None:
    command = commands_.add_parser(
        "report",
        help="the whole analysis of a session",
        epilog=EXAMPLES["report"],
        formatter_class=Formatter,
    )
    _session(command)
    command.add_argument("--format", choices=("text", "json", "markdown", "html"), default="text")
    command.add_argument("--schema", action="store_true", help="print the JSON Schema of the JSON form")
    command.add_argument(
        "--resume-after", type=int, metavar="LINE", help="add what a resume after LINE would do (json)"
    )
    command.add_argument("--agent", default="", metavar="ID", help="only this sub-agent (text and json)")
    _filter(command, "results that match, one a line (text and json)")
    command.set_defaults(run=Later("report"))


def _why(commands_: _Commands) -> None:
    command = commands_.add_parser(
        "why",
        help="ranked causes of context growth",
        epilog=EXAMPLES["why"],
        formatter_class=Formatter,
    )
    _session(command)
    command.add_argument("--json", action="store_true", help="as JSON")
    command.add_argument(
        "--under", type=int, metavar="TOKENS", help="find the limit that keeps it below this"
    )
    command.add_argument("--limit", type=int, default=10, metavar="K", help="most causes (default 10)")
    command.add_argument(
        "--request", type=int, metavar="N", help="take request N apart (default: the fullest)"
    )
    command.add_argument("--no-advice", action="store_true", help="do not replay under other limits")
    command.set_defaults(run=Later("why"))


def _check(commands_: _Commands) -> None:
    command = commands_.add_parser(
        "check",
        help="findings; exit 0 none of the failing kinds, 1 some, 2 unusable",
        epilog=EXAMPLES["check"],
        formatter_class=Formatter,
    )
    command.add_argument("paths", nargs="*", metavar="PATH", help="a session's file; one or more")
    _policy(command)
    command.add_argument(
        "--fail-on",
        default="error",
        metavar="KINDS",
        help="error, warning, info, or kinds with commas between (default: error)",
    )
    command.add_argument("--format", choices=("text", "json", "sarif", "junit"), default="text")
    command.add_argument("--json", action="store_true", help="the same as --format json")
    command.add_argument(
        "--baseline",
        type=Path,
        metavar="FILE",
        help="output of an earlier check --json: what it holds is known",
    )
    _filter(command, "findings that match: their kind and request, and the results that they name")
    command.set_defaults(run=Later("check"))


def _wire(commands_: _Commands) -> None:
    command = commands_.add_parser(
        "wire",
        help="the messages of a request as JSON",
        epilog=EXAMPLES["wire"],
        formatter_class=Formatter,
    )
    _session(command)
    which = command.add_mutually_exclusive_group(required=True)
    which.add_argument("--request", type=int, metavar="N")
    which.add_argument("--all", action="store_true", help="every request, as JSON Lines")
    command.add_argument("--full", action="store_true", help="with --all: whole bodies, not only what is new")
    command.add_argument("--recorded", action="store_true", help="what the transcript itself recorded")
    command.add_argument(
        "--prompt", metavar="TEXT", help="for the pending request of a finished session: resume with TEXT"
    )
    command.add_argument("--agent", default="", metavar="ID", help="a sub-agent's requests")
    command.set_defaults(run=Later("wire"))


def _scan(commands_: _Commands) -> None:
    command = commands_.add_parser(
        "scan",
        help="many sessions: one row each",
        epilog=EXAMPLES["scan"],
        formatter_class=Formatter,
    )
    command.add_argument("directory", type=Path, metavar="DIR", help="look for sessions in and below DIR")
    command.add_argument("--format", choices=("text", "json", "csv", "parquet"), default="text")
    command.add_argument("--out", type=Path, metavar="FILE", help="write there (needed for parquet)")
    command.add_argument("--jobs", type=int, metavar="N", help="worker processes (default: one a core)")
    command.add_argument("--no-cache", action="store_true", help="neither use nor keep earlier results")
    command.set_defaults(run=Later("scan", "scan_command"))


def _help(commands_: _Commands) -> None:
    command = commands_.add_parser("help", help="explain a topic")
    command.add_argument(
        "topic", nargs="?", metavar="TOPIC", help="one of the list that `inspector help` prints"
    )
    command.set_defaults(run=Later("help_topic"))


def _completion(commands_: _Commands) -> None:
    command = commands_.add_parser(
        "completion",
        help="print a completion script for a shell",
        epilog=EXAMPLES["completion"],
        formatter_class=Formatter,
    )
    command.add_argument("shell", choices=("bash", "zsh", "fish"))
    command.set_defaults(run=Later("completion"))


def _overflow(commands_: _Commands) -> None:
    command = commands_.add_parser(
        "overflow",
        help="overflow files and their state, or one of them",
        epilog=EXAMPLES["overflow"],
        formatter_class=Formatter,
    )
    command.add_argument("path", metavar="PATH|ID", help="a session's file, or its id")
    command.add_argument("id", nargs="?", metavar="RESULT", help="tool_use id, file name or <<ccr:KEY>>")
    command.add_argument("--lines", metavar="A:B", help="only these lines")
    command.add_argument("--json", action="store_true", help="the list as JSON")
    add_roots(command)
    _policy(command)
    _filter(command, "files of results that match")
    command.set_defaults(run=Later("overflow"), latest=False)


_RUN = """\
Runs every request of a session through the pipeline, from the first to the last, with the budget
on, as an agent loop would have done it. Overflow files go to --scratch; nothing else is written
unless it is named. A second run gives the same bytes.

exit codes:
  0  done
  1  done, but some results could not be written to --scratch and stay in full
  2  the session, the policy or an output cannot be used
"""


def _run(commands_: _Commands) -> None:
    command = commands_.add_parser(
        "run",
        help="the pipeline for real: overflow files, records, managed history",
        description=_RUN,
        epilog=EXAMPLES["run"],
        formatter_class=Formatter,
    )
    command.add_argument(
        "path", nargs="?", metavar="PATH|ID|-", help="a session's file, its id, or - (stdin)"
    )
    command.add_argument("--latest", action="store_true", help="the newest known session")
    add_roots(command)
    _rules(command)
    command.add_argument(
        "--scratch", type=Path, required=True, metavar="DIR", help="where overflow files go; made if absent"
    )
    command.add_argument(
        "--out", metavar="FILE", help="the messages of the last request, as a JSON list; - is stdout"
    )
    command.add_argument(
        "--records", metavar="FILE", help="the replacement records, as JSON Lines; - is stdout"
    )
    command.add_argument("--agent", default="", metavar="ID", help="a sub-agent's conversation")
    command.set_defaults(run=Later("run_pipeline", "run_command"))


def _compare(commands_: _Commands) -> None:
    command = commands_.add_parser(
        "compare",
        help="two policies side by side, or two requests, as predicted or as recorded",
        epilog=EXAMPLES["compare"],
        formatter_class=Formatter,
    )
    command.add_argument("path", nargs="?", metavar="PATH|ID", help="a session's file, or its id")
    command.add_argument("other", nargs="?", metavar="BODY", help="PATH and BODY are two request bodies")
    command.add_argument("--latest", action="store_true", help="the newest known session")
    command.add_argument(
        "--policy",
        dest="policies",
        action="append",
        default=[],
        metavar="NAME|FILE",
        help="give it twice: A, then B; once: B, and A is what wrote the session. A name, a TOML file, "
        "or recorded: only what the session's own records prove",
    )
    command.add_argument("--request", type=int, metavar="N", help="two requests: the later one")
    command.add_argument("--against", type=int, metavar="M", help="the other one (default: the one before)")
    command.add_argument("--recorded", action="store_true", help="both as the transcript recorded them")
    command.add_argument("--agent", default="", metavar="ID", help="requests of a sub-agent")
    command.add_argument("--live", action="store_true", help="the session is still being written")
    command.add_argument("--json", action="store_true", help="as JSON")
    add_roots(command)
    command.set_defaults(run=Later("compare", "compare_command"), policy=None, set=[], scratch=None)


COMMANDS: dict[str, Callable[[_Commands], None]] = {
    "open": _open,
    "serve": _serve,
    "demo": _demo,
    "list": _list,
    "report": _report,
    "why": _why,
    "check": _check,
    "wire": _wire,
    "overflow": _overflow,
    "scan": _scan,
    "help": _help,
    "completion": _completion,
    "run": _run,
    "compare": _compare,
}
"""Command → what adds it to the command line; in the order of the help."""
