"""The sentence of the detail pane: its lead stands out, and it is wrapped, never cut in a word."""

from __future__ import annotations

import pytest
from msgspec import structs

from inspector.app.feed import Tab
from inspector.app.theme import ink
from inspector.app.widgets.detail import DetailTabs, result_head, split_sentence, tab_places, turn_head
from inspector.app.widgets.drawing import parts_width
from inspector.model.ledger import Level
from tests.app.fakes import FakeView

VIEW = FakeView()


@pytest.mark.parametrize(
    ("sentence", "lead"),
    [
        ("R replaced now: the group was over", "R replaced now"),
        ("× dropped: never answered", "× dropped"),
        ("sent in full: nothing to say", ""),
        ("no colon at all", ""),
        ("a very long start of a sentence before: a colon", ""),
        ("", ""),
    ],
)
def test_only_a_sign_and_a_word_are_a_lead(sentence: str, lead: str) -> None:
    assert split_sentence(sentence)[0] == lead


@pytest.mark.parametrize("width", [40, 76, 116])
@pytest.mark.parametrize("roomy", [True, False])
def test_no_line_of_the_head_is_wider_than_the_pane(width: int, roomy: bool) -> None:
    for index in range(40, 60):
        head = result_head(VIEW.result(index, 60), width, roomy=roomy, side=roomy)
        assert all(parts_width(parts) <= width for parts in head)
    assert all(
        parts_width(parts) <= width for parts in turn_head(VIEW.turn(37, 38), width, "chars", roomy=roomy)
    )


def test_a_short_pane_keeps_two_lines_at_most() -> None:
    head = result_head(VIEW.result(VIEW.turn_results(37, 38)[0], 38), 76, roomy=False, side=False)
    assert len(head) == 2
    assert head[0][0] == ("R replaced now", "replaced", True)


def test_a_short_pane_says_all_of_what_was_recorded_otherwise() -> None:
    said = (
        "≠ Recorded: requests 8–11 sent another content, 21,698 chars where 12,472 are predicted; the wire"
        " of request 8 shows both."
    )
    result = structs.replace(VIEW.result(VIEW.turn_results(37, 38)[0], 38), otherwise=said)
    head = result_head(result, 76, roomy=False, side=False)
    assert " ".join("".join(text for text, _, _ in line).strip() for line in head[1:]) == said
    assert len(head) == 3


def test_a_turn_that_left_the_context_does_not_fit_but_is_sent_no_more() -> None:
    turn = structs.replace(VIEW.turn(36, 38), counted=22, over_by=0, level=Level.GONE, wire_chars=0)
    (line, *_) = turn_head(turn, 200, "chars", roomy=False)
    words = "".join(text for text, _, _ in line)
    assert words.endswith("22 of 200,000 chars counted; nothing of it is sent any more.")
    (line, *_) = turn_head(structs.replace(turn, level=Level.FULL, wire_chars=22), 200, "chars", roomy=False)
    assert "".join(text for text, _, _ in line).endswith("counted; it fits; 22 on the wire.")


@pytest.mark.parametrize("width", [39, 45, 53, 54, 80, 120])
def test_every_view_has_its_name_however_narrow_the_pane_at_the_side_is(width: int) -> None:
    places = tab_places(width)
    assert [tab for tab, _, _ in places] == [*Tab]
    ends = [start + len(name) + 2 for _, start, name in places]
    assert ends[-1] <= width
    assert all(end <= start for end, (_, start, _) in zip(ends, places[1:], strict=False))
    tabs = DetailTabs()
    drawn = "".join(segment.text for segment in tabs.draw(width, ink("dark")).segments)
    assert all(drawn[start + 1 :].startswith(f"{name} ") for _, start, name in places)
