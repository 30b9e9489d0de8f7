"""An invented session for the screens: deterministic, rich in events, and without any file.

`FakeView` follows the rules only as far as pictures need; the rules themselves are tested elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from inspector.app.feed import DetailText, FeedState, FeedUpdate, Progress, Tab
from inspector.errors import InspectorError
from inspector.model.findings import Finding, Severity
from inspector.model.ledger import Level, Lifeline, Span, State
from inspector.model.policy import DOCUMENTED, Policy
from inspector.model.transcript import Usage
from inspector.replay.view import (
    Event,
    Figures,
    Repair,
    RequestRow,
    ResultOutline,
    ResultRow,
    ThreadRow,
    TurnRow,
)

PREVIEW = 2_164
TRUNCATED = 1_536
ONE_LINE = 96
BASE = 31_206
"""Chars of the first message."""
COMPACTED_AT = 78
BROKEN_AT = 53
WINDOW = 200_000
RATIO = 3.6

POLICY = (
    DOCUMENTED.with_field("name", "documented*")
    .with_field("budget.result_limit", None)
    .with_field("budget.skip_tools", frozenset({"Read"}))
)


@dataclass(frozen=True)
class Made:
    """One invented result."""

    tool: str
    argument: str
    chars: int
    pairing: Repair = Repair.OK
    recorded: str = "same"


TOLD: dict[int, list[Made]] = {
    31: [Made("Read", "docs/import.md", 17_044), Made("Edit", "billing/rows.py", 318)],
    32: [Made("Bash", "zcat export-2023.csv.gz", 131_020), Made("Bash", "make fixtures", 84_310)],
    33: [Made("Grep", "Decimal(", 28_450, recorded="differs"), Made("Glob", "billing/**/*.py", 2_744)],
    34: [Made("Read", "billing/currency.py", 20_115)],
    35: [
        Made("Grep", "def parse_", 11_890),
        Made("Bash", "git status", 1_131),
        Made("Bash", "(no call)", 3_905, Repair.ORPHAN),
    ],
    36: [Made("Read", "billing/tax.py", 4_870), Made("Read", "billing/vat.py", 4_102)],
    37: [
        Made("Bash", "pytest -x --tb=long billing", 152_604),
        Made("Bash", "git log -p billing/tax.py", 79_233),
        Made("Grep", "rounding_mode", 163, Repair.SYNTHETIC),
        Made("Read", "billing/ledger.py", 76_480),
    ],
    60: [Made("Bash", "psql -c 'select * from rows'", 118_400), Made("Bash", "pip list -v", 61_020),
         Made("Bash", "git diff main", 58_118)],
    91: [Made("WebFetch", "https://vat.example/rates", 190_011), Made("Bash", "env", 21_000)],
    102: [Made("Grep", "TODO", 2_210, Repair.DUPLICATE), Made("Edit", "billing/tax.py", 402)],
}  # fmt: skip
"""Turns with a story; all others are made by counting."""

TOOLS = ("Bash", "Read", "Edit", "Grep", "Read", "Glob", "Bash", "Edit")
ARGUMENTS = {
    "Bash": ("ls -la", "make lint", "git diff --stat", "pytest -q", "wc -l billing/*.py"),
    "Read": ("billing/rows.py", "README.md", "billing/models.py", "setup.cfg"),
    "Edit": ("billing/rows.py", "billing/tax.py"),
    "Grep": ("Decimal", "import csv", "raise ImportError"),
    "Glob": ("**/*.csv", "tests/**/*.py"),
}


def _counted(turn: int) -> list[Made]:
    seed = (turn * 7919 + 104_729) % 65_536
    out = []
    for k in range(1 + seed % 3 // 2 + (turn % 9 == 0)):
        seed = (seed * 25_173 + 13_849) % 65_536
        tool = TOOLS[seed % len(TOOLS)]
        words = ARGUMENTS[tool]
        chars = 150 + seed % (300 if tool == "Edit" else 9_000)
        if 62 < turn < 77:
            chars *= 6
        out.append(Made(tool, words[(seed + k) % len(words)], chars))
    return out


class FakeView:
    """A session of some turns; `request_count` is one more, because the last turn is answered."""

    def __init__(
        self,
        requests: int = 112,
        *,
        turns: dict[int, list[Made]] | None = None,
        title: str = "invoice-import",
    ) -> None:
        self.revision = 1
        self.title = title
        self.source = "ChatCLI"
        self.policy: Policy = POLICY
        self.policy_note = "2 fields changed"
        self.window_tokens: int | None = WINDOW
        self.chars_per_token: float | None = RATIO
        self.threads: Sequence[ThreadRow] = ()
        self.request_count = requests
        self.calls = 0
        self._turns = turns
        self._made: list[Made] = []
        self._where: list[int] = []
        self._indices: dict[int, tuple[int, ...]] = {}
        for turn in range(1, requests):
            made = self._results_of(turn)
            self._indices[turn] = tuple(range(len(self._made), len(self._made) + len(made)))
            self._made += made
            self._where += [turn] * len(made)

    def _results_of(self, turn: int) -> list[Made]:
        if self._turns is not None:
            return self._turns.get(turn, [])
        return TOLD.get(turn) or _counted(turn)

    # -- the rules, as far as pictures need them ----------------------------------------------

    def _counts(self, made: Made) -> bool:
        return made.tool not in self.policy.budget.skip_tools and made.pairing not in {
            Repair.ORPHAN,
            Repair.DUPLICATE,
        }

    def _replaced(self, turn: int) -> set[int]:
        counted = [i for i in self._indices[turn] if self._counts(self._made[i])]
        total = sum(self._made[i].chars for i in counted)
        out: set[int] = set()
        for i in sorted(counted, key=lambda i: -self._made[i].chars):
            if total <= self.policy.budget.turn_limit:
                break
            total -= self._made[i].chars
            out.add(i)
        return out

    def _level(self, index: int, n: int) -> Level:
        made, turn = self._made[index], self._where[index]
        if made.pairing in {Repair.ORPHAN, Repair.DUPLICATE} or (n >= COMPACTED_AT > turn + 1):
            return Level.GONE
        if index in self._replaced(turn):
            return Level.PREVIEW
        age = n - turn - 1
        if made.chars <= 3_000 or age < 2:
            return Level.FULL
        if made.tool in self.policy.microcompact.exempt_tools:
            return Level.EXEMPT
        return Level.SUMMARIZED if age >= 4 else Level.TRUNCATED

    def _wire(self, index: int, n: int) -> int | None:
        sizes = {
            Level.GONE: None,
            Level.PREVIEW: PREVIEW,
            Level.TRUNCATED: TRUNCATED,
            Level.SUMMARIZED: ONE_LINE,
        }
        return sizes.get(self._level(index, n), self._made[index].chars)

    def _state(self, index: int, n: int) -> State:
        made, turn = self._made[index], self._where[index]
        if made.pairing in {Repair.ORPHAN, Repair.DUPLICATE}:
            return State.NOT_CANDIDATE
        if not self._counts(made):
            return State.SKIPPED
        if index not in self._replaced(turn):
            return State.FROZEN
        return State.REPLACED if n == turn + 1 else State.MUST_REAPPLY

    def _events(self, n: int) -> Event:
        events = Event(0)
        turn = n - 1
        if turn and self._replaced(turn):
            events |= Event.OVER
        if turn and any(self._made[i].pairing is not Repair.OK for i in self._indices[turn]):
            events |= Event.REPAIR
        if n == COMPACTED_AT:
            events |= Event.COMPACTION
        if n == BROKEN_AT:
            events |= Event.BREAK
        if n == 38:
            events |= Event.DIFFERS
        for age in (2, 4):
            aged = self._indices.get(n - 1 - age, ())
            if any(self._level(i, n) in {Level.TRUNCATED, Level.SUMMARIZED} for i in aged):
                events |= Event.PLANNED_BREAK
        return events

    # -- SessionView --------------------------------------------------------------------------

    def request(self, n: int) -> RequestRow:
        return self._requests[n - 1]

    @cached_property
    def _requests(self) -> list[RequestRow]:
        return [self._request(n) for n in range(1, self.request_count + 1)]

    def _request(self, n: int) -> RequestRow:
        first = COMPACTED_AT - 1 if n >= COMPACTED_AT else 1
        sent = sum(self._wire(i, n) or 0 for t in range(first, n) for i in self._indices[t])
        wire = BASE + 610 * (n - first) + sent
        tokens = round(wire / RATIO)
        events = self._events(n)
        over = self.turn(n - 1, n).over_by if n > 1 else 0
        return RequestRow(
            n=n,
            message_id=f"msg_{n:04}",
            pending=n == self.request_count,
            wire_chars=wire,
            estimated=False,
            events=events,
            over_by=over,
            repairs=1 if events & Event.REPAIR else 0,
            usage=None if n == self.request_count else Usage(2_100, max(0, tokens - 9_000), 6_900, 412),
            time=None,
            line=n * 5,
        )

    def turn_count(self, n: int) -> int:
        return n - 1

    def turn(self, t: int, n: int) -> TurnRow:
        self.calls += 1
        indices = self._indices[t]
        counted = [i for i in indices if self._counts(self._made[i])]
        replaced = self._replaced(t)
        total = sum(self._made[i].chars for i in counted)
        gone = sum(self._made[i].chars for i in replaced)
        tools: dict[str, int] = {}
        letters: dict[str, int] = {}
        for i in indices:
            if self._made[i].pairing is not Repair.ORPHAN:
                tools[self._made[i].tool] = tools.get(self._made[i].tool, 0) + 1
            letter = {"skipped": "s", "must-reapply": "r", "replaced": "R", "frozen": "f"}.get(
                self._state(i, n), "-"
            )
            letters[letter] = letters.get(letter, 0) + 1
        order = [Level.GONE, Level.SUMMARIZED, Level.TRUNCATED, Level.PREVIEW, Level.EXEMPT, Level.FULL]
        levels = [self._level(i, n) for i in indices] or [Level.FULL]
        limit = self.policy.budget.turn_limit
        return TurnRow(
            number=t,
            tools=tuple(tools.items()),
            counted=total,
            kept=total - gone,
            replaced=gone,
            limit=limit,
            over_by=max(0, total - limit),
            now=n == t + 1,
            wire_chars=sum(self._wire(i, n) or 0 for i in indices),
            repairs=sum(self._made[i].pairing is not Repair.OK for i in indices),
            age=n - t - 1,
            rows=len(indices),
            states=tuple(sorted(letters.items())),
            level=min(levels, key=order.index),
            estimated=False,
        )

    def figures(self) -> Figures:
        rows = [self.request(n) for n in range(1, self.request_count + 1)]
        return Figures(
            [row.wire_chars for row in rows],
            [row.usage.context if row.usage is not None else 0 for row in rows],
            [row.events for row in rows],
        )

    def turn_results(self, t: int, n: int) -> Sequence[int]:
        return self._indices[t]

    def turn_outlines(self, t: int, n: int) -> Sequence[ResultOutline]:
        rows = [self.result(i, n) for i in self.turn_results(t, n)]
        return [ResultOutline(row.index, t, row.tool, row.argument, row.chars) for row in rows]

    def result(self, index: int, n: int) -> ResultRow:
        self.calls += 1
        made, turn = self._made[index], self._where[index]
        now = n == turn + 1
        state, level = self._state(index, n), self._level(index, n)
        return ResultRow(
            index=index,
            id=f"toolu_01{index:05}Wqk{index % 10}",
            tool=made.tool,
            argument=made.argument,
            chars=made.chars,
            counted=self._counts(made),
            pairing=made.pairing,
            repaired_now=now and made.pairing is not Repair.OK,
            state=state,
            decided_now=now,
            level=level,
            wire_chars=self._wire(index, n),
            estimated=False,
            level_reason="writes or executes: kept" if level is Level.EXEMPT else "",
            recorded=made.recorded if self._wire(index, n) is not None else "",
            line=turn * 5 + 2,
            sentence=self._sentence(turn, state, level, n),
            turn=turn,
            request=turn + 1,
            age=max(0, n - turn - 1),
            is_error=made.tool == "Bash" and made.chars > 100_000,
        )

    def _sentence(self, turn: int, state: State, level: Level, n: int) -> str:
        group = self.turn(turn, n)
        if state is State.REPLACED:
            return (
                f"R replaced now: the group held {group.counted:,} of {group.limit:,} chars; "
                "this was its largest fresh result. The file holds the rest."
            )
        if state is State.MUST_REAPPLY:
            return f"r must-reapply: replaced at request {turn + 1}; the very same preview again."
        if level in {Level.TRUNCATED, Level.SUMMARIZED}:
            return f"▄ shortened: aged {n - turn - 1} requests; the policy shortened it."
        return f"{'F frozen now' if n == turn + 1 else 'f frozen'}: sent in full; the group fits its budget."

    def lifeline(self, index: int) -> Lifeline:
        spans: list[Span] = []
        for n in range(self._where[index] + 1, self.request_count + 1):
            state, level, chars = self._state(index, n), self._level(index, n), self._wire(index, n) or 0
            if not spans or (spans[-1].state, spans[-1].level, spans[-1].chars) != (state, level, chars):
                spans.append(Span(n, state, level, chars, decided=not spans))
        return tuple(spans)

    @cached_property
    def findings(self) -> Sequence[Finding]:
        out = []
        for n in range(1, self.request_count + 1):
            events = self.request(n).events
            ids = tuple(self.result(i, n).id for i in self._indices.get(n - 1, ()))
            if events & Event.OVER:
                fact = f"turn {n - 1} returned {self.turn(n - 1, n).counted:,} chars"
                out.append(Finding("over_turn_budget", Severity.WARNING, fact, n, ids[:1]))
            if events & Event.REPAIR:
                out.append(Finding("missing_result", Severity.ERROR, "a call has no result", n, ids[-1:]))
            if events & Event.BREAK:
                out.append(Finding("prefix_break", Severity.WARNING, "the system prompt changed", n))
            if events & Event.PLANNED_BREAK:
                out.append(Finding("prefix_break", Severity.INFO, "an ageing step of the policy", n))
        return out


class CrowdView(FakeView):
    """Very many results, each made when it is asked for."""

    def __init__(self, turns: int, each: int) -> None:
        super().__init__(1)
        self.request_count = turns + 1
        self.each = each

    def request(self, n: int) -> RequestRow:
        return RequestRow(n, f"m{n}", False, 1_000 * (n % 400), False, Event(0), 0, 0, None, None, n)

    def turn_results(self, t: int, n: int) -> Sequence[int]:
        return range((t - 1) * self.each, t * self.each)

    def turn(self, t: int, n: int) -> TurnRow:
        self.calls += 1
        return TurnRow(
            t, (("Bash", self.each),), 500 * self.each, 500 * self.each, 0, 200_000, 0, n == t + 1,
            500 * self.each, 0, n - t - 1, self.each, (("f", self.each),), Level.FULL, False,
        )  # fmt: skip

    def result(self, index: int, n: int) -> ResultRow:
        self.calls += 1
        return ResultRow(
            index, f"toolu_{index}", "Bash", f"echo {index}", 500, True, Repair.OK, False, State.FROZEN,
            False, Level.FULL, 500, False, "", "", index, "sent in full.",
        )  # fmt: skip

    def lifeline(self, index: int) -> Lifeline:
        return (Span(index // self.each + 2, State.FROZEN, Level.FULL, 500, True),)

    @cached_property
    def findings(self) -> Sequence[Finding]:
        return ()


OUTPUT = """\
============================= test session starts =============================
platform linux -- Python 3.12.4, pytest-8.3.2, pluggy-1.5.0
rootdir: …/invoice-import
collected 318 items

