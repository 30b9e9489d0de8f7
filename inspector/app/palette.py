"""`Palette`: Textual's command palette, proof against a terminal without room for its list."""

from __future__ import annotations

from contextlib import suppress

from textual.command import CommandPalette


class Palette(CommandPalette):
    """The command palette, and the list of themes."""

    def _action_command_list(self, action: str) -> None:
        """Hand a key on to the list.

        A list that no column is left for has options and no lines, and Textual's looks for a line of
        the option it stands on.
        """
        with suppress(KeyError, IndexError):
            super()._action_command_list(action)
