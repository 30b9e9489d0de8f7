"""What machines gate on: a baseline of what is known, SARIF, JUnit."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from inspector.errors import UsageError
from inspector.model.findings import Finding, Severity
from inspector.report.checks import Checked, junit, key_of, read_baseline, sarif, without_known
from inspector.report.data import finding_data

MISSING = Finding("missing_result", Severity.ERROR, "Bash a has no result.", 3, ("a",), see="line 7")
ORPHAN = Finding("orphan_result", Severity.ERROR, "b \x1b[31m<&\"' answers nothing.", 4, ("b",))


def baseline(folder: Path, *findings: Finding) -> Path:
    path = folder / "known.json"
    files = [{"path": "old/s.jsonl", "findings": [finding_data(f) for f in findings]}]
    path.write_text(json.dumps({"schema": "inspector-check/1", "files": files}))
    return path


def known_by(path: Path) -> Counter[tuple[str, str, str, str]]:
    return read_baseline(path, path.read_bytes())


def test_known_finding_is_known_by_its_ids_wherever_its_line_went(tmp_path: Path) -> None:
    known = known_by(baseline(tmp_path, MISSING))
    moved = Finding("missing_result", Severity.ERROR, "told otherwise", 9, ("a",), see="line 90")
    assert without_known("new/s.jsonl", [moved, ORPHAN], known) == [ORPHAN]
    assert without_known("new/other.jsonl", [moved], known) == [moved]


def test_finding_that_comes_more_often_than_before_is_new(tmp_path: Path) -> None:
    known = known_by(baseline(tmp_path, MISSING))
    assert without_known("s.jsonl", [MISSING, MISSING], known) == [MISSING]


@pytest.mark.parametrize("text", ["", "[]", '{"schema":"other"}', '{"schema":"inspector-check/1"}', "\x00"])
def test_baseline_of_another_form_is_refused_by_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "known.json"
    path.write_text(text)
    with pytest.raises(UsageError, match="--baseline"):
        known_by(path)


def test_sarif_holds_failing_findings_with_line_and_stable_fingerprint() -> None:
    run = sarif(
        [Checked("s.jsonl", (MISSING, ORPHAN), (MISSING,)), Checked("bad", (), (), "bad: unreadable")]
    )
    run = json.loads(json.dumps(run))["runs"][0]
    (only,) = run["results"]
    assert only["ruleId"] == "missing_result"
    assert only["level"] == "error"
    assert only["locations"][0]["physicalLocation"]["region"] == {"startLine": 7}
    assert only["partialFingerprints"]["finding/v1"] == "|".join(key_of("s.jsonl", MISSING))
    assert run["invocations"][0]["executionSuccessful"] is False


def test_junit_has_a_case_for_each_file_and_survives_hostile_text() -> None:
    text = junit(
        [Checked("s.jsonl", (ORPHAN,), (ORPHAN,)), Checked("ok", (), ()), Checked("x", (), (), "gone")]
    )
    suite = ElementTree.fromstring(text)  # noqa: S314 (written a line above)
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "1")
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert "<&\"'" in (failure.get("message") or "")
