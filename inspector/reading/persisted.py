"""Taking a `<persisted-output>` text apart: where the full output was put, and its stated size."""

from __future__ import annotations

import re

from inspector.model.transcript import Persisted

TAG = "<persisted-output>"
"""A result whose text starts so stands on the wire as a preview. Text may follow the closing tag."""

_HEADER_CHARS = 8_192
"""The path stands in the first lines; longer paths do not exist on any system."""

_HEADER = re.compile(r"\s*Output too large \(([^)\n]*)\)\. Full output saved to: ([^\r\n]*)")


def parse_persisted(text: str) -> Persisted | None:
    """The path and the size label of a persisted output (`claude-code-transcripts.md` §3).

    Args:
        text: The text of a tool result.

    Returns:
        None where the text does not start with the tag; empty fields where its header is another
        one than is known. Windows paths come out as they were written.
    """
    if not text.startswith(TAG):
        return None
    header = _HEADER.match(text, len(TAG), _HEADER_CHARS)
    if header is None:
        return Persisted("", "")
    return Persisted(header[2].strip(), header[1])
