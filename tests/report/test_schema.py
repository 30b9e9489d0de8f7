"""The published schemas hold for what is printed, and refuse what is not."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from inspector.errors import UsageError
from inspector.model.findings import KINDS
from inspector.report import report
from inspector.report.data import finding_data
from inspector.report.schema import NAMES, schema, schema_text
from inspector.report.why import why_data
from inspector.samples import stories
from inspector.session import open_session
from inspector.why import why

STORIES = [pytest.param(story.folder, id=story.name) for story in stories()]


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    jsonschema.Draft202012Validator.check_schema(schema(name))
    return jsonschema.Draft202012Validator(schema(name))


def session_of(folder: Path) -> Path:
    files = [p for p in sorted(folder.rglob("*.json*")) if "subagents" not in p.relative_to(folder).parts]
    return next((p for p in files if p.suffix == ".jsonl"), files[0])


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("folder", STORIES)
def test_report_and_why_of_every_sample_hold(folder: Path) -> None:
    session = open_session(session_of(folder))
    validator("report-1").validate(plain(report(session, resume_after=3)))
    validator("why-1").validate(plain(why_data(session, why(session))))
    files = [{"path": "x", "failing": 0, "findings": [finding_data(f) for f in session.findings()]}]
    validator("check-1").validate(plain({"schema": "inspector-check/1", "files": files}))


def test_schema_names_every_kind_of_finding() -> None:
    for name in ("report-1", "check-1"):
        assert schema(name)["$defs"]["finding"]["properties"]["kind"]["enum"] == list(KINDS)


def test_schema_refuses_a_report_without_its_version_and_a_finding_of_another_kind() -> None:
    session = open_session(session_of(stories()[0].folder))
    document = plain(report(session))
    document["findings"].append({**plain(document["findings"][0]), "kind": "nonsense"})
    assert any("nonsense" in e.message for e in validator("report-1").iter_errors(document))
    del document["schema"]
    assert any("'schema'" in e.message for e in validator("report-1").iter_errors(document))


def test_schemas_are_printed_as_they_ship_and_others_are_refused() -> None:
    for name in NAMES:
        assert json.loads(schema_text(name)) == schema(name)
    with pytest.raises(UsageError, match="report-1"):
        schema_text("../data")
