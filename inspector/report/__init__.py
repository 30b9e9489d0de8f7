"""An analysed session as text or JSON; returns strings and plain data, the command line writes."""

from __future__ import annotations

from inspector.report.data import SCHEMA, report
from inspector.report.text import text_report

__all__ = ["SCHEMA", "report", "text_report"]
