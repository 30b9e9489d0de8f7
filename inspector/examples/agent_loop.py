"""An agent loop on `ToolResultManager`, with a scripted model and real tools.

    python -m inspector.examples.agent_loop DIR

The "model" follows a script, so the run needs no network; the tools really read and search files
(those of Python's own library). It writes a transcript that `inspector open --policy documented` can
follow while it grows, and the overflow files beside it. The loop itself is `Agent.run`: everything
else is stage setting.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import sysconfig
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from inspector import __version__
from inspector.manager import Prepared, ToolResultManager
from inspector.model.findings import counted
from inspector.model.policy import DOCUMENTED

LIBRARY = Path(sysconfig.get_paths()["stdlib"])
"""What the example reads: always there, and large enough to overflow."""
_OVERFLOW = re.compile(r"full output saved to:? ([^\]\n]+)", re.IGNORECASE)

Call = tuple[str, dict[str, Any]]
"""A tool's name and its input."""


def read(file: str, start: int = 1, end: int = 10**9) -> str:
    """Lines of a file, with their numbers."""
    lines = Path(LIBRARY, file).read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(f"{n}\t{line}" for n, line in enumerate(lines[start - 1 : end], start=start))


def grep(pattern: str, files: str) -> str:
    """Lines that match, as `file:line:text`."""
    wanted = re.compile(pattern)
    hits = [
        f"{path.name}:{n}:{line}"
        for path in sorted(LIBRARY.glob(files))
        for n, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1)
        if wanted.search(line)
    ]
    return "\n".join(hits) or "no match"


def glob(files: str) -> str:
    """Names of the files that match, with their sizes."""
    return "\n".join(f"{path.stat().st_size}\t{path.name}" for path in sorted(LIBRARY.glob(files)))


TOOLS: dict[str, Callable[..., str]] = {"Read": read, "Grep": grep, "Glob": glob}


def large_modules(number: int) -> list[str]:
    """The largest modules that a read still gives whole (80,000) but a turn cannot keep (20,000)."""
    sizes = sorted((path.stat().st_size, path.name) for path in LIBRARY.glob("*.py"))
    return [name for size, name in sizes if size < 60_000][-number:]


def script(wire: Sequence[Any]) -> list[tuple[str, list[Call]]]:
    """What the scripted model says at each step, and which tools it calls.

    Args:
        wire: The messages it was sent; the third step looks in them for an overflow file.
    """
    saved = _OVERFLOW.search("\n".join(_result_texts(wire)))
    overflow = saved[1] if saved else "this.py"
    return [
        ("Let me see what there is.", [("Glob", {"files": "*.py"})]),
        ("Four large modules at once.", [("Read", {"file": name}) for name in large_modules(4)]),
        (
            "Part of that went to a file; I read on there.",
            [("Read", {"file": overflow, "start": 200, "end": 260})],
        ),
        ("This name is a guess.", [("Read", {"file": "no_such_module.py"})]),
        ("Where are error classes defined?", [("Grep", {"pattern": r"^class \w+Error", "files": "*.py"})]),
        ("And who imports re?", [("Grep", {"pattern": r"^import re$", "files": "*.py"})]),
        ("One more look.", [("Read", {"file": "this.py"})]),
        ("That is all: the large results have aged, and the prompt still starts the same.", []),
    ]


def _result_texts(wire: Sequence[Any]) -> Iterator[str]:
    for message in wire:
        if isinstance(message["content"], list):
            yield from (block["content"] for block in message["content"] if block["type"] == "tool_result")


