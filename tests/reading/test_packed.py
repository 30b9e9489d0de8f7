from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.model.transcript import Record
from inspector.reading.packed import Columns, packed, unpacked
from tests.reading.samples import assistant, call, image, png_head, read, result, user
from tests.reading.test_claude_lines import RECORDS


def there_and_back(records: list[Record], known: dict[str, str] | None = None) -> list[Record]:
    data = msgspec.msgpack.encode(packed(records))
    return unpacked(msgspec.msgpack.decode(data, type=Columns), {} if known is None else known)


@given(st.lists(RECORDS, max_size=6))
def test_records_come_back_as_they_were(values: list[dict[str, Any]]) -> None:
    _, records = read(*values)
    assert there_and_back(records) == records


def test_every_kind_of_block_comes_back() -> None:
    texts = [
        "x" * 3_000,
        "é" * 10,
        "\x1b",
        "<persisted-output>\nOutput too large (9KB). Full output saved to: /a",
    ]
    values = [
        user(1, "prompt"),
        assistant(2, [call("a", command="cat tool-results/x.txt"), call("b"), {"type": "odd"}], 1),
        *(user(3 + at, [result("a", text, is_error=bool(at % 2))], 2) for at, text in enumerate(texts)),
        user(9, [result("b", [image(png_head(3, 4)), {"type": "text", "text": "a"}]), {"type": "text"}], 2),
    ]
    _, records = read(*values)
    assert there_and_back(records) == records


def test_repeated_words_are_kept_once_over_all_batches() -> None:
    _, records = read(*(user(number, "a", number - 1) for number in range(2, 6)))
    known: dict[str, str] = {}
    first, second = there_and_back(records[:2], known), there_and_back(records[2:], known)
    assert first[0].session_id is second[1].session_id
    assert first[0].version is second[0].version
    assert second[1].parent is second[0].uuid


def test_parts_are_counted_from_what_stands_before_them() -> None:
    _, records = read(user(1, "a"), user(2, "b", 1))
    columns = packed(records)
    moved = unpacked(columns, {}, 10, 20)
    assert [(r.index, r.line) for r in moved] == [(r.index + 10, r.line + 20) for r in records]


def test_children_of_a_record_that_was_not_kept_hang_on_the_one_that_stands_for_it() -> None:
    _, (child,) = read(user(2, "b", 1))
    (moved,) = unpacked(packed([child]), {}, stands_for={child.parent: "other"})
    assert moved.parent == "other"


@pytest.mark.parametrize(
    "fault",
    [
        {"lines": [1]}, {"uuids": []}, {"times": [None] * 3}, {"roles": [0]}, {"roles": 99},
        {"flags": [0] * 9},
        {"threads": 7}, {"block_counts": 2}, {"block_counts": [1]}, {"kinds": 88}, {"names": [50, 50]},
        {"usages": 4}, {"parents": [-1, 0]}, {"boundaries": {}, "blocks": {9: None}},
    ],
    ids=lambda fault: next(iter(fault)),
)  # fmt: skip
def test_columns_that_do_not_fit_together_are_refused(fault: dict[str, Any]) -> None:
    _, records = read(user(1, [result("a", "b")]), user(2, [result("c", "d")], 1))
    broken = msgspec.structs.replace(packed(records), **fault)
    with pytest.raises((ValueError, LookupError)):
        unpacked(broken, {})
