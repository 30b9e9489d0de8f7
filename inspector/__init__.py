"""The debugger for an agent's context window, and the tool-result pipeline as a library.

Importing this package loads neither Textual nor any reader: public names are resolved on first
use, so that headless commands and agent loops start quickly.

The library in short: make a `ToolResultManager` per conversation, pass it the history before every
request, send `Prepared.messages`, append `Prepared.records` to the transcript. The rules are a
`Policy`: a preset (`DOCUMENTED`, `CLAUDE_CODE`, `CHATCLI`) or a copy of one made by `with_field`.
"""

from __future__ import annotations

TYPE_CHECKING = False
"""Known to type checkers; `typing` itself would cost half as much as starting an interpreter."""
if TYPE_CHECKING:
    from typing import Any

    from inspector.errors import InspectorError, UnreadableError, UnwritableError, UsageError
    from inspector.managed_run import Progress
    from inspector.managed_run import run as run_histories
    from inspector.manager import Prepared, ToolResultManager
    from inspector.model.overflow import Kept
    from inspector.model.policy import CHATCLI, CLAUDE_CODE, DOCUMENTED, Policy, preset
    from inspector.overflow import OverflowStore, keeps_files
    from inspector.pipeline.chatcli.environment import with_environment
    from inspector.pipeline.stages import Report
    from inspector.session import Session, open_session

__version__ = "0.1.0"

__all__ = [
    "CHATCLI",
    "CLAUDE_CODE",
    "DOCUMENTED",
    "InspectorError",
    "Kept",
    "OverflowStore",
    "Policy",
    "Prepared",
    "Progress",
    "Report",
    "Session",
    "ToolResultManager",
    "UnreadableError",
    "UnwritableError",
    "UsageError",
    "__version__",
    "keeps_files",
    "open_session",
    "preset",
    "run_histories",
    "with_environment",
]

_HOMES = {
    "CHATCLI": "model.policy",
    "CLAUDE_CODE": "model.policy",
    "DOCUMENTED": "model.policy",
    "InspectorError": "errors",
    "Kept": "model.overflow",
    "OverflowStore": "overflow",
    "Policy": "model.policy",
    "Prepared": "manager",
    "Progress": "managed_run",
    "Report": "pipeline.stages",
    "Session": "session",
    "ToolResultManager": "manager",
    "UnreadableError": "errors",
    "UnwritableError": "errors",
    "UsageError": "errors",
    "keeps_files": "overflow",
    "open_session": "session",
    "preset": "model.policy",
    "run_histories": "managed_run",
    "with_environment": "pipeline.chatcli.environment",
}
"""Public name → module below this package that it lives in (PEP 562)."""
_OTHER_NAMES = {"run_histories": "run"}
"""Public name → its name there, where that says too little out here."""


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{home}"), _OTHER_NAMES.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
