"""Story: a ChatCLI session with its scratch directory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from generator.texts import Shop

NAME = "chatcli-session"
LINE = "A ChatCLI session whose large results got a new file on every turn: there is no ledger."
LOOK = """ChatCLI cuts a copy of its history anew on each turn. Open it with the scratch directory beside it.

- The same test output stands in three `budget_…` files: a new number, a new preview and a prefix break each turn.
- Results that were old when a turn began are shortened in the stored history itself.
- One of two parallel calls has no result.
"""

Message = dict[str, Any]


def call(id: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {"id": id, "type": "function", "name": name, "arguments": arguments}


def answer(content: str, *calls: dict[str, Any]) -> Message:
    return {"role": "assistant", "content": content, **({"tool_calls": list(calls)} if calls else {})}


def result(id: str, content: str) -> Message:
    return {"role": "tool", "content": content, "tool_call_id": id}


def truncated(text: str) -> str:
    """What is stored of a result once it is two turns old; sizes are bytes, and these texts are ASCII."""
    head, tail = text[:2000], text[-500:]
    cut = head.rfind("\n")
    if cut > 1000:
        head = head[: cut + 1]
    start = tail.find("\n")
    if 0 < start < 250:
        tail = tail[start + 1 :]
    gone = len(text) - len(head) - len(tail)
    return f"{head}\n[... {gone} chars omitted from old tool result ...]\n{tail}"


def write(folder: Path) -> None:
    shop = Shop(NAME)
    tests = shop.fit(shop.tests, 26_400, "=== 9 failed, 403 passed in 58.02s ===")
    listing = shop.fit(shop.paths, 9_700)
    history = [
        {"role": "system", "content": "You are a coding agent. Work in small steps."},
        {"role": "user", "content": "Find out why refunds are booked twice."},
        answer("I start with the layout.", call("call_r1", "@tree", path="src/shop")),
        result("call_r1", truncated(listing)),
        answer("", call("call_r2", "@search", query="book_refund", path="src/shop")),
        result("call_r2", truncated(shop.fit(shop.hits, 13_200))),
        answer("Now the tests.", call("call_r3", "@coder", cmd="exec", args="pytest -q")),
        result("call_r3", tests),
        answer("", call("call_r4", "@read", file="src/shop/orders/refunds.py"), call("call_r5", "@read", file="src/shop/orders/ledger.py")),
        result("call_r4", shop.fit(lambda: shop.source("  "), 23_500)),
        {"role": "user", "content": "And the ledger?"},
        answer("The ledger was not read. The refund is booked by the gateway's retry and by the worker."),
    ]  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    session = {"version": 2, "title": "refunds booked twice", "chat_history": [], "agent_history": history}
    (folder / "refunds.json").write_text(go_json(session), encoding="utf-8")
    scratch = folder / "tool-results"
    scratch.mkdir()
    refunds = history[9]["content"]
    for number, (id, text) in enumerate(
        (
            ("call_r3", tests),
            ("call_r3", tests),
            ("call_r4", refunds),
            ("call_r3", tests),
            ("call_r4", refunds),
        ),
        1,
    ):
        (scratch / f"budget_{id}_{number}.txt").write_text(text, encoding="utf-8")


def go_json(value: Any) -> str:
    """JSON as Go writes it: two blanks, and no characters that HTML knows."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
