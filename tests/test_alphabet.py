"""Both forms of our signs: nothing that we draw lacks an ASCII form, and none stands for two things."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.alphabet import ASCII, VARIABLE, Charset, charset_of, in_ascii, without_pictures
from inspector.app.screens.overflow import FILE_STATES
from inspector.app.signs import DIFFERS, EVENTS, FINDINGS, LEVELS, REMOVED, REPAIRS, SAME, STATES
from inspector.app.widgets.map_cells import FULL_MARKS
from inspector.app.widgets.wire_rows import MARKS
from inspector.report.facts import SIGNS as SEVERITIES
from inspector.text import cells

PACKAGE = Path(__file__).parent.parent / "inspector"
DRAWN = ("app", "report", "replay", "why", "session", "cli", "scan", "text.py", "model", "overflow.py")
"""Parts whose texts people see."""
NOT_DRAWN = {
    "report/json_text.py", "report/checks.py", "report/html.py", "report/markdown.py", "report/pictures.py",
    "replay/chatcli_saved.py", "session/process_findings.py", "text.py",
}  # fmt: skip
"""Tables of code points, files for browsers, and texts that are compared with a session's."""


def literals(path: Path) -> Iterator[str]:
    """Texts of a module without its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    notes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes:
            yield node.value


SOURCES = [
    path
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.relative_to(PACKAGE).parts[0] in DRAWN and str(path.relative_to(PACKAGE)) not in NOT_DRAWN
]


def test_every_sign_that_a_source_draws_has_an_ascii_form() -> None:
    missing = {
        (str(path.relative_to(PACKAGE)), sign)
        for path in SOURCES
        for text in literals(path)
        for sign in text
        if not sign.isascii() and sign not in ASCII
    }
    assert not missing
    assert len(SOURCES) > 100


def test_each_form_is_ascii_and_as_wide() -> None:
    for sign, form in ASCII.items():
        assert form.isascii()
        assert form.isprintable()
        assert cells(form) == cells(sign), sign


def all_signs() -> Mapping[str, set[str]]:
    """Table → its signs."""
    return {
        "states": {sign.sign for sign in (*STATES.values(), *REMOVED.values())},
        "levels": {sign.sign for sign in LEVELS.values()} | {mark.text for mark in FULL_MARKS},
        "repairs": {sign.sign for sign in REPAIRS.values()},
        "events": {sign.sign for sign in (*EVENTS.values(), DIFFERS, SAME)},
        "wire": {sign for sign, _ in MARKS.values()} | {"×"},
        "findings": {*FINDINGS.values(), "!"},
        "files": {sign.sign for sign in FILE_STATES.values()},
        "severities": set(SEVERITIES.values()),
    }


@pytest.mark.parametrize("turned", [False, True], ids=["signs", "ascii"])
def test_one_sign_stands_for_one_thing_wherever_it_stands(turned: bool) -> None:
    """What two signs tell apart, two ASCII signs tell apart, over all tables together."""
    everything = set().union(*all_signs().values())
    # A full text is one thing on all screens, drawn as a block on the map and as a square in a list.
    everything.discard("■")
    # So is an error: `×` on the screens, `✗` in reports.
    everything.discard("✗")
    forms = {in_ascii(sign) for sign in everything} if turned else everything
    assert len(forms) == len(everything), sorted(everything)
    assert all(len(form) == 1 for form in forms)


@pytest.mark.parametrize("table", [STATES, REPAIRS], ids=["states", "repairs"])
def test_ascii_tells_states_apart_as_the_signs_do(table: Mapping[object, tuple[str, str, str]]) -> None:
    by_sign = {word: sign for sign, word, _ in table.values()}
    by_form = {word: in_ascii(sign) for word, sign in by_sign.items()}
    for word, sign in by_sign.items():
        assert {w for w in by_sign if by_sign[w] == sign} == {
            w for w in by_form if by_form[w] == by_form[word]
        }


@given(st.text())
def test_other_letters_stay_and_nothing_moves(text: str) -> None:
    turned = in_ascii(text)
    if text.isascii():
        assert turned == text
    assert in_ascii(turned) == turned
    assert len(without_pictures(text)) == len(text)


def test_a_whole_frame_is_turned() -> None:
    assert in_ascii("┌─┬─┐│█│╔═╗║▀▟") == '+-+-+|#|+-+"##'
    assert in_ascii("déjà 漢字") == "déjà 漢字"


SIGNS, PLAIN = Charset(), Charset(ascii=True)


@pytest.mark.parametrize(
    ("asked", "environ", "encoding", "charset"),
    [
        (None, {}, "utf-8", SIGNS),
        (None, {}, None, SIGNS),
        (None, {"LANG": "en_GB.UTF-8", "TERM": "xterm-256color"}, "UTF8", SIGNS),
        (True, {"LANG": "en_GB.UTF-8"}, "utf-8", PLAIN),
        (None, {VARIABLE: "1"}, "utf-8", PLAIN),
        (False, {VARIABLE: "1"}, "utf-8", SIGNS),
        (None, {"TERM": "linux"}, "utf-8", PLAIN),
        (None, {"TERM": "linux", VARIABLE: "0"}, "utf-8", SIGNS),
        (None, {"LANG": "C"}, "utf-8", Charset(True, "ascii")),
        (None, {"LANG": "C", "LC_ALL": "de_DE.UTF-8"}, "utf-8", SIGNS),
        (None, {"LANG": "", "LC_ALL": "POSIX"}, "utf-8", Charset(True, "ascii")),
        (None, {"LANG": "C.UTF-8"}, "utf-8", SIGNS),
        (None, {"LANG": "de_DE.ISO-8859-1"}, "iso-8859-1", Charset(True, "iso-8859-1")),
        (False, {"LANG": "C"}, "utf-8", Charset(False, "ascii")),
    ],
)
def test_what_a_terminal_can_show_is_drawn(
    asked: bool | None, environ: dict[str, str], encoding: str | None, charset: Charset
) -> None:
    assert charset_of(asked, environ, encoding) == charset


def test_a_file_has_no_font() -> None:
    assert not charset_of(None, {"TERM": "linux"}, "utf-8", terminal=False).ascii


def test_an_encoding_that_nobody_knows_is_taken_for_a_narrow_one() -> None:
    assert charset_of(None, {}, "ascii").ascii
    assert charset_of(None, {}, "no-such-codec").ascii
