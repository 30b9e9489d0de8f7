#!/usr/bin/env python3
"""Write all sample sessions: `python sample_sessions/make.py`. The same code gives the same bytes."""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

from generator import ageing, blowup, chatcli, damaged, interrupted, overflow, own_loop, resume, subagent
from generator.client import HOME

CLIENT_STORIES = (blowup, interrupted, ageing, resume, overflow, damaged, subagent)
"""Stories whose transcript is `<uuid>.jsonl`, in the order in which they are listed."""

OWN_LOOP_CHANGES = {"budget.result_limit": None, "budget.skip_tools": ["Read"]}
"""What `own-loop` changes in the `documented` policy."""

POLICIES = {"ageing": "documented"}
"""Stories that show their point under another policy than their source's own."""

BEGINS = {"parallel-blowup": 30, "own-loop": 62}
"""How many lines (messages, in a list) stand there when the player starts."""


def make(into: Path) -> None:
    """Write every story below a folder, in place of what stands there.

    Args:
        into: The folder, normally the one of this file.
    """
    index: list[dict[str, Any]] = []
    for story in (*CLIENT_STORIES, own_loop, chatcli):
        folder = into / story.NAME
        shutil.rmtree(folder, ignore_errors=True)
        session = story.write(folder)
        (folder / "STORY.md").write_text(f"# {story.NAME}\n\n{story.LINE}\n\n{story.LOOK}", encoding="utf-8")
        index.append(
            {
                "name": story.NAME,
                "line": story.LINE,
                "open": f"{session}.jsonl" if session else transcript(folder),
                "home": HOME if story in CLIENT_STORIES else "",
                "policy": "documented" if story is own_loop else POLICIES.get(story.NAME, ""),
                "changes": OWN_LOOP_CHANGES if story is own_loop else {},
                "begin": BEGINS.get(story.NAME, 6),
            }
        )
    text = json.dumps(index, indent=1, ensure_ascii=False)
    (into / "stories.json").write_text(text + "\n", encoding="utf-8")


def transcript(folder: Path) -> str:
    """The one transcript of a story."""
    (only,) = (path.name for path in folder.iterdir() if path.suffix in {".json", ".jsonl"})
    return only


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write the sample sessions.")
    parser.add_argument("--into", type=Path, default=Path(__file__).parent, help="folder to write to")
    make(parser.parse_args().into)
