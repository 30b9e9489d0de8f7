"""The policy that the arguments and the environment ask for, and where each value came from."""

from __future__ import annotations

import argparse

from inspector.errors import UsageError
from inspector.model.policy import Policy
from inspector.model.policy_fields import parse
from inspector.session.policy_file import policy_named


def policy_of(arguments: argparse.Namespace) -> tuple[Policy | None, dict[str, str]]:
    """The policy named by `--policy` and `--set`.

    Returns:
        The policy, or None where the session's own kind decides, and the origin of changed fields.

    Raises:
        UsageError: No such policy, field or value.
        UnreadableError: `--policy` names a file that cannot be read.
    """
    base = policy_named(arguments.policy) if arguments.policy else None
    changes = [_change(words) for words in arguments.set]
    if not changes:
        return base, {"name": "--policy"} if base else {}
    if base is None:
        raise UsageError("--set changes fields of a policy: name it with --policy")
    for path, words in changes:
        base = base.with_field(path, parse(path, words))
    return base, {path: "--set" for path, _ in changes}


def _change(words: str) -> tuple[str, str]:
    path, equals, value = words.partition("=")
    if not equals:
        raise UsageError(f"--set wants FIELD=VALUE, not {words!r}")
    return path.strip(), value.strip()
