"""Arguments and exit codes; the only writer to stdout and stderr."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from inspector import __version__


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: Arguments without the program's name; `None` takes the process's own.

    Returns:
        The exit code.
    """
    parser = argparse.ArgumentParser(prog="inspector")
    parser.add_argument("--version", action="version", version=f"inspector {__version__}")
    parser.parse_args(argv)
    return 0
