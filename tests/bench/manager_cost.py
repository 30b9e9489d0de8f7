"""What one request costs as a conversation grows: `python -m tests.bench.manager_cost [--json]`.

An agent loop of 100, 1,000 and 10,000 turns is run for real, with one result in five too large for
its turn. It prints the median of the last requests at each length, in microseconds, and its ratio to
the shortest; the file writes of overflowing results are told apart, because a disk is no part of
the pipeline. It measures and judges nothing: machines differ.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from inspector.manager import ToolResultManager
from inspector.model.policy import CLAUDE_CODE, DOCUMENTED, Policy

TURNS = (100, 1_000, 10_000)
WINDOW = 50
"""Requests that are looked at, at each length."""
LARGE, SMALL = "a line of some tool's output\n" * 1_000, "a line of some tool's output\n" * 120


def turn(number: int) -> list[dict[str, Any]]:
    """One answer with a call, and its result."""
    id = f"toolu_{number}"
    call = {"type": "tool_use", "id": id, "name": "Grep", "input": {"n": number}}
    text = f"{number}\n{SMALL if number % 5 else LARGE}"
    return [
        {"role": "assistant", "id": f"msg_{number}", "content": [call]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": text}]},
    ]


def measure(policy: Policy, lengths: Sequence[int] = TURNS) -> list[dict[str, Any]]:
    """Run one conversation and look at it at each length.

    Args:
        policy: The rules.
        lengths: Turns at which to look, ascending.

    Returns:
        One row per length: microseconds of a request that writes nothing, of one that writes, of
        the first request after a resume and of the request after that, and ratios to the first row.
    """
    rows: list[dict[str, Any]] = []
    with TemporaryDirectory() as scratch:
        manager = ToolResultManager(policy, scratch, keep_files=True)
        messages: list[Any] = [{"role": "user", "content": "go"}]
        took: list[tuple[bool, float]] = []
        records: list[dict[str, Any]] = []
        for number in range(1, lengths[-1] + 1):
            messages += turn(number)
            start = time.perf_counter()
            prepared = manager.prepare(messages)
            took.append((bool(prepared.records), time.perf_counter() - start))
            records += prepared.records
            if number in lengths:
                window = took[-WINDOW:]
                row = {
                    "turns": number,
                    "messages": len(messages),
                    "quiet_us": _us([t for wrote, t in window if not wrote]),
                    "writing_us": _us([t for wrote, t in window if wrote]),
                    **_resume(policy, scratch, messages, records),
                }
                rows.append(row)
    for row in rows:
        row["quiet_ratio"] = round(row["quiet_us"] / rows[0]["quiet_us"], 2)
    return rows


def _resume(policy: Policy, scratch: str, messages: list[Any], records: list[Any]) -> dict[str, Any]:
    start = time.perf_counter()
    manager = ToolResultManager.resume(policy, scratch, messages, records, keep_files=True)
    manager.prepare(messages)
    first = time.perf_counter() - start
    start = time.perf_counter()
    manager.prepare(messages)
    return {"resume_us": _us([first]), "after_resume_us": _us([time.perf_counter() - start])}


def _us(seconds: Sequence[float]) -> int | None:
    return round(1e6 * median(seconds)) if seconds else None


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print.

    Args:
        argv: Arguments without the program's name; `None` takes the process's own.

    Returns:
        The exit code.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.bench.manager_cost", description=__doc__)
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--turns", type=int, nargs="+", default=list(TURNS), metavar="N")
    options = parser.parse_args(argv)
    results = {policy.name: measure(policy, sorted(options.turns)) for policy in (DOCUMENTED, CLAUDE_CODE)}
    if options.json:
        document = {"schema": "inspector-bench/1", "bench": "manager_cost", "policies": results}
        sys.stdout.write(json.dumps(document, indent=2) + "\n")
        return 0
    for name, rows in results.items():
        sys.stdout.write(f"{name}: microseconds per request (median of the last {WINDOW})\n")
        for row in rows:
            words = "  ".join(f"{key} {value}" for key, value in row.items())
            sys.stdout.write(f"  {words}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
