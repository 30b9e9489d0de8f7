"""Help beyond the arguments: examples of each command, and topics of `inspector help`."""

from __future__ import annotations

from inspector.alphabet import in_ascii
from inspector.app.signs import (
    BARS,
    DIFFERS,
    EVENTS,
    LEVELS,
    NOT_REPLACED,
    REMOVED,
    REPAIRS,
    SAME,
    STATES,
    WIRE,
)
from inspector.cli.examples import EXAMPLES
from inspector.errors import UsageError
from inspector.figures import number, size_words
from inspector.model.finding_words import MEANINGS
from inspector.model.findings import KINDS
from inspector.model.policy import PRESETS
from inspector.reading.files import WHOLE_LIMIT_BYTES
from inspector.reading.holes import HOLE_BYTES
from inspector.reading.lines import MAX_LINE_BYTES
from inspector.reading.locate import MAX_SESSIONS
from inspector.reading.nesting import MAX_LEVELS
from inspector.reading.scratch import MAX_FILES
from inspector.reading.source import MAX_UNPACKED_BYTES
from inspector.replay.filters import CHOICES, FIELDS, NUMBERS
from inspector.session.agents import MAX_AGENTS
from inspector.session.scratch_view import MAX_PRINTED_BYTES

OPENED_BYTES = 64 << 20
"""The viewer's own bound (`app.overflow_rows`), stated here because help loads no screen."""


def _policies() -> str:
    lines = ["what a policy is, and which presets there are", ""]
    lines += [
        "A policy holds every limit, window, unit and variant of the pipeline. Without --policy the one of",
        "the program that wrote the session is taken. --set changes single fields of a named one.",
        "--policy also takes a TOML file, such as the what-if panel (w) saves; it may name a preset as base",
        "and hold only what differs:",
        "",
        '  base = "claude-code"',
        "  [budget]",
        '  mode = "on"',
        "  turn_limit = 100000",
        "",
    ]
    for policy in PRESETS.values():
        budget = policy.budget
        single = f"{budget.result_limit:,}" if budget.result_limit is not None else "none"
        lines.append(
            f"  {policy.name:12} counts {policy.unit.value}; {budget.turn_limit:,} a turn, {single} a result"
        )
    lines += [
        "",
        "  inspector report PATH --policy claude-code --set budget.mode=on --set budget.turn_limit=100000",
        "  inspector compare PATH --policy recorded --policy tight.toml",
    ]
    return "\n".join(lines)


def _filters() -> str:
    lines = ["the language of --filter, and of / in the app", ""]
    lines += [
        "All words must hold. Values with commas between are alternatives, - in front turns a word round,",
        "and what holds blanks, commas or colons stands in quotes. A word without a field is looked for in",
        "tool, argument and id.",
        "",
    ]
    for name in FIELDS:
        if name in NUMBERS:
            much = "20k" if "chars" in NUMBERS[name] else "20"
            lines.append(f"  {name:10} {NUMBERS[name]}: {name}>{much}  {name}<=5  {name}:3-9  {name}:7")
        elif name in CHOICES:
            lines.append(f"  {name:10} {', '.join(CHOICES[name])}")
    lines += [
        "  tool       the tool's name, such as tool:Bash,Read",
        "  finding    a part of the kind of a finding that names the result, such as finding:orphan",
        "  id         a part of the tool_use id",
        '  text       a part of the result\'s text, read from disk: text:"no such file"',
        "",
        "  inspector report PATH --filter 'tool:Bash size>20000 -is:error'",
        "  inspector report PATH --filter='-is:error'   with a = where it begins with -",
    ]
    return "\n".join(lines)


def _signs() -> str:
    lines = ["the signs of screens and reports, and their ASCII form", ""]
    lines += [
        "A capital letter was decided in the request shown, a small one earlier. The ASCII forms are drawn",
        "with --ascii or INSPECTOR_ASCII=1, and by themselves where the others cannot be: LANG=C, a narrow",
        "encoding, TERM=linux. --no-ascii and INSPECTOR_ASCII=0 ask for the others.",
    ]
    tables = {
        "state": (*STATES.values(), NOT_REPLACED),
        "removed": REMOVED.values(),
        "ageing": LEVELS.values(),
        "pairing": REPAIRS.values(),
        "event": EVENTS.values(),
        "recorded": (SAME, DIFFERS),
        "wire": WIRE,
        "bars": BARS,
    }
    for title, signs in tables.items():
        lines.append("")
        seen = dict.fromkeys((sign.sign, sign.word) for sign in signs if sign.sign.strip())
        for number_of_row, (sign, word) in enumerate(seen):
            lines.append(f"  {title if not number_of_row else '':10} {sign}  {in_ascii(sign)}  {word}")
    return "\n".join(lines)


