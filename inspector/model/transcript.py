"""What is kept of a transcript: one small `Record` for each line that matters, never its texts.

The shapes are msgspec structs rather than dataclasses because hundreds of thousands are made while
a large session is indexed, and a struct costs a third of a frozen dataclass to create. The parts of
a record are array-like: packed, their fields stand without their names (`reading.packed`).
"""

from __future__ import annotations

from enum import IntEnum, IntFlag
from zlib import crc32

import msgspec


class Role(IntEnum):
    """What a record is to the history of a request."""

    USER = 0
    """A user record: a prompt, tool results, or both."""
    ASSISTANT = 1
    """One block (or more) of an answer."""
    BRIDGE = 2
    """Attachment, system or progress: a step of the parent chain that is no message itself."""
    BOUNDARY = 3
    """`system/compact_boundary`: a new root; nothing before it is sent any more."""
    CLEARING = 4
    """`system/microcompact_boundary`: names results that count as cleared from here on."""
    REPLACEMENTS = 5
    """A `content-replacement` line; not on the chain."""
    REQUEST = 6
    """An `api-request` line: a request that the client itself recorded; not on the chain."""


class Flag(IntFlag):
    """Properties of a record that a rule asks for.

    `flags & Flag.X` gives a plain number: the test is made many times for each record, and an enum
    looks up, or makes, a member for every outcome.
    """

    __and__ = int.__and__  # type: ignore[assignment]  # IntFlag promises a member, nobody needs one
    __rand__ = int.__rand__  # type: ignore[assignment]  # with both from int, no Python code is run

    META = 1
    SUMMARY = 2
    """`isCompactSummary`."""
    TRANSCRIPT_ONLY = 4
    """`isVisibleInTranscriptOnly`."""
    API_ERROR = 8
    """`isApiErrorMessage`: neither sent nor a turn of the model."""
    SYNTHETIC = 16
    """Model `<synthetic>`: written by the client, not answered by the model."""
    SIDECHAIN = 32
    SALVAGED = 64
    """Rescued from a bad line; the real client skips such lines."""
    LOCAL_OUTPUT = 128
    """A user record that is the output of a local command (`<local-command-stdout>`)."""
    LOCAL_COMMAND = 256
    """A user record that names a local command (`<command-name>`)."""
    EXIT = 512
    """The local command is `/exit`."""
    LOCAL_CAVEAT = 1024
    """The caveat in front of a local command (`<local-command-caveat>`)."""
    NOTIFICATION = 2048
    """`origin.kind` = `task-notification`."""
    INTERRUPT = 4096
    """A text that starts with `[Request interrupted by user`."""
    REMINDER = 8192
    """An attachment with `rendered` texts: reminders that the client glues on."""
    NO_RESPONSE = 16384
    """The synthetic answer `No response requested.`."""
    CONTENT_STRING = 32768
    """`message.content` is a string, not a list of blocks."""
    DUPLICATE = 65536
    """A copy of a record with this uuid stands earlier in the file."""
    FEEDBACK = 131072
    """ChatCLI's `meta.agent_feedback`: a user message that ages like a tool result."""
    HEAD = 262144
    """What a logged request states in front of its messages: its bytes are those of its `system`."""
    OTHER_HEAD = 524288
    """A head that is not that of the request before: no cached message is usable behind it."""


_NO_ANSWER = Flag.API_ERROR | Flag.SYNTHETIC
_ASSISTANT = Role.ASSISTANT


class BlockKind(IntEnum):
    """Kind of a content block."""

    TEXT = 0
    TOOL_USE = 1
    TOOL_RESULT = 2
    IMAGE = 3
    THINKING = 4
    OTHER = 5


class Candidate(IntEnum):
    """Whether the message budget may choose a result, and why not (seed 001, 2.4)."""

    YES = 0
    NO_CONTENT = 1
    IMAGE = 2
    PERSISTED = 3
    """The text starts with `<persisted-output>`."""


