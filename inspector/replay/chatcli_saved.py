"""What the messages of a saved ChatCLI history say of themselves: the loop's turn, and earlier stages.

The stages work on the stored history, so a saved file can hold their traces; and only the form of the
messages tells where a run of the agent loop begins.
"""

from __future__ import annotations

import re

from inspector.model.chatcli import Message
from inspector.model.transcript import Record
from inspector.pipeline.chatcli.pairing import SYNTHETIC_CODE, SYNTHETIC_CONTENT

TOOL_OUTPUT = b"<tool_output>"
"""Stands in the user message that holds a batch of results in text mode (§8)."""
NOT_EXECUTED = "not_executed"
"""Error code of a call that was given up because one before it failed (§8)."""
_SUMMARY = "[Old tool result cleared — ".encode()
_TRUNCATED = re.compile(rb"\n\[\.\.\. \d+ chars omitted from old tool result \.\.\.\]\n")
_CUT_AT_RETURN = re.compile(rb"\n\n\.\.\. \[TRUNCATED (\d{1,18}) chars omitted, 6000 kept\] \.\.\.\n\n")


def is_aged_text(content: bytes) -> bool:
    """Whether a text is what ageing leaves of a result (§4)."""
    return content.startswith(_SUMMARY) or _TRUNCATED.search(content) is not None


class Saved:
    """Facts about the messages of one conversation, taken in order."""

    def __init__(self) -> None:
        self.text_mode: list[tuple[Record, int]] = []
        """User messages that hold tool output (text mode), and their bytes."""
        self.aged: list[tuple[Record, str]] = []
        """Results that stand in the file as ageing left them, and their ids."""
        self.closed: list[tuple[Record, str, str]] = []
        """Results that ChatCLI itself wrote for calls without one: record, id and error code."""
        self.cut_at_return: list[tuple[Record, str, int]] = []
        """Results that were over their tool's cap: record, id and bytes that are nowhere any more."""
        self._turn = -1
        self._goes_on = False
        """The newest answer has calls, or its results came in text mode, so the run goes on."""

    @property
    def next_turn(self) -> int:
        """Turn of the agent loop, from 0, of the request that these messages lead to."""
        return self._turn + 1 if self._goes_on else 0

    def begin_turn(self) -> None:
        """The next request was made; its answer comes now."""
        self._turn = self.next_turn
        self._goes_on = False

    def note(self, record: Record, message: Message) -> None:
        """Take the next message."""
        if message.role == "assistant":
            self._goes_on = self._goes_on or bool(message.tool_calls)
        elif message.role == "tool":
            self._note_result(record, message)
        elif message.role == "user":
            text_mode = TOOL_OUTPUT in message.content
            if text_mode:
                self.text_mode.append((record, len(message.content)))
            feedback = message.meta is not None and message.meta.agent_feedback
            self._goes_on = self._goes_on or text_mode or feedback

    def _note_result(self, record: Record, message: Message) -> None:
        if is_aged_text(message.content):
            self.aged.append((record, message.tool_call_id))
        if not message.is_error and (cut := _CUT_AT_RETURN.search(message.content)):
            self.cut_at_return.append((record, message.tool_call_id, int(cut[1])))
        if message.error_code in (SYNTHETIC_CODE, NOT_EXECUTED) or message.content == SYNTHETIC_CONTENT:
            code = message.error_code or SYNTHETIC_CODE
            self.closed.append((record, message.tool_call_id, code))
