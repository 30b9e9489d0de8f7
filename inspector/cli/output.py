"""The two streams: results to stdout, messages to stderr; text passes the printable gate on the way."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from inspector.alphabet import Charset, in_ascii
from inspector.errors import UnwritableError
from inspector.text import printable, printable_line

_COLUMNS = 80
"""Where no terminal says how wide it is."""


class Output:
    """Where a command writes."""

    def __init__(self, out: TextIO | None, err: TextIO | None) -> None:
        """Args:
        out: For results; None (a closed stream): nowhere.
        err: For messages; likewise.
        """
        self._out = out or _nowhere()
        self._err = err or _nowhere()
        self.charset = Charset()
        """What texts for people are written with."""

    @property
    def is_terminal(self) -> bool:
        """Whether results go to a terminal."""
        return self._out.isatty()

    @property
    def encoding(self) -> str:
        """Codec of the results."""
        return self._out.encoding or "utf-8"

    @property
    def messages_to_terminal(self) -> bool:
        """Whether messages go to a terminal: only then is progress drawn."""
        return self._err.isatty()

    def text(self, text: str, *, own: bool = True) -> None:
        """A result for people. No control character of a session gets through.

        Args:
            text: The result.
            own: Whether it is ours, with our signs in it, and not a text of a session.
        """
        shown = printable(text)
        self._write((in_ascii(shown) if own and self.charset.ascii else shown) + "\n")

    def data(self, text: str) -> None:
        """A result for programs, already escaped (see `report.json_text`)."""
        self._write(text + "\n")

    def raw(self, data: bytes) -> None:
        """Exact bytes, for a pipe; the caller has asked that no terminal reads them."""
        with self._told():
            self._out.flush()
            self._out.buffer.write(data)

    def say(self, message: str) -> None:
        """A message for people: one line, whatever a path or a reason in it holds."""
        with suppress(BrokenPipeError):  # nobody is left to be told
            self._err.write(self._message(message) + "\n")

    def progress(self, message: str) -> None:
        """A line that the next one overwrites; nothing where no terminal reads it."""
        if self.messages_to_terminal:
            self._err.write(f"\r{self._message(message)}\x1b[K")
            self._err.flush()

    def _message(self, message: str) -> str:
        shown = printable_line(message)
        return in_ascii(shown) if self.charset.ascii else shown

    def flush(self) -> None:
        """Hand everything over.

        Raises:
            UnwritableError: It could not be written, as in every method that writes a result.
        """
        with self._told():
            self._out.flush()

    def abandon(self) -> None:
        """Send what is still buffered nowhere, so that closing does not fail again."""
        with suppress(OSError):  # a stream without a descriptor keeps nothing back
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._out.fileno())

    def _write(self, text: str) -> None:
        # A terminal with a narrow encoding gets escapes instead of a failure.
        encoding = self.encoding
        with self._told():
            self._out.write(text.encode(encoding, "backslashreplace").decode(encoding))

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn a failed write into words; a reader that left is another matter (see `cli.main`)."""
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError as error:
            self.abandon()
            raise UnwritableError(f"stdout: {error.strerror or error}") from error


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")  # as long-lived as the stream it stands for


def terminal_columns() -> int:
    """How wide the terminal is, as `shutil.get_terminal_size` says it; that loads every kind of packing."""
    with suppress(ValueError):
        if (columns := int(os.environ.get("COLUMNS", ""))) > 0:
            return columns
    stream = sys.__stdout__
    if stream is not None:  # a program without a console has none
        with suppress(ValueError, OSError):  # closed, detached, or no terminal
            return os.get_terminal_size(stream.fileno()).columns or _COLUMNS
    return _COLUMNS
