"""Mode and generation of the client, and what had to be assumed."""

from __future__ import annotations

import pytest

from inspector.model.transcript import Flag, Role
from inspector.pipeline.wire.facts import facts_of
from tests.pipeline.wire.records import Script, text

REFERENCE = "01234567-89ab-cdef-0123-456789abcdef"


@pytest.mark.parametrize(
    ("entrypoint", "screen", "assumed"),
    [
        ("cli", True, False),
        ("sdk-cli", False, False),
        ("sdk-ts", False, False),
        ("", True, True),
        ("other", True, True),
    ],
)
def test_the_newest_entrypoint_tells_screen_from_print(entrypoint: str, screen: bool, assumed: bool) -> None:
    script = Script()
    script.user(text(), entrypoint="cli", version="2.1.92")
    script.user(text(), entrypoint=entrypoint or "")
    facts = facts_of(script.records[1:])
    assert facts.screen is screen
    assert any("screen" in sentence for sentence in facts.assumptions) is assumed


def test_a_request_reference_proves_the_new_client_and_a_request_id_does_not() -> None:
    script = Script()
    script.answer("m", text(), request_ref="req_0123", version="2.1.150", entrypoint="cli")
    assert facts_of(script.records).new is False
    script.answer("n", text(), request_ref=REFERENCE)
    assert facts_of(script.records).new is True


@pytest.mark.parametrize("role", [Role.REQUEST, Role.BRIDGE])
def test_request_lines_and_attachments_with_texts_prove_the_new_client(role: Role) -> None:
    script = Script()
    script(role, flags=Flag.REMINDER)
    assert facts_of(script.records).new is True


def test_an_unknown_newer_version_uses_the_newest_rules_and_says_so() -> None:
    script = Script()
    script.user(text(), version="3.0.1", entrypoint="cli")
    facts = facts_of(script.records)
    assert facts.new is True
    assert "newer" in facts.assumptions[0]


@pytest.mark.parametrize(
    ("version", "new", "assumed"),
    [
        ("2.1.332", True, ""),
        ("2.1.333", True, "newer"),
        ("2.1.331", False, "2.1.92"),
        ("2.1.93", False, "2.1.92"),
        ("2.1.92", False, ""),
        ("1.0.98", False, ""),
        ("", False, "no version"),
    ],
)
def test_without_proof_the_version_tells_the_generation(version: str, new: bool, assumed: str) -> None:
    script = Script()
    script.user(text(), version=version, entrypoint="cli")
    facts = facts_of(script.records)
    assert facts.new is new
    assert [assumed in sentence for sentence in facts.assumptions] == ([True] if assumed else [])


@pytest.mark.parametrize(("model", "system"), [("claude-opus-5-5", True), ("claude-sonnet-4-5", False)])
def test_the_newest_models_get_reminders_as_system_messages(model: str, system: bool) -> None:
    script = Script()
    script.answer("m", text(), request_ref=REFERENCE, model=model)
    assert facts_of(script.records).system_reminders is system
    assert facts_of(script.records, model="claude-opus-6").system_reminders is True


def test_a_copy_of_an_older_record_does_not_tell_the_mode_again() -> None:
    script = Script()
    script.user(text(), entrypoint="sdk-cli", version="2.1.92")
    script.user(text(), entrypoint="cli")
    script.user(text(), entrypoint="sdk-cli", flags=Flag.DUPLICATE)
    assert facts_of(script.records).screen
