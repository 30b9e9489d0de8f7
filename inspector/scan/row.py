"""One session as one row: figures only, so that thousands of rows stay small and travel between processes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec

from inspector.errors import InspectorError
from inspector.model.findings import Severity
from inspector.replay.diagnose.budget import groups_over
from inspector.session import open_session


class ScanRow(msgspec.Struct, frozen=True, omit_defaults=False):
    """What a scan says of one session."""

    path: str
    error: str = ""
    """Why it could not be read; empty for a session that could. All figures are 0 then."""
    kind: str = ""
    policy: str = ""
    version: str = ""
    """Newest version of the program that wrote it."""
    size_bytes: int = 0
    lines: int = 0
    bad_lines: int = 0
    requests: int = 0
    """Of the main conversation."""
    results: int = 0
    """Of all conversations."""
    agents: int = 0
    peak_chars: int = 0
    """Largest request of the main conversation, in the policy's unit."""
    unit: str = ""
    """What sizes are counted in: the policy's unit."""
    peak_estimated: bool = False
    """Whether `peak_chars` is an estimate."""
    peak_tokens: int | None = None
    """The same by usage."""
    input_tokens: int = 0
    """All that was sent, cached or not, of all conversations."""
    output_tokens: int = 0
    over_budget_groups: int = 0
    prefix_breaks: int = 0
    """Requests whose prefix breaks unplanned, compactions left out."""
    cold_caches: int = 0
    compactions: int = 0
    errors: int = 0
    warnings: int = 0
    findings: dict[str, int] = {}
    """Number of findings by kind."""
    overflow: dict[str, int] = {}
    """Number of overflow files by state."""
    overflow_bytes: int = 0


def scan_file(path: str) -> ScanRow:
    """The row of one file. A file that cannot be analysed is a row too, never an end.

    Args:
        path: The session.
    """
    try:
        return _row(Path(path))
    except (InspectorError, OSError) as error:
        return ScanRow(path, error=str(error))
    except RecursionError:
        return ScanRow(path, error=f"{path}: nested too deeply")
    except Exception as error:  # one odd file must not end a scan of thousands; its row says what broke
        return ScanRow(path, error=f"{path}: analysis failed ({type(error).__name__}: {error})")


def _row(path: Path) -> ScanRow:
    with open_session(path, with_findings=True) as session:
        findings = session.findings()
        kinds = Counter(f.kind for f in findings)
        main = session.timeline
        fullest = session.thread_rows()[0]
        timelines = session.timelines.values()
        usages = [r.usage for t in timelines for r in t.requests if r.usage is not None]
        breaks = [r.break_ for t in timelines for r in t.requests if r.break_ is not None]
        return ScanRow(
            path=str(path),
            kind=session.source_words,
            policy=session.policy.name,
            version=session.counts.versions[-1] if session.counts.versions else "",
            size_bytes=session.size_bytes,
            lines=session.counts.lines,
            bad_lines=sum(b.lost for b in session.counts.bad_lines),
            requests=len(main.requests),
            results=sum(1 for row in session.all_rows() if row.entry.result),
            agents=len(session.timelines) - 1,
            peak_chars=fullest.peak_chars,
            unit=session.policy.unit.value,
            peak_estimated=fullest.peak_estimated,
            peak_tokens=fullest.peak_tokens,
            input_tokens=sum(u.context for u in usages),
            output_tokens=sum(u.output for u in usages),
            over_budget_groups=sum(1 for t in timelines for _ in groups_over(t.requests)),
            prefix_breaks=sum(not b.planned and b.cause != "compaction" for b in breaks),
            cold_caches=kinds["cold_cache"],
            compactions=kinds["compaction"],
            errors=sum(f.severity is Severity.ERROR for f in findings),
            warnings=sum(f.severity is Severity.WARNING for f in findings),
            findings=dict(kinds),
            overflow=dict(Counter(o.status.value for _, o in session.overflows())),
            overflow_bytes=session.files.size_bytes(),
        )
