"""Two requests in words and as data: what changed, how much of the cache it costs, nothing unprintable."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from inspector.report.requests import SHOWN_LINES, request_diff_data, request_diff_text
from inspector.session.request_pair import RequestPair, two_bodies


def body(path: Path, *texts: str) -> Path:
    messages: list[Any] = [{"role": "user", "content": text} for text in texts]
    path.write_text(json.dumps(messages), encoding="utf-8")
    return path


def pair(folder: Path, before: list[str], after: list[str]) -> RequestPair:
    return two_bodies(body(folder / "a.json", *before), body(folder / "b.json", *after))


def test_the_text_names_the_first_changed_block_and_what_it_was(tmp_path: Path) -> None:
    text = request_diff_text(
        pair(tmp_path, ["same", "old words", "tail"], ["same", "new words", "tail", "more"])
    )
    assert "4 unchanged, 13 changed or behind a change, 4 new, 0 blocks gone" in text
    assert "prefix break at message 1, block 0" in text
    assert "    - old words\n    + new words" in text
    assert "tail" not in text, "what stayed is not told"


def test_a_request_that_only_grew_has_an_unbroken_prefix(tmp_path: Path) -> None:
    assert "prefix is unbroken" in request_diff_text(pair(tmp_path, ["same"], ["same", "more"]))


def test_the_data_has_every_block(tmp_path: Path) -> None:
    data = request_diff_data(pair(tmp_path, ["same", "old"], ["same", "newer"]))
    assert data["schema"] == "inspector-requests/1"
    assert data["first_changed"] == {"message": 1, "block": 0}
    assert [(b["mark"], b["chars"], b["chars_before"]) for b in data["blocks"]] == [
        ("same", 4, 4), ("changed", 5, 3),
    ]  # fmt: skip


def test_long_and_hostile_texts_are_cut_and_made_printable(tmp_path: Path) -> None:
    lines = "\n".join(f"\x1b]52;c;{n}\x07" for n in range(SHOWN_LINES + 20))
    text = request_diff_text(pair(tmp_path, ["x"], [lines]))
    assert "more lines" in text
    assert "\x1b" not in text


def test_a_shorter_request_is_not_called_unbroken(tmp_path: Path) -> None:
    shorter = pair(tmp_path, ["same", "more"], ["same"])
    text = request_diff_text(shorter)
    assert "ends where message 1, block 0 of the earlier one stood" in text
    assert "unbroken" not in text
    data = request_diff_data(shorter)
    assert (data["first_changed"], data["blocks_gone"]) == ({"message": 1, "block": 0}, 1)


def test_fields_in_front_of_the_messages_are_told_first(tmp_path: Path) -> None:
    for name, prompt in (("a.json", "old"), ("b.json", "new")):
        head = {"model": "m", "system": prompt, "messages": [{"role": "user", "content": "hi"}]}
        (tmp_path / name).write_text(json.dumps(head), encoding="utf-8")
    found = two_bodies(tmp_path / "a.json", tmp_path / "b.json")
    assert request_diff_data(found)["fields_changed"] == ["system"]
    text = request_diff_text(found)
    assert "prefix break in front of all messages: system is not what the earlier request had." in text
    assert "The messages only grew" in text


def test_another_role_is_told(tmp_path: Path) -> None:
    for name, role in (("a.json", "user"), ("b.json", "assistant")):
        (tmp_path / name).write_text(json.dumps([{"role": role, "content": "hi"}]), encoding="utf-8")
    found = two_bodies(tmp_path / "a.json", tmp_path / "b.json")
    assert "~ message 0, block 0  user → assistant text" in request_diff_text(found)


def test_a_message_that_was_cut_short_is_where_the_requests_part(tmp_path: Path) -> None:
    note = {"type": "text", "text": "a note"}
    done = {"role": "assistant", "content": "done"}
    before = [{"role": "user", "content": [{"type": "text", "text": "go"}, note]}, done]
    after = [{"role": "user", "content": [{"type": "text", "text": "go"}]}, done, before[0]]
    for name, messages in (("a.json", before), ("b.json", after)):
        (tmp_path / name).write_text(json.dumps(messages), encoding="utf-8")
    found = two_bodies(tmp_path / "a.json", tmp_path / "b.json")
    assert request_diff_data(found)["first_changed"] == {"message": 0, "block": 1}
    told = "prefix break at message 0, block 1, which the later request does not send"
    assert told in request_diff_text(found)
    back = two_bodies(tmp_path / "b.json", tmp_path / "a.json")
    assert request_diff_data(back)["first_changed"] == {"message": 0, "block": 1}
    assert "block 1, which" not in request_diff_text(back)
