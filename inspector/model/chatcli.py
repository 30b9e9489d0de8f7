"""ChatCLI's messages and settings: contents are bytes, because ChatCLI cuts between any two bytes.

A cut may fall inside a character (`chatcli.md`, conventions), so neither a content nor a length
can be held as text without losing equality. Ids, roles and names are never cut and stay `str`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import msgspec

from inspector.model.policy import Pairing


class ToolCall(msgspec.Struct, frozen=True, gc=False):
    """One call of an assistant message."""

    id: str
    """As the provider gave it: `toolu_…`, `call_…`, `web_fetch:0`; may be empty or repeated."""
    name: str = ""
    type: str = ""
    arguments: Mapping[str, Any] | None = None
    """JSON object, or None for `null`."""
    raw: Any = None
    """The provider's own form of the call, where the session has it."""


class Meta(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """ChatCLI's notes on a message (`chatcli.md` §9.1), in file order."""

    is_summary: bool = False
    summary_of: Any = None
    """What a summary stands for; the spec leaves its type open, so it is carried as it is."""
    mode: str = ""
    preserve_verbatim: bool = False
    """Set by ChatCLI, but looked at by none of the three stages."""
    agent_feedback: bool = False
    """A user message that ages like a tool result."""
    skill_names: tuple[str, ...] = ()
    skill_collapsed: bool = False


class Message(msgspec.Struct, frozen=True, gc=False):
    """One message of a ChatCLI history."""

    role: str
    """`system`, `user`, `assistant`, `tool`; any other word is carried through untouched."""
    content: bytes = b""
    """UTF-8 bytes; possibly cut inside a character."""
    meta: Meta | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    system_parts: tuple[Any, ...] = ()
    images: tuple[Any, ...] = ()
    is_error: bool = False
    error_code: str = ""

    @property
    def opens_block(self) -> bool:
        """Whether results may follow: an assistant message with at least one call (§2)."""
        return self.role == "assistant" and bool(self.tool_calls)

    def with_content(self, content: bytes) -> Message:
        """A copy with another content."""
        return msgspec.structs.replace(self, content=content)


class Order(StrEnum):
    """Order of the stages (`chatcli.md` §8)."""

    LOOP = "loop"
    """The newest code: microcompact and pairing on the stored history, budget on an outgoing copy."""
    SEED = "seed"
    """Seed 000: pairing, budget, microcompact, all on the stored history."""


class BudgetLimits(msgspec.Struct, frozen=True):
    """Limits of the budget, in bytes (§3.5)."""

    result_bytes: int = 20_000
    """Pass 1: a result strictly over this is persisted."""
    turn_bytes: int = 200_000
    """Pass 2: a turn strictly over this loses its largest results."""

    def scaled(self, factor: float) -> BudgetLimits:
        """Both limits times a factor, rounded towards zero (context recovery, §8)."""
        return BudgetLimits(int(self.result_bytes * factor), int(self.turn_bytes * factor))


class AgeingLimits(msgspec.Struct, frozen=True):
    """Windows and sizes of microcompact (§4)."""

    truncate_turns: int = 2
    """Age from which a result is truncated; also the loop turn before which nothing happens."""
    summarize_turns: int = 4
    """Age from which a result becomes one line."""
    head_bytes: int = 2_000
    tail_bytes: int = 500
    min_bytes: int = 3_000
    """Smaller results are left alone; one of exactly this size is not."""


class RecoveryLimits(msgspec.Struct, frozen=True):
    """Emergency shrinking after a "context too long" answer (§8)."""

    max_attempts: int = 3
    keep_messages: int = 10
    """Non-system messages that attempt 2 keeps."""


class ArchiveSettings(msgspec.Struct, frozen=True):
    """The CCR layer (§6)."""

    mode: str = "lossy-with-ccr"
    """`off`, `lossless` or `lossy-with-ccr`; only `off` stops archiving."""
    max_bytes: int = 256 * 1024 * 1024
    """Size of the store; 0: unbounded. An entry may take a quarter of it."""
    ttl_s: float = 168 * 3600.0
    """Seconds after the last access when an entry expires; 0: never."""
    threshold_bytes: int = 4_000
    """Output above this is compressed before it reaches the history."""
    profile: str = "default"
    directory: str = ""
    """Empty: `~/.chatcli/ccr`."""


class Settings(msgspec.Struct, frozen=True):
    """All settings of ChatCLI that decide what is on the wire."""

    budget: BudgetLimits = msgspec.field(default_factory=BudgetLimits)
    ageing: AgeingLimits = msgspec.field(default_factory=AgeingLimits)
    recovery: RecoveryLimits = msgspec.field(default_factory=RecoveryLimits)
    archive: ArchiveSettings = msgspec.field(default_factory=ArchiveSettings)
    order: Order = Order.LOOP
    pairing: Pairing = Pairing.POSITIONAL
    """`global`: the older repair (§2.4), which ran on the outgoing copy; any other word: today's."""
