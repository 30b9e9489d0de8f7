"""Documents that are rewritten as a whole while they are open."""

from __future__ import annotations

from pathlib import Path

from inspector.reading.chatcli_session import save_session
from inspector.reading.follow import FileState
from inspector.reading.locate import Origin, Place, list_sessions
from inspector.session import open_session
from tests.pipeline.chatcli.histories import answer, later, result, user


def rewrite(path: Path, data: bytes) -> None:
    """As ChatCLI does it: a temporary file beside, then a rename over the old one."""
    temporary = path.with_name(f"{path.name}.4711.tmp")
    temporary.write_bytes(data)
    temporary.replace(path)


def test_rewritten_session_is_replayed_anew(tmp_path: Path) -> None:
    path = tmp_path / "trip.json"
    path.write_bytes(save_session([user(), answer("a")]))
    session = open_session(path, live=True)
    before = session.timeline
    assert not any(r.repairs for r in before.requests)
    revision = session.revision
    assert session.poll().records == ()
    assert session.revision == revision
    rewrite(path, save_session([user(), answer("a"), result("a", 30_000), *later(2)]))
    taken = session.poll()
    assert taken.reset
    assert session.revision > revision
    assert len(session.timeline.requests) == 4
    assert session.timeline.tracked[0].full == 30_000
    assert len(before.requests) == 2


def test_rewrite_of_the_same_size_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "trip.json"
    path.write_bytes(save_session([user("one"), answer("a"), result("a", b"AAAA")]))
    session = open_session(path)
    rewrite(path, save_session([user("two"), answer("a"), result("a", b"BBBB")]))
    assert session.poll().reset
    assert session.result_text(session.timeline.tracked[0]) == "BBBB"


def test_temporary_file_beside_is_no_session_and_no_change(tmp_path: Path) -> None:
    path = tmp_path / "trip.json"
    path.write_bytes(save_session([user()]))
    session = open_session(path)
    (tmp_path / "trip.json.99.tmp").write_bytes(b'{"version": 2, "chat')
    taken = session.poll()
    assert not taken.reset
    listed = list_sessions([Place(tmp_path, Origin.CHATCLI)]).sessions
    assert [s.path.name for s in listed] == ["trip.json"]


def test_file_that_is_gone_for_a_moment_keeps_what_was_read(tmp_path: Path) -> None:
    path = tmp_path / "trip.json"
    data = save_session([user(), answer("a"), result("a")])
    path.write_bytes(data)
    session = open_session(path)
    path.unlink()
    assert session.poll().state is FileState.DELETED
    assert len(session.timeline.requests) == 2
    assert session.result_text(session.timeline.tracked[0]) == "ok"
    path.write_bytes(data)
    assert session.poll().state is FileState.OK
