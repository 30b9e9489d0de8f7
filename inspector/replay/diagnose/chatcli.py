"""ChatCLI's quirks as findings: each said once for the same results, with all requests it shows in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from inspector.model.findings import Finding
from inspector.pipeline.chatcli.quirks import QUIRKS
from inspector.replay.chatcli_timeline import ChatcliTimeline
from inspector.replay.diagnose.pairing import finding

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


def chatcli_findings(timeline: Timeline) -> Iterator[Finding]:
    """Findings that only ChatCLI's stages give.

    Args:
        timeline: Any conversation; nothing comes of one under another policy.
    """
    if not isinstance(timeline, ChatcliTimeline):
        return
    by_quirk: dict[tuple[str, tuple[str, ...]], list[Seen]] = {}
    for seen in timeline.seen:
        by_quirk.setdefault((seen.sighting.quirk, seen.sighting.ids), []).append(seen)
    causes = {quirk.name: quirk.sentence for quirk in QUIRKS}
    for (name, ids), found in by_quirk.items():
        yield _quirk(name, ids, found, causes[name])
    yield from _text_mode(timeline)


def _quirk(name: str, ids: tuple[str, ...], found: list[Seen], cause: str) -> Finding:
    first = found[0]
    requests = [seen.request for seen in found]
    more = ""
    if len(requests) > 1:
        more = f" So in {len(requests)} requests, up to request {requests[-1]}."
    return finding(
        KIND_OF.get(name, name),
        f"Request {first.request}: {first.sighting.sentence}{more}",
        request=first.request, ids=ids, cause=cause, see=f"request {first.request}",
        data={**first.sighting.data, "requests": requests, "quirk": name},
    )  # fmt: skip


def _text_mode(timeline: ChatcliTimeline) -> Iterator[Finding]:
    if not timeline.text_mode:
        return
    record, size = timeline.text_mode[0]
    total = sum(size for _, size in timeline.text_mode)
    yield finding(
        "text_mode_result",
        f"{len(timeline.text_mode)} user messages hold tool output in text mode ({total:,} bytes; first: "
        f"message {record.line}, {size:,} bytes): no stage pairs, cuts or ages it.",
        request=next((r.n for r in timeline.requests if r.first_record > record.index), None),
        cause="In text mode ChatCLI writes the results of a batch as one user message, not as tool messages.",
        see=f"line {record.line}",
        data={"lines": [r.line for r, _ in timeline.text_mode], "bytes": total},
    )  # fmt: skip
