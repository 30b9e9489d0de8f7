"""Where ChatCLI keeps what is not in a session's file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from inspector.reading.chatcli_places import chatcli_places, find_workspaces, log_tail


def workspace(temporary: Path, name: str, *files: str, age_s: float = 0) -> Path:
    root = temporary / name / "tool-results"
    root.mkdir(parents=True)
    for file in files:
        (root / file).write_text("x")
    stamp = 1_700_000_000 - age_s
    os.utime(temporary / name, (stamp, stamp))
    return root


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "trip.json"
    path.write_text("[]")
    return path


def test_variables_move_the_places() -> None:
    home = Path("/home/ada")
    places = chatcli_places({}, home)
    assert (places.archive, places.log) == (home / ".chatcli" / "ccr", home / ".chatcli" / "app.log")
    moved = chatcli_places({"TMPDIR": "/var/t", "CHATCLI_COMPRESSION_CCR_DIR": "/c", "LOG_FILE": "/l"}, home)
    assert (moved.temporary, moved.archive, moved.log) == (Path("/var/t"), Path("/c"), Path("/l"))


def test_workspaces_are_those_whose_files_name_calls_of_the_session(tmp_path: Path, session: Path) -> None:
    old = workspace(tmp_path, "chatcli-agent-1", "budget_call_a_1.txt", age_s=60)
    new = workspace(tmp_path, "chatcli-agent-2", "budget_call_a_7.txt", "budget_zz_1.txt")
    workspace(tmp_path, "chatcli-agent-3", "budget_other_1.txt", "result_call_a_1.txt")
    workspace(tmp_path, "another-agent-4", "budget_call_a_1.txt")
    assert find_workspaces(tmp_path, session, ["call_a"]) == [new, old]
    assert find_workspaces(tmp_path, session, [""]) == []
    assert find_workspaces(tmp_path / "absent", session, ["call_a"]) == []


def test_shared_directory_without_workspace_is_found_too(tmp_path: Path, session: Path) -> None:
    shared = tmp_path / "chatcli-tool-results"
    shared.mkdir()
    (shared / "budget_a_1.txt").write_text("x")
    assert find_workspaces(tmp_path, session, ["a"]) == [shared]


def test_links_are_not_followed(tmp_path: Path, session: Path) -> None:
    real = workspace(tmp_path, "kept", "budget_a_1.txt")
    (tmp_path / "chatcli-agent-1").symlink_to(real.parent)
    (tmp_path / "chatcli-agent-2").mkdir()
    (tmp_path / "chatcli-agent-2" / "tool-results").symlink_to(real)
    assert find_workspaces(tmp_path, session, ["a"]) == []


def test_tail_of_the_log_begins_with_a_whole_line(tmp_path: Path) -> None:
    log = tmp_path / "app.log"
    log.write_text("first\nsecond\nthird\n")
    assert log_tail(log) == (b"first\nsecond\nthird\n", 1)
    assert log_tail(log, 9) == (b"third\n", 3)
    assert log_tail(log, 12) == (b"third\n", 3)
    assert log_tail(log, 15) == (b"second\nthird\n", 2)
    assert log_tail(tmp_path / "absent.log") == (b"", 1)


def test_lines_in_front_of_the_newest_ones_of_a_log_are_counted_over_many_blocks(tmp_path: Path) -> None:
    log = tmp_path / "app.log"
    log.write_bytes(b"".join(b"%d %s\n" % (n, b"x" * 997) for n in range(1, 3_001)))
    data, first = log_tail(log, 10_000)
    assert int(data.split()[0]) == first > 2_980
