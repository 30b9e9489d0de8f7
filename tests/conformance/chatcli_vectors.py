"""The data form of the chatcli vectors: contents, messages, reports and files.

A stage, a key of a case or a key of a message that is not known here raises, so that nothing of a
case can go unchecked.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from inspector.model.chatcli import AgeingLimits, BudgetLimits, Message, Meta, Order, Settings, ToolCall
from inspector.pipeline.chatcli.archive import Archive

MESSAGE_KEYS = {
    "role", "content", "meta", "tool_calls", "tool_call_id", "system_parts", "images", "is_error",
    "error_code",
}  # fmt: skip
CALL_KEYS = {"id", "type", "name", "arguments", "raw"}


def content(form: Any) -> bytes:
    """Bytes of an encoded content."""
    if isinstance(form, str):
        return form.encode()
    ((kind, value),) = form.items()
    match kind:
        case "b64":
            return base64.b64decode(value, validate=True)
        case "repeat":
            text, count = value
            return b"".join(content(text).replace(b"%d", str(n).encode()) for n in range(count))
        case "pad":
            unit, size = content(value[0]), int(value[1])
            return (unit * (size // len(unit) + 1))[:size]
        case "cat":
            return b"".join(map(content, value))
    raise AssertionError(f"unknown content form {kind!r}")


def message(form: Mapping[str, Any]) -> Message:
    """A message of an input."""
    assert not (form.keys() - MESSAGE_KEYS), form.keys()
    meta = form.get("meta")
    return Message(
        form["role"],
        content(form["content"]),
        None if meta is None else Meta(**meta),
        tuple(call(c) for c in form.get("tool_calls") or ()),
        form.get("tool_call_id", ""),
        tuple(form.get("system_parts") or ()),
        tuple(form.get("images") or ()),
        form.get("is_error", False),
        form.get("error_code", ""),
    )


def call(form: Mapping[str, Any]) -> ToolCall:
    """A call of an input."""
    assert not (form.keys() - CALL_KEYS), form.keys()
    arguments, raw = form.get("arguments"), form.get("raw")
    return ToolCall(form["id"], form.get("name", ""), form.get("type", ""), arguments, raw)


def messages(forms: Iterable[Mapping[str, Any]]) -> list[Message]:
    """All messages of an input."""
    return [message(form) for form in forms]


def check_content(got: bytes, wanted: Any) -> None:
    """Compare bytes with an expected content, which may be given by its digest."""
    if isinstance(wanted, dict) and "sha256" in wanted:
        assert wanted.keys() == {"sha256", "len"}
        assert (len(got), hashlib.sha256(got).hexdigest()) == (wanted["len"], wanted["sha256"]), got[-200:]
    else:
        assert got == content(wanted)


def check_messages(got: Sequence[Message], wanted: Sequence[Mapping[str, Any]]) -> None:
    """Compare histories; absent and empty are the same."""
    assert [m.role for m in got] == [m["role"] for m in wanted]
    for have, want in zip(got, wanted, strict=True):
        assert not (want.keys() - MESSAGE_KEYS), want.keys()
        check_content(have.content, want["content"])
        assert have.tool_call_id == want.get("tool_call_id", "")
        assert have.is_error == want.get("is_error", False)
        assert have.error_code == want.get("error_code", "")
        assert (have.meta or Meta()) == Meta(**(want.get("meta") or {}))
        assert list(have.system_parts) == (want.get("system_parts") or [])
        assert list(have.images) == (want.get("images") or [])
        assert have.tool_calls == tuple(call(c) for c in want.get("tool_calls") or ())


def check_input(case: Mapping[str, Any]) -> None:
    """The input as decoded here is the one that the vectors were made from."""
    if "input_sha256" not in case:
        return
    digest = hashlib.sha256()
    if isinstance(case["input"], list):
        for group in (case["input"], *case.get("appends", ())):
            for m in messages(group):
                digest.update(f"{len(m.content)}:".encode() + m.content)
    else:
        digest.update(content(case["input"]))
    assert digest.hexdigest() == case["input_sha256"]


def report(value: Any) -> dict[str, Any]:
    """A report as the vectors write it: field names, lists for tuples."""
    out = {f.name: getattr(value, f.name) for f in fields(value)}
    return {name: list(v) if isinstance(v, tuple) else v for name, v in out.items()}


def pairing_report(value: Any) -> dict[str, Any]:
    """The same for pairing, with the derived field."""
    return report(value) | {"has_repairs": value.has_repairs}


def settings(config: Mapping[str, Any]) -> Settings:
    """Settings of a case, with the defaults of the vectors."""
    return Settings(
        budget=BudgetLimits(config.get("max_chars", 20_000), config.get("turn_budget_chars", 200_000)),
        ageing=AgeingLimits(
            config.get("truncate_turns", 2),
            config.get("summarize_turns", 4),
            config.get("head_chars", 2_000),
            config.get("tail_chars", 500),
            config.get("min_content", 3_000),
        ),
        order=Order(config.get("order", "loop")),
    )


def archive(config: Mapping[str, Any]) -> Archive | None:
    """The compression layer of a case."""
    mode = config.get("ccr", "none")
    return None if mode == "none" else Archive(mode, config.get("ccr_max_bytes", 0))


def check_archive(got: Archive | None, wanted: Mapping[str, Any]) -> None:
    """Compare the originals that were kept."""
    kept = {} if got is None else got.entries
    assert {
        key: {"sha256": hashlib.sha256(v).hexdigest(), "len": len(v)} for key, v in kept.items()
    } == wanted


def prepare_directory(config: Mapping[str, Any]) -> str:
    """Put the overflow directory of a case into its state, below the current directory."""
    directory = Path(config["dir"])
    match config.get("dir_state", "ok"):
        case "ok":
            pass
        case "parent_is_file":
            directory.parent.parent.mkdir(parents=True, exist_ok=True)
            directory.parent.write_bytes(b"")
        case "target_is_dir":
            for name in config["block"]:
                (directory / name).mkdir(parents=True)
        case state:
            raise AssertionError(f"unknown dir_state {state!r}")
    return str(config["dir"])


def check_files(config: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Compare every file that was written anywhere below the current directory."""
    found = {path: path for path in Path().rglob("*") if path.is_file()}
    if config.get("dir_state") == "parent_is_file":
        del found[Path(config["dir"]).parent]
    got = {}
    for path in found:
        assert path.parent == Path(config["dir"]), path
        data = path.read_bytes()
        mode = f"{path.stat().st_mode & 0o7777:04o}"
        got[path.name] = {"sha256": hashlib.sha256(data).hexdigest(), "len": len(data), "mode": mode}
    assert got == wanted


def digest(history: Sequence[Message]) -> str:
    """Digest of a history, as `steps` of the vectors define it."""
    out = hashlib.sha256()
    for m in history:
        calls = ",".join(c.id for c in m.tool_calls)
        flag = "true" if m.is_error else "false"
        head = f"{m.role}|{m.tool_call_id}|{calls}|{len(m.content)}|{flag}|{m.error_code}|"
        out.update(head.encode() + m.content + b"\0")
    return out.hexdigest()
