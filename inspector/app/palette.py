"""`Palette`: Textual's command palette, proof against pasted texts and terminals without room for it."""

from __future__ import annotations

from contextlib import suppress

from textual import work
from textual.app import ComposeResult
from textual.command import CommandInput, CommandPalette
from textual.css.query import NoMatches

from inspector.text import printable_line

_GATHER = CommandPalette._gather_commands.__wrapped__  # type: ignore[attr-defined]  # what runs in its worker


class PaletteInput(CommandInput):
    """Its line of input, whose text has passed the gate, typed or pasted."""

    def validate_value(self, value: str) -> str:
        """Pass every new value through the gate before it can be drawn."""
        return printable_line(value)


class Palette(CommandPalette):
    """The command palette, and the list of themes."""

    def compose(self) -> ComposeResult:
        """Textual's own parts, with another line of input."""
        for part in super().compose():
            if isinstance(part, CommandInput):
                yield PaletteInput(placeholder=part.placeholder, select_on_focus=False)
            else:
                yield part

    @work(exclusive=True, group=CommandPalette._GATHER_COMMANDS_GROUP)
    async def _gather_commands(self, search_value: str) -> None:
        """Search as Textual does; it begins when the palette may be on its way out, without its list."""
        with suppress(NoMatches):
            await _GATHER(self, search_value)

    def _action_command_list(self, action: str) -> None:
        """Hand a key on to the list.

        A list that no column is left for has options and no lines, and Textual's looks for a line of
        the option it stands on.
        """
        with suppress(KeyError, IndexError):
            super()._action_command_list(action)
