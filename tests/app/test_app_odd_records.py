"""The app itself on transcripts with odd shapes in every field: opened, used, made small, left."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from inspector.model.policy import PRESETS
from tests.app.used_app import KEYS, PASTES, PROMPTS, SIZES, Step, use
from tests.found import FOUND
from tests.hostile import Corpus, snapshot
from tests.odd_records import documents, message_lines, rollouts, transcripts

LONG = int(os.environ.get("INSPECTOR_FUZZ", "2000")) // 10
QUICK = [Phase.explicit, Phase.reuse, Phase.generate]
"""Without shrinking: each try opens an app."""
LENIENT = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
TOUR: Sequence[Step] = [
    "down", "left", "enter", (1, 1), "i", (120, 40), "down", "enter", "v", "escape", "y", "r", "escape", "o",
    "escape", "m", "enter", "x", "escape", "w", "right", (40, 9), "escape", "1", "2", "3", "4",
]  # fmt: skip
"""Each screen once."""

steps = st.one_of(
    st.sampled_from(KEYS),
    st.sampled_from(KEYS),
    st.sampled_from(KEYS),
    st.sampled_from(SIZES),
    st.tuples(st.sampled_from(PASTES)),
    st.tuples(st.sampled_from(PROMPTS), st.sampled_from(PASTES)),
)


def opened(data: bytes, taken: Sequence[Step], policy: str | None, ending: str) -> None:
    """Use the app on a file, in a directory of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "s", f"session{ending}")
        path.parent.mkdir()
        path.write_bytes(data)
        before = snapshot(path.parent)
        here = Path.cwd()
        os.chdir(folder)
        try:
            asyncio.run(use(path, taken, policy=PRESETS.get(policy or ""), state=Path(folder, "state")))
        finally:
            os.chdir(here)
        assert snapshot(path.parent) == before


lines = st.one_of(transcripts, transcripts, rollouts, message_lines)
policies = st.sampled_from([None, *PRESETS])


@settings(max_examples=2, suppress_health_check=LENIENT, phases=QUICK)
@given(data=lines, policy=policies)
def test_no_odd_transcript_ends_the_app(data: bytes, policy: str | None) -> None:
    opened(data, TOUR, policy, ".jsonl")


@settings(max_examples=2, suppress_health_check=LENIENT, phases=QUICK)
@given(data=documents, policy=policies)
def test_no_odd_document_ends_the_app(data: bytes, policy: str | None) -> None:
    opened(data, TOUR, policy, ".json")


@pytest.mark.parametrize("name", FOUND)
def test_what_once_did_harm_ends_no_app(name: str) -> None:
    data, ending = FOUND[name]
    opened(data, ["i", "enter", "v"], None, ending)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return Corpus(tmp_path_factory.mktemp("corpus"), flood=False)


def used(corpus: Corpus, kind: str, taken: Sequence[Step]) -> None:
    before = snapshot(corpus.home)
    with tempfile.TemporaryDirectory() as folder:
        here = Path.cwd()
        os.chdir(folder)
        try:
            asyncio.run(use(getattr(corpus, kind), taken, state=Path(folder, "state"), root=corpus.home))
        finally:
            os.chdir(here)
    assert snapshot(corpus.home) == before


KINDS = st.sampled_from(["named", "messages", "chatcli"])


@settings(max_examples=2, suppress_health_check=LENIENT, phases=QUICK)
@given(kind=KINDS, taken=st.lists(steps, min_size=10, max_size=25))
@example(kind="messages", taken=["ctrl+p", (1, 1), "pagedown", "pageup"])
def test_no_keys_sizes_and_pastes_in_any_order_end_the_app(
    kind: str, taken: list[Step], corpus: Corpus
) -> None:
    used(corpus, kind, taken)


@pytest.mark.soak
@settings(max_examples=LONG, suppress_health_check=LENIENT, phases=QUICK)
@given(data=lines, policy=policies, taken=st.lists(steps, max_size=30))
def test_no_odd_transcript_ends_the_app_in_a_long_run(
    data: bytes, policy: str | None, taken: list[Step]
) -> None:
    opened(data, taken, policy, ".jsonl")


@pytest.mark.soak
@settings(max_examples=LONG, suppress_health_check=LENIENT, phases=QUICK)
@given(data=documents, policy=policies, taken=st.lists(steps, max_size=30))
def test_no_odd_document_ends_the_app_in_a_long_run(
    data: bytes, policy: str | None, taken: list[Step]
) -> None:
    opened(data, taken, policy, ".json")


@pytest.mark.soak
@settings(max_examples=LONG, suppress_health_check=LENIENT, phases=QUICK)
@given(kind=KINDS, taken=st.lists(steps, min_size=20, max_size=60))
def test_no_keys_sizes_and_pastes_end_the_app_in_a_long_run(
    kind: str, taken: list[Step], corpus: Corpus
) -> None:
    used(corpus, kind, taken)
