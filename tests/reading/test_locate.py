from __future__ import annotations

import os
from pathlib import Path

import pytest

from inspector.errors import UsageError
from inspector.reading import locate
from inspector.reading.locate import (
    KnownSession,
    Origin,
    Place,
    find_session,
    known_places,
    latest_session,
    list_sessions,
)

CODEX_ID = "019ed628-d563-7e40-bbb1-93a6a302d688"


def make(path: Path, modified: float = 1_000.0, text: str = "{}") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (modified, modified))
    return path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    project = tmp_path / ".claude" / "projects" / "-home-demo-shop"
    make(project / "aaaa-1.jsonl", 300)
    make(project / "aabb-2.jsonl.gz", 100)
    make(project / "agent-0123abc.jsonl", 400)
    make(project / "aaaa-1" / "subagents" / "agent-1.jsonl", 500)
    make(project / "aaaa-1" / "tool-results" / "toolu_1.txt", 500)
    make(project / "notes.txt", 500)
    make(tmp_path / ".claude" / "history.jsonl", 900)
    make(tmp_path / ".chatcli" / "sessions" / "trip.json", 200)
    make(tmp_path / ".chatcli" / "sessions" / "trip.json.123.tmp", 900)
    make(tmp_path / ".chatcli" / "sessions" / "1789000000000000000.json", 900)
    day = tmp_path / ".codex" / "sessions" / "2026" / "06" / "17"
    make(day / f"rollout-2026-06-17T15-17-40-{CODEX_ID}.jsonl", 250)
    return tmp_path


def test_sessions_of_all_places_come_newest_first(home: Path) -> None:
    found = list_sessions(known_places({}, home))
    assert [(s.id, s.kind, s.project) for s in found.sessions] == [
        ("aaaa-1", Origin.CLAUDE_CODE, "-home-demo-shop"),
        (CODEX_ID, Origin.CODEX, "2026-06-17"),
        ("trip", Origin.CHATCLI, ""),
        ("aabb-2", Origin.CLAUDE_CODE, "-home-demo-shop"),
    ]
    assert found.problems == ()
    assert found.sessions[0].size_bytes == 2
    assert found.sessions[0].modified == 300


def test_environment_moves_the_directories(home: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    make(other / "projects" / "p" / "moved.jsonl")
    make(other / "sessions" / "2026" / "01" / "02" / "rollout-x.jsonl")
    places = known_places({"CLAUDE_CONFIG_DIR": str(other), "CODEX_HOME": str(other)}, home)
    assert {session.id for session in list_sessions(places).sessions} == {"moved", "rollout-x", "trip"}
    assert known_places({"CLAUDE_CONFIG_DIR": ""}, home) == known_places({}, home)


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({}, ".config/chatcli/parked"),
        ({"XDG_CONFIG_HOME": "{home}/xdg"}, "xdg/chatcli/parked"),
        ({"CHATCLI_PARK_DIR": "{home}/park", "XDG_CONFIG_HOME": "{home}/xdg"}, "park"),
    ],
)
def test_parked_runs_of_chatcli_are_listed(environment: dict[str, str], folder: str, home: Path) -> None:
    make(home / folder / "0123456789abcdef0123456789abcdef.json")
    places = known_places({k: v.format(home=home) for k, v in environment.items()}, home)
    assert "0123456789abcdef0123456789abcdef" in {s.id for s in list_sessions(places).sessions}


@pytest.mark.parametrize("below", ["", ".claude"])
def test_root_that_is_laid_out_like_a_home_is_read_as_one(home: Path, below: str) -> None:
    found = list_sessions(known_places({}, Path("/nonexistent"), home / below))
    assert {"aaaa-1", "aabb-2"} <= {session.id for session in found.sessions}
    assert "agent-0123abc" not in {session.id for session in found.sessions}


def test_any_other_root_is_searched_to_the_bottom(tmp_path: Path) -> None:
    make(tmp_path / "a" / "b" / "one.jsonl")
    make(tmp_path / "two.json.gz")
    make(tmp_path / "a" / "subagents" / "three.jsonl")
    make(tmp_path / "a" / "tool-results" / "four.json")
    make(tmp_path / "a" / "agent-5.meta.json")
    found = list_sessions(known_places({}, tmp_path, tmp_path))
    assert {(s.id, s.project, s.kind) for s in found.sessions} == {
        ("one", "a/b", Origin.OTHER),
        ("two", "", Origin.OTHER),
    }


