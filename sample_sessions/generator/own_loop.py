"""Story: an agent loop of one's own that keeps a plain Anthropic message list."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from generator.client import ALPHABET
from generator.texts import Shop

NAME = "own-loop"
LINE = "A plain message list, 240,837 characters in one turn, a missing result, an orphan, and ageing."
LOOK = """No client trimmed anything here: the loop keeps what its tools gave. The policy is `documented` with two
changes, no limit for a single result and Read not counted, so that one turn can be seen to go over.
`inspector demo own-loop` makes them by itself; on the file they are said:

    inspector open sample_sessions/own-loop/messages.json --policy documented \\
        --set budget.result_limit=none --set budget.skip_tools=Read

- Turn 37: pytest and git log together hold 240,837 characters; the largest one is replaced, and the Read beside them
  is skipped. A Grep of the same turn never came back: an error result is injected for it.
- Turn 32: the same with two logs. Turn 35: an orphan, removed.
- The column of ages: texts of more than 3,000 characters are truncated at age 2 and one line at age 4.
"""

Message = dict[str, Any]


class Loop:
    """The message list of an agent loop."""

    def __init__(self, seed: str) -> None:
        self.shop = Shop(seed)
        self.messages: list[Message] = []

    def id(self) -> str:
        return "toolu_01" + "".join(ALPHABET[self.shop.number(0, len(ALPHABET))] for _ in range(22))

    def prompt(self, text: str) -> None:
        self.messages.append({"role": "user", "content": text})

    def say(self, text: str) -> None:
        self.messages.append({"role": "assistant", "content": [{"type": "text", "text": text}]})

    def turn(self, *calls: tuple[str, dict[str, Any], str | None], say: str = "", stray: str = "") -> None:
        """An answer with calls, and one message with their results.

        Args:
            calls: Tool, input and result; None: it never came back.
            say: Text in front of the calls.
            stray: A result that belongs to no call.
        """
        uses = [
            {"type": "tool_use", "id": self.id(), "name": tool, "input": given} for tool, given, _ in calls
        ]
        text = [{"type": "text", "text": say}] if say else []
        self.messages.append({"role": "assistant", "content": [*text, *uses]})
        results = [
            {"type": "tool_result", "tool_use_id": use["id"], "content": result}
            for use, (_, _, result) in zip(uses, calls, strict=True)
            if result is not None
        ]
        if stray:
            results.append({"type": "tool_result", "tool_use_id": self.id(), "content": stray})
        self.messages.append({"role": "user", "content": results})

    def save(self, path: Path) -> None:
        """One message per line, so that a change of one message is a change of one line."""
        lines = [json.dumps(message, ensure_ascii=False, separators=(",", ":")) for message in self.messages]
        path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def write(folder: Path) -> None:
    loop = Loop(NAME)
    loop.prompt("Refactor auth: sessions must come from the token service, with their tenant.")
    ordinary(loop, 30)
    loop.say("Half of the callers are moved; the rest reads sessions through the middleware.")
    loop.prompt("Go on, and keep an eye on the size of what you read.")
    the_two_groups(loop)
    ordinary(loop, 16)
    loop.say("The refactoring is finished: 412 tests pass and sessions carry their tenant everywhere.")
    folder.mkdir(parents=True, exist_ok=True)
    loop.save(folder / "messages.json")


def ordinary(loop: Loop, turns: int) -> None:
    """Everyday turns of one or two calls; most are small."""
    shop = loop.shop
    for _ in range(turns):
        module = shop.one(("auth/session", "auth/tokens", "cart/checkout", "orders/ledger", "mail/receipts"))
        kind = shop.number(0, 10)
        if kind < 4:
            loop.turn(
                ("Read", {"file_path": f"src/{module}.py"}, shop.fit(shop.source, shop.number(1_200, 9_500)))
            )
        elif kind < 6:
            word = shop.name()
            loop.turn(("Grep", {"pattern": word}, shop.fit(shop.hits, shop.number(300, 6_000))),
                      ("Glob", {"pattern": "src/**/*.py"}, shop.fit(shop.paths, shop.number(200, 3_400))))  # fmt: skip
        elif kind < 8:
            done = f"The file src/{module}.py has been updated."
            loop.turn(
                (
                    "Edit",
                    {"file_path": f"src/{module}.py", "old_string": shop.name(), "new_string": shop.name()},
                    done,
                )
            )
        else:
            text = shop.fit(shop.tests, shop.number(2_000, 8_000), "=== 71 passed in 9.2s ===")
            loop.turn(("Bash", {"command": f"pytest -q tests/{module.split('/')[0]}"}, text), say="Checking.")


def the_two_groups(loop: Loop) -> None:
    shop = loop.shop
    loop.turn(("Read", {"file_path": "src/auth/session.py"}, shop.fit(shop.source, 2_700)))
    loop.turn(("Bash", {"command": "cat logs/auth.log"}, shop.fit(shop.logs, 126_540)),
              ("Bash", {"command": "docker compose logs auth"}, shop.fit(shop.compose, 87_760)),
              say="The logs of both, side by side.")  # fmt: skip
    loop.turn(("Grep", {"pattern": "import jwt"}, shop.fit(shop.hits, 31_400)),
              ("Glob", {"pattern": "src/**/*.py"}, shop.fit(shop.paths, 2_918)))  # fmt: skip
    loop.turn(("Read", {"file_path": "src/auth/tokens.py"}, shop.fit(shop.source, 11_300)))
    loop.turn(("Grep", {"pattern": "def verify_"}, shop.fit(shop.hits, 12_400)),
              ("Bash", {"command": "git status"}, shop.fit(shop.paths, 1_204)),
              stray=shop.fit(shop.logs, 4_210))  # fmt: skip
    loop.turn(("Read", {"file_path": "src/auth/middleware.py"}, shop.fit(shop.source, 5_020)),
              ("Read", {"file_path": "src/auth/errors.py"}, shop.fit(shop.source, 4_100)))  # fmt: skip
    loop.turn(("Bash", {"command": "pytest -vv --tb=long"}, shop.fit(shop.tests, 158_837, "======= 14 failed, 398 passed in 61.27s =======")),
              ("Bash", {"command": "git log -p src/auth"}, shop.fit(shop.patches, 82_000)),
              ("Grep", {"pattern": "session_token"}, None),
              ("Read", {"file_path": "src/auth/session.py"}, shop.fit(shop.source, 79_000)),
              say="Everything at once: the tests, the history, the callers and the module itself.")  # fmt: skip
