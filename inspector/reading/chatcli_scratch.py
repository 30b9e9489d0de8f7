"""ChatCLI's scratch files: which result a file name stands for, and originals by their key (§3.4, §6).

A name holds an id with its slashes replaced and a number, both parted by a sign that may stand in
the id too; so names are matched against known ids instead of being taken apart by guess.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

import msgspec

from inspector.errors import UnreadableError

_BUDGET = re.compile(r"budget_(?P<stem>.*)_(?P<number>[0-9]+)\.txt", re.DOTALL)
_WORKER = re.compile(r"result_(?P<stem>.*)_(?P<number>[0-9]+)\.txt", re.DOTALL)
_KEY = re.compile(r"[0-9a-f]{16}")

MAX_ORIGINAL_BYTES = 64 * 1024 * 1024
"""A quarter of the store's default size: the largest entry that ChatCLI takes."""


class ScratchKind(StrEnum):
    """Which part of ChatCLI wrote a file."""

    BUDGET = "budget"
    """The tool result budget."""
    WORKER = "worker"
    """A worker, or another tool that shortens its own output."""


class ScratchName(msgspec.Struct, frozen=True):
    """One file name, understood."""

    name: str
    """Untrusted text."""
    kind: ScratchKind
    label: str
    """Budget: the id with slashes replaced. Worker: its label."""
    number: int
    """Order of writing within the process; each kind counts for itself."""
    ids: tuple[str, ...] = ()
    """Known ids that give this name; more than one where they differ in slashes only."""


def match_names(names: Iterable[str], ids: Iterable[str] = ()) -> list[ScratchName]:
    """Understand the files of a scratch directory.

    Args:
        names: File names; those of another form are left out.
        ids: Tool call ids of the session.

    Returns:
        By kind and number, that is in order of writing. The highest number of an id is the file
        that the newest preview names.
    """
    by_stem: dict[str, list[str]] = {}
    for call_id in dict.fromkeys(ids):
        by_stem.setdefault(call_id.replace("/", "_"), []).append(call_id)
    out = []
    for name in names:
        for kind, form in ((ScratchKind.BUDGET, _BUDGET), (ScratchKind.WORKER, _WORKER)):
            found = form.fullmatch(name)
            if found and len(found["number"]) <= 19:
                known = by_stem.get(found["stem"], []) if kind is ScratchKind.BUDGET else []
                out.append(ScratchName(name, kind, found["stem"], int(found["number"]), tuple(known)))
    return sorted(out, key=lambda entry: (entry.kind, entry.number, entry.name))


def read_original(directory: Path, key: str, limit_bytes: int = MAX_ORIGINAL_BYTES) -> bytes:
    """An original from the CCR store, only if it is what its key says.

    Args:
        directory: The store; it may be a link, for the user's configuration names it.
        key: 16 hexadecimal digits, usually out of a transcript.
        limit_bytes: Larger files are refused.

    Raises:
        UnreadableError: The key is none, or the file is absent, a link, too large or altered.
    """
    if not _KEY.fullmatch(key):
        raise UnreadableError("not a key of ChatCLI's archive: 16 hexadecimal digits are needed")
    name = f"{key}.ccr"
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        with os.fdopen(os.open(directory / name, flags), "rb") as file:
            state = os.fstat(file.fileno())
            if not stat.S_ISREG(state.st_mode) or state.st_nlink > 1:
                raise UnreadableError(f"{name}: not an ordinary file of its own")
            content = file.read(limit_bytes + 1)
    except OSError as error:
        raise UnreadableError(f"{name}: {error.strerror or 'cannot be read'}") from None
    if len(content) > limit_bytes:
        raise UnreadableError(f"{name}: larger than {limit_bytes:,} bytes")
    if hashlib.sha256(content).hexdigest()[:16] != key:
        raise UnreadableError(f"{name}: its content is not the one that was archived under this key")
    return content
