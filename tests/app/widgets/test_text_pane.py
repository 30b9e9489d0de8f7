"""The pane around a text: title, search prompt, forms, saving."""

from __future__ import annotations

import base64

from textual.app import App

from inspector.app.widgets.bar import Bar
from inspector.app.widgets.prompt import Prompt
from inspector.app.widgets.text_pane import TextPane
from tests.app.covers import covers
from tests.app.stage import Stage, pytest_log

PNG = base64.b64encode(
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (640).to_bytes(4) + (480).to_bytes(4) + b"\x08\x02\0\0\0" + bytes(300)
).decode()


def bar(app: App[object], name: str) -> str:
    return app.query_one(f"#{name}", Bar).plain


async def test_title_says_where_the_cursor_is() -> None:
    pane = TextPane()
    app = Stage(pane)
    async with app.run_test(size=(80, 20)) as pilot:
        pane.show("log.txt", pytest_log())
        pane.view.focus()
        await pilot.press("down")
        await pilot.pause()
        assert bar(app, "title") == "log.txt  line 2 of 2311"


@covers("text.search", "text.next", "text.previous", "text.end_search")
async def test_slash_searches_and_escape_ends_the_search() -> None:
    pane = TextPane()
    app = Stage(pane)
    async with app.run_test(size=(80, 20)) as pilot:
        pane.show("log.txt", pytest_log())
        pane.view.focus()
        await pilot.press("slash", *"tokenreused", "enter")
        assert bar(app, "foot").startswith("/tokenreused  1 of 3")
        await pilot.press("n", "n", "n")
        assert bar(app, "foot").startswith("/tokenreused  1 of 3")
        await pilot.press("N")
        assert bar(app, "foot").startswith("/tokenreused  3 of 3")
        await pilot.press("escape")
        assert "tokenreused" not in bar(app, "foot")


async def test_a_search_without_match_says_so() -> None:
    pane = TextPane()
    app = Stage(pane)
    async with app.run_test(size=(80, 20)) as pilot:
        pane.show("log.txt", "text")
        pane.view.focus()
        await pilot.press("slash", *"jwt", "enter")
        assert bar(app, "foot").startswith("/jwt  no match")


@covers("text.line")
async def test_colon_goes_to_a_line_and_refuses_words() -> None:
    pane = TextPane()
    app = Stage(pane)
    async with app.run_test(size=(80, 20), notifications=True) as pilot:
        pane.show("log.txt", pytest_log())
        pane.view.focus()
        await pilot.press("colon", *"1204", "enter")
        assert pane.view.line == 1204
        await pilot.press("colon", *"end", "enter")
        assert pane.view.line == 1204
        assert len(app._notifications) == 1


@covers("text.form")
async def test_forms_follow_each_other_and_json_keeps_every_token() -> None:
    pane = TextPane()
    app = Stage(pane)
    async with app.run_test(size=(80, 20)) as pilot:
        pane.show("a.json", '{"a": 1.50, "a": "\\u001b"}')
        pane.view.focus()
        await pilot.press("v")
        assert [pane.view.render_line(y).text[7:].rstrip() for y in range(4)] == [
            "{", '  "a": 1.50,', '  "a": "\\u001b"', "}",
        ]  # fmt: skip
        await pilot.press("v")
        assert "7b 22 61 22" in pane.view.render_line(0).text
        await pilot.press("v")
        assert bar(app, "title").startswith("a.json  line")


async def test_text_that_is_no_json_goes_on_to_hex_with_the_reason() -> None:
    pane = TextPane()
    app = Stage(pane)
    async with app.run_test(size=(80, 20), notifications=True) as pilot:
        pane.show("bad.json", '{"a": }')
        pane.view.focus()
        await pilot.press("v")
        assert bar(app, "title").startswith("bad.json  hex")
        assert "line 1, column 7" in next(iter(app._notifications)).message


async def test_an_image_is_told_with_type_and_size() -> None:
    pane = TextPane()
    app = Stage(pane)
    async with app.run_test(size=(80, 20)):
        pane.show("image", f"data:image/png;base64,{PNG}")
        assert bar(app, "foot").startswith("PNG image 640 × 480 px, 329 bytes")


async def test_pasted_control_characters_become_pictures() -> None:
    pane = TextPane()
    app = Stage(pane)
    async with app.run_test(size=(80, 20)) as pilot:
        pane.show("x", "a\x1b[31m")
        pane.view.focus()
        await pilot.press("slash")
        prompt = app.query_one(Prompt)
        prompt.insert_text_at_cursor("\x1b[31m")
        assert prompt.value == "␛[31m"
        await pilot.press("enter")
        assert "1 of 1" in bar(app, "foot")


async def test_bytes_of_a_lone_surrogate_can_be_had() -> None:
    pane = TextPane()
    async with Stage(pane).run_test(size=(80, 20)):
        pane.show("x", "\ud800")
        assert pane.data == b"\xed\xa0\x80"
