"""Files open outside through an argument list, never through a shell."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from inspector.app.external import EDITOR, PAGER, command_line, open_outside
from inspector.app.widgets.bar import Bar
from inspector.errors import UsageError
from tests.app.stage import Stage


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
