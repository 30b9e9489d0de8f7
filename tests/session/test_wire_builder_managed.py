"""The replay of a message list predicts what the library would have sent, request by request."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from inspector.manager import ToolResultManager
from inspector.model.policy import CLAUDE_CODE, DOCUMENTED, BudgetMode, Policy
from inspector.session import open_session
from inspector.session.wire import one_request

POLICIES = {"documented": DOCUMENTED, "claude-code": CLAUDE_CODE.with_field("budget.mode", BudgetMode.ON)}
LENGTHS = (0, 1, 10, 499, 500, 501, 1_999, 2_000, 2_001, 2_500, 5_000, 9_000, 30_001)
TEXTS = ("word ", "a line of text\n", "é😀b\n", '{"a": "b"}\n')
OTHERS: tuple[dict[str, Any], ...] = (
    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}},
    {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a document"}},
    {"type": "text", "text": ""},
)


def conversation(rng: random.Random) -> list[dict[str, Any]]:
    """Answers with calls of several tools, and their results of many sizes and forms."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for turn in range(rng.randint(2, 8)):
        ids = [f"toolu_{turn}_{n}" for n in range(rng.choice((0, 1, 1, 2, 4)))]
        calls = [
            {"type": "tool_use", "id": i, "name": rng.choice(("Bash", "Read", "Edit")), "input": {}}
            for i in ids
        ]
        messages.append({"role": "assistant", "content": [{"type": "text", "text": "so"}, *calls]})
        results = [tool_result(rng, i) for i in ids]
        messages.append({"role": "user", "content": results or [{"type": "text", "text": "more"}]})
    return [*messages, {"role": "assistant", "content": [{"type": "text", "text": "done"}]}]


def tool_result(rng: random.Random, tool_use_id: str) -> dict[str, Any]:
    chars, piece = rng.choice(LENGTHS), rng.choice(TEXTS)
    content: Any = (piece * (chars // len(piece) + 1))[:chars]
    if rng.random() < 0.3:
        content = [{"type": "text", "text": content}]
        if rng.random() < 0.5:
            content.insert(rng.randint(0, 1), rng.choice(OTHERS))
    error = {"is_error": True} if rng.random() < 0.1 else {}
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content, **error}


def listed(message: dict[str, Any]) -> dict[str, Any]:
    content = message["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return {"role": message["role"], "content": blocks}


def sent(policy: Policy, messages: list[dict[str, Any]], scratch: Path) -> list[list[dict[str, Any]]]:
    """What an agent loop sends for each answer; its files are named as the replay names them."""
    manager = ToolResultManager(policy, scratch, keep_files=True)
    ends = [at for at, message in enumerate(messages) if message["role"] == "assistant"]
    bodies = [[listed(m) for m in manager.prepare(messages[:end]).messages] for end in ends]
    text = json.dumps(bodies).replace(json.dumps(f"{scratch}/")[1:-1], "tool-results/")
    found: list[list[dict[str, Any]]] = json.loads(text)
    return found


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("name", POLICIES)
def test_each_request_holds_what_the_library_sends(tmp_path: Path, name: str, seed: int) -> None:
    rng = random.Random(seed)
    policy = POLICIES[name].with_field("budget.turn_limit", rng.choice((3_000, 8_000, 20_000)))
    messages = conversation(rng)
    expected = sent(policy, messages, tmp_path / "scratch")
    path = tmp_path / "messages.json"
    path.write_text(json.dumps(messages))
    with open_session(path, policy=policy) as session:
        for n, body in enumerate(expected, 1):
            assert one_request(session, n)["messages"] == body
