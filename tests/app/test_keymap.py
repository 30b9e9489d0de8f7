"""Keymaps: read whole, checked whole, refused with everything that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.app.keymap import (
    LARGEST_BYTES,
    binding_of,
    checked,
    key_name,
    keymap_file,
    known_ids,
    read_keymap,
)
from inspector.app.keys import key_table
from inspector.errors import InspectorError, UsageError
from tests.app.stages import bottom, frame_of, make_app


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "keys.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_it_is_looked_for_in_the_configuration_directory() -> None:
    home = Path("/home/a")
    assert keymap_file({}, home) == home / ".config/inspector/keys.toml"
    assert keymap_file({"XDG_CONFIG_HOME": "/c"}, home) == Path("/c/inspector/keys.toml")
    assert keymap_file({"XDG_CONFIG_HOME": "c"}, home) == home / ".config/inspector/keys.toml"


def test_ids_are_dotted_or_quoted_and_keys_words_or_lists(tmp_path: Path) -> None:
    path = write(tmp_path, 'step.back = "h"\n"step.on" = ["l", "right"]\n[detail]\ncopy = "ctrl+y"\n')
    assert read_keymap(path) == {"step.back": "h", "step.on": "l,right", "detail.copy": "ctrl+y"}


def test_a_file_that_is_not_there_changes_nothing(tmp_path: Path) -> None:
    assert read_keymap(tmp_path / "keys.toml") == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('step.bak = "h"', "step.bak: there is no such action; near: step.back"),
        ('zzzzzz = "h"', "zzzzzz: there is no such action"),
        ("step.back = 3", "a key is a word in quotes"),
        ("step.back = []", "a key is a word in quotes"),
        ('step.back = ""', "a key is a word in quotes"),
        ('step.back = "pgup"', "'pgup': there is no such key"),
        ('step.back = "control+h"', "'control' is no modifier; there are alt, ctrl"),
        ('step.back = "ctrl+H"', "write 'ctrl+shift+h'"),
        ('step.back = "n"', "n: stands for step.back and for step.finding in LedgerScreen"),
        ('step.back = "q"', "q: stands for step.back and for app.quit in LedgerScreen"),
        ('step.back = "Q"', "Q: stands for step.back and for tab.close in LedgerScreen"),
        ('step.back = "h"\nstep.on = "h"', "h: stands for step.back and for step.on"),
        ("step.back = = 1", "line 1"),
        pytest.param(f"{'a.' * 5_000}b = 'h'", "nested too deep", id="nested"),
    ],
)
def test_mistakes_are_said_with_the_file_and_what_is_possible(tmp_path: Path, text: str, words: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        read_keymap(path)
    assert words in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_all_mistakes_are_said_at_once() -> None:
    _, problems = checked({"step": {"bak": "h", "on": "hyperspace"}, "f": 1})
    assert len(problems) == 3


def test_keys_may_change_places() -> None:
    keymap, problems = checked({"step": {"finding": "N", "finding_before": "n"}})
    assert (keymap, problems) == ({"step.finding": "N", "step.finding_before": "n"}, [])


@pytest.mark.parametrize("data", [b"\xff\xfe", b"a" * (LARGEST_BYTES + 1)])
def test_what_is_no_text_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "keys.toml").write_bytes(data)
    with pytest.raises(InspectorError):
        read_keymap(tmp_path / "keys.toml")


def test_a_directory_in_its_place_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InspectorError, match="not an ordinary file"):
        read_keymap(tmp_path)


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("h", "h"), ("?", "question_mark"), ("question_mark", "question_mark"), ("pageup", "pageup"),
        ("ctrl+h", "ctrl+h"), ("shift+tab", "shift+tab"), ("f12", "f12"), ("ö", "ö"), ("+", "plus"),
        ("ctrl+pageup", "ctrl+pageup"), ("'", "apostrophe"), ("space", "space"),
    ],
)  # fmt: skip
def test_keys_are_signs_names_or_with_modifiers(key: str, name: str) -> None:
    assert key_name(key) == name


@pytest.mark.parametrize("key", ["", "ctrl+", "nokey", "ctrl+nokey", "a,b", "\x1b"])
def test_what_is_no_key_is_refused(key: str) -> None:
    with pytest.raises(UsageError):
        key_name(key)


def test_bindings_are_found_by_their_ids() -> None:
    assert binding_of("no.such") is None
    assert all(binding_of(id) is binding for id, binding in known_ids().items())


def test_the_defaults_themselves_can_be_written_down() -> None:
    """A person who copies the keys as they are gets no complaint about a key's name."""
    for id, binding in known_ids().items():
        for key in binding.key.split(","):
            assert key_name(key), id


async def test_help_and_hints_follow_a_keymap() -> None:
    app = make_app(request=38)
    keymap, problems = checked({"step": {"back": "h", "run": "f8"}})
    assert not problems
    app.set_keymap(keymap)
    async with app.run_test(size=(160, 40)) as pilot:
        await pilot.press("h")
        assert frame_of(app).request == 37
        assert ("F8", "Run to the next request that breaks") in dict(key_table(app.screen))["Requests"]
        assert "F8  run" in bottom(app)
