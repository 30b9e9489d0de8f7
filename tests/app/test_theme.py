"""Every theme has every token, and what hue tells is told by weight where there is no hue."""

from __future__ import annotations

import pytest

from inspector.app.theme import CONTRAST, DARK, LIGHT, MONO, STEP_UP, THEMES, ink, theme_for_terminal


def luminance(color: str) -> float:
    """Relative luminance as WCAG defines it."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("tokens", [LIGHT, CONTRAST, MONO], ids=["light", "contrast", "mono"])
def test_every_theme_has_the_tokens_of_the_dark_one(tokens: dict[str, str]) -> None:
    assert tokens.keys() == DARK.keys()


@pytest.mark.parametrize(("tokens", "least"), [(DARK, 4.5), (LIGHT, 4.4), (CONTRAST, 7.0)])
@pytest.mark.parametrize(
    "name", ["fg", "muted", "accent", "replaced", "over-budget", "repaired", "compaction"]
)
def test_texts_stand_out_from_the_background(tokens: dict[str, str], least: float, name: str) -> None:
    assert contrast(tokens[name], tokens["bg"]) >= least


@pytest.mark.parametrize("name", sorted(THEMES))
def test_theme_hands_its_tokens_to_the_stylesheet(name: str) -> None:
    assert THEMES[name].variables["must-reapply"].startswith("#")


@pytest.mark.parametrize(("faint", "stronger"), sorted(STEP_UP.items()))
def test_faint_tokens_step_up_on_the_selected_row(faint: str, stronger: str) -> None:
    dark = ink("dark")
    assert dark.style(faint, on="select").color == dark.style(stronger).color


def test_mono_draws_the_selected_row_reversed() -> None:
    row = ink("mono").style("fg", on="select")
    assert row.bgcolor is not None
    assert row.color is not None
    assert row.color.name == MONO["bg"]
    assert row.bgcolor.name == MONO["select"]


def test_mono_tells_strong_tokens_by_weight() -> None:
    assert ink("mono").style("over-budget").bold
    assert not ink("mono").style("muted").bold


def test_a_terminal_without_colour_gets_attributes_only() -> None:
    plain = ink("dark", plain=True)
    for name in DARK:
        style = plain.style(name, on="select")
        assert style.color is None
        assert style.bgcolor is None
        assert style.reverse


def test_an_ink_is_the_same_object_for_the_same_theme() -> None:
    assert ink("dark") is ink("dark")
    assert ink("dark") is not ink("light")


@pytest.mark.parametrize(
    ("environ", "theme"),
    [
        ({}, "dark"),
        ({"NO_COLOR": "1"}, "mono"),
        ({"NO_COLOR": ""}, "dark"),
        ({"COLORFGBG": "15;0"}, "dark"),
        ({"COLORFGBG": "0;15"}, "light"),
        ({"COLORFGBG": "0;default;7"}, "light"),
        ({"COLORFGBG": "nonsense"}, "dark"),
    ],
)
def test_first_theme_fits_the_terminal(environ: dict[str, str], theme: str) -> None:
    assert theme_for_terminal(environ) == theme
