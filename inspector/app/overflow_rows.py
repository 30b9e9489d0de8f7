"""The scratch directory of the open session, as rows for the overflow screen."""

from __future__ import annotations

from collections.abc import Sequence

from inspector.app.session import SessionFeed, reading
from inspector.app.sources.files import OpenedText
from inspector.app.sources.overflow import FileState, OverflowRow
from inspector.errors import UnreadableError
from inspector.figures import number
from inspector.reading.overflow_match import Status
from inspector.replay.tracked import Tracked
from inspector.session import Session
from inspector.session.overflow import Overflow

OPENED_BYTES = 64 << 20
"""Most bytes of a file that the viewer takes."""
_STATES = {
    Status.FOUND: FileState.OK,
    Status.FOUND_ELSEWHERE: FileState.ELSEWHERE,
    Status.MISSING: FileState.MISSING,
    Status.SIZE_MISMATCH: FileState.SIZE_DIFFERS,
    Status.PREVIEW_MISMATCH: FileState.PREVIEW_DIFFERS,
}


class SessionOverflow:
    """The `OverflowSource` of a real session."""

    def __init__(self, feed: SessionFeed, thread: str = "") -> None:
        """Args:
        feed: Who holds the session.
        thread: The conversation shown: rows of others belong to nobody that could be jumped to.
        """
        self._feed = feed
        self._thread = thread

    @property
    def directory(self) -> str:
        """Path of the directory; empty where the session has none."""
        with reading(self._feed) as session:
            return str(session.files.scratch.roots[0]) if session.files.scratch.roots else ""

    def rows(self) -> Sequence[OverflowRow]:
        """Files that results own, then the others."""
        with reading(self._feed) as session:
            readers = _readers(session)
            shown = session.timelines.get(self._thread)
            mine = {id(row) for row in shown.tracked} if shown is not None else set()
            rows = [
                _row(row, overflow, readers, mine=id(row) in mine) for row, overflow in session.overflows()
            ]
            # Those of the conversation shown come first.
            rows.sort(key=lambda found: found.result is None)
            named = {row.name for row in rows}
            loose = [f for f in session.files.listing().files if f.path.name not in named]
        rows += [
            OverflowRow(
                f.name, str(f.path), f.size_bytes, FileState.NO_OWNER, facts=_file_facts(f.size_bytes)
            )
            for f in loose
        ]
        return rows

    def open(self, row: OverflowRow) -> OpenedText:
        """Read a file, up to a bound."""
        with reading(self._feed) as session:
            for file in session.files.listing().files:
                if str(file.path) == row.path or file.name == row.name:
                    data = session.files.scratch.read_bytes(file.path, OPENED_BYTES)
                    return OpenedText(data.decode("utf-8", "replace"), data, file.size_bytes)
        raise UnreadableError(f"{row.path}: there is no such file")


def _readers(session: Session) -> dict[str, list[int]]:
    """Name of an overflow file → requests whose calls read it."""
    out: dict[str, list[int]] = {}
    for row in session.all_rows():
        call = row.entry.call_block
        if call is not None and call.overflow_name:
            out.setdefault(call.overflow_name, []).append(row.request)
    return out


def _row(row: Tracked, overflow: Overflow, readers: dict[str, list[int]], *, mine: bool) -> OverflowRow:
    name = next(iter(overflow.names), overflow.path)
    state, words = _STATES[overflow.status], ""
    again = next((readers[n] for n in overflow.names if n in readers), [])
    if overflow.status is Status.SIZE_MISMATCH:
        words = f"{overflow.stated_label or 'other size'} stated"
    elif state is FileState.OK and again:
        state, words = FileState.READ_AGAIN, f"read in {again[0]}"
    facts = [
        ("call", f"{row.entry.tool} {row.entry.argument}"),
        ("id", row.entry.id),
        ("stated", f"{overflow.path} ({overflow.stated_label or 'no size'})"),
        (
            "named by",
            "its text in the transcript" if overflow.source == "persisted" else "a replacement line",
        ),
    ]
    if overflow.reason:
        facts.append(("state", overflow.reason))
    if not mine:
        facts.append(("owner", "a result of another conversation of this session"))
    if again:
        facts.append(("read again", "in request " + ", ".join(str(n) for n in again)))
    return OverflowRow(
        name=name,
        path=str(overflow.file.path) if overflow.file else overflow.path,
        size_bytes=overflow.file.size_bytes if overflow.file else None,
        state=state,
        state_words=words,
        owner=f"turn {row.entry.turn + 1} {row.entry.tool}" if mine else f"other {row.entry.tool}",
        request=(row.request or None) if mine else None,
        result=row.entry.index if mine else None,
        facts=facts,
    )


def _file_facts(size_bytes: int) -> Sequence[tuple[str, str]]:
    return [("size", f"{number(size_bytes)} bytes"), ("owner", "no result of this session names it")]
