"""What kind of file is this? Told by its content; the name is only a hint where content is silent.

Only a bounded head is looked at. The first record of a real file may be of any type and of any
length, may be a comment or be broken, so lines vote, and the keys of a value that is cut off by the
bound still count.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Set
from enum import StrEnum
from pathlib import Path

import msgspec

from inspector.errors import UnreadableError
from inspector.reading import json_spans
from inspector.reading.confine import resolved
from inspector.reading.files import is_directory, is_file, read_head
from inspector.reading.scratch import FOLDER

HEAD_BYTES = 1 << 18
"""Bytes of a file that are looked at."""
MAX_VOTES = 64
"""Lines or messages that vote."""
MAX_ENTRIES = 10_000
"""Entries of a directory that are looked at."""


class FileKind(StrEnum):
    """A source that is understood, or not."""

    CLAUDE_CODE = "claude-code-jsonl"
    ANTHROPIC_MESSAGES = "anthropic-messages"
    """A list of Anthropic messages, bare or in an object with `messages`."""
    OPENAI_MESSAGES = "openai-messages"
    """A list of OpenAI chat messages, bare or in an object with `messages`."""
    MESSAGES_JSONL = "messages-jsonl"
    """One message, or one request body, per line."""
    ANTHROPIC_REQUEST = "anthropic-request"
    """A request body: `messages` with `system`, `tools`, `model` or the like."""
    CHATCLI_SESSION = "chatcli-session"
    CHATCLI_PARK = "chatcli-park"
    """A ChatCLI run put aside between two of its turns."""
    CODEX_ROLLOUT = "codex-rollout"
    SCRATCH_DIR = "scratch-dir"
    """A scratch directory without its session."""
    UNKNOWN = "unknown"


CHATCLI_KINDS = frozenset({FileKind.CHATCLI_SESSION, FileKind.CHATCLI_PARK})
"""Files of ChatCLI's own; what reads them is loaded only for them."""


class Detection(msgspec.Struct, frozen=True):
    """The answer."""

    kind: FileKind
    reason: str
    """One sentence: by what it was told, or why it is unknown. Holds no text of the file."""
    compressed: bool = False
    hint: Path | None = None
    """The file that was probably meant, such as the session beside a directory."""


_CLAUDE_TYPES = frozenset(
    {
        "user", "assistant", "system", "progress", "attachment", "summary", "queue-operation",
        "file-history-snapshot", "file-history-delta", "last-prompt", "permission-mode", "mode",
        "ai-title", "custom-title", "agent-name", "bridge-session", "pr-link", "content-replacement",
        "api-request", "api-request-shape", "api-request-blob", "tools-used", "atis-latch", "cost-state",
    }
)  # fmt: skip
_CLAUDE_KEYS = frozenset(
    {
        "message", "uuid", "parentUuid", "sessionId", "isSidechain", "leafUuid", "snapshot", "messageId",
        "toolUseID", "attachment", "operation", "replacements",
    }
)  # fmt: skip
_CODEX_TYPES = frozenset(
    {
        "session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state",
        "inter_agent_communication_metadata", "ghost_snapshot",
    }
)  # fmt: skip
_CODEX_BARE = frozenset({"function_call", "function_call_output", "local_shell_call", "custom_tool_call"})
_ANSWER_KEYS = frozenset({"uuid", "model", "stop_reason", "usage"})
"""Keys that a bare Codex message never has: a record's, or those of an answer of the Anthropic API."""
_CHATCLI_KEYS = frozenset({"chat_history", "agent_history", "coder_history", "shared_memory"})
_PARK_KEYS = frozenset({"history", "pending_tool_call_id"})
_REQUEST_KEYS = frozenset(
    {"model", "system", "tools", "max_tokens", "stream", "temperature", "tool_choice", "thinking"}
)
_OPENAI_ROLES = frozenset({"tool", "system", "developer", "function"})
_ANTHROPIC_BLOCKS = frozenset(
    {"tool_use", "tool_result", "thinking", "redacted_thinking", "image", "document", "server_tool_use"}
)
_OPENAI_PARTS = frozenset({"image_url", "input_text", "output_text", "input_audio", "refusal", "file"})

