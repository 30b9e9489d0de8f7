from __future__ import annotations

from textual.drivers.web_driver import WebDriver

from inspector.app import served_driver
from inspector.app.served_driver import ServedDriver
from inspector.serve import DRIVER


def test_the_server_names_this_driver() -> None:
    assert f"{ServedDriver.__module__}:{ServedDriver.__qualname__}" == DRIVER


def test_its_reading_is_textuals_own_and_proof_against_odd_bytes() -> None:
    read = served_driver._read
    assert read.__code__ is WebDriver.run_input_thread.__code__
    decode = read.__globals__["getincrementaldecoder"]("utf-8")().decode
    assert decode(b"a\xffb") == "a\ufffdb"


def test_no_address_is_opened() -> None:
    assert ServedDriver.open_url is not WebDriver.open_url
