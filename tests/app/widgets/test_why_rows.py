"""Rows of the why screen: what is known of a part stands in its columns, at every width."""

from __future__ import annotations

import pytest

from inspector.app.sources.why import Reason, Share
from inspector.app.theme import ink
from inspector.app.widgets.why_rows import ReasonRows, ShareRows, figure

INK = ink("dark")

SHARE = Share("Bash", "pytest -q tests/" + "x" * 90, 60_000, 15_000, 120_000, 76, 2, "kept", turn=31, sent=46)
REST = Share("system prompt, tools, what no record shows", tokens=15_000)


@pytest.mark.parametrize("width", [80, 100, 120, 200])
def test_size_times_sent_turn_and_request_have_room_before_the_name(width: int) -> None:
    rows = ShareRows([SHARE, REST], 100_000, "now", 1)
    line = "".join(s.text for s in rows.draw(0, width, False, INK))
    assert line.split()[-4:] == ["46×", "31", "→", "76"]
    assert "60,000" in line
    assert "60 %" in line
    assert len(line) <= width
    rest = "".join(s.text for s in rows.draw(1, width, False, INK))
    assert "system prompt" in rest
    assert "→" not in rest


def test_a_cause_shows_its_brief_words_its_share_and_where_it_leads() -> None:
    reason = Reason(
        "grower", "info", "request 7: Bash toolu_1 (pytest) brought 60,000", 7, "toolu_1",
        brief="60,000 in 46 requests: Bash pytest", share=0.237, turn=6,
    )  # fmt: skip
    line = "".join(s.text for s in ReasonRows([reason], 1).draw(0, 120, False, INK))
    assert "≈ 24 %" in line
    assert "60,000 in 46 requests: Bash pytest" in line
    assert "toolu_1" not in line
    assert line.split()[-3:] == ["6", "→", "7"]


@pytest.mark.parametrize("width", [80, 120])
def test_a_cause_in_another_conversation_says_in_which(width: int) -> None:
    reason = Reason(
        "grower", "info", "request 2", 2, brief="4,078 in 2 requests: WebSearch", share=0.17, turn=1,
        thread="a5bdbc1", where="agent · Poem about the history of curry",
    )  # fmt: skip
    line = "".join(s.text for s in ReasonRows([reason], 1).draw(0, width, False, INK))
    assert "[agent · P" in line
    assert "4,078 in" in line
    assert line.split()[-3:] == ["1", "→", "2"]
    assert len(line) <= width


def test_a_cause_without_brief_words_shows_its_sentence() -> None:
    line = "".join(
        s.text
        for s in ReasonRows([Reason("usage_repeated", "info", "counted once")], 1).draw(0, 80, False, INK)
    )
    assert "counted once" in line
    assert "%" not in line


def test_parts_are_ranked_by_what_is_asked_for() -> None:
    assert [figure(SHARE, rank) for rank in ("now", "sent in all", "tokens")] == [
        60_000,
        120_000,
        15_000,
    ]


@pytest.mark.parametrize(
    ("kind", "loud", "sign"),
    [
        ("over_turn_budget", "warning", "▲"),
        ("compaction", "info", "▼"),
        ("cold_cache", "warning", "!"),
        ("bad_line", "error", "!"),
        ("grower", "info", " "),
    ],
)
def test_a_cause_has_the_sign_that_its_finding_has(kind: str, loud: str, sign: str) -> None:
    line = "".join(s.text for s in ReasonRows([Reason(kind, loud, "x")], 1).draw(0, 120, False, INK))
    assert line[2] == sign
