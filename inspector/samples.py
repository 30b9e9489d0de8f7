"""The bundled sample sessions, and the player that makes one of them happen again before one's eyes.

The player writes what a running agent would write, into a folder that it is given: the app then
watches a real, growing file, so that the demo shows the very code that watches a person's own session.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib import resources
from io import BytesIO
from pathlib import Path
from typing import Any

from inspector.errors import UnreadableError, UsageError

DEFAULT_STORY = "parallel-blowup"
"""What `inspector demo` plays when nothing else is asked for."""

SHORTEST_PAUSE_S, LONGEST_PAUSE_S = 0.08, 2.0
"""Bounds of a pause at speed 1: the lines of one answer can still be told apart, and nobody waits
for the hours that a person was away."""


@dataclass(frozen=True, slots=True)
class Story:
    """One bundled sample."""

    name: str
    line: str
    """One sentence: what it shows."""
    folder: Path
    open: str
    """The transcript to open, relative to `folder`."""
    home: str
    """Folder that the texts of the sample name as the place of its overflow files; empty: none."""
    policy: str
    """Policy that shows its point; empty: the one of its source."""
    changes: Mapping[str, Any]
    """Fields of that policy to change, by dotted name."""
    begin: int
    """Lines (messages, in a list) that stand there when the player starts."""

    @property
    def path(self) -> Path:
        """The transcript, where it is bundled."""
        return self.folder / self.open


@dataclass(frozen=True, slots=True)
class Step:
    """What the player writes in one go."""

    file: str
    """File, relative to the folder played into."""
    data: bytes
    append: bool
    """Whether it is added to the file; else the file is put in place as a whole."""
    time_s: float | None
    """When it was recorded, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Played:
    """How far the player has come."""

    step: int
    steps: int


def samples_folder() -> Path:
    """Where the samples are: inside an installed package, or beside it in a checkout.

    Raises:
        UnreadableError: They are in neither place.
    """
    installed = Path(str(resources.files("inspector"))) / "_samples"
    checkout = Path(__file__).resolve().parent.parent / "sample_sessions"
    for folder in (installed, checkout):
        if (folder / "stories.json").is_file():
            return folder
    raise UnreadableError(f"the sample sessions are missing; looked in {installed} and {checkout}")


def stories() -> tuple[Story, ...]:
    """All bundled stories, in the order in which they are best looked at."""
    folder = samples_folder()
    rows = json.loads((folder / "stories.json").read_text(encoding="utf-8"))
    return tuple(Story(folder=folder / row["name"], **row) for row in rows)


def story(name: str) -> Story:
    """The story of that name.

    Raises:
        UsageError: There is none; the message names those that exist.
    """
    known = {each.name: each for each in stories()}
    if name not in known:
        raise UsageError(f"unknown sample {name!r}; there are: {', '.join(known)}")
    return known[name]


