"""Fields of two policies side by side: a row per field, those that differ marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rich.segment import Segment

from inspector.app.theme import Ink
from inspector.app.widgets.drawing import FixedLines, Line
from inspector.figures import number
from inspector.model.policy import Policy, Unit
from inspector.model.policy_fields import Change, field_changes, words_of
from inspector.replay.sentences import UNIT_HEADS
from inspector.text import cells, fit

LABEL_CELLS, NARROW_LABEL_CELLS = 22, 19
"""Cells of the label and its margin; less where the values would have no room."""
_NARROW = 45
_MARK = "◄"


class _Layout(NamedTuple):
    label: int
    """Cells of the label."""
    a_edge: int
    """Right edge of the first value."""
    b_edge: int
    value: int
    """Cells of a value."""


def _layout(width: int) -> _Layout:
    label = LABEL_CELLS if width >= _NARROW else NARROW_LABEL_CELLS
    b_edge = width - 4
    value = max(7, (b_edge - label - 1) // 2)
    return _Layout(label - 2, b_edge - value - 1, b_edge, value)


def short_value(value: Any, width: int) -> str:
    """A value for a table: figures with separators, the order of the stages by their initials.

    Args:
        value: Of any field.
        width: Cells that it has; the order and the unit have a form for few of them.
    """
    if isinstance(value, bool) or value is None:
        return words_of(value)
    if isinstance(value, int):
        return number(value)
    if isinstance(value, tuple):
        initials = [stage.value[0].upper() for stage in value]
        return " → ".join(initials) if 4 * len(initials) - 3 <= width else "→".join(initials)
    words = words_of(value) or "—"
    return UNIT_HEADS[value] if isinstance(value, Unit) and cells(words) > width else words


class FieldRows:
    """Rows of all fields (`line_view.Rows`)."""

    def __init__(self, a: Policy, b: Policy, revision: int) -> None:
        """Args:
        a: The policy of the first column.
        b: The policy of the second column.
        revision: Rises with every change of either.
        """
        self.changes: list[Change] = field_changes(a, b)
        self.revision = revision

    def __len__(self) -> int:
        return len(self.changes)

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Label, both values, and a mark where they differ."""
        change = self.changes[row]
        layout = _layout(width)
        line = Line(ink, "select" if selected else "bg")
        line.put("▌" if selected else " ", "accent")
        differs = change.differs
        bold = True if differs else None
        line.at(2, fit(change.field.label, layout.label), "strong" if differs else "muted", bold=bold)
        a, b = (fit(short_value(value, layout.value), layout.value) for value in (change.a, change.b))
        line.right(layout.a_edge, a, "fg" if differs else "muted")
        name = "accent" if differs else "muted"
        line.right(layout.b_edge, b, name, bold=bold)
        if differs:
            line.put(f" {_MARK}", "accent")
        return line.segments


class FieldHead(FixedLines):
    """The head of the two columns."""

    ground = "surface"

    def __init__(self, a: str, b: str, *, id: str | None = None) -> None:
        """Make a head.

        Args:
            a: What the first column is called.
            b: What the second column is called.
            id: The widget's id.
        """
        super().__init__(id=id)
        self._names = (a, b)

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:  # noqa: ARG002 (it has one row)
        """Draw the names of the columns."""
        layout = _layout(width)
        line = Line(ink, "surface").at(2, "policy field", "muted")
        return line.right(layout.a_edge, self._names[0], "muted").right(
            layout.b_edge, self._names[1], "muted"
        )
