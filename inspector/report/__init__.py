"""An analysed session as text, JSON, Markdown or HTML; strings and plain data, the command line writes.

Each form is loaded when it is asked for (PEP 562): a report is printed in one of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspector.report.data import SCHEMA, report
    from inspector.report.html import html_report
    from inspector.report.markdown import markdown_report
    from inspector.report.rows import rows_text
    from inspector.report.text import agent_report, text_report

__all__ = [
    "SCHEMA",
    "agent_report",
    "html_report",
    "markdown_report",
    "report",
    "rows_text",
    "text_report",
]

_HOMES = {
    "SCHEMA": "data",
    "agent_report": "text",
    "html_report": "html",
    "markdown_report": "markdown",
    "report": "data",
    "rows_text": "rows",
    "text_report": "text",
}
"""Name → module of this package that it lives in."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
