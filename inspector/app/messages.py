"""Messages that cross from the feed to the app; all others are nested in the widget that sends them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from inspector.app.feed import Feed, FeedUpdate


class SessionUpdated(Message):
    """The session is known further than before."""

    def __init__(self, feed: Feed, update: FeedUpdate) -> None:
        super().__init__()
        self.feed = feed
        """Who sent it: updates of a session that was left meanwhile are dropped."""
        self.update = update

    def can_replace(self, message: Message) -> bool:
        """A newer update holds all that an older one of its session says; a queue of them shrinks to one."""
        return isinstance(message, SessionUpdated) and message.feed is self.feed
