"""Story: calls that never got their result, and a result that lost its call."""

from __future__ import annotations

from pathlib import Path

from generator.calls import bash, edit, grep, read, rows
from generator.client import Call, Client
from generator.texts import Shop

NAME = "interrupted-call"
LINE = "Escape during a command, a killed client, a lost call and a call that still runs."
LOOK = """Four ways in which calls and results come apart:

- Escape during `docker compose up`: the client answers both calls itself; nothing is missing.
- The client was killed while two of three calls ran: they have no result, and the next request drops them.
- A result whose call stands on no line any more: an orphan that is taken out of each request.
- The last call has no result yet. In a live session it is pending, in a finished one it is missing.
"""

REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file"
    " edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user."
)


def write(folder: Path) -> None:
    shop, client = Shop(NAME), Client(NAME)
    client.prompt("Bring the stack up and move the cart tables to the new schema.")
    client.turn(
        "",
        read("docker-compose.yml", shop.fit(shop.source, 3_100)),
        bash("docker compose ps", shop.fit(shop.compose, 1_400)),
    )
    escape(client)
    killed(shop, client)
    lost_call(shop, client)
    still_running(shop, client)
    client.save(folder)


def escape(client: Client) -> None:
    client.turn(
        "Starting all services.",
        Call("Bash", {"command": "docker compose up"}, REJECTED, True),
        Call("Bash", {"command": "docker compose logs -f"}, REJECTED, True),
        took_s=9,
    )
    stop = [{"type": "text", "text": "[Request interrupted by user for tool use]"}]
    client.record("user", message={"role": "user", "content": stop})


def killed(shop: Shop, client: Client) -> None:
    client.prompt("Use -d, or it never returns.", 20)
    client.turn("", bash("docker compose up -d", shop.fit(shop.compose, 2_200)))
    client.turn(
        "", bash("alembic current", "a41c0de (head)"), grep("op.create_table", shop.fit(shop.hits, 3_600))
    )
    client.turn("Migrating, and dumping the old tables in parallel.",
                bash("pg_dump -t carts", shop.fit(shop.rows, 11_800)), bash("alembic upgrade head", None), rows("select count(*) from carts", None))  # fmt: skip
    error = {
        "id": client.uuid(), "type": "message", "role": "assistant", "model": "<synthetic>",
        "content": [{"type": "text", "text": "API Error: 400 tool_use ids were found without tool_result blocks"}],
        "stop_reason": "stop_sequence",
        "usage": {"input_tokens": 0, "output_tokens": 0, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
    }  # fmt: skip
    client.prompt("Did the migration run?", 640)
    client.record("assistant", message=error, isApiErrorMessage=True)
    client.prompt("Try again: did the migration run?", 30)
    client.turn("I don't know how it ended; I'll check.", bash("alembic current", "b77f1aa (head)"))
    client.answer("It did: the schema is at b77f1aa.")


def lost_call(shop: Shop, client: Client) -> None:
    client.prompt("Then clean up the dump and run the cart tests.", 45)
    before = len(client.lines)
    calls = client.turn(
        "",
        bash("rm var/carts.sql", "(Bash completed with no output)"),
        bash("pytest -q tests/cart", shop.fit(shop.tests, 9_400, "=== 71 passed in 8.8s ===")),
    )
    lost = next(
        i
        for i, line in enumerate(client.lines[before:], before)
        if b'"name":"Bash"' in line and calls[0].id.encode() in line
    )
    del client.lines[lost]
    client.turn("", edit("src/shop/cart/pricing.py", "carts_old", "carts"))
    client.answer("Done: 71 cart tests pass on the new tables.")


def still_running(shop: Shop, client: Client) -> None:
    client.prompt("Now the whole suite, please.", 60)
    client.turn("", grep("carts_old", shop.fit(shop.hits, 600)))
    client.turn("This one takes some minutes.", bash("pytest -q", None))
