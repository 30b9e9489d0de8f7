"""Where the budget's counters and previews do not say what happened (`chatcli.md` §3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from inspector.pipeline.chatcli import cuts
from inspector.pipeline.chatcli.budget import FLOOR_BYTES, HEAD_BYTES, TAIL_BYTES, Cut
from inspector.pipeline.chatcli.largest_first import INSERTION_MAX
from inspector.pipeline.chatcli.overflow import Outcome
from inspector.pipeline.chatcli.quirks.sighting import Sighting, counted
from inspector.pipeline.chatcli.run import RequestRun


def _ids(made: list[Cut]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cut.id for cut in made))


def saving_not_counted(run: RequestRun, _: RequestRun | None) -> Iterator[Sighting]:
    """Pass 1 compares a length with itself, so what it saves is never in the counter."""
    made = [cut for cut in run.budget.cuts if cut.number_of_pass == 1]
    saved = sum(cut.before_bytes - cut.after_bytes for cut in made)
    if made:
        told = run.budget.report.bytes_saved_to_disk
        yield Sighting(
            "saving_not_counted",
            run.turn,
            f"ChatCLI reports {told:,} bytes saved; the limit per result saved another {saved:,} "
            "that it does not count.",
            _ids(made),
            {"reported_bytes": told, "not_counted_bytes": saved},
        )


def wrong_omitted_count(run: RequestRun, _: RequestRun | None) -> Iterator[Sighting]:
    """The count in a preview is zero or negative: the content was shorter than head plus tail."""
    for cut in run.budget.cuts:
        content = run.pairing.messages[cut.at].content
        if (
            not _has_preview(cut)
            or len(content) != cut.before_bytes
            or len(content) > HEAD_BYTES + TAIL_BYTES
        ):
            continue
        stated = len(content) - HEAD_BYTES - TAIL_BYTES
        missing = len(content) - len(cuts.head(content, HEAD_BYTES))
        yield Sighting(
            "wrong_omitted_count",
            run.turn,
            f"The preview of a result of {len(content):,} bytes says that {stated:,} chars are omitted; "
            + (
                f"really {missing:,} are missing, all from its end." if missing else "really none is missing."
            ),
            (cut.id,),
            {"stated_chars": stated, "missing_bytes": missing, "result_bytes": len(content)},
        )


def new_file_each_turn(run: RequestRun, before: RequestRun | None) -> Iterator[Sighting]:
    """No decision is kept, so the same text gets a new number, a new path and a new preview."""
    if before is None:
        return
    known = {(c.id, c.before_bytes, c.number_of_pass): c for c in before.budget.cuts if _has_preview(c)}
    again = []
    for cut in run.budget.cuts:
        old = known.get((cut.id, cut.before_bytes, cut.number_of_pass))
        if _has_preview(cut) and old is not None and old.path != cut.path:
            again.append(cut)
    if again:
        yield Sighting(
            "new_file_each_turn",
            run.turn,
            f"{counted(len(again), 'result gets', 'results get')} a new file and a new "
            "preview on every turn: the prompt prefix changes "
            "each time, and the provider's cache is lost from there on.",
            _ids(again),
            {"results": len(again), "first_message": min(cut.at for cut in again)},
        )


def cannot_fit(run: RequestRun, _: RequestRun | None) -> Iterator[Sighting]:
    """A turn that stays over its limit because nothing in it may be cut; nothing signals it."""
    limit = run.settings.budget.turn_bytes
    unwritten = {cut.at for cut in run.budget.cuts if cut.outcome is not Outcome.WRITTEN}
    for turn in run.budget.turns:
        if turn.after_bytes > limit:
            ids = tuple(run.budget.messages[at].tool_call_id for at in turn.places)
            failed = not unwritten.isdisjoint(turn.places)
            why = (
                "full texts could not be written to disk."
                if failed
                else f"previews and results of {FLOOR_BYTES:,} bytes or less are never cut."
            )
            yield Sighting(
                "cannot_fit",
                run.turn,
                f"A turn of {counted(len(ids), 'result', 'results')} stays "
                f"{turn.after_bytes - limit:,} bytes over its limit, "
                f"and ChatCLI does not say so: {why}",
                ids,
                {"over_bytes": turn.after_bytes - limit, "results": len(ids)},
            )


def tie_by_sort(run: RequestRun, _: RequestRun | None) -> Iterator[Sighting]:
    """Which of several equal results was cut follows from the swaps of an unstable sort."""
    sizes = _sizes_before_second_pass(run)
    chosen = {cut.at for cut in run.budget.cuts if cut.number_of_pass == 2}
    for turn in run.budget.turns:
        cut = [at for at in turn.places if at in chosen]
        if len(turn.places) <= INSERTION_MAX or not cut:
            continue
        spared = Counter(sizes[at] for at in turn.places if at not in chosen)
        tied = [at for at in cut if spared[sizes[at]]]
        if tied:
            others = sum(spared[size] for size in {sizes[at] for at in tied})
            yield Sighting(
                "tie_by_sort",
                run.turn,
                f"{counted(len(tied), 'result was', 'results were')} cut and {others} of "
                "exactly the same size not: in a turn of "
                f"more than {INSERTION_MAX} results the choice follows the inner order of Go's sort.",
                tuple(run.budget.messages[at].tool_call_id for at in tied),
                {"cut": len(tied), "spared": others},
            )


def cut_twice(run: RequestRun, _: RequestRun | None) -> Iterator[Sighting]:
    """A preview that is cut again: the second file holds the preview, not the result."""
    first = {cut.at for cut in run.budget.cuts if cut.number_of_pass == 1}
    made = [cut for cut in run.budget.cuts if cut.number_of_pass == 2 and cut.at in first]
    if made:
        yield Sighting(
            "cut_twice",
            run.turn,
            f"{counted(len(made), 'result was', 'results were')} cut by both limits: the file "
            "that the text names holds the first "
            "preview, the full text is in the file before it.",
            _ids(made),
            {"results": len(made)},
        )


def counted_without_file(run: RequestRun, _: RequestRun | None) -> Iterator[Sighting]:
    """A result counted as persisted although writing failed; its end is gone."""
    made = [cut for cut in run.budget.cuts if cut.outcome is not Outcome.WRITTEN]
    if made:
        lost = sum(max(cut.before_bytes - cut.allowed_bytes, 0) for cut in made)
        yield Sighting(
            "counted_without_file",
            run.turn,
            f"{counted(len(made), 'result is', 'results are')} counted as persisted to disk "
            "although no file could be written; "
            f"{lost:,} bytes of them are on the wire no more and nowhere else.",
            _ids(made),
            {"results": len(made), "lost_bytes": lost},
        )


def preview_longer(run: RequestRun, _: RequestRun | None) -> Iterator[Sighting]:
    """A preview that is longer than what it stands for."""
    made = [cut for cut in run.budget.cuts if cut.after_bytes >= cut.before_bytes]
    if made:
        grown = sum(cut.after_bytes - cut.before_bytes for cut in made)
        yield Sighting(
            "preview_longer",
            run.turn,
            f"{counted(len(made), 'result was', 'results were')} put to disk and grew by "
            f"{grown:,} bytes doing so.",
            _ids(made),
            {"results": len(made), "grown_bytes": grown},
        )


def _has_preview(cut: Cut) -> bool:
    return cut.outcome is Outcome.WRITTEN


def _sizes_before_second_pass(run: RequestRun) -> dict[int, int]:
    """Size of each result when pass 2 looked at it."""
    sizes = {at: len(run.budget.messages[at].content) for turn in run.budget.turns for at in turn.places}
    for cut in reversed(run.budget.cuts):
        if cut.number_of_pass == 2:
            sizes[cut.at] = cut.before_bytes
    return sizes
