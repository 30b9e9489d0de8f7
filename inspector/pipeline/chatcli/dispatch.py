"""Truncation when a tool returns, before its result enters the history (`chatcli.md` §1)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

DEFAULT_CAP_BYTES = 30_000

PLUGIN_CAPS_BYTES: Mapping[str, int] = MappingProxyType(
    {"read": 80_000, "search": 60_000, "tree": 50_000, "docs-flatten": 50_000}
)
"""Plugins with a cap of their own. Native `read_file` runs as `@coder` and is not among them."""

HEAD_BYTES = 5_000
TAIL_BYTES = 1_000


def cap_for(plugin: str) -> int:
    """Cap in bytes for the output of a plugin.

    Args:
        plugin: Dispatch name, with or without `@`.
    """
    return PLUGIN_CAPS_BYTES.get(plugin.removeprefix("@"), DEFAULT_CAP_BYTES)


def truncate_output(content: bytes, cap_bytes: int) -> bytes:
    """What ChatCLI stores of a successful tool output.

    Above the cap about 6 KB remain whatever the cap is. A cap of 6,000 or less keeps only a head.

    Args:
        content: The output.
        cap_bytes: Cap; zero or less means the default.
    """
    cap = cap_bytes if cap_bytes > 0 else DEFAULT_CAP_BYTES
    if len(content) <= cap:
        return content
    kept = HEAD_BYTES + TAIL_BYTES
    if kept >= cap:
        return content[:cap] + b"\n\n... [TRUNCATED]"
    marker = f"\n\n... [TRUNCATED {len(content) - kept} chars omitted, {kept} kept] ...\n\n"
    return content[:HEAD_BYTES] + marker.encode() + content[len(content) - TAIL_BYTES :]


def stored_output(plugin: str, output: bytes, error: bytes | None = None) -> bytes:
    """Content of the tool message for one execution.

    Args:
        plugin: Dispatch name.
        output: What the tool printed.
        error: Its error text. Errors are stored in full, whatever their size.
    """
    if error is None:
        return truncate_output(output, cap_for(plugin))
    return output + b"\nerror: " + error if output else error
