from __future__ import annotations

import os
from pathlib import Path

import pytest

from inspector.pipeline.previews import persisted_cut, size_label
from inspector.reading.overflow_match import (
    Stated,
    Status,
    fits_label,
    match_stated,
    take_apart,
)
from inspector.reading.scratch import Scratch

TEXT = "".join(f"row {number:05d} of the build log\n" for number in range(1_500))


def persisted(path: str, text: str = TEXT, label: str | None = None, preview: str | None = None) -> str:
    shown = persisted_cut(text, split_pairs=True) if preview is None else preview
    size = size_label(len(text.encode("utf-8", "replace"))) if label is None else label
    return (
        f"<persisted-output>\nOutput too large ({size}). Full output saved to: {path}\n\n"
        f"Preview (first 2KB):\n{shown}\n...\n</persisted-output>"
    )


def stated(text: str) -> Stated:
    found = take_apart(text)
    assert found is not None
    return found


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "s1" / "tool-results"
    root.mkdir(parents=True)
    (root / "toolu_1.txt").write_bytes(TEXT.encode())
    return root


def test_file_at_the_stated_path_is_found(root: Path) -> None:
    match = match_stated(Scratch([root]), stated(persisted(f"{root}/toolu_1.txt")))
    assert match.status is Status.FOUND
    assert match.file is not None
    assert match.file.size_bytes == len(TEXT)


def test_file_whose_bytes_are_as_stated_is_not_read_to_its_end(root: Path) -> None:
    scratch = Scratch([root])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Scratch, "text_size", lambda *_: pytest.fail("it was counted"))
        assert match_stated(scratch, stated(persisted(f"{root}/toolu_1.txt"))).status is Status.FOUND


@pytest.mark.parametrize(
    "path",
    [
        "/Users/somebody/.claude/projects/p/s1/tool-results/toolu_1.txt",
        r"C:\Users\somebody\.claude\projects\p\s1\tool-results\toolu_1.txt",
        r"\\server\share\tool-results\toolu_1.txt",
        "/proc/self/fd/toolu_1.txt",
        "../../toolu_1.txt",
    ],
)
def test_file_of_another_machine_is_found_elsewhere_by_its_name(root: Path, path: str) -> None:
    match = match_stated(Scratch([root]), stated(persisted(path)))
    assert match.status is Status.FOUND_ELSEWHERE


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "{root}/../../secret.txt", "{root}/..", "/dev/zero", "", "\\"]
)
def test_existing_file_outside_is_missing(root: Path, path: str) -> None:
    (root.parent.parent / "secret.txt").write_text(TEXT)
    match = match_stated(Scratch([root]), stated(persisted(path.format(root=root))))
    assert match.status is Status.MISSING
    assert match.file is None
    assert match.reason


def test_link_fifo_and_hard_link_of_the_right_name_are_missing_with_the_reason(root: Path) -> None:
    secret = root.parent.parent / "secret.txt"
    secret.write_text(TEXT)
    (root / "link.txt").symlink_to(secret)
    os.mkfifo(root / "fifo.txt")
    os.link(secret, root / "hard.txt")
    for name, word in (("link.txt", "link"), ("fifo.txt", "ordinary"), ("hard.txt", "hard link")):
        match = match_stated(Scratch([root]), stated(persisted(f"{root}/{name}")))
        assert match.status is Status.MISSING
        assert word in match.reason


def test_no_scratch_directory_is_said(tmp_path: Path) -> None:
    match = match_stated(Scratch([]), stated(persisted("/x/toolu_1.txt")))
    assert match.status is Status.MISSING
    assert "no scratch directory" in match.reason


def test_shorter_file_is_a_size_mismatch(root: Path) -> None:
    (root / "toolu_1.txt").write_bytes(TEXT[:30_000].encode())
    match = match_stated(Scratch([root]), stated(persisted(f"{root}/toolu_1.txt")))
    assert match.status is Status.SIZE_MISMATCH
    assert match.size is not None
    assert match.size.chars == 30_000


