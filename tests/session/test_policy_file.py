"""Policy files: what is saved is read back, and what is wrong is told with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.errors import InspectorError, UnreadableError, UnwritableError, UsageError
from inspector.model.policy import CHATCLI, DOCUMENTED, PRESETS, Policy
from inspector.session.policy_file import (
    load_policy,
    policy_named,
    policy_toml,
    save_policy,
)


@pytest.mark.parametrize("policy", PRESETS.values(), ids=lambda p: p.name)
def test_a_saved_policy_is_read_back_as_it_was(policy: Policy, tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    save_policy(policy, path)
    assert load_policy(path) == policy


@given(st.frozensets(st.text(max_size=8).map(str.strip).filter(lambda t: t and "," not in t), max_size=4))
def test_any_names_of_tools_survive_the_file(
    tmp_path_factory: pytest.TempPathFactory, tools: frozenset[str]
) -> None:
    tools = frozenset(t.encode("utf-8", "replace").decode("utf-8") for t in tools)
    policy = DOCUMENTED.with_field("budget.skip_tools", tools)
    path = tmp_path_factory.mktemp("policy") / "p.toml"
    path.write_text(policy_toml(policy), encoding="utf-8")
    assert load_policy(path) == policy


def test_a_short_file_changes_only_what_it_names(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('base = "chatcli"\n[budget]\nturn_limit = 50_000\nresult_limit = "none"\n')
    expected = CHATCLI.with_field("budget.turn_limit", 50_000).with_field("budget.result_limit", None)
    assert policy_named(str(path)) == expected.with_field("name", "mine")


def test_a_name_means_the_preset() -> None:
    assert policy_named("documented") is DOCUMENTED
    with pytest.raises(UsageError, match="claude-code"):
        policy_named("nonsense")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[budget]\nsize = 4\n", "budget.size"),
        ("[budget]\nturn_limit = 'many'\n", "budget.turn_limit"),
        ("[budget]\nturn_limit = true\n", "budget.turn_limit"),
        (f"[budget]\nturn_limit = 0x{'f' * 5_000}\n", "turn_limit: a figure of more than 64 bits"),
        (f"[budget]\nskip_tools = [0x{'f' * 5_000}]\n", "skip_tools: a figure of more than 64 bits"),
        ("[budget]\nskip_tools = [[]]\n", "budget.skip_tools"),
        ("budget = 7\n", "budget"),
        ("base = 'nothing'\n", "nothing"),
        ("name = 4\n", "texts"),
        ("[budget\n", "line 1"),
        ("[surprise]\na = 1\n", "surprise"),
    ],
)
def test_what_is_wrong_is_told_with_the_file(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=told) as caught:
        load_policy(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"a" * (1 << 21), b"a = " + b"[" * 5_000])
def test_a_file_that_is_no_text_is_no_policy(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "data.toml"
    path.write_bytes(data)
    with pytest.raises(InspectorError, match=r"data\.toml"):
        load_policy(path)


def test_a_missing_file_or_a_directory_is_told(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(UnreadableError):
            load_policy(path)


def test_an_existing_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text("kept")
    with pytest.raises(UsageError, match="exists"):
        save_policy(DOCUMENTED, path)
    assert path.read_text() == "kept"
    with pytest.raises(UnwritableError):
        save_policy(DOCUMENTED, tmp_path / "no" / "where.toml")
