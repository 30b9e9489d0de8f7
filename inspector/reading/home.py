"""The home of whoever runs this: asked for before anything of a session is loaded."""

from __future__ import annotations

from pathlib import Path

NO_HOME = Path("/nonexistent")
"""What Debian gives to users without a home: nothing is there, and nobody but root can make it."""


def home_directory() -> Path:
    """The home of whoever runs this; a user of a container may have none at all."""
    try:
        return Path.home()
    except RuntimeError:
        return NO_HOME
