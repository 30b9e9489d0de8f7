"""Limits that are tried by replay, and the mildest that is enough."""

from __future__ import annotations

import json
from pathlib import Path

from inspector.report.why import why_text
from inspector.session import Session
from inspector.why import why
from inspector.why.advice import Advice, Trial
from tests.transcript import SESSION, begun


def advised(folder: Path, under: int | None = None, chars: int = 90_000) -> Advice | None:
    script = begun()
    script.turn("a", "b", "c", chars=chars)
    script.answer(text="Done.")
    return why(script.open(folder), under_tokens=under).advice


def test_first_trial_that_stays_below_is_the_advice(tmp_path: Path) -> None:
    advice = advised(tmp_path, under=75_000)
    assert advice is not None
    names = [trial.name for trial in advice.trials]
    first = next(trial for trial in advice.trials if trial.peak_tokens < 75_000)
    assert advice.enough == first.name == names[0]
    assert first.shortened == 1
    assert first.shortened_chars == 90_000


def test_trial_says_which_fields_it_changes(tmp_path: Path) -> None:
    advice = advised(tmp_path)
    assert advice is not None
    assert advice.trials[0].fields == {"budget.mode": "on"}
    assert advice.trials[1].fields["budget.turn_limit"] == "100000"


def test_aim_that_nothing_reaches_has_no_advice(tmp_path: Path) -> None:
    advice = advised(tmp_path, under=1)
    assert advice is not None
    assert advice.enough == ""


def test_session_without_results_has_no_trials(tmp_path: Path) -> None:
    script = begun()
    script.answer(text="Done.")
    assert why(script.open(tmp_path)).advice is None


def stored_small(folder: Path) -> Session:
    """A session that replaced a result which the documented budget keeps in full."""
    script = begun()
    script.turn("small", chars=30_000)
    stored = [{"kind": "tool-result", "toolUseId": "small", "replacement": "<persisted-output>\nshort"}]
    line = {"type": "content-replacement", "sessionId": SESSION, "replacements": stored}
    script.raw(json.dumps(line).encode())
    script.sent -= 29_000
    script.answer(text="Done.")
    return script.open(folder)


def test_a_trial_that_makes_the_fullest_request_larger_is_no_help_and_says_so(tmp_path: Path) -> None:
    session = stored_small(tmp_path)
    answer = why(session, under_tokens=1_000_000)
    advice = answer.advice
    assert advice is not None
    (worse,) = (t for t in advice.worsening if t.fields == {"budget.mode": "on"})
    assert worse.peak_tokens > advice.peak_tokens
    assert worse.saved_at_peak_tokens == advice.peak_tokens - worse.peak_tokens
    assert worse not in advice.helping
    assert advice.enough != worse.name
    said = f"worse with {worse.name}: the fullest request gets ≈ {-worse.saved_at_peak_tokens:,} tokens"
    assert said in why_text(session, answer)
    assert not {t.name for t in advice.helping} & {t.name for t in advice.worsening}


def trial(name: str, at_peak: int, in_all: int) -> Trial:
    return Trial(
        name, {}, peak_chars=0, peak_tokens=1_000 - at_peak, saved_at_peak_tokens=at_peak,
        saved_tokens=in_all, shortened=1, shortened_chars=1, asked_again=0, breaks=0,
    )  # fmt: skip


def test_trials_that_help_at_the_peak_stand_first_and_those_that_do_nothing_fall_out() -> None:
    trials = trial("a", 0, 9), trial("b", 5, 5), trial("c", 0, 0), trial("d", -1, 7), trial("e", 4, -2)
    advice = Advice(900, 1_000, trials, "")
    assert [t.name for t in advice.helping] == ["b", "a"]
    assert [t.name for t in advice.worsening] == ["d", "e"]
    words = [t.worse_words for t in trials]
    assert words == [
        "", "", "", "the fullest request gets ≈ 1 tokens larger, although all together are ≈ 7 smaller",
        "all requests together get ≈ 2 tokens larger",
    ]  # fmt: skip
