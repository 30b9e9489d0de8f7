"""Parts read apart say together what one reading of the whole file says, or they are refused."""

from __future__ import annotations

import json
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.reading import apart, cutter
from inspector.reading.claude_code import ClaudeCodeAdapter
from inspector.reading.cutter import Cutter
from inspector.reading.frames import Frame, Piece, next_frame
from inspector.reading.frames import frame_bytes as packed_bytes
from inspector.reading.joined import Joined
from inspector.reading.source import open_source
from inspector.reading.tickets import FilePart
from tests.reading.samples import assistant, call, record, result, user, uuid


def written(path: Path, values: list[Any]) -> list[int]:
    """Write lines; where each begins."""
    lines = [value if isinstance(value, bytes) else json.dumps(value).encode() for value in values]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return [sum(len(line) + 1 for line in lines[:at]) for at in range(len(lines) + 1)]


def frames_of(
    path: Path, cuts: list[int], frame_bytes: int = apart.FRAME_BYTES, *, here: bool = False
) -> list[Frame | Piece]:
    """What the parts of a file give: as it comes from another process, or as it is read here."""
    source = open_source(path)
    out: list[Frame | Piece] = []

    for part, (start, stop) in enumerate(pairwise(cuts)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(apart, "FRAME_BYTES", frame_bytes)
            patch.setattr(cutter, "BLOCK_BYTES", frame_bytes)
            for piece in apart.read_apart(source, FilePart(part, start, stop), ""):
                sent = next_frame(BytesIO(packed_bytes(piece.frame())).read)
                assert sent is not None
                out.append(piece if here else sent)
    source.close()
    return out


def whole(path: Path) -> ClaudeCodeAdapter:
    adapter = ClaudeCodeAdapter()
    Cutter().cut(path.read_bytes(), adapter)
    return adapter


def facts(met: Joined | ClaudeCodeAdapter) -> tuple[Any, ...]:
    return (
        met.lines, met.parsed, met.unique_uuids, met.duplicate_records, met.bad_lines, met.session_ids,
        met.versions, dict(met.unknown_types),
    )  # fmt: skip


def progress(number: int, parent: int | None) -> dict[str, Any]:
    return record("progress", number, parent, data={"type": "x"})


def boundary(number: int, parent: int, anchor: int) -> dict[str, Any]:
    kept = {"headUuid": uuid(anchor), "tailUuid": uuid(parent), "anchorUuid": uuid(anchor)}
    meta = {"trigger": "auto", "preservedSegment": kept}
    return record("system", number, None, subtype="compact_boundary", compactMetadata=meta)


NUMBERS = st.integers(1, 9)
LINES = st.one_of(
    st.builds(user, NUMBERS, st.just("Hi."), NUMBERS),
    st.builds(assistant, NUMBERS, st.just([call("t", command="ls")]), NUMBERS),
    st.builds(lambda n, p: user(n, [result("t", "out\n" * 900)], p), NUMBERS, NUMBERS),
    st.builds(progress, NUMBERS, NUMBERS),
    st.builds(progress, NUMBERS, NUMBERS),
    st.builds(boundary, NUMBERS, NUMBERS, NUMBERS),
    st.builds(lambda n, p: user(n, "aside", p, isSidechain=True), NUMBERS, NUMBERS),
    st.builds(lambda n: user(n, "aside", None, isSidechain=True), NUMBERS),
    st.builds(lambda n: {"type": "odd", "uuid": uuid(n), "version": f"2.{n}"}, NUMBERS),
    st.sampled_from([b"{broken", b"", b"// note", b'{"type":"user"}{"type":"user"}', b"[1]"]),
)


@given(
    st.lists(LINES, max_size=14),
    st.integers(0, 14),
    st.integers(0, 14),
    st.sampled_from([64, 400, 9999]),
    st.booleans(),
)
def test_parts_say_what_the_whole_says_or_are_refused(
    tmp_path_factory: pytest.TempPathFactory,
    values: list[Any],
    first: int,
    second: int,
    frame_bytes: int,
    here: bool,
) -> None:
    path = tmp_path_factory.mktemp("parts") / "s.jsonl"
    starts = written(path, values)
    cuts = sorted({0, starts[min(first, len(values))], starts[min(second, len(values))], starts[-1]})
    joined, records, read = Joined(), [], 0
    try:
        for frame in frames_of(path, cuts, frame_bytes, here=here):
            records += joined.take(frame)
            read = frame.position
    except ValueError:
        assert len(cuts) > 2  # a file in one part is never refused
    expected = whole(path)
    resumed = ClaudeCodeAdapter()
    resumed.resume(joined)
    resumed.records = records
    cutter = Cutter()
    cutter.resume(read, joined.next_line, b"")
    if read == starts[-1]:
        assert facts(joined) == facts(expected)
    cutter.cut(path.read_bytes()[read:], resumed)
    assert records == expected.records
    assert facts(resumed) == facts(expected)


@pytest.mark.parametrize("here", [False, True], ids=["elsewhere", "here"])
def test_sidechains_go_on_in_a_later_part(tmp_path: Path, here: bool) -> None:
    values: list[Any] = [user(1, "a")]
    for number in range(2, 40, 2):
        values += [
            user(number, "aside", number - 8 if number > 12 else None, isSidechain=True),
            user(number + 1, "main", number - 1),
        ]
    path = tmp_path / "s.jsonl"
    starts = written(path, values)
    for cut in range(1, len(values) - 5):
        joined = Joined()
        cuts = [0, starts[cut], starts[cut + 3], starts[-1]]
        records = [r for frame in frames_of(path, cuts, 400, here=here) for r in joined.take(frame)]
        assert records == whole(path).records
        assert len({record.thread for record in records}) == 7


@pytest.mark.parametrize("here", [False, True], ids=["elsewhere", "here"])
def test_usual_session_is_not_refused(tmp_path: Path, here: bool) -> None:
    values: list[Any] = [user(1, "a")]
    for number in range(2, 60, 3):
        values += [
            assistant(number, [call(f"t{number}", command="ls")], number - 1),
            progress(number + 1, number),
            user(number + 2, [result(f"t{number}", "out")], number + 1),
        ]
    path = tmp_path / "s.jsonl"
    starts = written(path, values)
    for cut in range(1, len(values)):
        joined = Joined()
        frames = frames_of(path, [0, starts[cut], starts[-1]], here=here)
        records = [r for frame in frames for r in joined.take(frame)]
        assert records == whole(path).records


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ([user(1, "a")], [user(1, "a")], "copies"),
        ([user(1, "a")], [progress(3, 2)], "progress"),
        ([user(1, "a"), user(4, "b", 3)], [progress(3, 1)], "hangs"),
        ([user(1, "a")], [{"type": "user", "isSidechain": True, "message": {"content": "a"}}], "sidechain"),
    ],
    ids=["copy", "link to nothing", "link that comes late", "sidechain without uuid"],
)
def test_part_that_depends_on_an_earlier_one_is_refused(
    tmp_path: Path, first: list[Any], second: list[Any], why: str
) -> None:
    path = tmp_path / "s.jsonl"
    starts = written(path, first + second)
    one, two = frames_of(path, [0, starts[len(first)], starts[-1]])
    joined = Joined()
    joined.take(one)
    with pytest.raises(ValueError, match=why):
        joined.take(two)
    assert joined.records == len(first)
