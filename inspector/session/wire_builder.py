"""`WireBuilder`: the bodies of one conversation's requests, made from its records when asked for.

Texts are read again by position, and records are taken up only as far as the request needs; going
forward costs what is new. Under the client's own rules what stands in place of a result comes from
the records themselves (`claude-code-wire.md` rule 27); under any other policy from the lifelines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from inspector.model.ledger import Level
from inspector.model.policy import BudgetMode, Pairing
from inspector.model.transcript import Record
from inspector.pipeline.conversation import normalise, write_back
from inspector.pipeline.pairing import Paired, repair
from inspector.pipeline.wire.clearing import GapSettings
from inspector.pipeline.wire.facts import ClientFacts, FactsReader
from inspector.pipeline.wire.history import History
from inspector.pipeline.wire.messages import BodyMessage, Texts, api_messages, build_messages
from inspector.pipeline.wire.resume import Resumed, resume
from inspector.replay.conversation import span_of
from inspector.session.replaced_text import text_on_wire
from inspector.session.stated_prompt import body_prompt, stated_prompt
from inspector.session.texts import SessionTexts
from inspector.session.wire_unsent import Unsent, moved, unsent_by_chatcli, unsent_by_client, unsent_by_id

if TYPE_CHECKING:
    from inspector.replay.chatcli_timeline import ChatcliTimeline
    from inspector.replay.requests import Request
    from inspector.replay.timeline import Timeline
    from inspector.session.session import Session

NOT_RECORDED = "The file holds no recorded body of request {}: its prediction is all there is."
"""What to say to somebody who asks for the recorded form of a request that has none."""


class ResumeAs(msgspec.Struct, frozen=True):
    """How a finished session is taken up again."""

    prompt: str | None = None
    """The new prompt; None: only what stands in front of it."""
    screen: bool | None = None
    """True: on the screen, False: in print mode; None: as it ran before."""
    now: float | None = None
    """Time of the load in seconds since the epoch; it matters only where a gap in time clears results."""


class WireBuilder:
    """Predicts the bodies of one conversation's requests; cheap when asked in order."""

    def __init__(self, session: Session, thread: str = "", *, texts: Texts | None = None) -> None:
        """Args:
        session: Read as far as it will be asked for.
        thread: The conversation.
        texts: Where texts come from; None: the session's files, each time anew.
        """
        self._session = session
        self._thread = thread
        self._timeline: Timeline = session.timelines[thread]
        self._records: Sequence[Record] = session.records(thread)
        self._texts = texts or SessionTexts(session, thread)
        self._client = session.policy.pairing.variant is Pairing.CLIENT
        self._reset()

    def _reset(self) -> None:
        self._history = History(linear=self._session.is_linear, edge=self._client)
        self._reader = FactsReader()
        self._added = 0

    # -- one request -----------------------------------------------------------------------------

    def messages(self, n: int) -> list[BodyMessage]:
        """The messages of request n, with what was glued on kept apart.

        The pending request stands as the records end, without what a resume would add.
        """
        return self._as_it_ends(n)[1]

    def _as_it_ends(self, n: int) -> tuple[History, list[BodyMessage]]:
        request = self._timeline.requests[n - 1]
        self._advance(request)
        self._history.cut(None if request.pending else self._records[self._added].parent)
        return self._history, self._build(self._history, self._facts(request.model), n, self._texts)

    def resumed(self, how: ResumeAs) -> list[BodyMessage]:
        """The messages that a client would send that loads the finished session now (rules 17-19).

        Args:
            how: Mode, time and the new prompt.
        """
        return self._resumed(how)[1]

    def _resumed(self, how: ResumeAs) -> tuple[History, list[BodyMessage]]:
        known = self._whole_facts()
        added = resume(self._records, how.prompt, new=known.new, now=how.now)
        history = History()
        for record in (*self._records, *added.records):
            history.add(record)
        history.cut(added.tip)
        facts = ClientFacts(
            known.screen if how.screen is None else how.screen,
            known.new,
            known.system_reminders,
            known.version,
            known.entrypoint,
            known.assumptions,
        )
        texts = _ResumedTexts(self._texts, added)
        return history, self._build(history, facts, len(self._timeline.requests), texts)

    def _history_and_messages(self, n: int, how: ResumeAs | None) -> tuple[History, list[BodyMessage]]:
        """A request in front of any repair but the client's own, and the history that it was made from."""
        return self._resumed(how or ResumeAs()) if self.is_resumed(n) else self._as_it_ends(n)

    def is_resumed(self, n: int) -> bool:
        """Whether request n is one that only a client that loads the session again would send."""
        pending = self._timeline.requests[n - 1].pending
        return pending and self._client and self._session.is_claude_code and not self._is_other_use

    @property
    def _is_other_use(self) -> bool:
        """Agents are not resumed, and a live session goes on by itself."""
        return bool(self._thread) or self._timeline.live

    def body(self, n: int, *, reminders: bool = True, how: ResumeAs | None = None) -> list[dict[str, Any]]:
        """The messages of request n as the API takes them; ChatCLI's in the form of its own files.

        Args:
            n: Request number, from 1.
            reminders: Whether the client's reminders are in it.
            how: For the pending request of a finished session: how it is resumed.
        """
        if self._timeline.policy.is_chatcli:
            from inspector.reading.chatcli_session import message_data

            return self._prompt_of_body(n) + [message_data(m) for m in self._of_chatcli().wires.messages(n)]
        messages = api_messages(self._history_and_messages(n, how)[1], reminders=reminders)
        body = messages if self._client else write_back(self._paired(messages, n).messages)
        return self._prompt() + body

    def body_and_unsent(self, n: int) -> tuple[list[dict[str, Any]], Sequence[Unsent]]:
        """The body of request n, and what its history holds beside that.

        Args:
            n: From 1.
        """
        if self._timeline.policy.is_chatcli:
            unsent = unsent_by_chatcli(self._of_chatcli(), n)
            return self.body(n), moved(unsent, len(self._prompt_of_body(n)))
        history, messages = self._history_and_messages(n, None)
        given, prompt = api_messages(messages), self._prompt()
        if self._client:
            return prompt + given, moved(unsent_by_client(history, messages), len(prompt))
        paired = self._paired(given, n)
        body = write_back(paired.messages)
        return prompt + body, moved(unsent_by_id(history, messages, given, paired, body), len(prompt))

    def _prompt(self) -> list[dict[str, Any]]:
        """The system prompt in front of the request that was made last, where the file holds it."""
        return stated_prompt(self._session, self._thread, self._records[: self._added], self._texts)

    def _prompt_of_body(self, n: int) -> list[dict[str, Any]]:
        """The same for ChatCLI's stages, which have the messages of the list among their own."""
        return body_prompt(
            self._session, self._thread, self._records[: self._limit(self._timeline.requests[n - 1])]
        )

    def _paired(self, messages: Sequence[Mapping[str, Any]], n: int) -> Paired:
        """What the policy's pairing makes of a request that is not the client's."""
        pending, timeline = self._timeline.requests[n - 1].pending, self._timeline
        return repair(
            normalise(messages),
            self._session.policy.pairing.variant,
            live=pending and timeline.live,
            waiting_ids=timeline.waiting_ids if pending else frozenset(),
        )

    def _of_chatcli(self) -> ChatcliTimeline:
        from inspector.replay.chatcli_timeline import ChatcliTimeline

        assert isinstance(self._timeline, ChatcliTimeline)
        return self._timeline

    def body_as_it_ends(self, n: int) -> list[dict[str, Any]]:
        """The messages of request n as the records end: without reminders and without what a resume adds.

        Args:
            n: Request number, from 1.
        """
        return api_messages(self.messages(n), reminders=False)

    # -- what goes into it -----------------------------------------------------------------------

    def _build(self, history: History, facts: ClientFacts, n: int, texts: Texts) -> list[BodyMessage]:
        replaced = self._replaced(n)
        if self._client and self._session.policy.budget.mode is BudgetMode.AUTO and facts.screen:
            replaced = {**history.replaced(), **replaced}
        return build_messages(history, facts, texts, replaced=replaced, gap=self._gap())

    def _advance(self, request: Request) -> None:
        """Take up the records in front of a request."""
        limit = self._limit(request)
        if limit < self._added:
            self._reset()
        for record in self._records[self._added : limit]:
            self._history.add(record)
            self._reader.feed(record)
        self._added = limit

    def _facts(self, model: str) -> ClientFacts:
        if not self._client or not self._session.is_claude_code:
            return ClientFacts(screen=True, new=False)  # what the client adds is no part of another policy
        return self._reader.facts(model)

    def _whole_facts(self) -> ClientFacts:
        reader = FactsReader()
        for record in self._records:
            reader.feed(record)
        return reader.facts()

    def _limit(self, request: Request) -> int:
        """How many of the conversation's records stand in front of a request."""
        if request.pending:
            return len(self._records)
        low, high = 0, len(self._records)
        while low < high:
            middle = (low + high) // 2
            if self._records[middle].index < request.first_record:
                low = middle + 1
            else:
                high = middle
        return low

    def _gap(self) -> GapSettings | None:
        settings = self._session.policy.microcompact
        if settings.clear_after_gap_minutes is None:
            return None
        return GapSettings(settings.clear_after_gap_minutes, settings.clear_keep)

    def _replaced(self, n: int) -> Mapping[str, str]:
        """What the lifelines put in place of results at request n.

        Under `auto` the client's previews are left to the records, which know more than one result of
        an id.
        """
        levels = {Level.TRUNCATED, Level.SUMMARIZED}
        if not self._client or self._session.policy.budget.mode is BudgetMode.ON:
            levels.add(Level.PREVIEW)
        out: dict[str, str] = {}
        for row in self._timeline.tracked:
            span = span_of(row, n) if row.spans else None
            if span is None or row.entry.result is None or span.level not in levels:
                continue
            text = text_on_wire(self._session, row, span, self._thread)
            if text is not None:
                out[row.entry.id] = text
        return out


class _ResumedTexts:
    """Texts of the records, and of those that a resume adds."""

    def __init__(self, texts: Texts, added: Resumed) -> None:
        self._texts = texts
        self._contents = added.contents

    def content(self, record: Record) -> str | list[Any]:
        """`message.content` of a user or assistant record."""
        made = self._contents.get(record.index)
        return self._texts.content(record) if made is None else made

    def reminders(self, record: Record) -> tuple[Sequence[str], bool]:
        """Rendered texts of an attachment, and whether they stand beside the result."""
        return self._texts.reminders(record)
