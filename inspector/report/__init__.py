"""An analysed session as text, JSON, Markdown or HTML; strings and plain data, the command line writes."""

from __future__ import annotations

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
