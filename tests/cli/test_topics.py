"""Help topics, examples and completion are complete: made from the parser, or checked against it."""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess

import pytest

from inspector.cli.arguments import parser
from inspector.cli.completion import script
from inspector.cli.topics import EXAMPLES, TOPICS, topic
from inspector.errors import UsageError
from inspector.model.finding_words import MEANINGS
from inspector.model.findings import KINDS
from tests.conformance.screenless import run


def commands() -> dict[str, argparse.ArgumentParser]:
    for action in parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    raise AssertionError("no commands")


def test_every_example_is_a_line_that_the_parser_takes() -> None:
    for page in EXAMPLES.values():
        for line in page.splitlines():
            if not line.startswith("  inspector "):
                continue
            words = shlex.split(line.split("   ")[0].split(" > ")[0].strip())[1:]
            words = ["PATH" if w == "*.jsonl" else w for w in words]
            assert parser().parse_args(words)


def test_every_command_but_the_helping_ones_has_examples() -> None:
    assert set(commands()) - {"help"} == set(EXAMPLES)


def test_topics_name_every_kind_and_unknown_ones_are_refused_with_the_list() -> None:
    assert all(kind in TOPICS["findings"] for kind in KINDS)
    assert "severity error" in topic("missing_result")
    with pytest.raises(UsageError, match="exit-codes"):
        topic("nonsense")


def test_help_prints_the_list_and_a_topic() -> None:
    assert run("help")[1].startswith("policies ")
    assert "remainder" in run("help", "tokens")[1]
    assert run("help", "nonsense")[0] == 2


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_every_command_and_option(shell: str) -> None:
    text = script(shell, parser())
    for name, command in commands().items():
        assert name in text
        for action in command._actions:
            for option in action.option_strings:
                assert option.lstrip("-") in text, (name, option)
    binary = shutil.which(shell)
    if binary:
        done = subprocess.run([binary, "-n"], input=text, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr


def test_bash_completes_commands_and_choices() -> None:
    binary = shutil.which("bash")
    if binary is None:
        pytest.skip("there is no bash here")
    tail = 'COMP_WORDS=(inspector {words}); COMP_CWORD={at}; _inspector; echo "${{COMPREPLY[*]}}"'
    text = script("bash", parser())
    for words, at, wanted in (("wh", 1, "why"), ("report --format ht", 3, "html")):
        call = text + "\n" + tail.format(words=words, at=at)
        done = subprocess.run([binary], input=call, text=True, capture_output=True, check=False)
        assert done.stdout.strip() == wanted


def test_the_signs_are_listed_in_both_forms_or_in_the_one_in_use() -> None:
    page = topic("signs")
    assert "▲  A  over budget" in page
    assert "r  r  must-reapply" in page
    code, out = run("help", "signs", "--ascii")
    assert code == 0
    assert out.isascii()
    assert "A  A  over budget" in out


def test_examples_of_filters_are_figures_that_occur() -> None:
    told = topic("filter")
    assert "size>20k" in told
    assert "turn>20 " in told
    assert "age>20 " in told


def test_every_kind_of_finding_is_explained_alone_and_in_the_list() -> None:
    for kind, words in MEANINGS.items():
        assert words in topic("findings")
        assert words in topic(kind)
    assert max(len(line) for line in topic("findings").splitlines()) <= 110
