"""Keys as people see them, taken from the bindings in force: a user's keymap shows everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from textual.app import App
from textual.binding import ActiveBinding
from textual.screen import Screen

from inspector.app.keymap import binding_of
from inspector.app.theme import ASCII_CLASS

FAMILIES = {
    "step": "Requests",
    "rows": "Rows",
    "stage": "Stages",
    "detail": "Detail",
    "text": "Text",
    "map": "Map",
    "whatif": "What-if",
    "compare": "Compare",
    "diff": "Diff",
    "screen": "Screens",
    "agent": "Sub-agents",
    "tab": "Tabs",
    "app": "App",
}
"""First part of a binding's id → heading in the help."""


NAMES = {
    "enter": "Enter", "escape": "Esc", "tab": "Tab", "space": "Space", "backspace": "Backspace",
    "home": "Home", "end": "End", "pageup": "PgUp", "pagedown": "PgDn", "delete": "Del", "insert": "Ins",
}  # fmt: skip
"""Keys by the names that keyboards print on them; their pictures are missing in many fonts."""
ARROWS = {"left": "Left", "right": "Right", "up": "Up", "down": "Down"}
"""Keys whose pictures have no ASCII form that is not a key itself."""
ARROW_SIGNS = {"left": "←", "right": "→", "up": "↑", "down": "↓"}
"""The same as pictures."""


def listed_bindings(screen: Screen[Any]) -> list[ActiveBinding]:
    """Bindings with an id that can be used now, one per action."""
    seen: set[str] = set()
    out = []
    for active in screen.active_bindings.values():
        id = active.binding.id
        if (
            id
            and id not in seen
            and active.enabled
            and active.binding.description
            and not active.binding.system
        ):
            seen.add(id)
            out.append(active)
    return out


def key_hints(screen: Screen[Any], wanted: Iterable[tuple[str, Sequence[str], str]]) -> list[tuple[str, str]]:
    """Key hints from the bindings in force.

    Args:
        screen: Where the person is.
        wanted: Word, ids of the bindings whose keys stand before it, and what joins these.

    Returns:
        Keys and word; a word none of whose bindings can be used is left out.
    """
    by_id = {active.binding.id: active for active in listed_bindings(screen)}
    out = []
    for word, ids, joint in wanted:
        keys = [display(screen.app, by_id[id]) for id in ids if id in by_id]
        if keys:
            out.append((joined(keys, joint), word))
    return out


def joined(keys: Sequence[str], joint: str = "") -> str:
    """Keys side by side.

    Args:
        keys: As they are drawn.
        joint: What stands between them; empty: nothing, but arrows that are words are kept apart.
    """
    return (joint or ("/" if set(keys) & set(ARROWS.values()) else "")).join(keys)


def display(app: App[Any], active: ActiveBinding) -> str:
    """A binding's key as it is drawn."""
    return app.get_key_display(active.binding)


def stated_key(app: App[Any], id: str) -> str:
    """The key of an action as it is drawn, whether or not it can be pressed just now.

    Args:
        app: The app, with the person's keymap.
        id: Id of a binding of any screen or widget, or a key that Textual itself takes, such as `tab`.
    """
    binding = binding_of(id)
    if binding is None:
        return key_name(app, id) or ARROW_SIGNS.get(id) or id
    # Textual offers no way to ask for the keymap that it was given.
    own = app._keymap.get(id)
    key = (own or binding.key).split(",")[0]
    if binding.key_display and not own:
        return binding.key_display
    return key_name(app, key) or app.get_key_display(binding.with_key(key))


def key_name(app: App[Any], key: str) -> str | None:
    """The name of a key as an app shows it: where signs are ASCII, arrows are words.

    Args:
        app: The app.
        key: As bindings have it.
    """
    return key_words(key) or (ARROWS.get(key) if app.has_class(ASCII_CLASS) else None)


def key_words(key: str) -> str | None:
    """The name of a key that has a name on keyboards; None for one that is a sign.

    Args:
        key: As bindings have it, such as `shift+tab`.
    """
    *modifiers, last = key.split("+")
    is_function = last.startswith("f") and last[1:].isdecimal()
    name = NAMES.get(last) or (last.upper() if modifiers or is_function else None)
    return "+".join([*(NAMES.get(m, m.capitalize()) for m in modifiers), name]) if name else None


def key_table(screen: Screen[Any]) -> list[tuple[str, list[tuple[str, str]]]]:
    """All keys that work on a screen, by family.

    Returns:
        Heading and its rows of key and what it does; families in the order of `FAMILIES`.
    """
    families: dict[str, list[tuple[str, str]]] = {}
    for active in listed_bindings(screen):
        binding = active.binding
        family = (binding.id or "").partition(".")[0]
        words = binding.tooltip or binding.description
        families.setdefault(family, []).append((display(screen.app, active), words))
    order = [*FAMILIES, *(family for family in families if family not in FAMILIES)]
    return [
        (FAMILIES.get(family, family.capitalize()), families[family])
        for family in order
        if family in families
    ]
