"""Findings about the bytes of a session: lines that are no records, and texts that need care."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.model.findings import Finding, Severity, counted
from inspector.model.transcript import COMMENT
from inspector.replay.diagnose.pairing import finding

if TYPE_CHECKING:
    from inspector.replay.tracked import Tracked
    from inspector.session.intake import Counts
    from inspector.session.session import Session

NEWEST_CHECKED = "2.1.332"
"""Newest version of the client whose recorded requests the wire rules were held against."""
_OF_READ_LINES = {COMMENT: Severity.INFO}
"""Word of a line of which nothing is lost → how loudly it is told, where that is not a warning."""
_SHOWN = 200
"""Bad lines that get a finding of their own; more are counted in one."""


def input_findings(session: Session) -> Iterator[Finding]:
    """Findings of the input family, in file order."""
    for thread, counts in session.counts_by_file():
        yield from _lines(counts, thread)
    if session.partial_tail:
        yield finding(
            "partial_line",
            "The last line is not finished: it is read when its line feed arrives.",
            cause="The session is being written, or its writer was killed.",
        )
    yield from _texts(session)
    yield from _versions(session)
    for reason in (*session.agents.unread.values(), *session.agents.problems):
        yield finding("unsupported_source", f"Not every sub-agent is read: {reason}")
    if session.unsupported:
        yield finding("unsupported_source", session.unsupported)


def _lines(counts: Counts, thread: str) -> Iterator[Finding]:
    """What one file holds that is no record, or none that is known."""
    bad = counts.bad_lines
    for line in bad[:_SHOWN]:
        severity = Severity.ERROR if line.lost else _OF_READ_LINES.get(line.kind, Severity.WARNING)
        saved = f" Saved from it: {counted(line.saved, 'record')}." if line.saved and line.lost else ""
        yield finding(
            line.kind,
            f"Line {line.line} (bytes {line.start:,}–{line.end:,}): {line.reason.removesuffix('.')}.{saved}",
            severity=severity,
            see=f"line {line.line}",
            thread=thread,
            data={"line": line.line, "bytes": [line.start, line.end], "saved": line.saved, "lost": line.lost},
        )
    if len(bad) > _SHOWN:
        rest = bad[_SHOWN:]
        yield finding(
            "bad_line",
            f"{counted(len(rest), 'more line', 'more lines')} could not be read as they stand (first: line "
            f"{rest[0].line}).",
            severity=Severity.ERROR if any(b.lost for b in rest) else Severity.WARNING,
            thread=thread,
            data={"lines": [b.line for b in rest]},
        )
    if counts.unknown_types:
        words = counts.unknown_types
        yield finding(
            "unknown_record",
            f"{counted(sum(words.values()), 'record is of a type that is', 'records are of types that are')} "
            f"not known: {', '.join(word or 'none stated' for word in sorted(words)[:5])}.",
            thread=thread,
            data={"types": dict(words)},
        )


def _versions(session: Session) -> Iterator[Finding]:
    """One finding for all versions of the client that the rules were not held against."""
    if session.is_claude_code:
        newer = [v for v in session.counts.versions if _ordered(v) > _ordered(NEWEST_CHECKED)]
        if newer:
            yield finding(
                "unknown_version",
                f"Written by a client newer than the rules: {', '.join(newer[:5])} "
                f"(checked up to {NEWEST_CHECKED}); the newest rules are used.",
                data={"versions": newer, "checked": NEWEST_CHECKED},
            )


def _ordered(version: str) -> tuple[int, ...]:
    """A version as numbers that can be compared; what is none comes before all others."""
    numbers = version.split("-")[0].split("+")[0].split(".")
    if not all(n.isascii() and n.isdecimal() and len(n) < 10 for n in numbers):
        return ()
    return tuple(map(int, numbers))


def _halved(session: Session) -> Iterator[tuple[str, Tracked]]:
    """Results with half a character in their text or in the preview that is stored for them."""
    for thread, timeline in session.timelines.items():
        halved = session.noticed(thread).halved
        stored = (row for i in timeline.stored for row in timeline.rows_of(i)[-1:])
        yield from ((thread, row) for row in halved)
        yield from ((thread, row) for row in stored if row.is_halved and row not in halved)


def _texts(session: Session) -> Iterator[Finding]:
    for thread, row in _halved(session):
        in_text = row.entry.result is not None and row.entry.result.lone_surrogates
        what = "text" if in_text else "stored preview"
        found = finding(
            "lone_surrogate",
            f"The {what} of {row.entry.tool} {row.entry.id} holds half a character.",
            request=row.request or None,
            ids=(row.entry.id,),
            cause="A cut went through the middle of a character; some APIs refuse such a request.",
            see=f"line {row.entry.line}",
        )
        yield replace(found, thread=thread)
    several = [ids for thread in session.timelines if (ids := session.noticed(thread).controlled_ids)]
    controls = several[0] if len(several) == 1 else tuple(chain.from_iterable(several))
    if controls:
        yield finding(
            "control_characters",
            f"{counted(len(controls), 'result')} with control characters; they are shown as pictures.",
            ids=controls,
        )
