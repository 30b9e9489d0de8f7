"""A bare app for tests of single screens and widgets, and hostile texts to show in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.app import App, ComposeResult
from textual.screen import Screen
from textual.widget import Widget

from inspector.app.sources.files import OpenedText
from inspector.app.sources.overflow import FileState, OverflowRow
from inspector.app.sources.sessions import SessionRow, SessionSummary
from inspector.app.theme import THEMES
from inspector.errors import UnreadableError
from inspector.model.findings import Finding, Severity

HOSTILE = (
    "[/x] \x1b[31mred\x1b[0m [@click=app.quit]quit[/] "
    "\x1b]0;owned\x07 \x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\ "
    "\x1b]52;c;ZXZpbA==\x07 \x1bP1;2|dcs\x1b\\ \x9b31m\x9d0;c1\x9c \x07\x00\x7f\x08\x0b\x0c\x0e\r "
    "\u202eevil\u2066\u2069 \u200b\u2028\u2029\x85\ufeff\U000e0041 \ud800\udfff "
    "e" + "\u0301" * 50
)
"""One line of what a terminal must never get from a session."""


class Stage(App[object]):
    """An app with the project's themes and one screen or widget."""

    def __init__(self, shown: Callable[[], Screen[object]] | Widget, theme: str = "dark") -> None:
        super().__init__()
        self.shown = shown
        self.results: list[object] = []
        self.posted: list[object] = []
        for each in THEMES.values():
            self.register_theme(each)
        self.theme = theme

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(THEMES["dark"].variables)

    def compose(self) -> ComposeResult:
        if isinstance(self.shown, Widget):
            yield self.shown

    def on_mount(self) -> None:
        if not isinstance(self.shown, Widget):
            self.push_screen(self.shown(), self.results.append)


class Folder:
    """An overflow source of invented files."""

    def __init__(
        self, rows: Sequence[OverflowRow], texts: dict[str, str], directory: str = "/s/tool-results"
    ) -> None:
        self._rows = rows
        self.texts = texts
        self._directory = directory
        self.opened: list[str] = []

    @property
    def directory(self) -> str:
        return self._directory

    def rows(self) -> Sequence[OverflowRow]:
        return self._rows

    def open(self, row: OverflowRow) -> OpenedText:
        self.opened.append(row.name)
        if row.name not in self.texts:
            raise UnreadableError(f"{row.name} is no plain file.")
        text = self.texts[row.name]
        data = text.encode("utf-8", "surrogatepass")
        return OpenedText(text, data, len(data))


def pytest_log() -> str:
    """A long text of the usual kind: 2,311 lines of a test run."""
    lines = [f"tests/test_orders.py::test_case_{n:04d} PASSED" for n in range(1, 1190)]
    lines += [
        "tests/test_login.py::test_refresh_reuse FAILED", "", "=" * 19 + " FAILURES " + "=" * 19,
        "    def test_refresh_rotates(client, user):", "        first = login(client, user)",
        ">       second = refresh(client, first.refresh_token, scope=first.scope, aud=first.aud)", "",
        "src/auth/session.py:118: in refresh", "    raise TokenReused(token.id)",
        "E   auth.errors.TokenReused: 7f3a",
        "", "tests/test_login.py:46: TokenReused", "\x1b[31mERROR\x1b[0m auth.session:session.py:118 reuse",
    ]  # fmt: skip
    lines += [f"tests/test_orders.py::test_case_{n:04d} PASSED" for n in range(len(lines) + 1, 2312)]
    return "\n".join(lines)


def folder() -> Folder:
    """A scratch directory with a file in every state."""
    written = (
        ("written", "request 38, 14:03:21"),
        ("result", "158,837 chars = 158,837 bytes"),
        ("preview", "2,164 chars, first 2,000 kept"),
        ("stated", "155.1KB, agrees"),
        ("read again", "request 62, lines 1–400: 30,912"),
    )

    def row(
        name: str, size: int | None, state: FileState, words: str = "", owner: str = "", n: int = 0
    ) -> OverflowRow:
        path = f"/s/tool-results/{name}"
        facts = written if n == 38 else ()
        return OverflowRow(name, path, size, state, words, owner, n or None, n * 2 or None, facts)

    rows = (
        row("toolu_01XyWqk3.txt", 158_837, FileState.READ_AGAIN, "read in 62", "turn 37 Bash", 38),
        row("toolu_01Xy5A6E.txt", 126_540, FileState.OK, "", "turn 32 Bash", 33),
        row("toolu_01XyQmkc.txt", 121_279, FileState.SIZE_DIFFERS, "121,300 stated", "turn 60 Bash", 61),
        row("toolu_01XyDDsk.txt", None, FileState.MISSING, "", "turn 92 Grep", 93),
        row("bk3x91q0z.txt", 96_004, FileState.NO_OWNER),
        row("bq80rwm2f.txt", 136_226, FileState.NO_OWNER),
    )
    texts = {row.name: pytest_log() for row in rows if row.size_bytes}
    texts["toolu_01Xy5A6E.txt"] = (
        '{"status": "ok", "items": [1, 2.50, {"id": "a\\u001bb"}], "status": "twice"}'
    )
    return Folder(rows, texts)


