"""Other policies over the session shown: replayed, shown in place of its own, compared, saved.

Replays are made from the records that were read, outside the lock that the reading thread holds, so
a session goes on being read meanwhile; what it grew by is fed when the replay is taken into use.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from inspector.app.saving import typed_path
from inspector.app.session import SessionFeed
from inspector.errors import UsageError
from inspector.model.policy import PRESETS, Policy
from inspector.model.policy_fields import changed_fields
from inspector.reading.confine import resolved
from inspector.replay.differences import Comparison, compare
from inspector.session import default_policy
from inspector.session.policy_file import load_policy, save_policy
from inspector.session.replays import Replay, recorded_policy

KEPT_REPLAYS = 4
"""Replays that are kept for the next comparison; each is about as large as the session's own."""
WHAT_IF = "what-if"
"""Where the value of an edited field came from, as reports say it."""


class Replays:
    """A session under other policies: one policy is shown in all of its conversations."""

    def __init__(self, feed: SessionFeed) -> None:
        self._feed = feed
        self.base = feed.session.policy
        self._base_origins = dict(feed.session.policy_origins)
        self._recorded = recorded_policy(default_policy(feed.session.kind))
        self._edited: Policy | None = None
        """The last one shown that is neither base nor preset: going round leads back to it."""
        self._kept: list[Replay] = []
        self._work = threading.Lock()
        """Held while a replay is made: two at once would only slow one another down."""

    @property
    def current(self) -> Policy:
        """What is shown."""
        return self._feed.session.policy

    def choices(self) -> Sequence[Policy]:
        """Base, the edited one where there is one, the presets, and `recorded`."""
        edited = [self._edited] if self._edited is not None else []
        known = [self.base, *edited, *PRESETS.values(), self._recorded]
        out: list[Policy] = []
        for policy in known:
            if policy not in out:
                out.append(policy)
        return out

    def show(self, policy: Policy, keep_on: Callable[[], bool]) -> bool:
        """Show the session under another policy."""
        with self._work:
            if not keep_on():
                return False
            if policy == self.current:
                return True
            replay = self._replay(policy, keep_on)
            if replay is None:
                return False
            origins = (
                self._base_origins
                if policy == self.base
                else dict.fromkeys(changed_fields(self.base, policy), WHAT_IF)
            )
            self._kept = [kept for kept in self._kept if kept is not replay]
            self._keep(self._feed.show(replay, origins))
            if policy not in (self.base, self._recorded, *PRESETS.values()):
                self._edited = policy
            return True

    def compare(self, thread: str, a: Policy, b: Policy, keep_on: Callable[[], bool]) -> Comparison | None:
        """Compare two policies over one conversation."""
        with self._work:
            replays = [self._replay(policy, keep_on) for policy in (a, b)]
            left, right = replays
            if left is None or right is None:
                return None
            with self._feed.lock:
                session = self._feed.session
                for replay in (left, right):
                    if not replay.fits(session.all_records(), live=session.waits):
                        return None  # the session started over meanwhile
                    session.bring_up(replay)
                ratio, window = session.chars_per_token(thread), session.window_tokens
                return compare(
                    left.timelines[thread],
                    right.timelines[thread],
                    window_chars=round(window * ratio) if window and ratio else None,
                    chars_per_token=ratio,
                    measured_in=session.policy.unit,
                )

    def _replay(self, policy: Policy, keep_on: Callable[[], bool]) -> Replay | None:
        """The session under a policy, up to date but for what is read meanwhile; None: given up."""
        session = self._feed.session
        with self._feed.lock:
            if policy == session.policy:
                return session.as_replay()
            records = session.all_records()
            self._kept = [kept for kept in self._kept if kept.fits(records, live=session.waits)]
        replay = next((kept for kept in self._kept if kept.policy == policy), None)
        if replay is None:
            replay = session.new_replay(policy)
        if not replay.extend(records, keep_on):
            return None
        self._keep(replay)
        return replay

    def _keep(self, replay: Replay) -> None:
        others = [kept for kept in self._kept if kept is not replay and kept.policy != replay.policy]
        self._kept = [replay, *others][:KEPT_REPLAYS]


class SessionPolicies:
    """The `Policies` of one conversation of a real session."""

    def __init__(self, feed: SessionFeed, thread: str = "", replays: Replays | None = None) -> None:
        """Args:
        feed: Who holds the session.
        thread: The conversation that is compared.
        replays: Shared by all conversations; None begins anew.
        """
        self._feed = feed
        self._thread = thread
        self._replays = replays if replays is not None else Replays(feed)

    def in_thread(self, thread: str) -> SessionPolicies:
        """The same for another conversation."""
        return SessionPolicies(self._feed, thread, self._replays)

    @property
    def base(self) -> Policy:
        """What the session was opened under."""
        return self._replays.base

    @property
    def current(self) -> Policy:
        """What is shown."""
        return self._replays.current

    def choices(self) -> Sequence[Policy]:
        """Base, the edited one where there is one, the presets, and `recorded`."""
        return self._replays.choices()

    def show(self, policy: Policy, keep_on: Callable[[], bool]) -> bool:
        """Show the session under another policy."""
        return self._replays.show(policy, keep_on)

    def compare(self, a: Policy, b: Policy, keep_on: Callable[[], bool]) -> Comparison | None:
        """Compare two policies over the conversation."""
        return self._replays.compare(self._thread, a, b, keep_on)

    def save(self, policy: Policy, name: str) -> str:
        """Write a policy file; never beside the session."""
        path = typed_path(name)
        if path.suffix != ".toml":
            path = path.with_name(f"{path.name}.toml")
        folder = resolved(path.absolute().parent)
        path = folder / path.name
        session = self._feed.session
        home = resolved(session.path).parent
        own = [*session.files.scratch.roots, home / session.path.stem, home / "tool-results"]
        if folder == home or any(folder.is_relative_to(resolved(root)) for root in own):
            raise UsageError(f"{path}: nothing is written beside a session; choose another folder")
        save_policy(policy.with_field("name", path.stem), path)
        return str(path)

    def load(self, name: str) -> Policy:
        """Read a policy file."""
        return load_policy(typed_path(name))
