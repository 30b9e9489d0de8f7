"""Overflow files: gone, elsewhere, not whole, not the one that was previewed, never named, read again."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

from inspector.session import open_session
from tests.transcript import SESSION, Transcript, begun, call, found, result, the

TEXT = "".join(f"line {n} of a long output\n" for n in range(3_000))


def scratch(folder: Path) -> Path:
    out = folder / SESSION / "tool-results"
    out.mkdir(parents=True, exist_ok=True)
    return out


def persisted(path: Path, text: str = TEXT) -> str:
    kilobytes = len(text) / 1024
    return (
        f"<persisted-output>\nOutput too large ({kilobytes:.1f}KB). Full output saved to: {path}\n\n"
        f"Preview (first 2KB):\n{text[:2_000].rsplit(chr(10), 1)[0]}\n...\n</persisted-output>"
    )


def one(path: Path, shown: str | None = None) -> Transcript:
    script = begun()
    script.answer(call("toolu_a"))
    script.results(result("toolu_a", shown or persisted(path)))
    return script


def test_file_where_it_was_stated_gives_no_finding(tmp_path: Path) -> None:
    file = scratch(tmp_path) / "toolu_a.txt"
    file.write_text(TEXT)
    session = one(file).open(tmp_path)
    assert not [f for f in session.findings() if f.kind.startswith("overflow_")]


def test_missing_file_is_an_error_at_the_line_of_its_preview(tmp_path: Path) -> None:
    finding = the(one(scratch(tmp_path) / "toolu_a.txt").open(tmp_path), "overflow_missing")
    assert (finding.severity.value, finding.ids, finding.see) == ("error", ("toolu_a",), "line 3")
    assert finding.fact.endswith(f"({len(TEXT) / 1024:.1f}KB stated) is not there; only its preview is left.")


def test_missing_file_of_a_stored_replacement_leaves_the_text_in_its_line(tmp_path: Path) -> None:
    script = one(Path("unused"), TEXT)
    shown = persisted(scratch(tmp_path) / "toolu_a.txt")
    script.raw(
        json.dumps(
            {
                "type": "content-replacement",
                "sessionId": SESSION,
                "replacements": [{"kind": "tool-result", "toolUseId": "toolu_a", "replacement": shown}],
            }
        ).encode()
    )
    script.answer(text="Done.")
    finding = the(script.open(tmp_path), "overflow_missing")
    assert "the whole text stands in line 3" in finding.fact


def test_file_from_another_machine_is_found_by_its_name(tmp_path: Path) -> None:
    (scratch(tmp_path) / "toolu_a.txt").write_text(TEXT)
    session = one(Path("/home/somebody/tool-results/toolu_a.txt")).open(tmp_path)
    assert the(session, "overflow_elsewhere").ids == ("toolu_a",)
    assert not found(session, "overflow_missing")


def test_file_that_is_not_the_whole_output_is_an_error(tmp_path: Path) -> None:
    file = scratch(tmp_path) / "toolu_a.txt"
    file.write_text(TEXT[:40_000])
    finding = the(one(file).open(tmp_path), "overflow_size_mismatch")
    assert finding.data["actual_bytes"] == 40_000


def test_file_that_does_not_begin_with_its_preview_is_told(tmp_path: Path) -> None:
    file = scratch(tmp_path) / "toolu_a.txt"
    file.write_text("X" + TEXT[1:])
    finding = the(one(file).open(tmp_path), "overflow_preview_mismatch")
    assert (finding.see, finding.certain) == ("line 3", False)
    assert "of another output" in finding.cause


def test_file_that_no_result_names_is_unreferenced(tmp_path: Path) -> None:
    (scratch(tmp_path) / "stray.txt").write_text("nobody's")
    script = begun()
    script.answer(text="Done.")
    finding = the(script.open(tmp_path), "overflow_unreferenced")
    assert finding.data == {"names": ["stray.txt"], "bytes": 8}


def test_reading_the_file_is_paid_twice_and_a_failed_read_says_so(tmp_path: Path) -> None:
    file = scratch(tmp_path) / "toolu_a.txt"
    file.write_text(TEXT)
    script = one(file)
    script.answer(call("toolu_read", "Read", str(file)))
    script.results(result("toolu_read", TEXT[:5_000]))
    script.answer(call("toolu_fail", "Read", str(file)))
    script.results(result("toolu_fail", "too large", is_error=True))
    first, second = found(script.open(tmp_path), "overflow_reread")
    assert first.ids == ("toolu_a", "toolu_read")
    assert first.data == {"chars": 5_000, "failed": False, "persisted_again": False}
    assert (second.data["failed"], second.see) == (True, "line 7")


def test_reads_that_are_saved_to_files_again_are_a_loop(tmp_path: Path) -> None:
    folder = scratch(tmp_path)
    for name in ("toolu_a", "toolu_b", "toolu_c"):
        (folder / f"{name}.txt").write_text(TEXT)
    script = one(folder / "toolu_a.txt")
    for reader, owner in (("toolu_b", "toolu_a"), ("toolu_c", "toolu_b")):
        script.answer(call(reader, "Read", str(folder / f"{owner}.txt")))
        script.results(result(reader, persisted(folder / f"{reader}.txt")))
    assert the(script.open(tmp_path), "overflow_reread_loop").fact.endswith(
        "saved to a file, 2 times in a row: toolu_a → toolu_b → toolu_c."
    )
    script.lines = script.lines[:5]
    assert the(script.open(tmp_path), "overflow_reread_loop").fact.endswith("once: toolu_a → toolu_b.")


def test_long_chain_names_its_beginning_and_its_end(tmp_path: Path) -> None:
    folder = scratch(tmp_path)
    names = [f"toolu_{n}" for n in range(8)]
    script = begun()
    script.answer(call(names[0]))
    script.results(result(names[0], persisted(folder / f"{names[0]}.txt")))
    for owner, reader in itertools.pairwise(names):
        script.answer(call(reader, "Read", str(folder / f"{owner}.txt")))
        script.results(result(reader, persisted(folder / f"{reader}.txt")))
    finding = the(script.open(tmp_path), "overflow_reread_loop")
    assert finding.fact.endswith("toolu_0 → toolu_1 → toolu_2 → … → toolu_7.")
    assert finding.data == {"chain": names}


def test_directory_that_comes_after_the_session_was_opened_is_looked_into(tmp_path: Path) -> None:
    place = tmp_path / SESSION / "tool-results"
    script = begun()
    script.answer(text="Let me see.")
    with open_session(script.write(tmp_path), live=True) as session:
        assert not session.files.listing().files
        script.answer(call("toolu_a"))
        script.results(result("toolu_a", persisted(place / "toolu_a.txt")))
        scratch(tmp_path)
        (place / "toolu_a.txt").write_text(TEXT)
        script.write(tmp_path)
        session.poll()
        assert not [f.kind for f in session.findings() if f.kind.startswith("overflow_")]
