"""Arguments and exit codes; the only writer to stdout and stderr.

This module is the installed program: it loads next to nothing, so that what a command costs before
it begins is its own.
"""

from __future__ import annotations

import sys

from inspector import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: Arguments without the program's name; `None` takes the process's own.

    Returns:
        The exit code: 0 fine, 1 `check` found something of a failing kind, 2 the call or its input
        cannot be used, 3 a fault of our own.
    """
    words = sys.argv[1:] if argv is None else list(argv)
    if words == ["--version"] and _version_said():
        return 0
    from inspector.cli.collector import collect_rarely

    collect_rarely()  # first, since it also spares what is loaded now
    from inspector.cli.call import call

    return call(words)


def _version_said() -> bool:
    """Print the version without a parser, which costs three times the start of an interpreter.

    Returns:
        Whether it could be written; if not, the ordinary way says what is wrong.
    """
    try:
        sys.stdout.write(f"inspector {__version__}\n")
        sys.stdout.flush()
    except (AttributeError, OSError, ValueError):
        return False
    return True
