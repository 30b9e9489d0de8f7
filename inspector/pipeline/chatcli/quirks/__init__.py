"""ChatCLI's quirks as data: a name, a plain sentence, and the rule that finds it in a request.

They are kept apart from the stages so that these stay a plain statement of what is done, and what
it means for a person is said in one place.
"""

from __future__ import annotations

from dataclasses import dataclass

from inspector.pipeline.chatcli.quirks import ageing, budget, pairing
from inspector.pipeline.chatcli.quirks.sighting import Rule, Sighting
from inspector.pipeline.chatcli.run import RequestRun

__all__ = ["QUIRKS", "Quirk", "Sighting", "sightings"]


@dataclass(frozen=True, slots=True)
class Quirk:
    """One way in which ChatCLI surprises."""

    name: str
    section: str
    """Section of `chatcli.md` that measured it."""
    sentence: str
    """What it is, for somebody who meets it for the first time."""
    rule: Rule


QUIRKS: tuple[Quirk, ...] = (
    Quirk(
        "silent_reorder",
        "2.2",
        "One repair anywhere puts the results of every turn into call order, without counting it.",
        pairing.silent_reorder,
    ),
    Quirk(
        "result_before_call",
        "2.2",
        "Results are only looked for between a call and the next answer; elsewhere they are removed.",
        pairing.result_before_call,
    ),
    Quirk(
        "emptied_message",
        "2.2",
        "A message whose calls are all pruned is sent all the same, even with nothing in it.",
        pairing.emptied_message,
    ),
    Quirk(
        "saving_not_counted",
        "3.2",
        "Bytes saved by the limit per result are missing from the reported saving.",
        budget.saving_not_counted,
    ),
    Quirk(
        "wrong_omitted_count",
        "3.4",
        "The number of omitted chars in a preview is the size minus 5,000, even below zero.",
        budget.wrong_omitted_count,
    ),
    Quirk(
        "new_file_each_turn",
        "8",
        "No decision is kept: a large result gets a new file and a new preview on every turn.",
        budget.new_file_each_turn,
    ),
    Quirk(
        "cannot_fit",
        "3.3",
        "Results of 5,200 bytes or less are never cut, so a turn of many small ones stays over its limit.",
        budget.cannot_fit,
    ),
    Quirk(
        "tie_by_sort",
        "3.6",
        "Among equal results the one that is cut is decided by an unstable sort.",
        budget.tie_by_sort,
    ),
    Quirk(
        "cut_twice",
        "3.3",
        "A preview with a long path is cut again, and a second file is written that holds the preview.",
        budget.cut_twice,
    ),
    Quirk(
        "counted_without_file",
        "3.3",
        "A failed write is counted as persisted.",
        budget.counted_without_file,
    ),
    Quirk(
        "preview_longer",
        "3.4",
        "A small result that is put to disk can grow.",
        budget.preview_longer,
    ),
    Quirk(
        "summary_never_comes",
        "4",
        "A truncated result falls below the minimum size and is never summarized.",
        ageing.summary_never_comes,
    ),
    Quirk(
        "gate_closed",
        "4",
        "Ageing waits for the loop's own turn, which starts at 0 again in each run and each resume.",
        ageing.gate_closed,
    ),
    Quirk(
        "straight_to_summary",
        "4",
        "In a resumed session old results are summarized without being truncated first.",
        ageing.straight_to_summary,
    ),
    Quirk(
        "counted_but_unchanged",
        "4",
        "With a small minimum size results are counted as truncated although nothing is cut.",
        ageing.counted_but_unchanged,
    ),
    Quirk(
        "error_shortened",
        "4",
        "Errors and results of tools that write age like any other.",
        ageing.error_shortened,
    ),
    Quirk(
        "recall_without_store",
        "4",
        "Recall keys in a text are carried over even where nothing can resolve them.",
        ageing.recall_without_store,
    ),
    Quirk(
        "split_character",
        "conventions",
        "Cuts count bytes and may fall inside a character.",
        ageing.split_character,
    ),
)
"""In the order of the stages' sections."""


def sightings(run: RequestRun, before: RequestRun | None = None) -> list[Sighting]:
    """All quirks that show in one request.

    Args:
        run: The request.
        before: The request before it in the same loop; None for the first. Costs no more than
            what the two requests changed, and one look at the history.
    """
    return [seen for quirk in QUIRKS for seen in quirk.rule(run, before)]
