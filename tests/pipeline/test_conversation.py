"""The normal form: three API forms in, the same forms out, nothing lost."""

import copy
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.model.transcript import Candidate
from inspector.pipeline.conversation import Style, normalise, write_back
from tests.pipeline.histories import GROWN, Grown, Model, modelled, plain_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["role", "content", "type", "id", "tool_calls", "tool_use_id", "function", "name", "text"]
            ),
            inner | st.sampled_from(["user", "assistant", "tool", "tool_use", "tool_result", "text"]),
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(GROWN)
def test_unchanged_messages_come_back_as_the_very_same_objects(grown: Grown) -> None:
    back = write_back(normalise(grown.messages))
    assert all(a is b for a, b in zip(back, grown.messages, strict=True))


@given(GROWN)
def test_a_rebuilt_message_without_changes_equals_its_source(grown: Grown) -> None:
    before = copy.deepcopy(grown.messages)
    marked = [msgspec.structs.replace(m, changed=True) for m in normalise(grown.messages)]
    assert write_back(marked) == before
    assert grown.messages == before


@given(st.lists(JSON, max_size=6))
def test_odd_types_in_any_field_neither_crash_nor_get_lost(messages: list[Any]) -> None:
    assert write_back(normalise(messages)) == messages


def test_calls_and_results_are_found_in_each_form() -> None:
    anthropic, openai, chatcli = normalise(
        [
            {"role": "assistant", "id": "m", "content": [{"type": "tool_use", "id": "a", "name": "Read"}]},
            {"role": "assistant", "tool_calls": [{"id": "b", "function": {"name": "Grep"}}]},
            {"role": "assistant", "tool_calls": [{"id": "c", "name": "Bash", "arguments": None}]},
        ]
    )
    assert [(c.id, c.tool, c.style) for c in anthropic.calls] == [("a", "Read", Style.BLOCK)]
    assert [(c.id, c.tool, c.style) for c in openai.calls] == [("b", "Grep", Style.OPENAI)]
    assert [(c.id, c.tool, c.style) for c in chatcli.calls] == [("c", "Bash", Style.CHATCLI)]
    assert anthropic.answer_id == "m"


@pytest.mark.parametrize(
    ("given", "command"),
    [
        ({"cmd": "read", "args": {"file": "a.go"}}, "read"),
        ('{"args": {"dir": "."}, "cmd": "tree"}', "tree"),
        ('{"cmd": "re', ""),
        ("[" * 5_000, ""),
        ('"\ud800"', ""),
        ({"cmd": 5}, ""),
        (None, ""),
    ],
)
def test_command_of_a_tool_of_several_is_read_from_what_it_was_given(given: Any, command: str) -> None:
    forms: list[Any] = [
        {"content": [{"type": "tool_use", "id": "a", "name": "@coder", "input": given}]},
        {"tool_calls": [{"id": "a", "function": {"name": "coder", "arguments": given}}]},
        {"tool_calls": [{"id": "a", "name": "@coder", "arguments": given}]},
        {"tool_calls": [{"id": "a", "name": "Bash", "arguments": given}]},
    ]
    found = [m.calls[0].command for m in normalise([{"role": "assistant", **form} for form in forms])]
    assert found == [command, command, command, ""]


@pytest.mark.parametrize(
    ("content", "candidate", "text", "only_text"),
    [
        ("plain", Candidate.YES, "plain", True),
        ("", Candidate.NO_CONTENT, "", True),
        (None, Candidate.NO_CONTENT, "", True),
        ([], Candidate.NO_CONTENT, "", True),
        ("<persisted-output>\n…", Candidate.PERSISTED, "<persisted-output>\n…", True),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], Candidate.YES, "ab", True),
        ([{"type": "text", "text": ""}, {"type": "text", "text": "b"}], Candidate.YES, "b", True),
        ([{"type": "text", "text": ""}, {"type": "text", "text": ""}], Candidate.NO_CONTENT, "", True),
        (
            [{"type": "text", "text": "<persisted-"}, {"type": "text", "text": "output>\n…"}],
            Candidate.PERSISTED,
            "<persisted-output>\n…",
            True,
        ),
        (({"type": "text", "text": "a"},), Candidate.YES, "a", True),
        ([{"type": "text", "text": "a"}, {"type": "image"}], Candidate.IMAGE, "a", False),
        ([{"type": "document"}], Candidate.YES, "", False),
        ([{"type": "input_text", "text": "a"}, {"type": "input_image"}], Candidate.IMAGE, "a", False),
        ([{"type": "image_url"}, {"type": "output_text", "text": "a"}], Candidate.IMAGE, "a", False),
        (
            [{"type": "output_text", "text": "a"}, {"type": "input_text", "text": "b"}],
            Candidate.YES,
            "ab",
            True,
        ),
    ],
)
def test_a_result_knows_whether_the_budget_may_choose_it(
    content: Any, candidate: Candidate, text: str, only_text: bool
) -> None:
    block = {"type": "tool_result", "tool_use_id": "a", "content": content}
    (message,) = normalise([{"role": "user", "content": [block]}])
    (result,) = message.results
    assert (result.candidate, result.text, result.only_text) == (candidate, text, only_text)


@pytest.mark.parametrize("depth", [0, 1, 2])
@given(grown=GROWN, changed=st.booleans())
def test_objects_of_the_client_libraries_are_read_as_what_they_would_send(
    depth: int, grown: Grown, *, changed: bool
) -> None:
    messages = modelled(grown.messages, depth)
    normal = normalise(messages)
    plain = normalise(plain_of(messages))
    assert [m.calls for m in normal] == [m.calls for m in plain]
    assert [[r.texts for r in m.results] for m in normal] == [[r.texts for r in m.results] for m in plain]
    back = write_back([msgspec.structs.replace(m, changed=changed) for m in normal])
    assert changed or all(a is b for a, b in zip(back, messages, strict=True))
    assert plain_of(back) == plain_of(messages)


@pytest.mark.parametrize("odd", [Model, object(), {"role", "user"}, 7, b"user", "user", None])
def test_what_has_no_fields_is_passed_through(odd: Any) -> None:
    assert write_back(normalise([odd, {"role": "user", "content": [odd]}])) == [
        odd,
        {"role": "user", "content": [odd]},
    ]


def test_messages_that_no_model_wrote_are_no_answers() -> None:
    messages = normalise(
        [
            {"role": "assistant", "content": "x"},
            {"role": "assistant", "content": "x", "model": "<synthetic>"},
            {"role": "assistant", "content": "x", "isApiErrorMessage": True},
        ]
    )
    assert [message.is_answer for message in messages] == [True, False, False]
