"""Resumes and forks are told by what a load leaves behind."""

from __future__ import annotations

import json
from pathlib import Path

from inspector.replay.view import Event
from tests.session.recording import Recording, assistant, text, user
from tests.transcript import begun, found, the


def test_a_request_that_names_everything_anew_is_a_resume(tmp_path: Path) -> None:
    script = Recording()
    script.prompt("go")
    script.sent_as(user(text("go")))
    script.answer(text="one")
    script.prompt("more")
    script.sent_as(user(text("go")), assistant(text("one")), user(text("more")), new_process=True)
    script.answer(text="two")
    session = script.open(tmp_path)
    assert the(session, "resume").request == 2
    assert session.timeline.requests[1].events & Event.RESUME


def test_a_process_that_goes_on_is_no_resume(tmp_path: Path) -> None:
    script = Recording()
    script.prompt("go")
    script.sent_as(user(text("go")))
    script.answer(text="one")
    script.prompt("more")
    script.sent_as(user(text("go")), assistant(text("one")), user(text("more")))
    script.answer(text="two")
    assert found(script.open(tmp_path), "resume") == []


def test_the_clients_own_answer_is_a_sign_of_a_resume(tmp_path: Path) -> None:
    script = begun()
    script.answer(text="one")
    script.prompt("lost")
    words = [{"type": "text", "text": "No response requested."}]
    script.record(
        "assistant", message={"role": "assistant", "id": "x", "model": "<synthetic>", "content": words}
    )
    script.prompt("again")
    script.answer(text="two")
    finding = the(script.open(tmp_path), "resume")
    assert finding.request == 2
    assert "No response requested" in finding.cause


def test_another_session_id_is_a_sign_of_a_resume(tmp_path: Path) -> None:
    script = begun()
    script.answer(text="one")
    script.record("user", sessionId="another", message={"role": "user", "content": "on"})
    script.record(
        "assistant", sessionId="another",
        message={"role": "assistant", "id": "m", "model": "claude-opus-4-5", "content": [text("two")]},
    )  # fmt: skip
    assert the(script.open(tmp_path), "resume").request == 2


def test_answers_whose_requests_are_recorded_elsewhere_make_it_a_fork(tmp_path: Path) -> None:
    script = Recording()
    script.prompt("go")
    script.sent_as(user(text("go")))
    script.answer(text="one")
    script.prompt("more")
    script.sent_as(user(text("go")), assistant(text("one")), user(text("more")), new_process=True)
    script.answer(text="two")
    first = next(n for n, line in enumerate(script.lines) if json.loads(line)["type"] == "api-request")
    del script.lines[first]
    session = script.open(tmp_path)
    finding = the(session, "fork")
    assert (finding.request, finding.data) == (2, {"copied_requests": 1})
    assert found(session, "resume") == []
