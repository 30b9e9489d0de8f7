"""The scratch directory as a table, as data, and one file of it for a pipe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.errors import UsageError
from inspector.figures import number, size_words
from inspector.reading.confine import last_names
from inspector.replay.filters import Filter
from inspector.session.chatcli_files import archive_key, read_archived
from inspector.session.filtered import SessionFilter
from inspector.text import printable_line

if TYPE_CHECKING:
    from inspector.reading.scratch import OverflowFile
    from inspector.session.session import Session

MAX_PRINTED_BYTES = 256 << 20
"""Most bytes of one file that are printed."""


def overflow_data(session: Session, filter_: Filter | None = None) -> dict[str, Any]:
    """Results with overflow files, and files that no result names.

    Args:
        session: Read to its end.
        filter_: Leaves only results that pass; files without a result have nothing that could pass.
    """
    named: set[str] = set()
    rows = []
    found = SessionFilter(session, filter_) if filter_ is not None else None
    passing = {id(row) for key in session.timelines for row, _ in found.rows(key)} if found else set()
    for row, overflow in session.overflows():
        named.update(overflow.names)
        if found is not None and id(row) not in passing:
            continue
        rows.append(
            {
                "id": row.entry.id,
                "tool": row.entry.tool,
                "line": row.entry.line,
                "request": row.request or None,
                **overflow.as_data(),
                "file": str(overflow.file.path) if overflow.file else None,
            }
        )
    loose = [_file(f) for f in session.files.listing().files if f.path.name not in named and found is None]
    roots = [str(root) for root in session.files.scratch.roots]
    return {"directories": roots, "results": rows, "unreferenced": loose}


def _file(file: OverflowFile) -> dict[str, Any]:
    return {"name": file.name, "path": str(file.path), "bytes": file.size_bytes}


def overflow_table(session: Session, filter_: Filter | None = None) -> str:
    """The same for people."""
    return "\n".join(_table(session, filter_))


def _table(session: Session, filter_: Filter | None) -> Iterator[str]:
    data = overflow_data(session, filter_)
    where = ", ".join(data["directories"]) or "no scratch directory"
    yield f"scratch   {printable_line(where)}"
    if not data["results"] and not data["unreferenced"]:
        yield "No overflow files." if filter_ is None else "No overflow file of a result that matches."
        return
    for row in data["results"]:
        size = f"{number(row['actual_bytes'])} bytes" if row["actual_bytes"] is not None else "—"
        name = Path(row["file"]).name if row["file"] else next(iter(last_names(row["path"])), row["path"])
        note = f"  ({row['reason']})" if row["reason"] else ""
        yield (
            f"  {row['status']:16}  {size:>18}  {printable_line(name)}  "
            f"{printable_line(row['tool'])} {printable_line(row['id'])}{printable_line(note)}"
        )
    for file in data["unreferenced"]:
        yield f"  {'unreferenced':16}  {number(file['bytes']) + ' bytes':>18}  {printable_line(file['name'])}"


def read_overflow(session: Session, wanted: str, lines: tuple[int, int] | None) -> bytes:
    """The bytes of one overflow file.

    Args:
        session: The session.
        wanted: A tool_use id (or the end of one that is unique), a file's name, or a key of ChatCLI's
            archive (`<<ccr:KEY>>` or KEY).
        lines: First and last line, from 1; None: all of it.

    Raises:
        UsageError: Nothing has that id or name, or it is more than is printed at once.
        UnreadableError: The file cannot be read.
    """
    if key := archive_key(wanted):
        return _cut(read_archived(session, key), lines)
    file = _find(session, wanted)
    most = size_words(MAX_PRINTED_BYTES)
    if lines is None:
        data = session.files.scratch.read_bytes(file.path, MAX_PRINTED_BYTES + 1)
        if len(data) > MAX_PRINTED_BYTES:
            raise UsageError(f"{file.name} holds more than {most}: print a part of it with --lines A:B")
        return data
    found = session.files.scratch.read_lines(file.path, *lines, limit_bytes=MAX_PRINTED_BYTES)
    if found.cut:
        raise UsageError(f"these lines of {file.name} hold more than {most}: choose fewer")
    return "".join(f"{line}\n" for line in found.lines).encode("utf-8", "surrogatepass")


def line_count(session: Session, wanted: str) -> int:
    """Lines of what `read_overflow` prints; an end without a line feed counts as one.

    Args:
        session: The session.
        wanted: As `read_overflow` takes it.

    Raises:
        UsageError: Nothing has that id or name.
        UnreadableError: The file cannot be read.
    """
    if key := archive_key(wanted):
        content = read_archived(session, key)
        return content.count(b"\n") + (content[-1:] not in (b"", b"\n"))
    return session.files.scratch.text_size(_find(session, wanted)).lines


def _cut(content: bytes, lines: tuple[int, int] | None) -> bytes:
    """The wanted lines of a text that is at hand."""
    if lines is None:
        return content
    return b"".join(line + b"\n" for line in content.split(b"\n")[lines[0] - 1 : lines[1]])


def _find(session: Session, wanted: str) -> OverflowFile:
    by_id = [(r.entry.id, o) for r, o in session.overflows()]
    exact = [o for i, o in by_id if i == wanted]
    if not exact and wanted:
        ends = sorted({i for i, _ in by_id if i.endswith(wanted)})
        if len(ends) > 1:
            raise UsageError(f"{wanted!r} is the end of {len(ends)} ids: {', '.join(ends[:5])}")
        exact = [o for i, o in by_id if i in ends]
    for overflow in exact:
        if overflow.file is not None:
            return overflow.file
    if exact:
        raise UsageError(f"the overflow file of {wanted} is not there: {exact[0].path}")
    files = [f for f in session.files.listing().files if f.name == wanted or f.path.name == wanted]
    if not files:
        raise UsageError(f"no overflow file belongs to {wanted!r}; `inspector overflow PATH` lists them")
    return files[0]
