"""Codex's response items: what each says, as parts of a message."""

from __future__ import annotations

from typing import Any

import msgspec

from inspector.model.transcript import BlockKind
from inspector.reading.lenient import decode_json
from inspector.reading.parts import Part, picture, tool_result, tool_use, tool_use_of_text, word

_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "mcp_tool_call_output"})
"""Items that answer a call."""
_HOSTED = frozenset({"web_search_call", "tool_search_call", "image_generation_call", "file_search_call"})
"""Calls that the provider answers itself: they have no output of their own in the log."""


def parts_of_item(item: dict[str, Any]) -> list[Part] | None:
    """The parts of one response item; None where it is no part of a request.

    Args:
        item: As decoded.
    """
    kind = word(item.get("type"))
    if kind == "message":
        return _message_parts(item.get("content"))
    if kind == "reasoning":
        return [Part(BlockKind.THINKING, _reasoning(item))]
    if kind in _CALLS:
        return [_call(item)]
    if kind in OUTPUTS:
        return [_output(item)]
    if kind in _HOSTED:
        return [Part(BlockKind.OTHER, id=word(item.get("id")), name=kind)]
    return None


def _message_parts(content: object) -> list[Part]:
    if isinstance(content, str):
        return [Part(BlockKind.TEXT, content)]
    parts: list[Part] = []
    for entry in content if isinstance(content, list) else ():
        if isinstance(entry, dict) and entry.get("type") == "input_image":
            parts.append(picture(entry))
        elif isinstance(entry, dict) and isinstance(entry.get("text"), str):
            parts.append(Part(BlockKind.TEXT, entry["text"]))
        else:
            parts.append(Part(BlockKind.OTHER))
    return parts


def _reasoning(item: dict[str, Any]) -> str:
    """What can be read of a reasoning item: its summary and, where it is open, its content."""
    texts: list[str] = []
    for key in ("summary", "content"):
        entries = item.get(key)
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict) and isinstance(entry.get("text"), str):
                texts.append(entry["text"])
    return "\n".join(texts)


def _call(item: dict[str, Any]) -> Part:
    identity = item.get("call_id") or item.get("id")
    if item.get("type") == "local_shell_call":
        action = item.get("action")
        part = tool_use(identity, "local_shell", action)
        command = action.get("command") if isinstance(action, dict) else None
        if isinstance(command, list):
            joined = " ".join(entry for entry in command if isinstance(entry, str))
            part = msgspec.structs.replace(part, argument=tool_use(None, None, {"command": joined}).argument)
        return part
    arguments = item.get("input") if item.get("type") == "custom_tool_call" else item.get("arguments")
    return _with_shell_argument(tool_use_of_text(identity, item.get("name"), arguments))


def _with_shell_argument(part: Part) -> Part:
    """Codex's shell tools have their command under `cmd`, or as a list: that tells calls apart."""
    if not part.text.startswith("{"):
        return part
    value = decode_json(part.text.encode("utf-8", "surrogatepass")).value
    if not isinstance(value, dict):
        return part
    command = value.get("cmd", value.get("command"))
    if isinstance(command, list):
        command = " ".join(entry for entry in command if isinstance(entry, str))
    if not isinstance(command, str) or not command:
        return part
    return msgspec.structs.replace(part, argument=tool_use(None, None, {"command": command}).argument)


def _output(item: dict[str, Any]) -> Part:
    output, failed = output_of(item)
    return tool_result(item.get("call_id"), output, failed)


def output_of(item: dict[str, Any]) -> tuple[object, bool | None]:
    """An output: a text, a text that is JSON with `output` and `metadata`, an object, or a list.

    The model is sent the text as it stands, so that is what is measured; the wrapping only tells
    whether the command failed.

    Args:
        item: One of `OUTPUTS`.

    Returns:
        What the model is sent, and whether it failed; None where nothing says so.
    """
    output = item.get("output")
    failed: bool | None = None
    if isinstance(output, dict):
        success = output.get("success")
        failed = not success if isinstance(success, bool) else None
        output = output.get("content", output)
    elif isinstance(output, str) and output.startswith('{"'):
        wrapped = decode_json(output.encode("utf-8", "surrogatepass")).value
        metadata = wrapped.get("metadata") if isinstance(wrapped, dict) else None
        code = metadata.get("exit_code") if isinstance(metadata, dict) else None
        if isinstance(code, int) and not isinstance(code, bool):
            failed = code != 0
    return output, failed