class Catalog:
    """A session catalog of invented sessions."""

    looked_in = (("Claude Code", "~/.claude/projects"), ("ChatCLI", "~/.chatcli/sessions"))

    def __init__(self, rows: Sequence[SessionRow], summaries: dict[str, SessionSummary]) -> None:
        self._rows = rows
        self._summaries = summaries

    def sessions(self) -> Sequence[SessionRow]:
        return self._rows

    def summary(self, row: SessionRow) -> SessionSummary:
        if row.path not in self._summaries:
            raise UnreadableError("not a transcript: line 1 is no JSON")
        return self._summaries[row.path]


NOW = 1_800_000_000.0


def catalog() -> Catalog:
    """Sessions of several kinds and ages."""
    grow = tuple(60_000 + 9_000 * n for n in range(72)) + tuple(80_000 + 4_000 * n for n in range(40))
    window = 720_000
    shop, code = "~/code/shop", "Claude Code"
    data = (
        ("refactor-auth", shop, code, 6_100_000, 5, SessionSummary(
            112, 711_977, over=4, repairs=3, breaks=1, differs=1, compactions=1,
            curve=grow, window_chars=window,
        )),
        ("migrate-billing", "~/code/billing", code, 2_000_000, 20, SessionSummary(
            41, 338_004, repairs=1, curve=grow[:41], window_chars=window
        )),
        ("fix-flaky-e2e", shop, code, 14_800_000, 2_290, SessionSummary(
            208, 701_220, over=1, breaks=9, others=2, curve=grow[:72], window_chars=window
        )),
        ("docs pass", shop, code, 400_000, 7_300, SessionSummary(
            12, 61_730, curve=(20_000, 61_730), window_chars=window
        )),
        ("chatcli 2026-11-29", "~/code/ops", "ChatCLI", 5_200_000, 90_000, SessionSummary(
            63, 590_046, peak_estimated=True, over=6, differs=1, curve=grow[:63]
        )),
        ("agent-9f31 (sub-agent)", "~/code/gateway", code, 800_000, 90_500, SessionSummary(
            18, 120_431, curve=grow[:9], window_chars=window
        )),
        ("broken transcript", "~/lab/damaged", code, 20_000, 260_000, None),
    )  # fmt: skip
    rows, summaries = [], {}
    for name, project, source, size, age, summary in data:
        path = f"/home/u/{name}.jsonl"
        rows.append(SessionRow(path, name, project, source, size, NOW - age, age < 60))
        if summary is not None:
            summaries[path] = summary
    return Catalog(rows, summaries)


def findings() -> list[Finding]:
    """Many that only inform, and a few that matter."""
    error, warning, info = Severity.ERROR, Severity.WARNING, Severity.INFO
    out = [
        Finding(
            "prefix_break", info, f"Request {n} breaks the prefix at toolu_01Ab{n:02d} by ageing.",
            request=n, ids=(f"toolu_01Ab{n:02d}",), cause="The result reached age 2 and was truncated.",
        )
        for n in range(3, 60, 2)
    ]  # fmt: skip
    out += [
        Finding(
            "missing_result", error, "toolu_01Qq91 (Bash) has no result; the wire holds a synthetic one.",
            request=36, ids=("toolu_01Qq91",), cause="The record after line 208 is cut off.", see="line 208",
        ),
        Finding(
            "over_turn_budget", warning, "The group held 241,000 of 200,000 chars; 1 result was replaced.",
            request=38, ids=("toolu_01XyWqk3", "toolu_01Xy22"),
        ),
        Finding(
            "overflow_missing", error, "The text of toolu_01XyDDsk should be in tool-results; it is not.",
            request=93, ids=("toolu_01XyDDsk",), see="tool-results",
        ),
        Finding("bad_line", error, "Line 46 is not JSON: bytes 102,331 to 104,002.", see="line 46"),
        Finding("compaction", info, "The session compacted from 188,000 to 21,000 tokens.", request=78),
    ]  # fmt: skip
    return sorted(out, key=lambda finding: finding.request or 0)
