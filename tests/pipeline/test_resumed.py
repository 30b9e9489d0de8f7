"""Resuming: a record counts for the very text it was made from, whatever else the records say."""

import json
from pathlib import Path
from typing import Any

from inspector.manager import ToolResultManager
from inspector.model.policy import CLAUDE_CODE, DOCUMENTED, Pairing
from tests.pipeline.histories import text_of
from tests.pipeline.test_stages import turn

POSITIONAL = DOCUMENTED.with_field("pairing.variant", Pairing.POSITIONAL)


def result_text(message: dict[str, Any], at: int = 0) -> str:
    text = message["content"][at]["content"]
    assert isinstance(text, str)
    return text


def faking(path: Path) -> list[Any]:
    """A turn whose result shows, near its start, what looks like a preview's own middle."""
    history = turn(30_000)
    fake = f"log\n\n\n... [7 chars omitted — full output saved to {path}]\n\n"
    history[1]["content"][0]["content"] = fake + text_of(30_000, 1)
    return history


def test_a_tool_that_prints_a_previews_words_misleads_no_resume(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    for foreign in (scratch / "notes.txt", scratch / "budget_t0_0_7.txt"):
        foreign.write_text("precious")
        history = faking(foreign)
        manager = ToolResultManager(DOCUMENTED, scratch, keep_files=True)
        records = manager.prepare(history).records
        resumed = ToolResultManager.resume(DOCUMENTED, scratch, history, records)
        assert resumed.ledger.entries == manager.ledger.entries
        history += [{"role": "assistant", "content": word} for word in ("a", "b")]
        assert resumed.prepare(history).messages == manager.prepare(history).messages
        resumed.close()
        assert foreign.read_text() == "precious"
        foreign.unlink()


def test_a_record_has_no_foreign_file_removed(tmp_path: Path) -> None:
    foreign = tmp_path / "budget_other_1.txt"
    foreign.write_text("precious")
    text = f"x\n\n... [7 chars omitted — full output saved to {foreign}]\n\ny"
    record = {
        "type": "content-replacement",
        "replacements": [{"kind": "tool-result", "toolUseId": "t0_0", "replacement": text}],
    }
    with ToolResultManager.resume(DOCUMENTED, tmp_path, turn(30_000), [record]) as manager:
        assert result_text(manager.prepare(turn(30_000)).messages[1]) == text
    assert foreign.read_text() == "precious"


def test_after_a_compaction_a_reused_id_never_gets_the_preview_of_another_text(tmp_path: Path) -> None:
    first, second = turn(30_000), turn(40_000)
    second[1]["content"][0]["content"] = text_of(40_000, 2)
    history = [*first, *second]
    manager = ToolResultManager(POSITIONAL, tmp_path)
    sent = manager.prepare(history)
    again = manager.prepare(second)
    assert result_text(again.messages[1]) == result_text(sent.messages[3])
    records = [*sent.records, *again.records]
    resumed = ToolResultManager.resume(POSITIONAL, tmp_path, second, json.loads(json.dumps(records)))
    assert resumed.prepare(second).messages == again.messages


def test_an_aged_text_is_never_the_short_form_of_another_text(tmp_path: Path) -> None:
    answers = [{"role": "assistant", "content": word} for word in "abcd"]
    first, second = turn(6_000), turn(9_000)
    manager = ToolResultManager(POSITIONAL, tmp_path)
    manager.prepare([*first, *second, *answers])
    assert "9K chars" in result_text(manager.prepare([*second, *answers]).messages[1])


def test_a_record_that_fits_its_own_place_counts_for_no_other(tmp_path: Path) -> None:
    """Two results of one id with the same preview, of which the directory could keep only one."""
    history = turn(150_000, 150_001)
    for n, block in enumerate(history[1]["content"]):
        block |= {"tool_use_id": "t0_0", "content": "y" * (150_000 + n)}
    manager = ToolResultManager(CLAUDE_CODE, tmp_path)
    sent = manager.prepare(history)
    assert [len(item["replacements"]) for item in sent.records] == [1]
    resumed = ToolResultManager.resume(CLAUDE_CODE, tmp_path, history, sent.records)
    assert resumed.ledger.entries == manager.ledger.entries
    assert resumed.prepare(history).messages == sent.messages


def test_a_record_whose_result_is_gone_counts_for_no_other(tmp_path: Path) -> None:
    sizes = (30_000, 40_000, 6_000)
    first, gone, small = (turn(size) for size in sizes)
    for n, each in enumerate((first, gone, small)):
        each[1]["content"][0]["content"] = text_of(sizes[n], n)
    sent = ToolResultManager(POSITIONAL, tmp_path).prepare([*first, *gone, *small])
    left = [*first, *small]
    resumed = ToolResultManager.resume(POSITIONAL, tmp_path, left, sent.records).prepare(left)
    recorded = [item["replacement"] for record in sent.records for item in record["replacements"]]
    assert len(recorded) == 2
    assert result_text(resumed.messages[1]) == recorded[0]
    assert resumed.messages[2:] == small


def test_records_of_another_program_count_by_their_place(tmp_path: Path) -> None:
    record = {
        "type": "content-replacement",
        "replacements": [{"kind": "tool-result", "toolUseId": "t0_0", "replacement": "its own words"}],
    }
    for policy in (DOCUMENTED, CLAUDE_CODE):
        resumed = ToolResultManager.resume(policy, tmp_path, turn(30_000), [record])
        assert result_text(resumed.prepare(turn(30_000)).messages[1]) == "its own words"


def test_of_several_records_of_a_result_the_last_one_counts(tmp_path: Path) -> None:
    records = [
        {
            "type": "content-replacement",
            "replacements": [{"kind": "tool-result", "toolUseId": "t0_0", "replacement": words}],
        }
        for words in ("before", "after")
    ]
    resumed = ToolResultManager.resume(DOCUMENTED, tmp_path, turn(30_000), records)
    assert result_text(resumed.prepare(turn(30_000)).messages[1]) == "after"


def test_a_record_with_many_openings_is_read_in_time(tmp_path: Path) -> None:
    text = "\n\n... [7 chars omitted — full output saved to " * 5_000
    record = {
        "type": "content-replacement",
        "replacements": [{"kind": "tool-result", "toolUseId": "t0_0", "replacement": text}],
    }
    resumed = ToolResultManager.resume(DOCUMENTED, tmp_path, turn(30_000), [record])
    assert resumed.ledger.entries["t0_0", 0].path == ""
