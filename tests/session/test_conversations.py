"""Records of several files and conversations: whose they are, and what is known of lost lines."""

from __future__ import annotations

from msgspec.structs import replace

from inspector.model.policy import CLAUDE_CODE
from inspector.model.transcript import BadLine, Record
from inspector.replay.timeline import Timeline
from inspector.session.conversations import Conversations
from inspector.session.intake import NoIntake
from tests.pipeline.wire.records import Script, text


class File(NoIntake):
    def lose(self, *lines: int) -> None:
        self.counts.bad_lines.extend(
            BadLine(line, 0, 9, "no JSON", 0, "invalid_json", True) for line in lines
        )


def records(*threads: str) -> list[Record]:
    script = Script()
    for _ in threads:
        script.user(text())
    return [replace(r, thread=thread) for r, thread in zip(script.records, threads, strict=True)]


def make(_key: str) -> Timeline:
    return Timeline(CLAUDE_CODE)


def test_records_go_to_the_conversation_that_they_name_or_to_that_of_their_file() -> None:
    main, agent = File(), File()
    all_ = Conversations(main, make)
    assert all_.spread(records("", "side", ""), main, "") == {"", "side"}
    assert all_.spread(records("", "a1"), agent, "a1") == {"a1"}
    assert {key: len(kept) for key, kept in all_.records.items()} == {"": 2, "side": 1, "a1": 2}
    assert {key: timeline.records for key, timeline in all_.timelines.items()} == {"": 2, "side": 1, "a1": 2}
    assert all_.owners == {"": main, "side": main, "a1": agent}


def test_lost_lines_are_told_to_all_conversations_of_the_file_and_to_no_other() -> None:
    main, agent = File(), File()
    all_ = Conversations(main, make)
    all_.spread(records("", "side"), main, "")
    all_.spread(records("a1"), agent, "a1")
    main.lose(3, 5)
    assert all_.spread([], main, "") == {"", "side"}
    assert all_.spread([], main, "") == set(), "nothing new to hear"
    assert {key: timeline.bad_lines for key, timeline in all_.timelines.items()} == {
        "": [3, 5], "side": [3, 5], "a1": [],
    }  # fmt: skip


def test_a_file_that_was_written_anew_takes_its_conversations_with_it() -> None:
    main, agent = File(), File()
    all_ = Conversations(main, make)
    all_.spread(records(""), main, "")
    all_.spread(records("a1", "a2"), agent, "a1")
    agent.lose(1)
    assert all_.spread([], agent, "a1") == {"a1", "a2"}
    assert all_.drop(agent) == {"a1", "a2"}
    assert [*all_.timelines] == [*all_.records] == [*all_.owners] == [""]
    all_.spread(records("a1"), agent, "a1")
    assert all_.timelines["a1"].bad_lines == [1], "told anew"
