"""The gate lets nothing through that acts on a terminal; figures read as the design says."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector import text as gate

ANYTHING = st.text(
    st.characters(exclude_categories=()) | st.sampled_from("\x1b\x9b\n\t\r\u200d\ufe0f👩🏽é\u0301")
)
CLOSED = {"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"}


def allowed(character: str) -> bool:
    return character in "\n\u200d\ufe0f" or unicodedata.category(character) not in CLOSED


@given(ANYTHING)
def test_only_allowed_code_points_come_out(raw: str) -> None:
    assert all(allowed(c) for c in gate.printable(raw))
    assert all(allowed(c) and c != "\n" for c in gate.printable_line(raw))


@given(ANYTHING)
def test_gate_is_idempotent_and_keeps_places(raw: str) -> None:
    once = gate.printable(raw)
    assert gate.printable(once) == once
    assert len(once) == len(raw)
    assert gate.printable_line(gate.printable_line(raw)) == gate.printable_line(raw)


def test_every_single_code_point_is_judged() -> None:
    for code in range(0x110000):
        drawn = gate.printable(f"x{chr(code)}")[1]
        assert allowed(drawn), hex(code)
        assert drawn == chr(code) or drawn == "\ufffd" or 0x2400 <= ord(drawn) <= 0x2421, hex(code)


@pytest.mark.parametrize(
    ("raw", "drawn"),
    [
        ("\x1b[31m", "␛[31m"),
        ("a\x00b\x7f", "a␀b␡"),
        ("\r\n\t", "␍\n␉"),
        ("\x9b31m", "\ufffd31m"),
        ("\x85\u2028\u2029\ufeff", "\ufffd" * 4),
        ("\u202eabc\u2066", "\ufffdabc\ufffd"),
        ("a\u200bb\u200cc", "a\ufffdb\ufffdc"),
        ("\ud800x\udfff", "\ufffdx\ufffd"),
        ("\U000e0041\ufdd0\uffff", "\ufffd" * 3),
        ("\u3164\ufe00", "\ufffd\ufffd"),
        ("naïve – “日本語” ▲", "naïve – “日本語” ▲"),
        ("nerd \ue0b0 font", "nerd \ue0b0 font"),
    ],
)
def test_hostile_and_harmless_text_is_told_apart(raw: str, drawn: str) -> None:
    assert gate.printable(raw) == drawn


@pytest.mark.parametrize(
    "emoji", ["👩\u200d👧", "⚠\ufe0f", "👍🏽", "#\ufe0f\u20e3", "👩🏽\u200d🚀", "👨\u200d👩\u200d👧\u200d👦"]
)
def test_emoji_sequences_stay_whole(emoji: str) -> None:
    assert gate.printable(emoji) == emoji


@pytest.mark.parametrize("raw", ["a\u200db", "👩\u200d", "a🏽", "é\ufe0f", "\u0301x", "a\n\u0301"])
def test_marks_and_joiners_without_a_place_are_replaced(raw: str) -> None:
    assert "\ufffd" in gate.printable(raw)


def test_floods_of_marks_and_joiners_are_limited() -> None:
    flood = gate.printable("e" + "\u0301" * 1000)
    assert max(map(len, flood.split("\ufffd"))) <= 9
    chain = gate.printable("\u200d".join("👩" * 100))
    assert max(part.count("\u200d") for part in chain.split("\ufffd")) == 3


def test_line_shows_its_line_feeds() -> None:
    assert gate.printable_line("a\nb") == "a␊b"


@pytest.mark.parametrize(
    ("raw", "found"),
    [("plain\ttext\n", False), ("日本", False), ("x\x1b", True), ("\u202e", True), ("a\r", True)],
)
def test_control_characters_are_noticed(raw: str, found: bool) -> None:
    assert gate.has_controls(raw) is found


@given(ANYTHING, st.integers(0, 30), st.sampled_from(["start", "end", "middle"]))
def test_fitted_text_never_takes_more_cells(raw: str, width: int, keep: str) -> None:
    from rich.cells import cell_len

    line = gate.fit(raw, width, keep)  # type: ignore[arg-type] # a plain str in this list
    assert gate.cells(line) <= width
    assert cell_len(line) <= width
    assert gate.printable_line(line) == line
    assert gate.cells(gate.column(raw, width)) == width


def test_cells_never_count_less_than_textual() -> None:
    from rich.cells import cell_len

    for code in range(0x110000):
        drawn = gate.printable_line(f"x{chr(code)}x")
        assert gate.cells(drawn) == cell_len(drawn), hex(code)


@pytest.mark.parametrize(
    ("keep", "cut"), [("start", "toolu_01…"), ("end", "…Wqk3.txt"), ("middle", "tool….txt")]
)
def test_each_part_of_a_name_can_be_kept(keep: str, cut: str) -> None:
    assert gate.fit("toolu_01AbCdWqk3.txt", 9, keep) == cut  # type: ignore[arg-type] # as above


def test_fit_looks_only_at_what_can_show() -> None:
    huge = "\x1b" * 50_000_000
    assert gate.fit(huge, 5) == "␛␛␛␛…"
    assert gate.fit(huge, 5, "end") == "…␛␛␛␛"


def test_tabs_go_to_the_next_stop_counted_in_cells() -> None:
    assert gate.expand_tabs("a\tb") == "a       b"
    assert gate.expand_tabs("日本\tb") == "日本    b"
    assert gate.expand_tabs("sixsix\t|") == "sixsix  |"
    assert gate.expand_tabs("\x1b\tx") == "\x1b       x"


@pytest.mark.parametrize(
    ("tool", "argument", "width", "shown"),
    [
        ("Read", "/home/mara/shop/src/orders/ledger.py", 22, "Read …orders/ledger.py"),
        ("Bash", "git log -p --since=2.weeks", 16, "Bash git log -p…"),
        ("mcp__warehouse__query_rows", "select 1", 40, "…__warehouse__query_rows select 1"),
        ("mcp__warehouse__query_rows", "select 1", 11, "…query_rows"),
        ("Fetch", "https://example.org/a/long/page", 20, "Fetch https://examp…"),
        ("TodoWrite", "", 20, "TodoWrite"),
        ("Bash", "ls", 0, ""),
    ],
)
def test_a_call_keeps_the_end_of_a_path_and_of_a_long_tool_name(
    tool: str, argument: str, width: int, shown: str
) -> None:
    assert gate.fit_call(tool, argument, width) == shown


@given(ANYTHING, ANYTHING, st.integers(0, 60))
def test_a_fitted_call_never_takes_more_cells(tool: str, argument: str, width: int) -> None:
    assert gate.cells(gate.fit_call(tool, argument, width)) <= width
