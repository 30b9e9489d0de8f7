"""Raw histories: what an agent loop would have held, the same objects from request to request."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from inspector.errors import UsageError
from inspector.managed_run import run
from inspector.model.policy import DOCUMENTED, Ageing, BudgetMode
from inspector.pipeline.conversation import normalise, write_back
from inspector.pipeline.microcompact import CLEARED
from inspector.pipeline.pairing import repair
from inspector.pipeline.previews import paths_in
from inspector.session import Session, open_session
from inspector.session.raw_history import raw_histories, sendable
from inspector.session.wire import WireBuilder

SAMPLES = Path(__file__).parent.parent.parent / "sample_sessions"
SESSIONS = sorted([*SAMPLES.glob("*/*.jsonl"), *SAMPLES.glob("*/*s.json")])
REPAIRS_ONLY = replace(
    DOCUMENTED.with_field("budget.mode", BudgetMode.OFF),
    microcompact=replace(DOCUMENTED.microcompact, variant=Ageing.RECORDED),
)


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: f"{path.parent.name}-{path.stem[:8]}")
def test_a_history_repaired_is_the_predicted_wire_without_budget_and_ageing(path: Path) -> None:
    with open_session(path, policy=REPAIRS_ONLY) as session:
        builder = WireBuilder(session)
        for number, history in enumerate(raw_histories(session), start=1):
            wire = builder.body(number, reminders=False)
            if any(_is_shortened(block) for message in wire for block in message["content"]):
                continue  # a stored replacement or a recorded clearing stands there
            paired = repair(normalise(history), REPAIRS_ONLY.pairing.variant).messages
            assert [_listed(message) for message in sendable(session, write_back(paired))] == wire
        assert number == len(session.timeline.requests)


def _is_shortened(block: dict[str, object]) -> bool:
    return str(block.get("content", "")).startswith(("<persisted-output>", "[Old tool result"))


def _listed(message: dict[str, object]) -> dict[str, object]:
    content = message["content"]
    listed = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return {"role": message["role"], "content": listed}


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: f"{path.parent.name}-{path.stem[:8]}")
def test_messages_that_stay_are_the_same_objects(path: Path) -> None:
    with open_session(path) as session:
        for before, after in pairwise(raw_histories(session)):
            if len(after) < len(before):
                continue  # a compaction or a rewind
            same = [a is b for a, b in zip(before, after, strict=False)]
            assert same == sorted(same, reverse=True)
            assert sum(same) >= len(before) - 1


def test_an_unknown_agent_is_a_usage_error() -> None:
    with open_session(SESSIONS[0]) as session, pytest.raises(UsageError, match="no sub-agent 'x'"):
        raw_histories(session, "x")


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: f"{path.parent.name}-{path.stem[:8]}")
def test_the_managed_run_sends_what_the_replay_predicts(path: Path, tmp_path: Path) -> None:
    with open_session(path, policy=DOCUMENTED) as session:
        builder = WireBuilder(session)
        directory = session.timeline.sizing.scratch
        compared = 0
        for progress in run(raw_histories(session), DOCUMENTED, tmp_path):
            wire = builder.body(progress.request, reminders=False)
            if any(_is_recorded(session, block) for message in wire for block in message["content"]):
                continue  # what the session itself recorded stands there, and a run decides anew
            sent = [_listed(message) for message in sendable(session, progress.messages)]
            assert json.loads(json.dumps(sent).replace(str(tmp_path), directory)) == wire
            compared += 1
    assert compared


def _is_recorded(session: Session, block: dict[str, object]) -> bool:
    stored = {row.stored for row in session.all_rows() if row.stored}
    text = str(block.get("content"))
    return text == CLEARED or text in stored or _names_stored(session, text)


def _names_stored(session: Session, text: str) -> bool:
    paths = (path for row in session.all_rows() if row.stored for path in paths_in(row.stored))
    return any(path in text for path in paths)
