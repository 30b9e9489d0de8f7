"""Which replacement lines the budget writes: from sizes alone, one pass for each request (rule 28)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from inspector.model.policy import CLAUDE_CODE, BudgetSettings
from inspector.model.transcript import Candidate
from inspector.pipeline.budget import Item, decide
from inspector.pipeline.wire.grouping import is_call, is_result
from inspector.pipeline.wire.history import History


class Sent(msgspec.Struct, frozen=True, gc=False):
    """One result on the wire of a request, as the budget sees it."""

    id: str
    tool: str
    utf16: int
    """UTF-16 units of what the tool gave, without reminders."""
    candidate: Candidate


def groups_of(history: History) -> list[list[Sent]]:
    """The results of the last cut, one list for each message of the user.

    Args:
        history: Positioned on the request.
    """
    tools: dict[str, str] = {}
    groups: list[list[Sent]] = []
    for message in history.wire():
        blocks = [history.record(b.record).blocks[b.block] for b in message.blocks if b.record >= 0]
        tools.update((b.id, b.name) for b in blocks if is_call(b))
        results = [Sent(b.id, tools.get(b.id, ""), b.size.utf16, b.candidate) for b in blocks if is_result(b)]
        if results:
            groups.append(results)
    return groups


class BudgetLines:
    """The decisions of one client process, request by request.

    Args:
        settings: Limit, and tools that are left alone.
        loaded: Results that were in the history when the session was loaded: all of them are seen.
        replaced: Those of them that a stored line replaces.
    """

    def __init__(
        self,
        settings: BudgetSettings = CLAUDE_CODE.budget,
        *,
        loaded: Iterable[str] = (),
        replaced: Iterable[str] = (),
    ) -> None:
        self._settings = settings
        self._replaced = set(replaced)
        self._seen = {*loaded, *self._replaced}

    def decide(self, groups: Iterable[Iterable[Sent]]) -> tuple[str, ...]:
        """The ids that a request's line names, in order of choice; empty: no line is written.

        Args:
            groups: Of `groups_of`, for this request.
        """
        chosen: list[str] = []
        for group in groups:
            chosen.extend(self._one(tuple(group)))
        self._replaced.update(chosen)
        return tuple(chosen)

    def _one(self, group: tuple[Sent, ...]) -> list[str]:
        fresh: list[Item] = []
        frozen = 0
        for key, sent in enumerate(group):
            known = sent.id in self._seen
            self._seen.add(sent.id)
            if sent.candidate is not Candidate.YES or sent.id in self._replaced:
                continue
            skipped = sent.tool in self._settings.skip_tools
            if not known:
                fresh.append(Item(key, sent.utf16, skipped, 0))
            elif not skipped:
                frozen += sent.utf16
        return [group[key].id for key in decide(fresh, frozen, 0, self._settings).replace]


def replacement_line(
    session_id: str, replacements: Mapping[str, str], agent_id: str = ""
) -> dict[str, object]:
    """One line as the client writes it (`claude-code.md` §2).

    Args:
        session_id: Of the file.
        replacements: tool_use id → text, in order of choice.
        agent_id: For the file of an agent.
    """
    agent = {"agentId": agent_id} if agent_id else {}
    return {
        "type": "content-replacement",
        "sessionId": session_id,
        **agent,
        "replacements": [
            {"kind": "tool-result", "toolUseId": tool_use_id, "replacement": text}
            for tool_use_id, text in replacements.items()
        ],
    }