@pytest.mark.parametrize("label", ["60KB", "30KB", "45.1KB"])
def test_label_may_count_bytes_or_utf16_units(root: Path, label: str) -> None:
    text = "é" * 30_720  # 61,440 bytes, 30,720 units
    (root / "toolu_1.txt").write_bytes(text.encode())
    match = match_stated(Scratch([root]), stated(persisted(f"{root}/toolu_1.txt", text, label)))
    assert (match.status is Status.FOUND) == (label != "45.1KB")


def test_exact_size_counts_where_it_is_stated(root: Path) -> None:
    path = f"{root}/toolu_1.txt"
    scratch = Scratch([root])
    assert match_stated(scratch, Stated(path, stated_bytes=len(TEXT))).status is Status.FOUND
    assert match_stated(scratch, Stated(path, "odd", len(TEXT) + 1)).status is Status.SIZE_MISMATCH
    assert match_stated(scratch, Stated(path, size_label(len(TEXT)), len(TEXT) + 1)).status is Status.FOUND
    assert match_stated(scratch, Stated(path)).status is Status.FOUND


def test_file_with_another_beginning_is_a_preview_mismatch(root: Path) -> None:
    (root / "toolu_1.txt").write_bytes(TEXT.replace("00001", "99999").encode())
    match = match_stated(Scratch([root]), stated(persisted(f"{root}/toolu_1.txt")))
    assert match.status is Status.PREVIEW_MISMATCH


def test_preview_cut_by_another_rule_is_no_mismatch(root: Path) -> None:
    text = persisted(f"{root}/toolu_1.txt", preview=TEXT[:2_000])
    assert match_stated(Scratch([root]), stated(text)).status is Status.FOUND


def test_preview_that_ends_in_half_a_character_is_compared_as_far_as_it_can_be(root: Path) -> None:
    text = "x" * 1_999 + "😀" * 15_000
    (root / "toolu_1.txt").write_bytes(text.encode())
    preview = persisted_cut(text, split_pairs=True)
    assert preview[-1] == "\ud83d"
    path = f"{root}/toolu_1.txt"
    assert match_stated(Scratch([root]), Stated(path, preview=preview)).status is Status.FOUND
    other = Stated(path, preview="y" + preview)
    assert match_stated(Scratch([root]), other).status is Status.PREVIEW_MISMATCH


def test_json_file_of_a_list_is_compared_as_printed(root: Path) -> None:
    text = '[\n  {\n    "type": "text",\n    "text": "' + "r" * 60_000 + '"\n  }\n]'
    (root / "toolu_2.json").write_text(text)
    match = match_stated(Scratch([root]), stated(persisted(f"{root}/toolu_2.json", text)))
    assert match.status is Status.FOUND


def test_newline_in_a_name_matches_only_that_name(root: Path) -> None:
    (root / "budget_a\nb_1.txt").write_text("text")
    assert match_stated(Scratch([root]), Stated("/x/budget_a\nb_1.txt")).status is Status.FOUND_ELSEWHERE
    assert match_stated(Scratch([root]), Stated("/x/budget_a\nc_1.txt")).status is Status.MISSING


def test_text_after_the_closing_tag_is_no_part_of_the_preview() -> None:
    found = stated(persisted("/x/a.txt") + "\nShell cwd was reset to /home/demo")
    assert found.preview == persisted_cut(TEXT, split_pairs=True)


def test_preview_may_hold_the_closing_tag_itself() -> None:
    text = "one\n...\n</persisted-output>\n" + TEXT
    assert stated(persisted("/x/a.txt", text)).preview == persisted_cut(text, split_pairs=True)


@pytest.mark.parametrize(
    "text", ["", "plain", "<persisted-output>\nfake\n</persisted-output>", "saved to /etc/passwd"]
)
def test_text_that_names_no_file_is_none(text: str) -> None:
    assert take_apart(text) is None


