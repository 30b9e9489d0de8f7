"""Story: two sub-agents, one of which goes over the budget in its own conversation."""

from __future__ import annotations

import json
from pathlib import Path

from generator.calls import agent, bash, edit, grep, logs, read
from generator.client import Call, Client
from generator.texts import Shop

NAME = "subagents"
LINE = "A main conversation and two sub-agents with groups, a budget and records of their own."
LOOK = """Three conversations in one session. The main one is small: it gets two reports.

- The explorer's parallel results are over 200,000: its replacement stands in its own transcript with its `agentId`,
  but the file lies with the parent's overflow files.
- The second agent stays small. Neither shares a group with the other or with the main conversation.
"""

REPORT = (
    "Sessions are read in 14 places; 3 of them do not pass the tenant: checkout, refunds and the mail worker."
)


def write(folder: Path) -> None:
    shop, main = Shop(NAME), Client(NAME)
    main.prompt("Where do we read sessions without a tenant? Use agents, the code base is large.")
    ask = [
        asked("Find readers", "List every place that reads a session."),
        asked("Check logs", "Which calls had no tenant?"),
    ]
    named = [Call(c.tool, c.input, c.text, c.is_error, c.blocks, main.id("toolu_01")) for c in ask]
    uses = main.answer("Two agents, one for the code and one for the logs.", named)
    children = [explorer(main, shop), log_reader(main, shop)]
    for call, use, child in zip(named, uses, children, strict=True):
        main.now = max(main.now, child.now)
        main.result(call, use)
        child.save(folder)
        main.files |= child.files
        meta = {
            "agentType": "Explore",
            "description": call.input["description"],
            "toolUseId": call.id,
            "spawnDepth": 1,
        }
        path = folder / main.session / "subagents" / f"agent-{child.agent}.meta.json"
        path.write_text(json.dumps(meta, separators=(",", ":")), encoding="utf-8")
    main.turn("Three places. I'll fix them.", read("src/shop/cart/checkout.py", shop.fit(shop.source, 6_200)))
    main.turn("", edit("src/shop/cart/checkout.py", "load_session(id)", "load_session(id, tenant=tenant)"))
    main.turn("", bash("pytest -q tests/cart", shop.fit(shop.tests, 5_900, "=== 71 passed in 8.1s ===")))
    main.answer("Checkout, refunds and the mail worker pass the tenant now.")
    main.save(folder)


def asked(description: str, prompt: str) -> Call:
    return agent(
        description,
        prompt,
        [{"type": "text", "text": REPORT}, {"type": "text", "text": "agentId: see the transcript"}],
    )


def child_of(main: Client, number: int) -> Client:
    name = f"a{main.random.getrandbits(64):016x}"
    return Client(
        f"{NAME} {number}", agent=name, session=main.session, now=main.now, model="claude-sonnet-4-5"
    )


def explorer(main: Client, shop: Shop) -> Client:
    child = child_of(main, 1)
    child.prompt("List every place that reads a session.")
    child.turn("", grep("load_session", shop.fit(shop.hits, 12_300)))
    parts = ("auth", "cart", "orders", "payments", "catalog", "mail", "api")
    child.turn("", *(bash(f"grep -rn session src/shop/{part}", shop.fit(shop.hits, 28_100 + 250 * i)) for i, part in enumerate(parts)),
               read("src/shop/auth/session.py", shop.fit(shop.source, 11_400)))  # fmt: skip
    child.turn("", read("src/shop/orders/refunds.py", shop.fit(shop.source, 9_300)))
    child.answer(REPORT)
    return child


def log_reader(main: Client, shop: Shop) -> Client:
    child = child_of(main, 2)
    child.wait(1)
    child.prompt("Which calls had no tenant?")
    child.turn("", logs("cart", shop.fit(shop.logs, 14_800)), logs("mail", shop.fit(shop.logs, 13_900)))
    child.answer("Calls from checkout and from the mail worker.")
    return child
