"""The manager: stable, cheap, resumable, and never a surprise for its caller."""

import copy
import json
import threading
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from inspector.errors import UsageError
from inspector.manager import ToolResultManager
from inspector.model.ledger import State
from inspector.model.policy import CHATCLI, CLAUDE_CODE, DOCUMENTED, Pairing, Policy
from inspector.pipeline.archive import key_of
from tests.counting import calls_of
from tests.pipeline.histories import GROWN, Grown, modelled, plain_of, text_of
from tests.pipeline.test_stages import ids_in, turn

CLIENT = replace(CLAUDE_CODE, budget=replace(CLAUDE_CODE.budget, turn_limit=60_000))
TIGHT = replace(DOCUMENTED, budget=replace(DOCUMENTED.budget, turn_limit=60_000))
POLICIES = st.sampled_from(
    [
        DOCUMENTED,
        TIGHT,
        CLIENT,
        replace(TIGHT, archive=True),
        TIGHT.with_field("pairing.variant", Pairing.POSITIONAL),
    ]
)


def result_text(message: dict[str, Any], at: int = 0) -> str:
    text = message["content"][at]["content"]
    assert isinstance(text, str)
    return text


@settings(max_examples=60)
@given(GROWN, POLICIES)
def test_each_request_extends_the_one_before_but_for_ageing_and_late_results(
    grown: Grown, policy: Policy
) -> None:
    with TemporaryDirectory() as scratch:
        manager = ToolResultManager(policy, scratch)
        before = copy.deepcopy(grown.messages)
        requests = [manager.prepare(history) for history in grown.histories()]
        assert grown.messages == before
    for earlier, later in pairwise(requests):
        named = {aged.id for aged in later.report.aged} | set(later.report.late)
        pairs = zip(earlier.messages, later.messages, strict=False)
        differing = next((pair for pair in pairs if pair[0] != pair[1]), None)
        assert differing is None or (ids_in(differing[0]) | ids_in(differing[1])) & named


@settings(max_examples=30)
@given(GROWN, POLICIES, st.integers(0, 2))
def test_objects_of_the_client_libraries_are_managed_as_dicts_are(
    grown: Grown, policy: Policy, depth: int
) -> None:
    with TemporaryDirectory() as scratch, TemporaryDirectory() as other:
        plain, objects = ToolResultManager(policy, scratch), ToolResultManager(policy, other)
        messages = modelled(grown.messages, depth)
        for length in grown.requests:
            expected = plain.prepare(plain_of(messages[:length])).messages
            got = objects.prepare(messages[:length]).messages
            assert json.dumps(plain_of(got)).replace(other, scratch) == json.dumps(expected)


@settings(max_examples=60)
@given(GROWN, POLICIES, st.data())
def test_a_resumed_conversation_goes_on_byte_for_byte(
    grown: Grown, policy: Policy, data: st.DataObject
) -> None:
    stop = data.draw(st.integers(0, len(grown.requests) - 1))
    with TemporaryDirectory() as scratch:
        manager = ToolResultManager(policy, scratch, session_id="s")
        records: list[dict[str, Any]] = []
        for length in grown.requests[: stop + 1]:
            records += manager.prepare(grown.messages[:length]).records
        records = json.loads(json.dumps(records))
        history = grown.messages[: grown.requests[stop]]
        resumed = ToolResultManager.resume(policy, scratch, history, records, session_id="s")
        for length in grown.requests[stop:]:
            one, other = manager.prepare(grown.messages[:length]), resumed.prepare(grown.messages[:length])
            assert one.messages == other.messages
            assert one.records == other.records


def test_a_resume_needs_no_files(tmp_path: Path) -> None:
    history = turn(30_000)
    first = ToolResultManager(DOCUMENTED, tmp_path / "a", session_id="s")
    sent = first.prepare(history)
    first.close()
    resumed = ToolResultManager.resume(DOCUMENTED, tmp_path / "a", history, sent.records)
    again = resumed.prepare(history)
    assert again.messages == sent.messages
    assert again.records == []
    assert not (tmp_path / "a").exists()


