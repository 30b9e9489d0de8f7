"""The frames of a file put together: the records in order, and what an adapter must know to go on.

Parts of a file are read without knowing those before, so what they count from is added here. Where a
part would have come out otherwise had it known them, it is refused; such files are read in one go.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice

from msgspec.structs import force_setattr, replace

from inspector.model.transcript import BadLine, Record
from inspector.reading.claude_extras import without_links
from inspector.reading.frames import Frame, Piece
from inspector.reading.packed import unpacked
from inspector.reading.readings import Reading


class Joined:
    """What the frames taken so far say together; the names are those of `ClaudeCodeAdapter`."""

    def __init__(self) -> None:
        """Nothing was taken yet."""
        self.lines = self.parsed = self.unique_uuids = self.duplicate_records = 0
        self.bad_lines: list[BadLine] = []
        self.unknown_types: Counter[str] = Counter()
        self.session_ids: list[str] = []
        self.versions: list[str] = []
        self.records = 0
        """How many were given."""
        self.next_line = 1
        self._before: set[str] = set()
        """Uuids that the parts in front of the present one have."""
        self._known = 0
        """How many of `uuids` are among them."""
        self.uuids: list[str] = []
        """All that were met, empty ones too."""
        self.roots: dict[str, str] = {}
        self.links: dict[str, str] = {}
        self.wanted: set[str] = set()
        """Parents that no line so far has."""
        self._links: dict[str, str] = {}
        """Those of the parts in front of the present one."""
        self._new_links: dict[str, str] = {}
        self._moved: dict[str, str] = {}
        """Roots of sidechains as the present part has them → what they are with the parts in front."""
        self._words: dict[str, str] = {}
        self._begin_part(0)

    def take(self, frame: Frame | Piece) -> list[Record]:
        """The records of the next frame, or piece.

        Raises:
            ValueError: It does not fit together, or would have come out otherwise had the part known
                those before it. Nothing was taken then.
            LookupError: As above.
        """
        if frame.part != self._part:
            self._begin_part(frame.part)
        reading, line, links = frame.reading, self._line, self._links
        uuids = _uuids_of(frame)
        if frame.part:
            self._refuse_what_depends(reading, uuids)
        records = self._moved_records(frame)
        if links:
            for at, boundary in [(at, r.boundary) for at, r in enumerate(records) if r.boundary is not None]:
                records[at] = replace(records[at], boundary=without_links(boundary, links))
        roots = self._joined_roots(reading.roots, records) if frame.part and reading.roots else reading.roots
        counts = reading.lines, reading.parsed, reading.unique_uuids, reading.duplicate_records
        lines, parsed, unique, duplicates = (a + b for a, b in zip(self._counts, counts, strict=True))
        self.lines, self.parsed, self.unique_uuids, self.duplicate_records = lines, parsed, unique, duplicates
        self.unknown_types = self._unknown + Counter(reading.unknown_types)
        self.session_ids = [*dict.fromkeys([*self.session_ids, *reading.session_ids])]
        self.versions = [*dict.fromkeys([*self.versions, *reading.versions])]
        for bad in reading.bad_lines:
            moved = BadLine(bad.line + line, bad.start, bad.end, bad.reason, bad.saved, bad.kind, bad.lost)
            self.bad_lines.append(moved)
        self.uuids += uuids
        self.uuids += reading.strays
        self.wanted.update(uuid for uuid in reading.wanted if uuid not in self._before)
        self.roots.update(roots)
        new = {uuid: links.get(to, to) for uuid, to in reading.links.items()}
        self.links.update(new)
        self._new_links.update(new)
        self.records += len(records)
        self.next_line = line + frame.line
        return records

    def _moved_records(self, frame: Frame | Piece) -> list[Record]:
        """Its records, counted from the beginning of the file."""
        line, first, links = self._line, self._first, self._links
        if isinstance(frame, Frame):
            return [] if frame.columns is None else unpacked(frame.columns, self._words, first, line, links)
        if line or first:  # nobody else has seen them: setting two fields is a tenth of making them anew
            for record in frame.records:
                force_setattr(record, "index", record.index + first)
                force_setattr(record, "line", record.line + line)
        if links:
            for record in [r for r in frame.records if r.parent in links]:
                force_setattr(record, "parent", links[record.parent])
        return frame.records

    def _begin_part(self, part: int) -> None:
        self._part = part
        self._line, self._first = self.next_line - 1, self.records
        self._counts = self.lines, self.parsed, self.unique_uuids, self.duplicate_records
        self._unknown = self.unknown_types
        self._before.update(islice(self.uuids, self._known, None), self._new_links)
        self._before.discard("")
        self._known = len(self.uuids)
        self._links.update(self._new_links)
        self._new_links, self._moved = {}, {}

    def _joined_roots(self, roots: dict[str, str], records: list[Record]) -> dict[str, str]:
        """Let sidechains that begin in an earlier part go on; their new records move to their threads.

        Args:
            roots: uuid → root of its chain, as far as the part knows.
            records: What the frame brings; changed in place.

        Returns:
            The same uuids with the roots that they have in the whole file.
        """
        moved = self._moved
        for at, record in enumerate(records):
            root = roots.get(record.uuid)
            if root is None:
                continue
            if root == record.uuid and (earlier := self.roots.get(record.parent)) is not None:
                moved[root] = earlier
            if record.thread in moved:
                records[at] = replace(record, thread=moved[record.thread])
        return {uuid: moved.get(root, root) for uuid, root in roots.items()}

    def _refuse_what_depends(self, reading: Reading, uuids: list[str]) -> None:
        before = self._before
        if not all(before.isdisjoint(found) for found in (uuids, reading.strays, reading.links)):
            raise ValueError("copies of records that stand in an earlier part")
        if not self.wanted.isdisjoint(reading.links):
            raise ValueError("progress that an earlier part hangs on")
        if not before >= set(reading.assumed):
            raise ValueError("progress on a record that no earlier part has")
        if "" in reading.roots:
            raise ValueError("a sidechain without uuid, which hangs on any other one")


def _uuids_of(frame: Frame | Piece) -> list[str]:
    if isinstance(frame, Piece):
        return [record.uuid for record in frame.records]
    return [] if frame.columns is None else frame.columns.uuids
