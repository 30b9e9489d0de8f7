"""Findings about overflow files: gone, cut short, never named, read again and paid twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.model.findings import KINDS, Finding, Severity, counted
from inspector.reading.overflow_match import Status
from inspector.replay.diagnose.pairing import finding
from inspector.replay.sentences import UNIT_WORDS
from inspector.session.overflow import WRITTEN

if TYPE_CHECKING:
    from inspector.replay.tracked import Tracked
    from inspector.session.overflow import Overflow
    from inspector.session.session import Session

_KINDS: dict[Status, str] = {
    Status.MISSING: "overflow_missing",
    Status.FOUND_ELSEWHERE: "overflow_elsewhere",
    Status.SIZE_MISMATCH: "overflow_size_mismatch",
    Status.PREVIEW_MISMATCH: "overflow_preview_mismatch",
}

_STALE = "The preview is of another output, or the file was written anew: the model saw what is not in it."
_CHAIN_SHOWN = 5
"""Results of a chain that its sentence names."""


def overflow_findings(session: Session) -> Iterator[Finding]:
    """Findings of the overflow family over all conversations of a session."""
    owners: dict[str, Tracked] = {}
    for thread in session.timelines:
        for row, overflow in session.overflows_in(thread):
            owners.update(dict.fromkeys(overflow.names, row))
            if (kind := _KINDS.get(overflow.status)) is not None:
                yield replace(_status_finding(kind, row, overflow), thread=thread)
    yield from _unreferenced(session, owners)
    yield from _rereads(session, owners)


def _status_finding(kind: str, row: Tracked, overflow: Overflow) -> Finding:
    named = f"{row.entry.tool} {row.entry.id}"
    left = "only its preview is left"
    if overflow.source == "stored":  # the line that stores a replacement leaves the result itself as it was
        left = f"the model has only its preview, and the whole text stands in line {row.entry.line}"
    stated = f" ({overflow.stated_label} stated)" if overflow.stated_label else ""
    facts = {
        "overflow_missing": f"The overflow file of {named}{stated} is not there; {left}.",
        "overflow_elsewhere": f"The overflow file of {named} is not at its stated path, but in the scratch "
        "directory.",
        "overflow_size_mismatch": f"The overflow file of {named} is not the whole output: {overflow.reason}.",
        "overflow_preview_mismatch": f"The overflow file of {named} does not begin with its preview.",
    }
    return finding(
        kind,
        facts[kind],
        # A file that only bears the id may be of another session; one that a text names may not.
        cause=_STALE if kind == "overflow_preview_mismatch" else "",
        certain=kind != "overflow_preview_mismatch",
        severity=Severity.WARNING if overflow.source == WRITTEN else KINDS[kind][1],
        request=row.request or None,
        ids=(row.entry.id,),
        see=f"line {row.entry.line}",
        data={
            "path": overflow.path,
            "source": overflow.source,
            "stated": overflow.stated_label or None,
            "actual_bytes": overflow.actual_bytes,
            "actual_chars": overflow.actual_chars,
        },
    )


def _chain_words(chain: list[str]) -> str:
    """The results of a chain in order; of a long one its beginning and its end."""
    if len(chain) > _CHAIN_SHOWN:
        chain = [*chain[: _CHAIN_SHOWN - 2], "…", chain[-1]]
    return " → ".join(chain)


def _unreferenced(session: Session, owners: dict[str, Tracked]) -> Iterator[Finding]:
    named = set(owners)
    loose = [f for f in session.files.listing().files if f.path.name not in named]
    if loose and not session.partial_tail:
        shown = ", ".join(f.name for f in loose[:3])
        more = f" and {len(loose) - 3} more" if len(loose) > 3 else ""
        yield finding(
            "overflow_unreferenced",
            f"No result names {counted(len(loose), 'file')} in the scratch directory: {shown}{more}.",
            data={"names": [f.name for f in loose], "bytes": sum(f.size_bytes for f in loose)},
        )


def _reading(session: Session) -> Iterator[tuple[str, Tracked]]:
    """Calls whose input names an overflow file, in the order of their rows."""
    for thread in session.timelines:
        noticed = session.noticed(thread)
        called_late = [r for r in noticed.uncalled if r.entry.call_block and r.entry.call_block.overflow_name]
        rows = [*noticed.reading, *called_late]
        if called_late:
            rows.sort(key=lambda row: row.entry.index)
        yield from ((thread, row) for row in rows)


def _rereads(session: Session, owners: dict[str, Tracked]) -> Iterator[Finding]:
    chains: dict[str, list[str]] = {}
    unit = UNIT_WORDS[session.policy.unit]
    for thread, row in _reading(session):
        call = row.entry.call_block
        owner = owners.get(call.overflow_name) if call is not None else None
        if owner is None or owner is row:
            continue
        failed = bool(row.entry.result and row.entry.result.is_error)
        persisted = bool(row.entry.result and row.entry.result.persisted)
        found = finding(
            "overflow_reread",
            f"{row.entry.tool} {row.entry.id} reads the overflow file of {owner.entry.id}"
            + (" and fails." if failed else f": {row.full:,} {unit} of it are paid again."),
            request=row.request or None,
            ids=(owner.entry.id, row.entry.id),
            see=f"line {row.entry.line}",
            data={"chars": row.full, "failed": failed, "persisted_again": persisted},
        )
        yield replace(found, thread=thread)
        if persisted:
            chain = chains.pop(owner.entry.id, [owner.entry.id])
            chains[row.entry.id] = [*chain, row.entry.id]
    for chain in chains.values():
        yield finding(
            "overflow_reread_loop",
            "Reading an overflow file was itself saved to a file, "
            f"{f'{len(chain) - 1:,} times in a row' if len(chain) > 2 else 'once'}: {_chain_words(chain)}.",
            ids=tuple(chain),
            cause="Each read brings back more than the reading tool may return.",
            data={"chain": chain},
        )
