"""The bundled samples: made by their generator, true to the real client's format, and played step by step."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from inspector import samples
from inspector.errors import UnreadableError, UsageError
from inspector.samples import Player, Story, pause_s

FOLDER = Path(__file__).parent.parent / "sample_sessions"
STORIES = {story.name: story for story in samples.stories()}
CLIENT_STORIES = [story for story in STORIES.values() if story.home and story.name != "damaged-lines"]


def names(stories: list[Story]) -> list[Any]:
    return [pytest.param(story, id=story.name) for story in stories]


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def transcripts(story: Story) -> list[Path]:
    return sorted(story.folder.rglob("*.jsonl"))


# The samples


def test_generator_reproduces_every_sample_byte_for_byte(tmp_path: Path) -> None:
    command = [sys.executable, "-B", str(FOLDER / "make.py"), "--into", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made = tree(tmp_path)
    kept = {name: data for name, data in tree(FOLDER).items() if not name.endswith((".py", ".pyc"))}
    assert sorted(made) == sorted(kept)
    assert [name for name in made if made[name] != kept[name]] == []


def test_samples_stay_small_and_name_no_real_place() -> None:
    files = tree(FOLDER)
    assert sum(len(data) for data in files.values()) < 6_000_000
    words = re.compile(rb"/tmp/|/root/")
    assert [name for name, data in files.items() if words.search(data)] == []


def test_there_are_six_stories_and_each_says_what_to_look_at() -> None:
    assert len(STORIES) >= 6
    assert samples.DEFAULT_STORY in STORIES
    for story in STORIES.values():
        assert story.path.is_file()
        assert story.line.endswith(".")
        assert "\n" not in story.line
        assert len((story.folder / "STORY.md").read_text(encoding="utf-8").splitlines()) > 4


@pytest.mark.parametrize("story", names(CLIENT_STORIES))
def test_records_have_the_form_of_the_real_client(story: Story) -> None:
    for path in transcripts(story):
        seen: set[str] = set()
        lost = 0
        for record in records(path):
            if "uuid" not in record:
                continue
            assert record["sessionId"] in str(path)
            lost += record["parentUuid"] not in seen and record["parentUuid"] is not None
            seen.add(record["uuid"])
            content = record.get("message", {}).get("content", "")
            assert isinstance(content, str) or len(content) == 1
        assert lost == (2 if story.name == "interrupted-call" else 0)


@pytest.mark.parametrize("story", names(CLIENT_STORIES))
def test_usage_grows_with_what_was_sent(story: Story) -> None:
    for path in transcripts(story):
        before = 0
        falls = []
        for record in records(path):
            usage = record.get("message", {}).get("usage", {"input_tokens": 0})
            if record["type"] != "assistant" or not usage["input_tokens"]:
                continue
            read = usage["cache_read_input_tokens"]
            total = usage["input_tokens"] + read + usage["cache_creation_input_tokens"]
            assert read <= max(before, total)
            if total < before:
                falls.append(total - before)
            before = total
        cleared = {"ageing": 1, "parallel-blowup": 1, "resume": 1 if path == story.path else 0}.get(
            story.name, 0
        )
        assert len(falls) == cleared


def is_counted(block: dict[str, Any], tools: dict[str, str]) -> bool:
    """Whether a result counts against the group's budget."""
    if block["type"] != "tool_result" or not isinstance(block["content"], str):
        return False
    return tools.get(block["tool_use_id"]) != "Read" and not block["content"].startswith("<persisted-output>")


def groups(path: Path) -> list[int]:
    """Total of each run of counted results between two new answers."""
    tools: dict[str, str] = {}
    totals, known = [0], set()
    for record in records(path):
        message = record.get("message", {})
        if record["type"] == "assistant" and message["id"] not in known:
            known.add(message["id"])
            totals.append(0)
        for block in message.get("content", ()):
            if isinstance(block, str):
                continue
            if block["type"] == "tool_use":
                tools[block["id"]] = block["name"]
            elif is_counted(block, tools):
                totals[-1] += len(block["content"])
    return totals


def test_blow_up_has_three_groups_over_the_budget_and_about_forty_requests() -> None:
    story = STORIES["parallel-blowup"]
    totals = groups(story.path)
    assert len([total for total in totals if total > 200_000]) == 3
    assert 40 <= len(totals) <= 50


def test_every_replacement_record_names_a_file_with_the_full_text() -> None:
    story = STORIES["parallel-blowup"]
    texts = {
        block["tool_use_id"]: block["content"]
        for record in records(story.path)
        for block in record.get("message", {}).get("content", ())
        if isinstance(block, dict) and block["type"] == "tool_result"
    }
    entries = [
        entry
        for record in records(story.path)
        if record["type"] == "content-replacement"
        for entry in record["replacements"]
    ]
    assert len(entries) == 4
    for entry in entries:
        (name,) = re.findall(r"tool-results/(\S+)", entry["replacement"])
        file = story.folder / story.path.stem / "tool-results" / name
        assert file.read_text(encoding="utf-8") == texts[entry["toolUseId"]]


def test_own_loop_holds_the_turn_of_241_000_characters() -> None:
    messages = json.loads(STORIES["own-loop"].path.read_bytes())
    sizes = [
        [len(block["content"]) for block in message["content"] if block["type"] == "tool_result"]
        for message in messages
        if message["role"] == "user" and isinstance(message["content"], list)
    ]
    assert [158_837, 82_000, 79_000] in sizes
    assert [126_540, 87_760] in sizes


