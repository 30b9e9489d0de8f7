"""A person's own keys: `keys.toml` in the configuration directory, read and checked as a whole.

Keys are named by the ids of the bindings, so help, hints and palette follow by themselves. A file
with any mistake is refused: half of a keymap would be worse than none.
"""

from __future__ import annotations

import os
import string
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import KEY_NAME_REPLACEMENTS, Keys, _character_to_key

from inspector.errors import UsageError

LARGEST_BYTES = 1 << 16
"""A larger file is no keymap."""
# Textual names a key that is a sign by a function that is not public; a person types the sign.
_MODIFIERS = frozenset({"ctrl", "shift", "alt", "super", "hyper", "meta"})
_NAMES = (
    frozenset(key.value for key in Keys if not key.value.startswith("<") and "+" not in key.value)
    | frozenset(KEY_NAME_REPLACEMENTS.values())
    | frozenset(_character_to_key(sign) for sign in string.printable if not sign.isspace())
)
"""Keys without modifiers."""


_APPS = frozenset({"InspectorApp", "TabbedApp"})
"""Classes whose keys work on every screen."""


def keymap_file(environ: Mapping[str, str], home: Path) -> Path:
    """Where a keymap is looked for: `$XDG_CONFIG_HOME/inspector/keys.toml`, else below `~/.config`.

    Args:
        environ: Environment.
        home: The person's home directory.
    """
    stated = environ.get("XDG_CONFIG_HOME", "")
    base = Path(stated) if stated.startswith("/") else home / ".config"
    return base / "inspector" / "keys.toml"


def scopes() -> Iterator[tuple[str, list[Binding]]]:
    """Every class of the app that has bindings of its own, and these."""
    # A class is found only once it is there: the main screen loads those that it opens.
    import inspector.app.app
    import inspector.app.screens.help
    import inspector.app.screens.ledger  # noqa: F401 (for its classes)

    waiting: list[type[DOMNode]] = [DOMNode]
    seen: set[type[DOMNode]] = set()
    while waiting:
        node = waiting.pop()
        for child in node.__subclasses__():
            if child not in seen:
                seen.add(child)
                waiting.append(child)
        own = [b for b in node.__dict__.get("BINDINGS", ()) if isinstance(b, Binding) and b.id]
        if own and node.__module__.startswith("inspector.app."):
            yield node.__name__, own


def known_ids() -> dict[str, Binding]:
    """Binding id → binding, of all screens and widgets of the app."""
    return {binding.id: binding for _, own in scopes() for binding in own if binding.id}


def binding_of(id: str) -> Binding | None:
    """The binding of that id; None where no class that is loaded by now has one."""
    if id not in _BINDINGS:
        _BINDINGS.update(known_ids())
    return _BINDINGS.get(id)


_BINDINGS: dict[str, Binding] = {}
"""Those that were asked for, and all that were found on the way; a class keeps its own for good."""


def read_keymap(path: Path) -> dict[str, str]:
    """Read and check a keymap.

    Args:
        path: The file; a file that is not there changes no keys.

    Returns:
        Binding id → its keys, with commas between, as Textual takes them.

    Raises:
        UsageError: Something in it cannot be; the message says all that is wrong.
        UnreadableError: There is a file that cannot be read.
    """
    if not os.path.lexists(path):
        return {}
    from inspector.reading.toml_file import read_toml  # few people have a keymap

    keymap, problems = checked(read_toml(path, LARGEST_BYTES))
    if problems:
        raise UsageError("\n  ".join([f"{path}: these keys cannot be:", *problems]))
    return keymap


def checked(table: Mapping[str, Any]) -> tuple[dict[str, str], list[str]]:
    """Check a keymap.

    Args:
        table: As TOML has it: `step.back = "h"` or `"step.back" = ["h", "ctrl+b"]`.

    Returns:
        The keymap, and a sentence for each thing that is wrong with it.
    """
    ids = known_ids()
    keymap: dict[str, str] = {}
    problems: list[str] = []
    for id, value in _flat(table):
        if id not in ids:
            import difflib

            near = difflib.get_close_matches(id, ids, 3, 0.5)
            problems.append(f"{id}: there is no such action" + (f"; near: {', '.join(near)}" if near else ""))
            continue
        keys = value if isinstance(value, list) else [value]
        if not keys or not all(isinstance(key, str) and key for key in keys):
            problems.append(f"{id}: a key is a word in quotes, several are a list of them")
            continue
        normal = []
        for key in keys:
            try:
                normal.append(key_name(key))
            except UsageError as error:
                problems.append(f"{id}: {error}")
        keymap[id] = ",".join(normal)
    return keymap, problems + list(_clashes(keymap))


def _flat(table: Mapping[str, Any], lead: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{lead}{name}.")
        else:
            yield f"{lead}{name}", value


def key_name(key: str) -> str:
    """A key as Textual names it.

    Args:
        key: A sign (`?`), a name (`pageup`), or one of them after modifiers (`ctrl+h`).

    Raises:
        UsageError: There is no such key.
    """
    *modifiers, last = key.split("+") if len(key) > 1 and not key.endswith("++") else [key]
    odd = [word for word in modifiers if word not in _MODIFIERS]
    if odd:
        raise UsageError(f"{key!r}: {odd[0]!r} is no modifier; there are {', '.join(sorted(_MODIFIERS))}")
    if len(last) == 1 and modifiers and last.isupper():
        raise UsageError(f"{key!r}: write {'+'.join([*modifiers, 'shift', last.lower()])!r}")
    name = _character_to_key(last) if len(last) == 1 else last
    if name not in _NAMES and not (len(last) == 1 and last.isprintable() and not last.isspace()):
        raise UsageError(
            f"{key!r}: there is no such key; write a sign such as '?' or a name such as 'pageup'"
        )
    return "+".join([*modifiers, name])


def _clashes(keymap: Mapping[str, str]) -> Iterator[str]:
    """Keys that would mean two things in one place, where the keymap is to blame for it."""
    everywhere = [binding for name, own in scopes() if name in _APPS for binding in own]
    for name, own in scopes():
        used: dict[str, str] = {}
        bindings = everywhere if name in _APPS else [*own, *everywhere]
        for binding in bindings:
            id = binding.id or ""
            for key in keymap.get(id, binding.key).split(","):
                other = used.setdefault(_character_to_key(key) if len(key) == 1 else key, id)
                # Screens may shadow a key of the app by default; a person's keymap should not.
                if other != id and (id in keymap or other in keymap):
                    yield f"{key}: stands for {other} and for {id} in {name}"
