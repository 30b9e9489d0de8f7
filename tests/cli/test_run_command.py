"""`inspector run`: files, records and history for real; the same again; nothing anywhere else."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from inspector.cli import main
from inspector.cli.arguments import parser
from inspector.cli.output import Output
from inspector.manager import ToolResultManager
from inspector.session import open_session
from inspector.session.policy_words import policy_note

SAMPLES = Path(__file__).parent.parent.parent / "sample_sessions"
SESSIONS = sorted([*SAMPLES.glob("*/*.jsonl"), SAMPLES / "own-loop" / "messages.json"])
OWN_LOOP = SAMPLES / "own-loop" / "messages.json"
BLOWUP = next(SAMPLES.glob("parallel-blowup/*.jsonl"))


def snapshot(directory: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path.relative_to(directory)): (path.stat().st_mtime_ns, path.read_bytes())
        for path in directory.rglob("*")
        if path.is_file()
    }


def contents(directory: Path) -> dict[str, bytes]:
    return {name: data for name, (_, data) in snapshot(directory).items()}


@pytest.mark.parametrize("policy", ["documented", "claude-code"])
@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: f"{path.parent.name}-{path.stem[:8]}")
def test_a_rerun_gives_the_same_bytes_and_nothing_is_written_beside_the_session(
    session: Path, policy: str, tmp_path: Path
) -> None:
    before = snapshot(session.parent)
    outputs: list[dict[str, bytes]] = []
    for _ in range(2):
        code = main(
            ["run", str(session), "--policy", policy, "--scratch", str(tmp_path / "scratch"),
             "--out", str(tmp_path / "out.json"), "--records", str(tmp_path / "records.jsonl")]
        )  # fmt: skip
        assert code == 0
        outputs.append(contents(tmp_path))
    assert outputs[0] == outputs[1]
    assert snapshot(session.parent) == before
    history = json.loads(outputs[0]["out.json"])
    assert {key for message in history for key in message} <= {"role", "content"}


def test_the_records_appended_to_a_copy_show_what_was_done(tmp_path: Path) -> None:
    lines = [line for line in BLOWUP.read_text().splitlines() if '"content-replacement"' not in line]
    copy = tmp_path / BLOWUP.name
    copy.write_text("".join(f"{line}\n" for line in lines))
    scratch, records = tmp_path / "scratch", tmp_path / "records.jsonl"
    assert main(["run", str(copy), "--scratch", str(scratch), "--records", str(records)]) == 0
    replaced = {
        item["toolUseId"]: item["replacement"]
        for line in records.read_text().splitlines()
        for item in json.loads(line)["replacements"]
    }
    assert replaced
    with copy.open("a") as file:
        file.write(records.read_text())
    with open_session(copy, scratch=scratch) as session:
        assert policy_note(session) == "budget on (replacement records prove it)"
        stored = {row.entry.id: row.stored for row in session.all_rows() if row.stored}
        files = {row.entry.id: overflow for row, overflow in session.overflows()}
        texts = {row.entry.id: session.result_text(row) for row in session.all_rows()}
        kinds = {finding.kind for finding in session.findings()}
    assert stored == replaced
    for id, overflow in files.items():
        assert overflow.status.value == "found"
        assert overflow.file is not None
        assert (scratch / overflow.file.name).read_text() == texts[id]
    assert set(files) == set(replaced)
    assert not kinds & {"overflow_missing", "overflow_unreferenced", "unexpected_replacement"}


@pytest.mark.parametrize("policy", ["documented", "claude-code"])
def test_the_managed_history_opens_with_its_files(tmp_path: Path, policy: str) -> None:
    out, scratch = tmp_path / "out.json", tmp_path / "scratch"
    arguments = ["--policy", policy, "--set", "budget.turn_limit=60000"]
    assert main(["run", str(OWN_LOOP), *arguments, "--scratch", str(scratch), "--out", str(out)]) == 0
    with open_session(out, scratch=scratch) as session:
        found = {
            overflow.file.name: overflow.status.value
            for _, overflow in session.overflows()
            if overflow.file is not None
        }
        kinds = {finding.kind for finding in session.findings()}
    assert found == dict.fromkeys((path.name for path in scratch.iterdir()), "found")
    assert found
    assert not kinds & {"overflow_missing", "overflow_unreferenced", "missing_result", "orphan_result"}


def test_the_records_resume_the_run(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    scratch, out = str(tmp_path / "scratch"), tmp_path / "out.json"
    assert main(["run", str(OWN_LOOP), "--scratch", scratch, "--out", str(out), "--records", "-"]) == 0
    records = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    history = json.loads(OWN_LOOP.read_bytes())
    resumed = ToolResultManager.resume("documented", scratch, history, records)
    assert resumed.prepare(history).messages == json.loads(out.read_bytes())


def test_a_policy_without_a_ledger_is_refused_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = SAMPLES / "chatcli-session" / "refunds.json"
    scratch = tmp_path / "scratch"
    assert main(["run", str(session), "--scratch", str(scratch)]) == 2
    assert "keeps no ledger" in capsys.readouterr().err
    assert not scratch.exists()
    assert main(["run", str(session), "--scratch", str(scratch), "--policy", "documented"]) == 0


def test_dashes_read_from_a_pipe_and_write_to_one(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "inspector", "run", "-", "--policy", "documented", "--out", "-"]
    for session in (OWN_LOOP, BLOWUP):
        done = subprocess.run(
            [*command, "--scratch", str(tmp_path / "scratch")],
            input=session.read_bytes(),
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        out = tmp_path / "out.json"
        assert main(
            ["run", str(session), "--policy", "documented", "--scratch", str(tmp_path / "scratch"),
             "--out", str(out)]
        ) == 0  # fmt: skip
        assert done.stdout == out.read_bytes()


@pytest.mark.parametrize("option", ["--out", "--records"])
def test_an_output_never_replaces_the_session(
    tmp_path: Path, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    session, link = tmp_path / "messages.json", tmp_path / "link.json"
    session.write_bytes(OWN_LOOP.read_bytes())
    link.hardlink_to(session)
    for name in (session, link, tmp_path / "." / "messages.json"):
        assert main(["run", str(session), "--scratch", str(tmp_path / "s"), option, str(name)]) == 2
    assert "the session itself" in capsys.readouterr().err
    assert session.read_bytes() == OWN_LOOP.read_bytes()
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize(
    "outputs",
    [
        ["--out", "-", "--records", "-"],
        ["--out", "same", "--records", "./same"],
        ["--out", "no/such/directory"],
        ["--records", "."],
        ["--agent", "nobody"],
        ["--policy", "nothing"],
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, outputs: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["run", str(OWN_LOOP), "--scratch", "scratch", *outputs]) == 2
    assert list(tmp_path.iterdir()) == []


def test_results_that_could_not_be_written_stay_in_full_and_the_exit_code_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "scratch").write_text("a file")
    out, records = tmp_path / "out.json", tmp_path / "records.jsonl"
    arguments = ["--scratch", str(tmp_path / "scratch"), "--out", str(out), "--records", str(records)]
    assert main(["run", str(OWN_LOOP), *arguments]) == 1
    assert "stays in full" in capsys.readouterr().err
    assert records.read_bytes() == b""
    assert json.loads(out.read_bytes())


def test_an_output_that_cannot_be_written_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    out = tmp_path / "out.json"
    out.write_text("old")
    monkeypatch.setattr(os, "fsync", fail)
    assert main(["run", str(OWN_LOOP), "--scratch", str(tmp_path / "s"), "--out", str(out)]) == 2
    assert "No space left" in capsys.readouterr().err
    assert out.read_text() == "old"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_drawn_on_a_terminal_only(tmp_path: Path) -> None:
    arguments = parser().parse_args(["run", str(OWN_LOOP), "--scratch", str(tmp_path)])
    for err in (Terminal(), io.StringIO()):
        assert arguments.run(arguments, Output(io.StringIO(), err)) == 0
        assert ("request 56 of 56" in err.getvalue()) is err.isatty()
        assert "56 requests, 6 results replaced" in err.getvalue()


@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
def test_no_active_character_is_written_to_a_terminal_or_a_pipe(
    stream: type[io.StringIO], tmp_path: Path
) -> None:
    session = tmp_path / "messages.json"
    messages = [{"role": "user", "content": "a\x9b31m\u202e\x1b[2Jb"}]
    session.write_text(json.dumps(messages))
    out = stream()
    arguments = parser().parse_args(["run", str(session), "--scratch", str(tmp_path / "s"), "--out", "-"])
    assert arguments.run(arguments, Output(out, io.StringIO())) == 0
    assert not set(out.getvalue()) & set("\x9b\u202e\x1b")
    assert json.loads(out.getvalue()) == messages


HOSTILE: list[Any] = [
    [{"role": "user", "content": [None, 7, "text", {"type": "tool_result"}]}],
    [{"role": "assistant", "content": [{"type": "tool_use", "id": 7, "name": [], "input": None}]}],
    [{"role": "assistant", "tool_calls": [None, {"id": "x"}]}, {"role": "tool", "content": {"a": 1}}],
    [{"role": "user", "content": "x"}, {"role": 3}, None, [], {"role": "assistant", "content": "\ud83d"}],
]


@contextmanager
def written(directory: Path, data: str) -> Iterator[Path]:
    path = directory / "messages.json"
    path.write_text(data)
    yield path


@pytest.mark.parametrize("messages", HOSTILE)
def test_odd_types_are_carried_over(tmp_path: Path, messages: list[Any]) -> None:
    out = tmp_path / "out.json"
    with written(tmp_path, json.dumps(messages)) as session:
        code = main(["run", str(session), "--scratch", str(tmp_path / "s"), "--out", str(out)])
    assert code in (0, 2)
    assert code == 2 or isinstance(json.loads(out.read_bytes()), list)


def test_a_deeply_nested_message_is_no_crash(tmp_path: Path) -> None:
    deep = "[" * 5_000 + "]" * 5_000
    data = f'[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{deep}]}}]'
    with written(tmp_path, data) as session:
        arguments = ["run", str(session), "--scratch", str(tmp_path / "s"), "--out", str(tmp_path / "out")]
        assert main(arguments) in (0, 2)


def test_what_was_done_is_counted_in_words_of_their_number(tmp_path: Path) -> None:
    err = io.StringIO()
    with written(tmp_path, json.dumps([{"role": "user", "content": "hi"}])) as session:
        arguments = parser().parse_args(["run", str(session), "--scratch", str(tmp_path / "s")])
        assert arguments.run(arguments, Output(io.StringIO(), err)) == 0
    assert "1 request, 0 results replaced, 0 repairs" in err.getvalue()
