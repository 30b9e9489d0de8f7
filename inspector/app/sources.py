"""What the overflow and session screens are fed with: protocols, and the rows that come through them.

Screens open no file and know no folder; whoever starts them hands in these sources. All methods are
called in worker threads, may read files, and raise `InspectorError` with a sentence for people.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from inspector.model.policy import Policy, Unit
from inspector.replay.differences import Comparison
from inspector.replay.usage_totals import UsageTotals
from inspector.session.wire_view import Side, WireView


class FileState(StrEnum):
    """How an overflow file stands to the result that it belongs to."""

    OK = "ok"
    MISSING = "missing"
    SIZE_DIFFERS = "size differs"
    PREVIEW_DIFFERS = "preview differs"
    ELSEWHERE = "found elsewhere"
    NO_OWNER = "no owner"
    READ_AGAIN = "read again"
    """In order, and a later call read it: paid twice."""


@dataclass(frozen=True, slots=True)
class OverflowRow:
    """One file of the scratch directory, or one that should be there."""

    name: str
    """File name; untrusted."""
    path: str
    """Where it is, or was stated to be; untrusted."""
    size_bytes: int | None
    """Size on disk; None where there is no such file."""
    state: FileState
    state_words: str = ""
    """What to say instead of the state's own word, such as `121,300 stated` or `read in 62`."""
    owner: str = ""
    """Whose text it is, such as `turn 37 Bash`; empty where nobody is known."""
    request: int | None = None
    """Request in which the result was replaced."""
    result: int | None = None
    """Ordinal of the result in the session."""
    facts: Sequence[tuple[str, str]] = ()
    """Label and sentence, for the facts below the list; untrusted."""


@dataclass(frozen=True, slots=True)
class OpenedText:
    """A file's content as far as it was read."""

    text: str
    """Decoded; bytes that are no UTF-8 stand as U+FFFD."""
    data: bytes
    """The bytes that were read, for the hex form."""
    total_bytes: int
    """Size of the file; more than `len(data)` where the reading was bounded."""
    note: str = ""
    """What should be said about the reading, such as `3 bytes are no UTF-8`."""


class LineSource(Protocol):
    """The file of a session, byte by byte."""

    def read(self, thread: str, start: int, end: int) -> OpenedText:
        """Read a part of it, up to a bound.

        Args:
            thread: Conversation whose file it is; empty: the main one.
            start: First byte.
            end: One past the last byte.

        Raises:
            InspectorError: It cannot be read.
        """


class OverflowSource(Protocol):
    """The scratch directory of one session."""

    @property
    def directory(self) -> str:
        """Path of the directory; empty where the session has none."""

    def rows(self) -> Sequence[OverflowRow]:
        """Files and missing files, those that results own first.

        Raises:
            InspectorError: The directory cannot be read.
        """

    def open(self, row: OverflowRow) -> OpenedText:
        """Read a file, up to a bound.

        Args:
            row: A row of `rows`.

        Raises:
            InspectorError: It is gone, no plain file, or outside the directory.
        """


@dataclass(frozen=True, slots=True)
class FilePlace:
    """Where something of a session stands on disk."""

    path: str
    """The file; untrusted name."""
    line: int | None = None
    """Line, from 1; None where the file has no lines of its own: one JSON document, an overflow file."""
    words: str = ""
    """For people: `line 12, bytes 1,024–2,048`, `message 3`, `overflow file`."""

    @property
    def copied(self) -> str:
        """The form that editors and compilers use: `path:12`."""
        return f"{self.path}:{self.line}" if self.line is not None else self.path


@dataclass(frozen=True, slots=True)
class BlockPlace:
    """One block of a request that is shown."""

    request: int
    """From 1."""
    message: int
    """Index of its message, from 0."""
    block: int
    """Index in its message, from 0."""
    against: int | None = None
    """The request that the shown one is compared with; None: the one before."""
    form: Side = Side.PREDICTED
    """Whether the request is shown as predicted or as recorded."""


@dataclass(frozen=True, slots=True)
class UnsentPlace:
    """A call or result that the history of a request holds and the request does not send."""

    request: int
    """From 1."""
    record: int
    """`Record.index`."""
    block: int
    """Ordinal among the record's blocks."""


class WireSource(Protocol):
    """The requests of one conversation, as they are sent."""

    def view(self, request: int, against: int | None = None, side: Side = Side.PREDICTED) -> WireView:
        """One request, block by block.

        Args:
            request: From 1.
            against: The request to compare with; None: the one before, of recorded ones the newest before.
            side: As predicted, or as recorded.

        Raises:
            InspectorError: There is no such request any more, it was not recorded, or its texts cannot
                be read.
        """

    def text(self, block: BlockPlace | UnsentPlace, side: Side) -> str | None:
        """The text of a block; None where that side has no such block.

        Args:
            block: Which one; of what is not sent there is one text only, that of the transcript.
            side: Whose text.

        Raises:
            InspectorError: It cannot be read.
        """

    def place(self, block: BlockPlace | UnsentPlace) -> FilePlace:
        """Where the record stands that a block was made from.

        Args:
            block: Which one.

        Raises:
            InspectorError: No record has it: the client adds it by itself, or it was made by a repair.
        """