class Player:
    """Plays one story into one folder, and writes nowhere else.

    `begin` is separate from `play` because the app must have a file to open before the first pause.
    """

    def __init__(
        self,
        story: Story,
        into: Path,
        speed: float = 1.0,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Lay out the steps; nothing is written yet.

        Args:
            story: What to play.
            into: An empty folder of one's own; it is made when it does not exist.
            speed: Factor on the pace; 2 plays twice as fast.
            sleep: Waits for so many seconds.

        Raises:
            UsageError: The speed is not above zero.
        """
        if not speed > 0:
            raise UsageError(f"the speed must be above 0, not {speed}")
        self.into = into
        self.speed = speed
        self._sleep = sleep
        self._open = story.open
        self._files, steps = _layout(story, into)
        self._now, self._later = _split(steps, story)

    def begin(self) -> Path:
        """Write the beginning of the story.

        Returns:
            The transcript to open.

        Raises:
            UsageError: There is something in the folder already; it is left as it is.
        """
        self.into.mkdir(parents=True, exist_ok=True)
        if any(self.into.iterdir()):
            raise UsageError(f"{self.into} is not empty; the player needs a folder of its own")
        for step in self._now:
            self._write(step)
        return self.into / self._open

    async def play(self) -> AsyncIterator[Played]:
        """Write the rest, step by step, at the recorded pace.

        Closing the iterator, or cancelling the task that runs it, ends the story between two steps:
        a line is written whole or not at all.

        Yields:
            How far it has come, after each step.
        """
        last = self._now[-1].time_s if self._now else None
        for number, step in enumerate(self._later, 1):
            await self._sleep(pause_s(last, step.time_s) / self.speed)
            self._write(step)
            last = step.time_s if step.time_s is not None else last
            yield Played(number, len(self._later))

    def _write(self, step: Step) -> None:
        """Put the overflow files that a step names in place, then the step itself."""
        for name in [name for name in self._files if Path(name).name.encode() in step.data]:
            self._put(name, self._files.pop(name))
        if step.append:
            path = self.into / step.file
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("ab") as file:
                file.write(step.data)
        else:
            self._put(step.file, step.data)

    def _put(self, name: str, data: bytes) -> None:
        """A whole file at once: a reader sees the old one or the new one, never a half."""
        path = self.into / name
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.new")
        draft.write_bytes(data)
        draft.replace(path)


def pause_s(last: float | None, time: float | None) -> float:
    """How long to wait between two steps, in seconds at speed 1."""
    gap = 0.0 if last is None or time is None else time - last
    return min(max(gap, SHORTEST_PAUSE_S), LONGEST_PAUSE_S)


def _layout(story: Story, into: Path) -> tuple[dict[str, bytes], list[Step]]:
    """The overflow files that some step names, and all steps in order of time.

    Files that no step names come first: nobody can tell when they were written.
    """
    files: dict[str, bytes] = {}
    steps: list[Step] = []
    beside = story.folder / story.path.stem
    sources = [story.path, *(path for path in sorted(beside.rglob("*")) if path.is_file())]
    if story.path.suffix == ".json":
        sources += [path for path in sorted((story.folder / "tool-results").glob("*")) if path.is_file()]
    for path in sources:
        name = str(path.relative_to(story.folder))
        if path.suffix == ".jsonl":
            steps += _lines(name, path.read_bytes(), story, into)
        elif path == story.path:
            steps += _growing_list(name, path.read_bytes())
        else:
            files[name] = path.read_bytes()
    named = {name for name in files if any(Path(name).name.encode() in step.data for step in steps)}
    first = [Step(name, files.pop(name), False, None) for name in sorted(files) if name not in named]
    return files, first + sorted(steps, key=lambda step: step.time_s or 0.0)


def _lines(name: str, data: bytes, story: Story, into: Path) -> Iterator[Step]:
    """A transcript, split at line feeds only; a line without a time has that of the line before it."""
    here = json.dumps(str(into.resolve()))[1:-1].encode()
    time: float | None = None
    for line in BytesIO(data):
        time = _time_s(line, time)
        yield Step(name, line.replace(story.home.encode(), here) if story.home else line, True, time)


def _time_s(line: bytes, before: float | None) -> float | None:
    """The time of a record; lines that are none, or have none, take the one before."""
    try:
        time = datetime.fromisoformat(json.loads(line)["timestamp"]).timestamp()
    except (ValueError, KeyError, TypeError):
        return before
    return time if before is None else max(time, before)


def _growing_list(name: str, data: bytes) -> Iterator[Step]:
    """A message list as its loop saves it: the whole file again after each message.

    Such lists have no times; one message a second and a half is what a person can follow.
    """
    value = json.loads(data)
    is_session = isinstance(value, dict)
    messages = value["agent_history"] if is_session else value
    for count in range(1, len(messages) + 1):
        part = {**value, "agent_history": messages[:count]} if is_session else messages[:count]
        text = json.dumps(part, ensure_ascii=False, indent=2 if is_session else None)
        yield Step(name, text.encode(), False, count * 1.5)


def _split(steps: list[Step], story: Story) -> tuple[list[Step], list[Step]]:
    """What stands there at the start, and what comes later."""
    seen = 0
    for at, step in enumerate(steps):
        seen += step.file == story.open
        if seen == story.begin:
            return steps[: at + 1], steps[at + 1 :]
    return steps, []