_MAGICS = (
    (b"SQLite format 3\0", "an SQLite database"), (b"PK\3\4", "a zip archive"), (b"PAR1", "a Parquet file"),
    (b"\x28\xb5\x2f\xfd", "zstd data; unpack it first"), (b"BZh", "bzip2 data; unpack it first"),
    (b"\xfd7zXZ", "xz data; unpack it first"), (b"\x7fELF", "a program"), (b"\x89PNG", "a picture"),
    (b"\xff\xfe", "UTF-16 text; convert it to UTF-8 first"),
    (b"\xfe\xff", "UTF-16 text; convert it to UTF-8 first"),
    (b"CHATCLI_ENC_v1", "an encrypted ChatCLI file"),
)  # fmt: skip


def detect(path: Path) -> Detection:
    """What a path holds.

    Args:
        path: A file or a directory.

    Returns:
        Always an answer: what cannot be read is unknown, with the reason.
    """
    if is_directory(path):
        return _of_directory(path)
    try:
        head = read_head(path, HEAD_BYTES)
    except UnreadableError as error:
        return Detection(FileKind.UNKNOWN, str(error))
    found = detect_bytes(head.data, whole=head.whole, path=path)
    if head.damaged and found.kind is FileKind.UNKNOWN:
        found = msgspec.structs.replace(found, reason=head.damaged)
    return msgspec.structs.replace(found, compressed=head.compressed)


def detect_bytes(data: bytes, *, whole: bool = True, path: Path | None = None) -> Detection:
    """What kind the beginning of a file is.

    Args:
        data: The first bytes, unpacked.
        whole: Whether that is all.
        path: Where it came from: a hint for a list that could be of two kinds, and for content that
            says nothing (a session that is just beginning is an empty file).
    """
    if not data:
        return _of_silence("the file is empty", path)
    for magic, what in _MAGICS:
        if data.startswith(magic):
            return Detection(FileKind.UNKNOWN, f"this is {what}")
    data = data.removeprefix(b"\xef\xbb\xbf")
    at = _first_value(data)
    if at >= len(data):
        return _of_silence("the file holds nothing but blank lines and comments", path)
    if data[at : at + 1] == b"[":
        found = _of_list(data, at, path)
        return found if found.kind is not FileKind.UNKNOWN else _by_lines(data) or found
    if data[at : at + 1] == b"{":
        return _of_objects(data, at, whole, path)
    if (lines := _by_lines(data)) is not None:
        return lines  # the first line is damaged, later ones are not
    if b"\0" in data[:4096]:
        return Detection(FileKind.UNKNOWN, "binary data")
    return _of_silence("no JSON: neither a list, an object nor lines of objects", path)


def _of_silence(reason: str, path: Path | None) -> Detection:
    """A file whose content says nothing: by its name, or unknown."""
    if path is None or not path.name.removesuffix(".gz").endswith(".jsonl"):
        return Detection(FileKind.UNKNOWN, reason)
    if path.name.startswith("rollout-"):
        return Detection(FileKind.CODEX_ROLLOUT, f"by its name only: {reason}")
    return Detection(FileKind.CLAUDE_CODE, f"by its name only: {reason}")


_LEAD = re.compile(rb"(?:[\x00\s]++|(?://|#)[^\n]*+(?:\n|\Z))*+")


def _first_value(data: bytes) -> int:
    """Position of the first byte that is no white space, NUL or comment line."""
    found = _LEAD.match(data)
    return found.end() if found else 0


def _of_directory(path: Path) -> Detection:
    for suffix in (".jsonl", ".jsonl.gz"):
        beside = path.parent / f"{path.name}{suffix}"
        if is_file(beside):
            return Detection(FileKind.UNKNOWN, "this is the directory of a session", hint=beside)
    place = resolved(path)
    owner = place.parent
    if place.name == FOLDER:
        for suffix in (".jsonl", ".jsonl.gz"):
            session = owner.parent / f"{owner.name}{suffix}"
            if is_file(session):
                return Detection(FileKind.SCRATCH_DIR, "the scratch directory of a session", hint=session)
        return Detection(FileKind.SCRATCH_DIR, "a scratch directory without its session")
    if place.name.startswith(_WORKSPACE) and is_directory(path / FOLDER):
        return Detection(FileKind.SCRATCH_DIR, "the working directory of a ChatCLI process")
    try:
        looked_at = itertools.islice(path.iterdir(), MAX_ENTRIES)
        if any(_OVERFLOW_NAME.fullmatch(entry.name) for entry in looked_at):
            return Detection(FileKind.SCRATCH_DIR, "a directory with overflow files, without a session")
    except OSError:
        return Detection(FileKind.UNKNOWN, "the directory cannot be read")
    return Detection(FileKind.UNKNOWN, "a directory, not a session; `scan` and `--root` take directories")


