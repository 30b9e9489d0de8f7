"""`Prompt`: a one-line input whose text has passed the gate, typed or pasted."""

from __future__ import annotations

from textual.widgets import Input

from inspector.text import printable_line


class Prompt(Input):
    """An input without a frame; a pasted escape sequence shows as pictures and stays text."""

    DEFAULT_CSS = """
    Prompt, Prompt:focus {
        border: none; padding: 0; height: 1; background: $bg; background-tint: $bg 0%; color: $fg;
    }
    """

    def validate_value(self, value: str) -> str:
        """Pass every new value through the gate before it can be drawn."""
        return printable_line(value)
