"""The overflow store: whole files, once, inside its directory, whatever goes wrong."""

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.model.policy import Preview
from inspector.overflow import ARCHIVE_DIRECTORY, OverflowStore, keeps_files, safe_name
from inspector.pipeline.archive import key_of

IDS = st.text(st.sampled_from("ab1_./\\:\x00\n\x1b…é\ud83d "), max_size=300)


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    return tmp_path / "session" / "tool-results"


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_nothing_is_made_before_the_first_text(scratch: Path) -> None:
    OverflowStore(scratch)
    assert not scratch.exists()


def test_a_text_is_written_for_its_owner_only(scratch: Path) -> None:
    kept = OverflowStore(scratch).keep("toolu_1", "täxt\n", "txt")
    assert kept.path == str(scratch / "budget_toolu_1_1.txt")
    assert Path(kept.path).read_text(encoding="utf-8") == "täxt\n"
    assert stat.S_IMODE(Path(kept.path).stat().st_mode) == 0o600
    assert stat.S_IMODE(scratch.stat().st_mode) == 0o700


def test_the_predicted_path_is_the_one_that_is_written(scratch: Path) -> None:
    for preview in Preview:
        store = OverflowStore(scratch / preview.name, preview)
        assert store.keep("a/b", "text", "txt").path == store.path_for("a/b", "txt")


def test_an_equal_text_is_written_once(scratch: Path) -> None:
    first = OverflowStore(scratch).keep("a", "text", "txt")
    before = Path(first.path).stat()
    again = OverflowStore(scratch).keep("a", "text", "txt")
    after = Path(first.path).stat()
    assert again == first
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_another_text_of_one_id_gets_the_next_ordinal(scratch: Path) -> None:
    store = OverflowStore(scratch)
    paths = [store.keep("a", text, "txt").path for text in ("one", "two", "one", "six")]
    assert [Path(path).name for path in paths] == [
        "budget_a_1.txt", "budget_a_2.txt", "budget_a_1.txt", "budget_a_3.txt",
    ]  # fmt: skip


def test_another_text_under_the_clients_name_is_an_error_and_the_first_stays(scratch: Path) -> None:
    store = OverflowStore(scratch, Preview.PERSISTED)
    first = store.keep("a", "one", "txt")
    second = store.keep("a", "two", "txt")
    assert (second.path, "taken by another text" in second.error) == ("", True)
    assert Path(first.path).read_text(encoding="utf-8") == "one"


@given(IDS)
def test_a_name_is_a_plain_part_of_a_path_whatever_the_id_holds(id: str) -> None:
    name = safe_name(id)
    assert name
    assert name.isascii()
    assert name.isprintable()
    assert len(name) <= 120
    assert name[0] != "."
    assert not set(name) & set("/\\ ")


@given(IDS, IDS)
def test_two_ids_never_share_a_name(one: str, other: str) -> None:
    assert (safe_name(one) == safe_name(other)) == (one == other)


@pytest.mark.parametrize("id", ["../../evil", "/etc/passwd", "..", "", "a\x00b", "x" * 5_000, "é", ".hidden"])
@pytest.mark.parametrize("preview", list(Preview))
def test_no_id_leaves_the_directory(scratch: Path, id: str, preview: Preview) -> None:
    kept = OverflowStore(scratch, preview).keep(id, "text", "txt")
    assert Path(kept.path).parent == scratch
    assert names(scratch) == [Path(kept.path).name]


def test_a_link_under_the_name_is_neither_followed_nor_replaced(scratch: Path, tmp_path: Path) -> None:
    scratch.mkdir(parents=True)
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (scratch / "budget_a_1.txt").symlink_to(victim)
    kept = OverflowStore(scratch).keep("a", "text", "txt")
    assert Path(kept.path).name == "budget_a_2.txt"
    assert victim.read_text() == "precious"


def test_a_link_to_an_equal_text_is_no_file_of_the_store(scratch: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("text")
    scratch.mkdir(parents=True)
    (scratch / "budget_a_1.txt").symlink_to(elsewhere)
    (scratch / ARCHIVE_DIRECTORY).mkdir()
    (scratch / ARCHIVE_DIRECTORY / f"{key_of('text')}.ccr").symlink_to(elsewhere)
    store = OverflowStore(scratch)
    assert store.keep("a", "text", "txt").path == str(scratch / "budget_a_2.txt")
    assert store.recall(key_of("text")) is None


def test_half_characters_are_kept(scratch: Path) -> None:
    store = OverflowStore(scratch)
    kept = store.keep("a", "x\ud83d", "txt")
    assert Path(kept.path).read_bytes() == b"x\xed\xa0\xbd"
    assert store.keep("a", "x\ud83d", "txt") == kept


def test_a_full_disk_leaves_no_trace_and_is_said(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = os.write

    def write_some(descriptor: int, data: bytes) -> int:
        if len(data) < 3_000:
            raise OSError(errno.ENOSPC, "No space left on device")
        return written(descriptor, bytes(data[:1_000]))

    store = OverflowStore(scratch)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", write_some)
        kept = store.keep("a", "x" * 5_000, "txt")
    assert (kept.path, "No space left" in kept.error) == ("", True)
    assert names(scratch) == []
    assert store.keep("a", "x" * 5_000, "txt").path


@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.EDQUOT])
def test_a_directory_that_may_not_be_written_is_said(
    scratch: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    scratch.mkdir(parents=True)
    opened = os.open

    def deny(path: object, flags: int, *rest: object, **options: object) -> int:
        if flags & os.O_CREAT:
            raise OSError(code, os.strerror(code))
        return opened(path, flags, *rest, **options)  # type: ignore[arg-type] # passed through

    monkeypatch.setattr(os, "open", deny)
    kept = OverflowStore(scratch).keep("a", "text", "txt")
    assert (kept.path, os.strerror(code) in kept.error) == ("", True)


def test_a_file_where_the_directory_should_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "session").write_text("a file")
    kept = OverflowStore(tmp_path / "session" / "tool-results").keep("a", "text", "txt")
    assert kept.path == ""
    assert str(tmp_path / "session") in kept.error


