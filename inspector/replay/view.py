"""What a screen may ask of a replayed session: rows as of one request, drawn only when visible.

The app, the reports and the fold meet in these shapes. Nothing here holds a text of the session
but tool names, arguments and ids; they are untrusted and pass the printable gate when drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntFlag, StrEnum
from typing import NamedTuple, Protocol

import msgspec

from inspector.model.findings import Finding
from inspector.model.ledger import Level, Lifeline, State
from inspector.model.policy import Policy
from inspector.model.transcript import Usage


class Event(IntFlag):
    """What happened at a request; one mark row of the timeline shows the strongest."""

    OVER = 1
    """A group was over its budget."""
    COMPACTION = 2
    BREAK = 4
    """The prefix broke unplanned."""
    REPAIR = 8
    PLANNED_BREAK = 16
    """The prefix broke by an ageing step of the policy."""
    DIFFERS = 32
    """The recorded request differs from the predicted one."""
    ERROR = 64
    """Some other finding of severity error."""
    RESUME = 128
    """The session was taken up again in front of it, or goes on from a fork."""


class Repair(StrEnum):
    """What pairing did to a call or a result."""

    OK = "ok"
    SYNTHETIC = "synthetic"
    ORPHAN = "orphan"
    DUPLICATE = "duplicate"
    MOVED = "moved"
    REORDERED = "reordered"
    """Put into call order because something else was repaired; ChatCLI counts it nowhere."""
    DROPPED = "dropped"
    """An unanswered call that the client drops."""
    EMPTIED = "emptied"
    """A message lost everything and was filled."""
    PENDING = "pending"
    """A call of the live last message: no result yet, not repaired."""


class RequestRow(msgspec.Struct, frozen=True, gc=False):
    """One request, as the timeline and the header show it."""

    n: int
    message_id: str
    pending: bool
    """The one after the last record: not answered yet."""
    wire_chars: int
    """Everything on the wire but system prompt, tools, thinking and images; policy unit."""
    estimated: bool
    events: Event
    over_by: int
    """How far the group that this request decided was over, before replacement; 0: not over."""
    repairs: int
    """Repairs new at this request."""
    usage: Usage | None
    time: float | None
    line: int
    """First line of its answer; for the pending request the last line read."""
    thinking_chars: int = 0
    """Thinking in its answer, in the policy's unit; a transcript may hold it only as a signature: 0."""


class TurnRow(msgspec.Struct, frozen=True, gc=False):
    """The heading of one turn as of a request."""

    number: int
    tools: tuple[tuple[str, int], ...]
    """Tool name and how often, in order of first call."""
    counted: int
    """Chars that count against the budget (before replacement); skipped results are not in it."""
    kept: int
    """Part of `counted` that stays in full."""
    replaced: int
    """Part of `counted` that was replaced (full sizes)."""
    limit: int
    over_by: int
    """`counted - limit` where that is positive, else 0."""
    now: bool
    """Whether the request shown is the one that decides this turn."""
    wire_chars: int
    repairs: int
    age: int
    rows: int
    """Number of result rows below the heading."""
    states: tuple[tuple[str, int], ...]
    """State letter and count, for the folded heading."""
    level: Level
    """The strongest ageing level among its results."""
    estimated: bool
    only_predicted: bool = False
    """What was chosen to be replaced is on the wire in full: no record shows a replacement."""


class ResultRow(msgspec.Struct, frozen=True, gc=False):
    """One tool result (or unanswered call) as of a request."""

    index: int
    """Ordinal in the session's results, from 0."""
    id: str
    tool: str
    argument: str
    chars: int | None
    """Size of the transcript's text in the policy's unit; None while there is no result."""
    counted: bool
    pairing: Repair
    repaired_now: bool
    state: State
    decided_now: bool
    level: Level
    wire_chars: int | None
    """What is on the wire; None where nothing of it is sent."""
    estimated: bool
    level_reason: str
    """Why ageing left it or took it: a few words, else empty."""
    recorded: str
    """`same`, `differs` or empty (nothing recorded)."""
    line: int
    """Line of the result's record (of the call's where there is no result)."""
    sentence: str
    """What happened to it, in one sentence for the detail pane."""
    turn: int = 0
    """The turn that it stands under, from 1; 0 where nobody asked."""
    request: int = 0
    """First request that knows it; 0: none yet."""
    age: int = 0
    """Answers of the model since."""
    anew: bool = False
    """No ledger keeps what was decided about it: each request decides again."""
    otherwise: str = ""
    """What the session recorded of it where that is not what is predicted, and where to see it."""
    is_error: bool | None = None
    """The tool said that it failed; None where it said nothing."""


class ResultOutline(msgspec.Struct, frozen=True, gc=False):
    """What stays of a result whatever the request: for who goes over all of them."""

    index: int
    turn: int
    """The turn that it stands under, from 1."""
    tool: str
    argument: str
    chars: int | None
    """Size in full, in the policy's unit; None while there is no result."""


class ThreadRow(msgspec.Struct, frozen=True, gc=False):
    """One conversation of a session: the main one or a sub-agent."""

    id: str
    title: str
    requests: int
    results: int
    peak_chars: int
    peak_tokens: int | None = None
    """Of one request, by usage; None where no answer says what it used."""
    peak_estimated: bool = False
    """Whether `peak_chars` is an estimate."""


class Figures(NamedTuple):
    """What a strip of all requests shows, the first one first."""

    chars: Sequence[int]
    """On the wire, of what the records hold."""
    tokens: Sequence[int]
    """The whole request by usage; 0 where none is known."""
    events: Sequence[Event]


class SessionView(Protocol):
    """One conversation of a replayed session. Cheap to ask: O(what is asked for)."""

    @property
    def revision(self) -> int:
        """Rises with every change."""

    @property
    def title(self) -> str: ...

    @property
    def source(self) -> str:
        """`Claude Code`, `ChatCLI`, `Anthropic messages`, `OpenAI messages`, `Codex`."""

    @property
    def policy(self) -> Policy: ...

    @property
    def policy_note(self) -> str:
        """What `auto` decided and why, in a few words."""

    @property
    def request_count(self) -> int: ...

    @property
    def window_tokens(self) -> int | None:
        """The model's context window, where it is known."""

    @property
    def chars_per_token(self) -> float | None:
        """Measured ratio, where usage allows it."""

    @property
    def findings(self) -> Sequence[Finding]: ...

    @property
    def threads(self) -> Sequence[ThreadRow]: ...

    def request(self, n: int) -> RequestRow:
        """Request n, 1 … request_count."""

    def figures(self) -> Figures:
        """Sizes and events of all requests."""

    def turn_count(self, n: int) -> int:
        """Turns that request n knows."""

    def turn(self, t: int, n: int) -> TurnRow:
        """Turn t (1 … turn_count(n)) as of request n."""

    def turn_results(self, t: int, n: int) -> Sequence[int]:
        """Result indices of turn t that request n knows."""

    def turn_outlines(self, t: int, n: int) -> Sequence[ResultOutline]:
        """The same as outlines: a tenth of what their rows cost."""

    def result(self, index: int, n: int) -> ResultRow:
        """One result as of request n."""

    def lifeline(self, index: int) -> Lifeline: ...
