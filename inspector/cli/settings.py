"""The policy that the arguments and the environment ask for, and where each value came from."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from inspector.errors import UsageError
from inspector.model.policy import Policy
from inspector.reading.detect import detect
from inspector.session import default_policy


def policy_of(
    arguments: argparse.Namespace, path: Path | None = None, environment: Mapping[str, str] | None = None
) -> tuple[Policy | None, dict[str, str]]:
    """The policy that `--policy`, the session's kind, the environment and `--set` ask for.

    Args:
        arguments: The command line.
        path: The session, whose kind decides where no policy is named.
        environment: Variables of ChatCLI, heeded by `chatcli` and `documented`.

    Returns:
        The policy, or None where the session's own kind decides, and the origin of its fields: of
        those that were chosen, and of all that a variable could set.

    Raises:
        UsageError: No such policy, field or value.
        UnreadableError: `--policy` names a file that cannot be read.
    """
    changes = [_change(words) for words in arguments.set]
    origins: dict[str, str] = {"name": "--policy"} if arguments.policy else {}
    base = None
    if arguments.policy:
        from inspector.session.policy_file import policy_named

        base = policy_named(arguments.policy)
    if base is None and path is not None:
        base = default_policy(detect(path).kind)
    if base is not None:
        from inspector.pipeline.chatcli.environment import with_environment

        base, from_environment = with_environment(base, environment or {})
        origins |= from_environment
    if changes and not arguments.policy:
        raise UsageError("--set changes fields of a policy: name it with --policy")
    for field, words in changes:
        from inspector.model.policy_fields import parse

        assert base is not None
        base = base.with_field(field, parse(field, words))
        origins[field] = "--set"
    return base, origins


def _change(words: str) -> tuple[str, str]:
    path, equals, value = words.partition("=")
    if not equals:
        raise UsageError(f"--set wants FIELD=VALUE, not {words!r}")
    return path.strip(), value.strip()
