"""The cause of every bug case stands in the first or second line of `inspector why`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.case import Case, results
from tests.conformance.screenless import run
from tests.conformance.shared import shared_folder

CASES = [path.parent for path in shared_folder("cases", "*/expect.json")]

BUDGET = {"over_turn_budget", "accepted_overage", "cannot_fit"}
WHERE_TOLD = {"over_budget_groups", "accepted_overage", "microcompact", "usage_total", "record_bytes_over"}
"""Fields that need not be about a fault: the policy of the source may see nothing in it."""

Reading = Callable[[Any], set[str]]


def kinds(*words: str) -> Reading:
    """Kinds to expect wherever the field holds anything."""
    return lambda value: set(words) if value else set()


def of_repairs(value: Any) -> set[str]:
    words = {"missing": {"missing_result"}, "orphan": {"orphan_result"}}
    words["duplicate"] = {"duplicate_tool_use", "id_reused"}
    return {kind for key, kinds_ in words.items() if value.get(key) for kind in kinds_}


def of_files(value: Any) -> set[str]:
    words = {
        "missing": "overflow_missing", "size-mismatch": "overflow_size_mismatch",
        "found-elsewhere": "overflow_elsewhere", "preview-mismatch": "overflow_preview_mismatch",
    }  # fmt: skip
    states = set(value.values() if isinstance(value, dict) else (each["status"] for each in value))
    either = {words["preview-mismatch"]} if "found-elsewhere" in states else set()
    return {words[state] for state in states if state in words} | either


def of_records(value: Any) -> set[str]:
    return (
        {"bad_line", "nul_run", "invalid_utf8", "partial_line", "control_characters"}
        if value.get("bad_lines")
        else set()
    )


def of_outcomes(value: Any) -> set[str]:
    """Of two acceptable outcomes: a line is bad if either of them says so."""
    return {kind for key, each in value.items() if key != "note" for kind in of_records(each)}


def of_images(value: Any) -> set[str]:
    return {"base64_text", "image_result", "uncounted"} if value else set()


def of_ages(value: Any) -> set[str]:
    acts = {row.get("action") for row in value.get("results", {}).values()}
    return {"would_age", "cleared_without_copy"} if acts & {"summarize", "truncate"} else set()


def of_phases(value: Any) -> set[str]:
    """The whole file is what the last phase leaves."""
    last = list(value.values() if isinstance(value, dict) else value)[-1]
    repaired = last.get("repaired")
    by_kind = repaired if isinstance(repaired, dict) else {"missing": repaired or last.get("missing")}
    found = of_repairs(last.get("repairs", {})) | of_repairs(by_kind)
    found |= of_records({**last, **last.get("records", {})})
    return found | ({"partial_line", "bad_line"} if last.get("partial_tail") else set())


READINGS: list[tuple[str, Reading]] = [
    ("records", of_records),
    ("either", of_outcomes),
    ("phases", of_phases),
    ("partial_tail", kinds("partial_line", "bad_line")),
    ("lone_surrogates", kinds("lone_surrogate")),
    ("repairs", of_repairs),
    ("duplicate_results", kinds("duplicate_result", "id_reused")),
    ("displaced_results", kinds("displaced_result")),
    ("order_violations", kinds("order_violation")),
    ("reread_chains", kinds("overflow_reread_loop")),
    ("read_results_persisted", kinds("overflow_reread_loop")),
    ("persisted", of_files),
    ("stored_replacement_file", of_files),
    ("missing_files", kinds("overflow_missing")),
    ("stated_path_missing", kinds("overflow_elsewhere", "overflow_missing")),
    ("failed_reads_of_persisted", kinds("overflow_reread", "overflow_elsewhere")),
    ("cleared_without_file", kinds("cleared_without_copy")),
    ("rereads", kinds("overflow_reread", "read_again_after_clear", "would_age")),
    ("cache_breaks", kinds("cold_cache")),
    ("prefix_diff", kinds("prefix_break", "grower", "nothing")),
    ("accepted_overage", kinds(*BUDGET)),
    ("over_budget_groups", kinds(*BUDGET)),
    ("base64_text", of_images),
    ("images", of_images),
    ("images_over_2000px", of_images),
    ("off_chain_results", kinds("off_chain_result")),
    ("record_bytes_over", kinds("disk_only")),
    ("usage_total", kinds("usage_repeated")),
    ("terminal", kinds("control_characters", "grower")),
    ("microcompact", of_ages),
]
"""Field → kinds that its value asks for, the gravest first: a case is about the first that asks."""


FORBIDDEN: dict[str, set[str]] = {
    "duplicate_results": {"duplicate_result"},
    "displaced_results": {"displaced_result"},
    "order_violations": {"order_violation"},
    "reread_chains": {"overflow_reread_loop"},
    "missing_files": {"overflow_missing"},
    "lone_surrogates": {"lone_surrogate"},
    "cleared_without_file": {"cleared_without_copy"},
    "cache_breaks": {"cold_cache"},
}
"""Field → kinds that must not be told where it is given and empty."""


def expected(expect: Any, told: set[str]) -> set[str]:
    """Kinds of which one has to stand in the first two lines; empty for a case without a fault.

    Args:
        expect: The case.
        told: Kinds of all that the answer tells, in whatever line.
    """
    for field, read in READINGS:
        asked = read(expect[field]) if field in expect else set()
        if asked and (field not in WHERE_TOLD or asked & told):
            return asked
    return set()


def also_asked(expect: Any) -> set[str]:
    """Kinds of every fault that a case names: of many the gravest may fill both lines."""
    return {kind for field, read in READINGS if field in expect for kind in read(expect[field])}


ASKING: dict[str, set[str]] = {
    "repairs": {"missing_result", "orphan_result", "duplicate_tool_use", "id_reused"},
    "persisted": {"overflow_missing", "overflow_size_mismatch"},
    "stored_replacement_file": {"overflow_missing", "overflow_size_mismatch"},
    "missing_files": {"overflow_missing"},
    "records": {"bad_line", "nul_run", "invalid_utf8", "control_characters"},
    "either": {"bad_line", "nul_run", "invalid_utf8", "control_characters"},
    "phases": {"bad_line", "nul_run", "invalid_utf8", "partial_line"},
}
"""Field → faults that it would name: of a field that is absent nothing is said."""


def unasked(case: Case) -> set[str]:
    """Kinds of faults that a case says nothing about, so that they may be there or not."""
    asked = {kind for field, words in ASKING.items() if field in case.expect for kind in words}
    if "stored_replacement_file" not in case.expect:  # the other fields are about what the texts name
        stored = [row["overflow"] for row in results(case.plain) if row["overflow"]]
        if any(file["source"] == "stored" and file["status"] == "missing" for file in stored):
            asked.discard("overflow_missing")
    return {kind for words in ASKING.values() for kind in words} - asked


def forbidden(expect: Any) -> set[str]:
    """Kinds that a case says are not there."""
    none = {kind for field, words in FORBIDDEN.items() if expect.get(field, "absent") == [] for kind in words}
    if "missing" in expect.get("repairs", {}) and not any(expect["repairs"].values()):
        none |= {"missing_result", "orphan_result", "duplicate_tool_use", "id_reused"}
    return none


@pytest.mark.parametrize("folder", CASES, ids=lambda path: path.name)
def test_cause_stands_in_the_first_two_lines(folder: Path, tmp_path: Path) -> None:
    case = Case(folder, tmp_path)
    code, text = run("why", str(case.path))
    assert code == 0
    first = [re.match(r" *\d+ (\S) (\w+): ", line) for line in text.splitlines()[:2]]
    told = {match[2]: match[1] for match in first if match}
    assert told
    causes = json.loads(run("why", str(case.path), "--json")[1])["causes"]
    wanted = expected(case.expect, {kind for c in causes for kind in (c["kind"], *c["also_kinds"])})
    if wanted:
        shown = told.keys() & wanted or told.keys() <= also_asked(case.expect)
        assert shown, f"wanted one of {sorted(wanted)}:\n{text}"
    else:
        faults = {kind for kind, sign in told.items() if sign == "✗"}
        assert faults <= unasked(case), f"nothing is wrong here, but:\n{text}"
    assert not (told.keys() & forbidden(case.expect)) - unasked(case), text


@pytest.mark.parametrize("folder", CASES, ids=lambda path: path.name)
def test_consequences_are_not_causes(folder: Path, tmp_path: Path) -> None:
    case = Case(folder, tmp_path)
    _, text = run("why", str(case.path), "--json")
    causes = json.loads(text)["causes"]
    for cause in causes:
        if cause["kind"] == "bad_line" and "missing_result" in cause["also_kinds"]:
            assert not any(c["kind"] == "missing_result" and not c["cause"] for c in causes)
    assert sum(1 for c in causes if c["kind"] == "not_applied") == 0 or not any(
        c["kind"] == "over_turn_budget" for c in causes
    )
