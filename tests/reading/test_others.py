"""A copy of a process does its work and nothing else; where none may be made an interpreter is started."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from inspector.reading import others
from inspector.reading.others import Other, may_be_copied, processors
from inspector.reading.source import ByteSource, open_source

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")


@pytest.fixture
def source(tmp_path: Path) -> Iterator[ByteSource]:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"{}\n")
    found = open_source(path)
    yield found
    found.close()


def copy(work: Callable[[int], object], source: ByteSource) -> Other:
    return others._Copy(work, {source.fileno()})


def said(other: Other) -> bytes:
    with other.stream as stream:
        return stream.read()


def fail(_output: int) -> None:
    raise RuntimeError("nobody hears this")


def test_copy_says_what_it_works_out(source: ByteSource) -> None:
    other = copy(lambda output: os.write(output, source.read(0, 99)), source)
    assert said(other) == b"{}\n"
    assert other.wait() == 0
    other.end()
    assert other.wait() == 0


@pytest.mark.parametrize("work", [fail, lambda _: sys.exit(0), lambda _: os.kill(os.getpid(), 9)])
def test_copy_that_ends_early_is_noticed(source: ByteSource, work: Callable[[int], object]) -> None:
    other = copy(work, source)
    assert said(other) == b""
    assert other.wait() != 0


def test_copy_that_works_on_is_ended(source: ByteSource) -> None:
    other = copy(lambda _: select.select([], [], []), source)
    other.end()
    assert other.wait() == -9


def test_output_of_one_copy_ends_with_it_though_another_one_was_made_meanwhile(source: ByteSource) -> None:
    go_on, tell = os.pipe()
    first = copy(lambda output: os.write(output, b"1"), source)
    second = others._Copy(lambda _: os.read(go_on, 1), {go_on})  # waits for as long as it is open
    assert said(first) == b"1"
    os.close(tell)
    os.close(go_on)
    second.end()


def test_copy_has_nothing_open_but_what_it_needs(source: ByteSource, tmp_path: Path) -> None:
    with (tmp_path / "other").open("w") as file:
        descriptors = f"{file.fileno()}".encode()
        other = copy(lambda output: os.write(output, b",".join(_open_descriptors())), source)
        assert descriptors not in said(other).split(b",")


def _open_descriptors() -> list[bytes]:
    return [entry.name.encode() for entry in Path("/proc/self/fd").iterdir()]


def test_copy_does_nothing_of_what_its_process_does_at_its_end() -> None:
    code = (
        "import atexit, sys; from inspector.reading import others\n"
        "atexit.register(print, 'end'); sys.stdout.write('told once ')\n"
        "other = others._Copy(lambda output: None, set())\n"
        "assert other.wait() == 0\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert run.stdout == "told once end\n"


@pytest.mark.parametrize("closed", ["pass", "os.close(0); os.close(2)"], ids=["usual", "few are open"])
def test_copy_of_a_process_that_was_killed_ends_as_well(closed: str) -> None:
    code = (
        f"import os; from inspector.reading import others; {closed}\n"
        "def work(output):\n"
        "    while True: os.write(output, bytes(4096))\n"
        "other = others._Copy(work, set())\n"
        "print(other._id, flush=True); os.kill(os.getpid(), 9)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=False)
    assert run.returncode == -9
    copied = int(run.stdout)
    waiting = os.pidfd_open(copied) if Path(f"/proc/{copied}").exists() else None
    if waiting is not None:  # readable once it has ended
        assert select.select([waiting], [], [], 60)[0]
        os.close(waiting)


def test_process_with_another_thread_is_not_copied() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert not may_be_copied()
    finally:
        done.set()
        thread.join()


def test_process_that_runs_commands_is_copied() -> None:
    code = "from inspector.reading.others import may_be_copied; print(may_be_copied())"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert run.stdout == "True\n"


def test_without_an_interpreter_this_process_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "")
    assert processors() == 1
