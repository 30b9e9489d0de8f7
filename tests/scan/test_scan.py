"""Many sessions: one row each, remembered while nothing changed, and no file is an end."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path

import msgspec
import pytest

from inspector.figures import short_number
from inspector.scan import ScanRow, scan, scan_file
from inspector.scan.formats import parquet_bytes, scan_csv, scan_data, scan_text
from inspector.scan.memory import Memory, cache_file, fingerprint, maker
from tests.builders import write_json
from tests.transcript import begun


def session(folder: Path, *, chars: int = 150_000) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    script = begun()
    script.turn("toolu_a", "toolu_b", chars=chars)
    script.answer(text="Done.")
    return script.write(folder)


def refuse(path: str) -> ScanRow:
    raise AssertionError(f"{path} was read again")


def die(path: str) -> ScanRow:
    if "killer" in path:
        os._exit(9)
    return scan_file(path)


def test_row_tells_size_peak_findings_and_groups(tmp_path: Path) -> None:
    row = scan_file(str(session(tmp_path)))
    assert not row.error
    assert (row.kind, row.requests, row.results, row.over_budget_groups) == ("Claude Code", 3, 2, 1)
    assert row.peak_tokens is not None
    assert row.peak_tokens > 90_000
    assert row.findings["over_turn_budget"] == 1
    assert row.size_bytes > 300_000


@pytest.mark.parametrize("data", [b"", b"\x00" * 50, b'{"no', b"[" * 100_000, b"\xff\xfe plain"])
def test_broken_file_is_a_row(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_bytes(data)
    row = scan_file(str(path))
    assert row.path == str(path)
    assert row.error or row.bad_lines or row.requests <= 1


def test_second_scan_reads_only_what_changed(tmp_path: Path) -> None:
    paths = [str(session(tmp_path / name)) for name in ("a", "b")]
    cache = tmp_path / "cache" / "scan.sqlite3"
    with Memory(cache) as memory:
        first = scan(paths, memory)
    with Memory(cache) as memory:
        assert scan(paths, memory, work=refuse) == first
    with Path(paths[1]).open("ab") as file:
        file.write(b"{}\n")
    read: list[str] = []
    with Memory(cache) as memory:
        scan(paths, memory, work=lambda p: (read.append(p), scan_file(p))[1])
    assert read == [paths[1]]


def test_rows_that_other_code_made_are_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths, cache = [str(session(tmp_path / "a"))], tmp_path / "scan.sqlite3"
    read: list[str] = []

    def work(path: str) -> ScanRow:
        read.append(path)
        return scan_file(path)

    for made_by, times in (("one", 1), ("one", 1), ("another", 2)):
        monkeypatch.setattr("inspector.scan.memory.maker", lambda made_by=made_by: made_by)
        with Memory(cache) as memory:
            scan(paths, memory, work=work)
        assert len(read) == times


def test_what_makes_a_row_is_told_by_the_code_that_does(monkeypatch: pytest.MonkeyPatch) -> None:
    told = maker.__wrapped__()
    assert told == maker.__wrapped__() == maker()
    read_bytes = Path.read_bytes
    monkeypatch.setattr(
        Path, "read_bytes", lambda path: b"" if path.name == "budget.py" else read_bytes(path)
    )
    assert maker.__wrapped__() != told


def test_change_beside_the_session_counts_as_a_change(tmp_path: Path) -> None:
    path = session(tmp_path)
    before = fingerprint(path)
    scratch = path.with_suffix("") / "tool-results"
    scratch.mkdir(parents=True)
    (scratch / "toolu_a.txt").write_text("more")
    assert fingerprint(path) != before


def test_worker_that_dies_costs_only_its_own_file(tmp_path: Path) -> None:
    paths = [str(session(tmp_path / name, chars=10)) for name in ("a", "b", "killer", "c", "d", "e")]
    told: list[tuple[int, int]] = []
    rows = scan(paths, Memory(None), jobs=2, work=die, progress=lambda *done: told.append(done))
    assert [bool(row.error) for row in rows] == [False, False, True, False, False, False]
    assert "died" in rows[2].error
    assert told[-1] == (6, 6)


def test_file_that_is_gone_and_cache_that_cannot_be_made_are_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with Memory(tmp_path / "file" / "scan.sqlite3") as memory:
        (row,) = scan([str(tmp_path / "none.jsonl")], memory)
        assert "not remembered" in memory.problem
    assert "No such file" in row.error


def test_damaged_cache_is_done_without(tmp_path: Path) -> None:
    cache = tmp_path / "scan.sqlite3"
    cache.write_bytes(b"no database " * 500)
    with Memory(cache) as memory:
        (row,) = scan([str(session(tmp_path / "a"))], memory)
    assert not row.error
    assert memory.problem


def test_cache_lies_where_the_environment_says_and_never_at_a_relative_place() -> None:
    home = Path("/home/mara")
    assert cache_file({}, home) == home / ".cache/inspector/scan.sqlite3"
    assert cache_file({"XDG_CACHE_HOME": "/var/c"}, home) == Path("/var/c/inspector/scan.sqlite3")
    assert cache_file({"XDG_CACHE_HOME": "here"}, home) == home / ".cache/inspector/scan.sqlite3"


def test_every_format_holds_the_same_rows(tmp_path: Path) -> None:
    rows = [scan_file(str(session(tmp_path / "a"))), ScanRow("=cmd()|x\x1b[2J", error="=cmd()|x: no session")]
    text = scan_text(rows, tmp_path)
    assert "over_turn_budget" in text
    assert "peak size" in text and " UTF-16 " in text
    assert "1 session, 1 file not read" in text
    assert "\x1b" not in text
    table = list(csv.DictReader(io.StringIO(scan_csv(rows))))
    assert table[0]["over_budget_groups"] == "1"
    assert table[1]["path"].startswith("'=cmd()")
    assert msgspec.convert(scan_data(rows)["sessions"], list[ScanRow]) == rows


def test_parquet_can_be_read_back(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="the extra `scan` is not installed")
    row = scan_file(str(session(tmp_path / "a")))
    back = pq.read_table(io.BytesIO(parquet_bytes([row, ScanRow("b", error="b: broken \ud800")]))).to_pylist()
    assert dict(back[0]["findings"]) == row.findings
    assert back[0]["peak_tokens"] == row.peak_tokens
    assert back[1]["error"].startswith("b: broken")


def test_an_estimated_peak_is_marked_in_every_form(tmp_path: Path) -> None:
    exact = scan_file(str(session(tmp_path)))
    row = msgspec.structs.replace(exact, peak_estimated=True)
    assert not exact.peak_estimated
    assert f"≈{short_number(row.peak_chars)} UTF-16" in scan_text([row], tmp_path)
    assert "≈" not in scan_text([exact], tmp_path)
    assert scan_data([row])["sessions"][0]["peak_estimated"] is True


def test_a_peak_whose_size_is_an_estimate_says_so(tmp_path: Path) -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    messages = [
        {"role": "assistant", "content": "", "tool_calls": [call, call]},
        {"role": "tool", "tool_call_id": "a", "content": "x"},
    ]
    assert scan_file(str(write_json(tmp_path, messages))).peak_estimated
