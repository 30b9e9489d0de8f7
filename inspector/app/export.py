"""The screen shown, as text and as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.app import App

from inspector.app.saving import default_directory, file_name, free_path, save_new
from inspector.reading.home import home_directory


def screen_text(app: App[Any]) -> str:
    """What the screen shows, row by row, without colours.

    Args:
        app: The app, with the screen to take on top.
    """
    # The compositor is not public, but holds the only rows that are exactly what is on the screen.
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips) + "\n"


def export_view(app: App[Any], form: str, session: str, title: str) -> Path:
    """Save the screen to a new file in the current directory, never beside the session.

    Args:
        app: The app.
        form: `svg` or `txt`.
        session: Path of the session; empty where there is none.
        title: Words for the file's name; untrusted.

    Returns:
        The file.

    Raises:
        UsageError: It cannot be written.
    """
    name = file_name("inspector", title, ending=f".{form}")
    path = free_path(default_directory(session, Path.cwd(), home_directory()), name)
    text = screen_text(app) if form == "txt" else app.export_screenshot(title="inspector")
    save_new(path, text.encode("utf-8", "replace"))
    return path
