"""Findings of many files for machines that gate on them: SARIF, JUnit, and a baseline of what is known.

A finding is known by file, kind and ids, and not by its line or request: a session that grows moves
lines, and what was accepted yesterday is still the same finding.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from inspector import __version__
from inspector.errors import UsageError
from inspector.model.findings import KINDS, Finding, Severity
from inspector.text import printable_line

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_LINE = re.compile(r"line (\d+)")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_IN_XML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
"""What an attribute must not hold as it is. The standard library's own table loads sockets as well."""


class Checked:
    """One file that was checked."""

    def __init__(
        self, path: str, findings: Sequence[Finding], failing: Sequence[Finding], error: str = ""
    ) -> None:
        """Args:
        path: As it was named.
        findings: All of its findings.
        failing: Those that fail the check, after the baseline.
        error: Why it could not be read; empty where it could.
        """
        self.path = path
        self.findings = findings
        self.failing = failing
        self.error = error


def key_of(path: str, finding: Finding) -> tuple[str, str, str, str]:
    """What makes a finding the same one in a later run."""
    return Path(path).name, finding.thread, finding.kind, ",".join(finding.ids)


def read_baseline(path: Path, data: bytes) -> Counter[tuple[str, str, str, str]]:
    """Findings that are known, from the output of `check --json`.

    Args:
        path: The file's name, for messages.
        data: What it holds.

    Raises:
        UsageError: It is no such output.
    """
    try:
        document = json.loads(data)
        if document["schema"] != "inspector-check/1":
            raise UsageError(f"--baseline {path}: not written by `check --json`")
        return Counter(
            (Path(file["path"]).name, each["thread"] or "", each["kind"], ",".join(each["ids"]))
            for file in document["files"]
            for each in file["findings"]
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UsageError(f"--baseline {path}: not written by `check --json`") from None


def without_known(
    path: str, findings: Sequence[Finding], known: Counter[tuple[str, str, str, str]]
) -> list[Finding]:
    """Findings that the baseline does not hold; one that comes more often than before is new."""
    left = Counter(known)
    out = []
    for finding in findings:
        key = key_of(path, finding)
        if left[key] > 0:
            left[key] -= 1
        else:
            out.append(finding)
    return out


def sarif(checked: Sequence[Checked]) -> dict[str, Any]:
    """SARIF 2.1.0: failing findings only, as code scanning shows them."""
    kinds = sorted({f.kind for file in checked for f in file.failing})
    rules = [{"id": kind, "properties": {"family": KINDS[kind][0]}} for kind in kinds if kind in KINDS]
    failures = [file for file in checked if file.error]
    return {
        "version": "2.1.0",
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": [
            {
                "tool": {"driver": {"name": "inspector", "version": __version__, "rules": rules}},
                "invocations": [
                    {
                        "executionSuccessful": not failures,
                        "toolExecutionNotifications": [
                            {"level": "error", "message": {"text": printable_line(f.error)}} for f in failures
                        ],
                    }
                ],
                "results": [_sarif_result(file.path, f) for file in checked for f in file.failing],
            }
        ],
    }


def _sarif_result(path: str, finding: Finding) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": Path(path).as_posix()}}
    line = _LINE.match(finding.see)
    if line:
        place["region"] = {"startLine": int(line[1])}
    return {
        "ruleId": finding.kind,
        "level": _LEVELS[finding.severity],
        "message": {"text": printable_line(f"{finding.fact} {finding.cause}".strip())},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"finding/v1": "|".join(key_of(path, finding))},
    }


def junit(checked: Sequence[Checked]) -> str:
    """JUnit XML: one test case for each file, failed where findings fail the check."""
    failures = sum(bool(f.failing) for f in checked)
    errors = sum(bool(f.error) for f in checked)
    out = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuite name="inspector check" tests="{len(checked)}" failures="{failures}" errors="{errors}">',
    ]
    for file in checked:
        out.append(f'  <testcase classname="inspector" name={_attribute(file.path)}>')
        if file.error:
            out.append(f"    <error message={_attribute(file.error)}/>")
        for finding in file.failing:
            where = f" [{finding.see}]" if finding.see else ""
            out.append(
                f"    <failure type={_attribute(finding.kind)} message={_attribute(finding.fact + where)}/>"
            )
        out.append("  </testcase>")
    return "\n".join([*out, "</testsuite>"])


def _attribute(text: str) -> str:
    shown = _NOT_XML.sub("\ufffd", printable_line(text))
    return f'"{shown.translate(_IN_XML)}"'