class Size(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Sizes of one text in the three units that policies count in."""

    chars: int
    """Code points."""
    utf16: int
    """UTF-16 units (JavaScript's `length`)."""
    bytes: int
    """UTF-8 bytes (a lone surrogate counts three)."""


NOTHING = Size(0, 0, 0)


class Shape(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What the stages need to know about a long text to predict the size of a shortened one.

    Only texts above `reading.shape.SHAPED_FROM` code points carry it. All cuts are code points.
    """

    lines: int
    """Number of line feeds + 1."""
    content_type: str
    """Type word of `chatcli.md` §4: JSON, Go source, …, text."""
    head_cut: int
    """Code points kept of the first 4,000 after the cut to the last newline (budget preview)."""
    tail_cut: int
    """Code points kept of the last 1,000 after the cut to the first newline (budget preview)."""
    aged_head_cut: int
    """The same for the first 2,000 of an aged text."""
    aged_tail_cut: int
    """The same for the last 500 of an aged text."""
    preview_cut: int
    """UTF-16 units kept of the first 2,000 units (persisted preview of Claude Code)."""
    preview_check: int
    """`preview_check` of these: tells whether a stored preview shows the same."""


def preview_check(shown: str, units: int) -> int:
    """CRC-32 of the beginning of a text: what is kept of it instead of the text.

    Args:
        shown: The text, or more than its beginning.
        units: UTF-16 units of the beginning.
    """
    head = shown[:units]
    data = head.encode() if head.isascii() else head.encode("utf-16-le", "surrogatepass")[: 2 * units]
    return crc32(data)


class Persisted(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A `<persisted-output>` text, taken apart."""

    path: str
    """The stated path, as written; absolute on the machine that wrote it."""
    label: str
    """The stated size, as written: `42.8KB`."""
    stated_bytes: int | None = None
    """`toolUseResult.persistedOutputSize` where the record has it (exact)."""


class Block(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One content block of a message."""

    kind: BlockKind
    size: Size
    """Text: its characters. Tool use: its input as JSON. Tool result: the sum over its text blocks."""
    id: str = ""
    """Tool use and tool result: the tool_use id."""
    name: str = ""
    """Tool use: the tool's name, untrusted text."""
    argument: str = ""
    """Tool use: the one input value that tells calls apart (command, path, pattern), cut; untrusted."""
    is_error: bool | None = None
    """Tool result: the key as it stands; `None` where it is absent."""
    candidate: Candidate = Candidate.YES
    persisted: Persisted | None = None
    shape: Shape | None = None
    images: tuple[tuple[int, int], ...] = ()
    """Width and height in px of each image block of a tool result (0, 0 where not readable)."""
    image_chars: int = 0
    """Base64 characters of the image blocks."""
    base64_chars: int = 0
    """Characters of base64-looking text in a text."""
    lone_surrogates: bool = False
    controls: bool = False
    """Whether the text holds control characters other than tab and newline."""
    overflow_name: str = ""
    """Tool use: last path part of a file in a `tool-results` directory that its input names."""
    is_list: bool = False
    """Tool result: its content is a list of blocks, not a string."""
    is_cleared: bool = False
    """Tool result: its text is only what a clearing left in place of the result."""
    is_mixed: bool = False
    """Tool result: its list holds something that is no text: it cannot go to a file or be shortened."""


class Usage(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """`message.usage` of one answer, in tokens. The last record of an answer counts."""

    input: int
    cache_read: int
    cache_creation: int
    output: int

    @property
    def context(self) -> int:
        """Tokens that the request held: everything that was sent, cached or not."""
        return self.input + self.cache_read + self.cache_creation


class Replacement(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One entry of a `content-replacement` line."""

    tool_use_id: str
    text: str
    """The exact text that the model saw in place of the result. Small (about 2 KB), so it is kept."""


class Boundary(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Metadata of a compaction or of a recorded clearing."""

    trigger: str = ""
    pre_tokens: int | None = None
    post_tokens: int | None = None
    tokens_saved: int | None = None
    cleared_ids: tuple[str, ...] = ()
    preserved_uuids: tuple[str, ...] = ()
    preserved_head: str = ""
    preserved_tail: str = ""
    anchor: str = ""
    logical_parent: str = ""


class Record(msgspec.Struct, frozen=True, gc=False):
    """One participating line of a transcript."""

    index: int
    """Ordinal among the records of its source, from 0."""
    line: int
    """Physical line, from 1 (for a message list: the message's ordinal, from 1)."""
    start: int
    """First byte in the file."""
    end: int
    """One past the last byte, without the line feed."""
    role: Role
    flags: Flag
    uuid: str = ""
    parent: str = ""
    """`parentUuid`; empty for a root."""
    thread: str = ""
    """Empty: the main conversation. Else the agent's id, or the root uuid of an inline sidechain."""
    session_id: str = ""
    message_id: str = ""
    """`message.id` of an assistant record."""
    request_ref: str = ""
    """`requestRef` or `requestId` of an assistant record."""
    time: float | None = None
    """Seconds since the epoch, UTC."""
    version: str = ""
    entrypoint: str = ""
    model: str = ""
    blocks: tuple[Block, ...] = ()
    usage: Usage | None = None
    boundary: Boundary | None = None
    replacements: tuple[Replacement, ...] = ()

    @property
    def is_answer(self) -> bool:
        """Whether the model itself said this (no API error, not written by the client)."""
        return self.role is _ASSISTANT and not self.flags & _NO_ANSWER


COMMENT = "comment_line"
"""`BadLine.kind` of a `//` comment: a line that is no record, and of which nothing is lost."""


class BadLine(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A line, or a part of one, that is no record."""

    line: int
    start: int
    end: int
    reason: str
    """A sentence for people; contains no text of the line."""
    saved: int = 0
    """Records that were rescued from it."""
    kind: str = "bad_line"
    """A word of the input family of findings; all but `bad_line` may still have been read in full."""
    lost: bool = True
    """Whether anything of the line could not be read."""
