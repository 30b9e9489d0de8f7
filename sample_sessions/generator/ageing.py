"""Story: ten turns over which old results shrink, and a recorded clearing at the end."""

from __future__ import annotations

from pathlib import Path

from generator.calls import bash, edit, fetch, glob, grep, read, rows
from generator.client import CHARS_PER_TOKEN, Client
from generator.texts import Shop

NAME = "ageing"
LINE = "Ten turns: what ageing shortens, what it leaves alone, and what the client itself cleared."
LOOK = """Open it with `--policy documented` to watch texts age: at age 2 they are truncated, at age 4 they are one
line. Results of 3,000 characters or less stay, and so do shell commands, edits and errors.

- The result of exactly 3,000 characters beside the one of 3,001.
- Under `claude-code` nothing ages, but near the end the session itself recorded a clearing: five old results are
  gone from the wire, usage falls, and one file is read again right after.
- Before that a pause of 95 minutes: the prompt cache was cold.
"""


def write(folder: Path) -> None:
    shop, client = Shop(NAME), Client(NAME, version="2.1.14", model="claude-opus-4-5")
    client.prompt("Port the order ledger from Go. Keep the old names.")
    calls = [
        *client.turn("", read("ledger/ledger.go", shop.fit(shop.go, 24_600))),
        *client.turn(
            "",
            read("src/shop/orders/ledger.py", shop.fit(shop.source, 31_200)),
            glob("ledger/*.go", shop.fit(shop.paths, 2_400)),
        ),
        *client.turn(
            "",
            grep("ledger\\.", shop.fit(shop.hits, 18_700)),
            bash("go test ./ledger", shop.fit(shop.logs, 26_300)),
        ),
    ]
    client.turn("", fetch("https://ledger.example/changes", shop.fit(shop.prose, 22_900)))
    calls += client.turn("Two small ones, at the edge of what ages.",
                         grep("settle_order", shop.fit(shop.hits, 3_000)), grep("settle_cart", shop.fit(shop.hits, 3_001)))  # fmt: skip
    client.turn("", edit("src/shop/orders/ledger.py", "def settle(", "def settle_order("))
    client.turn("", rows("select * from ledger limit 400", shop.fit(shop.rows, 37_500)))
    client.turn(
        "",
        bash(
            "pytest -q tests/orders",
            shop.fit(shop.tests, 9_900, "=== 3 failed, 40 passed ==="),
            is_error=True,
        ),
    )
    client.answer("Three tests fail: the Go code rounds down. Shall I keep that?")
    client.prompt("Yes, keep it. I'm back after lunch.", 95 * 60)
    client.turn("", read("ledger/round.go", shop.fit(shop.go, 28_800)), cold=True)
    client.turn("", bash("git diff main -- src/shop/orders", shop.fit(shop.diff, 29_400)))
    clear(client, [call.id for call in calls[:5]], [len(call.text or "") for call in calls[:5]])
    client.turn("I need the ledger again.", read("src/shop/orders/ledger.py", shop.fit(shop.source, 31_600)))
    client.turn("", bash("pytest -q tests/orders", shop.fit(shop.tests, 8_200, "=== 43 passed in 4.9s ===")))
    client.answer("All 43 ledger tests pass, with the rounding of the Go code.")
    client.save(folder)


def clear(client: Client, ids: list[str], sizes: list[int]) -> None:
    """What clients of this version wrote when they cleared old results: the lines themselves stay."""
    saved = sum(sizes)
    metadata = {
        "trigger": "auto", "preTokens": round(client.sent / 4), "tokensSaved": saved // 4,
        "compactedToolIds": ids, "clearedAttachmentUUIDs": [],
    }  # fmt: skip
    client.record(
        "system", subtype="microcompact_boundary", content="Context microcompacted", isMeta=False, level="info",
        microcompactMetadata=metadata,
    )  # fmt: skip
    client.sent -= saved
    client.cached = round(17_400 + 200 / CHARS_PER_TOKEN)
