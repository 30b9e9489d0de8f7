"""Context windows of models, by name: the only figures here that no transcript states."""

from __future__ import annotations

import re

_KNOWN = (
    (re.compile(r"\[1m\]|-1m\b"), 1_000_000),
    (re.compile(r"^(anthropic[./])?claude-"), 200_000),
    (re.compile(r"^gpt-4\.1"), 1_000_000),
    (re.compile(r"^gpt-5"), 400_000),
    (re.compile(r"^(gpt-4o|o[134])"), 200_000),
)


def window_of(model: str) -> int | None:
    """Tokens that a model's context window holds.

    Args:
        model: Name as the transcript writes it; untrusted.

    Returns:
        None where the name is not known.
    """
    return next((tokens for pattern, tokens in _KNOWN if pattern.search(model)), None)
