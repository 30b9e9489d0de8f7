"""Opens a file in the person's editor or pager while the app steps aside.

The command comes from the environment and is split into an argument list; no shell ever sees the
path, which is an untrusted name.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from textual.app import App, SuspendNotSupported

from inspector.errors import UsageError
from inspector.reading.files import reason_of
from inspector.text import printable_line

EDITOR = ("VISUAL", "EDITOR")
PAGER = ("PAGER",)
_LINE_FORMS = {
    "code": ("--goto", "{path}:{line}"), "codium": ("--goto", "{path}:{line}"),
    "cursor": ("--goto", "{path}:{line}"), "zed": ("{path}:{line}",), "subl": ("{path}:{line}",),
    "hx": ("{path}:{line}",), "helix": ("{path}:{line}",), "mate": ("--line", "{line}", "{path}"),
}  # fmt: skip
"""Program → how it is told a line; all others understand `+LINE PATH`, as vi and emacs do."""


def command_line(
    names: tuple[str, ...], path: str, environ: Mapping[str, str] | None = None, line: int | None = None
) -> list[str]:
    """The argument list that opens a file.

    Args:
        names: Environment variables that may hold the command; the first that is set counts.
        path: The file. It is made absolute, so that no name can pass for an option.
        environ: Environment; None takes the process's own.
        line: Line to stand on, from 1; None says nothing about it.

    Raises:
        UsageError: None is set, or its quotes do not match.
    """
    environ = os.environ if environ is None else environ
    name = next((name for name in names if environ.get(name, "").strip()), None)
    if name is None:
        raise UsageError(f"Set ${names[-1]} to open files in a program of your own.")
    try:
        words = shlex.split(environ[name])
    except ValueError as error:
        raise UsageError(f"${name} cannot be read: {error}.") from None
    absolute = str(Path(path).absolute())
    if line is None:
        return [*words, absolute]
    form = _LINE_FORMS.get(Path(words[0]).name, ("+{line}", "{path}"))
    # Not `str.format`: a path may hold braces.
    return [*words, *(part.replace("{line}", str(line)).replace("{path}", absolute) for part in form)]


def open_outside(app: App[Any], names: tuple[str, ...], path: str, line: int | None = None) -> None:
    """Suspend the app and open a file; what goes wrong is told, not raised.

    Args:
        app: The app that steps aside.
        names: `EDITOR` or `PAGER`.
        path: The file.
        line: Line to stand on, from 1.
    """
    try:
        words = command_line(names, path, line=line)
        if not Path(path).is_file():
            raise UsageError(f"There is no file {path} to open.")
        with app.suspend():
            failure = _run(words)
        if failure:
            raise UsageError(failure)
    except SuspendNotSupported:
        app.notify("This terminal cannot be handed to another program.", severity="warning")
    except (UsageError, OSError, ValueError) as error:
        app.notify(printable_line(str(error)), severity="warning", markup=False)


def _run(words: list[str]) -> str:
    """Run a program to its end; what went wrong, or nothing.

    Nothing is raised: Textual would leave the app suspended, and its terminal dead. An interrupt is the
    program's own business meanwhile; it would end the app behind it.
    """
    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, _ignore) if is_main else None
    try:
        code = subprocess.run(words, check=False).returncode
    except (OSError, ValueError) as error:
        return f"{words[0]} cannot be started: {reason_of(error)}."
    finally:
        if is_main:
            signal.signal(signal.SIGINT, before)
    return f"{words[0]} ended with code {code}." if code else ""


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """Unlike `SIG_IGN`, this is not inherited by the program."""
