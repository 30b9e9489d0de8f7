"""`covers`: says which bindings a Pilot test presses. `test_app_every_action` reads it from the sources."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Test = TypeVar("Test", bound=Callable[..., object])


def covers(*ids: str) -> Callable[[Test], Test]:
    """Mark a test.

    Args:
        ids: Ids of the bindings that it presses and looks at.
    """
    assert ids
    return lambda test: test
