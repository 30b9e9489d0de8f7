"""The stages in the policy's order: history and ledger in, wire and next ledger out.

This is the only place that knows the order. Files are written through a port (`Overflow`) that the
caller gives; everything else is a function of the arguments, so the same history, ledger and
answers of the port always give the same wire.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Protocol

import msgspec

from inspector.model.ledger import Level, State
from inspector.model.overflow import Kept
from inspector.model.policy import Ageing, BudgetMode, Policy, Preview, Stage, Unit
from inspector.model.transcript import Candidate
from inspector.pipeline import archive, budget, microcompact, previews
from inspector.pipeline.conversation import Normal, Result
from inspector.pipeline.ledger import Aged, Entry, Key, Ledger, Placed, answer_count, placed, source_of
from inspector.pipeline.pairing import Repaired, RepairKind, repair
from inspector.pipeline.units import measure


class Overflow(Protocol):
    """Where full texts go."""

    def path_for(self, result_id: str, extension: str) -> str:
        """The path that a text of this result would most likely get. Touches nothing."""

    def keep(self, result_id: str, text: str, extension: str) -> Kept:
        """Write a full text, once. Never raises for a disk that does not work."""

    def archive(self, key: str, text: str) -> Kept:
        """Keep the original of an aged text under its key."""


class GroupReport(msgspec.Struct, frozen=True):
    """What one request decided about one group; there is one only where something was fresh."""

    ids: tuple[str, ...]
    """Every candidate of the group, in order."""
    total: int
    """Frozen and fresh counted results at full size, in the policy's unit."""
    frozen_total: int
    limit: int
    replace: tuple[str, ...]
    """Ids in order of choice."""
    skipped: tuple[str, ...]
    remaining: int
    over: bool
    accepted: bool
    """Still over, and nothing is left to replace."""
    cannot_fit: bool
    failed: tuple[str, ...] = ()
    """Chosen, but their texts could not be kept: they stay in full and are frozen."""


class AgedReport(msgspec.Struct, frozen=True, gc=False):
    """A result whose text ageing changed at this request."""

    id: str
    level: Level
    before: int
    """Size on the wire before, in the policy's unit."""
    after: int


class Failure(msgspec.Struct, frozen=True, gc=False):
    """A text that could not be kept."""

    id: str
    error: str


