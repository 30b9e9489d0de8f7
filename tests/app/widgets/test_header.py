"""The wording of states, and what gives way when the line is short."""

from __future__ import annotations

import msgspec
import pytest

from inspector.app.feed import FeedState, FeedUpdate, Progress
from inspector.app.frame import Frame
from inspector.app.theme import ink
from inspector.app.widgets.drawing import Line
from inspector.app.widgets.header import (
    TITLE_CELLS,
    Facts,
    Header,
    draw_progress,
    event_signs,
    notice_shown,
    place_part,
    status_parts,
)
from inspector.replay.view import RequestRow
from tests.app.fakes import FakeView

VIEW = FakeView()


def frame(state: FeedState, *, following: bool = True, fresh: int = 0, ended_at: str = "") -> Frame:
    return Frame(FeedUpdate(VIEW, state, ended_at=ended_at), 38, following, fresh)


PLAYING = Frame(FeedUpdate(VIEW, FeedState.LIVE), 38, following=False, fresh_requests=3, playing=True)


@pytest.mark.parametrize(
    ("shown", "wide", "narrow"),
    [
        (frame(FeedState.LIVE), "● live", "● live"),
        (frame(FeedState.LIVE, following=False), "║ paused · End follows", "║ paused"),
        (PLAYING, "► playing 4/s · Space stops", "► playing 4/s"),
        (
            frame(FeedState.LIVE, following=False, fresh=3),
            "║ paused · 3 new requests · End follows",
            "║ paused · 3 new",
        ),
        (
            frame(FeedState.LIVE, following=False, fresh=1),
            "║ paused · 1 new request · End follows",
            "║ paused · 1 new",
        ),
        (frame(FeedState.ENDED, ended_at="14:41"), "■ ended 14:41", "■ ended 14:41"),
        (frame(FeedState.ENDED, following=False), "■ ended", "■ ended"),
        (frame(FeedState.ENDED, ended_at="2026-10-21"), "■ ended 2026-10-21", "■ ended"),
        (frame(FeedState.INDEXING), "indexing", "indexing"),
        (frame(FeedState.DELETED, following=False), "× deleted", "× deleted"),
        (frame(FeedState.TRUNCATED, following=False), "║ paused · End follows", "║ paused"),
    ],
)
def test_states_have_their_words(shown: Frame, wide: str, narrow: str) -> None:
    assert "".join(text for text, _, _ in status_parts(shown, wide=True)) == wide
    assert "".join(text for text, _, _ in status_parts(shown, wide=False)) == narrow


def test_the_place_says_that_more_may_come() -> None:
    assert place_part(frame(FeedState.LIVE), wide=True)[0] == "request 38 of 112"
    assert place_part(frame(FeedState.INDEXING), wide=False)[0] == "38 / 112+"


@pytest.mark.parametrize(
    ("done", "total", "remaining", "words"),
    [
        (214_000_000, 412_000_000, 6.2, "52 %  214 of 412 MB   about 6 s"),
        (0, 0, None, "0 %  0.0 of 0.0 MB"),
        (5_000_000, 4_000_000, 0.01, "100 %  5.0 of 4.0 MB   about 1 s"),
        (1_000_000, 9_000_000_000, 130.0, "0 %  1.0 of 9,000 MB   about 2 min 10 s"),
    ],
)
def test_progress_is_said_in_figures_and_never_leaves_its_line(
    done: int, total: int, remaining: float | None, words: str
) -> None:
    line = Line(ink("dark"))
    draw_progress(line, Progress(done, total, remaining), 100)
    text = "".join(segment.text for segment in line.segments)
    assert text.endswith(words)
    assert len(text) <= 100


def test_events_of_a_request_are_all_named_the_strongest_first() -> None:
    words = [sign.word for sign in event_signs(VIEW.request(38))]
    assert words == ["over budget", "repair", "planned break", "differs"]


def test_a_notice_stands_only_where_there_is_something_to_say() -> None:
    assert not notice_shown(FeedUpdate(VIEW, FeedState.LIVE))
    assert not notice_shown(FeedUpdate(VIEW, FeedState.INDEXING))
    assert notice_shown(FeedUpdate(VIEW, FeedState.INDEXING, Progress(1, 2)))
    assert notice_shown(FeedUpdate(VIEW, FeedState.DELETED))
    assert notice_shown(FeedUpdate(VIEW, FeedState.LIVE, note="No file events: x."))


class ThinkingView(FakeView):
    """Every answer holds thinking."""

    def request(self, n: int) -> RequestRow:
        return msgspec.structs.replace(super().request(n), thinking_chars=4_512)


@pytest.mark.parametrize("view", [FakeView(), ThinkingView()])
def test_the_thinking_of_an_answer_is_a_fact_of_its_request_where_there_is_any(view: FakeView) -> None:
    shown = Frame(FeedUpdate(view, FeedState.LIVE), 38, True)
    facts = Facts()
    facts.set_reactive(Facts.frame, shown)
    drawn = "".join(segment.text for segment in facts.draw(160, ink("dark")).segments)
    assert ("thinking in its answer 4,512 chars" in drawn) is isinstance(view, ThinkingView)


class NotedView(FakeView):
    """A session with a title of some length, and a reason for its policy."""

    def __init__(self, note: str) -> None:
        super().__init__()
        self.title = "Why the checkout answers with 500 since we moved the sessions"
        self.policy_note = note


@pytest.mark.parametrize(
    ("note", "brief"),
    [
        ("budget on (replacement records prove it)", "budget on"),
        ("budget off (assumed: no replacement record)", "budget off (assumed)"),
        ("by turn order, positional pairing, budget on, no ledger", "budget on, no ledger"),
        ("2 fields changed", "2 fields changed"),
    ],
)
def test_a_wider_line_never_says_less_of_the_title(note: str, brief: str) -> None:
    shown = Frame(FeedUpdate(NotedView(note), FeedState.LIVE), 38, following=False)
    header = Header()
    header.set_reactive(Header.frame, shown)
    drawn = {
        width: "".join(segment.text for segment in header.draw(width, ink("dark")).segments)
        for width in range(100, 240)
    }
    title = shown.view.title
    for width, line in drawn.items():
        assert title[: TITLE_CELLS - 1] in line, width
        assert len(line) <= width
        assert "  ║" in line, width
    assert any(f"{brief} " in line and note not in line for line in drawn.values()) is (note != brief)
    assert note in drawn[239]
