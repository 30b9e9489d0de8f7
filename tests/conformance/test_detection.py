"""What kind each shared file is, against what its folder says it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.reading.detect import FileKind, detect
from tests.conformance.case import Case
from tests.conformance.shared import shared_folder

FORMATS = {
    "claude-code-jsonl": {FileKind.CLAUDE_CODE},
    "chatcli-session": {FileKind.CHATCLI_SESSION},
    "anthropic-messages": {FileKind.ANTHROPIC_MESSAGES},
    "openai-messages": {FileKind.OPENAI_MESSAGES},
    "anthropic-requests": {FileKind.ANTHROPIC_MESSAGES, FileKind.ANTHROPIC_REQUEST},
}
"""Format named by a case → kinds that its files may be."""

REAL = [path for path in shared_folder("real", "**/*.jsonl") if path.is_file()]


@pytest.mark.parametrize("case", shared_folder("cases", "*/expect.json"), ids=lambda path: path.parent.name)
def test_files_of_a_case_are_of_its_format(case: Path, tmp_path: Path) -> None:
    given = Case(case.parent, tmp_path)
    # Pieces are appended to another file, and what lies deeper is no session.
    files = [
        file for file in given.files if file.suffix in {".json", ".jsonl"} and file.parent == given.folder
    ]
    for file in [*files, given.path]:
        found = detect(file)
        assert found.kind in FORMATS[given.expect["format"]], found.reason


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_real_transcripts_are_told_apart(path: Path) -> None:
    wanted = FileKind.CODEX_ROLLOUT if path.name.startswith("codex-") else FileKind.CLAUDE_CODE
    assert detect(path).kind is wanted


@pytest.mark.parametrize(
    "path",
    shared_folder("wire", "*/session/*.jsonl.gz"),
    ids=lambda path: f"{path.parts[-3]}-{path.name[:8]}",
)
def test_packed_transcripts_are_told_without_unpacking_them_all(path: Path) -> None:
    found = detect(path)
    assert (found.kind, found.compressed) == (FileKind.CLAUDE_CODE, True)
