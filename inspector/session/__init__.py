"""One session: its files read, replayed and kept up to date. Headless commands and the app share it."""

from __future__ import annotations

from inspector.session.kinds import default_policy
from inspector.session.opening import open_session, read_on
from inspector.session.session import Session

__all__ = ["Session", "default_policy", "open_session", "read_on"]