def test_a_resume_without_records_freezes_everything(tmp_path: Path) -> None:
    history = turn(30_000)
    resumed = ToolResultManager.resume(DOCUMENTED, tmp_path, history, [])
    assert resumed.prepare(history).messages == history
    assert resumed.ledger.entries["t0_0", 0].state is State.FROZEN


@pytest.mark.parametrize(
    "record",
    [
        {"type": "content-replacement"},
        {"type": "content-replacement", "replacements": "no list"},
        {"type": "content-replacement", "replacements": [None, 7, {"toolUseId": 3, "replacement": "x"}]},
        {"type": "content-replacement", "replacements": [{"toolUseId": "t0_0", "replacement": None}]},
        {
            "type": "content-replacement",
            "agentId": "other",
            "replacements": [{"toolUseId": "t0_0", "replacement": "x"}],
        },
        {"type": "user"},
        "no record",
    ],
)
def test_malformed_and_foreign_records_are_passed_over(tmp_path: Path, record: Any) -> None:
    history = turn(30_000)
    resumed = ToolResultManager.resume(DOCUMENTED, tmp_path, history, [record])
    assert resumed.prepare(history).messages == history


def test_the_record_has_the_clients_form(tmp_path: Path) -> None:
    manager = ToolResultManager(DOCUMENTED, tmp_path, session_id="s", agent_id="a")
    prepared = manager.prepare(turn(30_000, 40_000))
    (record,) = prepared.records
    assert {key: record[key] for key in ("type", "sessionId", "agentId")} == {
        "type": "content-replacement", "sessionId": "s", "agentId": "a",
    }  # fmt: skip
    assert [(item["kind"], item["toolUseId"]) for item in record["replacements"]] == [
        ("tool-result", "t0_0"),
        ("tool-result", "t0_1"),
    ]
    assert record["replacements"][1]["replacement"] == result_text(prepared.messages[1], 1)


def test_untouched_messages_are_the_callers_own_objects(tmp_path: Path) -> None:
    history = [*turn(10), *turn(30_000, at=1)]
    prepared = ToolResultManager(DOCUMENTED, tmp_path).prepare(history)
    assert [a is b for a, b in zip(prepared.messages, history, strict=True)] == [True, True, True, False]


def test_the_preview_leads_to_the_whole_text(tmp_path: Path) -> None:
    history = turn(30_000)
    text = result_text(ToolResultManager(DOCUMENTED, tmp_path).prepare(history).messages[1])
    path = text.partition("full output saved to ")[2].partition("]")[0]
    assert Path(path).read_text(encoding="utf-8") == result_text(history[1])


def test_the_clients_form_persists_the_largest_of_a_group(tmp_path: Path) -> None:
    policy = replace(CLAUDE_CODE, budget=replace(CLAUDE_CODE.budget, turn_limit=200_000))
    prepared = ToolResultManager(policy, tmp_path).prepare(turn(*[28_000] * 7, 29_000))
    text = result_text(prepared.messages[1], 7)
    assert text.startswith(
        f"<persisted-output>\nOutput too large (28.3KB). Full output saved to: {tmp_path}/t0_7.txt\n"
    )
    assert text.endswith("\n...\n</persisted-output>")
    assert [group.replace for group in prepared.report.groups] == [("t0_7",)]


def test_an_unwritable_scratch_directory_leaves_results_in_full_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "scratch").write_text("a file")
    manager = ToolResultManager(DOCUMENTED, tmp_path / "scratch")
    history = turn(30_000)
    prepared = manager.prepare(history)
    assert prepared.messages == history
    assert [failure.id for failure in prepared.report.failures] == ["t0_0"]
    (tmp_path / "scratch").unlink()
    assert manager.prepare(history).messages == history


def test_the_cap_cuts_by_tool_and_never_an_error(tmp_path: Path) -> None:
    manager = ToolResultManager(DOCUMENTED, tmp_path)
    text = text_of(70_000, 1)
    assert manager.cap("Read", text) == text
    assert "[TRUNCATED 64000 chars omitted, 6000 kept]" in manager.cap("Bash", text)
    assert manager.cap("Bash", text, is_error=True) == text