class Report(msgspec.Struct, frozen=True):
    """What one request did."""

    repairs: tuple[Repaired, ...] = ()
    """All that pairing did to this wire, in order of place."""
    new_repairs: tuple[Repaired, ...] = ()
    """Those of them that the request before did not have."""
    groups: tuple[GroupReport, ...] = ()
    aged: tuple[AgedReport, ...] = ()
    late: tuple[str, ...] = ()
    """Results that took the place of a synthetic one that was sent: the prefix breaks there."""
    failures: tuple[Failure, ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """One request, ready to be sent."""

    messages: tuple[Normal, ...]
    ledger: Ledger
    report: Report
    replaced: tuple[tuple[Key, str], ...]
    """Results replaced by this request and their texts, in order of choice: what a record keeps."""


def run(
    messages: Sequence[Normal],
    ledger: Ledger,
    policy: Policy,
    overflow: Overflow,
    *,
    live: bool = False,
) -> Outcome:
    """One request: every stage of the policy, in its order.

    Args:
        messages: The whole history in normal form; not changed.
        ledger: What earlier requests decided; not changed.
        policy: The rules. A budget of mode `off` decides nothing; `auto` counts as on here.
        overflow: Where full texts go.
        live: Whether unanswered calls of the last answer may still be running (see `pairing`).

    Returns:
        The wire, the next ledger, and what was done.
    """
    request = _Request(messages, ledger, policy, overflow)
    for stage in policy.order:
        if stage is Stage.PAIRING:
            request.pair(live=live)
        elif stage is Stage.BUDGET:
            request.budget()
        else:
            request.age()
    return request.outcome()


class _Request:
    """One request under way: the messages as they stand, and what was noted so far."""

    def __init__(
        self, messages: Sequence[Normal], ledger: Ledger, policy: Policy, overflow: Overflow
    ) -> None:
        self.messages = tuple(messages)
        self.before = ledger
        self.policy = policy
        self.unit = policy.unit
        self.overflow = overflow
        self.fresh: dict[Key, Entry] = {}
        self.aged: dict[Key, Aged] = {}
        self.repairs: tuple[Repaired, ...] = ()
        self.groups: list[GroupReport] = []
        self.aged_now: list[AgedReport] = []
        self.failures: list[Failure] = []
        self.replaced: list[tuple[Key, str]] = []

    def pair(self, *, live: bool) -> None:
        paired = repair(self.messages, self.policy.pairing.variant, live=live)
        self.messages, self.repairs = paired.messages, paired.repairs

    # Budget

    def budget(self) -> None:
        if self.policy.budget.mode is BudgetMode.OFF:
            return
        places = [p for p in placed(self.messages) if p.result.candidate is Candidate.YES]
        places = [p for p in places if not p.result.synthetic]
        for _, members in groupby(places, key=lambda place: place.group):
            group = list(members)
            if any(self._known(place) is None for place in group):
                self._decide(group)
        edits = {
            (place.message, place.index): entry.text
            for place in places
            if (entry := self._entry(place)) is not None and entry.state is State.REPLACED
        }
        self.messages = _edited(self.messages, edits)

    def _known(self, place: Placed) -> Entry | None:
        """What an earlier request decided about this very text."""
        entry = self.before.entries.get(place.key)
        if entry is not None and entry.state is State.REPLACED and entry.source != source_of(place.result):
            return None
        return entry

    def _entry(self, place: Placed) -> Entry | None:
        return self.fresh.get(place.key) or self._known(place)

    def _known_age(self, place: Placed) -> Aged | None:
        aged = self.before.aged.get(place.key)
        return aged if aged is not None and aged.source == source_of(place.result) else None

    def _decide(self, group: Sequence[Placed]) -> None:
        settings = self.policy.budget
        fresh: list[budget.Item] = []
        frozen_total = previews_total = 0
        for number, place in enumerate(group):
            entry = self._known(place)
            size = _size(place.result, self.unit)
            if entry is None:
                skipped = place.tool in settings.skip_tools
                fresh.append(budget.Item(number, size, skipped, self._preview_size(place, size)))
            elif entry.state is State.REPLACED:
                previews_total += entry.size
            else:
                # A result that was skipped counts once it was sent: then it is frozen (seed 001 §2.9).
                frozen_total += size
        decision = budget.decide(fresh, frozen_total, previews_total, settings)
        for number in decision.skipped:
            self.fresh[group[number].key] = Entry(State.SKIPPED)
        for number in decision.frozen:
            self.fresh[group[number].key] = Entry(State.FROZEN)
        failed = [number for number in decision.replace if not self._replace(group[number])]
        decision = budget.kept_in_full(decision, failed, fresh, settings)
        self.groups.append(
            GroupReport(
                ids=tuple(place.key[0] for place in group),
                total=decision.total,
                frozen_total=frozen_total,
                limit=settings.turn_limit,
                replace=tuple(group[n].key[0] for n in decision.replace),
                skipped=tuple(group[n].key[0] for n in decision.skipped),
                remaining=decision.remaining,
                over=decision.over,
                accepted=decision.accepted,
                cannot_fit=decision.cannot_fit,
                failed=tuple(group[n].key[0] for n in failed),
            )
        )

    def _replace(self, place: Placed) -> bool:
        """Keep the full text of a chosen result and note its replacement; False: it is frozen."""
        result, form = place.result, self.policy.budget.preview
        kept = Kept("", "it holds more than text")
        if result.only_text:
            text, extension = stored(result, form)
            kept = self.overflow.keep(result.id, text, extension)
        if not kept.path:
            self.fresh[place.key] = Entry(State.FROZEN)
            self.failures.append(Failure(result.id, kept.error))
            return False
        shown = preview(text, kept.path, self.policy)
        size = measure(shown, self.unit)
        self.fresh[place.key] = Entry(State.REPLACED, shown, kept.path, size, source_of(result))
        self.replaced.append((place.key, shown))
        return True

    def _preview_size(self, place: Placed, size: int) -> int:
        """What replacing would leave. Only a text that could matter is looked into."""
        settings = self.policy.budget
        if settings.preview is Preview.HEAD_TAIL and size <= settings.preview_head + settings.preview_tail:
            return size
        if not place.result.only_text:
            return size
        if not settings.count_previews:
            return 0
        text, extension = stored(place.result, settings.preview)
        path = self.overflow.path_for(place.result.id, extension)
        return measure(preview(text, path, self.policy), self.unit)

    # Ageing

    def age(self) -> None:
        settings = self.policy.microcompact
        if settings.variant not in (Ageing.AGES, Ageing.CHATCLI):
            return
        total = answer_count(self.messages)
        youngest = min(settings.truncate_turns, settings.summarize_turns)
        edits: dict[tuple[int, int], str] = {}
        for place in placed(self.messages):
            result, age = place.result, total - place.answers
            if age < youngest or result.synthetic or not result.only_text or not result.texts:
                continue
            standing = self._standing(place)
            level, _ = microcompact.level(age, standing, place.tool, result.is_error, settings, place.command)
            aged = self.aged[place.key] = self._aged(place, level, standing)
            if aged.text:
                edits[place.message, place.index] = aged.text
        self.messages = _edited(self.messages, edits)

    def _standing(self, place: Placed) -> int:
        """Size of a result's text on the wire before ageing; measured once."""
        earlier = self._known_age(place)
        if earlier is not None:
            return earlier.standing
        if place.result.edited is None:
            return _size(place.result, self.unit)
        entry = self._entry(place)
        return entry.size if entry is not None else measure(place.result.edited, self.unit)

    def _aged(self, place: Placed, level: Level, standing: int) -> Aged:
        earlier = self._known_age(place)
        if earlier is not None and earlier.level is level:
            return earlier
        full = Aged(level, "", standing, standing, source_of(place.result))
        if level not in (Level.TRUNCATED, Level.SUMMARIZED):
            return full
        stub = self._stub(place, level)
        size = measure(stub, self.unit)
        if size >= standing:
            return full
        before = earlier.size if earlier is not None else standing
        self.aged_now.append(AgedReport(place.result.id, level, before, size))
        return Aged(level, stub, size, standing, full.source)

    def _stub(self, place: Placed, level: Level) -> str:
        text = place.result.text
        if level is Level.TRUNCATED:
            stub = microcompact.truncate(text, self.policy.microcompact, self.unit)
        else:
            stub = microcompact.summarize(text, self.unit)
        entry = self._entry(place)
        if entry is not None and entry.path and entry.path not in stub:
            stub += microcompact.path_line(entry.path)
        return stub + self._recall(place.result.id, text, stub)

    def _recall(self, id: str, text: str, stub: str) -> str:
        """The marker line by which the original can be had again; empty where it cannot."""
        keys = archive.keys_in(text)
        if not keys:
            if not self.policy.archive:
                return ""
            key = archive.key_of(text)
            kept = self.overflow.archive(key, text)
            if not kept.path:
                self.failures.append(Failure(id, kept.error))
                return ""
            keys = (key,)
        return archive.suffix(keys, stub)

    def outcome(self) -> Outcome:
        entries = {**self.before.entries, **self.fresh} if self.fresh else self.before.entries
        earlier = frozenset(self.before.repairs)
        report = Report(
            self.repairs,
            tuple(repaired for repaired in self.repairs if repaired not in earlier),
            tuple(self.groups),
            tuple(self.aged_now),
            self._late(),
            tuple(self.failures),
        )
        ledger = Ledger(entries, self.aged, self.repairs)
        return Outcome(self.messages, ledger, report, tuple(self.replaced))

    def _late(self) -> tuple[str, ...]:
        """Results that have come since a synthetic one was sent for their calls."""
        gone = _missing(self.before.repairs) - _missing(self.repairs)
        if not gone:
            return ()
        ids = dict.fromkeys(place.key[0] for place in placed(self.messages) if not place.result.synthetic)
        return tuple(id for id in ids if id in gone)


def _missing(repairs: Iterable[Repaired]) -> set[str]:
    return {repaired.id for repaired in repairs if repaired.kind is RepairKind.MISSING}


def _size(result: Result, unit: Unit) -> int:
    return sum(measure(text, unit) for text in result.texts)


def stored(result: Result, form: Preview) -> tuple[str, str]:
    """What goes to disk of a result, and the extension of its file."""
    if form is Preview.PERSISTED and result.listed:
        return previews.pretty_json(result.blocks), "json"
    return result.text, "txt"


def preview(text: str, path: str, policy: Policy) -> str:
    """What stands for a text that went to a file, in the policy's form."""
    if policy.budget.preview is Preview.PERSISTED:
        return previews.persisted_preview(text, path)
    return previews.budget_preview(text, path, policy.budget, policy.unit)


def _edited(messages: Sequence[Normal], edits: dict[tuple[int, int], str]) -> tuple[Normal, ...]:
    """The messages with the texts of some results replaced."""
    out = list(messages)
    for m, places in groupby(sorted(edits), key=lambda place: place[0]):
        results = list(out[m].results)
        for _, index in places:
            results[index] = msgspec.structs.replace(results[index], edited=edits[m, index])
        out[m] = msgspec.structs.replace(out[m], results=tuple(results), changed=True)
    return tuple(out)
