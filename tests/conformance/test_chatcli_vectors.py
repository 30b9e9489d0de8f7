"""Every vector of the chatcli folder: outputs of the real functions, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from inspector.chatcli_files import DirectorySink
from inspector.model.chatcli import Message, Order, RecoveryLimits, Settings
from inspector.pipeline.chatcli.archive import key_of, keys_in, marker
from inspector.pipeline.chatcli.budget import enforce_budget
from inspector.pipeline.chatcli.dispatch import truncate_output
from inspector.pipeline.chatcli.largest_first import largest_first
from inspector.pipeline.chatcli.microcompact import apply_microcompact
from inspector.pipeline.chatcli.pairing import is_paired, pending_calls, repair_pairing
from inspector.pipeline.chatcli.pairing_global import repair_pairing_globally
from inspector.pipeline.chatcli.recovery import recover_context
from inspector.pipeline.chatcli.run import Carried, RequestRun, run_loop, run_request
from inspector.pipeline.chatcli.settings import settings_from_environment
from inspector.pipeline.chatcli.worker import overflow_output
from inspector.reading.chatcli_session import SessionKind, load_session, save_session
from tests.conformance import chatcli_vectors as form
from tests.conformance.shared import shared_folder

Case = Mapping[str, Any]

COMMON = {"name", "stage", "config", "input", "input_sha256", "output"}
BUDGET_CONFIG = {"dir", "dir_state", "block", "max_chars", "turn_budget_chars", "counter_start"}
AGEING_CONFIG = {
    "truncate_turns", "summarize_turns", "head_chars", "tail_chars", "min_content", "ccr", "ccr_max_bytes",
}  # fmt: skip
ANCHOR = Message("system", b"REMINDER (anchor)")


def cases() -> list[Any]:
    return [
        pytest.param(case, id=f"{path.stem}:{case['name']}")
        for path in shared_folder("vectors/chatcli", "*.json")
        for case in json.loads(path.read_bytes())
    ]


@pytest.mark.parametrize("case", cases())
def test_vector(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    form.check_input(case)
    check, keys, config = STAGES[case["stage"]]
    assert not (case.keys() - COMMON - keys), "a key that is not checked"
    if config is not None:
        assert not (case["config"].keys() - config), "a setting that is not applied"
    check(case)


def check_pairing(case: Case) -> None:
    given = form.messages(case["input"])
    run = repair_pairing(given)
    form.check_messages(run.messages, case["output"])
    assert form.pairing_report(run.report) == case["report"]
    assert is_paired(given) == case["valid_before"]
    assert pending_calls(given) == case["pending_before"]
    again = repair_pairing(run.messages)
    assert (again.messages == run.messages and not again.report.has_repairs) == case["idempotent"]


def check_pairing_global(case: Case) -> None:
    run = repair_pairing_globally(form.messages(case["input"]))
    form.check_messages(run.messages, case["output"])
    got = form.pairing_report(run.report)
    del got["results_relocated"]
    for name in ("missing_tool_use_ids", "orphan_tool_result_ids"):
        got[f"{name}_sorted"] = sorted(got.pop(name), key=str.encode)
    assert got == case["report"]


def check_budget(case: Case) -> None:
    config = case["config"]
    sink = DirectorySink(form.prepare_directory(config))
    counter = config.get("counter_start", 0)
    history = tuple(form.messages(case["input"]))
    reports = []
    for _ in range(config.get("times", 1)):
        run = enforce_budget(history, form.settings(config).budget, sink, counter)
        history, counter = run.messages, run.counter
        reports.append(form.report(run.report))
    form.check_messages(history, case["output"])
    assert (reports if case["stage"] == "budget_repeat" else reports[0]) == case["report"]
    assert counter == case["counter_end"]
    form.check_files(config, case["files"])


def check_microcompact(case: Case) -> None:
    config = case["config"]
    archive = form.archive(config)
    history = tuple(form.messages(case["input"]))
    repeated = case["stage"] == "microcompact_repeat"
    reports = []
    for turn in config["turns"] if repeated else [case["current_turn"]]:
        run = apply_microcompact(history, turn, form.settings(config).ageing, archive)
        history, archive = run.messages, run.archive
        reports.append(form.report(run.report))
    form.check_messages(history, case["output"])
    assert (reports if repeated else reports[0]) == case["report"]
    form.check_archive(archive, case["ccr_store"])


def run_report(run: RequestRun) -> dict[str, Any]:
    return {
        "pairing": form.pairing_report(run.pairing.report),
        "budget": form.report(run.budget.report),
        "microcompact": form.report(run.microcompact.report),
    }


def check_oneshot(case: Case) -> None:
    config = case["config"]
    settings = form.settings({**config, "order": "seed"})
    sink = DirectorySink(form.prepare_directory(config))
    carried = Carried(config.get("counter_start", 0), form.archive(config))
    run = run_request(form.messages(case["input"]), case["current_turn"], settings, sink, carried)
    form.check_messages(run.outgoing, case["output"])
    assert run_report(run) == case["report"]
    form.check_archive(run.carried.archive, case["ccr_store"])
    form.check_files(config, case["files"])


def check_turns(case: Case) -> None:
    config = case["config"]
    settings = form.settings(config)
    sink = DirectorySink(form.prepare_directory(config))
    carried = Carried(config.get("counter_start", 0), form.archive(config))
    appends = [form.messages(group) for group in case["appends"]]
    # The vectors append nothing after the last step they record.
    appends += [[]] * (len(case["steps"]) - len(appends))
    runs = run_loop(form.messages(case["input"]), appends, settings, sink, carried, ANCHOR)
    got = [step(run, with_outgoing=settings.order is Order.LOOP) for run in runs]
    assert got == case["steps"]
    form.check_messages(runs[-1].outgoing, case["output"])
    form.check_archive(runs[-1].carried.archive, case["ccr_store"])
    form.check_files(config, case["files"])


def step(run: RequestRun, *, with_outgoing: bool) -> dict[str, Any]:
    out = {
        "turn": run.turn,
        "counter": run.carried.counter,
        "report": run_report(run),
        "persistent_digest": form.digest(run.stored),
        "persistent_lens": [len(m.content) for m in run.stored],
    }
    if with_outgoing:
        out["outgoing_digest"] = form.digest(run.outgoing)
        out["outgoing_lens"] = [len(m.content) for m in run.outgoing]
    return out


def check_recovery(case: Case) -> None:
    config = case["config"]
    limits = RecoveryLimits(keep_messages=config["keep_messages"])
    settings = Settings(budget=form.settings(config).budget, recovery=limits)
    sink = DirectorySink(form.prepare_directory(config))
    history, counter = tuple(form.messages(case["input"])), config.get("counter_start", 0)
    recovered = []
    for attempt in range(1, config["attempts"] + 1):
        run = recover_context(history, attempt, settings, sink, counter)
        history, counter = run.messages, run.counter
        recovered.append(run.recovered)
    form.check_messages(history, case["output"])
    assert {"recovered": recovered} == case["report"]
    form.check_files(config, case["files"])


def check_truncate(case: Case) -> None:
    given = form.content(case["input"])
    got = truncate_output(given, case["config"]["max_chars"])
    form.check_content(got, case["output"])
    assert {"in_len": len(given), "out_len": len(got)} == case["report"]


def check_worker(case: Case) -> None:
    config = case["config"]
    given = form.content(case["input"])
    sink = DirectorySink(form.prepare_directory(config))
    run = overflow_output(given, config.get("label", "read"), sink, 0, config.get("preview_bytes", 4_096))
    form.check_content(run.content, case["output"])
    assert {"in_len": len(given), "out_len": len(run.content)} == case["report"]
    form.check_files(config, case["files"])


def check_keys(case: Case) -> None:
    given = form.content(case["input"])
    key = key_of(given)
    got = {"extracted": list(keys_in(given)), "key_for": key, "marker": marker(key)}
    assert got == case["output"]


def check_sort(case: Case) -> None:
    assert largest_first(case["input"]) == case["output"]


def check_environment(case: Case) -> None:
    ageing = settings_from_environment(case["config"])[0].ageing
    assert {
        "truncate_turns": ageing.truncate_turns,
        "summarize_turns": ageing.summarize_turns,
        "head_chars": ageing.head_bytes,
        "tail_chars": ageing.tail_bytes,
        "min_content": ageing.min_bytes,
    } == case["output"]


def check_save(case: Case) -> None:
    got = save_session(form.messages(case["input"]), case["config"].get("title", ""))
    form.check_content(got, case["output"])


def check_load(case: Case) -> None:
    session = load_session(form.content(case["input"]))
    wanted = dict(case["output"])
    assert session.kind == wanted.pop("kind")
    if session.kind is SessionKind.CORRUPT:
        assert session.problem
    if "title" in wanted:
        assert session.title == wanted.pop("title")
    for name in [name for name in wanted if name.endswith(("_history", "shared_memory"))]:
        form.check_messages(getattr(session, name), wanted.pop(name))
    assert not wanted, "an output that is not checked"


STAGES: Mapping[str, tuple[Callable[[Case], None], set[str], set[str] | None]] = {
    "pairing": (check_pairing, {"report", "valid_before", "pending_before", "idempotent"}, set()),
    "pairing_global_v1": (check_pairing_global, {"report"}, set()),
    "budget": (check_budget, {"report", "files", "counter_end"}, BUDGET_CONFIG),
    "budget_repeat": (check_budget, {"report", "files", "counter_end"}, BUDGET_CONFIG | {"times"}),
    "microcompact": (check_microcompact, {"report", "ccr_store", "current_turn"}, AGEING_CONFIG),
    "microcompact_repeat": (check_microcompact, {"report", "ccr_store"}, AGEING_CONFIG | {"turns"}),
    "pipeline_oneshot": (
        check_oneshot,
        {"report", "ccr_store", "current_turn", "files"},
        BUDGET_CONFIG | AGEING_CONFIG,
    ),
    "pipeline_turns": (
        check_turns,
        {"steps", "appends", "ccr_store", "files"},
        BUDGET_CONFIG | AGEING_CONFIG | {"order"},
    ),
    "recovery": (check_recovery, {"report", "files"}, BUDGET_CONFIG | {"attempts", "keep_messages"}),
    "truncate_for_llm": (check_truncate, {"report"}, {"max_chars"}),
    "worker_overflow": (check_worker, {"report", "files"}, BUDGET_CONFIG | {"label", "preview_bytes"}),
    "ccr_keys": (check_keys, set(), set()),
    "sort_order": (check_sort, set(), set()),
    "env_microcompact": (check_environment, set(), None),
    "session_save": (check_save, set(), {"title"}),
    "session_load": (check_load, set(), set()),
}
"""Stage → how to check it, the keys that its cases may have besides the common ones, its settings."""