class Transcript:
    """A session file, one record per line, appended and never changed."""

    def __init__(self, path: Path, session_id: str) -> None:
        self.path = path
        self.session_id = session_id
        self._parent: str | None = None

    def message(self, message: dict[str, Any], **fields: Any) -> None:
        """Append one message."""
        record = {
            "parentUuid": self._parent,
            "isSidechain": False,
            "cwd": str(LIBRARY),
            "sessionId": self.session_id,
            "version": f"inspector-example {__version__}",
            "type": message["role"],
            "message": message,
            "uuid": str(uuid.uuid4()),
            "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            **fields,
        }
        self._parent = str(record["uuid"])
        self.append(record)

    def append(self, record: dict[str, Any]) -> None:
        """Append any record, as one write of a whole line."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")


class Agent:
    """The loop: prepare, send, run the tools that the answer calls, and again."""

    def __init__(self, manager: ToolResultManager, transcript: Transcript, pace_s: float = 0.0) -> None:
        self.manager = manager
        self.transcript = transcript
        self.pace_s = pace_s
        self.messages: list[dict[str, Any]] = []

    def run(self, prompt: str) -> Iterator[Prepared]:
        """Work on a prompt until an answer calls no tool; yields each request as it is sent."""
        self._add({"role": "user", "content": prompt})
        for step in count():
            prepared = self.manager.prepare(self.messages)
            for record in prepared.records:
                self.transcript.append(record)
            yield prepared
            answer = self._model(prepared.messages, step)
            self._add(answer, requestId=f"req_{step + 1}")
            calls = [block for block in answer["content"] if block["type"] == "tool_use"]
            if not calls:
                return
            self._add({"role": "user", "content": [self._result(call) for call in calls]})

    def _model(self, wire: Sequence[Any], step: int) -> dict[str, Any]:
        """The scripted model: an answer as an API would give it."""
        time.sleep(self.pace_s)
        says, calls = script(wire)[step]
        content: list[dict[str, Any]] = [{"type": "text", "text": says}]
        for n, (tool, arguments) in enumerate(calls):
            content.append(
                {"type": "tool_use", "id": f"toolu_{step + 1}_{n + 1}", "name": tool, "input": arguments}
            )
        return {"id": f"msg_{step + 1}", "role": "assistant", "model": "scripted", "content": content}

    def _result(self, call: dict[str, Any]) -> dict[str, Any]:
        """Run one tool. A failure is a result too: the model is told, and the loop goes on."""
        result = {"type": "tool_result", "tool_use_id": call["id"]}
        try:
            output = TOOLS[call["name"]](**call["input"])
        except (OSError, KeyError, TypeError, re.error) as error:
            return {**result, "content": f"{type(error).__name__}: {error}", "is_error": True}
        return {**result, "content": self.manager.cap(call["name"], output, tool_use_id=call["id"])}

    def _add(self, message: dict[str, Any], **fields: Any) -> None:
        self.messages.append(message)
        self.transcript.message(message, **fields)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the example.

    Args:
        argv: Arguments without the program's name; `None` takes the process's own.

    Returns:
        The exit code.
    """
    parser = argparse.ArgumentParser(
        prog="python -m inspector.examples.agent_loop",
        description="An agent loop with a scripted model, real tools and a transcript to open.",
    )
    parser.add_argument("directory", type=Path, metavar="DIR", help="where transcript and files go")
    parser.add_argument("--pace", type=float, default=0.0, metavar="SECONDS", help="pause before each answer")
    options = parser.parse_args(argv)
    session_id = str(uuid.uuid4())
    directory: Path = options.directory
    directory.mkdir(parents=True, exist_ok=True)
    transcript = Transcript(directory / f"{session_id}.jsonl", session_id)
    scratch = directory / session_id / "tool-results"
    manager = ToolResultManager(DOCUMENTED, scratch, session_id=session_id, keep_files=True)
    agent = Agent(manager, transcript, options.pace)
    out = sys.stdout
    out.write(f"{transcript.path}\nwatch it: inspector open --policy documented {transcript.path}\n")
    out.flush()
    for number, prepared in enumerate(
        agent.run("Which error classes does Python's library define?"), start=1
    ):
        report = prepared.report
        replaced = [id for group in report.groups for id in group.replace]
        aged = [f"{aged.id} {aged.level}" for aged in report.aged]
        count = counted(len(prepared.messages), "message")
        out.write(f"request {number}: {count}, replaced {replaced}, aged {aged}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
