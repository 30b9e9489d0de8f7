"""Files open outside through an argument list, never through a shell."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from inspector.app.external import EDITOR, PAGER, command_line, open_outside
from inspector.app.widgets.bar import Bar
from inspector.errors import UsageError
from tests.app.stage import Stage
from tests.app.terminal import Terminal
from tests.hostile import overflow_text
from tests.transcript import SESSION, begun, call, result


def test_command_is_split_and_the_path_stays_one_argument() -> None:
    path = "/s/$(touch x); a b.txt"
    assert command_line(EDITOR, path, {"EDITOR": "code --wait 'my profile'"}) == [
        "code", "--wait", "my profile", path,
    ]  # fmt: skip


def test_visual_comes_before_editor() -> None:
    assert command_line(EDITOR, "/f", {"VISUAL": "a", "EDITOR": "b"}) == ["a", "/f"]
    assert command_line(EDITOR, "/f", {"VISUAL": " ", "EDITOR": "b"}) == ["b", "/f"]


@pytest.mark.parametrize(
    ("editor", "words"),
    [
        ("vim", ["vim", "+12", "/s/{line} a.jsonl"]),
        ("/usr/bin/nano -w", ["/usr/bin/nano", "-w", "+12", "/s/{line} a.jsonl"]),
        ("code --wait", ["code", "--wait", "--goto", "/s/{line} a.jsonl:12"]),
        ("/opt/subl", ["/opt/subl", "/s/{line} a.jsonl:12"]),
        ("mate", ["mate", "--line", "12", "/s/{line} a.jsonl"]),
    ],
)
def test_a_line_is_told_as_the_editor_takes_it(editor: str, words: list[str]) -> None:
    assert command_line(EDITOR, "/s/{line} a.jsonl", {"EDITOR": editor}, 12) == words


def test_a_name_cannot_pass_for_an_option() -> None:
    assert Path(command_line(PAGER, "-rf", {"PAGER": "less"})[1]).is_absolute()


@pytest.mark.parametrize(
    ("environ", "words"), [({}, r"Set \$PAGER"), ({"PAGER": "'less"}, r"\$PAGER cannot be read")]
)
def test_unusable_commands_are_told(environ: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        command_line(PAGER, "/f", environ)


@pytest.mark.parametrize("missing", [True, False])
async def test_what_goes_wrong_is_shown_and_nothing_crashes(
    missing: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file\x1b[31m.txt"
    if not missing:
        path.write_text("x")
    monkeypatch.setenv("PAGER", f"{sys.executable} -c 'raise SystemExit(3)'")
    app = Stage(Bar())
    async with app.run_test(size=(60, 5), notifications=True) as pilot:
        open_outside(app, PAGER, str(path))
        await pilot.pause()
        (toast,) = app._notifications
        assert "\x1b" not in toast.message
        assert ("no file" if missing else "cannot be handed") in toast.message


PAGERS = {
    "/nowhere/at-all": "directory.",
    "/": "Permission",
    "false": "code",
    f"{sys.executable} -c 'import os, signal; os.kill(os.getppid(), signal.SIGINT)'": "",
}
"""What a person may have set → a word of what is said."""


@pytest.mark.parametrize("pager", PAGERS)
def test_the_terminal_comes_back_whatever_the_program_does(pager: str, tmp_path: Path) -> None:
    script = begun()
    folder = tmp_path / SESSION / "tool-results"
    folder.mkdir(parents=True)
    (folder / "toolu_1.txt").write_text("the-whole-text")
    script.answer(call("toolu_1"))
    script.results(result("toolu_1", overflow_text("the", str(folder), "toolu_1")))
    home = tmp_path / "home"
    home.mkdir()
    terminal = Terminal(
        ["open", str(script.write(tmp_path))], {"HOME": str(home), "PAGER": pager, "XDG_STATE_HOME": ""}
    )
    try:
        terminal.wait_for("budget;")
        terminal.rest(0.4)
        terminal.press("o")
        terminal.wait_for("the-whole-text")
        terminal.press("shift+tab")
        del terminal.written[:]
        terminal.press("P")
        terminal.wait_for("\x1b[?1049l")  # it steps aside
        terminal.wait_for("\x1b[?1049h")  # and is back
        terminal.wait_for(PAGERS[pager])
        terminal.rest(0.4)
        del terminal.written[:]
        terminal.press("?")
        terminal.wait_for("\x1b[38;2;")  # it takes keys and draws
        terminal.press("escape", "ctrl+q")
        assert terminal.leave() == 0
    finally:
        terminal.close()
