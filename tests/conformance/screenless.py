"""What the command line prints about a session: the outputs that a person's terminal would get."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from inspector.cli import main

COMMANDS: dict[str, tuple[str, ...]] = {
    "report": ("report", "{path}", "--format", "text"),
    "report as JSON": ("report", "{path}", "--format", "json"),
    "report as Markdown": ("report", "{path}", "--format", "markdown"),
    "report as HTML": ("report", "{path}", "--format", "html"),
    "why": ("why", "{path}"),
    "why as JSON": ("why", "{path}", "--json"),
    "check": ("check", "{path}"),
    "wire": ("wire", "{path}", "--all", "--full"),
    "overflow": ("overflow", "{path}"),
}
"""Every command that prints texts of a session, but `overflow ID`, which writes exact bytes to a pipe."""


def run(*arguments: str) -> tuple[int, str]:
    """Run a command in this process.

    Returns:
        Exit code, and what it wrote to both streams.
    """
    written = io.BytesIO()
    out = io.TextIOWrapper(written, encoding="utf-8", write_through=True)
    with redirect_stdout(out), redirect_stderr(out):
        code = main(arguments)
    return code, written.getvalue().decode("utf-8")


def printed(path: Path) -> dict[str, str]:
    """All outputs about one session, by command.

    Args:
        path: The session.

    Raises:
        AssertionError: A command ended with another code than "done" or "there are findings".
    """
    texts = {}
    for name, words in COMMANDS.items():
        code, text = run(*(word.format(path=path) for word in words))
        assert code in (0, 1), f"{name} ended with {code}: {text[:300]!r}"
        texts[name] = text
    return texts
