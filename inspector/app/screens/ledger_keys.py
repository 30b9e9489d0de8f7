"""Keys of the ledger: one table, from which bindings, hints, help and palette are made."""

from __future__ import annotations

from textual.binding import Binding

from inspector.app.places import SCREEN_KEYS

BINDINGS: tuple[Binding, ...] = (
    Binding("left", "step(-1)", "request back", id="step.back", tooltip="One request back"),
    Binding("right", "step(1)", "request on", id="step.on", tooltip="One request on"),
    Binding("left_square_bracket", "turn(-1)", "turn back", id="step.turn_back", tooltip="One turn back"),
    Binding("right_square_bracket", "turn(1)", "turn on", id="step.turn_on", tooltip="One turn on"),
    Binding("home", "first", "first request", id="step.first", tooltip="First request"),
    Binding("end", "newest", "newest request", id="step.newest", tooltip="Newest request, and follow"),
    Binding("n", "finding(1)", "next finding", id="step.finding", tooltip="Next finding"),
    Binding("N", "finding(-1)", "finding before", id="step.finding_before", tooltip="Previous finding"),
    Binding(
        "asterisk",
        "changed",
        "last change",
        id="step.changed",
        tooltip="Request in which the selected result last changed",
    ),
    Binding("colon", "ask", "go to request", id="step.go_to", tooltip="Go to a request by number"),
    Binding("f", "follow", "follow", id="step.follow", tooltip="Follow the newest request, or stop"),
    Binding("1", "stage(1)", "pairing alone", id="stage.1", tooltip="Pairing over the whole width"),
    Binding("2", "stage(2)", "budget alone", id="stage.2", tooltip="Budget over the whole width"),
    Binding("3", "stage(3)", "state alone", id="stage.3", tooltip="State over the whole width"),
    Binding("4", "stage(4)", "ageing alone", id="stage.4", tooltip="Ageing over the whole width"),
    Binding("tab", "pane", "next pane", id="detail.pane", tooltip="Next pane, next detail tab"),
    Binding("shift+tab", "pane", "pane before", id="detail.pane_before", show=False),
    Binding(
        "c", "copy", "copy", id="detail.copy", tooltip="Copy the text shown, control characters as signs"
    ),
    Binding("p", "preset", "policy preset", id="screen.preset", tooltip="Show it under the next policy"),
    Binding("escape", "back", "back", id="app.back", tooltip="Back: to the list, to all stages"),
    *(entry.binding for entry in SCREEN_KEYS),
)
"""Every key of the ledger. The ids are what a user's keymap names."""

HINTS = (
    ("step", ("step.back", "step.on"), ""),
    ("finding", ("step.finding", "step.finding_before"), "/"),
    *((entry.word, (f"screen.{entry.name}",), "") for entry in SCREEN_KEYS),
    ("turn", ("step.turn_back", "step.turn_on"), ""),
    ("follow", ("step.follow",), ""),
    ("changed", ("step.changed",), ""),
    ("one stage", ("stage.1", "stage.4"), "–"),
    ("go to", ("step.go_to",), ""),
    ("copy", ("detail.copy",), ""),
)
"""Word, binding ids, and what joins their keys in the bottom line, the most needed first."""
