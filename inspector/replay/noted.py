"""What the records of a conversation say beside its requests: client, times, errors, interrupts.

Under no policy, and never taken back: a provisional request changes nothing of it.
"""

from __future__ import annotations

from inspector.model.transcript import BlockKind, Flag, Record, Role

# A member looked up on its enum costs ten times what a name costs, and these are asked for per record.
_ASSISTANT = Role.ASSISTANT
_BRIDGE = Role.BRIDGE
_HEAD = Flag.HEAD
_OTHER_HEAD = Flag.OTHER_HEAD
_REQUEST = Role.REQUEST
_USER = Role.USER
_API_ERROR = Flag.API_ERROR
_DUPLICATE = Flag.DUPLICATE
_INTERRUPT = Flag.INTERRUPT
_THINKING = BlockKind.THINKING
_TOOL_RESULT = BlockKind.TOOL_RESULT


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
        self._other_head = False
        """Whether what stands in front of all messages became another since the last request."""
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
        role, flags = record.role, record.flags
        if not flags & _DUPLICATE:  # of copies the first counts
            if record.version:
                self.version = record.version
            if record.entrypoint:
                self.screen = not record.entrypoint.startswith("sdk-")
        if role is _ASSISTANT:
            self._note_answer(record)
        elif role is _USER:
            self._note_user(record)
        elif role is _BRIDGE:
            if flags & _HEAD:
                self._other_head = self._other_head or flags & _OTHER_HEAD > 0
            else:
                self._attachments += 1
        elif role is _REQUEST:
            self.new_client = True
        if flags & _API_ERROR:
            self.error_records += 1
            self.error_lines.append((record.line, record.index))
        if flags & _INTERRUPT:
            self._interrupts.append(record.index)

    def _note_answer(self, record: Record) -> None:
        for block in record.blocks:
            if block.kind is _THINKING and not block.size.chars:
                self._hidden_thinking += 1
        goes_on = record.message_id and record.message_id in self._seen_messages
        if not goes_on and not record.flags & _API_ERROR:
            self._last_message_index = record.index
        if record.time is not None:
            self._last_answer_time = record.time

    def _note_user(self, record: Record) -> None:
        if not record.flags & _API_ERROR and not _only_results(record):
            self._last_message_index = record.index
        if record.time is not None and self._last_answer_time is not None:
            self._gap_s = record.time - self._last_answer_time


def _only_results(record: Record) -> bool:
    """Whether calls in front of a record may still be running: it holds results and nothing else."""
    for block in record.blocks:
        if block.kind is not _TOOL_RESULT:
            return False
    return bool(record.blocks)