def test_a_directory_that_vanished_is_made_again(scratch: Path) -> None:
    store = OverflowStore(scratch)
    first = Path(store.keep("a", "text", "txt").path)
    first.unlink()
    scratch.rmdir()
    scratch.parent.rmdir()
    assert Path(store.keep("b", "text", "txt").path).read_text() == "text"


def test_without_hard_links_files_are_still_whole_and_exclusive(
    scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    store = OverflowStore(scratch)
    assert Path(store.keep("a", "one", "txt").path).read_text() == "one"
    assert Path(store.keep("a", "two", "txt").path).name == "budget_a_2.txt"
    assert names(scratch) == ["budget_a_1.txt", "budget_a_2.txt"]


def test_many_threads_with_one_text_make_one_file(scratch: Path) -> None:
    text = "line\n" * 20_000
    paths: list[str] = []
    start = threading.Barrier(8)

    def work() -> None:
        store = OverflowStore(scratch)
        start.wait()
        paths.extend(store.keep("a", text, "txt").path for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert paths == [str(scratch / "budget_a_1.txt")] * 40
    assert names(scratch) == ["budget_a_1.txt"]


def test_many_threads_with_texts_of_their_own_lose_none(scratch: Path) -> None:
    kept: dict[int, str] = {}
    start = threading.Barrier(6)

    def work(n: int) -> None:
        start.wait()
        kept[n] = OverflowStore(scratch).keep("same", f"text {n}", "txt").path

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {n: Path(path).read_text() for n, path in kept.items()} == {n: f"text {n}" for n in range(6)}
    assert len(names(scratch)) == 6


WRITER = """
import sys
from inspector.overflow import OverflowStore
store = OverflowStore(sys.argv[1])
n = 0
while True:
    n += 1
    store.keep(f"id_{n}", f"{n}\\n" * 300_000, "txt")
"""


def test_a_killed_writer_leaves_no_half_file_under_a_name(scratch: Path) -> None:
    for delay_s in (0.02, 0.05, 0.11):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(scratch)])
        deadline = time.monotonic() + 20
        while not (scratch.exists() and any(scratch.iterdir())) and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(delay_s)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    visible = [path for path in scratch.iterdir() if not path.name.startswith(".")]
    assert visible
    for path in visible:
        n = path.name.split("_")[2]
        assert path.stat().st_size == len(f"{n}\n") * 300_000
    assert OverflowStore(scratch).keep("id_1", "1\n" * 300_000, "txt").path == str(
        scratch / "budget_id_1_1.txt"
    )


def test_archived_originals_come_back_by_key(scratch: Path) -> None:
    store = OverflowStore(scratch)
    kept = store.archive("0123456789abcdef", "original\ud83d")
    assert Path(kept.path).name == "0123456789abcdef.ccr"
    assert OverflowStore(scratch).recall("0123456789abcdef") == "original\ud83d"
    assert store.recall("fedcba9876543210") is None


@pytest.mark.parametrize("key", ["", "../../../etc/passwd", "0123456789ABCDEF", "0123456789abcdef\n"])
def test_what_is_no_key_is_neither_written_nor_read(scratch: Path, key: str) -> None:
    store = OverflowStore(scratch)
    assert store.archive(key, "text").path == ""
    assert store.recall(key) is None
    assert not scratch.exists()


def test_cleaning_removes_its_own_files_and_empty_directories_only(scratch: Path) -> None:
    mine, other = OverflowStore(scratch), OverflowStore(scratch)
    mine.keep("mine", "text", "txt")
    mine.archive("0123456789abcdef", "text")
    other.keep("other", "text", "txt")
    mine.clean()
    assert names(scratch) == ["budget_other_1.txt"]
    other.clean()
    assert names(scratch) == []


def test_cleaning_removes_the_directories_that_it_made(scratch: Path, tmp_path: Path) -> None:
    store = OverflowStore(scratch)
    store.keep("mine", "text", "txt")
    store.clean()
    assert names(tmp_path) == []


