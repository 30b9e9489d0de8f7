"""Settings from environment variables, with ChatCLI's parsing, and a reason for every value (§10).

ChatCLI drops a value that it cannot read without a word; here each field says which value is in
force and why, because that silence is what people search for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from inspector.model.chatcli import (
    AgeingLimits,
    ArchiveSettings,
    BudgetLimits,
    Order,
    RecoveryLimits,
    Settings,
)
from inspector.model.policy import Ageing, BudgetMode, Policy, Stage
from inspector.pipeline.chatcli.go_values import INT_MAX, atoi, parse_duration_s


class Note(msgspec.Struct, frozen=True):
    """Why one field has the value it has."""

    field: str
    """Dotted name in `Settings`, such as `budget.result_bytes`."""
    variable: str
    value: Any
    """What is in force."""
    given: str | None
    """The variable's text; None where it is not set. Untrusted."""
    reason: str
    """`default`, `env`, or why the text was passed over: `env ignored: not a number` …"""

    @property
    def ignored(self) -> bool:
        """Whether somebody set a value that has no effect."""
        return self.reason.startswith("env ignored")


_Parsed = tuple[Any, str]
"""The value and an empty text, or None and why it is ignored."""


def _positive(text: str) -> _Parsed:
    number = atoi(text)
    if number is None:
        return None, "not a number"
    return (number, "") if number > 0 else (None, "not above zero")


def _not_negative(text: str) -> _Parsed:
    number = atoi(text)
    if number is None:
        return None, "not a number"
    return (number, "") if number >= 0 else (None, "below zero")


def _threshold(text: str) -> _Parsed:
    number, why = _not_negative(text)
    return (number, why) if number != 0 else (None, "zero means the default")


def _megabytes(text: str) -> _Parsed:
    number, why = _not_negative(text)
    return (None, why) if number is None else (number * 1024 * 1024, "")


def _duration(text: str) -> _Parsed:
    seconds = parse_duration_s(text)
    if seconds is None:
        return None, "not a duration such as 168h"
    return (seconds, "") if seconds >= 0 else (None, "below zero")


_MODES = {
    **dict.fromkeys(("off", "none", "disabled"), "off"),
    **dict.fromkeys(("lossless", "lossless-only", "safe"), "lossless"),
    **dict.fromkeys(("lossy", "lossy-with-ccr", "ccr"), "lossy-with-ccr"),
}


def _mode(text: str) -> _Parsed:
    return (_MODES[text], "") if text in _MODES else (None, "unknown mode, taken as lossy")


def _profile(text: str) -> _Parsed:
    known = text in ("conservative", "default", "aggressive")
    return (text, "") if known else (None, "unknown profile")


def _any_text(text: str) -> _Parsed:
    return text, ""


_VARIABLES: tuple[tuple[str, str, Callable[[str], _Parsed], bool], ...] = (
    ("budget.result_bytes", "CHATCLI_TOOL_RESULT_MAX_CHARS", _positive, False),
    ("budget.turn_bytes", "CHATCLI_TOOL_RESULT_BUDGET_CHARS", _positive, False),
    ("ageing.truncate_turns", "CHATCLI_MICROCOMPACT_TRUNCATE_TURNS", _positive, True),
    ("ageing.summarize_turns", "CHATCLI_MICROCOMPACT_SUMMARIZE_TURNS", _positive, True),
    ("ageing.head_bytes", "CHATCLI_MICROCOMPACT_HEAD_CHARS", _positive, True),
    ("ageing.tail_bytes", "CHATCLI_MICROCOMPACT_TAIL_CHARS", _positive, True),
    ("ageing.min_bytes", "CHATCLI_MICROCOMPACT_MIN_CONTENT", _positive, True),
    ("recovery.max_attempts", "CHATCLI_MAX_RECOVERY_ATTEMPTS", _positive, True),
    ("recovery.keep_messages", "CHATCLI_EMERGENCY_KEEP_MESSAGES", _positive, True),
    ("archive.mode", "CHATCLI_COMPRESSION", _mode, True),
    ("archive.profile", "CHATCLI_COMPRESSION_PROFILE", _profile, True),
    ("archive.threshold_bytes", "CHATCLI_COMPRESSION_THRESHOLD", _threshold, True),
    ("archive.directory", "CHATCLI_COMPRESSION_CCR_DIR", _any_text, True),
    ("archive.max_bytes", "CHATCLI_COMPRESSION_CCR_MAX_MB", _megabytes, True),
    ("archive.ttl_s", "CHATCLI_COMPRESSION_CCR_TTL", _duration, True),
)
"""Field, variable, parser, and whether a `.env` file can set it. The two limits of the budget are
read before ChatCLI loads that file, so they work from the real environment only."""


