from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from inspector.cli import main
from inspector.cli.arguments import parser
from inspector.cli.serve_command import app_process, app_words
from inspector.samples import stories

PATH = stories()[0].path


def run(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main(["serve", *words])
    said = capsys.readouterr()
    assert not said.out
    return code, said.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--host", "192.0.2.1"], "to this machine only"),
        (["--port", "70000"], "--port wants a number up to 65535"),
        (["--port", "-1"], "--port wants a number up to 65535"),
        (["/nowhere/at-all.jsonl"], "/nowhere/at-all.jsonl: there is no such file"),
        ([str(PATH), "--policy", "none-such"], "none-such"),
        (["--policy", "documented"], "are about a session: name one"),
    ],
)
def test_a_mistake_is_told_before_anything_is_served(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, error = run(*words, capsys=capsys)
    assert code == 2
    assert said in error
    assert error.count("\n") == 1


def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "textual_serve.download_manager", None)
    monkeypatch.delitem(sys.modules, "inspector.serve.server", raising=False)
    code, error = run(str(PATH), capsys=capsys)
    assert code == 2
    assert "pip install 'inspector[serve]'" in error


def test_a_window_gets_the_arguments_that_were_given() -> None:
    given = parser().parse_args(
        ["serve", "x", "--policy", "claude-code", "--set", "budget.mode=on", "--set", "a=b c",
         "--scratch=-odd", "--request", "3", "--no-follow", "--root", "r"]
    )  # fmt: skip
    words = app_words(given, [Path("/sessions/-x.jsonl"), Path("/sessions/y.jsonl")])
    assert words[0] == "open"
    again = parser().parse_args(words)
    assert again.paths == ["/sessions/-x.jsonl", "/sessions/y.jsonl"]
    for name in ("policy", "set", "scratch", "request", "no_follow", "root"):
        assert getattr(again, name) == getattr(given, name), name


def test_a_window_is_told_that_the_session_is_live() -> None:
    given = parser().parse_args(["serve", "x", "--live"])
    assert parser().parse_args(app_words(given, [Path("/sessions/x")])).live


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--live", "--no-follow"], "opposites"), (["--scratch", "nowhere/at/all"], "no such directory")],
)
def test_what_a_window_would_complain_of_is_told_before_anything_is_served(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, error = run(str(PATH), *words, capsys=capsys)
    assert code == 2
    assert said in error


def test_nothing_is_imported_from_where_it_is_started(tmp_path: Path) -> None:
    for name in ("inspector", "textual", "argparse"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported from here')", encoding="utf-8")
    done = subprocess.run(
        app_process(["--version"]), cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("inspector "), done.stderr


def test_without_a_session_a_window_begins_with_the_list() -> None:
    assert app_words(parser().parse_args(["serve"]), []) == []
    assert app_words(parser().parse_args(["serve", "--root", "r"]), []) == ["--root=r"]


@contextmanager
def served(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command, and the address that it printed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "inspector", "serve", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM])
def test_the_address_is_the_result_and_ctrl_c_the_end(name: signal.Signals) -> None:
    with served(str(PATH)) as (process, address):
        assert re.fullmatch(r"http://127\.0\.0\.1:[0-9]+/[\w-]{43}/", address)
        server, _, path = address.removeprefix("http://").partition("/")
        browser = http.client.HTTPConnection(server, timeout=10)
        browser.request("GET", f"/{path}")
        assert browser.getresponse().status == 200
        browser.close()
        process.send_signal(name)
        out, error = process.communicate(timeout=20)
        assert process.returncode == 0
        assert not out
        assert "Traceback" not in error
        assert address not in error
        assert "Ctrl-C stops" in error


def test_an_app_does_not_outlive_a_server_that_was_killed() -> None:
    """The driver alone, with nobody left who could tell it to end."""
    environment = {**os.environ, "TEXTUAL_DRIVER": "inspector.app.served_driver:ServedDriver"}
    app = subprocess.Popen(
        [sys.executable, "-m", "inspector", "open", "--no-follow", str(PATH)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    try:
        assert app.stdin is not None
        assert app.stdout is not None
        assert app.stdout.readline() == b"__GANGLION__\n"
        app.stdin.close()
        app.stdin = None
        began = time.monotonic()
        app.communicate(timeout=30)
        assert app.returncode == 0
        assert time.monotonic() - began < 30
    finally:
        app.kill()
