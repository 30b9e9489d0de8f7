"""A client newer than the rules is told once; what is no version is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector.session import open_session
from inspector.session.input_findings import NEWEST_CHECKED


def session(tmp_path: Path, *versions: str) -> Path:
    path = tmp_path / "s.jsonl"
    lines = [
        {"type": "user", "uuid": f"u{n}", "parentUuid": f"u{n - 1}" if n else None, "version": version,
         "sessionId": "s", "timestamp": "2026-01-01T00:00:00Z", "message": {"role": "user", "content": "hi"}}
        for n, version in enumerate(versions)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize(
    ("version", "newer"),
    [
        (NEWEST_CHECKED, False),
        ("2.1.9", False),
        ("1.99.999", False),
        ("99.0.0", True),
        ("99.0.0-beta.1", True),
        (f"{NEWEST_CHECKED}1", True),
        ("dev", False),
        ("9" * 5_000 + ".0", False),
        ("²", False),
    ],
)
def test_only_newer_clients_are_unknown(tmp_path: Path, version: str, newer: bool) -> None:
    with open_session(session(tmp_path, version)) as opened:
        assert [f.kind for f in opened.findings() if f.kind == "unknown_version"] == [
            "unknown_version"
        ] * newer


def test_several_newer_versions_are_one_finding(tmp_path: Path) -> None:
    with open_session(session(tmp_path, "2.1.9", "98.0.0", "99.0.0")) as opened:
        (found,) = [f for f in opened.findings() if f.kind == "unknown_version"]
    assert "98.0.0, 99.0.0" in found.fact
    assert NEWEST_CHECKED in found.fact
