"""Messages that cross from the feed to the app; all others are nested in the widget that sends them."""

from __future__ import annotations

from textual.message import Message

from inspector.app.feed import FeedUpdate


class SessionUpdated(Message):
    """The session is known further than before."""

    def __init__(self, update: FeedUpdate) -> None:
        super().__init__()
        self.update = update

    def can_replace(self, message: Message) -> bool:
        """A newer update holds all that an older one says, so a queue of them shrinks to one."""
        return isinstance(message, SessionUpdated)
