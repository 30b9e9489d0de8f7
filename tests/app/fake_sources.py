"""Invented files and conversations behind the screens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from inspector.app.feed import AgentCall, FeedState, FeedUpdate, OpenSession, Sources, Tab
from inspector.app.sources.files import FilePlace
from inspector.errors import InspectorError
from inspector.replay.view import ThreadRow
from tests.app.fakes import FakeDetails, FakeFeed, FakeView, Made

CALL = "toolu_0100001Wqk1"
"""Id of the call that starts the inner agent."""

LS = Made("Bash", "ls", 9)


class FakePlaces:
    """Results of one file, the first of them with an overflow file."""

    def __init__(self, path: Path, overflow: Path | None = None, *, lines: bool = True) -> None:
        self.path = path
        self.overflow_path = overflow
        self.lines = lines

    def record(self, result_index: int) -> FilePlace:
        if self.lines:
            return FilePlace(str(self.path), result_index + 10, f"line {result_index + 10}")
        return FilePlace(str(self.path), None, f"message {result_index + 10}")

    def overflow(self, result_index: int) -> FilePlace | None:
        return FilePlace(str(self.overflow_path)) if self.overflow_path is not None else None

    def whole(self, tab: Tab, result_index: int, request: int) -> bytes:
        if tab is Tab.OVERFLOW:
            raise InspectorError("There is no overflow file of it.")
        return f"{tab.value} of {result_index} \x1b[31m\ud800".encode("utf-8", "surrogatepass")


class FakeThreads:
    """The main conversation calls `inner`, and that one `deep`; nobody knows who called `lost`."""

    rows: Sequence[ThreadRow] = (
        ThreadRow("", "the session", 5, 4, 40_000, 31_208),
        ThreadRow("inner", "Explore · find the config", 4, 3, 12_000, 9_340),
        ThreadRow("lost", "agent lost", 2, 1, 900),
        ThreadRow("deep", "Explore · read it", 3, 2, 5_000),
    )

    def __init__(self) -> None:
        self.views = {
            "": _view("the session", {1: [Made("Read", "a", 10), Made("Agent", "find", 131)], 2: [LS]}),
            "inner": _view("agent inner", {1: [Made("Grep", "inner words", 12), Made("Agent", "read", 60)]}),
            "deep": _view("agent deep", {1: [Made("Read", "deep words", 7)]}),
            "lost": _view("agent lost", {1: [Made("Read", "lost words", 7)]}),
        }  # fmt: skip
        for view in self.views.values():
            view.threads = self.rows

    def thread_of(self, tool_use_id: str) -> str:
        return "inner" if tool_use_id == CALL else ""

    def part_words(self) -> tuple[str, str]:
        return "sub-agent", "sub-agents"

    def call_of(self, thread: str) -> AgentCall:
        return {"inner": AgentCall("", CALL, 2), "deep": AgentCall("inner", CALL, 2)}.get(
            thread, AgentCall("", "")
        )

    def findings(self) -> Mapping[str, int]:
        return {"": 3, "deep": 12}

    def sources(self, thread: str) -> Sources:
        return Sources(FakeDetails(self.views[thread]), threads=InnerThreads(self) if thread else self)

    def session(self, path: str = "") -> OpenSession:
        update = FeedUpdate(self.views[""], FeedState.LIVE, in_thread=self.views.__getitem__)
        return OpenSession(FakeFeed(update), self.sources(""), path)


class InnerThreads:
    """The same, seen from `inner`, where the ids repeat and start `deep`."""

    def __init__(self, outer: FakeThreads) -> None:
        self._outer = outer

    def thread_of(self, tool_use_id: str) -> str:
        return "deep" if tool_use_id == CALL else ""

    def part_words(self) -> tuple[str, str]:
        return "sub-agent", "sub-agents"

    def call_of(self, thread: str) -> AgentCall:
        return self._outer.call_of(thread)

    def findings(self) -> Mapping[str, int]:
        return self._outer.findings()

    def sources(self, thread: str) -> Sources:
        return self._outer.sources(thread)


def _view(title: str, turns: dict[int, list[Made]]) -> FakeView:
    return FakeView(len(turns) + 1, turns=turns, title=title)
