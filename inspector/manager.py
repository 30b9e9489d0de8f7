"""`ToolResultManager`: tool-result management for an agent loop, one per conversation.

It is the ledger between two requests and nothing more: the pure stages decide, the overflow store
writes, and what a later process needs to go on byte for byte leaves as records for the transcript.
A request costs what is new since the last few; the settled history in front of that is only copied.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any

import msgspec

from inspector.errors import UsageError
from inspector.model.policy import Policy, Preview, preset
from inspector.overflow import OverflowStore
from inspector.pipeline import dispatch, previews
from inspector.pipeline.archive import key_of
from inspector.pipeline.conversation import Messages
from inspector.pipeline.fold import Fold
from inspector.pipeline.ledger import Key, Ledger
from inspector.pipeline.resumed import RECORD_TYPE, recorded_texts, resumed
from inspector.pipeline.stages import Report
from inspector.pipeline.units import measure


class Prepared(msgspec.Struct, frozen=True):
    """One request, ready to be sent."""

    messages: list[Any]
    """What to send: the form that was given, untouched messages being the caller's own objects."""
    report: Report
    """What was done."""
    records: list[dict[str, Any]]
    """Records to append to the transcript before sending; at most one per request."""


class ToolResultManager:
    """Keeps the tool results of one conversation within bounds and its prompt prefix stable.

    Sub-agents have managers of their own and may share the scratch directory. Use it as a context
    manager, or call `close`, to remove overflow files at the end.
    """

    def __init__(
        self,
        policy: Policy | str,
        scratch_dir: Path | str,
        *,
        session_id: str = "",
        agent_id: str = "",
        keep_files: bool = False,
    ) -> None:
        """Start a conversation. Nothing is written before the first result is too large.

        Args:
            policy: The rules, or the name of a preset. They must keep a ledger: without one a
                preview changes every turn.
            scratch_dir: Where full results go; the agent must be allowed to read there.
            session_id: Goes into the records.
            agent_id: The sub-agent's id, which goes into its records too; empty for the main one.
            keep_files: Whether `close` leaves the overflow files (see `overflow.keeps_files`).

        Raises:
            UsageError: There is no such preset, or it keeps no ledger.
        """
        if isinstance(policy, str):
            policy = preset(policy)
        if not policy.budget.ledger:
            raise UsageError(f"policy {policy.name!r} keeps no ledger, so it cannot drive an agent loop")
        self.policy = policy
        self.session_id = session_id
        self.agent_id = agent_id
        self.keep_files = keep_files
        self.store = OverflowStore(scratch_dir, policy.budget.preview)
        self._fold = Fold(policy, self.store)
        self._lock = Lock()

    @classmethod
    def resume(
        cls,
        policy: Policy | str,
        scratch_dir: Path | str,
        messages: Messages,
        records: Iterable[Mapping[str, Any]],
        *,
        session_id: str = "",
        agent_id: str = "",
        keep_files: bool = False,
    ) -> ToolResultManager:
        """Go on with a conversation of an earlier process (seed 001 §2.10).

        Every candidate in the history counts as seen: one with a record gets the recorded text
        again, byte for byte and whether or not its file is still there; the others are frozen.

        Args:
            policy: The rules of before.
            scratch_dir: The directory of before.
            messages: The history as it was kept, results in full.
            records: Records of the transcript, in order; those of other agents and of other types
                are passed over, and so is what is malformed in them. The last one of a result counts.
            session_id: As in the constructor, and so on.
            agent_id: Whose records count.
            keep_files: As in the constructor.

        Raises:
            UsageError: As in the constructor.
        """
        manager = cls(policy, scratch_dir, session_id=session_id, agent_id=agent_id, keep_files=keep_files)
        store = manager.store
        ledger = resumed(messages, recorded_texts(records, agent_id), manager.policy, store.names_file_of)
        manager._fold = Fold(manager.policy, store, ledger)
        for (id, _), entry in ledger.entries.items():
            if entry.path:
                store.adopt(id, entry.path)
        return manager

    @property
    def ledger(self) -> Ledger:
        """What was decided so far: a value that later requests do not change."""
        with self._lock:
            return self._fold.ledger

    def cap(self, tool: str, output: str, *, tool_use_id: str = "", is_error: bool = False) -> str:
        """What of a tool's output becomes its result: the dispatch cap, at tool time.

        Args:
            tool: The tool's name.
            output: All of its output.
            tool_use_id: Names the file where the policy persists rather than cuts.
            is_error: Errors are never capped (seed 000).

        Returns:
            The text of the result: the output itself where it is short enough, or where the policy
            persists and its file cannot be written.
        """
        settings, unit = self.policy.dispatch, self.policy.unit
        if is_error:
            return output
        if self.policy.budget.preview is Preview.HEAD_TAIL:
            return dispatch.cap(output, dispatch.cap_of(tool, settings), unit)
        limit = dispatch.persist_limit(tool)
        if limit is None:
            return output
        size = measure(output, limit.unit)
        if size <= dispatch.cap_of(tool, settings):
            return output
        name = tool_use_id or f"output-{key_of(output)}"
        kept = self.store.keep(name, output, "txt")
        return previews.persisted_preview(output, kept.path, size) if kept.path else output

    def prepare(self, messages: Messages) -> Prepared:
        """Make the next request: every stage of the policy, in its order.

        Args:
            messages: The whole history, in Anthropic, OpenAI or ChatCLI form, as dicts or as the
                pydantic models that the client libraries give. It is not changed. It should only
                ever grow, and keep its message objects: what was sent some answers ago is then not
                looked at again, so an old message is changed by putting a new object in its place.
                Any other list works too, at the cost of a pass over all of it.

        Returns:
            What to send, what was done, and the records to keep.
        """
        with self._lock:
            folded = self._fold.request(messages)
        records = [self._record(folded.replaced)] if folded.replaced else []
        return Prepared(folded.messages, folded.report, records)

    def recall(self, key: str) -> str | None:
        """The original of an aged result by the key of its `<<ccr:KEY>>` marker, or None."""
        return self.store.recall(key)

    def close(self) -> None:
        """End the conversation: remove its overflow files unless they are to be kept."""
        if not self.keep_files:
            self.store.clean()

    def __enter__(self) -> ToolResultManager:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _record(self, replaced: Sequence[tuple[Key, str]]) -> dict[str, Any]:
        record: dict[str, Any] = {"type": RECORD_TYPE, "sessionId": self.session_id}
        if self.agent_id:
            record["agentId"] = self.agent_id
        record["replacements"] = [
            {
                "kind": "tool-result",
                "toolUseId": id,
                "replacement": text,
                # Only where one id was used again; Claude Code's records know no such case.
                **({"occurrence": nth} if nth else {}),
            }
            for (id, nth), text in replaced
        ]
        return record
