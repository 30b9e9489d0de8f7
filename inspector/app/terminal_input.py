"""The terminal's input, read so that no byte of it can end the app.

Textual decodes what is typed and pasted as strict UTF-8, and a paste with one wrong byte ends its
input thread. Everything else of its reading stays as it is.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

from textual.driver import Driver


def tolerant(driver: type[Driver]) -> type[Driver]:
    """A driver that shows U+FFFD for what is no UTF-8; others than Textual's for Unix stay as they are.

    Args:
        driver: The class that Textual chose for this platform.
    """
    reading: Any = getattr(driver, "run_input_thread", None)
    if not isinstance(reading, FunctionType) or "getincrementaldecoder" not in reading.__code__.co_names:
        return driver
    names = {**reading.__globals__, "getincrementaldecoder": _lenient_decoder}
    lenient = FunctionType(
        reading.__code__, names, reading.__name__, reading.__defaults__, reading.__closure__
    )
    return type(driver.__name__, (driver,), {"run_input_thread": lenient, "__module__": __name__})


def _lenient_decoder(encoding: str) -> Callable[[], codecs.IncrementalDecoder]:
    return partial(codecs.getincrementaldecoder(encoding), errors="replace")
