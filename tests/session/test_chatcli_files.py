"""Files beside a ChatCLI session: overflow files by id, originals by key, the log, parked runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from inspector.errors import UnreadableError, UsageError
from inspector.model.chatcli import Message
from inspector.pipeline.chatcli.pairing import synthetic_result
from inspector.reading.chatcli_places import ChatcliPlaces
from inspector.reading.chatcli_session import save_session
from inspector.reading.detect import FileKind
from inspector.reading.overflow_match import Status
from inspector.replay.view import Repair
from inspector.report import report
from inspector.session import Session, open_session
from inspector.session.scratch_view import overflow_data, overflow_table, read_overflow
from tests.pipeline.chatcli.histories import answer, later, result, user

FULL = result("a", 30_000)


class Home:
    """A user's ChatCLI in a temporary directory."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.places = ChatcliPlaces(root / "tmp", root / "ccr", root / "app.log")
        self.tool_results = root / "tmp" / "chatcli-agent-77" / "tool-results"
        self.tool_results.mkdir(parents=True)
        self.places.archive.mkdir()

    def open(self, history: Sequence[Message]) -> Session:
        path = self.root / "trip.json"
        path.write_bytes(save_session(history))
        return open_session(path, chatcli=self.places)

    def log(self, *entries: dict[str, Any]) -> None:
        self.places.log.write_text("".join(json.dumps({"level": "info", **e}) + "\n" for e in entries))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_files_of_a_call_are_found_by_the_id_in_their_names_newest_first(home: Home) -> None:
    for number in (9, 10):
        (home.tool_results / f"budget_a_{number}.txt").write_bytes(FULL.content)
    (home.tool_results / "result_worker_1.txt").write_text("w")
    session = home.open([user(), answer("a"), FULL, *later(1)])
    found = session.overflow_of(session.timeline.tracked[0])
    assert found is not None
    assert (found.source, found.status, Path(found.path).name) == ("written", Status.FOUND, "budget_a_10.txt")
    data = overflow_data(session)
    assert [Path(r["path"]).name for r in data["results"]] == ["budget_a_10.txt", "budget_a_9.txt"]
    assert [f["name"] for f in data["unreferenced"]] == ["result_worker_1.txt"]
    assert read_overflow(session, "a", None) == FULL.content
    kinds = [f.kind for f in session.findings()]
    assert kinds.count("overflow_unreferenced") == 1


def test_predicted_previews_name_the_directory_that_was_found(home: Home) -> None:
    (home.tool_results / "budget_a_1.txt").write_bytes(FULL.content)
    session = home.open([user(), answer("a"), FULL])
    wire = report(session)["results"][0]["lifeline"][0]
    shorter = open_session(session.path).timeline.tracked[0].spans[0].chars
    assert wire["chars"] == shorter + len(str(home.tool_results)) - len("tool-results")


def test_file_of_another_length_is_a_warning_not_an_error(home: Home) -> None:
    (home.tool_results / "budget_a_1.txt").write_text("short")
    session = home.open([user(), answer("a"), FULL])
    (mismatch,) = [f for f in session.findings() if f.kind == "overflow_size_mismatch"]
    assert mismatch.severity == "warning"
    assert "the file holds 5 bytes, the result in the session 30,000" in mismatch.fact


def test_file_of_a_result_that_was_shortened_since_is_in_order(home: Home) -> None:
    (home.tool_results / "budget_a_1.txt").write_bytes(FULL.content)
    summary = "[Old tool result cleared — 600 lines, 30000 chars, text]".encode()
    session = home.open([user(), answer("a"), result("a", summary)])
    found = session.overflow_of(session.timeline.tracked[0])
    assert found is not None
    assert (found.status, found.reason) == (
        Status.FOUND,
        "the session holds it shortened; this is the text before",
    )


def test_files_of_an_id_that_is_used_again_go_to_the_result_they_hold(home: Home) -> None:
    second = result("a", 21_000)
    (home.tool_results / "budget_a_1.txt").write_bytes(FULL.content)
    (home.tool_results / "budget_a_2.txt").write_bytes(second.content)
    session = home.open([user(), answer("a"), FULL, answer("a"), second])
    names = [Path(o.path).name for _, o in session.overflows()]
    assert names == ["budget_a_1.txt", "budget_a_2.txt"]


