"""Where the conformance tests find their data, so that they can be pointed at other data of the same form.

Pytest parametrises at collection time, before fixtures exist; that is why this is a module with a
function and not a fixture.
"""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "INSPECTOR_SHARED"
"""Environment variable that names the folder."""

DEFAULT = Path(__file__).resolve().parent.parent.parent.parent / "shared"
"""Beside the repository, where the variable is unset."""


class SharedDataMissingError(Exception):
    """The data was asked for but is not there: a failure, because a skip would look like a pass."""


def shared_root() -> Path | None:
    """The folder of shared data, or None where nobody asked for it and it is absent.

    Raises:
        SharedDataMissingError: The variable names a folder that does not exist.
    """
    named = os.environ.get(VARIABLE)
    root = Path(named).expanduser().resolve() if named else DEFAULT
    if root.is_dir():
        return root
    if named is None:
        return None
    raise SharedDataMissingError(f"{VARIABLE}={named!r} is no folder")


def shared_folder(name: str, pattern: str = "*") -> list[Path]:
    """What a folder of the shared data holds; empty (which pytest skips) only where there is no such data.

    Args:
        name: Folder below the root, such as `wire` or `vectors/chatcli`.
        pattern: Glob below it, such as `*/expect.json`.

    Returns:
        The matches in order of name, without hidden files and Markdown pages.

    Raises:
        SharedDataMissingError: The data is there or was asked for, but this part of it is missing or empty.
    """
    root = shared_root()
    if root is None:
        return []
    found = sorted(
        path for path in (root / name).glob(pattern) if path.suffix != ".md" and not path.name.startswith(".")
    )
    if not found:
        raise SharedDataMissingError(f"nothing matches {name}/{pattern} below {root}")
    return found
