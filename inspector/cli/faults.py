"""Faults of the inspector itself: a sentence for people, and on request the traceback in a file.

A traceback quotes texts of the session, so it passes the gate and never goes to the terminal.
"""

from __future__ import annotations

import secrets
import traceback
from collections.abc import Mapping
from pathlib import Path

from inspector import __version__
from inspector.text import fit, printable
from inspector.whole_files import write_new

_REASON_CELLS = 200


def fault_words(fault: BaseException, *, debug: bool, environment: Mapping[str, str]) -> str:
    """What is said of a fault; with `debug` its traceback is kept.

    Args:
        fault: What was raised.
        debug: Whether to write the traceback to the user's state directory.
        environment: `XDG_STATE_HOME` and `HOME` are asked for.
    """
    said = fit(str(fault), _REASON_CELLS)
    words = f"a fault in the inspector itself: {type(fault).__name__}{': ' if said else ''}{said}"
    if not debug:
        return f"{words}; --debug writes its traceback to a file"
    directory = state_directory(environment)
    try:
        return f"{words}; its traceback is in {_keep(fault, directory)}"
    except OSError as error:
        return f"{words}; its traceback could not be kept in {directory}: {error.strerror or error}"


def state_directory(environment: Mapping[str, str]) -> Path:
    """Where the user's state lies (XDG base directories); without a home, the temporary directory.

    Args:
        environment: `XDG_STATE_HOME` and `HOME` are asked for.
    """
    named, home = environment.get("XDG_STATE_HOME", ""), environment.get("HOME", "")
    if Path(named).is_absolute():
        return Path(named, "inspector")
    if Path(home).is_absolute():
        return Path(home, ".local", "state", "inspector")
    import tempfile  # only where there is a fault to write down

    return Path(tempfile.gettempdir(), "inspector")


def _keep(fault: BaseException, directory: Path) -> Path:
    """Write a traceback to a new file that only the user may read."""
    directory.mkdir(parents=True, exist_ok=True)
    text = "".join(traceback.format_exception(fault))
    path = directory / f"fault-{secrets.token_hex(6)}.txt"
    write_new(path, f"inspector {__version__}\n{printable(text)}".encode())
    return path
