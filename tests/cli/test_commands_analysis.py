"""The commands that explain and gate: exit codes, formats, and what goes to which stream."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conformance.screenless import run
from tests.transcript import begun, call


@pytest.fixture
def broken(tmp_path: Path) -> str:
    script = begun()
    script.answer(call("toolu_a"))
    script.prompt("On.")
    script.answer(text="Done.")
    return str(script.write(tmp_path))


def test_check_fails_on_an_error_and_not_on_what_the_baseline_holds(broken: str, tmp_path: Path) -> None:
    code, text = run("check", broken, "--json")
    assert code == 1
    known = tmp_path / "known.json"
    known.write_text(text)
    assert run("check", broken, "--baseline", str(known))[0] == 0
    assert run("check", broken, "--fail-on", "none")[0] == 0
    assert run("check", broken, "--fail-on", "orphan_result")[0] == 0


def test_check_reports_the_readable_files_and_ends_with_2_for_the_others(broken: str, tmp_path: Path) -> None:
    code, text = run("check", broken, str(tmp_path / "none.jsonl"), "--format", "junit")
    assert code == 2
    assert 'errors="1"' in text
    assert 'failures="1"' in text
    assert run("check", broken, "--baseline", str(tmp_path / "none"))[0] == 2


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html"])
def test_report_has_every_format(broken: str, form: str) -> None:
    code, text = run("report", broken, "--format", form)
    assert code == 0
    assert "missing_result" in text


def test_schema_needs_no_session() -> None:
    code, text = run("report", "--schema")
    assert code == 0
    assert json.loads(text)["properties"]["schema"] == {"const": "inspector-report/1"}


def test_why_looks_for_the_limit_that_is_asked_for(broken: str) -> None:
    code, text = run("why", broken, "--json", "--under", "12345")
    assert code == 0
    assert json.loads(text)["causes"][0]["kind"] == "missing_result"
    assert run("why", broken, "--no-advice", "--limit", "1")[1].count("\n") >= 1


def test_scan_writes_every_format_and_refuses_parquet_without_a_file(broken: str, tmp_path: Path) -> None:
    folder = str(Path(broken).parent)
    code, text = run("scan", folder, "--no-cache")
    assert code == 0
    assert "missing_result" in text
    code, text = run("scan", folder, "--no-cache", "--format", "json")
    assert json.loads(text)["schema"] == "inspector-scan/1"
    out = tmp_path / "rows.csv"
    assert run("scan", folder, "--no-cache", "--format", "csv", "--out", str(out))[0] == 0
    assert out.read_text().startswith("path,error,kind")
    assert run("scan", folder, "--format", "parquet")[0] == 2
    (tmp_path / "empty").mkdir()
    assert run("scan", str(tmp_path / "empty"))[0] == 2
