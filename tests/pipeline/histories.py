"""Random conversations in the three forms, as an agent loop would grow them, damage included."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

TOOLS = ("Read", "Grep", "Bash", "mcp__web__get")
FORMS = ("anthropic", "openai", "chatcli")


@dataclass(frozen=True)
class CallStory:
    """One call and what becomes of it."""

    tool: str
    size: int
    fate: str
    """`answered`, `lost`, `twice`, or `late` (the result comes one turn later)."""
    is_error: bool = False


@dataclass(frozen=True)
class TurnStory:
    calls: tuple[CallStory, ...]
    orphan: bool
    repeats_id: bool
    prompt: bool


CALLS = st.builds(
    CallStory,
    st.sampled_from(TOOLS),
    st.sampled_from([0, 12, 3_000, 3_001, 4_999, 6_000, 20_001, 60_000, 90_000]),
    st.sampled_from(["answered"] * 7 + ["lost", "twice", "late"]),
    st.sampled_from([False, False, False, True]),
)
SOUND_CALLS = st.builds(
    CallStory,
    st.sampled_from(TOOLS),
    st.sampled_from([0, 12, 3_000, 3_001, 4_999, 6_000, 20_001, 60_000, 90_000]),
    st.just("answered"),
    st.booleans(),
)
ODDLY = st.sampled_from([False] * 5 + [True])
TURNS = st.lists(
    st.builds(TurnStory, st.lists(CALLS, max_size=4).map(tuple), ODDLY, ODDLY, st.booleans()), max_size=9
)
SOUND_TURNS = st.lists(
    st.builds(
        TurnStory, st.lists(SOUND_CALLS, max_size=4).map(tuple), st.just(False), st.just(False), st.booleans()
    ),
    max_size=12,
)


@dataclass
class Grown:
    """A conversation as it grows: the list itself, and its length at each request."""

    messages: list[Any]
    requests: list[int] = field(default_factory=list)

    def histories(self) -> list[list[Any]]:
        return [self.messages[:length] for length in self.requests]


def text_of(size: int, seed: int) -> str:
    line = f"{seed:04d} some line of a result that a tool gave back\n"
    return (line * (size // len(line) + 1))[:size]


def grow(turns: list[TurnStory], form: str) -> Grown:
    """The conversation of a story, in one of the forms."""
    grown = Grown([{"role": "user", "content": "start", "x_extra": {"kept": True}}], [1])
    late: list[Any] = []
    number = 0
    for t, turn in enumerate(turns):
        ids, results = [], []
        for call in turn.calls:
            number += 1
            id = "call_1" if turn.repeats_id and number > 1 else f"call_{number}"
            ids.append((id, call.tool))
            result = (id, text_of(call.size, number), call.is_error)
            if call.fate == "late":
                late.append((t + 1, result))
            elif call.fate != "lost":
                results += [result] * (2 if call.fate == "twice" else 1)
        results += [result for due, result in late if due == t]
        if turn.orphan:
            results.append((f"nobody_{t}", text_of(5_000, t), False))
        grown.messages.append(_answer(form, t, ids))
        grown.messages += _answers(form, results)
        if turn.prompt or (form == "anthropic" and not results):
            grown.messages.append({"role": "user", "content": f"go on {t}"})
        grown.requests.append(len(grown.messages))
    return grown


def _answer(form: str, t: int, ids: list[tuple[str, str]]) -> Any:
    if form == "anthropic":
        blocks: list[Any] = [{"type": "text", "text": f"turn {t}", "citations": None}]
        blocks += [{"type": "tool_use", "id": id, "name": tool, "input": {"n": t}} for id, tool in ids]
        return {"role": "assistant", "id": f"msg_{t}", "content": blocks}
    if form == "openai":
        calls = [
            {"id": id, "type": "function", "function": {"name": tool, "arguments": "{}"}} for id, tool in ids
        ]
    else:
        calls = [{"id": id, "type": "function", "name": tool, "arguments": {}} for id, tool in ids]
    message = {"role": "assistant", "content": f"turn {t}"}
    return {**message, "tool_calls": calls} if calls else message


def _answers(form: str, results: list[tuple[str, str, bool]]) -> list[Any]:
    if form == "anthropic":
        blocks = [
            {"type": "tool_result", "tool_use_id": id, "content": text, "is_error": error, "cache": 1}
            for id, text, error in results
        ]
        return [{"role": "user", "content": blocks}] if blocks else []
    messages: list[Any] = []
    for id, text, error in results:
        message = {"role": "tool", "content": text, "tool_call_id": id}
        messages.append({**message, "is_error": error} if form == "chatcli" else message)
    return messages


GROWN = st.builds(grow, TURNS, st.sampled_from(FORMS))
SOUND = st.builds(grow, SOUND_TURNS, st.sampled_from(FORMS))


class Model:
    """What the client libraries hand out: fields as attributes, and a dict on request."""

    def __init__(self, **fields: Any) -> None:
        self.fields = fields

    def model_dump(self, *, by_alias: bool, exclude_none: bool) -> dict[str, Any]:
        assert by_alias
        assert exclude_none
        return {name: plain_of(value) for name, value in self.fields.items() if value is not None}


def plain_of(value: Any) -> Any:
    if isinstance(value, Model):
        return value.model_dump(by_alias=True, exclude_none=True)
    if isinstance(value, list | tuple):
        return [plain_of(item) for item in value]
    return {name: plain_of(item) for name, item in value.items()} if isinstance(value, dict) else value


def modelled(value: Any, depth: int) -> Any:
    """A history whose dicts are models, from a depth on; its lists are tuples there."""
    if isinstance(value, list):
        items = [modelled(item, depth) for item in value]
        return tuple(items) if depth <= 0 else items
    if not isinstance(value, dict):
        return value
    fields = {name: modelled(item, depth - 1) for name, item in value.items()}
    return Model(**fields) if depth <= 0 else fields
