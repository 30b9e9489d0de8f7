"""Limits that are tried by replay, and the mildest that is enough."""

from __future__ import annotations

from pathlib import Path

from inspector.why import why
from inspector.why.advice import Advice
from tests.transcript import begun


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
