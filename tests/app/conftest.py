"""Every picture is the same on every machine: no animation, no blinking cursor, colours on."""

from __future__ import annotations

import pytest
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.widgets import Input


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("COLORFGBG", raising=False)
    monkeypatch.setattr(Input.cursor_blink, "_default", False)
    # All apps of a process share one: that of an ASCII app stayed for the pictures behind it.
    monkeypatch.setattr(ScrollBar, "renderer", ScrollBarRender)
