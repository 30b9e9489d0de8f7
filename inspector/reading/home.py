"""The home of whoever runs this, and what lies there: asked for before anything of a session is loaded."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

NO_HOME = Path("/nonexistent")
"""What Debian gives to users without a home: nothing is there, and nobody but root can make it."""

OFF_VARIABLE = "INSPECTOR_CACHE"
"""`off` in the environment: nothing is kept, and nothing kept is used."""


def home_directory() -> Path:
    """The home of whoever runs this; a user of a container may have none at all."""
    try:
        return Path.home()
    except RuntimeError:
        return NO_HOME


def index_directory(environment: Mapping[str, str], home: Path) -> Path | None:
    """Where readings are kept: in `$XDG_CACHE_HOME/inspector`, else in `~/.cache/inspector`.

    Args:
        environment: Also says whether any are (`OFF_VARIABLE`).
        home: The home directory.
    """
    if environment.get(OFF_VARIABLE, "").lower() == "off":
        return None
    named = environment.get("XDG_CACHE_HOME", "")
    root = Path(named) if named and Path(named).is_absolute() else home / ".cache"
    return root / "inspector" / "index"
