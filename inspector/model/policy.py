"""`Policy`: every limit, window, unit, variant and the order of the stages, as one frozen value.

Presets are values; the what-if panel edits a copy (`Policy.with_field`). Which rule a field
follows stands under it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import msgspec
from msgspec.structs import asdict, fields, replace

from inspector.errors import UsageError


class Unit(StrEnum):
    """What "chars" counts."""

    CODE_POINTS = "code points"
    UTF16 = "UTF-16 units"
    BYTES = "bytes"


class Stage(StrEnum):
    """One step of the pipeline."""

    PAIRING = "pairing"
    BUDGET = "budget"
    MICROCOMPACT = "microcompact"


class Pairing(StrEnum):
    """Variant of the pairing repair."""

    DOCUMENTED = "documented"
    """Seed 000's three phases, made exact in `documented.md`."""
    POSITIONAL = "positional"
    """ChatCLI's newest code (`chatcli.md` §2.1–2.2)."""
    GLOBAL = "global"
    """ChatCLI's older code (`chatcli.md` §2.4)."""
    CLIENT = "client"
    """Claude Code: load repair, then the API edge (`claude-code-wire.md` E, H)."""


class BudgetMode(StrEnum):
    """Whether the budget reaches the predicted wire. The ledger is computed with it on in any case."""

    ON = "on"
    OFF = "off"
    AUTO = "auto"
    """By the session's evidence: replacement records prove it; print mode never has it; else off."""


class Preview(StrEnum):
    """What the budget leaves in place of a result."""

    HEAD_TAIL = "head and tail"
    """Seed 000: both ends around the path of the overflow file."""
    PERSISTED = "persisted output"
    """Claude Code's `<persisted-output>` (seed 001 §2.7)."""


class Ageing(StrEnum):
    """Variant of microcompact."""

    AGES = "ages"
    """Truncate and summarize by age (`documented.md`)."""
    CHATCLI = "chatcli"
    """As coded in ChatCLI (`chatcli.md` §4)."""
    RECORDED = "recorded"
    """Only what the session itself recorded (`microcompact_boundary`), or a gap in time."""
    OFF = "off"


class DispatchSettings(msgspec.Struct, frozen=True):
    """Cap on a tool's output when it returns (at tool time only)."""

    enabled: bool = False
    """In a replay the transcript already holds what the cap left, so it is off unless asked for."""
    default_cap: int = 30_000
    caps: Mapping[str, int] = msgspec.field(default_factory=dict)
    """Tool name → cap."""


class PairingSettings(msgspec.Struct, frozen=True):
    variant: Pairing = Pairing.DOCUMENTED


class BudgetSettings(msgspec.Struct, frozen=True):
    mode: BudgetMode = BudgetMode.ON
    result_limit: int | None = 20_000
    """Pass 1: a fresh result over this is replaced. None: there is no pass 1."""
    turn_limit: int = 200_000
    """Pass 2: the sum of a group; strictly over it is over."""
    ledger: bool = True
    """Whether decisions are kept. ChatCLI keeps none: a new file and a new preview on each turn."""
    count_previews: bool = False
    """Whether previews count against the turn limit (`documented` yes, `claude-code` no)."""
    skip_tools: frozenset[str] = frozenset()
    """Tools with an unlimited cap: marked seen, not counted while fresh."""
    preview: Preview = Preview.HEAD_TAIL
    preview_head: int = 4_000
    preview_tail: int = 1_000
    floor: int = 5_200
    """ChatCLI's smallest target in pass 2; 0 elsewhere."""


class MicrocompactSettings(msgspec.Struct, frozen=True):
    variant: Ageing = Ageing.AGES
    truncate_turns: int = 2
    """Age from which a text is truncated."""
    summarize_turns: int = 4
    """Age from which a text becomes one line."""
    min_content: int = 3_000
    """`ages`: only texts of more than this. `chatcli`: of this or more."""
    head: int = 2_000
    tail: int = 500
    exempt_tools: frozenset[str] = frozenset()
    """Tools that write or execute: kept in full whatever their age."""
    exempt_errors: bool = True
    clear_after_gap_minutes: int | None = None
    """`recorded`: the old screen client's time gate; None when it is off."""
    clear_keep: int = 5
    """`recorded`: newest results that a clearing by time leaves."""


