"""The top lines: which session under which policy, how it stands, and the facts of this request."""

from __future__ import annotations

from textual.reactive import reactive

from inspector.app.feed import FeedState, FeedUpdate, Progress
from inspector.app.frame import Frame
from inspector.app.signs import DIFFERS, EVENTS, MARK, Sign
from inspector.app.theme import Ink
from inspector.app.widgets.drawing import Line, OneLine, Part, parts_width, put_parts
from inspector.figures import count_words, duration_words, number, percent
from inspector.replay.sentences import UNIT_WORDS
from inspector.replay.view import Event, RequestRow, SessionView
from inspector.text import cells, fit, printable_line

NOTED = frozenset({FeedState.REPLACED, FeedState.TRUNCATED, FeedState.DELETED, FeedState.UNREADABLE})
"""States that need a sentence of their own."""
WIDE = 100
MARK_CELLS = 32
"""Cells of a mark's note among the events; `'` lists it in full."""
LEAST_TITLE, TITLE_CELLS = 8, 32
"""Cells of a title that say which session it is: at the very least, and before anything else is said."""


def status_parts(frame: Frame, *, wide: bool) -> list[Part]:
    """How it stands with following and with the file, in words.

    Args:
        frame: What is shown.
        wide: Whether there is room for whole sentences.
    """
    state = frame.update.state
    if state is FeedState.INDEXING:
        return [("indexing", "accent", True)]
    if state is FeedState.DELETED:
        return [("× deleted", "over-budget", True)]
    if state is FeedState.UNREADABLE:
        return [("× unreadable", "over-budget", True)]
    if frame.playing:
        return [("► playing 4/s · Space stops" if wide else "► playing 4/s", "accent", True)]
    if not frame.following and state is not FeedState.ENDED:
        new = frame.fresh_requests
        if not new:
            return [("║ paused · End follows" if wide else "║ paused", "replaced", True)]
        words = count_words(new, "new request") + " · End follows" if wide else f"{new} new"
        return [(f"║ paused · {words}", "replaced", True)]
    if state is FeedState.ENDED:
        at = frame.update.ended_at
        # A day is longer than a time of day, and less often what one looks for.
        return [(f"■ ended {at if wide or ':' in at else ''}".rstrip(), "muted", None)]
    return [("● live", "ok", True)]


def place_part(frame: Frame, *, wide: bool) -> Part:
    """Which request is shown, of how many."""
    more = "+" if frame.update.state is FeedState.INDEXING else ""
    count = frame.view.request_count
    if not frame.request:
        return ("no request yet" if wide else "—", "strong", True)
    mark = f"{MARK.sign} " if frame.request in frame.marked else ""
    if wide:
        return (f"{mark}request {frame.request} of {count}{more}", "strong", True)
    return (f"{mark}{frame.request} / {count}{more}", "strong", True)


class Header(OneLine):
    """One line: session, source, policy; at the right the state and the request."""

    DEFAULT_CSS = "Header { height: 1; background: $panel; }"
    ground = "panel"
    frame: reactive[Frame | None] = reactive(None, repaint=False)

    def draw(self, width: int, ink: Ink) -> Line:
        """Draw the line; what stands behind the title gives way before the title's first words do."""
        line = Line(ink, "panel")
        frame = self.frame
        if frame is None:
            return line.at(1, "inspector", "strong", bold=True)
        wide = width >= WIDE
        right = [*status_parts(frame, wide=wide), ("  ", "fg", None), place_part(frame, wide=wide)]
        edge = width - 1 - parts_width(right)
        view = frame.view
        forms = _wide_forms(view) if wide else _narrow_forms(frame)
        rooms = [edge - 3 - parts_width(parts) for parts in forms]
        wanted = min(TITLE_CELLS, cells(printable_line(view.title))) if wide else LEAST_TITLE
        at = next((i for i, room in enumerate(rooms) if room >= wanted), len(forms) - 1)
        line.at(1, fit(view.title, max(LEAST_TITLE, rooms[at])), "strong", bold=True)
        put_parts(line, forms[at])
        line.to(edge)
        put_parts(line, right)
        return line

    def watch_frame(self) -> None:
        """Draw the new frame."""
        self.redraw()


def _wide_forms(view: SessionView) -> list[list[Part]]:
    """What stands behind the title, the fullest form first.

    Which rules are assumed changes what every figure means, so the source and the reason go first.
    """
    policy: list[Part] = [("   policy ", "muted", None), (view.policy.name, "fg", None)]
    source: Part = (f"  {view.source}", "muted", None)
    if not view.policy_note:
        return [[source, *policy], policy]
    note, short = (f" {view.policy_note}", "muted", None), (f" {_brief(view.policy_note)}", "muted", None)
    return [[source, *policy, note], [*policy, note], [*policy, short], policy]


def _brief(note: str) -> str:
    """What a note says of the budget, and whether it is assumed; without the reasons."""
    said = note[max(0, note.find("budget")) :]
    decided, _, reason = said.partition(" (")
    return f"{decided} (assumed)" if reason.startswith("assumed") else decided


def _narrow_forms(frame: Frame) -> list[list[Part]]:
    """The same where there is little room: the size on the wire stands here instead of a facts line."""
    policy: list[Part] = [("  ", "fg", None), (frame.view.policy.name, "muted", None)]
    row = frame.row
    if row is None:
        return [policy]
    approx = "≈" if row.estimated else ""
    unit = UNIT_WORDS[frame.view.policy.unit]
    wire: list[Part] = [(f"  {approx}{number(row.wire_chars)}", "fg", None), (f" {unit}", "muted", None)]
    return [[*policy, *wire], policy]


