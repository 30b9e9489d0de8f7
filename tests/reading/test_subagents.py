from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.reading import subagents
from inspector.reading.subagents import AgentFinder, find_subagents

LINE = json.dumps({"type": "user", "isSidechain": True, "sessionId": "s1"})


def make(path: Path, text: str = LINE, modified: float = 1_000.0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (modified, modified))
    return path


@pytest.fixture
def session(tmp_path: Path) -> Path:
    return make(tmp_path / "p" / "s1.jsonl")


def test_agents_below_the_session_come_oldest_first_with_their_metadata(session: Path) -> None:
    folder = session.parent / "s1" / "subagents"
    make(folder / "agent-b.jsonl", modified=200)
    make(folder / "agent-a.jsonl.gz", modified=300)
    meta = {"agentType": "Explore", "toolUseId": "toolu_1", "description": "look around", "spawnDepth": 1}
    make(folder / "agent-b.meta.json", json.dumps(meta))
    make(folder / "journal.jsonl")
    first, second = find_subagents(session).agents
    assert (first.id, first.agent_type, first.description, first.tool_use_id) == (
        "b", "Explore", "look around", "toolu_1",
    )  # fmt: skip
    assert (second.id, second.agent_type) == ("a", "")
    assert first.path.parent == folder.resolve()


def test_agents_of_a_workflow_name_it(session: Path) -> None:
    make(session.parent / "s1" / "subagents" / "workflows" / "wf_7" / "agent-x.jsonl")
    (agent,) = find_subagents(session).agents
    assert (agent.id, agent.workflow) == ("x", "wf_7")


def test_agents_beside_the_session_are_told_by_their_session_id(session: Path) -> None:
    make(session.parent / "agent-1234567.jsonl")
    make(session.parent / "agent-7654321.jsonl", LINE.replace("s1", "s2"))
    make(session.parent / "agent-0000000.jsonl", "no record")
    assert [agent.id for agent in find_subagents(session).agents] == ["1234567"]


def test_packed_session_finds_the_same(session: Path) -> None:
    make(session.parent / "s1" / "subagents" / "agent-a.jsonl")
    assert len(find_subagents(session.parent / "s1.jsonl.gz").agents) == 1


def test_session_of_another_name_has_the_agents_of_the_id_that_it_states(session: Path) -> None:
    renamed = session.rename(session.with_name("exported.jsonl"))
    make(session.parent / "s1" / "subagents" / "agent-a.jsonl", modified=1)
    make(session.parent / "subagents" / "agent-b.jsonl", modified=2)
    make(session.parent / "subagents" / "agent-x.jsonl", LINE.replace("s1", "s2"))
    make(session.parent / "agent-c.jsonl", modified=3)
    assert [agent.id for agent in AgentFinder(renamed).find().agents] == ["a", "b", "c"]


@pytest.mark.parametrize("name", ["agent-a.jsonl", "0b6a7c1e-1111-4222-8333-944444444444.jsonl", "s1.jsonl"])
def test_session_under_its_own_name_takes_no_agents_from_a_directory_of_nobody(
    session: Path, name: str
) -> None:
    make(session.parent / "subagents" / "agent-b.jsonl")
    own = session.rename(session.with_name(name))
    assert [agent.id for agent in find_subagents(own).agents] == []


@pytest.mark.parametrize("id", ["..", ".", "a/b", "", "a\0b", "n" * 5_000])
def test_stated_id_that_is_no_name_leads_to_no_directory(session: Path, id: str) -> None:
    session.write_text(LINE.replace("s1", id))
    make(session.parent / "subagents" / "agent-b.jsonl", LINE.replace("s1", id))
    make(session.parent / "a" / "b" / "subagents" / "agent-b.jsonl")
    finder = AgentFinder(session)
    assert [finder.find().problems, finder.find().problems] == [(), ()]
    assert len(finder.find().agents) == (1 if len(id) > 2 and "/" not in id else 0)


def test_agent_has_no_agents_of_its_own(session: Path) -> None:
    agent = make(session.parent / "agent-1234567.jsonl")
    assert find_subagents(agent).agents == ()


@pytest.mark.parametrize("meta", ["", "{", "[]", '{"agentType": 5, "toolUseId": null}', "\0" * 100_000])
def test_odd_metadata_is_passed_over(session: Path, meta: str) -> None:
    folder = session.parent / "s1" / "subagents"
    make(folder / "agent-a.jsonl")
    make(folder / "agent-a.meta.json", meta)
    (agent,) = find_subagents(session).agents
    assert (agent.agent_type, agent.tool_use_id) == ("", "")


