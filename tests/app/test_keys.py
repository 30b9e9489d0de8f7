"""Keys are named as keyboards name them."""

from __future__ import annotations

import pytest

from inspector.app.keys import key_words
from inspector.app.places import SCREEN_KEYS, screen_key
from inspector.app.screens.ledger_keys import BINDINGS, HINTS


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("enter", "Enter"),
        ("pageup", "PgUp"),
        ("shift+tab", "Shift+Tab"),
        ("ctrl+p", "Ctrl+P"),
        ("ctrl+home", "Ctrl+Home"),
        ("f5", "F5"),
        ("n", None),
        ("f", None),
        ("left", None),
        ("left_square_bracket", None),
    ],
)
def test_named_keys_have_their_names_and_signs_stay_signs(key: str, words: str | None) -> None:
    assert key_words(key) == words


def test_no_two_bindings_share_an_id_or_a_key() -> None:
    assert len({binding.id for binding in BINDINGS}) == len(BINDINGS)
    assert len({binding.key for binding in BINDINGS}) == len(BINDINGS)


def test_hints_name_bindings_that_exist() -> None:
    known = {binding.id for binding in BINDINGS} | {"tab.before", "tab.next"}
    assert {id for _, ids, _ in HINTS for id in ids} <= known


def test_registered_screens_are_found_by_name() -> None:
    for entry in SCREEN_KEYS:
        assert screen_key(entry.name) is entry
        assert entry.binding in BINDINGS
    assert screen_key("nowhere") is None
