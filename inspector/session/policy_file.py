"""Policies as TOML files: what the what-if panel saves, and what `--policy FILE` reads.

A file may hold every field or only those that differ from a preset that it names as `base`, so a
file written by hand stays short and one written by the panel stays true when a preset changes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from inspector.errors import UnwritableError, UsageError
from inspector.model.policy import DOCUMENTED, PRESETS, Policy, preset
from inspector.model.policy_fields import NONE, checked
from inspector.reading.files import is_file
from inspector.reading.toml_file import read_toml
from inspector.whole_files import write_new

MAX_BYTES = 1 << 20
"""A larger file is no policy."""
_TABLES = frozenset({"dispatch", "pairing", "budget", "microcompact"})


def policy_named(name: str) -> Policy:
    """A policy by what a person types for one.

    Args:
        name: A preset's name, or the path of a TOML file.

    Raises:
        UsageError: There is neither, or the file holds something that is no policy.
        UnreadableError: The file cannot be read.
    """
    if name in PRESETS:
        return PRESETS[name]
    path = Path(os.path.expanduser(name))  # noqa: PTH111 - the other one raises for unknown users
    if path.suffix == ".toml" or os.sep in name or is_file(path):
        return load_policy(path)
    return preset(name)  # says which there are


def load_policy(path: Path) -> Policy:
    """Read a policy file.

    Raises:
        UsageError: It is no TOML, or a field or value in it is unknown; the message says which.
        UnreadableError: It cannot be read.
    """
    values = read_toml(path, MAX_BYTES)
    try:
        return _policy_of(values, path.stem)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def _policy_of(values: dict[str, Any], name: str) -> Policy:
    base = values.pop("base", DOCUMENTED.name)
    named = values.pop("name", name)
    if not isinstance(base, str) or not isinstance(named, str):
        raise UsageError("base and name are texts")
    policy = preset(base).with_field("name", named)
    for path, value in _fields(values):
        policy = policy.with_field(path, checked(path, value))
    return policy


def _fields(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if key in _TABLES and isinstance(value, Mapping):
            yield from ((f"{key}.{name}", inner) for name, inner in value.items())
        else:
            yield key, value


def policy_toml(policy: Policy) -> str:
    """A policy as TOML, with every field: it means the same whatever the presets become."""
    flat = policy.flat()
    lines = ["# A policy of inspector; --policy FILE takes it.", f"name = {_toml(flat.pop('name'))}"]
    lines += [f"{path} = {_toml(value)}" for path, value in flat.items() if "." not in path]
    table = ""
    caps: list[str] = []
    for path, value in flat.items():
        head, dot, field = path.partition(".")
        if not dot:
            continue
        if head != table:
            lines += [*caps, "", f"[{head}]"]
            table, caps = head, []
        if isinstance(value, Mapping):  # a table within the table has to follow its plain fields
            caps = ["", f"[{path}]", *(f"{_toml(tool)} = {cap}" for tool, cap in value.items())]
        else:
            lines.append(f"{field} = {_toml(value)}")
    return "\n".join([*lines, *caps]) + "\n"


def _toml(value: Any) -> str:
    if value is None:
        return f'"{NONE}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, (frozenset, tuple)):
        items = sorted(value) if isinstance(value, frozenset) else value
        return f"[{', '.join(_toml(item) for item in items)}]"
    text = str(value.value if isinstance(value, Enum) else value)
    # JSON's escapes are a part of TOML's, but for DEL, which TOML wants escaped too, and for halves
    # of surrogate pairs, which neither can hold.
    text = text.encode("utf-8", "replace").decode("utf-8")
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def save_policy(policy: Policy, path: Path) -> None:
    """Write a policy file; an existing file is left alone.

    Raises:
        UsageError: There is such a file already.
        UnwritableError: It cannot be written; nothing is left of it.
    """
    try:
        write_new(path, policy_toml(policy).encode())
    except FileExistsError:
        raise UsageError(f"{path} exists already; choose another name") from None
    except OSError as error:
        # What matters first: a line of the screen may have no room for a path.
        raise UnwritableError(f"not saved: {error.strerror or error}, {path}") from None
