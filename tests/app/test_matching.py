"""Matching asks every result once, newest turn first, and reads no text in vain."""

from __future__ import annotations

from inspector.app.matching import TextMatches, kinds_by_id, match_rows
from inspector.app.widgets.match_index import MatchIndex
from inspector.app.widgets.turn_index import Folds, Place
from inspector.model.findings import Finding, Severity
from inspector.replay.filters import parse_filter
from tests.app.fakes import CrowdView, FakeView

VIEW = FakeView()


def no_text(index: int, request: int) -> str:
    raise AssertionError("read in vain")


def test_turns_come_newest_first_with_only_what_passes() -> None:
    found = match_rows(VIEW, 38, parse_filter("tool:Bash size>100000"), TextMatches(no_text))
    assert found is not None
    assert [turn for turn, _ in found.turns] == [37, 32]
    assert found.count == 2
    assert found.looked_at == sum(len(VIEW.turn_results(t, 38)) for t in range(1, 38))


def test_findings_are_asked_by_id() -> None:
    found = match_rows(VIEW, 38, parse_filter("finding:missing"), TextMatches(no_text))
    assert found is not None
    ids = {VIEW.result(index, 38).id for _, results in found.turns for index in results}
    assert ids
    assert ids <= {f.ids[0] for f in VIEW.findings if f.kind == "missing_result"}
    known = kinds_by_id(
        [
            Finding("bad_line", Severity.ERROR, "", ids=("a", "b")),
            Finding("nul_run", Severity.INFO, "", ids=("a",)),
        ]
    )
    assert known == {"a": {"bad_line", "nul_run"}, "b": {"bad_line"}}


def test_a_request_without_results_and_a_stop() -> None:
    filter_ = parse_filter("Bash")
    empty = match_rows(FakeView(0, turns={}), 0, filter_, TextMatches(no_text))
    assert empty is not None
    assert (empty.count, empty.looked_at) == (0, 0)
    assert match_rows(VIEW, 38, filter_, TextMatches(no_text), stopped=lambda: True) is None


def test_progress_is_told_and_texts_are_read_once_for_all_words() -> None:
    read: list[int] = []
    told: list[int] = []

    def text(index: int, request: int) -> str:
        read.append(index)
        return "panic"

    texts = TextMatches(text)
    filter_ = parse_filter("tool:Grep text:panic -text:calm")
    first = match_rows(VIEW, 38, filter_, texts, tell=told.append)
    again = match_rows(VIEW, 39, filter_, texts)
    assert first is not None
    assert again is not None
    assert first.count == len(read) == len(set(read))
    assert told == list(range(first.looked_at))


def test_a_hundred_thousand_results_are_a_matter_of_seconds() -> None:
    view = CrowdView(25_000, 4)
    found = match_rows(view, 25_001, parse_filter("turn:7"), TextMatches(no_text))
    assert found is not None
    assert (found.count, found.looked_at) == (0, 100_000)


# -- rows -------------------------------------------------------------------------------------


def index(request: int, words: str = "tool:Bash size>100000", folds: Folds | None = None) -> MatchIndex:
    found = match_rows(VIEW, 38, parse_filter(words), TextMatches(no_text))
    assert found is not None
    return MatchIndex(VIEW, request, folds or Folds(), found)


def test_rows_are_headings_and_what_passes() -> None:
    rows = index(38)
    places = [rows.place(row) for row in range(len(rows))]
    assert [place.turn for place in places] == [37, 37, 32, 32]
    assert [place.result is None for place in places] == [True, False, True, False]
    assert [rows.row_of(place) for place in places] == [0, 1, 2, 3]
    assert rows.row_of(Place(35)) == 2, "what is not there is found at the next older turn"
    assert rows.row_of(Place(40)) == 0
    assert rows.row_of(Place(3)) == 3
    assert rows.row_of(Place(37, 999_999)) == 0


def test_folded_turns_keep_their_heading() -> None:
    rows = index(38, folds=Folds(folded={37}))
    assert [rows.place(row).turn for row in range(len(rows))] == [37, 32, 32]
    assert not rows.is_open(37)
    assert rows.is_open(32)


def test_matches_of_another_request_stand_in_as_far_as_this_one_knows_them() -> None:
    rows = index(34)
    assert [rows.place(row).turn for row in range(len(rows))] == [32, 32]


def test_an_empty_index_has_no_place() -> None:
    rows = index(38, "tool:Nope")
    assert len(rows) == 0
    assert rows.row_of(Place(1)) == 0