def test_texts_of_chatcli_are_taken_apart(root: Path) -> None:
    path = f"{root}/budget_call_1_2.txt"
    (root / "budget_call_1_2.txt").write_bytes(TEXT.encode())
    head = TEXT[:3_980]
    budget = f"{head}\n\n... [41000 chars omitted — full output saved to {path}]\n\n{TEXT[-900:]}"
    assert stated(budget) == Stated(path, preview=head)
    assert match_stated(Scratch([root]), stated(budget)).status is Status.FOUND
    worker = f"{head}\n... [full output saved to {path} — {len(TEXT)} bytes total]"
    assert stated(worker) == Stated(path, stated_bytes=len(TEXT), preview=head)
    assert match_stated(Scratch([root]), stated(worker)).status is Status.FOUND


def test_preview_cut_inside_a_character_by_chatcli_is_compared_up_to_the_cut(root: Path) -> None:
    text = "a" * 3_999 + "é" * 30_000
    (root / "b.txt").write_bytes(text.encode())
    preview = text.encode()[:4_000].decode("utf-8", "replace")
    assert preview.endswith("\ufffd")
    assert match_stated(Scratch([root]), Stated(f"{root}/b.txt", preview=preview)).status is Status.FOUND


def test_notice_of_a_result_over_the_token_limit_names_its_file() -> None:
    text = "Error: result (9 characters) exceeds the maximum. Output has been saved to /x/mcp-a-b-1.txt."
    assert stated(text).path == "/x/mcp-a-b-1.txt"


@pytest.mark.parametrize(
    ("units", "label"),
    [
        (30_001, "29.3KB"),
        (100_000, "97.7KB"),
        (53_248, "52KB"),
        (600_000, "585.9KB"),
        (1_023, "1023 bytes"),
        (1_258_291, "1.2MB"),
    ],
)
def test_label_has_one_decimal_and_no_zero(units: int, label: str) -> None:
    assert size_label(units) == label
    assert fits_label(label, units)


def test_label_allows_for_its_rounding_and_no_more() -> None:
    assert fits_label("97.7KB", 100_000)
    assert not fits_label("97.7KB", 100_200)
    assert not fits_label("97.7KB", 64_000)
    assert fits_label("about 3", 3) is None
    assert fits_label("", 3) is None


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("x" * 5_000, 2_000),
        ("x" * 1_500 + "\n" + "y" * 5_000, 1_500),
        ("x" * 300 + "\n" + "y" * 5_000, 2_000),
        ("x" * 1_000 + "\n" + "y" * 5_000, 2_000),
        ("x" * 1_001 + "\n" + "y" * 5_000, 1_001),
        ("😀" * 5_000, 2_000),
        ("short", 5),
    ],
)
def test_preview_is_cut_to_2000_units_or_to_the_last_newline_past_the_middle(text: str, units: int) -> None:
    preview = persisted_cut(text, split_pairs=True)
    assert len(preview.encode("utf-16-le", "surrogatepass")) // 2 == units
    assert text.startswith(preview)


def test_words_of_a_preview_in_a_shown_text_do_not_name_the_file() -> None:
    def omission(path: str) -> str:
        return f"\n\n... [7 chars omitted — full output saved to {path}]\n\n"

    text = f"head{omission('/etc/passwd')}more{omission('/s/budget_a_1.txt')}tail"
    found = take_apart(text, "a")
    assert found is not None
    assert found.path == "/s/budget_a_1.txt"
    assert stated(text).path == "/etc/passwd"


@pytest.mark.parametrize("end", ["", "\n[full content recoverable via @recall <<ccr:0123456789abcdef>>]"])
def test_an_aged_text_keeps_the_path_in_its_last_line(end: str) -> None:
    text = f"head\n[full output saved to /etc/passwd]\ntail\n[full output saved to /s/budget_a_1.txt]{end}"
    assert stated(text) == Stated("/s/budget_a_1.txt")
