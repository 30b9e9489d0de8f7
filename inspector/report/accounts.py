"""Accounts in the words and keys of the reports: one place, because four formats tell them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from inspector.replay.accounting import Account, Parts

_PARTS = (
    ("results", "results"),
    ("calls", "calls"),
    ("assistant", "answers"),
    ("user", "prompts"),
    ("summaries", "summaries"),
    ("thinking", "thinking"),
)
"""Fields of `Parts` with the words that people read, in the order in which they are told."""


def shares(account: Account) -> list[tuple[str, int, int]]:
    """What a request holds: word, characters, ≈ tokens; the remainder, which has no characters, last."""
    out = []
    for field, word in _PARTS:
        chars: int = getattr(account.parts, field)
        if chars:
            out.append((word, chars, account.tokens_of(chars)))
    if account.remainder:
        out.append(("system prompt, tools and what no record shows", 0, account.remainder))
    return out


def unseen_words(account: Account) -> str:
    """Why the part that no record shows moved, or why usage cannot tell it; empty where nothing is to say."""
    if not account.cause or account.tokens is None:
        return account.cause
    doubt = "" if account.certain else "likely: "
    return f"unseen part {account.jump:+,} tokens: {doubt}{account.cause}"


def account_data(account: Account) -> dict[str, Any]:
    """One account as plain data."""
    return {
        "n": account.n,
        "chars": parts_data(account.parts),
        "tokens": account.tokens,
        "shown_tokens": account.shown_tokens,
        "remainder_tokens": account.remainder,
        "remainder_jump": account.jump,
        "unrecorded_cut_tokens": account.cut_tokens,
        "cause": account.cause or None,
        "certain": account.certain,
        "growth_chars": account.growth_chars,
        "growth_tokens": account.growth_tokens,
    }


def parts_data(parts: Parts) -> dict[str, int]:
    """Characters by kind, with their sum."""
    return {**msgspec.structs.asdict(parts), "all": parts.chars}
