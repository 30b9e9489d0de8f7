"""Overflow files under every name that they may be found by."""

from __future__ import annotations

from pathlib import Path

from inspector.session import Session
from tests.builders import Transcript, call, persisted_text, result

BYTES = 61_440
"""60KB, as the previews state it."""


def ids_of(session: Session, kind: str) -> list[list[str]]:
    return [list(f.ids) for f in session.findings() if f.kind == kind]


def scratch_file(folder: Path, name: str, size: int = BYTES) -> str:
    path = folder / "tool-results" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("first line\n" + "x" * (size - 11), encoding="utf-8")
    return str(path)


def test_each_state_of_a_file_has_its_finding(tmp_path: Path) -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", *(call(n) for n in ("good", "gone", "moved", "short")))
    good = scratch_file(tmp_path, "good.txt")
    scratch_file(tmp_path, "moved.txt")
    short = scratch_file(tmp_path, "short.txt", 30_000)
    scratch_file(tmp_path, "loose.txt")
    script.results(result("good", persisted_text(good)), result("gone", persisted_text("/x/gone.txt")))
    script.results(result("moved", persisted_text("C:\\other\\tool-results\\moved.txt")))
    script.results(result("short", persisted_text(short)))
    with script.open(tmp_path) as session:
        assert ids_of(session, "overflow_missing") == [["gone"]]
        assert ids_of(session, "overflow_elsewhere") == [["moved"]]
        assert ids_of(session, "overflow_size_mismatch") == [["short"]]
        (loose,) = [f for f in session.findings() if f.kind == "overflow_unreferenced"]
        assert loose.data["names"] == ["loose.txt"]


def test_reading_of_a_saved_output_that_is_saved_again_is_a_chain(tmp_path: Path) -> None:
    script = Transcript()
    script.prompt()
    paths = {name: scratch_file(tmp_path, f"{name}.txt") for name in ("a", "b", "c")}
    script.answer("m1", call("a"))
    script.result("a", persisted_text(paths["a"]))
    script.answer("m2", call("b", "Read", file_path=paths["a"]))
    script.result("b", persisted_text(paths["b"]))
    script.answer("m3", call("c", "Read", file_path=paths["b"]))
    script.result("c", persisted_text(paths["c"]))
    script.answer("m4", call("d", "Read", file_path=paths["c"]))
    script.results(result("d", "no such file", is_error=True))
    with script.open(tmp_path) as session:
        assert ids_of(session, "overflow_reread_loop") == [["a", "b", "c"]]
        assert ids_of(session, "overflow_reread") == [["a", "b"], ["b", "c"], ["c", "d"]]
        failed = [f.data["failed"] for f in session.findings() if f.kind == "overflow_reread"]
        assert failed == [False, False, True]


def test_file_of_a_stored_replacement_is_looked_for_too(tmp_path: Path) -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"))
    script.result("a", "x" * 900)
    script.replaced(("a", persisted_text("/x/tool-results/a.txt")))
    with script.open(tmp_path) as session:
        (found,) = [f for f in session.findings() if f.kind == "overflow_missing"]
        assert (list(found.ids), found.data["source"]) == (["a"], "stored")
