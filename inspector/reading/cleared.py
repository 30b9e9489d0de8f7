"""Is the text of a result only what a clearing left of it? Then the file does not hold the result itself.

Transcripts keep the full text, but histories that were saved after ageing (ChatCLI's, the output of a
managed run, an exported request) hold the placeholder, and nothing else in them tells of the loss.
"""

from __future__ import annotations

_START = "[Old tool result "
_CONTENT_CLEARED = "[Old tool result content cleared]"
"""Claude Code (`claude-code.md` §3)."""
_SUMMARY = "[Old tool result cleared — "
"""One line with counts and type (seed 000; `chatcli.md` §4)."""
_ARCHIVED = "<<ccr:"
"""Names the archive that holds the text."""


def is_cleared(text: str) -> bool:
    """Whether a text stands for a result that was cleared and names no archive of it.

    Args:
        text: The text of a tool result.
    """
    if not text.startswith(_START):
        return False
    if text.rstrip() == _CONTENT_CLEARED:
        return True
    return text.startswith(_SUMMARY) and _ARCHIVED not in text
