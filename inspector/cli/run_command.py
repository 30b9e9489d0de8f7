"""`inspector run`: the manager over a session, request by request.

Everything is checked before the first file is written, and the two outputs are written only once
the last request is through: a run that is stopped leaves whole overflow files and nothing else.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from inspector.cli.commands import open_with_progress
from inspector.cli.named import session_path
from inspector.cli.output import Output
from inspector.cli.settings import policy_of
from inspector.errors import UnwritableError, UsageError
from inspector.figures import count_words, number
from inspector.managed_run import Progress, history_json, records_jsonl, run
from inspector.report.json_text import escaped
from inspector.session import Session
from inspector.session.raw_history import raw_histories, sendable
from inspector.whole_files import write_output

STDIO = "-"
"""Stands for stdin and stdout."""
_STDIN_BLOCK = 1 << 20


@dataclass
class _Tally:
    """What a run did, for the line at its end."""

    requests: int = 0
    replaced: int = 0
    repairs: int = 0
    failures: dict[str, str] = field(default_factory=dict)
    """tool_use id → why its text could not be kept."""

    def add(self, progress: Progress) -> None:
        report = progress.report
        self.requests = progress.request
        self.replaced += sum(len(group.replace) for group in report.groups)
        self.repairs += len(report.new_repairs)
        self.failures.update((failure.id, failure.error) for failure in report.failures)

    def words(self) -> str:
        return (
            f"{count_words(self.requests, 'request')}, {count_words(self.replaced, 'result')} replaced, "
            f"{count_words(self.repairs, 'repair')}"
        )


def run_pipeline(arguments: argparse.Namespace, output: Output) -> int:
    """`inspector run`: overflow files, and on request the managed history and the records."""
    with ExitStack() as stack:
        path = stack.enter_context(_source(arguments))
        _check_outputs(arguments, path)
        policy, origins = policy_of(arguments, path, os.environ)
        session = stack.enter_context(open_with_progress(path, output, policy=policy, origins=origins))
        if not session.policy.budget.ledger:
            raise UsageError(
                f"policy {session.policy.name!r} keeps no ledger: every request would make new files and "
                "other previews; choose --policy documented or --policy claude-code"
            )
        return _run(session, arguments, output)


def _run(session: Session, arguments: argparse.Namespace, output: Output) -> int:
    total = len(session.timelines[arguments.agent].requests) if arguments.agent in session.timelines else 0
    ids = session.counts.session_ids
    tally, records, last = _Tally(), list[dict[str, Any]](), list[Any]()
    for progress in run(
        raw_histories(session, arguments.agent),
        session.policy,
        arguments.scratch,
        session_id=ids[-1] if ids else "",
        agent_id=arguments.agent,
    ):
        tally.add(progress)
        records += progress.records
        last = progress.messages
        output.progress(f"request {number(progress.request)} of {number(total)}  {tally.words()}")
    output.progress("")
    _write(arguments.out, history_json(sendable(session, last)), output)
    _write(arguments.records, records_jsonl(records), output)
    for id, error in tally.failures.items():
        output.say(f"inspector: {id}: stays in full, its text could not be kept: {error}")
    output.say(f"inspector: {tally.words()}")
    return 1 if tally.failures else 0


@contextmanager
def _source(arguments: argparse.Namespace) -> Iterator[Path]:
    """The session's file; stdin is put into a temporary one, because texts are read again by position."""
    if arguments.path != STDIO:
        yield session_path(arguments)
        return
    with TemporaryDirectory(prefix="inspector-") as directory:
        path = Path(directory, "stdin")
        with path.open("wb") as file:
            while block := sys.stdin.buffer.read(_STDIN_BLOCK):
                file.write(block)
        yield path


def _check_outputs(arguments: argparse.Namespace, session: Path) -> None:
    """Refuse outputs that would overwrite the session or each other."""
    named = {"--out": arguments.out, "--records": arguments.records}
    files = {option: Path(name) for option, name in named.items() if name not in (None, STDIO)}
    for option, file in files.items():
        if _same(file, session):
            raise UsageError(f"{option} {file}: that is the session itself")
        if file.is_dir() or not file.parent.is_dir():
            raise UsageError(f"{option} {file}: no file can be written there")
    if named["--out"] == named["--records"] == STDIO or (len(files) == 2 and _same(*files.values())):
        raise UsageError("--out and --records name the same place")


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return one.resolve() == other.resolve()


def _write(name: str | None, data: bytes, output: Output) -> None:
    if name == STDIO and not data:
        return
    if name == STDIO:
        output.data(escaped(data.decode()).rstrip("\n"))
    elif name is not None:
        try:
            write_output(Path(name), data)
        except OSError as error:
            raise UnwritableError(f"{name}: {error.strerror or error}") from error
