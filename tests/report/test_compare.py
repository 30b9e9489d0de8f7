"""The comparison as data and as text: the same figures, and never without its caveat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector.cli import main
from inspector.model.policy import CHATCLI, CLAUDE_CODE, DOCUMENTED, BudgetMode
from inspector.model.policy_fields import FIELDS
from inspector.replay.trade import CAVEAT
from inspector.report.compare import (
    compare_data,
    compare_policies,
    compare_text,
    share_words,
    signed,
    total_rows,
)
from inspector.session import open_session
from tests.claude_session import grown


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return grown(45).write(tmp_path / "5e55.jsonl")


def test_data_and_text_say_the_same(path: Path) -> None:
    with open_session(path) as session:
        found = compare_policies(session, CLAUDE_CODE, DOCUMENTED)
        data, text = compare_data(session, found), compare_text(session, found)
        assert session.policy is CLAUDE_CODE
    assert data["schema"] == "inspector-compare/1"
    assert data["note"] == CAVEAT and CAVEAT in text
    assert data["sentence"] in text
    assert f"{data['a']['sent_chars']:,}" in text and f"{data['b']['sent_chars']:,}" in text
    assert data["a"]["sent_chars"] == sum(r["a_chars"] for r in data["requests"])
    assert [f["field"] for f in data["fields"]] == [f.path for f in FIELDS]
    assert {f["field"] for f in data["fields"] if f["differs"]} >= {"unit", "budget.result_limit"}


def test_other_units_are_said(path: Path) -> None:
    with open_session(path) as session:
        text = compare_text(session, compare_policies(session, DOCUMENTED, CHATCLI))
        same = compare_text(session, compare_policies(session, DOCUMENTED, DOCUMENTED))
    assert "Sizes are in chars; B counts in bytes, so its sizes are ≈." in text
    assert "Sizes of A" not in same and "no field differs" in same


def test_no_label_of_the_totals_is_cut(path: Path) -> None:
    with open_session(path) as session:
        found = compare_policies(session, DOCUMENTED, CHATCLI)
        text = compare_text(session, found)
    for label, *_ in total_rows(found):
        assert f"\n{label} " in text


def test_differences_have_a_sign() -> None:
    assert (signed(4_000), signed(-4_000), signed(0)) == ("+4,000", "−4,000", "0")
    assert (share_words(200, 100), share_words(100, 150), share_words(0, 7)) == ("−50 %", "+50 %", "+7")
    assert share_words(100_000, 100_001) == "+1"


def test_the_command_takes_names_files_and_recorded(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tight.toml"
    file.write_text("[budget]\nturn_limit = 20000\n")
    assert main(["compare", str(path), "--policy", "recorded", "--policy", str(file), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["a"]["policy"], data["b"]["policy"]) == ("recorded", "tight")
    assert main(["compare", str(path), "--policy", "documented"]) == 0
    text = capsys.readouterr().out
    assert "A claude-code   B documented" in text
    limits = next(line.split() for line in text.splitlines() if line.startswith("result limit"))
    assert limits == ["result", "limit", "none", "20,000"]


@pytest.mark.parametrize("policies", [[], ["--policy", "nothing"], ["--policy", "documented"] * 3])
def test_the_command_wants_one_or_two_known_policies(
    path: Path, policies: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(path), *policies]) == 2
    caught = capsys.readouterr()
    assert not caught.out and caught.err.startswith("inspector: ")


def test_sizes_carry_the_unit_of_the_policies(path: Path) -> None:
    with open_session(path) as session:
        labels = {
            unit: [row[0] for row in total_rows(compare_policies(session, a, b))]
            for unit, a, b in (
                ("UTF-16", CLAUDE_CODE, CLAUDE_CODE),
                ("chars", DOCUMENTED, DOCUMENTED),
                ("bytes", CHATCLI, CHATCLI),
            )
        }
        mixed = [row[0] for row in total_rows(compare_policies(session, DOCUMENTED, CHATCLI))]
    for unit, found in [*labels.items(), ("chars", mixed)]:
        sizes = [label for label in found if ", " in label and not label.endswith("tokens")]
        assert len(sizes) == 3
        assert all(label.endswith(f", {unit}") for label in sizes)


def test_what_the_ledger_replaces_stands_beside_what_the_wire_shows_where_they_differ(path: Path) -> None:
    off = CLAUDE_CODE.with_field("budget.mode", BudgetMode.OFF).with_field("budget.turn_limit", 20_000)
    on = off.with_field("budget.mode", BudgetMode.ON)
    with open_session(path) as session:
        apart = compare_policies(session, off, on)
        alike = compare_policies(session, on, on)
        data, rows = compare_data(session, apart), {row[0]: row[1:3] for row in total_rows(apart)}
    count = data["b"]["replaced_on_wire"]
    assert count > 0
    assert (data["a"]["replaced_on_wire"], data["a"]["replaced_in_ledger"]) == (0, count)
    assert data["b"]["replaced_in_ledger"] == count
    assert rows["replaced on the wire"] == ("0", str(count))
    assert rows["replaced in the ledger"] == (str(count), str(count))
    assert "replaced in the ledger" not in {row[0] for row in total_rows(alike)}
