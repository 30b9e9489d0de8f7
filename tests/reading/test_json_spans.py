from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from inspector.reading import json_spans

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.lists(JSON), st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_items_are_the_slices_that_decode_to_the_list(
    value: list[Any], ascii_only: bool, indent: Any
) -> None:
    data = json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode("utf-8", "surrogatepass")
    spans = list(json_spans.items(data, 0))
    assert all(span.complete for span in spans)
    decoded = [json.loads(data[s.start : s.end].decode("utf-8", "surrogatepass")) for s in spans]
    assert decoded == json.loads(json.dumps(value))


@given(st.dictionaries(st.text(), JSON))
def test_members_are_the_slices_that_decode_to_the_object(value: dict[str, Any]) -> None:
    data = json.dumps(value).encode()
    found = {
        json.loads(b'"' + m.key + b'"'): json.loads(data[m.start : m.end])
        for m in json_spans.members(data, 0)
    }
    assert found == json.loads(json.dumps(value))


@given(st.lists(JSON, min_size=1), st.data())
def test_of_a_cut_list_only_the_last_item_is_incomplete(value: list[Any], data: st.DataObject) -> None:
    whole = json.dumps(value).encode()
    cut = whole[: data.draw(st.integers(1, len(whole) - 1))]
    spans = list(json_spans.items(cut, 0))
    assert all(span.complete for span in spans[:-1])
    assert len(spans) <= len(value)


@given(st.binary(max_size=200))
def test_any_bytes_end(data: bytes) -> None:
    for opening in (b"[", b"{"):
        spans = [*json_spans.items(opening + data, 0), *json_spans.members(opening + data, 0)]
        assert all(0 < span.start <= span.end <= len(data) + 1 for span in spans)


def test_brackets_that_do_not_match_make_a_value_incomplete() -> None:
    (value,) = json_spans.items(b'[{"a": [1}, 2]', 0)
    assert not value.complete


def test_deep_nesting_ends_without_a_fault() -> None:
    assert not json_spans.value_at(b"[" * 1_000_000, 0).complete
