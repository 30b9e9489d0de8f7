from __future__ import annotations

import pytest

from inspector.reading.lines import RawLine, raw_line


@pytest.mark.parametrize("data", [b"", b" \t", b"\r", b"// a comment", b"  // indented\r"])
def test_blank_and_comment_lines_are_no_lines(data: bytes) -> None:
    assert raw_line(1, 10, data) is None


def test_carriage_return_at_the_end_is_no_part_of_a_line() -> None:
    assert raw_line(3, 10, b'{"a":1}\r') == RawLine(3, 10, 17, b'{"a":1}')


def test_byte_order_mark_is_skipped_at_the_start_of_a_file_only() -> None:
    marked = b'\xef\xbb\xbf{"a":1}'
    assert raw_line(1, 0, marked) == RawLine(1, 3, 10, b'{"a":1}')
    assert raw_line(2, 50, marked) == RawLine(2, 50, 60, marked)
