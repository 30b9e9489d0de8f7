"""What can be compared: which texts there are, in which order, and what is said about the others."""

from __future__ import annotations

from dataclasses import replace

from inspector.app.diff_texts import BlockTexts, NamedText, ResultTexts, Texts, aged_request
from inspector.app.feed import Tab
from inspector.app.sources.wire import BlockPlace
from inspector.errors import UnreadableError
from inspector.model.ledger import Level, Span, State
from inspector.session.wire_view import Mark, Side
from tests.app.fakes import FakeDetails, FakeView
from tests.app.wires import Wires, row, wire_view


def names(texts: Texts) -> list[str]:
    return [text.name for text in texts.texts]


def span(start: int, level: Level, chars: int) -> Span:
    return Span(start, State.FROZEN, level, chars)


def texts_of(level: Level, request: int) -> tuple[ResultTexts, FakeDetails]:
    """The first result that stands so in a request."""
    view = FakeView()
    index = next(i for i in range(10_000) if view.result(i, request).level is level)
    details = FakeDetails(view)
    lifeline = view.lifeline(index)
    return ResultTexts(details, view.result(index, request), lifeline, request), details


def test_a_replaced_result_has_three_texts_and_so_three_pairs() -> None:
    source, _ = texts_of(Level.PREVIEW, 38)
    texts = source.read()
    assert names(texts) == ["transcript", "wire", "overflow file"]
    assert [(a.name, b.name) for a, b in texts.pairs] == [
        ("transcript", "wire"),
        ("transcript", "overflow file"),
        ("wire", "overflow file"),
    ]
    assert list(texts.missing) == []
    assert source.title.startswith("request 38 · turn ")


def test_a_text_that_cannot_be_had_is_left_out_with_its_reason() -> None:
    source, _ = texts_of(Level.TRUNCATED, 38)
    texts = source.read()
    assert "overflow file" not in names(texts)
    assert texts.missing == (["This result was never replaced, so it has no overflow file."])


def test_the_aged_text_is_read_from_the_request_that_first_sends_it() -> None:
    source, details = texts_of(Level.TRUNCATED, 38)
    texts = source.read()
    assert names(texts)[1] == "wire, aged"
    request = int(names(texts)[-1].removeprefix("aged text of request "))
    assert details.asked[-1] == (Tab.WIRE, details.asked[0][1], request)
    assert details.view.result(details.asked[0][1], request).level is Level.SUMMARIZED


def test_aged_text_is_the_last_one_and_none_where_the_wire_shows_it_already() -> None:
    life = (span(2, Level.FULL, 900), span(4, Level.TRUNCATED, 300), span(6, Level.CLEARED, 30))
    assert [aged_request(life, n) for n in (1, 2, 4, 5, 6, 9)] == [6, 6, 6, 6, None, None]


def test_the_aged_text_of_a_result_that_is_gone_is_still_known() -> None:
    life = (span(2, Level.FULL, 900), span(4, Level.SUMMARIZED, 60), span(8, Level.GONE, 0))
    assert aged_request(life, 9) == 4


def test_a_result_that_never_ages_has_no_aged_text() -> None:
    assert aged_request((span(2, Level.FULL, 9), span(5, Level.EXEMPT, 9)), 2) is None
    assert aged_request((), 3) is None


def test_a_block_is_compared_with_itself_in_the_request_before() -> None:
    source = Wires()
    changed = row(6, 1, "result", "Grep\n def", 96, Mark.CHANGED, 1_536)
    view = replace(wire_view(40), other_chars=None)
    texts = BlockTexts(source, view, changed)
    assert names(texts.read()) == ["request 39", "request 40"]
    place = BlockPlace(40, 6, 1, 39)
    assert source.read == [(place, Side.BEFORE), (place, Side.PREDICTED)]
    assert texts.title == "message 6, block 1 · result Grep def"


def test_a_block_of_a_recorded_request_is_compared_with_the_recorded_one_and_the_prediction() -> None:
    view = replace(wire_view(40), against=7, side=Side.RECORDED)
    texts = BlockTexts(Wires(), view, row(6, 1, "result", "Grep", 96, Mark.CHANGED, 1_536))
    assert names(texts.read()) == ["request 7 recorded", "request 40 recorded", "request 40"]


class Torn(Wires):
    """The request before has no such block, and this one cannot be read."""

    def text(self, block: BlockPlace, side: Side) -> str | None:
        if side is Side.BEFORE:
            return None
        raise UnreadableError("the file is gone")


def test_a_block_that_cannot_be_read_is_said_and_nothing_is_compared() -> None:
    view = replace(wire_view(40), other_chars=None)
    texts = BlockTexts(Torn(), view, row(6, 0, "result", "x", 9, Mark.CHANGED, 8)).read()
    assert texts.pairs == ()
    assert texts.missing == ["request 39: there is no such block", "request 40: the file is gone"]


def test_pairs_keep_the_order_of_the_texts() -> None:
    a, b = NamedText("a", ""), NamedText("b", "")
    assert Texts([a, b]).pairs == ((a, b),)
    assert Texts([a]).pairs == ()
