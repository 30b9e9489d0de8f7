"""A question in the bottom line."""

from __future__ import annotations

from inspector.app.widgets.question import Question, QuestionLine
from tests.app.stage import Stage


async def test_answer_is_what_was_typed_and_the_line_goes() -> None:
    told: list[str] = []
    line = QuestionLine()
    async with Stage(line).run_test() as pilot:
        line.ask(Question("how many", told.append, start="4"))
        assert line.has_class("-asking")
        await pilot.press("2", "enter")
        await pilot.pause()
        assert told == ["42"]
        assert not line.has_class("-asking")


async def test_question_that_is_left_has_no_answer() -> None:
    told: list[str] = []
    line = QuestionLine()
    async with Stage(line).run_test() as pilot:
        line.ask(Question("how many", told.append, left=lambda: told.append("left")))
        await pilot.press("7")
        line.leave()
        await pilot.pause()
        assert told == ["left"]
