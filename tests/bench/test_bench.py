"""The benchmark itself runs, on sessions so small that nobody waits for it. Nothing is timed here."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.session import open_session
from tests.bench import generator
from tests.bench.table import Row, table
from tests.bench.work import WORKS

MAKERS = {
    "mixed": lambda path: generator.mixed(path, 0.3),
    "progress": lambda path: generator.mostly_progress(path, 300),
    "huge": lambda path: generator.one_huge_line(path, 0.5),
    "small": lambda path: generator.small_results(path, 60),
    "parallel": lambda path: generator.parallel_results(path, 40),
    "agents": lambda path: generator.many_agents(path, 3),
}


@pytest.mark.parametrize("name", MAKERS)
def test_a_made_session_is_read_without_a_bad_line(name: str, tmp_path: Path) -> None:
    path = MAKERS[name](tmp_path / "session.jsonl")
    with open_session(path) as session:
        assert session.kind.value.startswith("claude")
        assert not session.counts.bad_lines
        assert not session.counts.unknown_types
        assert session.timeline.requests


def test_the_same_seed_makes_the_same_bytes(tmp_path: Path) -> None:
    one, two = (generator.mixed(tmp_path / name / "s.jsonl", 0.2, seed=5) for name in ("a", "b"))
    assert one.read_bytes().replace(b"/a/", b"/b/") == two.read_bytes()


@pytest.mark.parametrize("name", WORKS)
def test_each_work_gives_its_figures(name: str, tmp_path: Path) -> None:
    path = generator.small_results(tmp_path / "session.jsonl", 60)
    figures = WORKS[name](path)
    assert figures["seconds"] >= 0


def test_reading_one_text_is_one_read_of_its_line(tmp_path: Path) -> None:
    path = generator.mixed(tmp_path / "session.jsonl", 0.3)
    figures = WORKS["one_text"](path)
    assert (figures["reads"], figures["read_bytes"]) == (1, 1)


def test_a_row_over_its_mark_is_marked() -> None:
    slow = Row("reading", "parsing", 2.0, 1.5, 2.0, 1.0)
    fine = Row("reading", "parsing", 1.0, None, 1.0, 1.0)
    assert [line[:4] for line in table([slow, fine]).splitlines()] == ["OVER", "    "]


def test_a_replay_under_another_policy_leaves_the_session_alone(tmp_path: Path) -> None:
    path = generator.mixed(tmp_path / "session.jsonl", 0.3)
    with open_session(path) as session, open_session(path, policy="documented") as other:
        before = [request.wire_chars for request in session.timeline.requests]
        replayed = session.replayed(other.policy)
        assert [r.wire_chars for r in replayed.requests] == [r.wire_chars for r in other.timeline.requests]
        assert [r.wire_chars for r in session.timeline.requests] == before
