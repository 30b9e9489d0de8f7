"""The request that asks for a summary goes without the newest exchange (rule 11)."""

from __future__ import annotations

from inspector.pipeline.wire.history import History
from inspector.pipeline.wire.summary import summary_tip
from tests.pipeline.wire.records import Script, call, result, text


def messages_without_the_newest_exchange(script: Script) -> int:
    history = History()
    for record in script.records:
        history.add(record)
    history.cut(None)
    return history.cut(summary_tip(history)).messages


def test_the_last_answer_and_its_results_stay_out() -> None:
    script = Script()
    script.user(text())
    for name in ("1", "2"):
        script.answer(f"m{name}", text())
        script.answer(f"m{name}", call(name))
        script.user(result(name))
    assert messages_without_the_newest_exchange(script) == 3


def test_a_prompt_at_the_end_stays_out_alone() -> None:
    script = Script()
    script.user(text())
    script.answer("m", text())
    script.user(text())
    assert messages_without_the_newest_exchange(script) == 2


def test_an_empty_history_stays_empty() -> None:
    assert messages_without_the_newest_exchange(Script()) == 0
