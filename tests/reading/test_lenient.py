from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.reading.lenient import LineReading, decode_json, find_records, read_line
from tests.reading.samples import user

WHOLE = json.dumps(user(1, "hello")).encode()
OTHER = json.dumps(user(2, "again")).encode()


def values(reading: LineReading) -> list[Any]:
    return [piece.value for piece in reading.pieces]


def test_sound_line_is_read_without_a_word() -> None:
    assert read_line(WHOLE) == LineReading(read_line(WHOLE).pieces)
    assert values(read_line(WHOLE)) == [user(1, "hello")]


def test_lone_surrogate_is_sound_json() -> None:
    reading = read_line(rb'{"type":"user","uuid":"u","x":"tail \ud83d"}')
    assert (reading.kind, values(reading)[0]["x"]) == ("", "tail \ud83d")


def test_long_number_is_sound_json() -> None:
    assert decode_json(b"1" * 400).value == int("1" * 400)


def test_broken_utf8_is_replaced_and_nothing_is_lost() -> None:
    reading = read_line(b'{"type":"user","uuid":"u","x":"caf\xe9"}')
    assert values(reading)[0]["x"] == "caf\ufffd"
    assert (reading.kind, reading.lost, reading.salvaged) == ("invalid_utf8", False, False)


def test_raw_control_characters_are_read_though_the_client_skips_the_line() -> None:
    reading = read_line(b'{"type":"user","uuid":"u","x":"bell \x07\t"}')
    assert values(reading)[0]["x"] == "bell \x07\t"
    assert (reading.kind, reading.lost, reading.salvaged) == ("control_characters", False, True)


def test_line_with_both_broken_utf8_and_controls_is_read() -> None:
    reading = read_line(b'{"type":"user","uuid":"u","x":"\x07\xff"}')
    assert values(reading)[0]["x"] == "\x07\ufffd"
    assert reading.salvaged


@pytest.mark.parametrize("word", [b"NaN", b"Infinity", b"-Infinity"])
def test_number_words_that_json_does_not_have_are_read_and_named(word: bytes) -> None:
    reading = read_line(b'{"type":"user","uuid":"u","x":' + word + b"}")
    assert len(reading.pieces) == 1
    assert (reading.kind, reading.lost, reading.salvaged) == ("bad_line", False, True)
    assert word.decode().lstrip("-") in reading.reason


@pytest.mark.parametrize("data", [b"null", b"[]", b"42", b'"text"', b'[{"type":"user"}]'])
def test_value_that_is_no_object_is_lost(data: bytes) -> None:
    reading = read_line(data)
    assert (reading.pieces, reading.kind, reading.lost) == ((), "bad_line", True)


def test_line_of_nul_bytes_is_a_nul_run() -> None:
    reading = read_line(b"\0" * 300)
    assert (reading.pieces, reading.kind, reading.lost) == ((), "nul_run", True)
    assert "300" in reading.reason


@pytest.mark.parametrize(
    ("before", "after"), [(b"\0" * 9, b""), (b"", b"\0" * 9), (b"\0" * 5, b"\0 \0\0\0\0")]
)
def test_record_among_nul_bytes_is_saved_at_its_place(before: bytes, after: bytes) -> None:
    reading = read_line(before + WHOLE + after)
    (piece,) = reading.pieces
    assert (piece.start, piece.end) == (len(before), len(before) + len(WHOLE))
    assert (reading.kind, reading.lost) == ("nul_run", False)


def test_byte_order_mark_in_mid_file_is_stepped_over() -> None:
    reading = read_line(b"\xef\xbb\xbf" + WHOLE)
    assert [(piece.start, piece.end) for piece in reading.pieces] == [(3, 3 + len(WHOLE))]
    assert not reading.lost


@pytest.mark.parametrize("cut", range(1, len(OTHER)))
def test_record_after_a_stub_cut_anywhere_is_saved(cut: int) -> None:
    stub = OTHER[:cut]
    reading = read_line(stub + WHOLE)
    assert values(reading)[-1:] == [user(1, "hello")]
    assert reading.pieces[-1].end == cut + len(WHOLE)
    assert reading.lost
    assert reading.salvaged


def test_two_whole_records_on_one_line_are_both_saved() -> None:
    reading = read_line(WHOLE + OTHER)
    assert values(reading) == [user(1, "hello"), user(2, "again")]
    assert (reading.lost, reading.kind) == (False, "bad_line")


def test_record_with_rubbish_behind_it_is_saved() -> None:
    reading = read_line(WHOLE + b"}, x")
    assert values(reading) == [user(1, "hello")]
    assert reading.lost


def test_places_are_bytes_even_behind_long_characters() -> None:
    stub = '{"type":"user","x":"文脈😀'.encode()
    (piece,) = read_line(stub + WHOLE).pieces
    assert (piece.start, piece.end) == (len(stub), len(stub) + len(WHOLE))


def test_message_inside_a_cut_progress_record_is_not_taken_for_a_record() -> None:
    line = b'{"type":"progress","data":{"message":' + WHOLE + b',"more":"and cu'
    assert read_line(line).pieces == ()


def test_content_blocks_of_a_broken_line_are_no_records() -> None:
    assert (
        find_records(b'{"message":{"content":[{"type":"text","text":"a"}, {"type":"tool_use","id":"b"}],"x')
        == ()
    )


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_depth_bomb_is_named_and_crashes_nothing(opening: bytes) -> None:
    for data in (
        opening * 100_000,
        b'{"type":"user","uuid":"u","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ):
        reading = read_line(data)
        assert (reading.pieces, reading.lost) == ((), True)


def test_reason_never_quotes_the_line() -> None:
    for data in (b'{"secret" "secret"}', b'{"type":"secret', b"secret", b'{"type":"secret","x":"\x07'):
        assert "secret" not in read_line(data).reason


@given(
    st.binary(max_size=80)
    | st.lists(st.sampled_from([WHOLE, b"\0\0\0\0", b"{", b"\xff", b'"'])).map(b"".join)
)
def test_whatever_a_line_holds_the_reading_is_in_order_and_inside_it(data: bytes) -> None:
    reading = read_line(data)
    edges = [edge for piece in reading.pieces for edge in (piece.start, piece.end)]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(data) for edge in edges)
    assert bool(reading.kind) == bool(reading.reason)
    assert reading.pieces or reading.lost
