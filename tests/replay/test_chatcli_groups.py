"""Decisions about groups, as a run of ChatCLI's stages makes them."""

from __future__ import annotations

from pathlib import Path

from inspector.model.policy import CHATCLI
from inspector.reading.chatcli_session import save_session
from inspector.session import open_session
from tests.pipeline.chatcli.histories import answer, later, result, user


def test_turn_is_told_when_it_is_new_and_when_it_is_cut_again(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(save_session([user(), answer("a"), result("a", 30_000), *later(3)]))
    requests = open_session(path).timeline.requests
    told = [[(g.ids, g.replaced, g.again) for g in r.groups] for r in requests]
    assert told == [
        [],
        [(("a",), ("a",), False)],
        [(("a",), ("a",), True), (("later0",), (), False)],
        [(("later1",), (), False)],
        [(("later2",), (), False)],
    ]


def test_turn_over_its_limit_says_what_remains(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    calls = [f"c{n}" for n in range(4)]
    path.write_bytes(
        save_session([user(), answer(*calls), *(result(c, 9_000 + n) for n, c in enumerate(calls))])
    )
    policy = CHATCLI.with_field("budget.turn_limit", 30_000)
    request = open_session(path, policy=policy).timeline.requests[1]
    (group,) = request.groups
    decision = group.decision
    assert (decision.over, decision.total, request.over_by) == (True, 36_006, 6_006)
    assert group.replaced == ("c3", "c2")
    assert decision.remaining <= 30_000
    assert not decision.accepted
