"""A ChatCLI conversation, replayed by ChatCLI's own stages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.model.chatcli import Message
from inspector.model.policy import CHATCLI, Pairing, Policy, Stage
from inspector.pipeline.chatcli.archive import Archive
from inspector.pipeline.chatcli.overflow import AssumedSink
from inspector.pipeline.chatcli.run import Carried, run_request
from inspector.pipeline.chatcli.settings import settings_of
from inspector.reading.chatcli_session import load_session, save_session
from inspector.replay.chatcli_timeline import DIRECTORY, ChatcliTimeline
from inspector.session import Session, open_session
from tests.pipeline.chatcli.histories import MESSAGES

SEED_ORDER = replace(CHATCLI, order=(Stage.PAIRING, Stage.BUDGET, Stage.MICROCOMPACT))
SMALL = replace(
    CHATCLI,
    budget=replace(CHATCLI.budget, result_limit=5_500, turn_limit=9_000),
    microcompact=replace(CHATCLI.microcompact, min_content=2_000, head=600, tail=200),
)


def opened(
    tmp_path: Path, history: Sequence[Message], policy: Policy = CHATCLI, *, live: bool = False
) -> Session:
    path = tmp_path / "trip.json"
    path.write_bytes(save_session(history))
    return open_session(path, policy=policy, live=live)


def timeline_of(session: Session) -> ChatcliTimeline:
    timeline = session.timeline
    assert isinstance(timeline, ChatcliTimeline)
    return timeline


def expected(history: Sequence[Message], policy: Policy) -> list[tuple[Message, ...]]:
    """What the loop sends when it is fed with the same history and nothing is split off."""
    read = load_session(save_session(history)).chat_history
    starts = [at for at, m in enumerate(read) if m.role == "assistant"]
    head = read[: starts[0]] if starts else read
    appends = [read[a:b] for a, b in pairwise([*starts, len(read)])]
    archive = Archive("lossy-with-ccr", 256 * 1024 * 1024)
    out: list[tuple[Message, ...]] = []
    stored, carried = tuple(head), Carried(0, archive)
    turn, goes_on = -1, False
    sink = AssumedSink(DIRECTORY)
    for appended in [*appends, None]:
        turn = turn + 1 if goes_on else 0
        run = run_request(stored, turn, settings_of(policy), sink, carried)
        out.append(run.outgoing)
        if appended is None:
            break
        stored, carried = (*run.stored, *appended), run.carried
        goes_on = bool(appended[0].tool_calls) or any(
            m.role == "user" and m.meta is not None and m.meta.agent_feedback for m in appended
        )
    return out


@settings(max_examples=150, deadline=None)
@given(
    st.lists(MESSAGES, min_size=1, max_size=24),
    st.sampled_from([SMALL, CHATCLI]),
    st.booleans(),
    st.sampled_from([Pairing.POSITIONAL, Pairing.GLOBAL]),
)
def test_wire_of_every_request_is_what_the_loop_sends(
    tmp_path_factory: pytest.TempPathFactory,
    history: list[Message],
    policy: Policy,
    seed: bool,
    pairing: Pairing,
) -> None:
    if seed:
        policy = replace(policy, order=SEED_ORDER.order)
    policy = replace(policy, pairing=replace(policy.pairing, variant=pairing))
    timeline = timeline_of(opened(tmp_path_factory.mktemp("s"), history, policy))
    assert [timeline.outgoing(r.n) for r in timeline.requests] == expected(history, policy)
