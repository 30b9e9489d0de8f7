"""What follows from the kind of a session's file: how it is called, and whose rules it was written under."""

from __future__ import annotations

from collections.abc import Mapping

from inspector.model.policy import CHATCLI, CLAUDE_CODE, DOCUMENTED, Policy
from inspector.reading.detect import FileKind

LINE_KINDS = frozenset({FileKind.CLAUDE_CODE, FileKind.CODEX_ROLLOUT, FileKind.MESSAGES_JSONL})
"""Files of lines that are appended to; the others are documents."""

MESSAGE_LISTS = frozenset(
    {
        FileKind.ANTHROPIC_MESSAGES,
        FileKind.ANTHROPIC_REQUEST,
        FileKind.OPENAI_MESSAGES,
        FileKind.MESSAGES_JSONL,
    }
)
"""Sources whose records are API messages already: these are passed on as they stand."""

SOURCE_WORDS: Mapping[FileKind, str] = {
    FileKind.CLAUDE_CODE: "Claude Code",
    FileKind.ANTHROPIC_MESSAGES: "Anthropic messages",
    FileKind.ANTHROPIC_REQUEST: "Anthropic request",
    FileKind.OPENAI_MESSAGES: "OpenAI messages",
    FileKind.MESSAGES_JSONL: "messages, one a line",
    FileKind.CHATCLI_SESSION: "ChatCLI",
    FileKind.CHATCLI_PARK: "ChatCLI, parked",
    FileKind.SCRATCH_DIR: "scratch directory",
    FileKind.CODEX_ROLLOUT: "Codex",
}
PART_WORDS: Mapping[FileKind, tuple[str, str]] = {
    FileKind.CHATCLI_SESSION: ("history", "histories"),
    FileKind.CHATCLI_PARK: ("history", "histories"),
    FileKind.MESSAGES_JSONL: ("conversation", "conversations"),
}
"""What a conversation beside the main one is, and several; of other sources it is a sub-agent."""
_DEFAULT_POLICIES: Mapping[FileKind, Policy] = {
    FileKind.CLAUDE_CODE: CLAUDE_CODE,
    FileKind.CHATCLI_SESSION: CHATCLI,
    FileKind.CHATCLI_PARK: CHATCLI,
}


def default_policy(kind: FileKind) -> Policy:
    """The rules of the program that writes files of a kind; `documented` for plain message lists."""
    return _DEFAULT_POLICIES.get(kind, DOCUMENTED)
