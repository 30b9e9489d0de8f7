"""The what-if panel: every field of the policy, and at once what a change of it would have meant.

It lies over the lower half of the ledger, which goes on showing the session: list, timeline and
totals are those of the edited policy as soon as the replay of it is done.
"""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widgets import Input, Static

from inspector.app.feed import FeedUpdate
from inspector.app.replaying import ReplayingScreen
from inspector.app.sources.policies import Policies
from inspector.app.tabs import is_shown
from inspector.app.widgets.bar import Bar, Word
from inspector.app.widgets.key_bar import KeyBar
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.policy_rows import FieldHead, FieldRows
from inspector.app.widgets.prompt import Prompt
from inspector.app.widgets.totals import TotalsTable
from inspector.errors import InspectorError
from inspector.figures import count_words
from inspector.model.policy import PRESETS, Policy
from inspector.model.policy_fields import changed_fields, field_of, parse, stepped, told, words_of
from inspector.replay.trade import CAVEAT

REPLAY_AFTER_S = 0.15
"""A value that is held down steps on; the replay begins when it rests."""
GROW_AFTER_S = 1.0
"""A session that grows is compared anew no faster than this."""
TALL = 30
WIDE = 100
HINTS = (
    ("change", ("whatif.before", "whatif.next")),
    ("type", ("rows.pick",)),
    ("undo", ("whatif.undo",)),
    ("all back", ("whatif.defaults",)),
    ("preset", ("whatif.preset",)),
    ("save", ("whatif.save",)),
    ("load", ("whatif.load",)),
    ("keep, back", ("whatif.back",)),
)
"""Words of the bottom line and the actions that they stand for."""