billing/tests/test_tax.py::test_rounds_half_even PASSED
billing/tests/test_tax.py::test_reverse_charge FAILED
billing/tests/test_rows.py::test_blank_row_is_skipped FAILED
billing/tests/test_rows.py::test_bom PASSED

================================== FAILURES ===================================
____________________________ test_reverse_charge _____________________________

    def test_reverse_charge(rows, rates):
        row = rows.with_country("SE")
>       assert tax(row, rates) == Decimal("0.00")
E       AssertionError: assert Decimal('25.00') == Decimal('0.00')

billing/tests/test_tax.py:71: AssertionError"""


class FakeDetails:
    """Texts for the detail pane."""

    def __init__(self, view: FakeView) -> None:
        self.view = view
        self.asked: list[tuple[Tab, int, int]] = []

    def text(self, tab: Tab, result_index: int, request: int) -> DetailText:
        self.asked.append((tab, result_index, request))
        row = self.view.result(result_index, request)
        if tab is Tab.OVERFLOW and row.level is not Level.PREVIEW:
            raise InspectorError("This result was never replaced, so it has no overflow file.")
        sizes = f"{row.wire_chars or 0:,} of {row.chars or 0:,} chars"
        if tab is Tab.WIRE and row.level is Level.PREVIEW:
            head = [
                "<persisted-output>",
                f"Output too large ({(row.chars or 0) / 1024:.1f}KB). Full output saved to: "
                f"…/tool-results/{row.id}.txt",
                "",
                "Preview (first 2KB):",
            ]
            lines = head + OUTPUT.splitlines()
            return DetailText(
                "\n".join(lines), f"what the model saw · {sizes}", dict.fromkeys(range(4), "replaced")
            )
        word = {"Wire": "what the model saw", "Transcript": "what the transcript holds"}.get(tab, tab.value)
        return DetailText(f"{row.tool} {row.argument}\n{OUTPUT}", f"{word} · {sizes}")


class FakeFeed:
    """A feed whose updates the test pushes."""

    fault: Exception | None = None

    def __init__(self, first: FeedUpdate | None) -> None:
        self.first = first
        self.stopped = False
        self.waits: list[str] = []
        self._post: Callable[[FeedUpdate], None] | None = None

    def start(self, post: Callable[[FeedUpdate], None]) -> None:
        self._post = post
        if self.first is not None:
            post(self.first)

    def stop(self) -> None:
        self.stopped = True

    def give_way(self) -> None:
        self.waits.append("gave way")

    def go_on(self) -> None:
        self.waits.append("went on")

    def push(
        self,
        view: FakeView,
        state: FeedState = FeedState.LIVE,
        *,
        progress: Progress | None = None,
        note: str = "",
    ) -> None:
        assert self._post is not None
        self._post(FeedUpdate(view, state, progress, note))
