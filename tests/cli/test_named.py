"""Which sessions a call names."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.app.tabs import MOST_TABS
from inspector.cli.arguments import parser
from inspector.cli.named import MOST_SESSIONS, session_paths
from inspector.errors import UsageError


def test_several_sessions_are_named_once_each_in_their_order() -> None:
    given = parser().parse_args(["open", "b/x", "a/x", "b/x"])
    assert session_paths(given) == [Path("b/x"), Path("a/x")]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a/x", "b/x", "--request", "3"], "about one session"),
        (["a/x", "b/x", "--scratch", "d"], "about one session"),
        ([f"{n}/x" for n in range(21)], "21 sessions are named; at most 20"),
        ([], "name a session"),
    ],
)
def test_what_is_about_one_session_is_refused_for_several(words: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        session_paths(parser().parse_args(["open", *words]))


def test_as_many_sessions_can_be_named_as_there_are_tabs() -> None:
    assert MOST_SESSIONS == MOST_TABS