class WhatIfScreen(ReplayingScreen[None]):
    """Edit a copy of the policy; the session behind is shown under it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "change(1)", "next value", id="whatif.next", tooltip="Next value of the field"),
        Binding("left", "change(-1)", "value before", id="whatif.before", tooltip="Value before"),
        Binding("u", "undo", "undo the field", id="whatif.undo", tooltip="The field as it was"),
        Binding("d", "defaults", "all fields back", id="whatif.defaults",
                tooltip="The policy that the session was opened under"),
        Binding("p", "preset", "next preset", id="whatif.preset", tooltip="Begin with the next preset"),
        Binding("S", "save", "save the policy", id="whatif.save", tooltip="Save as a TOML file"),
        Binding("L", "load", "load a policy", id="whatif.load", tooltip="Load a TOML file"),
        Binding("escape", "leave", "back", id="whatif.back", tooltip="Back; the session stays as shown"),
    ]  # fmt: skip

    DEFAULT_CSS = """
    WhatIfScreen { background: $bg 0%; align: left bottom; }
    WhatIfScreen #panel { height: 21; background: $bg; }
    WhatIfScreen #body { height: 1fr; }
    WhatIfScreen #fields { width: 56; }
    WhatIfScreen #totals { width: 1fr; border-left: vkey $line; }
    WhatIfScreen.-short #panel { height: 16; }
    WhatIfScreen.-narrow #fields { width: 40; }
    WhatIfScreen #ask { height: 1; background: $surface; display: none; }
    WhatIfScreen #ask Static {
        width: auto; padding: 0 1; color: $accent; text-style: bold; background: $surface;
    }
    WhatIfScreen #ask Prompt { width: 1fr; background: $surface; }
    WhatIfScreen.-asking #ask { display: block; }
    WhatIfScreen.-asking #hints { display: none; }
    """

    def __init__(self, policies: Policies) -> None:
        """Open the panel.

        Args:
            policies: Who replays; what it shows now is what is edited.
        """
        super().__init__()
        self._policies = policies
        self.base = policies.base
        self.policy = policies.current
        """The edited policy, as the panel shows it."""
        self._root = self._root_of(self.policy)
        self._revision = 0
        self._asking = ""
        """What the prompt asks for: a field's dotted name, `save` or `load`."""
        self._problem = ""
        self.pending = True
        """Whether a replay of `policy` is still to come."""
        self._leaving = False
        self._timer: Timer | None = None
        self._compared_revision = 0
        """State of the session that the figures shown are of."""

    def _root_of(self, policy: Policy) -> Policy:
        """The policy that this one is an edited copy of."""
        name = policy.name.rstrip("*")
        return self.base if name == self.base.name.rstrip("*") else PRESETS.get(name, self.base)

    def compose(self) -> ComposeResult:
        """Title, fields beside totals, hints or prompt."""
        with Vertical(id="panel"):
            yield Bar(id="title", ground="panel")
            with Horizontal(id="body"):
                with Vertical(id="fields"):
                    yield FieldHead("base", "what-if", id="field-head")
                    yield LineView(id="rows")
                yield TotalsTable("base", "what-if", id="totals")
            yield KeyBar(HINTS)
            with Horizontal(id="ask"):
                yield Static("", markup=False, id="asked")
                yield Prompt(id="value")

    def on_mount(self) -> None:
        """Show the policy in force, and what it means."""
        self._rows.focus()
        self._draw()
        self._replay()
        if hasattr(self.app, "update"):
            self.watch(self.app, "update", self._grow, init=False)

    def on_resize(self, event: events.Resize) -> None:
        """Choose what has room."""
        self.set_class(event.size.height < TALL, "-short")
        self.set_class(event.size.width < WIDE, "-narrow")

    @property
    def _rows(self) -> LineView:
        return self.query_one("#rows", LineView)

    @property
    def path(self) -> str:
        """Dotted name of the field under the cursor."""
        rows = self._rows.rows
        assert isinstance(rows, FieldRows)
        return rows.changes[self._rows.cursor].field.path

    # -- drawing ------------------------------------------------------------------------------

    def _draw(self) -> None:
        self._revision += 1
        self._rows.set_rows(FieldRows(self.base, self.policy, self._revision))
        self._draw_title()
        self._explain()

    def _draw_title(self) -> None:
        changed = len(changed_fields(self.base, self.policy))
        words = [Word("What-if", "strong", bold=True), Word(self.policy.name, "accent", bold=True, gap=3)]
        words.append(Word(f"{count_words(changed, 'field')} changed" if changed else "as opened", "muted"))
        if self._problem:
            words.append(Word(self._problem, "over-budget", gap=3))
        elif self.pending:
            words.append(Word("replaying …", "accent", gap=3))
        right = [Word(CAVEAT if self.size.width >= WIDE else "≈ a replay", "muted")]
        self.query_one("#title", Bar).show(words, right)

    @on(LineView.Highlighted)
    def _explain(self) -> None:
        field = field_of(self.path)
        value = self.policy.flat()[field.path]
        words = told(value) or "no tool"
        about = [field.about, f"Now: {words}."]
        if self.size.width < WIDE:
            about.reverse()  # the columns cut the value, and the end of this has no room
        self.query_one(TotalsTable).explain(field.label.strip(), " ".join(about))

    # -- replay -------------------------------------------------------------------------------

    def edit(self, policy: Policy) -> None:
        """Take an edited policy; the replay of it begins when the person rests."""
        if policy == self.policy:
            return
        self.policy = policy
        self.pending = True
        self._problem = ""
        self._draw()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(REPLAY_AFTER_S, self._replay)

    def _replay(self) -> None:
        self._timer = None
        self.ask(self._policies, self.base, self.policy, show=True)

    @on(ReplayingScreen.Replayed)
    def _take(self, event: ReplayingScreen.Replayed) -> None:
        if event.b != self.policy:
            return
        self.pending = False
        self._problem = event.problem
        update: FeedUpdate | None = getattr(self.app, "update", None) if is_shown(self) else None
        self._compared_revision = update.view.revision if update is not None else 0
        self.query_one(TotalsTable).show(event.comparison)
        self._draw_title()
        if self._leaving:
            self.dismiss(None)

    def _grow(self, update: FeedUpdate | None) -> None:
        """Compare again, now and then, while the session grows behind the panel."""
        if not is_shown(self):
            return
        if update is not None and update.view.revision != self._compared_revision and self._timer is None:
            self._timer = self.set_timer(GROW_AFTER_S, self._replay)

    # -- values -------------------------------------------------------------------------------

    def _set(self, path: str, value: object) -> None:
        policy = self.policy.with_field("name", self._root.name).with_field(path, value)
        if changed_fields(self._root, policy):
            policy = policy.with_field("name", f"{self._root.name.rstrip('*')}*")
        self.edit(self.base if not changed_fields(self.base, policy) else policy)

    def action_change(self, direction: int) -> None:
        """Go to the next value of the field, or the one before."""
        path = self.path
        value = self.policy.flat()[path]
        after = stepped(path, value, direction)
        if after == value:
            self.action_type()
        else:
            self._set(path, after)

    def action_undo(self) -> None:
        """Put one field back to what it was when the session was opened."""
        self._set(self.path, self.base.flat()[self.path])

    def action_defaults(self) -> None:
        """Put all fields back."""
        self._root = self.base
        self.edit(self.base)

    def action_preset(self) -> None:
        """Begin with the next preset; what was edited is a step away."""
        choices = [p for p in self._policies.choices() if p == self.base or p in PRESETS.values()]
        at = choices.index(self._root) if self._root in choices else -1
        self._root = choices[(at + 1) % len(choices)]
        self.edit(self._root)

    # -- prompt -------------------------------------------------------------------------------

    @on(LineView.Picked)
    def action_type(self) -> None:
        """Type a value for the field."""
        path = self.path
        field = field_of(path)
        if field.kind is bool:
            self.action_change(1)
            return
        self._ask_for(path, field.label.strip(), words_of(self.policy.flat()[path]))

    def action_save(self) -> None:
        """Ask for a file name."""
        self._ask_for("save", "save as", f"{self._root.name.rstrip('*')}-edited.toml")

    def action_load(self) -> None:
        """Ask for a file name."""
        self._ask_for("load", "load", "")

    def _ask_for(self, what: str, label: str, value: str) -> None:
        self._asking = what
        self.query_one("#asked", Static).update(label)
        self.add_class("-asking")
        prompt = self.query_one("#value", Prompt)
        prompt.value = value
        prompt.cursor_position = len(value)
        self.set_focus(prompt)

    @on(Input.Submitted)
    def _take_answer(self, event: Input.Submitted) -> None:
        event.stop()
        what, words = self._asking, event.value
        self._end_asking()
        try:
            if what == "save":
                self.notify(f"Saved {self._policies.save(self.policy, words)}", markup=False)
            elif what == "load":
                self._load(words)
            else:
                self._set(what, parse(what, words))
        except InspectorError as error:
            self._problem = str(error)
            self._draw_title()

    def _load(self, name: str) -> None:
        if not name.strip():
            return
        self._root = self._policies.load(name)
        self.edit(self._root)

    def _end_asking(self) -> None:
        self._asking = ""
        self.remove_class("-asking")
        self.set_focus(self._rows)

    def action_leave(self) -> None:
        """Leave the prompt, or the panel; a replay that is on its way is waited for."""
        if self.has_class("-asking"):
            self._end_asking()
        elif self.pending and not self._problem and not self._leaving:
            self._leaving = True
        else:
            self.dismiss(None)
