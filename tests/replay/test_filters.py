"""The filter language says what it means, prints itself, and points at what it does not understand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.model.findings import KINDS
from inspector.model.ledger import Level, State
from inspector.replay.filters import (
    CHOICES,
    FIELDS,
    NUMBERS,
    Facts,
    Filter,
    FilterError,
    Span,
    Term,
    complete,
    parse_filter,
)
from inspector.replay.view import Repair, ResultRow

ROW = ResultRow(
    index=4,
    id="toolu_01AbC",
    tool="Bash",
    argument="pytest -x",
    chars=30_000,
    counted=True,
    pairing=Repair.SYNTHETIC,
    repaired_now=False,
    state=State.MUST_REAPPLY,
    decided_now=False,
    level=Level.PREVIEW,
    wire_chars=2_164,
    estimated=False,
    level_reason="",
    recorded="differs",
    line=9,
    sentence="",
    turn=7,
    request=8,
    age=3,
    is_error=True,
)
FACTS = Facts(ROW, ("missing_result", "prefix_break"), lambda: "first line\nPanic: no memory")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tool:Bash",
        "tool:bash",
        "tool:Read,Bash",
        "-tool:Read",
        "size>20000",
        "size>=30000",
        "size<30_001",
        "size<=30k",
        "size:30000",
        "size:3-30k",
        "size:20000-",
        "size:-40k",
        "wire=2164",
        "turn:3-9",
        "age>2",
        "request:8",
        "request:1-8,20",
        "state:replaced",
        "state:must-reapply",
        "level:preview,truncated",
        "pairing:synthetic",
        "is:error",
        "is:repaired,now",
        "-is:now",
        "is:differs",
        "is:counted",
        "-is:estimated",
        "finding:missing",
        "finding:orphan,prefix_break",
        "id:toolu_",
        'text:"panic: no"',
        "-text:heap",
        "pytest",
        '"-x"',
        "-Glob",
        "tool:Bash size>20000 is:error finding:prefix text:MEMORY",
        "STATE:Replaced",
    ],
)
def test_words_that_hold(text: str) -> None:
    assert parse_filter(text).matches(FACTS)


@pytest.mark.parametrize(
    "text",
    [
        "tool:Bas",
        "-tool:Bash",
        "size>30000",
        "size<30000",
        "turn:8-",
        "state:frozen",
        "level:full",
        "is:now",
        "finding:orphan",
        "id:AbX",
        "text:heap",
        "ruff",
        "tool:Bash is:now",
        "-state:replaced",
    ],
)
def test_words_that_do_not_hold(text: str) -> None:
    assert not parse_filter(text).matches(FACTS)


def test_an_unknown_size_is_in_no_range() -> None:
    row = ResultRow(0, "", "", "", None, False, Repair.PENDING, False, State.PENDING, False, Level.GONE, None,
                    False, "", "", 1, "")  # fmt: skip
    assert not parse_filter("size<5").matches(Facts(row))
    assert parse_filter("-size<5").matches(Facts(row))


def test_a_text_is_read_only_where_it_decides() -> None:
    def read() -> str:
        raise AssertionError("read in vain")

    assert not parse_filter("text:x tool:Read").matches(Facts(ROW, (), read))
    found = parse_filter("tool:Bash text:x")
    assert found.without_texts == parse_filter("tool:Bash")


@pytest.mark.parametrize(
    ("text", "column", "part"),
    [
        ("tool:Bash colour:red", 11, "there is no field 'colour'; possible: tool, size"),
        ("-colour:red", 2, "there is no field"),
        ("state:gone", 7, "state is never 'gone'; possible: fresh, replaced"),
        ("level:full,best", 12, "level is never 'best'"),
        ("size>many", 6, "'many' is no figure"),
        ("turn:9-3", 6, "empty"),
        ("turn:3-x", 8, "'x' is no figure"),
        ("turn:-", 6, "a range needs a figure"),
        ("size<0", 6, "nothing is less than 0"),
        ("tool>Bash", 5, "tool takes no '>'"),
        ("finding:quux", 9, "no kind of finding"),
        ('text:""', 6, "text needs a word"),
        ("size>" + "9" * 5000, 6, "is no figure"),
        ("size>²", 6, "is no figure"),
    ],
)
def test_an_error_points_at_the_place_and_says_what_is_possible(text: str, column: int, part: str) -> None:
    with pytest.raises(FilterError) as caught:
        parse_filter(text)
    assert caught.value.column == column
    assert part in str(caught.value)


# -- printing ---------------------------------------------------------------------------------

ODD = st.sampled_from('tolsize:><=-",\\ 9k²x\n\u00a0İ語\ud800\x1b')
"""Characters that mean something to the language, and some that mean trouble elsewhere."""
figures = st.integers(min_value=0, max_value=10**14)
spans = st.one_of(
    figures.map(lambda n: Span(n, n)),
    figures.map(lambda n: Span(n, None)),
    figures.map(lambda n: Span(None, n)),
    st.tuples(figures, figures).map(lambda pair: Span(min(pair), max(pair))),
)


def _values(field: str) -> st.SearchStrategy[object]:
    if field in NUMBERS:
        return spans
    if field in CHOICES:
        return st.sampled_from(CHOICES[field])
    if field == "finding":
        return st.sampled_from(sorted(KINDS))
    return st.text(ODD, min_size=1 if field else 0, max_size=8)


terms = st.sampled_from(["", *FIELDS]).flatmap(
    lambda field: st.builds(
        Term, st.just(field), st.lists(_values(field), min_size=1, max_size=3).map(tuple), st.booleans()
    )
)


@given(st.lists(terms, max_size=4).map(lambda found: Filter(tuple(found))))
def test_every_printed_filter_parses_back(filter_: Filter) -> None:
    assert parse_filter(str(filter_)) == filter_


@given(st.text(ODD, max_size=24))
def test_the_parser_raises_nothing_but_its_own_error(text: str) -> None:
    try:
        found = parse_filter(text)
    except FilterError as error:
        column = error.column
    else:
        column = 1
        assert parse_filter(str(found)) == found
        found.matches(FACTS)
    assert 1 <= column <= len(text) + 1


# -- completion -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("to", "tool:"),
        ("tool:Bash -st", "tool:Bash -state:"),
        ("si", "size"),
        ("state:re", "state:replaced"),
        ("level:full,tr", "level:full,truncated"),
        ("tool:B", "tool:Bash"),
        ('tool:"m', 'tool:"my tool"'),
        ("finding:over_t", "finding:over_turn_budget"),
    ],
)
def test_completion_goes_on_where_the_typing_stopped(text: str, first: str) -> None:
    assert complete(text, tools=["Bash", "my tool"])[0] == first


@pytest.mark.parametrize("text", ["", "tool:Bash ", 'text:"a b', "zz", "size>2", "state:replaced"])
def test_nothing_is_completed_where_nothing_can_be_known(text: str) -> None:
    assert complete(text, tools=["Bash"]) == []


@given(st.text(ODD, max_size=20))
def test_completions_begin_with_what_was_typed(text: str) -> None:
    assert all(found.casefold().startswith(text.casefold()) for found in complete(text))
