"""The policy that the arguments and the environment ask for, and where each value came from."""

from __future__ import annotations

import argparse
from enum import Enum
from typing import Any

from inspector.errors import UsageError
from inspector.model.policy import PRESETS, Policy, preset


def policy_of(arguments: argparse.Namespace) -> tuple[Policy | None, dict[str, str]]:
    """The policy named by `--policy` and `--set`.

    Returns:
        The policy, or None where the session's own kind decides, and the origin of changed fields.

    Raises:
        UsageError: No such policy, field or value.
    """
    base = preset(arguments.policy) if arguments.policy else None
    changes = [_change(words) for words in arguments.set]
    if not changes:
        return base, {"name": "--policy"} if base else {}
    if base is None:
        raise UsageError("--set changes fields of a policy: name it with --policy")
    for path, words in changes:
        base = base.with_field(path, _value(path, words, base.flat().get(path)))
    return base, {path: "--set" for path, _ in changes}


def _change(words: str) -> tuple[str, str]:
    path, equals, value = words.partition("=")
    if not equals:
        raise UsageError(f"--set wants FIELD=VALUE, not {words!r}")
    return path.strip(), value.strip()


def _value(path: str, words: str, current: Any) -> Any:
    """A field's value from words, of the type that the field has now."""
    if path not in next(iter(PRESETS.values())).flat():
        raise UsageError(f"a policy has no field {path!r}")
    try:
        if isinstance(current, bool):
            return {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}[words]
        if isinstance(current, Enum):
            return type(current)(words)
        if words == "none":
            return None
        if isinstance(current, int) or current is None:
            return int(words)
        if isinstance(current, frozenset):
            return frozenset(w.strip() for w in words.split(",") if w.strip())
    except (ValueError, KeyError):
        raise UsageError(f"--set {path}: {words!r} is no value for it") from None
    raise UsageError(f"--set cannot change {path}")