@pytest.mark.parametrize(
    ("tool", "size", "persisted"),
    [("Bash", 30_000, False), ("Bash", 30_001, True), ("Grep", 20_001, True), ("Read", 500_000, False),
     ("mcp__a__b", 50_000, False), ("mcp__a__b", 50_001, True)],
)  # fmt: skip
def test_the_clients_cap_persists_instead(tmp_path: Path, tool: str, size: int, persisted: bool) -> None:
    manager = ToolResultManager(CLAUDE_CODE, tmp_path)
    text = text_of(size, 1)
    capped = manager.cap(tool, text, tool_use_id="toolu_1")
    assert capped.startswith("<persisted-output>") is persisted
    assert (tmp_path / "toolu_1.txt").exists() is persisted
    assert persisted or capped == text


def test_the_clients_cap_counts_bytes_for_bash(tmp_path: Path) -> None:
    capped = ToolResultManager(CLAUDE_CODE, tmp_path).cap("Bash", "é" * 29_000)
    assert "Output too large (56.6KB)" in capped


def test_the_original_of_an_aged_result_can_be_recalled(tmp_path: Path) -> None:
    manager = ToolResultManager(replace(DOCUMENTED, archive=True), tmp_path)
    history: list[Any] = turn(6_000)
    original = result_text(history[1])
    history += [{"role": "assistant", "content": "a"}, {"role": "assistant", "content": "b"}]
    stub = result_text(manager.prepare(history).messages[1])
    assert stub.endswith(f"<<ccr:{key_of(original)}>>]")
    assert manager.recall(key_of(original)) == original
    assert manager.recall("0" * 16) is None


def test_closing_removes_the_files_unless_they_are_to_be_kept(tmp_path: Path) -> None:
    for keep in (False, True):
        scratch = tmp_path / str(keep)
        with ToolResultManager(DOCUMENTED, scratch, keep_files=keep) as manager:
            manager.prepare(turn(30_000))
            assert (scratch / "budget_t0_0_1.txt").exists()
        assert scratch.exists() is keep


def test_a_policy_without_a_ledger_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="keeps no ledger"):
        ToolResultManager(CHATCLI, tmp_path)


def test_sub_agents_share_a_directory_without_getting_in_each_others_way(tmp_path: Path) -> None:
    sent: dict[int, str] = {}

    def agent(n: int) -> None:
        manager = ToolResultManager(DOCUMENTED, tmp_path, agent_id=str(n))
        history = turn(30_000)
        history[1]["content"][0]["content"] = text_of(30_000, n)
        for _ in range(3):
            sent[n] = result_text(manager.prepare(history).messages[1])

    threads = [threading.Thread(target=agent, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n, text in sent.items():
        path = text.partition("full output saved to ")[2].partition("]")[0]
        assert Path(path).read_text(encoding="utf-8") == text_of(30_000, n)


def test_a_request_costs_one_shallow_pass_whatever_the_size_of_its_texts(tmp_path: Path) -> None:
    small, large = [], []
    for t in range(300):
        small += turn(100, 100, at=t)
        large += turn(19_000, 19_000, tool="Bash", at=t)
    costs = []
    for history in (small, large):
        manager = ToolResultManager(DOCUMENTED, tmp_path)
        manager.prepare(history)
        costs.append(calls_of(partial(manager.prepare, history)))
    assert costs[1] < 1.5 * costs[0]


def test_a_resume_finds_a_reused_id_where_the_repair_left_it(tmp_path: Path) -> None:
    policy = DOCUMENTED.with_field("pairing.variant", Pairing.POSITIONAL)
    orphan = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t0_0", "content": "x"}]}
    history = [orphan, *turn(30_000), *turn(40_000), *turn(10, at=1)]
    sent = ToolResultManager(policy, tmp_path).prepare(history)
    assert [item.get("occurrence", 0) for item in sent.records[0]["replacements"]] == [0, 1]
    resumed = ToolResultManager.resume(policy, tmp_path, history, sent.records)
    assert resumed.prepare(history).messages == sent.messages
