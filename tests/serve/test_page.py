from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from inspector.serve.page import COMMON_HEADERS, page, page_headers

HOSTILE = ["</title><script>alert(1)</script>", "\"' onload=alert(1) x='", "&lt;b&gt;", "$websocket ${nonce}"]


class Elements(HTMLParser):
    """Tags, attributes and the text of the title."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.title = ""
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "title":
            self.title += data


def test_the_page_names_no_address_but_its_own_websocket() -> None:
    text = page("a session", "ws://127.0.0.1:1/secret/ws", "nonce")
    assert re.findall(r"\w+://[^\"]*", text) == ["ws://127.0.0.1:1/secret/ws"]
    assert "//" not in text.replace("ws://127.0.0.1:1/secret/ws", "")
    for tag, attributes in Elements(text).tags:
        for name in ("src", "href"):
            address = attributes.get(name)
            assert address is None or address.startswith(("static/", "data:,")), (tag, address)


@pytest.mark.parametrize("title", HOSTILE)
def test_a_hostile_title_is_the_title_and_nothing_else(title: str) -> None:
    plain = Elements(page("x", "ws://h/t/ws", "nonce"))
    hostile = Elements(page(title, "ws://h/t/ws", "nonce"))
    assert hostile.title == title
    assert hostile.tags == plain.tags


def test_only_our_script_carries_the_nonce() -> None:
    scripts = [a for tag, a in Elements(page("x", "ws://h/t/ws", "n0")).tags if tag == "script"]
    assert scripts == [{"nonce": "n0"}, {"src": "static/js/textual.js"}]
    assert "script-src 'self' 'nonce-n0';" in page_headers("h", "n0")["Content-Security-Policy"]


def test_the_policy_allows_the_own_server_alone() -> None:
    policy = page_headers("127.0.0.1:8000", "n0")["Content-Security-Policy"]
    rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
    assert rules["default-src"] == rules["frame-ancestors"] == rules["base-uri"] == "'none'"
    assert rules["connect-src"] == "ws://127.0.0.1:8000"
    assert "allow-popups" not in rules["sandbox"]
    assert not re.search(r"https?:|\*|unsafe-eval", policy)
    assert COMMON_HEADERS["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(("asked", "shown"), [(-5, 6), (15, 15), (10**9, 48)])
def test_letters_stay_readable(asked: int, shown: int) -> None:
    assert f'data-font-size="{shown}"' in page("x", "ws://h/t/ws", "n", asked)