@dataclass(frozen=True, slots=True)
class Share:
    """A part of one request: a result, or what is left of it beside the largest ones."""

    name: str
    """Tool, or what the part is; the tool is untrusted."""
    words: str = ""
    """What tells it apart, such as a command; untrusted."""
    chars: int = 0
    """On the wire of the request shown; 0 for what no record shows."""
    tokens: int = 0
    """≈ the same in tokens."""
    in_all_chars: int = 0
    """Sum over all requests up to the one shown; of what is no result, from the last compaction on."""
    request: int | None = None
    """The first request that sent it; None for a part that is no result."""
    result: int | None = None
    """Index of the result."""
    sentence: str = ""
    """How often it was sent, and why it is still there; untrusted."""
    turn: int | None = None
    """The turn that it belongs to."""
    sent: int = 0
    """Requests up to the one shown that sent it."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One cause of what `inspector why` says."""

    kind: str
    loud: str
    """`error`, `warning` or `info`."""
    sentence: str
    """Untrusted."""
    request: int | None = None
    id: str = ""
    """Result to jump to."""
    notes: Sequence[str] = ()
    """Why, and what followed from it; untrusted."""
    brief: str = ""
    """The sentence for a row, without ids; empty where there is none; untrusted."""
    share: float | None = None
    """≈ its part of all input since it began, 0 to 1; None where it is not about size."""
    turn: int | None = None
    """The turn of the result to jump to."""
    thread: str | None = None
    """Conversation that it is of, where that is not the one shown."""
    where: str = ""
    """How that one is called; untrusted."""


@dataclass(frozen=True, slots=True)
class WhyAnswer:
    """What fills one request, and why."""

    request: int
    chars: int
    tokens: int | None
    """The whole request by usage; exact."""
    shown_tokens: int
    """≈ tokens of what the records show."""
    unit: str
    """What `chars` counts."""
    results: Sequence[Share] = ()
    """Results of the request, in no order."""
    rest: Sequence[Share] = ()
    """Its other parts."""
    reasons: Sequence[Reason] = ()
    """Causes over the whole session, most important first."""
    reasons_total: int = 0
    """How many there are; more than `reasons` where not all are shown."""
    usage: UsageTotals | None = None
    """Tokens of all answers of the session, exact; None where no answer says what it used."""
    thinking_chars: int = 0
    """Thinking, which `chars` leaves out: no recording shows whether it is sent."""
    estimated: bool = False
    """Whether `chars` is an estimate."""


class WhySource(Protocol):
    """Whoever explains a session's size."""

    def answer(self, request: int) -> WhyAnswer:
        """Explain one request. Called in a worker thread.

        Args:
            request: From 1.

        Raises:
            InspectorError: It cannot be told.
        """


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One known session."""

    path: str
    """The transcript; untrusted, and unique among the rows."""
    name: str
    """Title, or what stands for one; untrusted."""
    project: str
    """Folder it belongs to, shortened for people; untrusted."""
    source: str
    """`Claude Code`, `ChatCLI`, …"""
    size_bytes: int
    modified: float
    """Seconds since the epoch."""
    live: bool = False
    """Whether it was written to lately."""


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """What reading a session tells. Costly, so it comes later than the row."""

    requests: int
    peak_chars: int
    unit: Unit = Unit.CODE_POINTS
    """What sizes are counted in."""
    peak_estimated: bool = False
    over: int = 0
    """Requests over the budget."""
    repairs: int = 0
    breaks: int = 0
    """Unplanned prefix breaks."""
    differs: int = 0
    """Requests in which recorded and predicted differ."""
    compactions: int = 0
    bad_lines: int = 0
    others: int = 0
    """Other findings of warning or error."""
    curve: Sequence[int] = ()
    """Chars on the wire, request by request."""
    window_chars: int | None = None
    """The model's context window by the measured ratio, where both are known."""
    problem: str = ""
    """Why the session could not be read; then the figures are empty."""


class SessionCatalog(Protocol):
    """All sessions that can be found."""

    @property
    def looked_in(self) -> Sequence[tuple[str, str]]:
        """What was looked for and where, such as `("Claude Code", "~/.claude/projects")`."""

    def sessions(self) -> Sequence[SessionRow]:
        """Sessions, newest first.

        Raises:
            InspectorError: A folder is there but cannot be read.
        """

    def summary(self, row: SessionRow) -> SessionSummary:
        """Read one session. Called for one after another while the picker is open.

        Args:
            row: A row of `sessions`.

        Raises:
            InspectorError: It cannot be read.
        """


class Policies(Protocol):
    """Whoever replays a session under other policies. `show` and `compare` run in worker threads."""

    @property
    def base(self) -> Policy:
        """What the session was opened under."""

    @property
    def current(self) -> Policy:
        """What is shown."""

    def choices(self) -> Sequence[Policy]:
        """Base, the edited one where there is one, the presets, and `recorded`."""

    def show(self, policy: Policy, keep_on: Callable[[], bool]) -> bool:
        """Show the session under another policy.

        Args:
            policy: The other one.
            keep_on: Asked now and then; False gives up.

        Returns:
            Whether it is shown now.
        """

    def compare(self, a: Policy, b: Policy, keep_on: Callable[[], bool]) -> Comparison | None:
        """Compare two policies over the session; None where it was given up."""

    def save(self, policy: Policy, name: str) -> str:
        """Write a policy file.

        Returns:
            Its path, for the person.

        Raises:
            InspectorError: It cannot be written there.
        """

    def load(self, name: str) -> Policy:
        """Read a policy file.

        Raises:
            InspectorError: It cannot be read, or holds no policy.
        """
