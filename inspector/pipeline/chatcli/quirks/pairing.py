"""What pairing does without saying so, or says in a way that misleads (`chatcli.md` §2)."""

from __future__ import annotations

from collections.abc import Iterator

from inspector.pipeline.chatcli.quirks.sighting import Sighting, counted
from inspector.pipeline.chatcli.run import RequestRun


def silent_reorder(run: RequestRun, _: RequestRun | None) -> Iterator[Sighting]:
    """Results of an intact block put into call order because something else needed repair."""
    ids = run.pairing.reordered_ids
    if ids:
        yield Sighting(
            "silent_reorder",
            run.turn,
            f"{counted(len(ids), 'result', 'results')} changed places within the turn because "
            "another part of the history "
            "was repaired; no counter shows it.",
            ids,
            {"results": len(ids)},
        )


def result_before_call(run: RequestRun, _: RequestRun | None) -> Iterator[Sighting]:
    """A result that exists but stands where it cannot be matched: removed, and called missing."""
    missing = set(run.pairing.report.missing_tool_use_ids)
    ids = tuple(i for i in dict.fromkeys(run.pairing.report.orphan_tool_result_ids) if i in missing)
    if ids:
        yield Sighting(
            "result_before_call",
            run.turn,
            f'{counted(len(ids), "call is", "calls are")} answered with "result missing" '
            "although the result is in "
            "the history: it stands before its call or after a later answer, so it was removed.",
            ids,
            {"results": len(ids)},
        )


def emptied_message(run: RequestRun, _: RequestRun | None) -> Iterator[Sighting]:
    """An assistant message that pruning left without calls and that never had a text."""
    source = run.given if run.settings.order == "seed" else run.microcompact.messages
    ids: list[str] = []
    count = 0
    for message, origin in zip(run.pairing.messages, run.pairing.origins, strict=True):
        if origin is None or message.content or message.tool_calls or not source[origin].opens_block:
            continue
        count += 1
        ids += [call.id for call in source[origin].tool_calls]
    if count:
        yield Sighting(
            "emptied_message",
            run.turn,
            f"{counted(count, 'assistant message is', 'assistant messages are')} sent without "
            "text and without calls, "
            "because every call in it was pruned.",
            tuple(dict.fromkeys(ids)),
            {"messages": count},
        )