def test_damaged_sample_holds_every_kind_of_damage() -> None:
    data = STORIES["damaged-lines"].path.read_bytes()
    assert b"\0" * 300 in data
    assert not data.endswith(b"\n")
    assert b"\xfc" in data
    assert b"\\u001b]52" in data
    assert sum(1 for line in data.split(b"\n") if not is_json(line)) == 6


def is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


# Finding them


def test_samples_inside_the_package_come_before_those_of_a_checkout(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "_samples").mkdir()
    (tmp_path / "_samples" / "stories.json").write_text("[]", encoding="utf-8")
    monkeypatch.setattr("importlib.resources.files", lambda _: tmp_path)
    assert samples.samples_folder() == tmp_path / "_samples"
    assert samples.stories() == ()


def test_missing_samples_are_said_with_the_places_looked_at(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("importlib.resources.files", lambda _: tmp_path)
    monkeypatch.setattr(samples, "__file__", str(tmp_path / "inspector" / "samples.py"))
    with pytest.raises(UnreadableError, match="_samples"):
        samples.samples_folder()


def test_unknown_story_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="parallel-blowup"):
        samples.story("nothing")


# The player


class Sleeper:
    """Sleeps not at all, and remembers for how long it should have."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)


async def play(player: Player) -> int:
    return len([played async for played in player.play()])


@pytest.mark.parametrize("story", names(list(STORIES.values())))
async def test_a_played_story_ends_as_it_is_bundled(story: Story, tmp_path: Path) -> None:
    into = tmp_path / "played"
    player = Player(story, into, sleep=Sleeper())
    path = player.begin()
    assert path == into / story.open
    assert len(path.read_bytes()) < story.path.stat().st_size
    await play(player)
    played = tree(into)
    here = json.dumps(str(into.resolve()))[1:-1].encode()
    for name, data in played.items():
        original = (story.folder / name).read_bytes()
        if name.endswith(".json") and name == story.open:
            assert json.loads(data) == json.loads(original)
        else:
            assert data == (
                original.replace(story.home.encode(), here) if name.endswith(".jsonl") else original
            )
    beside = {
        name for name in tree(story.folder) if name.startswith((f"{story.path.stem}/", "tool-results/"))
    }
    assert set(played) == beside | {story.open}


async def test_overflow_file_is_there_before_the_line_that_names_it(tmp_path: Path) -> None:
    story = STORIES["parallel-blowup"]
    player = Player(story, tmp_path, sleep=Sleeper())
    path = player.begin()
    named_since = 0
    async for _ in player.play():
        for name in re.findall(rf"{path.stem}/tool-results/(\w+\.txt)", path.read_text(encoding="utf-8")):
            named_since += 1
            assert (tmp_path / path.stem / "tool-results" / name).is_file()
    assert named_since > 4


async def test_each_step_appends_whole_lines_and_changes_no_earlier_byte(tmp_path: Path) -> None:
    player = Player(STORIES["interrupted-call"], tmp_path, sleep=Sleeper())
    before = player.begin().read_bytes()
    inode = (tmp_path / STORIES["interrupted-call"].open).stat().st_ino
    async for played in player.play():
        now = (tmp_path / STORIES["interrupted-call"].open).read_bytes()
        assert now.startswith(before)
        assert now.endswith(b"\n")
        assert played.step <= played.steps
        before = now
    assert (tmp_path / STORIES["interrupted-call"].open).stat().st_ino == inode


async def test_message_list_is_whole_after_every_step(tmp_path: Path) -> None:
    player = Player(STORIES["own-loop"], tmp_path, sleep=Sleeper())
    path = player.begin()
    count = len(json.loads(path.read_bytes()))
    assert count == STORIES["own-loop"].begin
    async for _ in player.play():
        count += 1
        assert len(json.loads(path.read_bytes())) == count


async def test_pauses_follow_the_records_within_bounds_and_the_speed(tmp_path: Path) -> None:
    slow, fast = Sleeper(), Sleeper()
    for name, speed, sleeper in (("a", 1.0, slow), ("b", 4.0, fast)):
        player = Player(STORIES["ageing"], tmp_path / name, speed, sleep=sleeper)
        player.begin()
        await play(player)
    assert max(slow.slept) == samples.LONGEST_PAUSE_S
    assert min(slow.slept) >= samples.SHORTEST_PAUSE_S
    assert len(set(slow.slept)) > 10
    assert fast.slept == [pause / 4 for pause in slow.slept]


@pytest.mark.parametrize(
    ("last", "time", "expected"),
    [(None, 5.0, 0.08), (5.0, None, 0.08), (5.0, 5.5, 0.5), (5.0, 90_000.0, 2.0), (5.0, 4.0, 0.08)],
)
def test_pause_is_the_gap_within_bounds(last: float | None, time: float | None, expected: float) -> None:
    assert pause_s(last, time) == expected


async def test_a_stopped_player_writes_nothing_more(tmp_path: Path) -> None:
    player = Player(STORIES["ageing"], tmp_path, speed=1000)
    path = player.begin()
    task = asyncio.create_task(play(player))
    while path.stat().st_size < 100_000:
        await asyncio.sleep(0.001)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    stopped = tree(tmp_path)
    await asyncio.sleep(0.02)
    assert tree(tmp_path) == stopped
    assert path.read_bytes().endswith(b"\n")


def test_player_leaves_a_folder_that_is_in_use_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="not empty"):
        Player(STORIES["ageing"], tmp_path).begin()
    assert tree(tmp_path) == {"notes.txt": b"mine"}


@pytest.mark.parametrize("speed", [0.0, -1.0, float("nan")])
def test_speed_must_be_above_zero(speed: float, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="speed"):
        Player(STORIES["ageing"], tmp_path, speed)
