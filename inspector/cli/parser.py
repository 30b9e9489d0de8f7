"""A parser of command lines with complaints, help and an order of words of our own."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from inspector.cli.output import terminal_columns
from inspector.errors import UsageError


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are told like all others: one printable sentence, exit code 2.

    Options may stand between the names of files, as in `check A --json B`.
    """

    _in_pieces = False
    """Options are being told from names: the standard library calls the same method for both."""

    def parse_known_args(  # type: ignore[override]  # two overloads there, one way of calling here
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """What is understood of the words, and what is not."""
        if self._in_pieces or self._subparsers is not None or "--" in (args or ()):
            # Behind a command all words are its own, and behind -- all are names.
            return super().parse_known_args(args, namespace)
        self._in_pieces = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._in_pieces = False

    def error(self, message: str) -> NoReturn:
        """A call that cannot be understood.

        Raises:
            UsageError: Always.
        """
        raise UsageError(f"{message}; `{self.prog} --help` shows how it is called")


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal. One is made for each argument, to look at its name."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=terminal_columns() - 2)
