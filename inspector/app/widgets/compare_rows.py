"""Results and requests that two policies send differently, as rows."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment

from inspector.app.theme import Ink
from inspector.app.widgets.drawing import FixedLines, Line
from inspector.figures import number
from inspector.replay.differences import RequestDifference, ResultDifference
from inspector.report.compare import signed
from inspector.text import fit, fit_argument


def _edges(width: int) -> tuple[int, int, int]:
    """Right edges of A, B and their difference."""
    step = 18 if width >= 100 else 13
    return width - 3 - 2 * step, width - 3 - step, width - 3


def _draw_sizes(line: Line, width: int, a: int, b: int) -> None:
    at, bt, dt = _edges(width)
    difference = b - a
    line.right(at, number(a), "muted").right(bt, number(b), "fg")
    line.right(dt, signed(difference), "ok" if difference < 0 else "over-budget" if difference else "muted")


class ResultDifferences:
    """Rows of results (`line_view.Rows`)."""

    def __init__(self, rows: Sequence[ResultDifference], revision: int) -> None:
        self.rows = rows
        self.revision = revision

    def __len__(self) -> int:
        return len(self.rows)

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Turn, name, and what each policy sent of it over all requests."""
        found = self.rows[row]
        line = Line(ink, "select" if selected else "bg")
        line.put("▌" if selected else " ", "accent").at(2, f"turn {found.turn}", "muted")
        room = _edges(width)[0] - 13 - 12
        tool = fit(found.tool or "(no call)", min(room, 24), "end")
        line.at(13, tool, "fg", bold=True)
        line.put(f" {fit_argument(found.argument, max(0, room - len(tool) - 1))}", "muted")
        _draw_sizes(line, width, found.a_sent, found.b_sent)
        return line.segments


class RequestDifferences:
    """Rows of requests (`line_view.Rows`)."""

    def __init__(self, rows: Sequence[RequestDifference], revision: int) -> None:
        self.rows = rows
        self.revision = revision

    def __len__(self) -> int:
        return len(self.rows)

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Number, whose prefix breaks, and the size under each policy."""
        found = self.rows[row]
        line = Line(ink, "select" if selected else "bg")
        line.put("▌" if selected else " ", "accent").at(2, f"request {found.n}", "fg")
        words = {
            (True, False): "╎ A breaks the prefix",
            (False, True): "╎ B breaks the prefix",
            (True, True): "╎ both break the prefix",
        }
        broken = words.get((found.a_broken, found.b_broken), "")
        line.at(18, fit(broken, _edges(width)[0] - 30), "prefix-break" if found.b_broken else "muted")
        _draw_sizes(line, width, found.a_chars, found.b_chars)
        return line.segments


class DifferenceHead(FixedLines):
    """The head of either list."""

    ground = "surface"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._title = ""

    def show(self, title: str) -> None:
        """Draw another title."""
        self._title = title
        self.refresh()

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:  # noqa: ARG002 (it has one row)
        """Draw the title and the names of the columns."""
        line = Line(ink, "surface")
        a, b, difference = _edges(width)
        line.at(2, fit(self._title, a - 12), "muted")
        return (
            line.right(a, "A sent", "muted").right(b, "B sent", "muted").right(difference, "B − A", "muted")
        )
