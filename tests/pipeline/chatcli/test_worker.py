"""Outputs of workers and sub-agents."""

from __future__ import annotations

from inspector.pipeline.chatcli.overflow import AssumedSink, Outcome
from inspector.pipeline.chatcli.worker import overflow_output

SINK = AssumedSink("/scratch")


def test_limit_is_reached_only_above_and_takes_no_number_below() -> None:
    assert overflow_output(b"x" * 20_480, "read", SINK, 5).counter == 5
    run = overflow_output(b"x" * 20_481, "read", SINK, 5)
    assert (run.counter, run.outcome, run.path) == (6, Outcome.WRITTEN, "/scratch/result_read_6.txt")
    tail = "\n... [full output saved to /scratch/result_read_6.txt — 20481 bytes total]".encode()
    assert run.content == b"x" * 4_096 + tail


def test_preview_as_long_as_the_output_leaves_it_whole() -> None:
    content = b"x" * 25_000
    assert overflow_output(content, "worker", SINK, 0, 25_000).content is content


def test_failed_write_keeps_the_front_and_spends_the_number() -> None:
    class Broken:
        directory = "/scratch"

        def prepare(self) -> bool:
            return True

        def write(self, path: str, content: bytes) -> bool:
            return False

    run = overflow_output(b"x" * 30_000, "a/b", Broken())
    assert run.counter == 1
    assert run.content == b"x" * 20_480 + "\n... [output truncated — write to disk failed]".encode()
