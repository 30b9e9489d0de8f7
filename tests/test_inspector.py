"""The package's front door: its names, its cost, and the example that stands in the README."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import inspector
from inspector.model.policy import DOCUMENTED
from tests.pipeline.histories import text_of

README = Path(__file__).parent.parent / "README.md"


def test_every_public_name_is_there_and_documented() -> None:
    for name in inspector.__all__:
        value = getattr(inspector, name)
        if isinstance(value, type) or callable(value):
            assert value.__doc__, name
    assert set(inspector.__all__) <= set(dir(inspector))
    assert inspector.DOCUMENTED is DOCUMENTED


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        inspector.no_such_name  # noqa: B018 - the look-up is what is tested


def test_the_library_loads_neither_the_app_nor_a_reader() -> None:
    code = (
        "import sys; from inspector import ToolResultManager, OverflowStore, DOCUMENTED, run_histories; "
        "sys.exit(' '.join(m for m in sys.modules if m in ('textual', 'rich', 'watchfiles') "
        "or m.startswith(('inspector.app', 'inspector.reading', 'inspector.session'))) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def example() -> str:
    section = README.read_text(encoding="utf-8").partition("## The library")[2]
    return section.partition("```python\n")[2].partition("```")[0]


def test_the_readme_example_runs_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    saved: list[dict[str, Any]] = []
    sent: list[list[Any]] = []

    def model(messages: list[Any]) -> dict[str, Any]:
        sent.append(messages)
        turn = len(sent)
        content: list[dict[str, Any]] = [{"type": "text", "text": f"answer {turn}"}]
        if turn < 4:
            content.append({"type": "tool_use", "id": f"t{turn}", "name": "Grep", "input": {}})
        return {"role": "assistant", "content": content}

    def run_tools(answer: dict[str, Any]) -> dict[str, Any]:
        call = answer["content"][1]
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": text_of(30_000, len(sent))}
        return {"role": "user", "content": [result]}

    names: dict[str, Any] = {
        "messages": [{"role": "user", "content": "go"}],
        "save": saved.extend,
        "model": model,
        "run_tools": run_tools,
        "calls_tools": lambda answer: len(answer["content"]) > 1,
    }
    exec(example(), names)  # noqa: S102 - the example is our own text
    assert [len(messages) for messages in sent] == [1, 3, 5, 7]
    assert [record["replacements"][0]["toolUseId"] for record in saved] == ["t1", "t2", "t3"]
    assert len(names["messages"][2]["content"][0]["content"]) == 30_000
    assert len(list((tmp_path / "scratch").iterdir())) == 3
    resumed = inspector.ToolResultManager.resume("documented", "scratch/", names["messages"][:7], saved)
    assert resumed.prepare(names["messages"][:7]).messages == sent[-1]
