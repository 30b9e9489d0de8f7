"""What the records say about the client that wrote them: mode and generation (rule 1, 16-31)."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from inspector.model.transcript import Flag, Record, Role

_OLDEST_KNOWN_NEW = (2, 1, 332)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MODEL = re.compile(r"claude-[a-z]+-(\d+)")
_FIRST_WITH_SYSTEM_REMINDERS = 5
"""Generation of the first model names that get reminders as messages of their own (rule 31)."""


class ClientFacts(msgspec.Struct, frozen=True):
    """Which variant of the rules holds, and what had to be assumed for it."""

    screen: bool
    """Interactive; else print mode, which knows no budget and no clearing."""
    new: bool
    """The generation that records its own requests (2.1.332), against 2.1.92 and older."""
    system_reminders: bool = False
    """Reminders stand in messages of their own, with role `system` (rule 31)."""
    version: str = ""
    """`version` of the newest record that has one."""
    entrypoint: str = ""
    """`entrypoint` of the newest record that has one."""
    assumptions: tuple[str, ...] = ()
    """What the records do not say, one sentence each."""


class FactsReader:
    """Reads mode and generation off records that come one after the other; each costs O(1)."""

    def __init__(self) -> None:
        self._version = self._entrypoint = self._model = ""
        self._proof = False

    def feed(self, record: Record) -> None:
        """Takes the next record of the history, whether it takes part or not; of copies the first counts."""
        if record.flags & Flag.DUPLICATE:
            return
        self._version = record.version or self._version
        self._entrypoint = record.entrypoint or self._entrypoint
        if record.is_answer:
            self._model = record.model or self._model
        self._proof = self._proof or _proves_new(record)

    def facts(self, model: str = "") -> ClientFacts:
        """What the records so far say.

        Args:
            model: Name of the model that is asked; empty: that of the newest answer.
        """
        assumptions: list[str] = []
        screen = _screen(self._entrypoint, assumptions)
        new = _new(self._proof, self._version, assumptions)
        system = new and _system_reminders(model or self._model)
        if system:
            assumptions.append(
                "Models of generation 5 and later are taken to get reminders as system messages."
            )
        return ClientFacts(screen, new, system, self._version, self._entrypoint, tuple(assumptions))


def facts_of(records: Iterable[Record], *, model: str = "") -> ClientFacts:
    """Reads mode and generation off the records of a history.

    Args:
        records: All records of the history, those that take no part included.
        model: Name of the model that is asked; empty: that of the newest answer.
    """
    reader = FactsReader()
    for record in records:
        reader.feed(record)
    return reader.facts(model)


def _proves_new(record: Record) -> bool:
    """`api-request` lines, `requestRef` (a uuid, unlike `requestId`), attachments that hold their text."""
    return record.role is Role.REQUEST or bool(record.flags & Flag.REMINDER) or names_request(record)


def names_request(record: Record) -> bool:
    """Whether an answer names an `api-request` line (`requestRef`, a uuid), wherever that line stands."""
    return bool(record.request_ref) and _UUID.fullmatch(record.request_ref) is not None


def _screen(entrypoint: str, assumptions: list[str]) -> bool:
    if entrypoint == "cli" or entrypoint.startswith("sdk-"):
        return entrypoint == "cli"
    if entrypoint:
        assumptions.append(f"Entrypoint {entrypoint!r} is not a known one: taken as the screen.")
    else:
        assumptions.append("The records name no entrypoint: taken as the screen.")
    return True


def _new(proof: bool, version: str, assumptions: list[str]) -> bool:
    if proof:
        return True
    numbers = tuple(int(n) for n in re.findall(r"\d{1,9}", version)[:3])
    if numbers > _OLDEST_KNOWN_NEW:
        assumptions.append(f"Version {version} is newer than any measured: the newest rules are used.")
        return True
    if numbers >= _OLDEST_KNOWN_NEW:
        return True
    if numbers > (2, 1, 92):
        assumptions.append(f"Version {version} records no requests: the rules of 2.1.92 are used.")
    elif not numbers:
        assumptions.append("The records name no version and no requests: the rules of 2.1.92 are used.")
    return False


def _system_reminders(model: str) -> bool:
    found = _MODEL.match(model)
    return found is not None and int(found[1]) >= _FIRST_WITH_SYSTEM_REMINDERS
