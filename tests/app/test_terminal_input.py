"""Input that is no UTF-8 is an odd character, not the end of the app."""

from textual.drivers.linux_driver import LinuxDriver
from textual.drivers.linux_inline_driver import LinuxInlineDriver

from inspector.app.terminal_input import _lenient_decoder, tolerant


def test_wrong_bytes_become_replacement_characters() -> None:
    decode = _lenient_decoder("utf-8")().decode
    assert decode(b"a\xed\xa0\x80b\xff\xe2", final=False) == "a\ufffd\ufffd\ufffdb\ufffd"
    assert decode(b"\x82\xac", final=True) == "€"


def test_textuals_reading_still_has_the_name_that_is_exchanged() -> None:
    for driver in (LinuxDriver, LinuxInlineDriver):
        better = tolerant(driver)
        assert better is not driver
        assert better.run_input_thread.__globals__["getincrementaldecoder"] is _lenient_decoder  # type: ignore[attr-defined] # of these two
        assert driver.run_input_thread.__globals__["getincrementaldecoder"] is not _lenient_decoder


def test_a_driver_without_such_a_reading_stays() -> None:
    class Other:
        pass

    assert tolerant(Other) is Other  # type: ignore[type-var, comparison-overlap, arg-type] # any class does
