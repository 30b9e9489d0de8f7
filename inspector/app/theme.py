"""Colour tokens, the themes made of them, and `Ink`: the only place that turns a token into a style.

Lines are drawn as segments, not as widgets, so their colours cannot come from a stylesheet. Both
take them from the same table: `.tcss` files by `$fresh`, drawing code by `ink.style("fresh")`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from rich.style import Style
from textual.app import App
from textual.theme import Theme

from inspector.app.plain_signs import SESSION_TEXT

DARK: Mapping[str, str] = {
    "bg": "#14171c", "surface": "#1b1f26", "panel": "#232933",
    "select": "#263a52", "now-column": "#22344a", "saved": "#3b3325",
    "strong": "#f2f5f9", "fg": "#cfd5de", "muted": "#8c96a5", "ghost": "#626d7e", "line": "#343b47",
    "accent": "#79b8ff", "fresh": "#79b8ff", "frozen": "#a9b7c9",
    "replaced": "#e8b85c", "must-reapply": "#b8924a", "skipped": "#8c96a5",
    "truncated": "#5fc4b8", "summarized": "#4a9b93",
    "repaired": "#8ccf7e", "orphan": "#8ccf7e", "ok": "#8ccf7e",
    "over-budget": "#ff7a70", "prefix-break": "#ff7a70",
    "compaction": "#c3a1f0", "recorded-differs": "#c3a1f0",
    "bar": "#7d8ea3", "bar-future": "#485363",
}  # fmt: skip
"""Token → colour of the dark theme; the other themes have the same keys."""

LIGHT: Mapping[str, str] = {
    "bg": "#fcfcfa", "surface": "#f3f3ef", "panel": "#e7e8e3",
    "select": "#d3e4f7", "now-column": "#dce9f7", "saved": "#efe4cc",
    "strong": "#0c1014", "fg": "#2b3138", "muted": "#626a75", "ghost": "#8b908b", "line": "#d0d2cc",
    "accent": "#0b61b8", "fresh": "#0b61b8", "frozen": "#475a70",
    "replaced": "#8a5a00", "must-reapply": "#8f6e2c", "skipped": "#626a75",
    "truncated": "#0c7268", "summarized": "#3f7f78",
    "repaired": "#2d7330", "orphan": "#2d7330", "ok": "#2d7330",
    "over-budget": "#c0261c", "prefix-break": "#c0261c",
    "compaction": "#6c43ad", "recorded-differs": "#6c43ad",
    "bar": "#7d8b9b", "bar-future": "#bcc4cb",
}  # fmt: skip

CONTRAST: Mapping[str, str] = {
    "bg": "#000000", "surface": "#10141a", "panel": "#1c242f",
    "select": "#003a70", "now-column": "#002a52", "saved": "#3a2f10",
    "strong": "#ffffff", "fg": "#f4f6f9", "muted": "#c3cbd6", "ghost": "#98a3b3", "line": "#5b6675",
    "accent": "#8cc8ff", "fresh": "#8cc8ff", "frozen": "#dbe5f1",
    "replaced": "#ffd166", "must-reapply": "#e0b050", "skipped": "#c3cbd6",
    "truncated": "#6fe8d8", "summarized": "#58c8ba",
    "repaired": "#9df08c", "orphan": "#9df08c", "ok": "#9df08c",
    "over-budget": "#ff8f86", "prefix-break": "#ff8f86",
    "compaction": "#d9bcff", "recorded-differs": "#d9bcff",
    "bar": "#a9bbd1", "bar-future": "#6b7a8f",
}  # fmt: skip

MONO: Mapping[str, str] = {
    "bg": "#101010", "surface": "#101010", "panel": "#101010",
    "select": "#d6d6d6", "now-column": "#101010", "saved": "#101010",
    "strong": "#ffffff", "fg": "#c6c6c6", "muted": "#8a8a8a", "ghost": "#767676", "line": "#4c4c4c",
    "accent": "#ffffff", "fresh": "#ffffff", "frozen": "#c6c6c6",
    "replaced": "#ffffff", "must-reapply": "#8a8a8a", "skipped": "#8a8a8a",
    "truncated": "#c6c6c6", "summarized": "#8a8a8a",
    "repaired": "#ffffff", "orphan": "#ffffff", "ok": "#c6c6c6",
    "over-budget": "#ffffff", "prefix-break": "#ffffff",
    "compaction": "#ffffff", "recorded-differs": "#ffffff",
    "bar": "#c6c6c6", "bar-future": "#808080",
}  # fmt: skip

ASCII_CLASS = "-ascii"
"""Class of an app that draws our signs in ASCII."""

STEP_UP: Mapping[str, str] = {
    "muted": "fg",
    "ghost": "muted",
    "must-reapply": "replaced",
    "summarized": "truncated",
}
"""On the selected row these tokens move up one step, or they would be too faint on its tint."""

BOLD_IN_MONO = frozenset(
    {"strong", "accent", "fresh", "over-budget", "prefix-break", "recorded-differs", "compaction"}
)
"""Without colour these are told by weight."""

DIM_IN_MONO = frozenset(
    {"muted", "ghost", "line", "skipped", "must-reapply", "summarized", "bar-future"}
)  # fmt: skip


def _theme(name: str, tokens: Mapping[str, str], *, dark: bool) -> Theme:
    return Theme(
        name=name,
        primary=tokens["accent"],
        secondary=tokens["frozen"],
        accent=tokens["accent"],
        warning=tokens["replaced"],
        error=tokens["over-budget"],
        success=tokens["ok"],
        foreground=tokens["fg"],
        background=tokens["bg"],
        surface=tokens["surface"],
        panel=tokens["panel"],
        dark=dark,
        variables={
            **{name: value for name, value in tokens.items() if name not in {"surface", "panel", "accent"}},
            "scrollbar": tokens["line"],
            "scrollbar-hover": tokens["ghost"],
            "scrollbar-active": tokens["accent"],
            "scrollbar-background": tokens["bg"],
            "scrollbar-background-hover": tokens["bg"],
            "scrollbar-background-active": tokens["bg"],
            "scrollbar-corner-color": tokens["bg"],
            "footer-key-foreground": tokens["accent"],
            "border": tokens["line"],
            "input-cursor-background": tokens["accent"],
        },
    )


THEMES: Mapping[str, Theme] = {
    "dark": _theme("dark", DARK, dark=True),
    "light": _theme("light", LIGHT, dark=False),
    "mono": _theme("mono", MONO, dark=True),
    "contrast": _theme("contrast", CONTRAST, dark=True),
}
"""The themes by name; `mono` is the one without colour."""

_TOKENS: Mapping[str, Mapping[str, str]] = {
    "dark": DARK, "light": LIGHT, "mono": MONO, "contrast": CONTRAST,
}  # fmt: skip


@dataclass(eq=False)
class Ink:
    """Styles of one theme by token. One object per theme, so `is` tells whether the theme changed."""

    tokens: Mapping[str, str]
    """Token → colour."""
    mono: bool = False
    """Whether weight takes the place of hue, and the selected row is reversed."""
    plain: bool = False
    """Whether the terminal gets attributes only and no colour at all (`NO_COLOR`)."""
    ascii: bool = False
    """Whether our signs are drawn in ASCII."""
    _styles: dict[tuple[str, str, bool | None], Style] = field(default_factory=dict, repr=False)

    def style(self, name: str = "fg", *, on: str = "bg", bold: bool | None = None) -> Style:
        """The style of a token on a background.

        Args:
            name: Foreground token.
            on: Background token; on `select` faint tokens step up.
            bold: Whether to draw bold; None leaves it to the theme.

        Raises:
            KeyError: There is no such token.
        """
        key = (name, on, bold)
        found = self._styles.get(key)
        if found is None:
            found = self._styles[key] = self._make(name, on, bold)
        return found

    def session(self, style: Style) -> Style:
        """The style of a text that is a session's own: its signs stay what they are, also in ASCII.

        Args:
            style: The style that it has otherwise.
        """
        return style + SESSION_TEXT if self.ascii else style

    def _make(self, token: str, on: str, bold: bool | None) -> Style:
        selected = on == "select"
        if selected:
            token = STEP_UP.get(token, token)
        if not self.mono:
            return Style(color=self.tokens[token], bgcolor=self.tokens[on], bold=bold)
        weight = bold or token in BOLD_IN_MONO
        if self.plain:
            dim = token in DIM_IN_MONO and not weight
            return Style(bold=weight or None, dim=dim or None, reverse=selected or None)
        color = self.tokens["bg"] if selected else self.tokens[token]
        return Style(color=color, bgcolor=self.tokens[on], bold=weight or None)


@cache
def ink(theme: str, *, plain: bool = False, ascii: bool = False) -> Ink:
    """The ink of a theme.

    Args:
        theme: Name of a theme; a foreign one gets the dark colours.
        plain: Whether the terminal wants no colour at all.
        ascii: Whether our signs are drawn in ASCII.
    """
    if plain:
        return Ink(MONO, mono=True, plain=True, ascii=ascii)
    return Ink(_TOKENS.get(theme, DARK), mono=theme == "mono", ascii=ascii)


def ink_of(app: App[Any]) -> Ink:
    """The ink of the theme that an app shows now."""
    return ink(app.theme, plain=app.no_color, ascii=app.has_class(ASCII_CLASS))


def theme_for_terminal(environ: Mapping[str, str] | None = None) -> str:
    """The theme to start with.

    `NO_COLOR` asks for none; `COLORFGBG` (`foreground;background`) tells a light background by 7 or 15.

    Args:
        environ: Environment; None takes the process's own.
    """
    environ = os.environ if environ is None else environ
    if environ.get("NO_COLOR"):
        return "mono"
    background = environ.get("COLORFGBG", "").rpartition(";")[2]
    return "light" if background in {"7", "15"} else "dark"
