"""The two ways in which another process is started, for tests of what it does."""

from __future__ import annotations

import pytest

from inspector.reading import others

WAYS = ("copy", "interpreter")


def start_by(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start other processes in one of the two ways, whatever suits the process that runs the tests."""
    monkeypatch.setattr(others, "may_be_copied", lambda: way == "copy")


def run_instead(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let another process run this instead of reading."""
    start_by("interpreter", monkeypatch)
    monkeypatch.setattr(others, "_START", code)