_WORKSPACE = "chatcli-agent-"
_OVERFLOW_NAME = re.compile(r"(?:toolu_|call_|budget_|result_).+\.(?:txt|json)|b[0-9a-z]{8}\.txt", re.DOTALL)


def _of_objects(data: bytes, at: int, whole: bool, path: Path | None) -> Detection:
    """A file that begins with `{`: one document, or lines."""
    document = json_spans.value_at(data, at)
    first_line_end = data.find(b"\n", at)
    one_line = document.complete and (first_line_end < 0 or document.end <= first_line_end)
    keys = _keys(data, at)
    if not one_line or json_spans.skip_space(data, document.end) >= len(data):
        found = _of_document(data, keys, path)
        if found is not None:
            return found
    if (lines := _by_lines(data)) is not None:
        return lines
    if not document.complete and whole:
        return _of_silence("a JSON object that breaks off, of no known kind", path)
    return Detection(FileKind.UNKNOWN, "JSON objects of no known kind")


def _of_document(data: bytes, keys: dict[str, json_spans.Value], path: Path | None) -> Detection | None:
    """One object that is the whole file."""
    folded = {key.casefold() for key in keys}
    if folded & _CHATCLI_KEYS:
        return Detection(FileKind.CHATCLI_SESSION, "an object with ChatCLI's histories")
    if folded >= _PARK_KEYS:
        return Detection(FileKind.CHATCLI_PARK, "a parked run of ChatCLI")
    listed = keys.get("messages")
    if listed is None or data[listed.start : listed.start + 1] != b"[":
        return None
    found = _of_list(data, listed.start, path)
    if found.kind is FileKind.UNKNOWN and listed.complete and not any(json_spans.items(data, listed.start)):
        found = Detection(FileKind.ANTHROPIC_MESSAGES, "an empty list of messages")
    if found.kind is FileKind.ANTHROPIC_MESSAGES and folded & _REQUEST_KEYS:
        return Detection(FileKind.ANTHROPIC_REQUEST, "a request body with `messages`")
    return found if found.kind is not FileKind.UNKNOWN else None


def _of_list(data: bytes, at: int, path: Path | None) -> Detection:
    """A file, or a member, that is a JSON array."""
    votes: Counter[FileKind] = Counter()
    seen = 0
    for item in json_spans.items(data, at):
        seen += 1
        votes.update(_message_votes(data, item))
        if seen >= MAX_VOTES and votes[FileKind.ANTHROPIC_MESSAGES] != votes[FileKind.OPENAI_MESSAGES]:
            break
    if not seen:
        return Detection(FileKind.UNKNOWN, "an empty list")
    if not votes:
        return Detection(FileKind.UNKNOWN, "a list, but its items are no messages (no `role`)")
    votes.pop(FileKind.MESSAGES_JSONL, None)
    in_chatcli = path is not None and ".chatcli" in path.parts
    if not votes:
        if in_chatcli:
            return Detection(FileKind.CHATCLI_SESSION, "a plain list of messages in ChatCLI's directory")
        return Detection(FileKind.ANTHROPIC_MESSAGES, "a list of messages without tool calls")
    kind = votes.most_common(1)[0][0]
    if kind is FileKind.OPENAI_MESSAGES and in_chatcli and not votes[FileKind.ANTHROPIC_MESSAGES]:
        kind = FileKind.CHATCLI_SESSION
    words = {
        FileKind.ANTHROPIC_MESSAGES: "a list of messages with Anthropic blocks",
        FileKind.OPENAI_MESSAGES: "a list of messages with OpenAI roles or calls",
        FileKind.CHATCLI_SESSION: "a list of messages with ChatCLI's calls (a legacy session)",
    }
    return Detection(kind, words[kind])


