"""The requests that a transcript itself recorded, each beside the prediction.

Read when somebody first asks, and only where `api-request` lines were met; later calls go on from
where the one before stopped. Two bounds keep a huge session usable: what is read, and how many
messages are compared. What they leave out is said in a sentence, never counted as the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from inspector.model.findings import Finding
from inspector.model.policy import Unit
from inspector.model.transcript import Candidate, Record
from inspector.pipeline.units import measure
from inspector.pipeline.wire.recorded import (
    RecordedMessage,
    RecordedRequest,
    RecordedWire,
    Statistics,
    WireDifference,
    compare,
    statistics,
)
from inspector.reading.persisted import TAG
from inspector.replay.diagnose.pairing import finding
from inspector.replay.otherwise import Otherwise
from inspector.replay.sentences import UNIT_WORDS
from inspector.replay.view import Event
from inspector.session.body_blocks import in_blocks
from inspector.session.texts import SessionTexts
from inspector.session.wire_builder import WireBuilder

if TYPE_CHECKING:
    from inspector.replay.requests import Request
    from inspector.session.session import Session

READ_BYTES = 48 << 20
"""Bytes of a file of which recorded requests are read: their texts are held in memory."""
COMPARED_MESSAGES = 80_000
"""Messages that are compared in one conversation, each counted at every request that holds it."""
PRINT_MODE = "sdk"
"""`querySource` of a request in print mode (`claude-code-wire.md` rule 40)."""
_SHOWN_CHARS = 120
"""Of each side of a difference, in a finding."""


class Difference(msgspec.Struct):
    """One place where prediction and recording differ, over the requests that it lasts."""

    first: int
    """Request in which it shows first."""
    at: WireDifference
    tool_use_id: str = ""
    requests: list[int] = msgspec.field(default_factory=list)


class Lost(msgspec.Struct, frozen=True):
    """A result that one recorded request sent in full, and the one before as a preview."""

    request: int
    id: str
    preview: str
    full: str
    in_print_mode: bool


class RecordedCheck:
    """Compares the recorded requests of one conversation with the predicted ones."""

    def __init__(self, session: Session, thread: str) -> None:
        self.wire = RecordedWire()
        self.differences: list[Difference] = []
        """In order of their first request."""
        self.compared = 0
        """Requests that were compared."""
        self.lost: list[Lost] = []
        self.replaced_last: dict[str, str] = {}
        """Result → preview, in the newest recorded request."""
        self.left_out = 0
        """Recorded requests that a bound left out."""
        self._session = session
        self._thread = thread
        self._objects = session.new_objects(thread)
        self._read = 0
        self._texts = _KeptTexts(session, thread)
        self._builder = WireBuilder(session, thread, texts=self._texts)
        self._next = 1
        self._messages = 0
        self._known: dict[str, Difference] = {}
        self._contents: dict[str, list[tuple[str, str]]] = {}

    def read(self) -> None:
        """Take up what the file holds by now."""
        while self._read < READ_BYTES:
            values, length = self._objects.next()
            self._read += length
            for value in values:
                self.wire.feed(value)
            if not length:
                return

    def update(self) -> None:
        """Compare the requests that were answered since the last call, and mark them."""
        self.read()
        timeline = self._session.timelines[self._thread]
        for request in timeline.requests[self._next - 1 :]:
            if request.pending:
                break
            self._next = request.n + 1
            found = self.wire.requests.get(request.request_ref) if request.request_ref else None
            if found is None or not found.rebuilt:
                continue
            self._messages += len(found.messages)
            if self._messages > COMPARED_MESSAGES:
                self.left_out += 1
                continue
            self._compare(request, found)

    def _compare(self, request: Request, found: RecordedRequest) -> None:
        timeline = self._session.timelines[self._thread]
        predicted = in_blocks(self._builder.body(request.n))
        differing = compare(predicted, [m.message or {} for m in found.messages])
        self.compared += 1
        timeline.recorded_words[request.request_ref] = "differs" if differing else "same"
        if differing:
            request.events |= Event.DIFFERS
        for at in differing:
            self._note(request.n, at, predicted)
        self._follow_replacements(request.n, found)

    def _follow_replacements(self, n: int, found: RecordedRequest) -> None:
        """Keep which results stand as previews, and which of them came back in full."""
        now: dict[str, str] = {}
        for message in found.messages:
            for tool_use_id, text in self._results(message):
                if text.startswith(TAG):
                    if not self._is_saved_by_tool(tool_use_id):
                        now[tool_use_id] = text
                elif (preview := self.replaced_last.get(tool_use_id)) is not None:
                    self.lost.append(Lost(n, tool_use_id, preview, text, found.query_source == PRINT_MODE))
        self.replaced_last = now

    def _is_saved_by_tool(self, tool_use_id: str) -> bool:
        """Whether the transcript itself holds the preview: the tool's own cap made it, not the budget."""
        rows = self._session.timelines[self._thread].rows_of(tool_use_id)
        return bool(rows) and rows[-1].entry.candidate is Candidate.PERSISTED

    def _results(self, message: RecordedMessage) -> list[tuple[str, str]]:
        """Results of a recorded message that are one text."""
        known = self._contents.get(message.hash)
        if known is None:
            content = (message.message or {}).get("content")
            blocks = [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []
            known = self._contents[message.hash] = [
                (b["tool_use_id"], b["content"])
                for b in blocks
                if isinstance(b.get("tool_use_id"), str) and isinstance(b.get("content"), str)
            ]
        return known

    def _note(self, n: int, at: WireDifference, predicted: Sequence[Mapping[str, Any]]) -> None:
        tool_use_id = _tool_use_id(at, predicted)
        key = json.dumps([at.message, at.block, at.what, at.predicted, at.recorded], default=str)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Difference(n, at, tool_use_id)
            self.differences.append(known)
        known.requests.append(n)
        if tool_use_id:
            differing = self._session.timelines[self._thread].differing
            differing.setdefault(
                tool_use_id, Otherwise(_sent_words(at, self._session.policy.unit))
            ).requests.append(n)

    def statistics(self) -> Statistics:
        """How much of what was recorded could be rebuilt."""
        return statistics(self.wire)

    def findings(self) -> Iterator[Finding]:
        """A finding for each difference, with the requests that it lasts."""
        for difference in self.differences:
            yield _finding(difference, self._session.policy.unit)

    def note(self) -> str:
        """What a bound left out, as a sentence; empty: nothing."""
        if self._read >= READ_BYTES:
            return f"Recorded requests were read from the first {READ_BYTES >> 20} MB of the file only."
        if self.left_out:
            return (
                f"{self.compared} recorded requests were compared with the prediction; {self.left_out} later "
                "ones were left out, because comparing them would take too long."
            )
        return ""


class _KeptTexts(SessionTexts):
    """Texts that are kept: each request asks for nearly all those of the request before."""

    def __init__(self, session: Session, thread: str) -> None:
        super().__init__(session, thread)
        self._contents: dict[int, str | list[Any]] = {}
        self._rendered: dict[int, tuple[Sequence[str], bool]] = {}

    def content(self, record: Record) -> str | list[Any]:
        """`message.content`, read once."""
        if record.index not in self._contents:
            self._contents[record.index] = super().content(record)
        return self._contents[record.index]

    def reminders(self, record: Record) -> tuple[Sequence[str], bool]:
        """Rendered texts of an attachment, read once."""
        if record.index not in self._rendered:
            self._rendered[record.index] = super().reminders(record)
        return self._rendered[record.index]


def _tool_use_id(at: WireDifference, predicted: Sequence[Mapping[str, Any]]) -> str:
    """The call or result that a difference is about; empty where it is about neither."""
    block: Any = at.recorded if at.what == "missing" else at.predicted
    if at.block is not None and at.what not in ("missing", "added"):
        content = predicted[at.message].get("content")
        block = content[at.block] if isinstance(content, list) else content
    if not isinstance(block, dict):
        return ""
    found = block.get("tool_use_id") or (block.get("id") if block.get("type") == "tool_use" else "")
    return found if isinstance(found, str) else ""


def _finding(difference: Difference, unit: Unit) -> Finding:
    at, requests = difference.at, difference.requests
    place = (
        f"message {at.message + 1}"
        if at.block is None
        else f"block {at.block + 1} of message {at.message + 1}"
    )
    lasting = f" and in {len(requests) - 1} later ones" if len(requests) > 1 else ""
    return finding(
        "recorded_differs",
        f"Request {difference.first}{lasting}: {place}{_named(difference.tool_use_id)} {_words(at, unit)}.",
        request=difference.first,
        ids=(difference.tool_use_id,) if difference.tool_use_id else (),
        see=f"request {difference.first}",
        data={
            "message": at.message,
            "block": at.block,
            "what": at.what,
            "predicted": _short(at.predicted),
            "recorded": _short(at.recorded),
            "predicted_chars": _size(at.predicted, unit),
            "recorded_chars": _size(at.recorded, unit),
            "requests": list(requests),
        },
    )  # fmt: skip


def _named(tool_use_id: str) -> str:
    return f" ({tool_use_id})" if tool_use_id else ""


def _words(at: WireDifference, unit: Unit) -> str:
    if at.what == "added":
        return "is predicted, and was not sent"
    if at.what == "missing":
        return "was sent, and is not predicted"
    sizes = f"{_size(at.predicted, unit):,} {UNIT_WORDS[unit]} predicted, {_size(at.recorded, unit):,} sent"
    return f"has another {at.what}: {sizes}"


def _sent_words(at: WireDifference, unit: Unit) -> str:
    """What was sent, for the sentence of the result's row."""
    if at.what == "added":
        return "nothing of it"
    if at.what == "missing":
        return "it, though nothing of it is predicted"
    in_full = not _text(at.recorded).startswith(TAG), not _text(at.predicted).startswith(TAG)
    sent, predicted, words = _size(at.recorded, unit), _size(at.predicted, unit), UNIT_WORDS[unit]
    if in_full == (False, True):
        return f"a preview, {sent:,} of {predicted:,} {words}"
    if in_full == (True, False):
        return f"it in full, {sent:,} {words} where a preview of {predicted:,} is predicted"
    return f"another {at.what}, {sent:,} {words} where {predicted:,} are predicted"


def _size(value: Any, unit: Unit) -> int:
    return measure(_text(value), unit)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, default=str)


def _short(value: Any) -> str | None:
    if value is None:
        return None
    text = _text(value)
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"
