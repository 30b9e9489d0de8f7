"""Story: a session with a replaced result is resumed three times, and once its record is lost."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from generator.calls import bash, edit, grep, read
from generator.client import Client
from generator.texts import Shop

NAME = "resume"
LINE = (
    "The same session resumed: stored previews come back, print mode ignores them, a lost record undoes them."
)
LOOK = """Two sessions with the same beginning: seven parallel shell outputs, 202,900 characters together, one replaced.

- The first one is resumed on the screen (the stored preview is sent again, byte for byte), then in print mode (the
  record is ignored, the full text goes out, the prefix breaks) and on the screen once more.
- In the second one the `content-replacement` line is gone. All seven results are frozen, nothing is replaced any
  more, and a file that nobody names is left in its `tool-results`.
"""


def write(folder: Path) -> str:
    kept = beginning(Client("resume kept"))
    later(kept, Shop("resume day two"))
    in_print_mode(kept, Shop("resume print"))
    on_the_screen_again(kept, Shop("resume screen"))
    kept.save(folder)
    lost = beginning(Client("resume lost"))
    lost.lines = [line for line in lost.lines if b'"content-replacement"' not in line]
    lost.forget_replacements()
    later(lost, Shop("resume day two"))
    lost.save(folder)
    return kept.session


def beginning(client: Client) -> Client:
    shop = Shop(NAME)
    client.prompt("Which of the seven services still read sessions from redis?")
    client.turn("", grep("redis", shop.fit(shop.hits, 5_100)))
    names = ("auth", "cart", "orders", "payments", "catalog", "mail", "gateway")
    sizes = (29_900, 29_300, 28_600, 29_700, 28_100, 28_900, 28_400)
    client.turn("One container each.",
                *(bash(f"docker compose logs {name}", shop.fit(shop.compose, size)) for name, size in zip(names, sizes, strict=True)))  # fmt: skip
    client.turn("", read("docker-compose.yml", shop.fit(shop.source, 4_400)))
    client.answer("Only catalog and mail still do.")
    client.loose(type="last-prompt", lastPrompt="Which of the seven services …", sessionId=client.session)
    return client


def later(client: Client, shop: Shop) -> None:
    client.now += timedelta(hours=19)
    client.prompt("Good morning. Move catalog to the token service first.")
    client.turn("", read("src/shop/catalog/search.py", shop.fit(shop.source, 8_300)), cold=True)
    client.turn("", edit("src/shop/catalog/search.py", "redis.get(", "tokens.load("))
    client.answer("Catalog reads its sessions from the token service now.")


def in_print_mode(client: Client, shop: Shop) -> None:
    client.now += timedelta(minutes=3)
    client.entrypoint = "sdk-cli"
    client.forget_replacements()
    client.prompt("Summarise the change for the release notes.")
    client.turn("", bash("git diff --stat", shop.fit(shop.diff, 1_700)))
    client.answer("Catalog no longer needs redis for sessions.")
    client.entrypoint = "cli"


def on_the_screen_again(client: Client, shop: Shop) -> None:
    client.now += timedelta(minutes=2)
    client.recall_replacements()
    client.prompt("Now mail.")
    client.turn("", read("src/shop/mail/receipts.py", shop.fit(shop.source, 7_600)))
    client.turn("", edit("src/shop/mail/receipts.py", "redis.get(", "tokens.load("))
    client.answer("Mail is moved too; redis holds no session any more.")
