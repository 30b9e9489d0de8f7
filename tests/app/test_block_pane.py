"""What the pane below the wire shows first, and what else there is to show."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inspector.app.block_pane import Choice, choice_words, choices, choices_of, pane_title, read_choice
from inspector.app.sources.wire import BlockPlace, UnsentPlace
from inspector.app.widgets.wire_rows import ShownLine
from inspector.errors import UsageError
from inspector.session.wire_view import Mark, Side
from tests.app.wires import Wires, left_out_view, row, wire_view

VIEW = wire_view(40)
CHANGED = row(6, 0, "result", "Grep", 96, Mark.CHANGED, 1_536)
OTHERWISE = row(4, 0, "result", "Bash", 2_204, Mark.SAME, 2_204, recorded=2_181)


def test_a_change_comes_first_then_what_was_recorded_otherwise_then_the_text() -> None:
    assert choices(VIEW, CHANGED)[0] == Choice(Side.PREDICTED, Side.BEFORE)
    assert choices(VIEW, OTHERWISE)[0] == Choice(Side.RECORDED, Side.PREDICTED)
    plain = replace(VIEW, other_chars=None)
    assert choices(plain, replace(OTHERWISE, differs=False)) == [Choice(Side.PREDICTED), Choice(Side.BEFORE)]


def test_the_first_request_has_none_before_it() -> None:
    first = replace(VIEW, request=1, against=None, other_chars=None)
    assert choices(first, replace(CHANGED, mark=Mark.NEW)) == [Choice(Side.PREDICTED)]


def test_titles_say_whose_texts_are_compared() -> None:
    assert choice_words(VIEW, Choice(Side.PREDICTED, Side.BEFORE)) == "request 39 → request 40"
    assert choice_words(VIEW, Choice(Side.RECORDED, Side.PREDICTED)) == "request 40: predicted → recorded"
    assert choice_words(VIEW, Choice(Side.RECORDED)) == "request 40 recorded"


def test_what_is_not_sent_has_one_text_and_is_said_to_be_not_sent() -> None:
    orphan = ShownLine(None, unsent=left_out_view(40).unsent[1])
    assert choices_of(VIEW, orphan) == [Choice(Side.PREDICTED)]
    assert choices_of(VIEW, ShownLine(CHANGED)) == choices(VIEW, CHANGED)
    title = pane_title(VIEW, orphan, Choice(Side.PREDICTED))
    assert title == "result (no call) toolu_x, not sent in request 40"
    assert pane_title(VIEW, ShownLine(CHANGED), Choice(Side.RECORDED)).endswith(
        "block 0, request 40 recorded"
    )
    found = read_choice(Wires(), UnsentPlace(40, 7, 1), Choice(Side.PREDICTED), VIEW, orphan)
    assert (found.text, found.summary) == ("block 1 of record 7", "1,310 UTF-16 units")


class Known(Wires):
    def __init__(self, texts: dict[Side, str]) -> None:
        super().__init__()
        self._texts = texts

    def text(self, block: BlockPlace | UnsentPlace, side: Side) -> str | None:
        return self._texts.get(side)


PLACE = BlockPlace(40, 6, 0)
SHOWN = ShownLine(CHANGED)


def test_a_difference_has_signs_and_sizes() -> None:
    source = Known({Side.BEFORE: "old", Side.PREDICTED: "newer"})
    found = read_choice(source, PLACE, Choice(Side.PREDICTED, Side.BEFORE), VIEW, SHOWN)
    assert found.text == "- old\n+ newer"
    assert found.summary == "1,536 → 96 UTF-16 units, −1 +1 lines"


def test_sizes_are_those_of_the_list_whatever_the_text_counts() -> None:
    """A call is laid out to be read, and bytes or UTF-16 units are more than characters."""
    source = Known({Side.PREDICTED: '{\n  "a": 1\n}', Side.RECORDED: "x", Side.BEFORE: "y"})
    call = ShownLine(row(5, 0, "call", "Grep def verify_", 7, Mark.SAME, 38, recorded=9))
    sides = (Side.PREDICTED, Side.RECORDED, Side.BEFORE)
    told = [read_choice(source, PLACE, Choice(side), VIEW, call).summary for side in sides]
    assert told == ["7 UTF-16 units", "9 UTF-16 units", "38 UTF-16 units"]
    about = read_choice(source, PLACE, Choice(Side.PREDICTED), VIEW, call._replace(estimated=True))
    assert about.summary == "≈7 UTF-16 units"
    recorded = replace(VIEW, side=Side.RECORDED)
    assert read_choice(source, PLACE, Choice(Side.PREDICTED), recorded, call).summary == "9 UTF-16 units"


def test_equal_texts_of_a_changed_block_say_so() -> None:
    source = Known({Side.BEFORE: "same", Side.PREDICTED: "same"})
    assert (
        "another field"
        in read_choice(source, PLACE, Choice(Side.PREDICTED, Side.BEFORE), VIEW, SHOWN).summary
    )


def test_a_block_that_a_side_has_not_is_said() -> None:
    with pytest.raises(UsageError, match="no such block"):
        read_choice(Known({}), PLACE, Choice(Side.RECORDED), VIEW, SHOWN)


def test_left_out_lines_are_our_own_words_and_turn_to_ascii_with_the_signs() -> None:
    equal = "".join(f"{n}\n" for n in range(40))
    source = Known({Side.BEFORE: f"{equal}old", Side.PREDICTED: f"{equal}new"})
    found = read_choice(source, PLACE, Choice(Side.PREDICTED, Side.BEFORE), VIEW, SHOWN)
    assert [found.text.split("\n")[at][0] for at in found.own_lines] == ["⋯"]
