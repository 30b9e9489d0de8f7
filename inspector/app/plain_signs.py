"""Signs in ASCII on the screen: a filter over finished rows, and a scroll bar without blocks.

Rows are turned when they are written, so no widget, not even one of Textual's own, can forget it.
Texts of a session in a viewer are marked by their style and stay as they are.
"""

from __future__ import annotations

from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.scrollbar import ScrollBarRender

from inspector.alphabet import Charset, in_ascii, without_pictures
from inspector.text import cells

_MARK = "session"
SESSION_TEXT = Style(meta={_MARK: True})
"""Added to the style of a session's own text."""


class PlainSigns(LineFilter):
    """Draws our signs in ASCII, and what the terminal cannot show as `?`."""

    def __init__(self, charset: Charset) -> None:
        """Args:
        charset: What can be drawn.
        """
        super().__init__()
        self._charset = charset
        self._drawn = lru_cache(1 << 12)(self._draw)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 (Textual's shape)
        """Turn one row."""
        if all(segment.text.isascii() for segment in segments):
            return segments
        return [self._turned(segment) for segment in segments]

    def _turned(self, segment: Segment) -> Segment:
        text, style, control = segment
        if control or text.isascii():
            return segment
        is_session = bool(style is not None and style._meta and style.meta.get(_MARK))
        return Segment(self._drawn(text, is_session), style)

    def _draw(self, text: str, is_session: bool) -> str:
        charset = self._charset
        if charset.ascii:
            text = without_pictures(text) if is_session else in_ascii(text)
        if charset.can_draw(text):
            return text
        return "".join(sign if charset.can_draw(sign) else "?" * cells(sign) for sign in text)


class PlainScrollBar(ScrollBarRender):
    """Whole cells only."""

    VERTICAL_BARS = [" "] * 8
    HORIZONTAL_BARS = [" "] * 8
