"""`Session`: the files of one session read, split into conversations, and replayed.

A session is polled: each poll reads what is new and extends the timelines by it. A file that was
replaced or cut starts everything over; what a screen shows of the old one stays until then. What only
ChatCLI's files and stages need is loaded for them alone: it is a third of what there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.errors import UnreadableError
from inspector.model.findings import Finding
from inspector.model.policy import Policy
from inspector.model.transcript import Record
from inspector.reading.detect import CHATCLI_KINDS, FileKind, detect
from inspector.reading.follow import FileState
from inspector.reading.scratch import folder_of
from inspector.reading.title import HEAD_BYTES, read_title
from inspector.replay.timeline import Timeline
from inspector.replay.tracked import Tracked
from inspector.replay.view import ThreadRow
from inspector.replay.windows import window_of
from inspector.session.agent_calls import AgentCalls
from inspector.session.agents import Agents
from inspector.session.conversations import Conversations
from inspector.session.document_intake import DocumentIntake
from inspector.session.files import SessionFiles
from inspector.session.findings import SessionFindings
from inspector.session.intake import Counts, Intake, Intaken, NoIntake
from inspector.session.kinds import LINE_KINDS, PART_WORDS, SOURCE_WORDS, default_policy
from inspector.session.line_intake import LineIntake
from inspector.session.objects import Objects
from inspector.session.overflow import Overflow
from inspector.session.overflows import Overflows
from inspector.session.recorded_checks import RecordedChecks
from inspector.session.replays import Replay
from inspector.session.standing import Standing

if TYPE_CHECKING:
    from inspector.reading.chatcli_places import ChatcliPlaces
    from inspector.replay.accounting import Account, Accounts
    from inspector.replay.diagnose.noticed import Noticed


class Session:
    """One session, its sub-agents and its scratch directory, under one policy."""

    def __init__(
        self,
        path: Path,
        *,
        policy: Policy | None = None,
        origins: Mapping[str, str] | None = None,
        scratch: Path | None = None,
        live: bool = False,
        history: str | None = None,
        chatcli: ChatcliPlaces | None = None,
        index_directory: Path | None = None,
    ) -> None:
        """Open without reading yet.

        Args:
            path: The session's file.
            policy: The rules; None: those of the program that wrote the session.
            origins: Field → where its value came from, for fields that somebody chose.
            scratch: Its scratch directory; None: where it belongs.
            live: It is being written.
            history: ChatCLI: the one list to show.
            chatcli: Where ChatCLI keeps what is not in the file; None: it is not looked for.
            index_directory: Where the reading of a large file is kept for the next time; None: nowhere.

        Raises:
            UnreadableError: There is no such file, or it is nothing that can be read.
        """
        self.path = path
        self.live = live
        found = detect(path)
        alone = found.kind is FileKind.SCRATCH_DIR and found.hint is None
        if found.kind is FileKind.UNKNOWN or (found.kind is FileKind.SCRATCH_DIR and not alone):
            meant = f"; its session is {found.hint}" if found.hint else ""
            # A reason from reading it names the file already.
            reason = found.reason.removeprefix(f"{path}: ")
            raise UnreadableError(f"{path}: {reason}{meant}")
        self.kind = found.kind
        self.source_words = SOURCE_WORDS[found.kind]
        self.policy = self._opened_policy = policy or default_policy(found.kind)
        self.policy_origins = dict(origins or {})
        self.unsupported = ""
        self.chatcli = chatcli
        self.files = SessionFiles(self, folder_of(path) if alone else scratch)
        self._history = history
        self._index_directory = index_directory
        self._intake = self._open_intake()
        self.agents = Agents(path)
        self._title = "" if found.kind is FileKind.SCRATCH_DIR else read_title(path)
        self.revision = 0
        self.position = 0
        self.size_bytes = 0
        self.partial_tail = False
        self._more_to_read = False
        """Whether the last poll left some of the file for the next one."""
        self._begin()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all files."""
        self._intake.close()
        self.agents.close()

    # -- reading ---------------------------------------------------------------------------------

    def poll(self, max_bytes: int | None = None) -> Intaken:
        """Read what is new, and replay it.

        Args:
            max_bytes: Stop after about so many bytes of the main file; None: read to its end.

        Raises:
            UnreadableError: The file cannot be read at all.
        """
        taken = self._intake.poll(max_bytes)
        if taken.state is FileState.MISSING and not self.live:  # it was there a moment ago
            raise UnreadableError(f"{self.path}: the file is gone")
        moved = bool(taken.records) and self.files.find_workspaces(taken.records)
        if taken.reset or moved:
            self.agents.close()
            self._begin()
        untitled = not self._title and self.position < HEAD_BYTES and bool(taken.records)
        if (taken.reset or untitled) and self.kind is not FileKind.SCRATCH_DIR:
            self._title = read_title(self.path)
        # A line that is no record, or half of one, tells something too.
        moved_on = (taken.position, taken.partial) != (self.position, self.partial_tail)
        self.position, self.size_bytes, self.partial_tail = taken.position, taken.size, taken.partial
        touched = self._conversations.spread(taken.records, self._intake, "")
        if taken.more != self._more_to_read:
            touched |= self._expect(more=taken.more)
        if not taken.more:
            touched |= self._poll_agents()
        for key in touched or ({""} if taken.reset else set()):
            self.timelines[key].settle()
        if touched or taken.reset or moved_on:
            self._forget()
        return taken

    def _expect(self, *, more: bool) -> set[str]:
        """Let calls at the end wait as long as more of the file is to be read; which conversations change."""
        self._more_to_read = more
        if self.live:
            return set()
        return self._set_waiting(more)

    @property
    def waits(self) -> bool:
        """Whether a call at the end may still get its result: more may come, or is to be read."""
        return self.live or self._more_to_read

    def _set_waiting(self, waits: bool) -> set[str]:
        """Let a call of the last message wait for its result, or count as lost; what hangs on that is void.

        Returns:
            The conversations that have to be settled anew.
        """
        for timeline in self.timelines.values():
            timeline.live = waits
        self._found.look_again()
        for derived in (self._standings, self._accounts):
            derived.clear()
        self.recorded.forget()
        return {key for key, timeline in self.timelines.items() if timeline.records}

    def wake(self) -> None:
        """Go on as one that is being written: what was settled as finished is settled anew.

        Rows and their findings stay; only where a last line without line feed was read, which may
        have been half of one, everything is read again by the next poll.
        """
        if self.live:
            return
        self.live = True
        if self._intake.wake():
            self._intake.close()
            self._intake = self._open_intake()
            self.agents.close()
            self._begin()
        for key in self._set_waiting(True):
            self.timelines[key].settle()
        self._forget()

    def _begin(self) -> None:
        self._findings: list[Finding] | None = None
        self._found = SessionFindings(self)
        self._events: list[dict[str, Any]] | None = None
        self._conversations = Conversations(self._intake, self._timeline)
        self._standings: dict[str, Standing] = {}
        self._accounts: dict[str, Accounts] = {}
        self._overflows = Overflows(self)
        self.agent_calls = AgentCalls(self)
        """Which call started which sub-agent."""
        self.files.begin()
        self.recorded = RecordedChecks(self)
        """What the transcript itself recorded of its requests."""
        self._ratios: dict[str, float | None] = {}
        """Ratios of chars to tokens that are kept while another policy is shown."""
        self._unit_rates: dict[str, tuple[int, float]] = {}
        """Conversation → its rows, and what `_unit_rate` found for so many."""

    def _forget(self) -> None:
        """Drop what was derived from an earlier state."""
        self.revision += 1
        self._findings = None
        self._events = None
        self.files.look_again()

    def replayed(self, policy: Policy, thread: str = "") -> Timeline:
        """The records read so far under another policy; the session itself stays as it is.

        Args:
            policy: The rules to try.
            thread: The conversation.

        Returns:
            A timeline for looking at; what the session reads later is not fed to it.
        """
        timeline = self._timeline(thread, policy, known=self.timelines[thread])
        timeline.bad_lines = self.timelines[thread].bad_lines
        if records := self.records(thread):  # without any there is no request to decide
            timeline.extend(records)
        return timeline

    def _timeline(self, thread: str, policy: Policy | None = None, known: Timeline | None = None) -> Timeline:
        timeline = self._new_timeline(policy or self.policy, thread, known)
        if isinstance(self._intake, DocumentIntake):
            timeline.waiting_ids = self._intake.waiting_ids
        return timeline

    def _new_timeline(self, policy: Policy, thread: str, known: Timeline | None) -> Timeline:
        if policy.is_chatcli:
            from inspector.replay.chatcli_timeline import DIRECTORY, ChatcliTimeline
            from inspector.session.chatcli_messages import SessionMessages

            workspaces = self.files.workspaces
            return ChatcliTimeline(
                policy,
                SessionMessages(self, thread),
                linear=self.is_linear,
                live=self.waits,
                directory=str(workspaces[0]) if workspaces else DIRECTORY,
            )
        return Timeline(policy, linear=self.is_linear, live=self.waits, known=known)

    def _open_intake(self) -> Intake:
        if self.kind is FileKind.SCRATCH_DIR:
            return NoIntake()
        if self.kind in LINE_KINDS:
            return LineIntake(self.path, self.kind, live=self.live, index_directory=self._index_directory)
        return DocumentIntake(self.path, self.kind, self._history)

    def _poll_agents(self) -> set[str]:
        touched: set[str] = set()
        if self.kind is FileKind.CLAUDE_CODE:
            for file, taken in self.agents.poll():
                if taken.reset:
                    for key in self._conversations.drop(file.intake):
                        self.recorded.forget(key)
                        self._overflows.forget(key)
                touched |= self._conversations.spread(taken.records, file.intake, file.agent.id)
        return touched

    # -- what was read ---------------------------------------------------------------------------

    @property
    def counts(self) -> Counts:
        """What was met in the main file."""
        return self._intake.counts

    def counts_by_file(self) -> Iterator[tuple[str, Counts]]:
        """What was met in each file, with the sub-agent that it belongs to; the main one first."""
        yield "", self.counts
        for file in self.agents.files():
            yield file.agent.id, file.intake.counts

    @property
    def timelines(self) -> dict[str, Timeline]:
        """The replay of each conversation under the policy in force, the main one first."""
        return self._conversations.timelines

    @property
    def timeline(self) -> Timeline:
        """The main conversation."""
        return self.timelines[""]

    @property
    def title(self) -> str:
        """The session's title, or its file's name."""
        return self._title or self.path.name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".json")

    @property
    def history_name(self) -> str | None:
        """ChatCLI: which list of the file the main conversation is."""
        if isinstance(self._intake, DocumentIntake):
            return dict(self._intake.threads).get("")
        return None

    def thread_title(self, key: str) -> str:
        """How a conversation is called."""
        agent = self.agents.of(key)
        if agent is not None:
            told = agent.description or self.agent_calls.of(agent).description or agent.id
            return f"{agent.agent_type or 'agent'} · {told}"
        if isinstance(self._intake, DocumentIntake):
            return dict(self._intake.threads).get(key, key)
        return self.part_name(key) if key else self.title

    @property
    def part_words(self) -> tuple[str, str]:
        """What a conversation beside the main one is, and several of them."""
        return PART_WORDS.get(self.kind, ("sub-agent", "sub-agents"))

    def part_name(self, key: str) -> str:
        """A conversation beside the main one in a sentence, such as `agent a1b2` or `agent_history`."""
        if self.kind in CHATCLI_KINDS:
            return key
        return f"conversation from {key}" if self.kind is FileKind.MESSAGES_JSONL else f"agent {key}"

    def file_of(self, thread: str) -> Path:
        """The file that holds a conversation."""
        return next((f.agent.path for f in self.agents.files() if f.agent.id == thread), self.path)

    def bytes_of(self, thread: str, start: int, end: int) -> bytes:
        """Bytes of the file that holds a conversation, whatever stands in them.

        Args:
            thread: The conversation; empty: the main one.
            start: First byte.
            end: One past the last byte.

        Raises:
            UnreadableError: The file is gone.
        """
        found = (file.intake for file in self.agents.files() if file.agent.id == thread)
        return next(found, self._intake).read(start, end)

    @property
    def stated_system(self) -> bytes:
        """The `system` of a file that is one request body, as it stands there; empty for all others."""
        return self._intake.system if isinstance(self._intake, DocumentIntake) else b""

    @property
    def has_lines(self) -> bool:
        """Whether records are lines of the file, not parts of one document."""
        return self.kind in LINE_KINDS

    def thread_rows(self) -> list[ThreadRow]:
        """All conversations, the main one first."""
        return [
            ThreadRow(
                id=key,
                title=self.thread_title(key),
                requests=len(timeline.requests),
                results=self._standing_of(key).results,
                peak_chars=self._standing_of(key).peak_chars,
                peak_tokens=self._standing_of(key).peak_tokens,
                peak_estimated=self._standing_of(key).peak_estimated,
            )
            for key, timeline in self.timelines.items()
        ]

    @property
    def window_tokens(self) -> int | None:
        """The model's context window in tokens: as the file states it, else where its name is a known one."""
        if self.counts.window_tokens is not None:
            return self.counts.window_tokens
        model = self._standing_of("").model
        return window_of(model) if model else None

    def chars_per_token(self, thread: str = "") -> float | None:
        """What one token stands for, as measured, in the policy's unit; None: the usage does not allow it."""
        if thread not in self._ratios:
            return self._standing_of(thread).chars_per_token
        ratio = self._ratios[thread]
        return ratio * self._unit_rate(thread) if ratio is not None else None

    def _unit_rate(self, thread: str) -> float:
        """≈ How many of the policy's units stand for one of the policy that the session was opened with."""
        if self.policy.unit is self._opened_policy.unit:
            return 1.0
        from inspector.replay.unit_change import units_for

        rows = self.timelines[thread].tracked
        known, rate = self._unit_rates.get(thread, (-1, 1.0))
        if known != len(rows):
            rate = units_for(rows, self._opened_policy.unit, self.policy.unit)
            self._unit_rates[thread] = len(rows), rate
        return rate

    def accounts(self, thread: str = "") -> Sequence[Account]:
        """One account for each request of a conversation. Costs what came since it was asked last."""
        from inspector.replay.accounting import Accounts

        known = self._accounts.get(thread)
        if known is None or known.timeline is not self.timelines[thread]:
            known = self._accounts[thread] = Accounts(self.timelines[thread])
        return known.rows()

    def _standing_of(self, thread: str) -> Standing:
        standing = self._standings.get(thread)
        if standing is None:
            standing = self._standings[thread] = Standing(self.timelines[thread])
        return standing

    def records(self, thread: str = "") -> list[Record]:
        """Records of one conversation, in file order."""
        return self._conversations.records[thread]

    def all_rows(self) -> Iterator[Tracked]:
        """Rows of all conversations."""
        for timeline in self.timelines.values():
            yield from timeline.tracked

    @property
    def is_claude_code(self) -> bool:
        """Whether it is a Claude Code transcript."""
        return self.kind is FileKind.CLAUDE_CODE

    @property
    def is_linear(self) -> bool:
        """Whether its records follow one another without a chain of parents."""
        return not self.is_claude_code

    def new_objects(self, thread: str) -> Objects:
        """A reader of the file that holds a conversation, line by line."""
        return self._conversations.owners[thread].new_objects()

    # -- policy ----------------------------------------------------------------------------------

    def new_replay(self, policy: Policy) -> Replay:
        """A replay under another policy that was fed nothing yet."""
        return Replay(policy, lambda thread: self._timeline(thread, policy), live=self.waits)

    def bring_up(self, replay: Replay, keep_on: Callable[[], bool] = lambda: True) -> bool:
        """Bring a replay up to date with what was read.

        Returns:
            Whether it is; False where `keep_on` stopped it.
        """
        done = replay.extend(self.all_records(), keep_on)
        for key, timeline in replay.timelines.items():
            if (own := self.timelines.get(key)) is not None:
                timeline.bad_lines = own.bad_lines
        return done

    def all_records(self) -> dict[str, list[Record]]:
        """Records of every conversation as read so far; the lists are the caller's own."""
        return {key: list(records) for key, records in self._conversations.records.items()}

    def as_replay(self) -> Replay:
        """The session as it is now, as a replay: the same timelines, not copies."""
        replay = self.new_replay(self.policy)
        replay.timelines = self.timelines
        replay.extend(self._conversations.records)
        return replay

    def adopt(self, replay: Replay, origins: Mapping[str, str] | None = None) -> Replay:
        """Go on under the policy of a replay.

        Args:
            replay: Made from this session; what it misses is fed now.
            origins: Field → where its value came from.

        Returns:
            What the session was under until now, as a replay.
        """
        if not replay.fits(self._conversations.records, live=self.waits):  # it started over, or goes on again
            replay = self.new_replay(replay.policy)
        self.bring_up(replay)
        before = self.as_replay()
        # Tokens were counted of what was sent, so their ratio to chars is measured under the policy
        # that the session was opened with; under another one it stays what it was.
        if replay.policy == self._opened_policy:
            self._ratios = {}
        elif not self._ratios:
            self._ratios = {key: self.chars_per_token(key) for key in self.timelines}
        self.policy, self._conversations.timelines = replay.policy, replay.timelines
        self.policy_origins = dict(origins or {})
        self._overflows = Overflows(self)
        self.recorded.forget()
        self._standings.clear()
        self._unit_rates.clear()
        self._forget()
        return before

    # -- findings and files ----------------------------------------------------------------------

    def findings(self) -> list[Finding]:
        """All findings, of every conversation: the loudest first, then by request."""
        if self._findings is None:
            self._findings = self._found.now()
        return self._findings

    def noticed(self, thread: str = "") -> Noticed:
        """Rows of a conversation that are out of the ordinary, as things stand."""
        noticed = self._found.of(thread).diagnosis.noticed
        noticed.update()
        return noticed

    def recorded_events(self) -> list[dict[str, Any]]:
        """What ChatCLI's log says of this session, as plain data."""
        if self._events is None:
            self._events = []
            if self.policy.is_chatcli:
                from inspector.session.chatcli_files import recorded_events

                self._events = recorded_events(self)
        return self._events

    def overflow_of(self, row: Tracked, thread: str = "") -> Overflow | None:
        """The overflow file of a row. It is checked again when the row or the file is another one."""
        return self._overflows.of(row, thread)

    def overflows(self) -> Iterator[tuple[Tracked, Overflow]]:
        """Every row whose text, or stored replacement, names an overflow file."""
        for key in self.timelines:
            yield from self.overflows_in(key)

    def overflows_in(self, thread: str) -> Iterator[tuple[Tracked, Overflow]]:
        """The same for one conversation."""
        return self._overflows.in_thread(thread)

    # -- texts -----------------------------------------------------------------------------------

    def texts(self, record: Record, thread: str = "") -> list[str]:
        """The texts of a record's blocks."""
        return self._conversations.owners[thread].texts(record)

    def result_text(self, row: Tracked, thread: str = "") -> str:
        """The transcript's text of a result, read again."""
        record = row.entry.result_record
        if record is None:
            return ""
        return self._conversations.owners[thread].texts(record)[row.entry.result_block]

    def raw_record(self, record: Record, thread: str = "") -> bytes:
        """A record's own bytes."""
        return self._conversations.owners[thread].raw(record)
