"""Fields about files: overflow files, damaged input, images, and the ages of what was read."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.conformance.case import Case, findings, groups, named, report_of, results
from tests.conformance.forms import Checker, Pair, asked_sets, ids, only, ordered, sets

# Overflow files


def files_of(case: Case, source: str) -> dict[str, Any]:
    """Overflow files by result, of one source: stated by the transcript's text, or by a stored record."""
    rows = results(case.plain)
    return {
        row["id"]: row["overflow"] for row in rows if row["overflow"] and row["overflow"]["source"] == source
    }


PERSISTED_KEYS = {"stated": "stated_label", "file": "path"}
"""Keys of `persisted` that are called otherwise in the report; all others have one name."""


def persisted(case: Case, wanted: Any) -> Pair:
    files = files_of(case, "persisted")
    found: dict[str, Any] = {key: {} for key in files}
    want: dict[str, Any] = {}
    for each in wanted:
        key = each["tool_use_id"]
        want[key] = {name: value for name, value in each.items() if name not in {"tool_use_id", "note"}}
        file = as_named(files.get(key, {}), want[key].get("status"))
        found[key] = {name: file.get(PERSISTED_KEYS.get(name, name), "(not reported)") for name in want[key]}
        if "file" in want[key]:  # which file is meant; in which directory it is, the status tells
            found[key]["file"], want[key]["file"] = (
                re.split(r"[/\\]", side["file"])[-1] for side in (found[key], want[key])
            )
    return found, want


def as_named(file: Any, wanted: Any) -> Any:
    """A file in the four states that the page of the cases knows: whether its preview is of it is no state
    there, only whether and where it is."""
    if file.get("status") != "preview-mismatch" or wanted == "preview-mismatch":
        return file
    return {**file, "status": "found" if Path(file["path"]).exists() else "found-elsewhere"}


def stored_replacement_file(case: Case, wanted: Any) -> Pair:
    files = files_of(case, "stored")
    return only({key: as_named(file, wanted.get(key))["status"] for key, file in files.items()}, wanted)


def stated_path_missing(case: Case, wanted: Any) -> Pair:
    """Ids whose persisted text names a path that is not there, wherever the file may be instead."""
    files = files_of(case, "persisted")
    return ids((key for key, file in files.items() if not Path(file["path"]).exists()), wanted)


def missing_files(case: Case, wanted: Any) -> Pair:
    """Content that is nowhere: the file is gone, and a finding of severity error says so."""
    gone = [key for key, file in files_of(case, "persisted").items() if file["status"] == "missing"]
    said = set(named(case.plain, "overflow_missing"))
    return [sorted(gone), sorted(set(gone) - said)], [sorted(wanted), []]


def failed_reads(case: Case, wanted: Any) -> Pair:
    """The reading call of each `overflow_reread` (ids: owner, reader) that got an error."""
    failed = {
        each["ids"][-1] for each in findings(case.plain, "overflow_reread") if each["data"].get("failed")
    }
    return (len(failed), wanted) if isinstance(wanted, int) else ids(failed, wanted)


def reread_chains(case: Case, wanted: Any) -> Pair:
    return sorted(each["ids"] for each in findings(case.plain, "overflow_reread_loop")), sorted(wanted)


def read_results_persisted(case: Case, wanted: Any) -> Pair:
    """All of a chain but its first are results of reading the file before."""
    loops = findings(case.plain, "overflow_reread_loop")
    return ids((each for loop in loops for each in loop["ids"][1:]), wanted)


def rereads(case: Case, wanted: Any) -> Pair:
    """Pairs of a result and the later one that brought the same again: after what the session itself did;
    where the ageing of seed 000 is asked for, after what that would have taken away."""
    view = case.documented if "microcompact" in case.expect else case.plain
    pairs = findings(view, "overflow_reread", "read_again_after_clear")
    return sorted([each["ids"][0], each["ids"][-1]] for each in pairs), sorted(list(pair) for pair in wanted)


def replacement_file_ext(case: Case, wanted: Any) -> Pair:
    rows = results(case.ledger)
    found = {row["id"]: row["replacement_file_ext"] for row in rows}
    if isinstance(wanted, str):  # of whatever is replaced
        wanted = {row["id"]: wanted for row in rows if row["state"] in {"replaced", "must-reapply"}}
    return only(found, {key: value.removeprefix(".") for key, value in wanted.items()})


