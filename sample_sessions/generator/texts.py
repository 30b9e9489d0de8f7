"""What the tools of the invented shop print: test runs, logs, patches, listings, each of an exact length.

The lines are made from a few templates and a seeded generator, so that a sample is long without
being stored here, reads like the real thing, and comes out the same on every run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

MODULES = (
    "auth/session", "auth/tokens", "auth/middleware", "cart/pricing", "cart/checkout", "orders/ledger",
    "orders/refunds", "payments/gateway", "catalog/search", "mail/receipts",
)  # fmt: skip
VERBS = ("load", "verify", "rotate", "price", "reserve", "settle", "refund", "expire", "merge", "notify")
NOUNS = ("session", "token", "cart", "order", "ledger", "coupon", "receipt", "stock", "address", "invoice")
LEVELS = ("INFO", "INFO", "INFO", "DEBUG", "WARNING", "ERROR")
PEOPLE = ("Mara Lind", "Tom Abara", "Ines Kaya", "Jo Petit")


class Shop:
    """Texts about one shop, drawn from one seed."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)

    def one(self, words: tuple[str, ...]) -> str:
        return words[self.random.randrange(len(words))]

    def number(self, low: int, high: int) -> int:
        return self.random.randrange(low, high)

    def name(self) -> str:
        return f"{self.one(VERBS)}_{self.one(NOUNS)}"

    def hex(self, digits: int) -> str:
        return f"{self.random.getrandbits(digits * 4):0{digits}x}"

    # One line of something

    def code(self) -> str:
        a, b, c = self.name(), self.one(NOUNS), self.one(NOUNS)
        return self.one(
            (
                f"    {b} = {a}({c}, tenant=tenant)",
                f"    if not {b}.active or {b}.expires_at < now():",
                f'        raise {b.title()}Error("{c} {self.number(100, 999)} is closed")',
                f"    return {b}.{c}_id, {a}({b})",
                f"    for {b} in {c}.{self.one(NOUNS)}s:",
                f'        log.info("{a}", extra={{"{b}": {b}.id, "{c}": {c}.id}})',
                f"    with self.lock, {a}({b}) as {c}:",
                "",
            )
        )

    def log(self) -> str:
        module = self.one(MODULES).replace("/", ".")
        return (
            f"2026-10-{self.number(10, 28)} {self.number(0, 24):02}:{self.number(0, 60):02}:{self.number(0, 60):02}"
            f" {self.one(LEVELS):<7} shop.{module}: {self.name()} tenant={self.number(1, 40)}"
            f" request={self.hex(12)} took={self.number(1, 900)}ms"
        )

    def hit(self) -> str:
        return f"src/shop/{self.one(MODULES)}.py:{self.number(1, 600)}:{self.code()}"

    # Endless lines of something

    def source(self, arrow: str = "→") -> Iterator[str]:
        number = 0
        while True:
            for line in ("", f"def {self.name()}({self.one(NOUNS)}: str, *, tenant: int) -> bool:"):
                number += 1
                yield f"{number:>6}{arrow}{line}"
            for _ in range(self.number(3, 9)):
                number += 1
                yield f"{number:>6}{arrow}{self.code()}"

    def tests(self) -> Iterator[str]:
        yield "============================= test session starts =============================="
        yield "platform linux -- Python 3.12.4, pytest-8.3.2, pluggy-1.5.0 -- /usr/bin/python3"
        yield "rootdir: /home/mara/shop"
        yield "collected 412 items"
        yield ""
        for i in range(60):
            module = self.one(MODULES)
            folder, file = module.split("/")
            verdict = "FAILED" if i % 9 == 4 else "PASSED"
            yield f"tests/{folder}/test_{file}.py::test_{self.name()}[{self.number(1, 40)}] {verdict} [{i * 100 // 60:>3}%]"
        yield "=================================== FAILURES ==================================="
        while True:
            module, name = self.one(MODULES), self.name()
            yield f"_________________________ test_{name} _________________________"
            yield ""
            for _ in range(self.number(6, 14)):
                yield self.code()
            yield f">       assert {self.one(NOUNS)}.state == 'open'"
            yield f"E       AssertionError: assert 'closed' == 'open' (order {self.number(1000, 9999)})"
            yield ""
            yield f"src/shop/{module}.py:{self.number(10, 600)}: AssertionError"
            yield "----------------------------- Captured log call --------------------------------"
            for _ in range(self.number(2, 6)):
                yield self.log()

    def patches(self) -> Iterator[str]:
        while True:
            yield f"commit {self.hex(40)}"
            yield f"Author: {self.one(PEOPLE)} <dev@shop.example>"
            yield f"Date:   2026-10-{self.number(10, 28)} 11:{self.number(10, 59)}:04 +0200"
            yield ""
            yield f"    {self.one(MODULES)}: {self.name().replace('_', ' the ')} before the cart closes"
            yield ""
            yield from self.one_patch()

    def one_patch(self) -> Iterator[str]:
        path = f"src/shop/{self.one(MODULES)}.py"
        yield f"diff --git a/{path} b/{path}"
        yield f"index {self.hex(7)}..{self.hex(7)} 100644"
        yield f"--- a/{path}"
        yield f"+++ b/{path}"
        yield f"@@ -{self.number(1, 400)},14 +{self.number(1, 400)},16 @@ def {self.name()}(tenant: int) -> None:"
        for _ in range(self.number(8, 20)):
            yield self.one((" ", " ", "-", "+")) + self.code()

    def diff(self) -> Iterator[str]:
        while True:
            yield from self.one_patch()

    def logs(self) -> Iterator[str]:
        while True:
            yield self.log()

    def compose(self) -> Iterator[str]:
        while True:
            yield f"{self.one(('auth-1 ', 'cart-1 ', 'orders-1', 'redis-1 ', 'db-1   '))}  | {self.log()}"

    def hits(self) -> Iterator[str]:
        while True:
            yield self.hit()

    def rows(self) -> Iterator[str]:
        yield "["
        while True:
            yield (
                f'  {{"order": {self.number(10**5, 10**6)}, "tenant": {self.number(1, 40)}, "state": "{self.one(("open", "paid", "closed"))}",'
                f' "total_cents": {self.number(100, 90000)}, "session": "{self.hex(16)}"}},'
            )

    def paths(self) -> Iterator[str]:
        while True:
            yield f"src/shop/{self.one(MODULES)}_{self.one(NOUNS)}.py"

    def go(self) -> Iterator[str]:
        yield "package ledger"
        yield ""
        yield 'import "context"'
        while True:
            yield f"func {self.name().title().replace('_', '')}(ctx context.Context, id int64) error {{"
            yield f'\treturn store.Exec(ctx, "update {self.one(NOUNS)}s set state = $1", id)'
            yield "}"

    def prose(self) -> Iterator[str]:
        while True:
            yield (
                f"A {self.one(NOUNS)} is tied to the {self.one(NOUNS)} that opened it; the service has to"
                f" {self.one(VERBS)} it before the {self.one(NOUNS)} expires, or the next call is refused."
            )

    def fit(self, lines: Callable[[], Iterator[str]], chars: int, end: str = "") -> str:
        """Exactly so many characters of some lines.

        Args:
            lines: One of the endless methods above.
            chars: Length of the text in characters; all texts are in the Basic Multilingual Plane.
            end: A last line that must be whole.
        """
        parts: list[str] = []
        size = 0
        for line in lines():
            parts.append(line)
            size += len(line) + 1
            if size > chars:
                break
        body = "\n".join(parts)
        return f"{body[: chars - len(end) - 1]}\n{end}" if end else body[:chars]
