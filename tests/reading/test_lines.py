from __future__ import annotations

import pytest

from inspector.model.transcript import COMMENT
from inspector.reading.lines import RawLine, raw_line, unread_reason


@pytest.mark.parametrize("data", [b"", b" \t", b"\r"])
def test_blank_lines_are_no_lines(data: bytes) -> None:
    assert raw_line(1, 10, data) is None


@pytest.mark.parametrize("data", [b"// a comment", b"  // indented\r", b'// {"type":"user"}'])
def test_comments_are_lines_that_hold_nothing_to_read(data: bytes) -> None:
    line = raw_line(1, 10, data)
    assert line is not None
    assert line.is_unread
    assert unread_reason(line)[0] == COMMENT
    assert not RawLine(1, 0, 2, b"{}").is_unread


def test_carriage_return_at_the_end_is_no_part_of_a_line() -> None:
    assert raw_line(3, 10, b'{"a":1}\r') == RawLine(3, 10, 17, b'{"a":1}')


def test_byte_order_mark_is_skipped_at_the_start_of_a_file_only() -> None:
    marked = b'\xef\xbb\xbf{"a":1}'
    assert raw_line(1, 0, marked) == RawLine(1, 3, 10, b'{"a":1}')
    assert raw_line(2, 50, marked) == RawLine(2, 50, 60, marked)
