"""Environment variables: what is in force, and why."""

from __future__ import annotations

import pytest

from inspector.model.chatcli import AgeingLimits, Settings
from inspector.model.policy import CHATCLI
from inspector.pipeline.chatcli.settings import (
    Note,
    settings_from_environment,
    settings_of,
    warnings_for,
)

MAX = "CHATCLI_TOOL_RESULT_MAX_CHARS"


def note(notes: tuple[Note, ...], variable: str) -> Note:
    return next(n for n in notes if n.variable == variable)


@pytest.mark.parametrize(
    ("text", "value", "reason"),
    [
        ("500", 500, "env"),
        ("+7", 7, "env"),
        ("007", 7, "env"),
        ("", 20_000, "default"),
        ("0", 20_000, "env ignored: not above zero"),
        ("-3", 20_000, "env ignored: not above zero"),
        (" 7", 20_000, "env ignored: not a number"),
        ("1_000", 20_000, "env ignored: not a number"),
        ("0x10", 20_000, "env ignored: not a number"),
        ("20KB", 20_000, "env ignored: not a number"),
        ("٧", 20_000, "env ignored: not a number"),
        ("9223372036854775808", 20_000, "env ignored: not a number"),
        ("9" * 5_000, 20_000, "env ignored: not a number"),
    ],
)
def test_number_is_read_as_go_reads_it(text: str, value: int, reason: str) -> None:
    settings, notes = settings_from_environment({MAX: text})
    assert settings.budget.result_bytes == value
    assert (note(notes, MAX).value, note(notes, MAX).reason) == (value, reason)


def test_without_variables_every_field_is_the_default() -> None:
    settings, notes = settings_from_environment({})
    assert settings == Settings()
    assert {n.reason for n in notes} == {"default"}


def test_dotenv_is_read_too_late_for_the_limits_of_the_budget_only() -> None:
    dotenv = {MAX: "5", "CHATCLI_MICROCOMPACT_HEAD_CHARS": "9"}
    settings, notes = settings_from_environment({}, dotenv)
    assert (settings.budget.result_bytes, settings.ageing.head_bytes) == (20_000, 9)
    assert note(notes, MAX).ignored
    assert settings_from_environment({MAX: "6"}, dotenv)[0].budget.result_bytes == 6


@pytest.mark.parametrize(
    ("text", "mode"), [("ccr", "lossy-with-ccr"), ("safe", "lossless"), ("none", "off"), ("OFF", None)]
)
def test_compression_mode_is_taken_in_exact_case(text: str, mode: str | None) -> None:
    settings, notes = settings_from_environment({"CHATCLI_COMPRESSION": text})
    assert settings.archive.mode == (mode or "lossy-with-ccr")
    assert note(notes, "CHATCLI_COMPRESSION").ignored == (mode is None)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0.0),
        ("90m", 5_400.0),
        ("1h30m", 5_400.0),
        ("1.5s", 1.5),
        ("2ms", 0.002),
        ("5", None),
        ("-1h", None),
        ("h", None),
        ("1 h", None),
        ("9999999h", None),
    ],
)
def test_lifetime_is_read_as_a_go_duration(text: str, seconds: float | None) -> None:
    settings, notes = settings_from_environment({"CHATCLI_COMPRESSION_CCR_TTL": text})
    assert settings.archive.ttl_s == (168 * 3_600 if seconds is None else seconds)
    assert note(notes, "CHATCLI_COMPRESSION_CCR_TTL").ignored == (seconds is None)


def test_odd_combinations_are_told() -> None:
    assert warnings_for(Settings()) == ()
    assert len(warnings_for(Settings(ageing=AgeingLimits(truncate_turns=5)))) == 1
    assert "crashes" in warnings_for(Settings(ageing=AgeingLimits(head_bytes=(1 << 63) - 1)))[0]
    assert "whole text" in warnings_for(Settings(ageing=AgeingLimits(min_bytes=100)))[0]


def test_the_preset_stands_for_the_default_settings() -> None:
    assert settings_of(CHATCLI).budget == Settings().budget
    assert settings_of(CHATCLI).ageing == AgeingLimits()
