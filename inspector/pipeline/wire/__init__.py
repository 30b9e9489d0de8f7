"""From the records of a Claude Code transcript to the wire of every request (`claude-code-wire.md`)."""
