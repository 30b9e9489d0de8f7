"""Exit codes, streams and messages of every headless command, on good, bad and hostile input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inspector import __version__
from inspector.cli import main
from tests.builders import Transcript, call, persisted_text, result, text

HOSTILE = "\x1b]52;c;Zm9v\x07\x1b[31m\x9b2J\u202e[/]\u2028\x00\ud83d"
"""Codes that write a clipboard, colour, clear a screen, turn the direction; markup; half a character."""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process: exit code, stdout, stderr."""

    def command(*words: Any) -> tuple[int, str, str]:
        code = main([str(word) for word in words])
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return code, out, err

    return command


def sound(folder: Path) -> Path:
    script = Transcript()
    script.prompt("hello")
    script.answer("m1", call("toolu_1"))
    script.result("toolu_1", "done")
    script.answer("m2", text("bye"))
    return script.write(folder)


def faulty(folder: Path) -> Path:
    script = Transcript()
    script.prompt("hello")
    script.answer("m1", call("toolu_1"))
    script.prompt("and?")
    script.answer("m2", text("bye"))
    return script.write(folder, "faulty.jsonl")


def hostile(folder: Path) -> Path:
    path = folder / f"{HOSTILE[:12]}\n evil.jsonl".replace("\x00", "")
    script = Transcript(session=f"s{HOSTILE}", version=HOSTILE, cwd=HOSTILE, slug=HOSTILE)
    script.line({"type": "summary", "summary": HOSTILE, "leafUuid": "u2"})
    script.line({"type": "custom-title", "customTitle": HOSTILE, "sessionId": "s"})
    script.line({"type": f"odd{HOSTILE}", "uuid": HOSTILE})
    script.prompt(HOSTILE)
    script.answer("m1", call(f"toolu_1{HOSTILE}", HOSTILE, command=HOSTILE), call("toolu_2"))
    script.result(f"toolu_1{HOSTILE}", HOSTILE)
    script.result("toolu_2", persisted_text(f"/x/{HOSTILE}.txt", HOSTILE))
    script.result(f"toolu_3{HOSTILE}", HOSTILE)
    script.line(b'{"broken": "\x1b]0;title\x07')
    script.prompt("more")
    script.write(path.parent, path.name)
    return path


def foreign_controls(words: str) -> set[str]:
    """Characters that a terminal would act on."""
    return {c for c in words if (c < " " and c != "\n") or "\x7f" <= c <= "\x9f" or c in "\u202e\u2028"}


def test_check_ends_with_0_where_nothing_fails_and_1_where_something_does(tmp_path: Path, run: Run) -> None:
    assert run("check", sound(tmp_path))[0] == 0
    code, out, err = run("check", faulty(tmp_path))
    assert (code, err) == (1, "")
    assert "missing_result" in out


