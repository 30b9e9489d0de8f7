"""Public bug reports, told again as small inputs: the analysis must give every fact that a case states."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conformance.case import Case
from tests.conformance.fields import CHECKERS, is_explanation
from tests.conformance.shared import shared_folder

CASES = [path.parent for path in shared_folder("cases", "*/expect.json")]


@pytest.mark.parametrize("folder", CASES, ids=lambda path: path.name)
def test_case(folder: Path, tmp_path: Path) -> None:
    case = Case(folder, tmp_path)
    wrong = {}
    for field, wanted in case.expect.items():
        if is_explanation(field):
            continue
        if field not in CHECKERS:
            wrong[field] = "no checker knows this field"
            continue
        found, want = CHECKERS[field](case, wanted)
        if found != want:
            wrong[field] = f"found  {found!r}\n    wanted {want!r}"
    note = case.expect.get("note", "")
    assert not wrong, "\n" + "\n".join(f"  {field}: {text}" for field, text in wrong.items()) + f"\n  {note}"


@pytest.mark.parametrize(
    "page",
    [path.with_name("README.md") for path in shared_folder("cases", "expand.py")],
    ids=["README"] if CASES else [],
)
def test_every_field_that_the_page_of_the_cases_names_has_a_checker(page: Path) -> None:
    table = page.read_text(encoding="utf-8").split("## Fields of expect.json")[1].split("## ")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    fields = {field for cell in cells for field in re.findall(r"`(\w+)`", cell)}
    assert sorted(field for field in fields if field not in CHECKERS and not is_explanation(field)) == []
