from __future__ import annotations

import argparse
import subprocess
import sys

import pytest

from inspector.cli.arguments import Later, parser


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