def test_check_ends_with_2_where_one_file_is_unusable_and_still_checks_the_others(
    tmp_path: Path, run: Run
) -> None:
    code, out, err = run("check", tmp_path / "nowhere.jsonl", faulty(tmp_path))
    assert code == 2
    assert "missing_result" in out
    assert "nowhere.jsonl" in err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("error", 1),
        ("missing_result", 1),
        ("orphan_result", 0),
        ("none", 0),
        ("info", 1),
        ("none,warning", 1),
    ],
)
def test_fail_on_takes_severities_and_kinds(tmp_path: Path, run: Run, words: str, code: int) -> None:
    assert run("check", faulty(tmp_path), "--fail-on", words)[0] == code


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["report"],
        ["report", "{path}", "--format", "yaml"],
        ["report", "{path}", "--policy", "nonsense"],
        ["report", "{path}", "--policy", "~nobody-of-that-name/x.toml"],
        ["report", "{path}", "--policy", "/dev/zero"],
        ["report", "{path}", "--policy", "n" * 5_000],
        ["report", "{path}", "--set", "budget.turn_limit=1"],
        ["report", "{path}", "--policy", "documented", "--set", "budget.turn_limit=none"],
        ["report", "{path}", "--policy", "documented", "--set", "budget.turn_limit=-1"],
        ["report", "{path}", "--policy", "documented", "--set", "nonsense=1"],
        ["report", "{path}", "--policy", "documented", "--set", "budget.turn_limit"],
        ["report", "{path}", "--policy", "documented", "--set", "unit=miles"],
        ["report", "{path}", "--resume-after", "2"],
        ["check", "{path}", "--fail-on", "nonsense"],
        ["check", "{path}", "--fail-on", ""],
        ["wire", "{path}"],
        ["wire", "{path}", "--request", "0"],
        ["wire", "{path}", "--request", "-1"],
        ["wire", "{path}", "--request", "9" * 30],
        ["wire", "{path}", "--request", "9" * 5_000],
        ["wire", "{path}", "--request", "one"],
        ["wire", "{path}", "--request", "1", "--full"],
        ["wire", "{path}", "--request", "1", "--agent", "nobody"],
        ["wire", "{path}", "--request", "1", "--recorded"],
        ["overflow", "{path}", "toolu_1"],
        ["overflow", "{path}", ""],
        ["overflow", "{path}", "--lines", "1:2"],
        ["overflow", "{path}", "toolu_1", "--lines", "2"],
        ["overflow", "{path}", "toolu_1", "--lines", "2:1"],
        ["overflow", "{path}", "toolu_1", "--lines", "0:1"],
        ["overflow", "{path}", "toolu_1", "--lines", "a:b"],
        ["overflow", "{path}", "toolu_1", "--lines", "1:" + "9" * 5_000],
        ["overflow", "{path}", "toolu_1", "--json"],
        ["list", "--limit", "-1"],
        ["open", "{path}"],
        [],
    ],
    ids=lambda words: " ".join(words)[:60] or "no words",
)  # fmt: skip
def test_call_that_cannot_be_used_is_one_sentence_and_2(tmp_path: Path, run: Run, words: list[str]) -> None:
    path = sound(tmp_path)
    code, out, err = run(*(word.format(path=path) for word in words))
    assert (code, out) == (2, "")
    assert err.startswith("inspector: ")
    assert err.count("\n") == 1


def odd_paths(folder: Path) -> dict[str, Path]:
    empty = folder / "empty.json"
    empty.write_bytes(b"")
    binary = folder / "binary.json"
    binary.write_bytes(bytes(range(256)) * 20)
    cut = folder / "cut.jsonl.gz"
    cut.write_bytes(b"\x1f\x8b\x08\x00\x00")
    fifo = folder / "fifo.jsonl"
    os.mkfifo(fifo)
    loop = folder / "loop.jsonl"
    loop.symlink_to(loop)
    return {
        "nowhere": folder / "nowhere.jsonl", "directory": folder, "empty": empty,
        "binary": binary, "cut": cut, "fifo": fifo, "loop": loop, "device": Path("/dev/zero"),
        "long": folder / ("n" * 5_000), "below a file": empty / "x.jsonl",
    }  # fmt: skip


@pytest.mark.parametrize(
    "name", ["nowhere", "directory", "empty", "binary", "cut", "fifo", "loop", "device", "long",
             "below a file"],
)  # fmt: skip
@pytest.mark.parametrize("command", [["check"], ["report"], ["overflow"], ["wire", "--all"], ["why"]])
def test_path_that_is_no_session_is_said_and_2(
    tmp_path: Path, run: Run, name: str, command: list[str]
) -> None:
    code, out, err = run(command[0], odd_paths(tmp_path)[name], *command[1:])
    assert (code, out) == (2, "")
    assert err.startswith("inspector: ")


@pytest.mark.parametrize("data", [b"", b"\n\n  \n"], ids=["empty", "blank"])
@pytest.mark.parametrize("command", [["check"], ["report"], ["overflow"], ["wire", "--all"], ["why"]])
def test_session_with_nothing_in_it_yet_is_one(
    tmp_path: Path, run: Run, data: bytes, command: list[str]
) -> None:
    path = tmp_path / "new.jsonl"
    path.write_bytes(data)
    code, _, err = run(command[0], path, *command[1:])
    assert (code, err) == (0, "")