def _message_votes(data: bytes, item: json_spans.Value) -> Counter[FileKind]:
    """What one message says of its list; MESSAGES_JSONL stands for "a message, of either kind"."""
    votes: Counter[FileKind] = Counter()
    if data[item.start : item.start + 1] != b"{":
        return votes
    keys = _keys(data, item.start)
    if "role" not in keys:
        return votes
    votes[FileKind.MESSAGES_JSONL] += 1
    role = _string(data, keys["role"])
    if "tool_calls" in keys:
        chatcli = _calls_are_chatcli(data, keys["tool_calls"])
        votes[FileKind.CHATCLI_SESSION if chatcli else FileKind.OPENAI_MESSAGES] += 4
    if role in _OPENAI_ROLES or keys.keys() & {"tool_call_id", "function_call"}:
        votes[FileKind.OPENAI_MESSAGES] += 1
    content = keys.get("content")
    if content is not None and data[content.start : content.start + 1] == b"[":
        types = {
            _string(data, block["type"])
            for value in json_spans.items(data, content.start)
            if data[value.start : value.start + 1] == b"{" and "type" in (block := _keys(data, value.start))
        }
        votes[FileKind.ANTHROPIC_MESSAGES] += 2 * len(types & _ANTHROPIC_BLOCKS)
        votes[FileKind.OPENAI_MESSAGES] += 2 * len(types & _OPENAI_PARTS)
    return +votes


def _calls_are_chatcli(data: bytes, calls: json_spans.Value) -> bool:
    """Whether calls carry their name themselves and arguments as an object (`chatcli.md` §9.1)."""
    if data[calls.start : calls.start + 1] != b"[":
        return False
    first = next(json_spans.items(data, calls.start), None)
    if first is None or data[first.start : first.start + 1] != b"{":
        return False
    keys = _keys(data, first.start)
    return "name" in keys and "function" not in keys


def _by_lines(data: bytes) -> Detection | None:
    """Lines of objects: each votes; None where no line says anything.

    What the bound cuts off may be long, and has a vote only where no whole line has one.
    """
    *lines, rest = data.split(b"\n", 4 * MAX_VOTES)
    votes = _votes(lines)
    if not votes and len(lines) < 4 * MAX_VOTES:
        votes = _votes([rest])
    if not votes:
        return None
    words = {
        FileKind.CLAUDE_CODE: "lines with Claude Code's records",
        FileKind.CODEX_ROLLOUT: "lines with Codex's records",
        FileKind.MESSAGES_JSONL: "lines with one message or request each",
    }
    kind = votes.most_common(1)[0][0]
    return Detection(kind, words[kind])


def _votes(lines: Iterable[bytes]) -> Counter[FileKind]:
    votes: Counter[FileKind] = Counter()
    for line in lines:
        at = json_spans.skip_space(line, 0)
        if line[at : at + 1] == b"{":
            votes.update(_line_votes(line, at))
        if votes.total() >= MAX_VOTES:
            break
    return votes


def _line_votes(line: bytes, at: int) -> Counter[FileKind]:
    keys, kind = _told_by(line, at)
    votes: Counter[FileKind] = Counter()
    wrapped = "payload" in keys and (kind in _CODEX_TYPES or "timestamp" in keys)
    bare = kind in _CODEX_BARE or (kind == "message" and "role" in keys and not keys & _ANSWER_KEYS)
    if wrapped or bare:
        votes[FileKind.CODEX_ROLLOUT] += 1
    elif kind in _CLAUDE_TYPES or len(keys & _CLAUDE_KEYS) >= 2:
        votes[FileKind.CLAUDE_CODE] += 1
    elif "messages" in keys or ("role" in keys and keys & {"content", "tool_calls", "function_call"}):
        votes[FileKind.MESSAGES_JSONL] += 1
    return votes


_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_WORD_BYTES = 64
"""Bytes of a string that are looked at: more than any word that tells something has."""


def _told_by(line: bytes, at: int) -> tuple[Set[str], str]:
    """Names of the members of a line's object, and its `type`; empty where that is no text."""
    try:
        members = _members(line[at:] if at else line)
    except (msgspec.DecodeError, RecursionError):  # broken or cut off: what can be seen of it counts
        keys = _keys(line, at)
        return keys.keys(), _string(line, keys["type"]) if "type" in keys else ""
    return members.keys(), _word(bytes(members["type"])[:_WORD_BYTES]) if "type" in members else ""


def _keys(data: bytes, start: int) -> dict[str, json_spans.Value]:
    """Members of an object by name; those seen before the data breaks off."""
    return {value.key.decode("utf-8", "replace"): value for value in json_spans.members(data, start)}


def _string(data: bytes, value: json_spans.Value) -> str:
    """A short string value, undecoded; empty for any other value."""
    return _word(data[value.start : min(value.end, value.start + _WORD_BYTES)])


def _word(text: bytes) -> str:
    """A string value, undecoded; empty for any other value."""
    return text[1:-1].decode("utf-8", "replace") if text[:1] == b'"' else ""
