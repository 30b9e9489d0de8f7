"""Many sessions at once: one row each, made by worker processes, remembered between runs."""

from __future__ import annotations

from inspector.scan.row import ScanRow, scan_file
from inspector.scan.runner import scan

__all__ = ["ScanRow", "scan", "scan_file"]
