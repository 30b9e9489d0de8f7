"""The scratch directories of a session: what is in them, as of the last poll that read something."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.model.transcript import BlockKind, Record
from inspector.reading.detect import CHATCLI_KINDS
from inspector.reading.scratch import Listing, OverflowFile, Scratch, scratch_roots

if TYPE_CHECKING:
    from inspector.reading.chatcli_scratch import ScratchName
    from inspector.session.session import Session

_BUDGET_FILE = re.compile(r"budget_(.+)_[0-9]+\.txt", re.DOTALL)


class SessionFiles:
    """The files beside one session, listed once for each state of it."""

    def __init__(self, session: Session, given: Path | None) -> None:
        """Args:
        session: Whose files they are.
        given: Its scratch directory; None: where it belongs.
        """
        self._session = session
        self._given = given
        self.workspaces: list[Path] = []
        """Directories that ChatCLI made for it, as far as they are known."""
        self.states = 0
        """Counts the states of the directories that were met."""
        self.begin()

    def begin(self) -> None:
        """The session starts over."""
        self._scratch: Scratch | None = None
        self._listing: Listing | None = None
        self._is_listed = False
        self._written: dict[str, list[tuple[ScratchName, OverflowFile]]] | None = None
        self._budget: dict[str, set[str]] | None = None
        self._names: frozenset[str] | None = None

    def look_again(self) -> None:
        """Something was read: the directories may be others by now, or hold more."""
        self._is_listed, self._written = False, None
        if self._scratch is not None and self._scratch.roots != tuple(self._roots()):
            self._scratch = None  # a live session makes its directory with its first overflow file

    @property
    def scratch(self) -> Scratch:
        """The directories."""
        if self._scratch is None:
            self._scratch = Scratch(self._roots())
        return self._scratch

    def _roots(self) -> list[Path]:
        session = self._session
        roots = scratch_roots(session.path, given=self._given, session_ids=session.counts.session_ids)
        return [*roots, *(w for w in self.workspaces if w not in roots)]

    def find_workspaces(self, records: Sequence[Record]) -> bool:
        """Look for directories of ChatCLI that hold files of these records' calls.

        Args:
            records: What was read.

        Returns:
            Whether others than before were found.
        """
        session = self._session
        if session.kind not in CHATCLI_KINDS or session.chatcli is None or self._given is not None:
            return False
        ids = {
            b.id for r in records for b in r.blocks if b.kind in (BlockKind.TOOL_USE, BlockKind.TOOL_RESULT)
        }
        from inspector.reading.chatcli_places import find_workspaces

        before = self.workspaces
        self.workspaces = find_workspaces(session.chatcli.temporary, session.path, ids)
        return self.workspaces != before

    def listing(self) -> Listing:
        """The files in them."""
        if self._listing is None or not self._is_listed:
            found = self.scratch.listing()
            self._is_listed = True
            if found is not self._listing:
                self._listing, self._budget, self._names = found, None, None
                self.states += 1
        return self._listing

    def size_bytes(self) -> int:
        """Bytes of all of them."""
        return sum(f.size_bytes for f in self.listing().files)

    def written(self) -> dict[str, list[tuple[ScratchName, OverflowFile]]]:
        """ChatCLI: files by the id in their name, newest first."""
        if self._written is None:
            self._written = {}
            if self._session.kind in CHATCLI_KINDS:
                from inspector.session.chatcli_files import files_by_id

                self._written = files_by_id(self._session)
        return self._written

    def budget(self) -> Mapping[str, set[str]]:
        """Result id → names of the files `budget_<id>_<n>.txt`."""
        files = self.listing().files
        if self._budget is None:
            self._budget = {}
            for file in files:
                if found := _BUDGET_FILE.fullmatch(file.name):
                    self._budget.setdefault(found[1], set()).add(file.name)
        return self._budget

    def has_file_of(self, tool_use_id: str) -> bool:
        """Whether a file bears the id of a result, in either system's way of naming them."""
        files = self.listing().files
        if self._names is None:
            self._names = frozenset(file.name for file in files)
        stem = tool_use_id.replace("/", "_")
        return bool(stem) and (
            stem in self.budget() or not self._names.isdisjoint({f"{stem}.txt", f"{stem}.json"})
        )
