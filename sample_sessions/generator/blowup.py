"""Story: parallel results that are small one by one and too big together."""

from __future__ import annotations

from pathlib import Path

from generator.calls import bash, edit, glob, grep, logs, read, rows
from generator.client import Client
from generator.texts import Shop

NAME = "parallel-blowup"
LINE = "Three rounds of parallel calls, each result within its own limit, go over the group's 200,000."
LOOK = """Every call stays below the limit of its tool. In three places the results that come back together do
not: the screen client replaces the largest new ones by previews and keeps the full texts in files.

- The bars over 200,000 in the timeline, and which rows of those turns are `replaced` and which `frozen`.
- Read in the first of them: its 53,000 characters are marked seen but not counted.
- The requests after: the replaced rows are must-reapply, and the prefix stays the same.
- The compaction (`▼`) between the second and the third group: everything before it is gone from the wire.
- In the third group one replacement is not enough: the two largest results had to go.
"""

SUMMARY = (
    "This session is being continued from a previous conversation that ran out of context. Checkout failed because"
    " sessions were loaded without their tenant and tokens lived for 300 seconds only; both are fixed and tested. "
)


def write(folder: Path) -> None:
    shop, client = Shop(NAME), Client(NAME)
    first_look(shop, client)
    group_with_a_read(shop, client)
    fix(shop, client)
    group_of_logs(shop, client)
    second_fix(shop, client)
    client.compact(SUMMARY + shop.fit(shop.prose, 4_800))
    group_of_everything(shop, client)
    wrap_up(shop, client)
    review(shop, client)
    client.save(folder)


def first_look(shop: Shop, client: Client) -> None:
    client.loose(type="permission-mode", permissionMode="default", sessionId=client.session)
    client.prompt("Checkout answers 500 since we moved sessions to the token service. Find out why.")
    client.turn(
        "I'll look at where sessions are read.", glob("src/shop/auth/*.py", shop.fit(shop.paths, 900))
    )
    client.turn(
        "",
        grep("load_session", shop.fit(shop.hits, 4_200)),
        read("src/shop/auth/session.py", source(shop, 9_800)),
    )
    client.turn("", bash("git log --oneline -20 -- src/shop/auth", shop.fit(shop.paths, 1_300)))
    client.turn("The token service is new. Let me see how checkout calls it.",
                read("src/shop/cart/checkout.py", source(shop, 14_300)), grep("verify_token", shop.fit(shop.hits, 2_100)))  # fmt: skip
    client.turn("", bash("git show --stat HEAD~3", shop.fit(shop.diff, 3_900)))
    client.note()


def source(shop: Shop, chars: int) -> str:
    return shop.fit(shop.source, chars)


def group_with_a_read(shop: Shop, client: Client) -> None:
    runs = [
        bash(f"pytest -vv --tb=long tests/{part}", shop.fit(shop.tests, chars, "=== 7 failed, 61 passed in 12.40s ==="))
        for part, chars in (
            ("auth", 29_700), ("cart", 29_100), ("orders", 28_400), ("payments", 29_900), ("catalog", 27_600),
            ("mail", 28_800), ("api", 29_300),
        )
    ]  # fmt: skip
    client.turn("I'll run every suite at once and read the middleware meanwhile.",
                read("src/shop/auth/middleware.py", source(shop, 53_000)), *runs, order=(0, 3, 1, 2, 4, 6, 5, 7), took_s=4)  # fmt: skip
    client.turn("The payments suite fails first; its preview names the fixture.",
                bash("pytest -x tests/payments/test_gateway.py", shop.fit(shop.tests, 8_700, "=== 1 failed in 2.1s ===")))  # fmt: skip
    client.turn("", read("tests/payments/conftest.py", source(shop, 6_100)))


def fix(shop: Shop, client: Client) -> None:
    client.turn("The fixture opens a session without a tenant.",
                edit("src/shop/auth/session.py", "load_session(id)", "load_session(id, tenant=tenant)"))  # fmt: skip
    client.turn(
        "", bash("pytest -q tests/payments", shop.fit(shop.tests, 7_200, "=== 64 passed in 9.3s ==="))
    )
    client.answer("Payments pass again: the session was loaded without its tenant. Cart and auth still fail.")
    client.loose(type="ai-title", aiTitle="Fix checkout after the session refactor", sessionId=client.session)


