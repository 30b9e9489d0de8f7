"""Where ageing does less, or more, than its documentation says (`chatcli.md` §4)."""

from __future__ import annotations

from collections.abc import Iterator

from inspector.pipeline.chatcli.microcompact import Aged, Step, ages, is_candidate
from inspector.pipeline.chatcli.quirks.sighting import Sighting, counted
from inspector.pipeline.chatcli.run import RequestRun


def _ids(aged: list[Aged]) -> tuple[str, ...]:
    return tuple(a.id for a in aged)


def summary_never_comes(run: RequestRun, _: RequestRun | None) -> Iterator[Sighting]:
    """A truncated result that is now too small to be looked at again."""
    smallest = run.settings.ageing.min_bytes
    aged = [a for a in run.microcompact.aged if a.step is Step.TRUNCATED and a.after_bytes < smallest]
    if aged:
        yield Sighting(
            "summary_never_comes",
            run.turn,
            f"{counted(len(aged), 'result was', 'results were')} truncated to less than {smallest:,} bytes: "
            "too small to be summarized later, so that is what stays.",
            _ids(aged),
            {"results": len(aged), "kept_bytes": sum(a.after_bytes for a in aged)},
        )


def gate_closed(run: RequestRun, _: RequestRun | None) -> Iterator[Sighting]:
    """Old results left alone because the loop itself has just begun."""
    limits = run.settings.ageing
    if run.microcompact.gate_open:
        return
    seed_order = run.settings.order == "seed"
    messages = run.budget.messages if seed_order else run.given
    old = [
        m
        for m, age in zip(messages, ages(messages), strict=True)
        if age >= min(limits.truncate_turns, limits.summarize_turns)
        and is_candidate(m)
        and len(m.content) >= limits.min_bytes
    ]
    if old:
        yield Sighting(
            "gate_closed",
            run.turn,
            f"{counted(len(old), 'result is', 'results are')} old enough to be shortened but "
            "sent in full: the agent "
            f"loop is at turn {run.turn}, counts from 0 in each run, and shortens nothing before turn "
            f"{limits.truncate_turns}.",
            tuple(m.tool_call_id for m in old),
            {"results": len(old), "bytes": sum(len(m.content) for m in old)},
        )


def straight_to_summary(run: RequestRun, before: RequestRun | None) -> Iterator[Sighting]:
    """Results that lose everything at once, because they were not looked at while they were younger."""
    was_open = before is not None and before.microcompact.gate_open
    aged = [a for a in run.microcompact.aged if a.step is Step.SUMMARIZED]
    if aged and not was_open and run.settings.ageing.truncate_turns < run.settings.ageing.summarize_turns:
        yield Sighting(
            "straight_to_summary",
            run.turn,
            f"{counted(len(aged), 'result', 'results')} went from full text to one line at "
            "once, never truncated "
            "first, because ageing had not yet begun in this run.",
            _ids(aged),
            {"results": len(aged), "bytes": sum(a.before_bytes for a in aged)},
        )


def counted_but_unchanged(run: RequestRun, _: RequestRun | None) -> Iterator[Sighting]:
    """Results counted as shortened that kept their whole text, or grew by the recall sentence."""
    aged = [a for a in run.microcompact.aged if a.after_bytes >= a.before_bytes]
    if aged:
        grown = sum(a.after_bytes - a.before_bytes for a in aged)
        yield Sighting(
            "counted_but_unchanged",
            run.turn,
            f"{counted(len(aged), 'result is', 'results are')} counted as shortened but did not get shorter"
            + (f": {grown:,} bytes were added." if grown else "."),
            _ids(aged),
            {"results": len(aged), "grown_bytes": grown},
        )


def error_shortened(run: RequestRun, _: RequestRun | None) -> Iterator[Sighting]:
    """Errors age like anything else, although the documentation says that they are kept."""
    aged = [a for a in run.microcompact.aged if run.microcompact.messages[a.at].is_error]
    if aged:
        yield Sighting(
            "error_shortened",
            run.turn,
            f"{counted(len(aged), 'error result was', 'error results were')} shortened; "
            "ChatCLI spares neither errors nor tools that write.",
            _ids(aged),
            {"results": len(aged)},
        )


def recall_without_store(run: RequestRun, _: RequestRun | None) -> Iterator[Sighting]:
    """Recall keys handed on although there is no layer that could resolve them."""
    archive = run.microcompact.archive
    aged = [a for a in run.microcompact.aged if a.keys and (archive is None or not archive.active)]
    if aged:
        yield Sighting(
            "recall_without_store",
            run.turn,
            f"{counted(len(aged), 'shortened result promises', 'shortened results promise')} "
            "that the text can be recalled, "
            "but this session keeps no originals.",
            _ids(aged),
            {"results": len(aged)},
        )


def split_character(run: RequestRun, _: RequestRun | None) -> Iterator[Sighting]:
    """Cuts that fall inside a character, which a saved session cannot represent."""
    places = {a.at: a.id for a in run.microcompact.aged}
    broken = [at for at in places if not _is_text(run.microcompact.messages[at].content)]
    ids = [places[at] for at in broken]
    ids += [c.id for c in run.budget.cuts if not _is_text(run.budget.messages[c.at].content)]
    if ids:
        yield Sighting(
            "split_character",
            run.turn,
            f"{counted(len(set(ids)), 'result was', 'results were')} cut inside a character: "
            "a saved session shows a replacement "
            "sign there, and its length differs from what was sent.",
            tuple(dict.fromkeys(ids)),
            {"results": len(set(ids))},
        )


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True
