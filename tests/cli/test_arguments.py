from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.cli import main
from inspector.cli.arguments import parsed, parser, with_command
from inspector.cli.command_arguments import COMMANDS, Later
from inspector.errors import UsageError


def commands() -> dict[str, argparse.ArgumentParser]:
    groups = [a for a in parser()._actions if isinstance(a, argparse._SubParsersAction)]
    return dict(groups[0].choices)


@pytest.mark.parametrize("name", commands())
def test_every_command_is_there_when_it_is_run(name: str) -> None:
    later = commands()[name].get_default("run")
    assert isinstance(later, Later)
    assert callable(later.load())


def test_the_bare_call_has_a_command() -> None:
    assert callable(parser().get_default("run").load())


def test_the_parser_of_one_command_is_as_it_is_among_all() -> None:
    for name, whole in commands().items():
        (group,) = (a for a in parser(name)._actions if isinstance(a, argparse._SubParsersAction))
        assert list(group.choices) == [name]
        assert group.choices[name].format_help() == whole.format_help()


def test_a_call_makes_the_parser_of_its_own_command_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in set(COMMANDS) - {"report"}:
        monkeypatch.delitem(COMMANDS, name)
    assert parsed(["report", "x"]).path == "x"


@pytest.mark.parametrize(
    "words", [[], ["list"], ["open", "--latest"], ["report", "--latest"], ["serve", "--latest"]]
)
def test_a_root_counts_in_front_of_the_command_too(words: list[str], tmp_path: Path) -> None:
    assert parsed(words).root is None
    assert parsed(["--root", str(tmp_path), *words]).root == tmp_path
    assert parsed([*words, "--root", str(tmp_path)]).root == tmp_path


def test_a_word_that_is_no_command_is_answered_with_all_commands() -> None:
    with pytest.raises(UsageError, match=r"invalid choice: 'nonsense'.*compare"):
        parsed(["nonsense"])


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_version_and_help_load_no_part_that_reads_sessions(argument: str) -> None:
    code = (
        "import sys\nfrom inspector.cli import main\n"
        f"try: main([{argument!r}])\nexcept SystemExit: pass\n"
        "loaded = {'.'.join(m.split('.')[:2]) for m in sys.modules if m.startswith('inspector.')}\n"
        "sys.exit(' '.join(loaded & {'inspector.session', 'inspector.replay', 'inspector.reading'}) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


NOT_OF_A_SMALL_SESSION = {
    "filters": "inspector.replay.filters",
    "documents": "inspector.reading.messages",
    "kept readings": "inspector.reading.kept",
    "other processes": "inspector.reading.reader",
    "recorded requests": "inspector.session.recorded_check",
    "ChatCLI": "inspector.reading.chatcli_scratch",
    "lookups": "inspector.reading.locate",
    "scans": "inspector.scan",
}
NOT_OF_A_LIST = {"sessions": "inspector.session", "policies": "inspector.model.policy"}


@pytest.mark.parametrize(
    ("words", "unused"),
    [
        (["report"], {**NOT_OF_A_SMALL_SESSION, "advice": "inspector.why.advice"}),
        (["why"], NOT_OF_A_SMALL_SESSION),
        (["check"], NOT_OF_A_SMALL_SESSION),
        (["list", "--root"], NOT_OF_A_LIST),
    ],
)
def test_a_command_loads_nothing_that_its_input_has_no_use_for(
    tmp_path: Path, words: list[str], unused: dict[str, str]
) -> None:
    record = {"type": "user", "uuid": "u", "sessionId": "s", "message": {"role": "user", "content": "hi"}}
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")
    target = tmp_path if "--root" in words else tmp_path / "a.jsonl"
    code = (
        "import sys\nfrom inspector.cli import main\n"
        f"assert main({[*words, str(target)]!r}) == 0\n"
        f"sys.exit(' '.join(sys.modules.keys() & {set(unused.values())!r}) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("words", "parsed"),
    [
        ([], []),
        (["a/b.jsonl", "c.jsonl"], ["open", "a/b.jsonl", "c.jsonl"]),
        (["--root", "d/e", "a/b"], ["open", "--root", "d/e", "a/b"]),
        (["--ascii", "./x"], ["open", "--ascii", "./x"]),
        (["--root", "d/e"], ["--root", "d/e"]),
        (["report", "a/b"], ["report", "a/b"]),
        (["nonsense"], ["nonsense"]),
        (["--version"], ["--version"]),
    ],
)
def test_files_without_a_command_are_opened(words: list[str], parsed: list[str]) -> None:
    assert with_command(words, commands()) == parsed


def test_a_file_that_has_the_name_of_a_command_is_not_taken_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report").touch()
    (tmp_path / "x.jsonl").touch()
    assert with_command(["report"], commands()) == ["report"]
    assert with_command(["x.jsonl"], commands()) == ["open", "x.jsonl"]


@pytest.mark.parametrize("words", [["overflow", "a", "b", "c"], ["report", "a", "--bogus"]])
def test_a_word_too_many_is_answered_with_the_help_of_its_command(words: list[str]) -> None:
    with pytest.raises(UsageError, match=f"unrecognized.*inspector {words[0]} --help"):
        parsed(words)


@pytest.mark.parametrize("command", ["report", "why", "overflow"])
def test_a_scratch_directory_that_is_nowhere_is_refused(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = Path(__file__).parents[2] / "sample_sessions" / "interrupted-call"
    (path,) = session.glob("*.jsonl")
    assert main([command, str(path), "--scratch", str(tmp_path / "later")]) == 2
    assert "later: there is no such directory" in capsys.readouterr().err
    assert main([command, str(path), "--scratch", str(tmp_path / "later"), "--live"]) == 0