@pytest.mark.parametrize("above", [False, True], ids=["tool-results", "working directory"])
def test_scratch_directory_opens_without_its_session(home: Home, above: bool) -> None:
    (home.tool_results / "budget_gone_3.txt").write_text("kept")
    session = open_session(home.tool_results.parent if above else home.tool_results)
    assert session.kind is FileKind.SCRATCH_DIR
    assert "budget_gone_3.txt" in overflow_table(session)
    assert read_overflow(session, "budget_gone_3.txt", None) == b"kept"
    assert [f["kind"] for f in report(session)["findings"]] == ["overflow_unreferenced"]


def test_scratch_directory_of_a_session_names_the_session(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text("")
    scratch = tmp_path / "s" / "tool-results"
    scratch.mkdir(parents=True)
    with pytest.raises(UnreadableError, match=r"its session is .*s\.jsonl"):
        open_session(scratch)


def test_original_is_read_by_its_marker_or_its_key(home: Home) -> None:
    key = hashlib.sha256(b"one\ntwo\nthree\n").hexdigest()[:16]
    (home.places.archive / f"{key}.ccr").write_bytes(b"one\ntwo\nthree\n")
    session = home.open([user()])
    assert read_overflow(session, f"<<ccr:{key}>>", None) == b"one\ntwo\nthree\n"
    assert read_overflow(session, key, (2, 2)) == b"two\n"
    with pytest.raises(UnreadableError):
        read_overflow(session, "0" * 16, None)
    with pytest.raises(UsageError, match="not known where"):
        read_overflow(open_session(session.path), key, None)


def test_log_stands_beside_the_prediction(home: Home) -> None:
    history = [user(), answer("a"), FULL, answer("lost"), answer(text="done")]
    final = home.open(history).timeline.tracked[0].spans[0].chars
    missing = "Injected synthetic tool result for orphaned tool_use"
    home.log(
        {
            "msg": "Tool result budget enforcement applied",
            "results_truncated": 1,
            "bytes_saved_to_disk": 0,
            "original_chars": 30_000,
            "final_chars": final,
        },
        {"msg": missing, "tool_call_id": "lost", "tool_name": "x", "assistant_message_index": 3},
        {"msg": missing, "tool_call_id": "a", "tool_name": "x", "assistant_message_index": 1},
        {"msg": missing, "tool_call_id": "of-another-session", "tool_name": "x"},
        {"msg": "Tool result budget enforcement applied", "results_truncated": 4},
    )
    data = report(home.open(history))
    told = [(e["kind"], e["line"], e["request"], e["recorded"]) for e in data["recorded_events"]]
    assert told == [
        ("budget", 1, 2, "same"),
        ("synthetic", 2, 3, "same"),
        ("synthetic", 3, None, "differs"),
    ]
    assert [r["recorded"] for r in data["requests"]] == ["absent", "same", "same", "absent"]


def test_repair_that_the_file_holds_already_is_not_predicted_again(home: Home) -> None:
    missing = "Injected synthetic tool result for orphaned tool_use"
    home.log({"msg": missing, "tool_call_id": "a", "tool_name": "x", "assistant_message_index": 1})
    session = home.open([user(), answer("a"), synthetic_result("a", flagged=True)])
    (event,) = session.recorded_events()
    assert (event["request"], event["recorded"]) == (None, "saved")


def test_parked_run_opens_and_its_open_call_is_waiting(tmp_path: Path) -> None:
    history = json.loads(save_session([user(), answer("a", "b"), result("a")]))["chat_history"]
    path = tmp_path / "0123456789abcdef0123456789abcdef.json"
    path.write_text(json.dumps({"version": 1, "history": history, "pending_tool_call_id": "b"}))
    session = open_session(path)
    assert (session.kind, session.policy.name) == (FileKind.CHATCLI_PARK, "chatcli")
    assert session.timeline.requests[-1].repairs == ()
    assert session.timeline.tracked[1].repairs == [(2, Repair.PENDING)]


def test_damaged_park_snapshot_says_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(
        '{"version": 7, "history": [{"role": "user", "content": "hi"}], "pending_tool_call_id": ""}'
    )
    (bad,) = [f for f in open_session(path).findings() if f.kind == "bad_line"]
    assert "Its version is 7, not 1." in bad.fact


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"version": 1, "chat_history": [{"role": "user", "content": "hi"}]}', "needs a version of 2"),
        ('{"version": 2, "chat_history": [{"role": "user", "content": "hi"}, {"ro', "line 1, column"),
        ('{"version": 2, "chat_history": [{"role": 5, "content": "hi"}]}', "not a text"),
    ],
)
def test_session_that_chatcli_refuses_is_named_and_read_as_far_as_it_goes(
    text: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "s.json"
    path.write_text(text)
    session = open_session(path)
    assert any(f.kind == "bad_line" and words in f.fact for f in session.findings())
