"""Policies over a real session: shown in its place, compared, saved, and given up when not wanted."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from queue import Queue

import pytest

from inspector.app.catalog import opened
from inspector.app.feed import FeedState, FeedUpdate, OpenSession
from inspector.app.policies import SessionPolicies
from inspector.app.session import SessionFeed
from inspector.errors import UsageError
from inspector.model.policy import CHATCLI, CLAUDE_CODE, DOCUMENTED, Policy
from inspector.session import open_session
from inspector.session.replays import RECORDED
from tests.app.policy_stage import BASE
from tests.claude_session import grown

EDITED = BASE.with_field("budget.turn_limit", 60_000).with_field("name", "documented*")


def always() -> bool:
    return True


class Reader:
    """A session that was read to its end, and the updates that came of it."""

    def __init__(self, folder: Path, turns: int = 30, policy: Policy = BASE) -> None:
        self.path = grown(turns).write(folder / "slow-import.jsonl")
        self.session: OpenSession = opened(self.path, policy=policy, follow=False)
        self.updates: list[FeedUpdate] = []
        done = threading.Event()

        def take(update: FeedUpdate) -> None:
            self.updates.append(update)
            if update.state is FeedState.ENDED:
                done.set()

        self.session.feed.start(take)
        assert done.wait(10)
        time.sleep(0.05)

    @property
    def policies(self) -> SessionPolicies:
        found = self.session.sources.policies
        assert isinstance(found, SessionPolicies)
        return found

    @property
    def feed(self) -> SessionFeed:
        assert isinstance(self.session.feed, SessionFeed)
        return self.session.feed


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    return Reader(tmp_path)


def test_what_is_shown_is_the_session_under_that_policy(reader: Reader) -> None:
    assert reader.policies.show(EDITED, always)
    view = reader.updates[-1].view
    assert view.policy is EDITED and reader.policies.current is EDITED
    with open_session(reader.path, policy=EDITED) as other:
        expected = [r.wire_chars for r in other.timeline.requests]
        assert [f.fact for f in view.findings] == [f.fact for f in other.findings()]
    assert [view.request(n).wire_chars for n in range(1, view.request_count + 1)] == expected


def test_going_back_shows_what_was_there_before(reader: Reader) -> None:
    before = reader.updates[-1].view
    sizes = [before.request(n).wire_chars for n in range(1, before.request_count + 1)]
    reader.policies.show(EDITED, always)
    reader.policies.show(BASE, always)
    view = reader.updates[-1].view
    assert [view.request(n).wire_chars for n in range(1, view.request_count + 1)] == sizes
    assert reader.feed.session.policy_origins == {}


def test_edited_fields_say_where_they_come_from(reader: Reader) -> None:
    reader.policies.show(EDITED, always)
    assert reader.feed.session.policy_origins == {"budget.turn_limit": "what-if"}


def test_the_ratio_of_tokens_is_that_of_what_was_sent(reader: Reader) -> None:
    ratio = reader.updates[-1].view.chars_per_token
    reader.policies.show(EDITED, always)
    assert reader.updates[-1].view.chars_per_token == ratio
    reader.policies.show(BASE, always)
    assert reader.updates[-1].view.chars_per_token == ratio


def test_a_replay_that_is_not_wanted_is_given_up(reader: Reader) -> None:
    count = len(reader.updates)
    assert not reader.policies.show(EDITED, lambda: False)
    assert reader.policies.compare(BASE, EDITED, lambda: False) is None
    assert reader.policies.current is BASE and len(reader.updates) == count


def test_comparing_shows_nothing(reader: Reader) -> None:
    count = len(reader.updates)
    found = reader.policies.compare(BASE, EDITED, always)
    assert found is not None
    assert found.b_totals.replaced > found.a_totals.replaced
    assert found.chars_per_token and found.window_chars
    assert reader.policies.current is BASE and len(reader.updates) == count


def test_a_comparison_counts_what_was_read_meanwhile(reader: Reader) -> None:
    first = reader.policies.compare(BASE, EDITED, always)
    grown(34).write(reader.path)
    with reader.feed.lock:
        reader.feed.session.poll()
    second = reader.policies.compare(BASE, EDITED, always)
    assert first is not None and second is not None
    assert len(second.requests) == len(first.requests) + 4


def test_a_session_that_started_over_is_replayed_anew(reader: Reader) -> None:
    assert reader.policies.compare(BASE, EDITED, always) is not None
    grown(9).write(reader.path)
    with reader.feed.lock:
        reader.feed.session.poll()
    found = reader.policies.compare(BASE, EDITED, always)
    assert found is not None and len(found.requests) == 10


def test_choices_are_base_the_edited_one_presets_and_recorded(reader: Reader) -> None:
    assert [p.name for p in reader.policies.choices()] == [
        "documented", "documented", "claude-code", "chatcli", RECORDED,
    ]  # fmt: skip
    recorded = reader.policies.choices()[-1]
    for policy in (EDITED, CHATCLI, recorded):
        reader.policies.show(policy, always)
    choices = reader.policies.choices()
    assert choices[0] is BASE and choices[1] is EDITED


def test_a_preset_that_is_the_base_is_offered_once(tmp_path: Path) -> None:
    policies = Reader(tmp_path, policy=DOCUMENTED).policies
    assert [p.name for p in policies.choices()] == ["documented", "claude-code", "chatcli", RECORDED]


def test_a_policy_is_saved_and_loaded(reader: Reader, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    path = reader.policies.save(EDITED, str(folder / "tight"))
    assert path == str(folder / "tight.toml")
    assert reader.policies.load(path) == EDITED.with_field("name", "tight")


@pytest.mark.parametrize("name", ["", "  ", "{session}/p.toml", "{session}/slow-import/tool-results/p"])
def test_nothing_is_saved_beside_the_session(reader: Reader, tmp_path: Path, name: str) -> None:
    (tmp_path / "slow-import" / "tool-results").mkdir(parents=True)
    with pytest.raises(UsageError):
        reader.policies.save(EDITED, name.format(session=reader.path.parent))
    assert not list(reader.path.parent.rglob("*.toml"))


def test_a_session_that_is_followed_grows_under_the_policy_shown(tmp_path: Path) -> None:
    path = grown(20).write(tmp_path / "slow-import.jsonl")
    session = opened(path, policy=BASE, follow=True)
    updates: Queue[FeedUpdate] = Queue()
    session.feed.start(updates.put)
    try:
        while updates.get(timeout=10).state is not FeedState.LIVE:
            pass
        assert session.sources.policies is not None
        assert session.sources.policies.show(EDITED, always)
        grown(24).write(path)
        newest = updates.get(timeout=10)
        while newest.view.request_count < 25 or not newest.view.findings:
            newest = updates.get(timeout=10)
        assert newest.view.policy is EDITED
        with open_session(path, policy=EDITED, live=True) as other:
            assert newest.view.request(25).wire_chars == other.timeline.requests[24].wire_chars
    finally:
        session.feed.stop()


def test_a_sub_agent_is_compared_under_the_same_choice(reader: Reader) -> None:
    reader.policies.show(EDITED, always)
    agent = reader.policies.in_thread("")
    assert agent.base is BASE and agent.current is EDITED
    assert agent.compare(BASE, EDITED, always) == reader.policies.compare(BASE, EDITED, always)


def test_chatcli_is_a_policy_like_the_others(reader: Reader) -> None:
    found = reader.policies.compare(BASE, CHATCLI, always)
    assert found is not None and len(found.requests) == 31
    assert reader.policies.show(CHATCLI, always)
    with open_session(reader.path, policy=CHATCLI) as other:
        expected = [r.wire_chars for r in other.timeline.requests]
    assert [r.b_chars for r in found.requests] == expected


def test_many_policies_keep_only_the_newest_replays(reader: Reader) -> None:
    for limit in range(10_000, 90_000, 10_000):
        reader.policies.compare(BASE, BASE.with_field("budget.turn_limit", limit), always)
    assert len(reader.policies._replays._kept) <= 4


def test_the_session_is_read_on_under_the_policy_shown(reader: Reader) -> None:
    reader.policies.show(CLAUDE_CODE, always)
    grown(33).write(reader.path)
    with reader.feed.lock:
        reader.feed.session.poll()
    with open_session(reader.path, policy=CLAUDE_CODE) as other:
        expected = [r.wire_chars for r in other.timeline.requests]
    assert [r.wire_chars for r in reader.feed.session.timeline.requests] == expected
