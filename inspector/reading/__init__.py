"""Bytes to model: the only readers of session files, read-only and bounded."""
