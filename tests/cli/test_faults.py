"""A fault of our own is a sentence; its traceback goes to a file, and only if it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.app.app import InspectorApp
from inspector.cli import commands
from inspector.cli.faults import fault_words, state_directory
from tests.cli.terminal import run
from tests.hostile import EVERYTHING, foreign


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    def fail(*_: object) -> None:
        raise RuntimeError(EVERYTHING)

    monkeypatch.setattr(commands, "policy_of", fail)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "inspector"


@pytest.mark.parametrize("terminal", [True, False])
def test_a_fault_is_one_sentence(terminal: bool, broken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = run(["report", __file__], monkeypatch, terminal=terminal)
    said = err.decode()
    assert code == 3
    assert out == b""
    assert said.startswith("inspector: a fault in the inspector itself: RuntimeError")
    assert "--debug" in said
    assert len(said.splitlines()) == 1
    assert foreign(said) == []
    assert not broken.exists()


@pytest.mark.parametrize("arguments", [["--debug", "report", __file__], ["report", __file__, "--debug"]])
def test_debug_keeps_the_traceback_in_the_state_directory(
    arguments: list[str], broken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, _, err = run(arguments, monkeypatch, terminal=False)
    assert code == 3
    (file,) = broken.iterdir()
    assert str(file) in err.decode()
    assert file.stat().st_mode & 0o077 == 0
    kept = file.read_text(encoding="utf-8")
    assert "Traceback" in kept and "RuntimeError" in kept
    assert foreign(kept, "\n") == []


def test_a_state_directory_that_cannot_be_written_is_said() -> None:
    words = fault_words(ValueError("x"), debug=True, environment={"XDG_STATE_HOME": "/proc/1"})
    assert "could not be kept" in words


def test_the_state_directory_is_the_users() -> None:
    assert state_directory({"XDG_STATE_HOME": "/s"}) == Path("/s/inspector")
    assert state_directory({"XDG_STATE_HOME": "s", "HOME": "/h"}) == Path("/h/.local/state/inspector")
    assert state_directory({}).is_absolute()


async def test_a_fault_in_the_app_draws_no_traceback_and_comes_out_of_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_: InspectorApp) -> None:
        raise RuntimeError(EVERYTHING)

    monkeypatch.setattr(InspectorApp, "on_mount", fail)
    app = InspectorApp(None, catalog=None)
    with pytest.raises(RuntimeError):
        async with app.run_test():
            pass
    assert app._exit_renderables == []
    assert isinstance(app.fault, RuntimeError)