def settings_from_environment(
    environment: Mapping[str, str], dotenv: Mapping[str, str] | None = None
) -> tuple[Settings, tuple[Note, ...]]:
    """The settings that a ChatCLI process with these variables has.

    Args:
        environment: The real environment, as the process was started with it.
        dotenv: Variables of its `.env` file; the real environment wins over them.

    Returns:
        The settings, and one note for each field that a variable can set.
    """
    settings = Settings()
    notes: list[Note] = []
    for field, variable, parse, from_dotenv in _VARIABLES:
        part, _, name = field.partition(".")
        given, too_late = _look_up(variable, environment, dotenv or {}, from_dotenv)
        value, reason = getattr(getattr(settings, part), name), "default"
        if too_late:
            reason = "env ignored: .env is read too late for this variable"
        elif given:
            parsed, why = parse(given)
            if parsed is None:
                reason = f"env ignored: {why}"
            else:
                value, reason = parsed, "env"
                settings = _with(settings, part, name, value)
        notes.append(Note(field, variable, value, given, reason))
    return settings, tuple(notes)


def warnings_for(settings: Settings) -> tuple[str, ...]:
    """Combinations that ChatCLI accepts although they cannot do what they seem to say (§10).

    Args:
        settings: The settings in force.

    Returns:
        One sentence each; empty where nothing is odd.
    """
    ageing = settings.ageing
    kept = ageing.head_bytes + ageing.tail_bytes + 100
    out = []
    if ageing.summarize_turns <= ageing.truncate_turns:
        out.append("Results are summarized as soon as they are old enough to be truncated.")
    if kept > INT_MAX:
        out.append("Head plus tail exceed 64 bits: ChatCLI itself crashes at the first truncation.")
    elif kept >= ageing.min_bytes:
        out.append(
            f"Results from {ageing.min_bytes} up to {kept} bytes are counted as truncated "
            "but keep their whole text."
        )
    if settings.budget.result_bytes > settings.budget.turn_bytes:
        out.append("The limit per result is above the limit per turn, so only the latter has an effect.")
    return tuple(out)


def settings_of(policy: Policy) -> Settings:
    """The settings that a policy's fields stand for.

    A stage that is switched off gets limits that nothing reaches.

    Args:
        policy: A policy whose stages are ChatCLI's; its unit is bytes.
    """
    budget_on = policy.budget.mode is BudgetMode.ON
    ages = policy.microcompact.variant in (Ageing.CHATCLI, Ageing.AGES)
    aged_first = policy.order.index(Stage.MICROCOMPACT) < policy.order.index(Stage.PAIRING)
    return Settings(
        budget=BudgetLimits(
            INT_MAX if policy.budget.result_limit is None or not budget_on else policy.budget.result_limit,
            policy.budget.turn_limit if budget_on else INT_MAX,
        ),
        ageing=AgeingLimits(
            policy.microcompact.truncate_turns,
            policy.microcompact.summarize_turns,
            policy.microcompact.head,
            policy.microcompact.tail,
            policy.microcompact.min_content if ages else INT_MAX,
        ),
        recovery=RecoveryLimits(),
        archive=ArchiveSettings(mode="lossy-with-ccr" if policy.archive else "off"),
        order=Order.LOOP if aged_first else Order.SEED,
        pairing=policy.pairing.variant,
    )


def _look_up(
    variable: str, environment: Mapping[str, str], dotenv: Mapping[str, str], from_dotenv: bool
) -> tuple[str | None, bool]:
    """The text in force, and whether it only stands where it is read too late."""
    if variable in environment:
        return environment[variable], False
    return dotenv.get(variable), bool(dotenv.get(variable)) and not from_dotenv


def _with(settings: Settings, part: str, name: str, value: Any) -> Settings:
    changed: dict[str, Any] = {part: replace(getattr(settings, part), **{name: value})}
    return replace(settings, **changed)
