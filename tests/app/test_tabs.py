from __future__ import annotations

from inspector.app.feed import FeedState, FeedUpdate, OpenSession, Sources
from inspector.app.tabs import SessionTab, Tabs
from tests.app.fakes import FakeDetails, FakeFeed, FakeView


def session(path: str = "") -> OpenSession:
    return OpenSession(FakeFeed(None), Sources(FakeDetails(FakeView())), path)


def update(requests: int, state: FeedState = FeedState.LIVE) -> FeedUpdate:
    return FeedUpdate(FakeView(requests, title=f"of {requests}"), state)


def test_a_new_tab_stands_behind_the_one_shown_and_is_not_shown_by_itself() -> None:
    tabs = Tabs("first")
    first = tabs.shown
    two, is_fresh = tabs.add(session())
    assert is_fresh
    assert tabs.shown is first
    three, _ = tabs.add(session())
    assert list(tabs) == [first, three, two]
    assert len({tab.mode for tab in tabs}) == 3


def test_the_ends_meet() -> None:
    tabs = Tabs("first")
    first = tabs.shown
    two, _ = tabs.add(session())
    assert tabs.beside(1) is two
    assert tabs.beside(-1) is two
    tabs.show(two)
    assert tabs.beside(1) is first
    assert [tabs.at(0), tabs.at(1), tabs.at(2), tabs.at(-1)] == [first, two, None, None]


def test_the_stack_of_a_closed_tab_is_used_again() -> None:
    tabs = Tabs("first")
    two, _ = tabs.add(session())
    assert tabs.remove(tabs.shown) is two
    tabs.show(two)
    again, is_fresh = tabs.add(session())
    assert not is_fresh
    assert again.mode == "first"
    assert tabs.remove(again) is two


def test_a_session_is_found_by_its_feed_and_by_its_file() -> None:
    tabs = Tabs("first")
    one, two = session("/s/one.jsonl"), session("")
    (tab, _), (demo, _) = tabs.add(one), tabs.add(two)
    assert tabs.of(one.feed) is tab
    assert tabs.of(two.feed) is demo
    assert tabs.of(session().feed) is None
    assert tabs.holding("/s/one.jsonl") is tab
    assert tabs.holding("") is None
    assert tabs.holding("/s/two.jsonl") is None


def test_only_what_comes_after_the_first_reading_is_new() -> None:
    tab = SessionTab("m", session("/s/one.jsonl"))
    assert tab.title == "one"
    tab.take(update(5, FeedState.INDEXING))
    tab.take(update(40, FeedState.LIVE))
    assert (tab.title, tab.requests, tab.fresh_requests) == ("of 40", 40, 0)
    tab.take(update(43))
    assert tab.fresh_requests == 3
    tab.take(update(2, FeedState.TRUNCATED))
    assert tab.fresh_requests == 0


def test_a_tab_that_is_left_begins_to_count_there() -> None:
    tabs = Tabs("first")
    first = tabs.shown
    first.session = session()
    other, _ = tabs.add(session())
    first.take(update(10))
    first.take(update(12))
    assert tabs.words()[0].fresh_requests == 0, "what one looks at is not counted"
    tabs.show(other)
    first.take(update(15))
    assert [words.fresh_requests for words in tabs.words()] == [3, 0]


def test_one_tab_has_no_row() -> None:
    assert Tabs("first").words() == ()
