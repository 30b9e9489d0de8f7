"""`Document`: a long text by lines, without a list of lines.

A text may have five million lines or one of five million characters. Line feeds are counted per
block in one pass of C code; where line n begins is looked up inside one block when it is drawn.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

BLOCK_CHARS = 1 << 15
"""Characters per block of the line index."""
MATCHES_MAX = 10_000
"""Matches of a search that are kept; more of them tell nobody more."""


@dataclass(frozen=True, slots=True)
class Matches:
    """Places where a search hit, in order."""

    starts: Sequence[int] = ()
    """Offsets in the text."""
    ends: Sequence[int] = ()
    """One past each match."""
    capped: bool = False
    """Whether there are more than were kept."""

    def __len__(self) -> int:
        return len(self.starts)

    def within(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """Matches that touch a stretch: their number, start and end.

        Args:
            start: First offset.
            end: One past the last.
        """
        first = bisect_right(self.ends, start)
        last = bisect_left(self.starts, end)
        return [(n, self.starts[n], self.ends[n]) for n in range(first, last)]


class Document:
    """A text and where its lines are."""

    def __init__(self, text: str) -> None:
        """Index a text.

        Args:
            text: Raw, untrusted text; only `\\n` ends a line.
        """
        self.text = text
        counts = (text.count("\n", at, at + BLOCK_CHARS) for at in range(0, len(text), BLOCK_CHARS))
        self._feeds = [0, *accumulate(counts)]
        self._places = lru_cache(maxsize=8)(self._feeds_of_block)

    @property
    def line_count(self) -> int:
        """Number of lines; a line feed at the very end begins no further one."""
        if not self.text:
            return 0
        return self._feeds[-1] + (0 if self.text.endswith("\n") else 1)

    def span(self, line: int) -> tuple[int, int]:
        """Where a line begins and ends, without its line feed.

        Args:
            line: Line number, from 0.

        Raises:
            IndexError: There is no such line.
        """
        if not 0 <= line < self.line_count:
            raise IndexError(line)
        start = 0 if line == 0 else self._feed(line - 1) + 1
        end = self._feed(line) if line < self._feeds[-1] else len(self.text)
        return start, end

    def line_at(self, offset: int) -> int:
        """Number of the line, from 0, that holds an offset."""
        block = min(offset // BLOCK_CHARS, len(self._feeds) - 1)
        return self._feeds[block] + self.text.count("\n", block * BLOCK_CHARS, offset)

    def _feed(self, n: int) -> int:
        """Offset of line feed n, from 0."""
        block = bisect_right(self._feeds, n) - 1
        return self._places(block)[n - self._feeds[block]]

    def _feeds_of_block(self, block: int) -> list[int]:
        at = block * BLOCK_CHARS
        return [at + m.start() for m in re.finditer("\n", self.text[at : at + BLOCK_CHARS])]

    def find_all(self, query: str) -> Matches:
        """All places of a query, which is taken literally.

        Case counts only if the query has a capital letter. A control picture in the query also
        finds the control character it stands for, since that is what the person sees.

        Args:
            query: What to look for.
        """
        if not query:
            return Matches()
        pattern = "".join(_either(character) for character in query)
        flags = re.IGNORECASE if query == query.lower() else re.NOFLAG
        starts: list[int] = []
        ends: list[int] = []
        for match in re.finditer(pattern, self.text, flags):
            if len(starts) == MATCHES_MAX:
                return Matches(starts, ends, capped=True)
            starts.append(match.start())
            ends.append(match.end())
        return Matches(starts, ends)


def _either(character: str) -> str:
    picture = ord(character) - 0x2400
    if 0 <= picture < 0x20:
        return f"[{character}\\x{picture:02x}]"
    if picture == 0x21:
        return f"[{character}\\x7f]"
    return re.escape(character)
