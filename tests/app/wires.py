"""Invented requests for the wire screen."""

from __future__ import annotations

from dataclasses import replace

from inspector.app.sources.files import FilePlace
from inspector.app.sources.wire import BlockPlace, UnsentPlace
from inspector.errors import InspectorError, UsageError
from inspector.replay.sentences import repair_sentence
from inspector.replay.view import Repair
from inspector.session.wire_unsent import UnsentRow
from inspector.session.wire_view import Mark, Side, WireBlockRow, WireView


def row(
    message: int,
    block: int,
    kind: str,
    words: str,
    chars: int,
    mark: Mark,
    before: int | None,
    *,
    recorded: int | None = None,
    state: str = "",
    tool_use_id: str = "",
) -> WireBlockRow:
    role = "assistant" if message % 2 else "user"
    stated = chars if recorded is None else recorded
    return WireBlockRow(
        message, block, role, kind, words, tool_use_id, chars, mark, before, stated, stated != chars, state
    )


def wire_view(n: int) -> WireView:
    """A request whose seventh message changed by ageing."""
    same, after = Mark.SAME, Mark.AFTER
    rows = [
        row(0, 0, "text", "Refactor the session handling so that tokens rotate", 12_784, same, 12_784),
        row(1, 0, "call", "Read src/auth/tokens.py", 42, same, 42, tool_use_id="toolu_0"),
        row(2, 0, "result", "Read src/auth/tokens.py", 8_100, same, 8_100, tool_use_id="toolu_0"),
        row(3, 0, "call", "Bash pytest -q", 31, same, 31, tool_use_id="toolu_1"),
        row(4, 0, "result", "Bash pytest -q", 2_204, same, 2_204, recorded=2_181, state="replaced"),
        row(5, 0, "call", "Grep def verify_", 38, same, 38, tool_use_id="toolu_a"),
        row(6, 0, "result", "Grep def verify_", 96, Mark.CHANGED, 1_536, tool_use_id="toolu_a"),
        row(6, 1, "result", "Bash git status", 1_204, after, 1_204, tool_use_id="toolu_b"),
        row(7, 0, "text", "Both settings live in the project file.", 848, after, 848),
        row(8, 0, "text", "Yes, keep the old token valid for one hour.", 63, Mark.NEW, None),
    ]
    return WireView(
        request=n,
        against=n - 1 if n > 1 else None,
        rows=rows,
        break_at=6,
        break_words="Grep def verify_: an ageing step of the policy changed an old result",
        gone=0,
        unit="UTF-16 units",
        resumed=False,
        is_recorded=True,
        other_chars=25_387,
    )


def unsent_row(
    row: int, kind: str, words: str, chars: int, why: Repair, *, record: int = 7, result: int | None = None
) -> UnsentRow:
    role = "assistant" if kind == "call" else "user"
    sentence = repair_sentence(why, anew=False)
    return UnsentRow(row, record, 1, role, kind, words, "toolu_x", chars, why, sentence, result)


def left_out_view(n: int) -> WireView:
    """The same request, whose history holds an old call and two results that are not sent."""
    return replace(
        wire_view(n),
        unsent=[
            unsent_row(2, "call", "Bash sleep 600", 29, Repair.DROPPED, record=3, result=1),
            unsent_row(8, "result", "(no call) toolu_x", 1_310, Repair.ORPHAN, result=9),
            unsent_row(8, "call", "Bash git status", 31, Repair.DUPLICATE, record=8, result=10),
        ],
    )


class Wires:
    """A wire source of invented requests."""

    def __init__(self, view: WireView | None = None, problem: InspectorError | None = None) -> None:
        self._view = view
        self._problem = problem
        self.read: list[tuple[BlockPlace, Side]] = []
        self.asked: list[tuple[int, int | None, Side]] = []

    def view(self, request: int, against: int | None = None, side: Side = Side.PREDICTED) -> WireView:
        self.asked.append((request, against, side))
        if self._problem is not None:
            raise self._problem
        known = self._view or wire_view(request)
        before = request - 1 if against is None else against
        return replace(known, request=request, against=before, side=side)

    def place(self, block: BlockPlace | UnsentPlace) -> FilePlace:
        if isinstance(block, UnsentPlace):
            return FilePlace("/s/one.jsonl", block.record + 1, f"line {block.record + 1}")
        if block.message == 0:
            raise UsageError("No record has this text.")
        return FilePlace("/s/one.jsonl", 12, "line 12, bytes 1,024–2,048")

    def text(self, block: BlockPlace | UnsentPlace, side: Side) -> str | None:
        if isinstance(block, UnsentPlace):
            return f"block {block.block} of record {block.record}"
        self.read.append((block, side))
        return f"src/auth/tokens.py:14:def verify_signature(raw: bytes) -> bool:\n{side.value}"
