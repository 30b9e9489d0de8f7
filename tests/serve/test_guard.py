from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.errors import UsageError
from inspector.serve.guard import is_own_host, is_own_origin, is_token, loopback_address, new_token


def test_every_token_is_new_long_and_fit_for_a_path() -> None:
    tokens = {new_token() for _ in range(50)}
    assert len(tokens) == 50
    assert all(len(t) >= 43 and t.replace("-", "").replace("_", "").isalnum() for t in tokens)


@pytest.mark.parametrize("given", ["", "secre", "secretx", "Secret", "sécret", "\udcff"])
def test_only_the_whole_token_is_the_token(given: str) -> None:
    assert is_token("secret", "secret")
    assert not is_token(given, "secret")


@pytest.mark.parametrize(
    ("host", "address"),
    [("localhost", "127.0.0.1"), ("LocalHost", "127.0.0.1"), ("127.0.0.1", "127.0.0.1"),
     ("127.8.0.9", "127.8.0.9"), ("::1", "::1"), ("[::1]", "::1")],
)  # fmt: skip
def test_loopback_is_listened_on(host: str, address: str) -> None:
    assert loopback_address(host) == address


@pytest.mark.parametrize(
    "host", ["0" + ".0" * 3, "::", "192.168.0.7", "example.com", "", "127.0.0.1.example.com", "127.1", "*"]
)
def test_any_other_host_is_refused_with_a_way_out(host: str) -> None:
    with pytest.raises(UsageError, match=r"to this machine only .*ssh -L"):
        loopback_address(host)


@pytest.mark.parametrize(
    "header", ["localhost", "localhost:8000", "LOCALHOST:1", "127.0.0.1:65535", "127.0.0.2", "[::1]:8000"]
)
def test_this_machine_has_names_of_its_own_at_any_port(header: str) -> None:
    assert is_own_host(header)


@pytest.mark.parametrize(
    "header",
    ["", "evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil.example",
     "localhost:8000@evil.example", "localhost:", "localhost:x", "localhost\n", "10.0.0.1", "0.0.0.0:80",
     "[::2]", '127.0.0.1"', "localhost;", "[localhost", "2130706433"],
)  # fmt: skip
def test_another_name_for_this_machine_is_refused(header: str) -> None:
    assert not is_own_host(header)


@given(st.text())
def test_a_host_that_passes_has_nothing_that_could_end_a_header_or_an_attribute(header: str) -> None:
    assert not is_own_host(header) or not set(header) & set("\"'<>&; \r\n,/@\\")


def test_only_the_page_itself_and_what_is_no_page_may_ask() -> None:
    assert is_own_origin(None, "127.0.0.1:8000")
    assert is_own_origin("http://127.0.0.1:8000", "127.0.0.1:8000")
    for origin in ("null", "", "http://evil.example", "https://127.0.0.1:8000", "http://127.0.0.1:8001",
                   "http://localhost:8000", "http://127.0.0.1:8000/"):  # fmt: skip
        assert not is_own_origin(origin, "127.0.0.1:8000"), origin