class Policy(msgspec.Struct, frozen=True):
    """One complete set of rules."""

    name: str
    unit: Unit
    order: tuple[Stage, ...] = (Stage.PAIRING, Stage.BUDGET, Stage.MICROCOMPACT)
    dispatch: DispatchSettings = DispatchSettings()
    pairing: PairingSettings = PairingSettings()
    budget: BudgetSettings = BudgetSettings()
    microcompact: MicrocompactSettings = MicrocompactSettings()
    archive: bool = False
    """CCR: keep originals of aged results under `<<ccr:KEY>>` markers."""

    @property
    def is_chatcli(self) -> bool:
        """Whether its stages are ChatCLI's own: no ledger, or its ageing."""
        return not self.budget.ledger or self.microcompact.variant is Ageing.CHATCLI

    def with_field(self, path: str, value: Any) -> Policy:
        """A copy with one field changed.

        Args:
            path: Dotted name, such as `budget.turn_limit`.
            value: The new value, of the field's own type; a choice may be given by its word, and a
                set of tools or the order as any list.

        Raises:
            UsageError: There is no such field, or the value is none for it.
        """
        head, _, rest = path.partition(".")
        if path not in self.flat():
            raise UsageError(f"a policy has no field {path!r}")
        holder, name = (getattr(self, head), rest) if rest else (self, head)
        kind = next(field.type for field in fields(holder) if field.name == name)
        try:
            value = msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            raise UsageError(f"{path}: {value!r} is no value for it: {error}") from None
        if path == "order" and sorted(value) != sorted(Stage):
            raise UsageError(f"{path}: name each stage once: {', '.join(Stage)}")
        change: dict[str, Any] = {head: replace(getattr(self, head), **{rest: value}) if rest else value}
        return replace(self, **change)

    def flat(self) -> dict[str, Any]:
        """Every field by dotted name, in order."""
        out: dict[str, Any] = {}
        for name, value in asdict(self).items():
            if isinstance(value, msgspec.Struct):
                out |= {f"{name}.{field}": one for field, one in asdict(value).items()}
            else:
                out[name] = value
        return out


WRITE_OR_EXECUTE = frozenset(
    {
        "Bash", "BashOutput", "KillShell", "PowerShell", "Write", "Edit", "MultiEdit", "NotebookEdit",
        "@coder", "coder", "write_file", "patch_file", "exec", "run_command",
        "shell", "local_shell", "bash", "exec_command", "execute_command", "write_stdin",
        "apply_patch", "edit_file",
    }
)  # fmt: skip
"""Tools whose results ageing leaves alone in `documented` (seed 000: they hold critical errors)."""

SEED_CAPS: Mapping[str, int] = {
    "Read": 80_000, "@read": 80_000,
    "Grep": 60_000, "@search": 60_000,
    "Glob": 50_000, "LS": 50_000, "@tree": 50_000,
}  # fmt: skip
"""Dispatch caps of seed 000."""

DOCUMENTED = Policy(
    name="documented",
    unit=Unit.CODE_POINTS,
    dispatch=DispatchSettings(caps=SEED_CAPS),
    budget=BudgetSettings(count_previews=True, floor=0),
    microcompact=MicrocompactSettings(exempt_tools=WRITE_OR_EXECUTE),
)
"""The two seeds as written, made exact (`documented.md`)."""

CLAUDE_CODE = Policy(
    name="claude-code",
    unit=Unit.UTF16,
    order=(Stage.BUDGET, Stage.PAIRING, Stage.MICROCOMPACT),
    dispatch=DispatchSettings(caps={"Bash": 30_000, "Grep": 20_000, "mcp": 50_000}),
    pairing=PairingSettings(Pairing.CLIENT),
    budget=BudgetSettings(
        mode=BudgetMode.AUTO,
        result_limit=None,
        skip_tools=frozenset({"Read"}),
        preview=Preview.PERSISTED,
        preview_head=2_000,
        preview_tail=0,
        floor=0,
    ),
    microcompact=MicrocompactSettings(variant=Ageing.RECORDED),
)
"""Claude Code as measured (`claude-code-wire.md`)."""

CHATCLI = Policy(
    name="chatcli",
    unit=Unit.BYTES,
    order=(Stage.MICROCOMPACT, Stage.PAIRING, Stage.BUDGET),
    dispatch=DispatchSettings(
        caps={"@read": 80_000, "@search": 60_000, "@tree": 50_000, "@docs-flatten": 50_000}
    ),
    pairing=PairingSettings(Pairing.POSITIONAL),
    budget=BudgetSettings(ledger=False),
    microcompact=MicrocompactSettings(variant=Ageing.CHATCLI, exempt_errors=False),
    archive=True,
)
"""ChatCLI's newest code, loop order (`chatcli.md`)."""

PRESETS: Mapping[str, Policy] = {p.name: p for p in (DOCUMENTED, CLAUDE_CODE, CHATCLI)}


def preset(name: str) -> Policy:
    """The preset of that name.

    Raises:
        UsageError: There is none; the message names those that exist.
    """
    try:
        return PRESETS[name]
    except KeyError:
        raise UsageError(f"unknown policy {name!r}; there are: {', '.join(PRESETS)}") from None
