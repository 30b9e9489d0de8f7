"""Histories for the tests of the chatcli policy: short builders, and strategies that break every rule."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from inspector.model.chatcli import Message, Meta, ToolCall

IDS = ("", "a", "b", "c", "é/1", "d" * 300)


def user(text: str = "go on") -> Message:
    """A user message."""
    return Message("user", text.encode())


def answer(*ids: str, text: str = "") -> Message:
    """An assistant message with one call for each id."""
    return Message("assistant", text.encode(), tool_calls=tuple(ToolCall(i, "read_file") for i in ids))


def result(call_id: str, content: bytes | int = b"ok", *, is_error: bool = False) -> Message:
    """A tool message; a number stands for that many bytes in lines of 50."""
    if isinstance(content, int):
        content = (b"x" * 49 + b"\n") * (content // 50) + b"y" * (content % 50)
    return Message("tool", content, tool_call_id=call_id, is_error=is_error)


def later(count: int) -> list[Message]:
    """That many finished turns, to make what stands before them old."""
    out: list[Message] = []
    for n in range(count):
        out += [answer(f"later{n}"), result(f"later{n}")]
    return out


CONTENTS = st.one_of(
    st.binary(max_size=20),
    st.builds(
        lambda unit, size: (unit * size)[:size], st.binary(min_size=1, max_size=9), st.integers(0, 9_000)
    ),
)

MESSAGES = st.one_of(
    st.builds(
        lambda content, ids: Message("assistant", content, tool_calls=tuple(ToolCall(i) for i in ids)),
        st.binary(max_size=5),
        st.lists(st.sampled_from(IDS), max_size=4),
    ),
    st.builds(
        lambda content, call_id, bad: Message("tool", content, tool_call_id=call_id, is_error=bad),
        CONTENTS,
        st.sampled_from(IDS),
        st.booleans(),
    ),
    st.builds(
        lambda role, content, feedback: Message(role, content, Meta(agent_feedback=feedback)),
        st.sampled_from(["user", "system", "developer"]),
        CONTENTS,
        st.booleans(),
    ),
)

HISTORIES: st.SearchStrategy[Sequence[Message]] = st.lists(MESSAGES, max_size=16)
