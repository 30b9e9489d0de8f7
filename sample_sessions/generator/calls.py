"""Short names for the calls that the stories make, so that a story reads like a session."""

from __future__ import annotations

from typing import Any

from generator.client import Call


def bash(command: str, text: str | None, *, is_error: bool = False) -> Call:
    return Call("Bash", {"command": command}, text, is_error)


def read(path: str, text: str | None) -> Call:
    return Call("Read", {"file_path": path if path.startswith("/") else f"/home/mara/shop/{path}"}, text)


def grep(pattern: str, text: str | None) -> Call:
    return Call("Grep", {"pattern": pattern, "path": "src/shop", "output_mode": "content"}, text)


def glob(pattern: str, text: str) -> Call:
    return Call("Glob", {"pattern": pattern}, text)


def edit(path: str, old: str, new: str) -> Call:
    given = {"file_path": f"/home/mara/shop/{path}", "old_string": old, "new_string": new}
    return Call("Edit", given, f"The file /home/mara/shop/{path} has been updated.")


def logs(service: str, text: str) -> Call:
    """A log server behind MCP: its results may hold 50,000 characters."""
    return Call("mcp__logs__search", {"service": service, "since": "2h", "level": "warning"}, text)


def rows(sql: str, text: str) -> Call:
    return Call("mcp__db__query", {"sql": sql}, text)


def fetch(url: str, text: str) -> Call:
    return Call("WebFetch", {"url": url, "prompt": "What changed in this version?"}, text)


def agent(description: str, prompt: str, blocks: list[dict[str, Any]]) -> Call:
    given = {"description": description, "prompt": prompt, "subagent_type": "Explore"}
    return Call("Agent", given, "\n".join(block["text"] for block in blocks), None, blocks)
