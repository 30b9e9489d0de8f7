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
    Binding(
        "number_sign",
        "changes_next",
        "next change",
        id="step.changes_next",
        tooltip="Request in which the selected result changes next",
    ),
    Binding("r", "run(1)", "run on", id="step.run", tooltip="Run to the next request that breaks"),
    Binding("R", "run(-1)", "run back", id="step.run_back", tooltip="Run back to the request that breaks"),
    Binding("B", "stops", "break conditions", id="step.stops", tooltip="Choose where a run breaks"),
    Binding("b", "mark", "mark", id="step.mark", tooltip="Set a mark with a note, or remove it"),
    Binding("apostrophe", "marks", "marks", id="step.marks", tooltip="List of marks"),
    Binding("space", "play", "play", id="step.play", tooltip="Let requests go by, or stop"),
    Binding("slash", "filter", "filter", id="rows.filter", tooltip="Filter the results while you type"),
    Binding("a", "agents", "sub-agents", id="screen.agents", tooltip="All conversations of the session"),
    Binding("backspace", "agent_back", "leave the agent", id="agent.back", tooltip="Back from a sub-agent"),
    Binding(
        "A", "agent_call", "the agent's call", id="agent.call", tooltip="The call that started the agent"
    ),
    Binding("colon", "ask", "go to request", id="step.go_to", tooltip="Go to a request by number"),
    Binding("f", "follow", "follow", id="step.follow", tooltip="Follow the newest request, or stop"),
    Binding("1", "stage(1)", "pairing alone", id="stage.1", tooltip="Pairing over the whole width"),
    Binding("2", "stage(2)", "budget alone", id="stage.2", tooltip="Budget over the whole width"),
    Binding("3", "stage(3)", "state alone", id="stage.3", tooltip="State over the whole width"),
    Binding("4", "stage(4)", "ageing alone", id="stage.4", tooltip="Ageing over the whole width"),
    Binding("tab", "pane", "next pane", id="detail.pane", tooltip="Next pane, next detail tab"),
    Binding("shift+tab", "pane", "Pane before, detail tab before", id="detail.pane_before", show=False),
    Binding(
        "c", "copy", "copy", id="detail.copy", tooltip="Copy the text shown, control characters as signs"
    ),
    Binding("C", "save", "save", id="detail.save", tooltip="Save the text of the view shown to a file"),
    Binding("e", "editor", "$EDITOR", id="detail.editor", tooltip="Overflow file or record in $EDITOR"),
    Binding(
        "L",
        "copy_place",
        "copy path:line",
        id="detail.copy_place",
        tooltip="Copy file and line of the record",
    ),
    Binding("p", "preset", "policy preset", id="screen.preset", tooltip="Show it under the next policy"),
    Binding("escape", "back", "back", id="app.back", tooltip="Back: to the list, to all stages"),
    *(entry.binding for entry in SCREEN_KEYS),
)
"""Every key of the ledger. The ids are what a user's keymap names."""

HINTS = (
    ("leave the agent", ("agent.back",), ""),
    ("step", ("step.back", "step.on"), ""),
    ("finding", ("step.finding", "step.finding_before"), "/"),
    ("tab", ("tab.before", "tab.next"), ""),
    *((entry.word, (f"screen.{entry.name}",), "") for entry in SCREEN_KEYS),
    ("filter", ("rows.filter",), ""),
    ("turn", ("step.turn_back", "step.turn_on"), ""),
    ("follow", ("step.follow",), ""),
    ("changed", ("step.changed", "step.changes_next"), "/"),
    ("play", ("step.play",), ""),
    ("run", ("step.run",), ""),
    ("mark", ("step.mark",), ""),
    ("one stage", ("stage.1", "stage.4"), "–"),
    ("go to", ("step.go_to",), ""),
    ("agents", ("screen.agents",), ""),
    ("copy", ("detail.copy",), ""),
)
"""Word, binding ids, and what joins their keys in the bottom line, the most needed first."""