def _findings() -> str:
    lines = ["every kind of finding: how severe it is, and what it means", ""]
    family = ""
    for kind, (group, severity) in KINDS.items():
        if group != family:
            lines += [""] * bool(family) + [f"  {group}"]
        lines.append(f"    {kind:26}{severity.value:9}{MEANINGS[kind]}")
        family = group
    return "\n".join(lines)


def _limits() -> str:
    rows = (
        (
            "line of a transcript",
            size_words(MAX_LINE_BYTES),
            "given by its place alone, as the finding huge_line",
        ),
        (
            "hole of a sparse file",
            f"{number(HOLE_BYTES)} bytes",
            "passed over: the finding nul_run; what stands around it is read",
        ),
        ("JSON document", size_words(WHOLE_LIMIT_BYTES), "refused: a message list is read in one piece"),
        ("packed session", size_words(MAX_UNPACKED_BYTES), "unpacked so far, and read up to there"),
        ("transcript of lines", "none", "read piece by piece; a record costs its index, not its text"),
        (
            "nesting of JSON",
            f"{number(MAX_LEVELS)} levels",
            "a record nested more deeply may be a bad line; the others are read",
        ),
        ("results and requests", "none", "some 2 KB of memory for each record, whatever its text"),
        ("sub-agents of a session", number(MAX_AGENTS), "the oldest are read"),
        (
            "overflow files listed",
            number(MAX_FILES),
            "the oldest are listed, and it is said that there are more",
        ),
        ("sessions listed", number(MAX_SESSIONS), "the listing says so"),
        (
            "overflow file in the viewer",
            size_words(OPENED_BYTES),
            "its beginning is shown; overflow --lines reads on",
        ),
        ("printed at once", size_words(MAX_PRINTED_BYTES), "choose --lines"),
    )
    lines = ["what is too large, and what happens then", ""]
    lines += [f"  {what:28} {most:>16}  {then}" for what, most, then in rows]
    return "\n".join(lines)


TOPICS: dict[str, str] = {
    "policies": _policies(),
    "findings": _findings(),
    "limits": _limits(),
    "filter": _filters(),
    "signs": _signs(),
    "keys": """\
how to have keys of one's own

  ~/.config/inspector/keys.toml (or below $XDG_CONFIG_HOME) names actions and their keys:

    step.back = "h"
    step.on = ["l", "right"]
    detail.copy = "ctrl+y"

The help (?) of each screen shows its actions; an id that does not exist is answered with those near it.
A key is a sign ("?"), a name ("pageup", "f5"), or one of them after ctrl+, alt+ or shift+.""",
    "exit-codes": """\
what the exit codes mean

  0    done; for check: nothing of a failing kind
  1    check: at least one finding of a failing kind that the baseline does not hold
  2    the call or a file cannot be used; check still reports on the files that can
  3    a fault in the inspector itself; --debug writes its traceback to a file
  129  the app was ended by SIGHUP, 143 by SIGTERM; both give the terminal back
  130  stopped by the user""",
    "tokens": """\
where figures in tokens come from

The total of a request is what usage says of it: exact, once per answer, from its last record. What one
block costs is not recorded; it is split by the ratio that was measured where the block entered, and
shown with ≈. What is left over is the remainder: system prompt, tools, hidden thinking, reminders.
It is never negative. Where it jumps by 2,000 tokens or more, the report says so, and why.""",
    "files": """\
which files are read and written

Sessions of Claude Code, ChatCLI and Codex, and plain message lists; also gzipped. A session is never
written to, nor anything beside it. Overflow files are looked for in `<session>/tool-results`, in
`tool-results` beside the file, or in --scratch DIR. `scan` remembers its rows in the cache directory of
the user (XDG_CACHE_HOME, else ~/.cache); --no-cache does without. What was read of a large session (50 MB
and more) is kept there too: lengths, ids and the arguments of calls, no results; INSPECTOR_CACHE=off does
without. A file of the same size and time of change counts as the same. The app keeps marks in the state
directory (XDG_STATE_HOME, else ~/.local/state) and reads keys.toml from the configuration directory.
With --debug, a fault in the inspector is written to the state directory too.""",
}
"""Topic → its page; the first line says what it is about."""


def topic(name: str) -> str:
    """The page of a topic.

    Args:
        name: A topic, a command (its examples), or a kind of finding.

    Raises:
        UsageError: There is no such topic.
    """
    if name in TOPICS:
        return TOPICS[name]
    if name in EXAMPLES:
        return EXAMPLES[name].rstrip()
    if name in KINDS:
        family, severity = KINDS[name]
        return f"{name}: {MEANINGS[name]} (family {family}, by default of severity {severity.value})"
    raise UsageError(f"there is no topic {name!r}; there are: {', '.join([*TOPICS, *EXAMPLES])}")
