"""Elided texts are told apart by length and digest."""

from __future__ import annotations

import hashlib

from inspector.pipeline.wire.elided import same_value


def elided(hidden: str, length: int | None = None) -> str:
    digest = hashlib.sha256(hidden.encode()).hexdigest()[:12]
    return f"[elided by NAME: {len(hidden) if length is None else length} chars, sha256 {digest}]"


def test_an_elided_text_is_what_it_stands_for() -> None:
    assert same_value(elided("secret"), "secret")
    assert same_value("secret", elided("secret"))
    assert same_value(f"a {elided('b')} c {elided('d')}", "a b c d")


def test_another_text_or_length_is_another_value() -> None:
    assert not same_value(elided("secret"), "secreT")
    assert not same_value(elided("secret", 5), "secret")
    assert not same_value(f"{elided('secret')}.", "secret")
    assert not same_value("plain", "other")


def test_what_is_elided_on_both_sides_must_be_the_same() -> None:
    assert same_value(f"x{elided('a')}y", f"x{elided('a')}y")
    assert not same_value(elided("a"), elided("b"))


def test_lists_and_objects_are_compared_inside() -> None:
    ours = {"content": [{"type": "text", "text": elided("secret")}]}
    assert same_value(ours, {"content": [{"type": "text", "text": "secret"}]})
    assert not same_value(ours, {"content": []})
    assert not same_value(ours, {"content": [{"type": "text", "text": "secret", "more": 1}]})
