"""The ledger of a conversation that an earlier process began, from its history and its records.

Records are text that anyone may have written, and a tool's output may look like a preview. So a
record counts for a result where its text is the preview of that very result; only where none is
(another program's records, other settings) does it count by its place alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from inspector.model.ledger import State
from inspector.model.policy import Policy, Stage
from inspector.model.transcript import Candidate
from inspector.pipeline import previews
from inspector.pipeline.conversation import Messages, Result, normalise
from inspector.pipeline.ledger import Entry, Key, Ledger, Placed, placed, source_of
from inspector.pipeline.pairing import repair
from inspector.pipeline.stages import preview, stored
from inspector.pipeline.units import measure

RECORD_TYPE = "content-replacement"
"""Type of the records, as Claude Code writes them into a transcript (`pipeline.md`, Ledger)."""

Texts = Mapping[str, Mapping[int, str]]
"""tool_use id → occurrence → replacement."""
Owns = Callable[[str, str], bool]
"""Whether a path is one that the text of a result id can have got."""


def recorded_texts(records: Iterable[Mapping[str, Any]], agent_id: str) -> Texts:
    """The replacements of one agent's records; the last one of a result counts.

    Args:
        records: Records of a transcript, in order. Other types, other agents, and whatever is
            malformed are passed over.
        agent_id: The sub-agent; empty for the main conversation.
    """
    found: dict[str, dict[int, str]] = {}
    for record in records:
        if not isinstance(record, Mapping) or record.get("type") != RECORD_TYPE:
            continue
        listed = record.get("replacements")
        if (record.get("agentId") or "") != agent_id or not isinstance(listed, list):
            continue
        for item in listed:
            if not isinstance(item, Mapping):
                continue
            id, text, nth = item.get("toolUseId"), item.get("replacement"), item.get("occurrence", 0)
            if isinstance(id, str) and isinstance(text, str) and isinstance(nth, int):
                found.setdefault(id, {})[nth] = text
    return found


def resumed(messages: Messages, texts: Texts, policy: Policy, owns: Owns) -> Ledger:
    """Everything in the history counts as seen (seed 001 §2.10).

    Args:
        messages: The history as it was kept, results in full.
        texts: Of `recorded_texts`.
        policy: The rules.
        owns: Which paths may be a result's own.
    """
    normal = normalise(messages)
    paired = repair(normal, policy.pairing.variant)
    repaired_first = policy.order.index(Stage.PAIRING) < policy.order.index(Stage.BUDGET)
    places = [
        place
        for place in placed(paired.messages if repaired_first else normal)
        if place.result.candidate is Candidate.YES and not place.result.synthetic
    ]
    uses = Counter(place.key[0] for place in places)
    entries: dict[Key, Entry] = {}
    for place in places:
        own = texts.get(place.key[0], {}).get(place.key[1])
        path = None if own is None else _fitting_path(place.result, own, policy)
        if own is not None and path is not None:
            entries[place.key] = _replaced(place, own, path, policy)
    # A record that fits its own place is spent: another text of this id may have the same preview.
    spent = frozenset(entries)
    for place in places:
        if place.key not in entries:
            id = place.key[0]
            recorded = texts.get(id, {})
            left = {n: text for n, text in recorded.items() if (id, n) not in spent}
            certain = uses[id] == 1 or len(recorded) == 1
            entries[place.key] = _entry(place, left, policy, owns, certain=certain)
    return Ledger({place.key: entries[place.key] for place in places}, {}, paired.repairs)


def _entry(place: Placed, texts: Mapping[int, str], policy: Policy, owns: Owns, *, certain: bool) -> Entry:
    """What a record says about a result whose own place holds none that fits it.

    Args:
        place: The result.
        texts: What is left of its id's records.
        policy: The rules.
        owns: As in `resumed`.
        certain: Whether no other result can be meant by a record of this id.
    """
    id, nth = place.key
    for n in sorted(texts):
        path = _fitting_path(place.result, texts[n], policy)
        if path is not None:
            return _replaced(place, texts[n], path, policy)
    text_here = texts.get(nth)
    if text_here is None or not certain:
        return Entry(State.FROZEN)
    path = next((path for path in previews.paths_in(text_here) if owns(id, path)), "")
    return _replaced(place, text_here, path, policy)


def _replaced(place: Placed, text: str, path: str, policy: Policy) -> Entry:
    return Entry(State.REPLACED, text, path, measure(text, policy.unit), source_of(place.result))


def _fitting_path(result: Result, text: str, policy: Policy) -> str | None:
    """The path with which a text is exactly what this policy puts in place of a result."""
    if not result.only_text:
        return None
    full, _ = stored(result, policy.budget.preview)
    return next((path for path in previews.paths_in(text) if preview(full, path, policy) == text), None)
