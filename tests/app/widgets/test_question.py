"""A question takes one answer, tells every change, and ends without leaving anything open."""

from __future__ import annotations

from inspector.app.widgets.question import Question, QuestionLine
from tests.app.stage import Stage


async def test_an_answer_ends_the_question() -> None:
    line = QuestionLine()
    answers: list[str] = []
    typed: list[str] = []
    async with Stage(line).run_test(size=(60, 5)) as pilot:
        assert not line.display
        line.ask(Question("name", answers.append, start="a", typed=typed.append))
        await pilot.press("b", "enter")
        assert (answers, typed, line.question) == (["ab"], ["ab"], None)
        assert not line.display


async def test_leaving_tells_whoever_asked_and_another_question_begins_empty() -> None:
    line = QuestionLine()
    answers: list[str] = []
    left: list[bool] = []
    async with Stage(line).run_test(size=(60, 5)) as pilot:
        line.ask(Question("first", answers.append, left=lambda: left.append(True)))
        await pilot.press("x")
        line.leave()
        line.leave()
        line.ask(Question("second", answers.append, typed=answers.append))
        await pilot.pause()
        assert (answers, left, line.prompt.value) == ([], [True], "")


async def test_completions_pass_the_gate() -> None:
    line = QuestionLine()
    async with Stage(line).run_test(size=(60, 5)) as pilot:
        line.ask(Question("tool", print, complete=lambda text: [f"{text}\x1b[31m"]))
        await pilot.press("t")
        await pilot.pause(0.1)
        assert line.prompt._suggestion == "t␛[31m"
