"""Soak: `inspector run` killed at random points, shared by processes and by threads.

Whatever happens, a file under a result's name is that result's whole text, no preview shows or
names another one, and the next run completes with the very bytes of an undisturbed one.
"""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from inspector.manager import ToolResultManager
from inspector.model.policy import DOCUMENTED
from inspector.pipeline.previews import budget_preview, paths_in
from tests.pipeline.histories import text_of

pytestmark = pytest.mark.soak

KILLS = int(os.environ.get("INSPECTOR_SOAK_KILLS", "200"))


def write_session(path: Path, turns: int = 40) -> dict[str, str]:
    """A session with four large results per turn; returns id → text."""
    messages: list[Any] = [{"role": "user", "content": "go"}]
    texts: dict[str, str] = {}
    for t in range(turns):
        ids = [f"toolu_{t}_{n}" for n in range(4)]
        texts |= {id: text_of(30_000 + 997 * (4 * t + n), 4 * t + n) for n, id in enumerate(ids)}
        messages += [
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": id, "name": "Grep", "input": {}} for id in ids],
            },
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": id, "content": texts[id]} for id in ids],
            },
        ]
    path.write_text(json.dumps(messages))
    return texts


def command(session: Path, directory: Path) -> list[str]:
    return [
        sys.executable, "-m", "inspector", "run", str(session), "--scratch", str(directory / "scratch"),
        "--out", str(directory / "out.json"), "--records", str(directory / "records.jsonl"),
    ]  # fmt: skip


def run(session: Path, directory: Path) -> None:
    subprocess.run(command(session, directory), check=True, capture_output=True)


def outcome(directory: Path, own: Path) -> dict[str, bytes]:
    """Every file, with the scratch directory's own path left out of the texts."""
    return {
        str(path.relative_to(directory)): path.read_bytes().replace(str(own).encode(), b"@")
        for path in directory.rglob("*")
        if path.is_file()
    }


def await_files(scratch: Path, count: int, writer: subprocess.Popen[bytes]) -> None:
    while writer.poll() is None and len(list(scratch.glob("budget_*"))) < count:
        time.sleep(0.0005)


def assert_whole(scratch: Path, texts: dict[str, str]) -> None:
    for path in scratch.iterdir() if scratch.exists() else ():
        if not path.name.startswith("."):
            id = path.name.removeprefix("budget_").rpartition("_")[0]
            assert path.read_text() == texts[id], path


def assert_true_previews(records: Path, texts: dict[str, str]) -> int:
    items = [item for line in records.read_text().splitlines() for item in json.loads(line)["replacements"]]
    for item in items:
        text = texts[item["toolUseId"]]
        (path,) = paths_in(item["replacement"])
        assert item["replacement"] == budget_preview(text, path, DOCUMENTED.budget, DOCUMENTED.unit)
        assert Path(path).read_text() == text
    return len(items)


def test_killed_at_any_point_it_leaves_no_half_file_and_a_rerun_completes(tmp_path: Path) -> None:
    session = tmp_path / "session.json"
    texts = write_session(session)
    reference = tmp_path / "reference"
    reference.mkdir()
    start = time.monotonic()
    run(session, reference)
    whole_s = time.monotonic() - start
    expected = outcome(reference, reference / "scratch")
    chance = random.Random(20)
    killed = files_at_kill = 0
    directory = tmp_path / "killed"
    for round in range(KILLS):
        if round % 10 == 0:  # else the next run meets what this one left
            directory = tmp_path / f"killed_{round}"
            directory.mkdir()
        writer = subprocess.Popen(command(session, directory), stderr=subprocess.DEVNULL)
        if round % 2:
            time.sleep(chance.uniform(0.1, 1.05) * whole_s)
        else:  # among the files, which take a small part of a run's time
            await_files(directory / "scratch", chance.randrange(len(texts)), writer)
            time.sleep(chance.uniform(0, 0.004))
        writer.send_signal(signal.SIGKILL)
        killed += writer.wait() == -signal.SIGKILL
        assert_whole(directory / "scratch", texts)
        files_at_kill += 0 < len(list((directory / "scratch").glob("budget_*"))) < len(texts)
        for name in ("out.json", "records.jsonl"):
            if (directory / name).exists():
                assert outcome(directory, directory / "scratch")[name] == expected[name]
        if round % 10 == 9:
            run(session, directory)
            assert outcome(directory, directory / "scratch") == expected
            assert assert_true_previews(directory / "records.jsonl", texts) == len(texts)
    print(f"{killed} of {KILLS} killed, {files_at_kill} of them between two files")
    assert killed > KILLS // 3
    assert files_at_kill > 0


def test_processes_that_share_a_scratch_directory_share_its_files(tmp_path: Path) -> None:
    session = tmp_path / "session.json"
    texts = write_session(session)
    for round in range(5):
        shared = tmp_path / f"scratch_{round}"
        outputs = [tmp_path / f"{round}_{n}" for n in range(4)]
        for directory in outputs:
            directory.mkdir()
            (directory / "scratch").symlink_to(shared)
        shared.mkdir()
        names = [
            [*command(session, directory)[:6], str(shared), *command(session, directory)[7:]]
            for directory in outputs
        ]
        runs = [subprocess.Popen(each, stderr=subprocess.DEVNULL) for each in names]
        assert [each.wait() for each in runs] == [0] * len(runs)
        assert_whole(shared, texts)
        assert len(list(shared.iterdir())) == len(texts)
        results = {(d / "out.json").read_bytes() + (d / "records.jsonl").read_bytes() for d in outputs}
        assert len(results) == 1
        assert assert_true_previews(outputs[0] / "records.jsonl", texts) == len(texts)


def test_threads_with_managers_of_their_own_and_one_in_common(tmp_path: Path) -> None:
    session = tmp_path / "session.json"
    texts = write_session(session, turns=25)
    messages = json.loads(session.read_bytes())
    common = ToolResultManager(DOCUMENTED, tmp_path / "scratch", keep_files=True)
    sent: list[tuple[int, list[Any]]] = []
    faults: list[BaseException] = []
    start = threading.Barrier(8)

    def work(n: int) -> None:
        try:
            start.wait()
            own = ToolResultManager(DOCUMENTED, tmp_path / "scratch", keep_files=True)
            manager = common if n % 2 else own
            lengths = range(3, len(messages) + 1, 2)
            for length in lengths:
                sent.append((length, manager.prepare(messages[:length]).messages))
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert_whole(tmp_path / "scratch", texts)
    wires: dict[int, list[Any]] = {}
    for length, wire in sent:
        assert wires.setdefault(length, wire) == wire
    assert messages == json.loads(session.read_bytes())
