"""Story: files that should hold the full texts: there, gone, too short, elsewhere, read again."""

from __future__ import annotations

from pathlib import Path

from generator.calls import bash, grep, read
from generator.client import HOME, Call, Client
from generator.texts import Shop

NAME = "overflow-files"
LINE = "Overflow files that are there, gone, too short, elsewhere, unlike their preview, and read again."
LOOK = """Seven outputs were moved to files. Look at the overflow screen, or `inspector overflow`:

- `pytest` is whole. `pg_dump` is gone: only its preview is left. `docker compose logs` is shorter than stated.
- `git log -p` was said to stand in a home folder of another machine; a file of that name is here.
- `make build` starts otherwise than its preview: somebody wrote over the file.
- Reading the file of `pytest` through the shell made the text overflow again; the part that was read was paid twice.
- One file belongs to no result.
"""


def write(folder: Path) -> None:
    shop, client = Shop(NAME), Client(NAME)
    client.prompt("The nightly job fails. Collect everything that may tell us why.")
    whole = client.turn(
        "", bash("pytest -vv", shop.fit(shop.tests, 48_200, "=== 31 failed, 381 passed ==="))
    )[0]
    gone = client.turn("", bash("pg_dump --schema-only", shop.fit(shop.rows, 61_000)))[0]
    short = client.turn("", bash("docker compose logs", shop.fit(shop.compose, 72_500)))[0]
    moved = client.turn("", bash("git log -p -40", shop.fit(shop.patches, 43_900)))[0]
    changed = client.turn("", bash("make build", shop.fit(shop.logs, 34_100)))[0]
    client.turn("", grep("nightly", shop.fit(shop.hits, 24_700)))
    read_again(client, named(client, whole))
    client.answer("The job runs with yesterday's token: it reads the session before the key rotates.")
    del client.files[named(client, gone)]
    cut(client, named(client, short), 30_000)
    client.lines = [elsewhere(line, named(client, moved)) for line in client.lines]
    client.files[named(client, changed)] = shop.fit(shop.logs, 34_100).encode()
    client.files["b0ld5tray.txt"] = shop.fit(shop.logs, 1_900).encode()
    client.save(folder)


def named(client: Client, call: Call) -> str:
    """The name of the file that holds the full text of a call."""
    if call.text is None:
        raise ValueError("a call without a result has no file")
    return next(name for name, data in client.files.items() if data == call.text.encode())


def read_again(client: Client, name: str) -> None:
    path = f"{client.folder}/{name}"
    text = client.files[name].decode()
    client.turn("The failures stand further down in the file.", read(path, text[-9_000:]))
    client.turn("Let me see all of it.", bash(f"cat {path} | cut -c1-400", text[:44_000]))


def cut(client: Client, name: str, size: int) -> None:
    client.files[name] = client.files[name][:size]


def elsewhere(line: bytes, name: str) -> bytes:
    return (
        line.replace(f"{HOME}/".encode(), b"/Users/mara/.claude/projects/-Users-mara-shop/")
        if name.encode() in line
        else line
    )