def test_session_of_nul_bytes_is_a_bad_line(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "nul.jsonl"
    path.write_bytes(b"\x00" * 5_000)
    code, out, _ = run("check", path, "--json", "--fail-on", "warning")
    assert code == 1
    found = json.loads(out)["files"][0]["findings"]
    assert [f["data"]["line"] for f in found if f["kind"] == "nul_run"] == [1]


@pytest.mark.parametrize("name", ["x" * 5_000, "a\x00b", "nobody"])
def test_word_that_names_no_session_is_said_and_2(tmp_path: Path, run: Run, name: str) -> None:
    code, out, err = run("report", name, "--root", tmp_path)
    assert (code, out) == (2, "")
    assert err.startswith("inspector: ")


def test_file_that_may_not_be_read_is_said_and_2(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = sound(tmp_path)
    opened = os.open

    def refuse(name: Any, *rest: Any, **more: Any) -> int:
        if str(name) == str(path):
            raise PermissionError(13, "Permission denied")
        return opened(name, *rest, **more)

    monkeypatch.setattr(os, "open", refuse)
    code, out, err = run("report", path)
    assert (code, out) == (2, "")
    assert "ermission" in err


@pytest.mark.parametrize(
    "words",
    [
        ["report", "{path}"],
        ["report", "{path}", "--format", "json"],
        ["report", "{path}", "--format", "markdown"],
        ["report", "{path}", "--format", "html"],
        ["report", "{path}", "--policy", "documented"],
        ["report", "{path}", "--policy", "chatcli"],
        ["check", "{path}", "--fail-on", "info"],
        ["check", "{path}", "--json"],
        ["check", "{path}", "--format", "sarif"],
        ["check", "{path}", "--format", "junit"],
        ["check", "{path}.not"],
        ["why", "{path}"],
        ["wire", "{path}", "--all"],
        ["wire", "{path}", "--all", "--full", "--policy", "documented"],
        ["overflow", "{path}"],
        ["overflow", "{path}", "--json"],
        ["overflow", "{path}", "{hostile}"],
        ["list", "--root", "{folder}"],
        ["list", "--root", "{folder}", "--json"],
        ["scan", "{folder}", "--no-cache", "--jobs", "1"],
        ["check", "{path}", "--fail-on", "{hostile}"],
        ["report", "{path}", "--policy", "{hostile}"],
        ["report", "{path}", "--{hostile}"],
        ["report", "{hostile}", "--root", "{folder}"],
        ["{hostile}"],
    ],
    ids=lambda words: " ".join(words)[:60],
)  # fmt: skip
def test_no_command_lets_a_control_character_through(tmp_path: Path, run: Run, words: list[str]) -> None:
    path = hostile(tmp_path)
    clean = HOSTILE.replace("\x00", "")
    code, out, err = run(*(w.format(path=path, folder=tmp_path, hostile=clean) for w in words))
    assert code in (0, 1, 2)
    assert out or err
    assert foreign_controls(out) == set()
    assert foreign_controls(err) == set()


def test_message_stays_one_line_whatever_a_path_holds(tmp_path: Path, run: Run) -> None:
    code, out, err = run("check", tmp_path / "no\nsuch\nfile.jsonl")
    assert (code, out) == (2, "tmp" if out else "")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "schema"),
    [
        (["report", "{path}", "--format", "json"], "inspector-report/1"),
        (["check", "{path}", "--json"], "inspector-check/1"),
        (["wire", "{path}", "--request", "1"], "inspector-wire/1"),
        (["overflow", "{path}", "--json"], "inspector-overflow/1"),
        (["list", "--root", "{folder}", "--json"], "inspector-list/1"),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else None,
)
def test_json_names_its_schema_and_stands_alone_on_stdout(
    tmp_path: Path, run: Run, words: list[str], schema: str
) -> None:
    code, out, err = run(*(w.format(path=sound(tmp_path), folder=tmp_path) for w in words))
    assert (code, err) == (0, "")
    assert json.loads(out)["schema"] == schema


def test_overflow_end_of_an_id_must_be_unique(tmp_path: Path, run: Run) -> None:
    script = Transcript()
    script.prompt()
    for name in ("toolu_a_7", "toolu_b_7", "toolu_7"):
        script.answer(f"m-{name}", call(name))
        script.result(name, persisted_text(f"/elsewhere/tool-results/{name}.txt"))
    path = script.write(tmp_path)
    scratch = tmp_path / "tool-results"
    scratch.mkdir()
    for name in ("toolu_a_7", "toolu_b_7", "toolu_7"):
        (scratch / f"{name}.txt").write_bytes(f"first of {name}\nsecond\n".encode())
    assert run("overflow", path, "toolu_7")[1] == "first of toolu_7\nsecond\n"
    assert run("overflow", path, "a_7", "--lines", "2:2")[1] == "second\n"
    code, out, err = run("overflow", path, "_7")
    assert (code, out) == (2, "")
    assert "toolu_a_7" in err


def spawn(*words: str, **rest: Any) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "inspector", *words]
    return subprocess.run(command, capture_output=True, check=False, **rest)


