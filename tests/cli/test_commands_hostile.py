"""No command lets a session's text act on the terminal, or takes a name for more than a name."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from inspector.cli.arguments import parser
from tests.cli.terminal import run
from tests.hostile import EVERYTHING, OWN_HEADLESS, STRINGS, Corpus, foreign, snapshot

FORMS = [
    *(["report", "@", "--format", form] for form in ("text", "json", "markdown", "html")),
    ["why", "@"],
    ["why", "@", "--json"],
    ["why", "@", "--under", "9000"],
    *(["check", "@", "--fail-on", "info", "--format", form] for form in ("text", "json", "sarif", "junit")),
    ["wire", "@", "--request", "3"],
    ["wire", "@", "--request", "99999"],
    ["wire", "@", "--all"],
    ["wire", "@", "--all", "--full", "--recorded"],
    ["compare", "@", "--policy", "documented"],
    ["compare", "@", "--policy", "documented", "--policy", "claude-code", "--json"],
    ["compare", "@", "--recorded"],
    ["compare", "@", "--request", "3"],
    ["compare", "@", "--request", "3", "--against", "1", "--json"],
    ["compare", "@", "@"],
    ["compare", "@", "@", "--json"],
    ["overflow", "@"],
    ["overflow", "@", "--json"],
]
"""Every command that takes a session; `@` is its path."""
CLAUDE_ONLY = [
    ["report", "@", "--resume-after", "40", "--format", "json"],
    ["report", "@", "--policy", "chatcli"],
    ["report", "@", "--policy", "documented"],
    ["wire", "@", "--request", "3", "--agent", EVERYTHING],
    ["wire", "@", "--request", "400", "--prompt", EVERYTHING],
    ["wire", "@", "--request", "3", "--recorded"],
    ["overflow", "@", f"{STRINGS['csi-colour']}0"],
    ["overflow", "@", f"{STRINGS['dcs']}10", "--lines", "1:2"],
    ["overflow", "@", EVERYTHING],
    ["report", "@", "--set", EVERYTHING],
    ["report", "@", "--policy", EVERYTHING],
    ["report", "@", "--policy", "documented", "--set", f"{EVERYTHING}=1"],
    ["check", "@", "--fail-on", EVERYTHING],
    ["check", "@", "--baseline", "@"],
    ["report", "@", EVERYTHING],
    [f"--{EVERYTHING}"],
    [EVERYTHING],
    ["help", EVERYTHING],
    ["completion", EVERYTHING],
    ["report", EVERYTHING],
    ["report", "@", "--format", EVERYTHING],
    ["demo", EVERYTHING],
    ["open", f"@{EVERYTHING}"],
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return Corpus(tmp_path_factory.mktemp("home"), flood=False)


def judge(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for terminal in (True, False):
        code, out, err = run(arguments, monkeypatch, terminal=terminal)
        assert code in (0, 1, 2), (arguments[:1], err[-2_000:])
        exact = not terminal and arguments[0] == "overflow" and code == 0 and len(arguments) > 2
        written = err if exact and arguments[2] != "--json" else out + err
        shown = OWN_HEADLESS.sub("", written.decode("utf-8"))
        assert foreign(shown)[:3] == [], arguments[:1]
        assert b"Traceback" not in written
        nothing_recorded = "--recorded" in arguments and "--all" in arguments  # lists only what there is
        assert written or exact or nothing_recorded


@pytest.mark.parametrize("form", FORMS, ids=lambda form: "-".join(w for w in form if w != "@"))
def test_no_foreign_byte_leaves_a_command(
    form: list[str], corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(corpus.home))
    before = snapshot(corpus.home)
    for path in corpus.sessions:
        judge([word.replace("@", str(path)) for word in form], monkeypatch)
    assert snapshot(corpus.home) == before


def test_no_foreign_byte_leaves_a_command_in_a_flood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    flooded = str(Corpus(tmp_path).claude_code)
    for form in (["report", "@"], ["wire", "@", "--all", "--full"]):
        judge([word.replace("@", flooded) for word in form], monkeypatch)


@pytest.mark.parametrize("form", CLAUDE_ONLY, ids=range(len(CLAUDE_ONLY)))
def test_no_foreign_byte_leaves_an_odd_call(
    form: list[str], corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(corpus.home))
    before = snapshot(corpus.home)
    form = [word.replace("\0", "\x01") for word in form]
    judge([word.replace("@", str(corpus.claude_code)) for word in form], monkeypatch)
    assert snapshot(corpus.home) == before


def test_no_foreign_byte_leaves_the_lists(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(corpus.home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    before = snapshot(corpus.home)
    for form in (
        ["list"],
        ["list", "--json"],
        ["list", "--root", str(corpus.home)],
        ["help"],
        ["demo", "--stories"],
    ):
        judge(form, monkeypatch)
    for form in ("text", "json", "csv"):
        judge(["scan", str(corpus.home), "--format", form, "--jobs", "1"], monkeypatch)
    judge(["scan", str(corpus.home / EVERYTHING[:40].replace("\0", ""))], monkeypatch)
    assert snapshot(corpus.home) == before


def test_the_list_names_every_session_on_a_row_of_its_own(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = run(["list", "--root", str(corpus.home)], monkeypatch, terminal=False)
    assert code == 0
    assert len(out.decode().splitlines()) == 4
    assert not any(line.startswith("evil") for line in out.decode().splitlines())


@pytest.mark.parametrize("policy", ["documented", "claude-code"])
def test_a_run_writes_only_where_it_was_told_to(
    policy: str, corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot(corpus.home)
    for n, path in enumerate(corpus.sessions[:3]):
        own = tmp_path / str(n)
        own.mkdir()
        form = [
            "run",
            str(path),
            "--policy",
            policy,
            "--scratch",
            str(own / "scratch"),
            "--out",
            str(own / "o.json"),
        ]
        form += [
            "--records",
            str(own / "r.jsonl"),
            "--set",
            "budget.turn_limit=2000",
            "--set",
            "budget.mode=on",
        ]
        judge(form, monkeypatch)
        assert {p.name for p in own.iterdir()} <= {"scratch", "o.json", "r.jsonl"}
        assert {p.parent for p in own.rglob("*")} <= {own, own / "scratch"}
    assert snapshot(corpus.home) == before
    assert {p.name for p in tmp_path.iterdir()} == {"0", "1", "2"}


ELSEWHERE = {
    "open": "tests/app/test_app_hostile.py",
    "demo": "tests/app/test_app_hostile.py",
    "list": "the lists, above",
    "scan": "the lists, above",
    "run": "a run, above",
    "serve": "tests/serve/test_server_hostile.py",
}
"""Command → where else it meets hostile texts."""


def test_every_command_is_tried() -> None:
    (commands,) = (a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    tried = {form[0] for form in [*FORMS, *CLAUDE_ONLY]}
    assert set(commands.choices) <= tried | ELSEWHERE.keys()
