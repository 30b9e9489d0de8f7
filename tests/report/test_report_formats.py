"""Text, Markdown and HTML: hostile text has no effect in any of them, and HTML asks for nothing."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from inspector.report import html_report, markdown_report, text_report
from inspector.report.markdown import code
from inspector.session import Session
from inspector.why import why
from tests.transcript import begun, call, result

HOSTILE = "</title><script>alert(1)</script>`]]>| \x1b]52;c;aGk=\x07 \u202eevil @all <img src=http://x/y>"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    script = begun()
    script.lines.clear()
    script.prompt(HOSTILE)
    script.answer(call("toolu_a", "Bash", HOSTILE), call("toolu_<b>", HOSTILE), call("toolu_open", HOSTILE))
    script.results(result("toolu_a", "x" * 150_000), result("toolu_<b>", "y" * 120_000))
    script.prompt("On.")
    script.answer(text="Done.")
    return script.open(tmp_path)


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in {"meta", "br"}:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_well_formed_and_loads_and_runs_nothing(session: Session) -> None:
    page = html_report(session, why(session))
    parser = Elements()
    parser.feed(page)
    assert parser.open == []
    assert not {tag for tag, _ in parser.seen} & {"script", "img", "link", "iframe", "object", "a", "form"}
    for tag, attributes in parser.seen:
        assert not {
            name for name in attributes if name.startswith("on") or name in {"src", "href", "style"}
        }, tag
    assert "default-src &#x27;none&#x27;" in page or "default-src 'none'" in page
    assert "url(" not in page
    assert "@import" not in page


def test_html_holds_both_pictures_and_every_request(session: Session) -> None:
    page = html_report(session, why(session))
    assert page.count('role="img"') == 2
    assert "&lt;script&gt;alert(1)" in page
    rows = re.findall(r"<tr><td>(\d+)\*?</td>", page)
    assert [int(n) for n in rows] == list(range(1, len(session.timeline.requests) + 1))


def test_no_format_lets_an_active_character_through(session: Session) -> None:
    answer = why(session)
    for text in (
        text_report(session, answer),
        markdown_report(session, answer),
        html_report(session, answer),
    ):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)


def test_text_begins_with_the_facts_and_the_causes(session: Session) -> None:
    lines = text_report(session, why(session)).splitlines()
    assert "Why:" in lines[:14]
    first = lines[lines.index("Why:") + 1]
    assert re.match(r"  1 [✗!·] (missing_result|over_turn_budget): ", first)


def test_markdown_keeps_text_of_the_session_in_code_spans(session: Session) -> None:
    page = markdown_report(session, why(session))
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", page)
    assert "@all" not in outside
    assert "<img" not in outside
    assert "<script" not in outside


@pytest.mark.parametrize("text", ["plain", "`", "``a`b", "", "a|b", " blank ", "line\nfeed"])
def test_code_span_cannot_be_left(text: str) -> None:
    span = code(text)
    fence = re.match("`+", span)
    assert fence
    assert span.endswith(fence[0])
    inside = span[len(fence[0]) : -len(fence[0])]
    assert fence[0] not in re.findall("`+", inside)
    assert "|" not in span
    assert "\n" not in span