def test_narrow_encoding_gets_escapes_and_no_traceback(tmp_path: Path) -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for words in (["report"], ["check"], ["report", "--format", "json"], ["overflow"]):
        done = spawn(words[0], str(hostile(tmp_path)), *words[1:], env=environment)
        assert done.returncode in (0, 1), done.stderr
        assert done.stderr == b""
        assert done.stdout.isascii()


def test_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    script = Transcript()
    for n in range(800):
        script.prompt()
        script.answer(f"m{n}", text("x" * 50))
    path = script.write(tmp_path)
    for words in (["report", str(path)], ["wire", str(path), "--all"], ["--help"]):
        with subprocess.Popen(
            [sys.executable, "-m", "inspector", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait() == 0


def test_closed_streams_are_no_error(tmp_path: Path) -> None:
    for words in ("check", "report", "nonsense"):
        line = f'exec "{sys.executable}" -m inspector {words} "{sound(tmp_path)}" >&- 2>&-'
        code = subprocess.run(["/bin/sh", "-c", line], check=False).returncode
        assert code == (2 if words == "nonsense" else 0)


def test_full_disk_behind_stdout_is_said_and_2(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    with full.open("wb") as sink:
        done = subprocess.run(
            [sys.executable, "-m", "inspector", "report", str(sound(tmp_path))],
            stdout=sink, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    assert done.stderr.startswith(b"inspector: ")
    assert b"Traceback" not in done.stderr


def test_results_are_not_mixed_with_messages(tmp_path: Path, run: Run) -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("toolu_1"))
    script.results(result("toolu_1", "done"))
    code, out, err = run("report", script.write(tmp_path))
    assert (code, err) == (0, "")
    assert "main conversation" in out


def test_the_version_needs_no_parser_and_no_part_of_the_package() -> None:
    code = (
        "import sys; before = set(sys.modules)\n"
        "from inspector.cli import main\n"
        "code = main(['--version'])\n"
        "print(code, *sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    version, rest = done.stdout.splitlines()
    assert version == f"inspector {__version__}"
    assert rest.split() == ["0", "__future__", "inspector", "inspector.cli"]


def test_a_report_loads_neither_textual_nor_rich() -> None:
    code = (
        "import sys\n"
        "from inspector.cli import main\n"
        "sys.stdout = open('/dev/null', 'w')\n"
        "code = main(['report', sys.argv[1]])\n"
        "print(code, *sys.modules, file=sys.stderr)"
    )
    story = next((Path(__file__).parents[2] / "sample_sessions" / "ageing").glob("*.jsonl"))
    done = subprocess.run(
        [sys.executable, "-c", code, str(story)], capture_output=True, text=True, check=True
    )
    code, *modules = done.stderr.split()
    assert code == "0"
    assert not {name.partition(".")[0] for name in modules} & {"textual", "rich", "watchfiles", "pyarrow"}