def test_links_are_not_followed(session: Path, tmp_path: Path) -> None:
    outside = make(tmp_path / "outside" / "agent-x.jsonl")
    folder = session.parent / "s1" / "subagents"
    make(folder / "agent-a.jsonl")
    (folder / "agent-b.jsonl").symlink_to(outside)
    (folder / "agent-a.meta.json").symlink_to(make(tmp_path / "m.json", '{"agentType": "stolen"}'))
    (folder / "deeper").symlink_to(outside.parent)
    (agent,) = find_subagents(session).agents
    assert (agent.id, agent.agent_type) == ("a", "")


def test_linked_folder_of_agents_is_not_entered(session: Path, tmp_path: Path) -> None:
    outside = make(tmp_path / "outside" / "subagents" / "agent-x.jsonl")
    (session.parent / "s1").symlink_to(outside.parent.parent)
    assert find_subagents(session).agents == ()


def test_number_of_agents_is_bounded_and_said(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subagents, "MAX_AGENTS", 2)
    for number in range(4):
        make(session.parent / "s1" / "subagents" / f"agent-{number}.jsonl")
    found = find_subagents(session)
    assert len(found.agents) == 2
    assert "left out" in found.problems[0]


def test_session_without_a_directory_has_none(session: Path) -> None:
    assert find_subagents(session).agents == ()
    assert find_subagents(session.parent / "none.jsonl").problems == ()


def test_a_finder_looks_again_only_where_a_directory_changed(
    session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = session.parent / "s1" / "subagents"
    make(folder / "workflows" / "wf_1" / "agent-a.jsonl")
    old = [session.parent, folder.parent, folder, folder / "workflows", folder / "workflows" / "wf_1"]
    for directory in old:
        os.utime(directory, (1_000, 1_000))
    searches: list[Path] = []
    monkeypatch.setattr(
        subagents, "find_subagents", lambda path: searches.append(path) or find_subagents(path)
    )
    finder = AgentFinder(session)
    assert [finder.find(), finder.find()] == [find_subagents(session)] * 2
    assert len(searches) == 1
    make(folder / "workflows" / "wf_1" / "agent-b.jsonl")
    assert [agent.id for agent in finder.find().agents] == ["a", "b"]
    assert len(searches) == 2


def test_a_finder_does_not_trust_a_directory_that_was_changed_a_moment_ago(session: Path) -> None:
    finder = AgentFinder(session)
    assert finder.find().agents == ()
    folder = session.parent / "s1" / "subagents"
    make(folder / "agent-a.jsonl")
    assert [agent.id for agent in finder.find().agents] == ["a"]
    times = folder.stat().st_atime_ns, folder.stat().st_mtime_ns
    make(folder / "agent-b.jsonl")
    os.utime(folder, ns=times)  # as if both were made within one tick of the file system's clock
    assert [agent.id for agent in finder.find().agents] == ["a", "b"]


def test_an_agent_with_a_second_name_is_not_read_wherever_it_stands(session: Path, tmp_path: Path) -> None:
    secret = make(tmp_path / "elsewhere" / "secret.txt")
    folder = session.parent / "s1" / "subagents"
    make(folder / "agent-a.jsonl")
    for place in (folder / "agent-hard.jsonl", session.parent / "agent-hard.jsonl"):
        os.link(secret, place)
    for place in (folder / "agent-soft.jsonl", session.parent / "agent-soft.jsonl"):
        place.symlink_to(secret)
    found = find_subagents(session)
    assert [agent.id for agent in found.agents] == ["a"]
    assert len(found.problems) == 2
    assert all("agent-hard.jsonl: has a second name (hard link)" in problem for problem in found.problems)


def test_an_agent_that_goes_away_during_the_search_costs_itself_only(
    session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = session.parent / "s1" / "subagents"
    places = [make(place / f"agent-{n}.jsonl") for n in range(3) for place in (folder, session.parent)]
    real = os.scandir

    class Losing:
        """A directory whose second files go away once they were named."""

        def __init__(self, path: Path) -> None:
            self.entries = real(path)

        def __enter__(self) -> Losing:
            return self

        def __exit__(self, *_: object) -> None:
            self.entries.close()

        def __iter__(self) -> Iterator[os.DirEntry[str]]:
            for entry in sorted(self.entries, key=lambda entry: entry.name):
                if "agent-1" in entry.name:
                    Path(entry.path).unlink()
                yield entry

    monkeypatch.setattr(os, "scandir", Losing)
    found = find_subagents(session)
    assert sorted(agent.id for agent in found.agents) == ["0", "0", "2", "2"]
    assert found.problems == ()
    assert sum(place.exists() for place in places) == 4


@pytest.mark.parametrize(
    "text", ["[" * 60_000, '{"agentType":' * 9_000, "9" * 60_000, "\x00", '{"agentType":3}']
)
def test_metadata_of_any_kind_cost_nothing_but_themselves(session: Path, text: str) -> None:
    folder = session.parent / "s1" / "subagents"
    make(folder / "agent-a.jsonl")
    make(folder / "agent-a.meta.json", text)
    (agent,) = find_subagents(session).agents
    assert agent.agent_type == ""
