from __future__ import annotations

import pytest

from inspector.cli.arguments import parsed, parser


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["check", "a", "--json", "b", "--fail-on", "info", "c"], {"paths": ["a", "b", "c"], "json": True}),
        (["overflow", "a", "--lines", "1:2", "toolu_1"], {"path": "a", "id": "toolu_1", "lines": "1:2"}),
        (["open", "a", "--no-follow", "b"], {"paths": ["a", "b"], "no_follow": True}),
        (["compare", "a", "--json", "b"], {"path": "a", "other": "b"}),
        (["wire", "--request", "2", "a"], {"path": "a", "request": 2}),
        (["report", "a"], {"path": "a"}),
        (["check"], {"paths": []}),
        (["--debug", "check", "a", "--json", "b"], {"paths": ["a", "b"]}),
        (["check", "--json", "--", "-a.jsonl", "--b"], {"paths": ["-a.jsonl", "--b"], "json": True}),
    ],
)
def test_options_may_stand_before_between_and_behind_names(
    words: list[str], names: dict[str, object]
) -> None:
    arguments = vars(parsed(words))
    assert {name: arguments[name] for name in names} == names


def test_help_is_no_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.cli.parser.terminal_columns", lambda: 60)
    text = parser("overflow").format_help()
    options = text[: text.index("examples:")].splitlines()
    assert 50 < max(map(len, options)) <= 58
