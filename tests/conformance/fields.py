"""One checker for each field of an `expect.json`; what none of them knows is a failure."""

from __future__ import annotations

from typing import Any

from inspector.report.requests import request_diff_data
from inspector.session.request_pair import two_bodies
from tests.conformance import file_fields as files
from tests.conformance import ledger_fields as ledger
from tests.conformance.case import Case, findings, named, report_of, results
from tests.conformance.forms import Checker, Pair, asked_sets, each_only, ids, named_by, only

EXPLANATIONS = {
    "id", "source", "kind", "note", "format", "files", "heavy", "time_limit_s", "first_screen_s",
    "peak_memory_over_file_size",
}  # fmt: skip
"""Fields that say how to run or read a case, or an order of magnitude for a benchmark."""

EXPLAINING = ("wrong_if_", "naive_", "if_")
"""Beginnings of fields that hold the tempting wrong answer."""


def is_explanation(field: str) -> bool:
    """Whether a field asks for nothing."""
    return field in EXPLANATIONS or field.startswith(EXPLAINING)


# Tokens and cache


def usage_total(case: Case, wanted: Any) -> Pair:
    usage = case.plain["totals"]["usage"]
    found = {
        "messages": usage["messages"],
        "input_tokens": usage["input"],
        "output_tokens": usage["output"],
        "cache_creation_input_tokens": usage["cache_creation"],
        "cache_read_input_tokens": usage["cache_read"],
    }
    return only(found, {key: value for key, value in wanted.items() if key != "note"})


def cache_breaks(case: Case, wanted: Any) -> Pair:
    return each_only([each["data"] for each in findings(case.plain, "cold_cache")], wanted)


def prefix_diff(case: Case, wanted: Any) -> Pair:
    """What `compare A B --json` says of the first message that differs, and of the result in it."""
    asked = {key: value for key, value in (wanted or {}).items() if key not in {"a", "b", "note"}}
    if not asked:  # nothing but more at the end
        asked = {"first_changed_message": None}
    named = [case.folder / wanted[side] for side in ("a", "b") if wanted and side in wanted]
    told = request_diff_data(two_bodies(*(named if len(named) > 1 else case.files[:2])))
    first = told["first_changed"]
    at = first["message"] if first else None
    changed = (b for b in told["blocks"] if b["message"] == at and b["kind"] == "result")
    result = next((b for b in changed if b["mark"] == "changed"), None)
    found = {
        "first_changed_message": at,
        "tool_use_id": result["tool_use_id"] if result else None,
        "chars_before": result["chars_before"] if result else None,
        "chars_after": result["chars"] if result else None,
    }
    return only(found, asked)


def cleared_without_file(case: Case, wanted: Any) -> Pair:
    """What the session itself was cleared of; what an ageing policy would clear stands in its file."""
    return ids(named(case.ledger, "cleared_without_copy"), wanted)


# Forks


def found_in_parent(case: Case, wanted: Any) -> Pair:
    """Results that the fork lacks and the session it was copied from has."""
    assert case.parent is not None
    answered = {row["id"] for row in results(report_of(case.parent))}
    return ids(set(named(case.plain, "missing_result")) & answered, wanted)


def parent_repairs(case: Case, wanted: Any) -> Pair:
    assert case.parent is not None
    return asked_sets(report_of(case.parent)["pairing"]["global"], wanted)


# What reaches a terminal


def terminal(case: Case, wanted: Any) -> Pair:
    """No output that a person sees holds one of these, nor any other control character."""
    texts = case.printed
    codes = wanted.get("must_not_emit", ())
    leaks = {name: [code for code in codes if code in text] for name, text in texts.items()}
    controls = {name: sorted({c for c in text if is_control(c)}) for name, text in texts.items()}
    nothing: dict[str, list[str]] = {name: [] for name in texts}
    hidden, none = must_show_literally(case, wanted.get("must_show_literally", ()))
    return [leaks, controls, hidden], [nothing, nothing, none]


def is_control(char: str) -> bool:
    return char != "\n" and (char < " " or "\x7f" <= char <= "\x9f")


def must_show_literally(case: Case, wanted: Any) -> Pair:
    everything = "\n".join(case.printed.values())
    return [text for text in wanted if text not in everything], []


def must_not_crash(case: Case, wanted: Any) -> Pair:
    """Every analysis and every printed form of it comes to its end."""
    return bool(case.plain and case.live and case.ledger and case.documented and case.printed), wanted


CHECKERS: dict[str, Checker] = {
    "repairs": ledger.repairs,
    "repairs_if_positional": ledger.repairs_if_positional,
    "duplicate_results": named_by("duplicate_result"),
    "occurrences": ledger.occurrences,
    "order_violations": named_by("order_violation"),
    "displaced_results": named_by("displaced_result"),
    "off_chain_results": named_by("off_chain_result"),
    "pending_if_live": ledger.pending_if_live,
    "groups": ledger.group_ids,
    "over_budget_groups": ledger.over_budget_groups,
    "visible_totals": ledger.visible_totals,
    "state": ledger.state,
    "skipped": ledger.skipped,
    "not_candidates": ledger.not_candidates,
    "size_by_measure": ledger.size_by_measure,
    "resume": ledger.resume,
    "accepted_overage": ledger.accepted_overage,
    "seed_000": ledger.seed_000,
    "persisted": files.persisted,
    "stored_replacement_file": files.stored_replacement_file,
    "missing_files": files.missing_files,
    "stated_path_missing": files.stated_path_missing,
    "failed_reads_of_persisted": files.failed_reads,
    "reread_chains": files.reread_chains,
    "read_results_persisted": files.read_results_persisted,
    "rereads": files.rereads,
    "replacement_file_ext": files.replacement_file_ext,
    "microcompact": files.microcompact,
    "cleared_without_file": cleared_without_file,
    "records": files.records,
    "either": files.either,
    "phases": files.phases,
    "partial_tail": files.source_field("partial_tail"),
    "session_ids": files.source_field("session_ids"),
    "duplicate_records": files.source_field("duplicate_records"),
    "synthetic_error_records": files.source_field("synthetic_error_records"),
    "history": files.history,
    "lone_surrogates": files.lone_surrogates,
    "record_bytes_over": files.record_bytes_over,
    "base64_text": files.base64_text,
    "images": files.images,
    "images_over_2000px": files.images_over_2000px,
    "usage_total": usage_total,
    "cache_breaks": cache_breaks,
    "prefix_diff": prefix_diff,
    "found_in_parent": found_in_parent,
    "parent_repairs": parent_repairs,
    "terminal": terminal,
    "must_show_literally": must_show_literally,
    "must_not_crash": must_not_crash,
}
"""Every field that asks for something."""
