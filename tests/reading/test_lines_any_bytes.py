"""Any bytes are lines, records or a sentence: the targets of the fuzzer, tried in every run."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.found import FOUND
from tests.fuzz import targets
from tests.hostile import EVERYTHING, STRINGS
from tests.odd_records import documents, message_lines, rollouts, transcripts

SECONDS = 60


@settings(max_examples=60)
@given(data=st.one_of(st.binary(), transcripts, documents, rollouts, message_lines))
@example(data=EVERYTHING.encode("utf-8", "surrogatepass"))
def test_readers_take_any_bytes(data: bytes) -> None:
    targets.reading(data)


@pytest.mark.parametrize("name", FOUND)
def test_readers_take_what_once_did_harm(name: str) -> None:
    targets.reading(FOUND[name][0])


@given(text=st.text(st.characters(exclude_categories=())))
def test_the_gate_takes_any_text(text: str) -> None:
    targets.gate(text)


@pytest.mark.parametrize("name", STRINGS)
def test_the_gate_takes_every_hostile_string(name: str) -> None:
    targets.gate(STRINGS[name])


@pytest.mark.soak
@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not installed")
@pytest.mark.parametrize("target", targets.TARGETS)
def test_the_fuzzer_finds_nothing(target: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", target, f"-max_total_time={SECONDS}"],
        cwd=Path(__file__).parents[2], capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3_000:].decode("utf-8", "replace")