# Ageing


def microcompact(case: Case, wanted: Any) -> Pair:
    """At the next request, by the ages of seed 000."""
    words = {"full": "keep", "truncated": "truncate", "summarized": "summarize", "exempt": "exempt"}
    rows = {row["id"]: row["ageing"] for row in results(case.documented)}
    answered = [r for r in case.documented["requests"] if not r["live"]]
    # Two requests may share one message; an answer without an id is a message of its own.
    found: dict[str, Any] = {"turns": len({r["message_id"] or r["n"] for r in answered})}
    found["results"], asked = {}, dict(wanted)
    for key, want in wanted.get("results", {}).items():
        row = rows.get(key) or {}
        told = {"age": row.get("age"), "action": words.get(row.get("level", ""), row.get("level"))}
        found["results"][key], _ = only(told, want)
    return only(found, asked)


# Input


def records(case: Case, wanted: Any) -> Pair:
    source = case.plain["source"]
    found = {**source, "bad_lines": sorted({bad["line"] for bad in source["bad_lines"]})}
    return only(found, wanted)


def either(case: Case, wanted: Any) -> Pair:
    """One of the outcomes, as a whole."""
    facts = facts_of(case.plain)
    sides = [alike(facts, outcome) for key, outcome in wanted.items() if key != "note"]
    return next(
        (side for side in sides if side[0] == side[1]),
        ([side[0] for side in sides], [side[1] for side in sides]),
    )


def alike(facts: dict[str, Any], wanted: Any) -> Pair:
    """The facts that an outcome or a phase asks for; lists may be asked for by their length."""
    found, want = {}, {}
    for key, value in {**wanted.get("records", {}), **wanted}.items():
        if key in PHASE_FILES | {"note", "name", "after", "phase", "step", "records"}:
            continue
        by_kind = key == "repaired" and isinstance(value, dict)
        fact = facts.get("repairs" if by_kind else key, "(not reported)")
        if isinstance(value, dict) and isinstance(fact, dict):
            found[key], want[key] = asked_sets(fact, value)
        elif isinstance(value, int) and isinstance(fact, list):
            found[key], want[key] = len(fact), value
        else:
            found[key], want[key] = ordered(fact), ordered(value)
    return found, want


def phases(case: Case, wanted: Any) -> Pair:
    """The file as it grows: read after each append, as a session that is still being written."""
    if isinstance(wanted, dict):  # by the name of what is appended
        wanted = [{"append": name, **phase} for name, phase in wanted.items()]
    growing = case.folder / f"growing{case.path.suffix}"
    pieces = pieces_of(case, wanted)
    growing.write_bytes(pieces.pop(0))
    found, want = [], []
    for piece, phase in zip(pieces, wanted, strict=True):
        with growing.open("ab") as file:
            file.write(piece)
        sides = alike(facts_of(report_of(growing, live=True)), phase)
        found.append(sides[0])
        want.append(sides[1])
    return found, want


PHASE_FILES = {"append", "file", "part"}
"""Keys under which a phase may name the file that is appended."""


def pieces_of(case: Case, wanted: Any) -> list[bytes]:
    """What stands there before the first phase, and what each phase appends."""
    names = [phase.get(key) for phase in wanted for key in sorted(PHASE_FILES) if phase.get(key)]
    paths = [case.folder / name for name in names] or case.parts
    pieces = [path.read_bytes() for path in paths]
    whole = case.start.read_bytes() if case.start else b""
    if len(pieces) == len(wanted) - 1:
        return [b"", whole, *pieces]
    return [b"" if whole == b"".join(pieces) or case.start in paths else whole, *pieces]


def facts_of(found: Any) -> dict[str, Any]:
    """What a phase may ask for."""
    source = found["source"]
    missing = sorted(set(named(found, "missing_result")))
    return {
        **source,
        "bad_lines": sorted({bad["line"] for bad in source["bad_lines"]}),
        "pending": sorted(set(named(found, "pending_result"))),
        "missing": missing,
        "repaired": missing,
        "repairs": {**sets(found["pairing"]["global"]), "missing": missing},
        "groups": [sorted(group[-1]["ids"]) for group in groups(found)],
    }


