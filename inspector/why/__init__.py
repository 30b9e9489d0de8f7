"""Why the context blew up: causes in order of weight, what they cost, and which limit would have helped.

A part of its own because it needs what no other has together: findings of all families, the accounts
of every request, and replays of the same records under other policies.
"""

from __future__ import annotations

from inspector.why.answer import Why, why
from inspector.why.cause import Cause

__all__ = ["Cause", "Why", "why"]
