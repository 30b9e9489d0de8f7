"""The shape of the code base, checked: who may import whom, and what stays out of headless runs."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "inspector"

ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "text": set(),
    "model": {"errors"},
    "pipeline": {"model", "errors"},
    "reading": {"model", "errors"},
    "whole_files": set(),
    "overflow": {"whole_files", "model", "errors"},
    "chatcli_files": set(),
    "replay": {"pipeline", "model", "errors"},
    "manager": {"pipeline", "overflow", "model", "errors"},
    "managed_run": {"manager", "overflow", "pipeline", "model", "errors"},
    "examples": {"manager", "overflow", "pipeline", "model", "errors"},
    "session": {"reading", "replay", "pipeline", "model", "errors", "text"},
    "why": {"session", "replay", "pipeline", "model", "errors", "text"},
    "report": {"why", "session", "replay", "model", "errors", "text"},
    "scan": {"session", "replay", "model", "errors", "text"},
    "samples": {"errors"},
    "watch": {"errors"},
    "app": {
        "watch", "session", "replay", "why", "report", "reading", "model", "errors", "text", "samples",
        "pipeline",
    },
    "cli": {
        "app", "watch", "session", "replay", "why", "report", "scan", "managed_run", "whole_files", "manager",
        "overflow", "chatcli_files", "pipeline", "reading", "model", "errors", "text", "samples",
    },
}  # fmt: skip
"""Part → parts that it may import. A part is a module or package directly under `inspector/`."""

THIRD_PARTY: dict[str, set[str]] = {
    "textual": {"app"},
    "rich": {"app"},
    "watchfiles": {"watch"},
    "orjson": {"reading", "report", "scan", "manager", "managed_run", "pipeline", "session"},
}


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


MODULES = sorted(p for p in PACKAGE.rglob("*.py") if "_samples" not in p.parts)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_module_imports_only_what_its_part_may(path: Path) -> None:
    part = part_of(path)
    if part in {"__init__", "__main__"}:
        return
    for name in imports_of(path):
        pieces = name.split(".")
        if pieces[0] == "inspector":
            target = pieces[1] if len(pieces) > 1 else ""
            if target in {part, "__version__", ""}:
                continue
            assert target in ALLOWED[part], f"{part} may not import inspector.{target} ({name})"
        elif pieces[0] in THIRD_PARTY:
            assert part in THIRD_PARTY[pieces[0]], f"{part} may not import {pieces[0]}"


@pytest.mark.parametrize("path", sorted((PACKAGE / "app" / "widgets").glob("*.py")), ids=lambda p: p.name)
def test_widgets_import_no_screen(path: Path) -> None:
    assert not any(name.startswith("inspector.app.screens") for name in imports_of(path))


@pytest.mark.parametrize("module", ["inspector", "inspector.cli", "inspector.report", "inspector.session"])
def test_headless_modules_load_neither_textual_nor_rich(module: str) -> None:
    code = (
        f"import sys, {module}; "
        "bad = {m.split('.')[0] for m in sys.modules} & {'textual', 'rich', 'watchfiles'}; "
        "sys.exit(' '.join(bad) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