def event_signs(row: RequestRow) -> list[Sign]:
    """Everything that happened at a request, strongest first."""
    found = [sign for event, sign in EVENTS.items() if row.events & event]
    return [*found, DIFFERS] if row.events & Event.DIFFERS else found


class Facts(OneLine):
    """One line of figures on the request shown, and all its events."""

    DEFAULT_CSS = "Facts { height: 1; }"
    frame: reactive[Frame | None] = reactive(None, repaint=False)

    def draw(self, width: int, ink: Ink) -> Line:
        """Draw figures at the left and events at the right; events never give way."""
        line = Line(ink)
        frame = self.frame
        if frame is None or frame.row is None:
            return line
        row = frame.row
        events: list[Part] = []
        note = frame.marked.get(frame.request)
        if note is not None:
            events.append((f"{MARK.sign} {fit(note, MARK_CELLS) or MARK.word}", MARK.name, True))
        for sign in event_signs(row):
            events.append((f"{'  ' if events else ''}{sign.sign} {sign.word}", *self._look(sign)))
        edge = width - 1 - parts_width(events)
        line.to(1)
        for parts in self._figures(row, frame):
            if line.cell + parts_width(parts) + 2 > edge:
                break
            put_parts(line, parts)
        line.to(edge)
        put_parts(line, events)
        return line

    @staticmethod
    def _look(sign: Sign) -> tuple[str, bool | None]:
        name = "muted" if sign.name == "ghost" else sign.name
        return name, True if sign.name == "over-budget" else None

    @staticmethod
    def _figures(row: RequestRow, frame: Frame) -> list[list[Part]]:
        approx = "≈" if row.estimated else ""
        unit = UNIT_WORDS[frame.view.policy.unit]
        out: list[list[Part]] = [
            [(f"{approx}{number(row.wire_chars)}", "strong", True), (f" {unit} on the wire", "muted", None)]
        ]
        if row.pending:
            ended = frame.update.state is FeedState.ENDED
            out.append([("   not answered" if ended else "   not answered yet", "muted", None)])
        if row.usage is not None:
            context = row.usage.context
            out.append([(f"   {number(context)}", "fg", None), (" tokens", "muted", None)])
            window = frame.view.window_tokens
            if window and context > window * 0.9:
                out.append([(f" {percent(context, window)} of the window", "over-budget", None)])
            out.append([("   cache read ", "muted", None), (number(row.usage.cache_read), "fg", None)])
        if row.thinking_chars:
            thought = number(row.thinking_chars)
            # That of earlier answers is in the request itself: the Wire screen and `why` count it.
            words = "   thinking in its answer "
            out.append([(words, "muted", None), (thought, "fg", None), (f" {unit}", "muted", None)])
        return out

    def watch_frame(self) -> None:
        """Draw the new frame."""
        self.redraw()


class Notice(OneLine):
    """One line below the header: progress of indexing, or what became of the file. Else hidden."""

    DEFAULT_CSS = "Notice { height: 1; display: none; } Notice.-shown { display: block; }"
    frame: reactive[Frame | None] = reactive(None, repaint=False)

    def watch_frame(self, frame: Frame | None) -> None:
        """Show the line only where there is something to say."""
        shown = frame is not None and bool(notice_shown(frame.update))
        self.set_class(shown, "-shown")
        self.redraw()

    def draw(self, width: int, ink: Ink) -> Line:
        """Draw the bar or the sentence."""
        line = Line(ink)
        if self.frame is None:
            return line
        update = self.frame.update
        if update.progress is not None and update.state is FeedState.INDEXING:
            draw_progress(line, update.progress, width)
            return line
        lost = update.state in (FeedState.DELETED, FeedState.UNREADABLE)
        name = "over-budget" if lost else "replaced"
        word = "polling" if update.state is FeedState.LIVE else update.state.value
        line.at(1, f"{'×' if lost else '!'} {word}", name, bold=True)
        line.at(17, fit(update.note, max(0, width - 18)), "fg")
        return line


def notice_shown(update: FeedUpdate) -> bool:
    """Whether an update needs a line of its own."""
    if update.state is FeedState.INDEXING:
        return update.progress is not None
    return update.state in NOTED or (update.state is FeedState.LIVE and bool(update.note))


def draw_progress(line: Line, progress: Progress, width: int) -> None:
    """Draw a thin bar and the figures it stands for.

    Args:
        line: Where to draw.
        progress: How far it is.
        width: Cells of the whole line.
    """
    done, total = progress.done_bytes, max(progress.total_bytes, 1)
    words = f"{percent(min(done, total), total)}  {_megabytes(done)} of {_megabytes(total)} MB"
    if progress.remaining_s is not None:
        seconds = max(1, round(progress.remaining_s))
        words += f"   about {f'{seconds} s' if seconds < 60 else duration_words(seconds)}"
    room = max(10, width - 4 - cells(words))
    filled = min(room, round(room * min(1.0, done / total)))
    line.at(1, "━" * filled, "accent").put("━" * (room - filled), "line").put(f"  {words}", "muted")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f}" if size >= 10_000_000 else f"{size / 1e6:.1f}"