def source_field(key: str) -> Checker:
    """A field of the report's `source`; of a list that is wanted as a number, its length."""

    def check(case: Case, wanted: Any) -> Pair:
        found = case.plain["source"].get(key, "(not reported)")
        if isinstance(wanted, int) and isinstance(found, list):
            return len(found), wanted
        return found, len(wanted) if isinstance(found, int) and isinstance(wanted, list) else wanted

    return check


def history(case: Case, wanted: Any) -> Pair:
    """The list that holds the conversation. Older lists beside another are read on behind it."""
    lists = json.loads(case.path.read_bytes())
    if case.plain["source"].get("history") != wanted and isinstance(lists, dict):
        known = {row["id"] for row in results(case.plain)}
        told = [m["tool_call_id"] for m in lists.get(wanted, ()) if m.get("tool_call_id")]
        return [bool(told), sorted(set(told) - known)], [True, []]
    return only(case.plain["source"], {"history": wanted})


def lone_surrogates(case: Case, wanted: Any) -> Pair:
    flagged = (row["id"] for row in results(case.plain) if row["lone_surrogates"])
    found, want = ids(flagged, wanted)
    return [found, sorted(set(named(case.plain, "lone_surrogate")))], [want, want]


def record_bytes_over(case: Case, wanted: Any) -> Pair:
    """Some results are small for the model and huge on disk."""
    found, rows = [], results(case.plain)
    wanted = wanted if isinstance(wanted, list) else [wanted]
    for each in wanted:
        at = [row["record_bytes"] for row in rows if row["line"] == each["line"]]
        # A line without a result never reaches the model: no report needs its length.
        lines = case.path.read_bytes().split(b"\n")
        found.append(max(at, default=len(lines[each["line"] - 1])) >= each["min_bytes"])
    return found, [True] * len(wanted)


# Images


def base64_text(case: Case, wanted: Any) -> Pair:
    return only(
        {each["ids"][0]: each["data"]["chars"] for each in findings(case.plain, "base64_text")}, wanted
    )


def sizes_of_images(case: Case, key: str) -> dict[str, list[list[int]]]:
    return {each["ids"][0]: each["data"][key] for each in findings(case.plain, "image_result")}


def as_sizes(value: Any) -> list[list[int]]:
    """Width and height of each image, whether one is given or many, as pairs, by name or as one word."""
    if isinstance(value, dict):
        return [[value["width"], value["height"]]]
    if isinstance(value, str):
        return [[int(side) for side in value.replace("×", "x").split("x")]]
    if value and isinstance(value[0], int):
        return [list(value)]
    return [size for each in value for size in as_sizes(each)]


def by_result(wanted: Any) -> Any:
    """Entries that each name their result, as a table of results."""
    if not isinstance(wanted, list) or not all(isinstance(each, dict) for each in wanted):
        return wanted
    table: dict[str, list[Any]] = {}
    for each in wanted:
        table.setdefault(each.get("tool_use_id", each.get("id")), []).append(each)
    return table


def images(case: Case, wanted: Any) -> Pair:
    sizes, wanted = sizes_of_images(case, "images"), by_result(wanted)
    if isinstance(wanted, list):  # of all results one after the other
        return [size for each in sizes.values() for size in each], as_sizes(wanted)
    return sizes, {key: as_sizes(value) for key, value in wanted.items()}


def images_over_2000px(case: Case, wanted: Any) -> Pair:
    """Said as ids, or as ids with their sizes or their number."""
    large = {key: value for key, value in sizes_of_images(case, "over_2000_px").items() if value}
    wanted = by_result(wanted)
    if isinstance(wanted, int):
        return sum(map(len, large.values())), wanted
    if not isinstance(wanted, dict):
        return ids(large, wanted)
    counts = all(isinstance(value, int) for value in wanted.values())
    return (
        {key: len(value) if counts else value for key, value in large.items()},
        wanted if counts else {key: as_sizes(value) for key, value in wanted.items()},
    )
