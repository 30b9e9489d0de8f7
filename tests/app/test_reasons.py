"""What fills a request of a real session: each part in what the request holds, and in all that was sent."""

from __future__ import annotations

from pathlib import Path

from inspector.app.reasons import SessionWhy
from inspector.app.session import SessionFeed
from inspector.app.sources.why import WhyAnswer
from inspector.session import Session, open_session
from tests.transcript import Transcript, begun, call, result

SAMPLES = Path(__file__).parents[2] / "sample_sessions"


def answer(session: Session, request: int) -> WhyAnswer:
    return SessionWhy(SessionFeed(session, follow=False)).answer(request)


def in_all(told: WhyAnswer) -> dict[str, int]:
    return {share.name: share.in_all_chars for share in (*told.results, *told.rest)}


def grown() -> Transcript:
    script = begun()
    for n in range(3):
        script.turn(f"toolu_{n}", chars=1_000 * (n + 1), tool=f"Tool{n}")
    script.answer(text="Done.")
    return script


def test_every_part_is_summed_over_all_requests_so_that_shares_of_the_sum_are_true(tmp_path: Path) -> None:
    with grown().open(tmp_path) as session:
        requests = session.timeline.requests
        for n in range(1, len(requests) + 1):
            parts = in_all(answer(session, n))
            assert sum(parts.values()) == sum(request.wire_chars for request in requests[:n])
        last = in_all(answer(session, 4))
        assert last["Tool0"] == 3 * 1_000
        assert last["Tool2"] == 3_000


def test_errors_in_place_of_results_are_summed_too() -> None:
    with open_session(SAMPLES / "chatcli-session" / "refunds.json") as session:
        told = answer(session, 6)
        sent = sum(request.wire_chars for request in session.timeline.requests)
    parts = in_all(told)
    assert parts["errors in place of results"] == 2 * 163
    assert sum(parts.values()) == sent


def test_what_a_compaction_took_away_is_in_no_sum() -> None:
    (path,) = (SAMPLES / "parallel-blowup").glob("*.jsonl")
    with open_session(path) as session:
        (first,) = (request.n for request in session.timeline.requests if request.compaction is not None)
        told = answer(session, first)
    assert all(share.in_all_chars == share.chars for share in told.rest)


def test_an_image_has_no_share_beside_it(tmp_path: Path) -> None:
    pixel = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
    script = begun()
    script.answer(call("toolu_a", "Read", "/shot.png"))
    script.results(result("toolu_a", [{"type": "image", "source": pixel}]))
    script.answer(text="Done.")
    with script.open(tmp_path) as session:
        (reason,) = (r for r in answer(session, 2).reasons if r.kind == "image_result")
    assert reason.share is None
