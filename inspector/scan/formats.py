"""Rows of a scan as text, JSON, CSV and Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from inspector.errors import UsageError
from inspector.figures import count_words, number, short_number, size_words
from inspector.model.policy import Unit
from inspector.replay.sentences import UNIT_HEADS
from inspector.scan.row import ScanRow
from inspector.text import printable_line

SCHEMA = "inspector-scan/1"
_KINDS_SHOWN = 3


def scan_text(rows: Sequence[ScanRow], root: Path) -> str:
    """A table for people, fullest context first; files that could not be read come last.

    Args:
        rows: Of `scan`.
        root: Paths below it are shown without it.
    """
    return "\n".join(_lines(rows, root))


def _lines(rows: Sequence[ScanRow], root: Path) -> Iterator[str]:
    good = sorted((r for r in rows if not r.error), key=lambda r: (-(r.peak_tokens or 0), -r.peak_chars))
    broken = [r for r in rows if r.error]
    yield (
        f"{'peak tokens':>11} {'peak size':>13} {'size':>10} {'requests':>8} {'over':>4} "
        f"{'breaks':>6} {'cold':>4} {'✗':>3} {'!':>3}  session and most frequent findings"
    )
    for row in good:
        yield (
            f"{number(row.peak_tokens):>11} {_peak(row):>13} "
            f"{size_words(row.size_bytes):>10} {row.requests:>8} {row.over_budget_groups or '':>4} "
            f"{row.prefix_breaks or '':>6} {row.cold_caches or '':>4} {row.errors or '':>3} "
            f"{row.warnings or '':>3}  {printable_line(_below(row.path, root))}  {_frequent(row)}"
        ).rstrip()
    for row in broken:
        yield f"{'not read':>11}  {printable_line(_below(row.error, root))}"
    states = sum((Counter(r.overflow) for r in good), Counter[str]())
    yield ""
    yield (
        f"{count_words(len(good), 'session')}, {count_words(len(broken), 'file')} not read, "
        f"{count_words(sum(r.over_budget_groups for r in good), 'group')} over budget, "
        f"{count_words(sum(r.prefix_breaks for r in good), 'prefix break')}, "
        f"overflow files: {', '.join(f'{n} {s}' for s, n in sorted(states.items())) or 'none'}"
    )


def _peak(row: ScanRow) -> str:
    """The size of the fullest request with its unit: the sessions of a scan may differ in it."""
    if not row.unit:
        return number(None)
    return f"{'≈' * row.peak_estimated}{short_number(row.peak_chars)} {UNIT_HEADS[Unit(row.unit)]}"


def _frequent(row: ScanRow) -> str:
    found = Counter(row.findings).most_common(_KINDS_SHOWN)
    return ", ".join(f"{kind} {n}" if n > 1 else kind for kind, n in found)


def _below(text: str, root: Path) -> str:
    return text.removeprefix(f"{root}/")


def scan_data(rows: Sequence[ScanRow]) -> dict[str, Any]:
    """Plain data, ready for JSON."""
    return {"schema": SCHEMA, "sessions": [msgspec.structs.asdict(row) for row in rows]}


def scan_csv(rows: Sequence[ScanRow]) -> str:
    """Comma-separated values with a header; counts by kind and by state as JSON in their cells."""
    out = io.StringIO()
    names = list(ScanRow.__struct_fields__)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow([_cell(getattr(row, name)) for name in names])
    return out.getvalue().rstrip("\n")


def _cell(value: Any) -> Any:
    if isinstance(value, dict):
        return json.dumps(value, sort_keys=True) if value else ""
    if isinstance(value, str):
        line = printable_line(value)
        # A spreadsheet takes such a cell for a formula.
        return f"'{line}" if line[:1] in ("=", "+", "-", "@") else line
    return "" if value is None else value


def parquet_bytes(rows: Sequence[ScanRow]) -> bytes:
    """A Parquet file; counts are maps from kind to number.

    Args:
        rows: Of `scan`.

    Raises:
        UsageError: pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise UsageError("Parquet needs pyarrow: install inspector with the extra `scan`") from None
    counts = pa.map_(pa.string(), pa.int64())
    kinds = {str: pa.string(), int: pa.int64(), bool: pa.bool_(), dict: counts}
    fields = []
    for name in ScanRow.__struct_fields__:
        sample = getattr(ScanRow(""), name)
        fields.append(pa.field(name, kinds[type(sample)] if sample is not None else pa.int64()))
    columns: dict[str, list[Any]] = {name: [] for name in ScanRow.__struct_fields__}
    for row in rows:
        for name, values in columns.items():
            value = getattr(row, name)
            if isinstance(value, dict):
                value = list(value.items())
            elif isinstance(value, str):
                value = value.encode("utf-8", "backslashreplace").decode()
            values.append(value)
    file = io.BytesIO()
    pq.write_table(pa.table(columns, schema=pa.schema(fields)), file)
    return file.getvalue()
