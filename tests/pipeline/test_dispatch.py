"""The cap on a tool's output at tool time."""

import pytest

from inspector.model.policy import DOCUMENTED, Unit
from inspector.pipeline.dispatch import cap, cap_of, persist_limit


@pytest.mark.parametrize(
    ("tool", "limit"),
    [("Read", 80_000), ("read", 80_000), ("@search", 60_000), ("LS", 50_000), ("Bash", 30_000)],
)
def test_each_tool_has_the_cap_of_the_seed(tool: str, limit: int) -> None:
    assert cap_of(tool, DOCUMENTED.dispatch) == limit


def test_an_output_of_exactly_the_cap_stays_whole() -> None:
    assert cap("x" * 30_000, 30_000) == "x" * 30_000


def test_one_more_leaves_head_tail_and_the_count_between() -> None:
    text = "h" * 5_000 + "m" * 24_001 + "t" * 1_000
    marker = "\n\n... [TRUNCATED 24001 chars omitted, 6000 kept] ...\n\n"
    assert cap(text, 30_000) == "h" * 5_000 + marker + "t" * 1_000


def test_a_small_cap_keeps_the_head_only() -> None:
    assert cap("abcdef" * 1_000, 10) == "abcdefabcd\n\n... [TRUNCATED]"


@pytest.mark.parametrize("limit", [0, -1])
def test_a_cap_of_nothing_is_the_default_as_in_chatcli(limit: int) -> None:
    assert cap("x" * 30_000, limit) == "x" * 30_000
    assert cap("x" * 30_001, limit) == cap("x" * 30_001, 30_000)


def test_a_cap_that_head_and_tail_would_fill_keeps_the_head_only() -> None:
    text = "h" * 5_000 + "m" * 2_000 + "t" * 1_000
    assert cap(text, 6_000) == text[:6_000] + "\n\n... [TRUNCATED]"
    assert cap(text, 6_001).startswith("h" * 5_000 + "\n\n... [TRUNCATED 2000 chars omitted, 6000 kept]")


def test_bytes_are_counted_when_the_policy_counts_bytes() -> None:
    assert cap("é" * 15_000, 30_000, Unit.BYTES) == "é" * 15_000
    assert "[TRUNCATED 24002 chars omitted, 6000 kept]" in cap("é" * 15_001, 30_000, Unit.BYTES)


def test_persist_limits_name_their_unit_and_read_has_none() -> None:
    bash, mcp = persist_limit("Bash"), persist_limit("mcp__server__tool")
    assert bash is not None
    assert bash.unit is Unit.BYTES
    assert mcp is not None
    assert (mcp.limit, mcp.unit) == (50_000, Unit.UTF16)
    grep = persist_limit("Grep")
    assert grep is not None
    assert (grep.limit, grep.unit) == (20_000, Unit.UTF16)
    assert persist_limit("mcp_not") is None
    assert persist_limit("Read") is None