def test_absent_places_are_no_problem_but_an_absent_root_is(tmp_path: Path) -> None:
    assert list_sessions(known_places({}, tmp_path / "none")).problems == ()
    assert list_sessions(known_places({}, tmp_path, tmp_path / "none")).problems


def test_unreadable_directory_is_a_problem_and_the_rest_is_listed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".claude" / "projects" / "closed").mkdir()
    scandir = os.scandir

    def guarded(path: Path) -> object:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    found = list_sessions(known_places({}, home))
    assert len(found.sessions) == 4
    assert found.problems[0].endswith("closed: Permission denied")


def test_place_that_is_a_file_is_a_problem(tmp_path: Path) -> None:
    make(tmp_path / ".claude" / "projects")
    found = list_sessions(known_places({}, tmp_path))
    assert found.sessions == ()
    assert "Not a directory" in found.problems[0]


def test_links_are_not_followed_but_counted(home: Path, tmp_path: Path) -> None:
    outside = make(tmp_path / "outside" / "secret.jsonl").parent
    project = home / ".claude" / "projects" / "-home-demo-shop"
    (project / "linked.jsonl").symlink_to(outside / "secret.jsonl")
    (project.parent / "linked").symlink_to(outside)
    (project.parent / "loop").symlink_to(project.parent)
    found = list_sessions(known_places({}, home))
    assert len(found.sessions) == 4
    assert sorted(problem.rpartition(": ")[2] for problem in found.problems) == [
        "1 link not followed",
        "2 links not followed",
    ]


def test_fifo_and_directory_with_the_name_of_a_session_are_left_out(home: Path) -> None:
    project = home / ".claude" / "projects" / "-home-demo-shop"
    os.mkfifo(project / "fifo.jsonl")
    (project / "folder.jsonl").mkdir()
    assert len(list_sessions(known_places({}, home)).sessions) == 4


def test_listing_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locate, "MAX_SESSIONS", 3)
    for number in range(5):
        make(tmp_path / f"{number}.jsonl")
    found = list_sessions([Place(tmp_path, Origin.OTHER)])
    assert len(found.sessions) == 3
    assert "left out" in found.problems[0]


def test_thousands_of_sessions_list_without_being_opened(tmp_path: Path) -> None:
    project = tmp_path / ".claude" / "projects" / "p"
    project.mkdir(parents=True)
    for number in range(3_000):
        (project / f"{number:05d}.jsonl").touch(mode=0)
    found = list_sessions(known_places({}, tmp_path))
    assert len(found.sessions) == 3_000
    assert found.problems == ()


def known(session_id: str, name: str = "") -> KnownSession:
    return KnownSession(
        Path(f"/x/{session_id}.jsonl"), Origin.CLAUDE_CODE, name or session_id, "", 1, 1.0, session_id
    )


def test_session_is_found_by_id_name_or_unique_beginning() -> None:
    sessions = [known("aaaa-1"), known("aabb-2"), known("b", "rollout-b"), known("aaaa-11")]
    assert find_session(sessions, "aaaa-1").id == "aaaa-1"
    assert find_session(sessions, "aab").id == "aabb-2"
    assert find_session(sessions, "rollout-b").id == "b"


def test_beginning_of_several_ids_names_them() -> None:
    sessions = [known(f"aa{number}") for number in range(8)]
    with pytest.raises(UsageError, match=r"8 ids: aa0, aa1, aa2, aa3, aa4 and 3 more"):
        find_session(sessions, "aa")
    with pytest.raises(UsageError, match="neither a file nor"):
        find_session(sessions, "zz")
    with pytest.raises(UsageError, match="empty"):
        find_session(sessions, "")


def test_copies_of_one_session_are_one_id_and_the_newest_is_meant() -> None:
    newest, older = known("same-id"), known("same-id")
    assert find_session([newest, older], "same") is newest


def test_latest_is_the_first_and_there_must_be_one() -> None:
    assert latest_session([known("a"), known("b")]).id == "a"
    with pytest.raises(UsageError):
        latest_session([])
