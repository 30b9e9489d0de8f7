"""One session: its files read, replayed and kept up to date. Headless commands and the app share it."""

from __future__ import annotations

from inspector.session.compare import compare_requests
from inspector.session.session import Session, default_policy, open_session

__all__ = ["Session", "compare_requests", "default_policy", "open_session"]