def test_adopted_files_are_cleaned_only_inside_the_directory(scratch: Path, tmp_path: Path) -> None:
    earlier = OverflowStore(scratch).keep("a", "text", "txt").path
    outside = tmp_path / "outside.txt"
    outside.write_text("precious")
    store = OverflowStore(scratch)
    for path in (earlier, str(outside), str(scratch / ".." / ".." / "outside.txt")):
        store.adopt("a", path)
    store.clean()
    assert not Path(earlier).exists()
    assert outside.read_text() == "precious"


@pytest.mark.parametrize(
    ("value", "keeps"), [("true", True), ("TRUE", True), ("1", False), ("", False), (" true", False)]
)
def test_only_the_word_true_keeps_files(value: str, keeps: bool) -> None:
    assert keeps_files({"CHATCLI_AGENT_KEEP_TMPDIR": value}) is keeps
    assert keeps_files({}) is False


def test_no_id_can_take_the_name_that_another_one_was_given() -> None:
    assert safe_name(safe_name("a/b")) != safe_name("a/b")


@pytest.mark.parametrize("preview", list(Preview))
def test_only_names_that_a_result_can_have_got_are_adopted(scratch: Path, preview: Preview) -> None:
    store = OverflowStore(scratch, preview)
    own = Path(store.keep("a", "text", "txt").path)
    foreign = [
        scratch / name for name in ("notes.txt", "budget_ab_1.txt", "budget_a_0.txt", "ab.txt", "a.py")
    ]
    for file in foreign:
        file.write_text("precious")
    later = OverflowStore(scratch, preview)
    for file in (*foreign, own):
        later.adopt("a", str(file))
    later.clean()
    assert not own.exists()
    assert [file.read_text() for file in foreign] == ["precious"] * len(foreign)


def test_a_killed_writers_leavings_are_swept_by_the_next_one(scratch: Path) -> None:
    scratch.mkdir(parents=True)
    (scratch / ".overflow-0123456789abcdef.tmp").write_text("half a te")
    OverflowStore(scratch).keep("a", "text", "txt")
    assert names(scratch) == ["budget_a_1.txt"]


def test_a_directory_with_a_null_character_is_said(tmp_path: Path) -> None:
    store = OverflowStore(f"{tmp_path}/a\0b")
    assert store.keep("a", "text", "txt").path == ""
    assert "null" in store.keep("a", "text", "txt").error
    assert store.recall("0123456789abcdef") is None


def test_a_file_that_cannot_be_looked_into_is_not_taken_for_another_text(
    scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = OverflowStore(scratch)
    store.keep("a", "text", "txt")
    opened = os.open

    def few_descriptors(path: object, flags: int, *rest: object, **options: object) -> int:
        if str(path).startswith("budget_"):
            raise OSError(errno.EMFILE, "Too many open files")
        return opened(path, flags, *rest, **options)  # type: ignore[arg-type] # passed through

    monkeypatch.setattr(os, "open", few_descriptors)
    kept = store.keep("a", "text", "txt")
    assert (kept.path, "Too many open files" in kept.error) == ("", True)
    assert names(scratch) == ["budget_a_1.txt"]


def test_a_file_that_is_removed_while_it_is_compared_is_written_again(
    scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = OverflowStore(scratch, Preview.PERSISTED)
    path = Path(store.keep("a", "text", "txt").path)
    opened = os.open

    def remove_first(name: object, flags: int, *rest: object, **options: object) -> int:
        if name == path.name and path.exists():
            path.unlink()
        return opened(name, flags, *rest, **options)  # type: ignore[arg-type] # passed through

    monkeypatch.setattr(os, "open", remove_first)
    assert store.keep("a", "text", "txt").path == str(path)
    assert path.read_text() == "text"


LIMITED = """
import resource, sys
from inspector.overflow import OverflowStore
what, value, directory = getattr(resource, sys.argv[1]), int(sys.argv[2]), sys.argv[3]
resource.setrlimit(what, (value, resource.getrlimit(what)[1]))
kept = OverflowStore(directory).keep("a", "x" * 100_000, "txt")
print(kept.path, kept.error)
"""


@pytest.mark.parametrize(
    ("limit", "value", "words"),
    [("RLIMIT_FSIZE", 4_096, "File too large"), ("RLIMIT_NOFILE", 4, "Too many open files")],
)
def test_a_limit_of_the_system_leaves_no_trace_and_is_said(
    scratch: Path, limit: str, value: int, words: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, limit, str(value), str(scratch)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert words in done.stdout
    assert names(scratch) == []


def test_a_directory_given_as_a_link_is_named_as_it_was_given(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    kept = OverflowStore(tmp_path / "link").keep("a", "text", "txt")
    assert kept.path == str(tmp_path / "link" / "budget_a_1.txt")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert OverflowStore(tmp_path / "loop").keep("a", "text", "txt").path == ""
    (tmp_path / "nowhere").symlink_to(tmp_path / "absent")
    assert OverflowStore(tmp_path / "nowhere").keep("a", "text", "txt").path == ""
