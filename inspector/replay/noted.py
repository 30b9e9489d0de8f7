"""What the records of a conversation say beside its requests: client, times, errors, interrupts.

Under no policy, and never taken back: a provisional request changes nothing of it.
"""

from __future__ import annotations

from inspector.model.transcript import BlockKind, Flag, Record, Role


class Noted:
    """Facts that any record may carry, of all records so far."""

    def __init__(self) -> None:
        self.screen: bool | None = None
        """True: screen client, False: print mode, None: the records do not say."""
        self.version = ""
        self.records = 0
        self.last_line = 0
        self.new_client = False
        """The transcript records its own requests: the rules of the newest client hold."""
        self.starts_mid_conversation = False
        """The first record names a parent that is not in the file."""
        self.newest_index = 0
        self.error_records = 0
        """Records of API errors."""
        self.error_lines: list[tuple[int, int]] = []
        """Their lines, with the index of the record."""
        self._hidden_thinking = 0
        """Thinking blocks without text since the last request."""
        self._attachments = 0
        """Attachments since the last request."""
        self._last_message_index = 0
        """Index of the last record behind which an earlier call cannot be running any more."""
        self._interrupts: list[int] = []
        self._last_answer_time: float | None = None
        self._gap_s: float | None = None
        """Seconds from the answer before to what the user sent last."""
        self._seen_messages: set[str] = set()

    def _note(self, record: Record) -> None:
        """Facts of the conversation that any record may carry."""
        if not self.records and record.parent:
            self.starts_mid_conversation = True
        self.records += 1
        self.last_line = record.line
        self.newest_index = record.index
        if record.version:
            self.version = record.version
        if record.entrypoint:
            self.screen = record.entrypoint != "sdk-cli"
        if record.role is Role.REQUEST:
            self.new_client = True
        if record.role is Role.ASSISTANT:
            for block in record.blocks:
                self._hidden_thinking += block.kind is BlockKind.THINKING and not block.size.chars
        elif record.role is Role.BRIDGE:
            self._attachments += 1
        if record.flags & Flag.API_ERROR:
            self.error_records += 1
            self.error_lines.append((record.line, record.index))
        elif self._ends_waiting(record):
            self._last_message_index = record.index
        if record.flags & Flag.INTERRUPT:
            self._interrupts.append(record.index)
        if record.time is not None and record.role in (Role.USER, Role.ASSISTANT):
            if record.role is Role.ASSISTANT:
                self._last_answer_time = record.time
            elif self._last_answer_time is not None:
                self._gap_s = record.time - self._last_answer_time

    def _ends_waiting(self, record: Record) -> bool:
        """Whether calls in front of a record can no longer be running: something but results follows."""
        if record.role is Role.ASSISTANT:
            return not record.message_id or record.message_id not in self._seen_messages
        kinds = {block.kind for block in record.blocks}
        return record.role is Role.USER and kinds != {BlockKind.TOOL_RESULT}
