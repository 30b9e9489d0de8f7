"""Fields about pairing, the budget and its ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.conformance.case import LEDGER, Case, groups, named, results
from tests.conformance.forms import Pair, asked_sets, each_only, ids, only

# Pairing: facts of the whole file, the same under every policy


def repairs(case: Case, wanted: Any) -> Pair:
    """Stated as facts, shown as findings, and independent of the policy."""
    shown = {
        "missing": named(case.plain, "missing_result"),
        "orphan": named(case.plain, "orphan_result"),
        "duplicate": named(case.plain, "duplicate_tool_use", "id_reused"),
    }
    views = [
        case.plain["pairing"]["global"],
        case.documented["pairing"]["global"],
        case.ledger["pairing"]["global"],
    ]
    sides = [asked_sets(view, wanted) for view in (shown, *views)]
    return [side[0] for side in sides], [side[1] for side in sides]


def repairs_if_positional(case: Case, wanted: Any) -> Pair:
    return asked_sets(case.plain["pairing"]["positional"], wanted)


def occurrences(case: Case, wanted: Any) -> Pair:
    """The report lists the ids that were used more than once; a call of any other stands there once."""
    once = {row["id"]: int(bool(row["tool"])) for row in results(case.plain)}
    return only(once | case.plain["pairing"]["occurrences"], wanted)


def pending_if_live(case: Case, wanted: Any) -> Pair:
    """In a live session the call waits; it must not be called missing as well."""
    live = case.live
    found = [named(live, "pending_result"), live["pairing"]["pending"]]
    missing = sorted(set(named(live, "missing_result")) & set(wanted))
    return [sorted(set(each)) for each in found] + [missing], [sorted(wanted), sorted(wanted), []]


# Budget and ledger


def group_ids(case: Case, wanted: Any) -> Pair:
    return [sorted(entries[-1]["ids"]) for entries in groups(case.ledger)], [sorted(each) for each in wanted]


def over_budget_groups(case: Case, wanted: Any) -> Pair:
    """Every decision of a group that is over; ids in any order, replaced ones largest first."""
    over = [dict(entry) for entries in groups(case.ledger) for entry in entries if entry["over"]]
    want = [dict(each) for each in wanted]
    for entry, each in zip(over, want, strict=False):
        if "ids" not in each:
            continue
        entry["ids"], each["ids"] = sorted(entry["ids"]), sorted(each["ids"])
        # What a skipped tool gave is in the group but does not count: a case may leave it out.
        if set(entry["ids"]) - set(entry["skipped"]) == set(each["ids"]):
            entry["ids"] = each["ids"]
    return each_only(over, want)


def visible_totals(case: Case, wanted: Any) -> Pair:
    return [entries[-1]["visible_total"] for entries in groups(case.ledger)], wanted


def state(case: Case, wanted: Any) -> Pair:
    """At the end of the replay; what a skipped tool gave was sent in full for good."""
    words = {"replaced": {"replaced", "must-reapply"}, "frozen": {"frozen", "skipped"}}
    rows = results(case.ledger)
    return (
        {key: sorted(row["id"] for row in rows if row["state"] in words.get(key, {key})) for key in wanted},
        {key: sorted(value) for key, value in wanted.items()},
    )


def skipped(case: Case, wanted: Any) -> Pair:
    return ids((each for entries in groups(case.ledger) for each in entries[-1]["skipped"]), wanted)


def reason_word(reason: str) -> str:
    """The three reasons of seed 001 §2.4, however they are worded."""
    for word in ("persisted", "image", "content"):
        if word in reason:
            return word
    return reason


def not_candidates(case: Case, wanted: Any) -> Pair:
    rows = results(case.ledger)
    found = {row["id"]: reason_word(row["candidate"]) for row in rows if row["candidate"] is not True}
    if isinstance(wanted, list) and not all(isinstance(each, dict) for each in wanted):
        return ids(found, wanted)
    if isinstance(wanted, list):
        wanted = {each.get("tool_use_id", each.get("id")): each["reason"] for each in wanted}
    return found, {key: reason_word(value) for key, value in wanted.items()}


def size_by_measure(case: Case, wanted: Any) -> Pair:
    """Sum over the budget's candidates in each unit."""
    inside = {each for entries in groups(case.ledger) for each in entries[-1]["ids"]}
    keys = {"utf16_units": "utf16", "code_points": "chars", "utf8_bytes": "bytes"}
    rows = [row for row in results(case.ledger) if row["id"] in inside]
    return only({word: sum(row[key] for row in rows) for word, key in keys.items()}, wanted)


def resume(case: Case, wanted: Any) -> Pair:
    if isinstance(wanted, list):
        pairs = [resume(case, each) for each in wanted]
        return [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    wanted = dict(wanted)
    found = case.resumed(wanted.pop("initial_through_line"))
    wanted.pop("note", None)
    texts = found["must_reapply"]
    sides: dict[str, Pair] = {"must_reapply": ids(texts, wanted.pop("must_reapply", texts))}
    for key in ("frozen", "fresh", "replace_now"):
        if key in wanted:
            sides[key] = ids(found[key], wanted.pop(key))
    if "replacement_text" in wanted:
        sides["replacement_text"] = only(texts, wanted.pop("replacement_text"))
    if "accepted_overage" in wanted:
        sizes = {row["id"]: row["utf16"] for row in results(case.ledger)}
        sizes |= dict.fromkeys(found["replace_now"], 0) | {key: len(text) for key, text in texts.items()}
        stays = [sum(sizes[each] for each in group) for group in found["accepted_overage"]]
        over = wanted.pop("accepted_overage")
        sides["accepted_overage"] = accepted(found["accepted_overage"], over, stays)
    if wanted:
        sides["unknown fields"] = (sorted(wanted), [])
    return {key: side[0] for key, side in sides.items()}, {key: side[1] for key, side in sides.items()}


def accepted(found: Any, wanted: Any, stays: Sequence[int]) -> Pair:
    """Groups that stay over: said as yes or no, as a size, as one list of ids, or as a list for each group.

    A size is what remains of all of them, or by how much that is too much.
    """
    if isinstance(wanted, bool) or wanted is None:
        return bool(found), bool(wanted)
    if isinstance(wanted, int):
        limit = LEDGER.budget.turn_limit
        return next(
            (size for size in (sum(stays), sum(size - limit for size in stays)) if size == wanted), stays
        ), wanted
    wanted = [wanted] if isinstance(wanted, dict) else wanted
    members = [each["ids"] if isinstance(each, dict) else each for each in wanted]
    if all(isinstance(each, str) for each in members):
        return ids((each for group in found for each in group), members)
    return sorted(map(sorted, found)), sorted(map(sorted, members))


def accepted_overage(case: Case, wanted: Any) -> Pair:
    entries = [entry for group in groups(case.ledger) for entry in group if entry["accepted"]]
    return accepted([entry["ids"] for entry in entries], wanted, [entry["remaining"] for entry in entries])


def seed_000(case: Case, wanted: Any) -> Pair:
    entries = [entry for group in groups(case.documented) for entry in group]
    found = {
        "over_20000": sorted(set(named(case.documented, "over_result_limit"))),
        "over_turn_after_pass1": any(entry["over_after_result_limit"] for entry in entries),
    }
    sets = {key: sorted(set(value)) if isinstance(value, list) else value for key, value in wanted.items()}
    return only(found, sets)