def group_of_logs(shop: Shop, client: Client) -> None:
    client.prompt("Staging shows the same error. Check its logs for all services.", 140)
    client.turn("", bash("kubectl get pods -n staging", shop.fit(shop.paths, 1_900)))
    services = (
        ("auth", 49_200),
        ("cart", 48_100),
        ("orders", 46_500),
        ("payments", 47_300),
        ("gateway", 45_400),
    )
    client.turn("I'll ask the log server for all five services at once.",
                *(logs(name, shop.fit(shop.logs, chars)) for name, chars in services), took_s=3)  # fmt: skip
    client.turn(
        "auth is the one that rotates tokens too early.", grep("rotate_token", shop.fit(shop.hits, 5_600))
    )
    client.turn("", read("src/shop/auth/tokens.py", source(shop, 17_900)))
    client.turn("", rows("select state, count(*) from sessions group by 1", shop.fit(shop.rows, 2_400)))


def second_fix(shop: Shop, client: Client) -> None:
    client.turn("", edit("src/shop/auth/tokens.py", "ttl=300", "ttl=settings.token_ttl"))
    client.turn("", bash("pytest -q tests/auth", shop.fit(shop.tests, 12_300, "=== 88 passed in 14.0s ===")))
    client.turn("", bash("ruff check src", "All checks passed!"))
    client.answer("Tokens now live as long as the settings say. Shall I look at the orders that were lost?")


def group_of_everything(shop: Shop, client: Client) -> None:
    client.prompt(
        "Yes. Find every order that was charged but has no receipt, with the code that wrote it.", 95
    )
    client.turn("", rows("select count(*) from orders where receipt_id is null", '[{"count": 1184}]'))
    client.turn(
        "Orders, their logs and the code paths in one go.",
        rows("select * from orders where receipt_id is null", shop.fit(shop.rows, 49_800)),
        rows("select * from charges where order_id in (…)", shop.fit(shop.rows, 48_600)),
        logs("mail", shop.fit(shop.logs, 47_900)),
        logs("orders", shop.fit(shop.logs, 44_100)),
        bash("git log -p --since=2.weeks src/shop/mail", shop.fit(shop.patches, 29_800)),
        bash("docker compose logs mail", shop.fit(shop.compose, 28_900)),
        grep("send_receipt", shop.fit(shop.hits, 19_400)),
        read("src/shop/mail/receipts.py", source(shop, 21_700)),
        took_s=2,
    )
    client.turn("", bash("python -m shop.mail.resend --dry-run | tail -40", shop.fit(shop.logs, 6_600)))
    client.turn("", read("src/shop/orders/ledger.py", source(shop, 15_200)))
    client.turn(
        "",
        grep("receipt_id", shop.fit(shop.hits, 7_700)),
        glob("src/shop/mail/**", shop.fit(shop.paths, 1_100)),
    )


def wrap_up(shop: Shop, client: Client) -> None:
    client.turn("", edit("src/shop/mail/receipts.py", "if session.active:", "if order.paid:"))
    client.turn("", bash("pytest -q", shop.fit(shop.tests, 16_900, "=== 412 passed in 61.27s ===")))
    client.turn("", bash("git diff --stat", shop.fit(shop.diff, 2_800)))
    client.answer("All 412 tests pass. 1,184 receipts can be sent again with `python -m shop.mail.resend`.")
    client.prompt("Send them on staging, then show me the first lines of the report.", 200)
    client.turn("", bash("python -m shop.mail.resend --env staging", shop.fit(shop.logs, 22_400)))
    client.turn("", bash("head -40 var/resend.txt", shop.fit(shop.logs, 3_300)))
    client.turn("", rows("select count(*) from orders where receipt_id is null", '[{"count": 0}]'))
    client.turn(
        "", bash("git add -A && git commit -m 'Load sessions with their tenant'", shop.fit(shop.paths, 400))
    )
    client.turn(
        "",
        bash(
            "git push", "To git.shop.example:shop\n   3f2a91c..8be07d4  session-refactor -> session-refactor"
        ),
    )
    client.answer("Sent. No order is without a receipt any more, and the branch is pushed.")


def review(shop: Shop, client: Client) -> None:
    client.prompt("Before I merge: did the refactor leave other callers without a tenant?", 320)
    client.turn("", grep("load_session\\(id\\)", shop.fit(shop.hits, 8_900)))
    client.turn("", read("src/shop/orders/refunds.py", source(shop, 12_700)))
    client.turn("", edit("src/shop/orders/refunds.py", "load_session(id)", "load_session(id, tenant=tenant)"))
    client.turn("", bash("pytest -q tests/orders", shop.fit(shop.tests, 10_400, "=== 43 passed in 5.0s ===")))
    client.turn(
        "",
        bash(
            "git commit -am 'Refunds load sessions with their tenant' && git push", "main..session-refactor"
        ),
    )
    client.answer("One was left, in refunds; it is fixed, tested and pushed.")
