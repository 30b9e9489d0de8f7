"""Where the conformance tests find their data, so that they can be pointed at other data of the same form."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance import shared


def test_unset_and_absent_gives_nothing_to_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(shared.VARIABLE, raising=False)
    monkeypatch.setattr(shared, "DEFAULT", tmp_path / "none")
    assert shared.shared_folder("wire") == []


@pytest.mark.parametrize("value", ["", "none"])
def test_set_but_missing_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, value: str) -> None:
    monkeypatch.setenv(shared.VARIABLE, value and str(tmp_path / value))
    monkeypatch.setattr(shared, "DEFAULT", tmp_path / "none")
    with pytest.raises(shared.SharedDataMissingError):
        shared.shared_folder("wire")


def test_set_but_empty_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "wire").mkdir()
    (tmp_path / "wire" / "README.md").touch()
    monkeypatch.setenv(shared.VARIABLE, str(tmp_path))
    with pytest.raises(shared.SharedDataMissingError):
        shared.shared_folder("wire")


def test_default_folder_without_the_part_asked_for_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(shared.VARIABLE, raising=False)
    monkeypatch.setattr(shared, "DEFAULT", tmp_path)
    with pytest.raises(shared.SharedDataMissingError):
        shared.shared_folder("cases", "*/expect.json")


def test_entries_come_in_order_without_pages_and_hidden_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("b.json", "a.json", "README.md", ".hidden"):
        (tmp_path / name).touch()
    monkeypatch.setenv(shared.VARIABLE, str(tmp_path))
    assert [path.name for path in shared.shared_folder(".")] == ["a.json", "b.json"]
