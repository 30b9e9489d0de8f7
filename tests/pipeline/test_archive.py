"""Markers of archived originals."""

from inspector.pipeline.archive import key_of, keys_in, suffix

ONE, TWO = "0123456789abcdef", "fedcba9876543210"


def test_a_key_is_the_start_of_the_digest_of_the_bytes() -> None:
    assert key_of("") == "e3b0c44298fc1c14"
    assert len(key_of("half \ud83d")) == 16


def test_keys_are_found_once_each_in_order_and_only_in_their_exact_form() -> None:
    text = f"<<ccr:{TWO}>> x <<ccr:{ONE}>> <<ccr:{TWO}>> <<ccr:short>> <<ccr:{ONE.upper()}>>"
    assert keys_in(text) == (TWO, ONE)
    assert keys_in("no marker") == ()


def test_the_suffix_names_only_what_the_stub_does_not_name_already() -> None:
    assert suffix((ONE, TWO), f"stub <<ccr:{ONE}>>") == (
        f"\n[full content recoverable via @recall <<ccr:{TWO}>>]"
    )
    assert suffix((ONE,), f"stub <<ccr:{ONE}>>") == ""
