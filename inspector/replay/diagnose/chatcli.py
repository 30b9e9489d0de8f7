"""ChatCLI's quirks as findings: what comes back with every request is said once, with all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from inspector.model.findings import Finding
from inspector.pipeline.chatcli.quirks import QUIRKS
from inspector.pipeline.chatcli.quirks.sighting import counted
from inspector.replay.chatcli_saved import NOT_EXECUTED
from inspector.replay.chatcli_timeline import ChatcliTimeline
from inspector.replay.diagnose.pairing import finding
from inspector.replay.view import Repair

if TYPE_CHECKING:
    from inspector.replay.chatcli_timeline import Seen
    from inspector.replay.timeline import Timeline

KIND_OF: Mapping[str, str] = {
    "emptied_message": "message_emptied",
    "new_file_each_turn": "unstable_preview",
    "summary_never_comes": "never_summarized",
    "wrong_omitted_count": "negative_count",
}
"""Quirks whose finding has another name; the rest are called as they are."""

_EACH = frozenset(
    {"silent_reorder", "result_before_call", "emptied_message", "cannot_fit", "cut_twice",
     "counted_without_file"}
)  # fmt: skip
"""Quirks that are told for each set of results; the others come with every large or old result, so
one finding tells of all."""


def chatcli_findings(timeline: Timeline) -> Iterator[Finding]:
    """Findings that only ChatCLI's stages give.

    Args:
        timeline: Any conversation; nothing comes of one under another policy.
    """
    if not isinstance(timeline, ChatcliTimeline):
        return
    alike: dict[tuple[str, tuple[str, ...]], list[Seen]] = {}
    for seen in timeline.seen:
        if seen.sighting.quirk == "result_before_call":
            continue  # said below, over all requests: the history was repaired in between
        name = seen.sighting.quirk
        alike.setdefault((name, seen.sighting.ids if name in _EACH else ()), []).append(seen)
    causes = {quirk.name: quirk.sentence for quirk in QUIRKS}
    for (name, _), found in alike.items():
        yield _quirk(timeline, name, found, causes[name])
    yield from _out_of_reach(timeline, causes["result_before_call"])
    yield from _moved(timeline)
    yield from _saved(timeline)
    yield from _text_mode(timeline)


def _quirk(timeline: ChatcliTimeline, name: str, found: list[Seen], cause: str) -> Finding:
    first = found[0]
    requests = [seen.request for seen in found]
    ids = tuple(dict.fromkeys(i for seen in found for i in seen.sighting.ids))
    more = ""
    if len(requests) > 1:
        again = counted(len(requests) - 1, "more request", "more requests")
        more = f" The same shows in {again}, the last is request {requests[-1]}."
    return finding(
        KIND_OF.get(name, name),
        f"Request {first.request}: {first.sighting.sentence}{more}",
        request=first.request, ids=ids, cause=cause, see=_place(timeline, first),
        data={**first.sighting.data, "requests": requests, "quirk": name},
    )  # fmt: skip


def _place(timeline: ChatcliTimeline, seen: Seen) -> str:
    """Where to look: the line of the first result concerned, or the request."""
    rows = [row for i in seen.sighting.ids[:1] for row in timeline.rows_of(i)[-1:]]
    return f"line {rows[0].entry.line}" if rows else f"request {seen.request}"


def _out_of_reach(timeline: ChatcliTimeline, cause: str) -> Iterator[Finding]:
    """Calls that are answered as missing while their result was, or will be, removed as an orphan."""
    removed: dict[str, int] = {}
    missing: dict[str, int] = {}
    for request in timeline.requests:
        for what, tool_use_id in request.repairs:
            if what is Repair.ORPHAN:
                removed.setdefault(tool_use_id, request.n)
            elif what is Repair.SYNTHETIC:
                missing.setdefault(tool_use_id, request.n)
    for tool_use_id in (i for i in missing if i in removed):
        told, gone = missing[tool_use_id], removed[tool_use_id]
        where = "after a later answer" if gone > told else "before its call"
        yield finding(
            "result_before_call",
            f'Request {told}: the call {tool_use_id} is answered with "result missing" although its result '
            f"is in the file: it stands {where}, so request {gone} removed it.",
            request=told, ids=(tool_use_id,), cause=cause, see=f"request {told}",
            data={"requests": [told, gone], "quirk": "result_before_call"},
        )  # fmt: skip


def _moved(timeline: ChatcliTimeline) -> Iterator[Finding]:
    for request in timeline.requests:
        ids = tuple(i for what, i in request.repairs if what is Repair.MOVED)
        if ids:
            count = counted(len(ids), "result stands", "results stand")
            yield finding(
                "displaced_result",
                f"Request {request.n}: {count} behind another message and is put next to its call."
                if len(ids) == 1
                else f"Request {request.n}: {count} behind another message and are put next to their calls.",
                request=request.n, ids=ids, see=f"request {request.n}",
            )  # fmt: skip


def _saved(timeline: ChatcliTimeline) -> Iterator[Finding]:
    for record, tool_use_id, code in timeline.saved.closed:
        given_up = code == NOT_EXECUTED
        yield finding(
            "recorded_repair",
            f"Message {record.line} answers {tool_use_id} with ChatCLI's own words for a call that "
            + ("was not executed." if given_up else "never got a result."),
            request=timeline.request_after_record(record), ids=(tool_use_id,), see=f"line {record.line}",
            cause="A call before it failed, and the rest of its batch was given up." if given_up
            else "Pairing repaired the stored history, so the saved file holds the repair.",
            data={"error_code": code},
        )  # fmt: skip
    for record, tool_use_id, omitted in timeline.saved.cut_at_return:
        yield finding(
            "cut_at_return",
            f"Message {record.line}: the result of {tool_use_id} was over its tool's cap when it returned; "
            f"{omitted:,} bytes of its middle are in no file.",
            request=timeline.request_after_record(record), ids=(tool_use_id,), see=f"line {record.line}",
            cause="Over the cap ChatCLI keeps 5,000 bytes of the head and 1,000 of the tail.",
            data={"omitted_bytes": omitted},
        )  # fmt: skip
    if timeline.saved.aged:
        ids = tuple(i for _, i in timeline.saved.aged)
        count = counted(
            len(ids), "result is saved as ageing left it", "results are saved as ageing left them"
        )
        yield finding(
            "recorded_ageing",
            f"{count}; the full text is not in this file.",
            ids=ids, see=f"line {timeline.saved.aged[0][0].line}",
            cause="ChatCLI ages the stored history itself, before it is saved.",
            data={"lines": [record.line for record, _ in timeline.saved.aged]},
        )  # fmt: skip


def _text_mode(timeline: ChatcliTimeline) -> Iterator[Finding]:
    if not timeline.saved.text_mode:
        return
    record, size = timeline.saved.text_mode[0]
    count = counted(len(timeline.saved.text_mode), "user message holds", "user messages hold")
    total = sum(size for _, size in timeline.saved.text_mode)
    yield finding(
        "text_mode_result",
        f"{count} tool output in text mode ({total:,} bytes; first: message {record.line}, "
        f"{size:,} bytes): no stage pairs, cuts or ages it.",
        request=timeline.request_after_record(record),
        cause="In text mode ChatCLI writes the results of a batch as one user message, not as tool messages.",
        see=f"line {record.line}",
        data={"lines": [r.line for r, _ in timeline.saved.text_mode], "bytes": total},
    )  # fmt: skip
