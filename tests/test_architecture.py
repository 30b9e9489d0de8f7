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
    "figures": set(),
    "text": set(),
    "alphabet": set(),
    "model": {"errors"},
    "pipeline": {"model", "errors"},
    "reading": {"model", "errors"},
    "whole_files": set(),
    "line_diff": set(),
    "overflow": {"whole_files", "model", "errors"},
    "chatcli_files": set(),
    "replay": {"pipeline", "model", "errors"},
    "manager": {"pipeline", "overflow", "model", "errors"},
    "managed_run": {"manager", "overflow", "pipeline", "model", "errors"},
    "examples": {"manager", "overflow", "pipeline", "model", "errors"},
    "session": {"reading", "replay", "pipeline", "model", "errors", "figures", "text", "whole_files"},
    "why": {"session", "replay", "pipeline", "model", "errors", "figures"},
    "report": {"why", "session", "replay", "line_diff", "model", "errors", "figures", "text"},
    "scan": {"session", "replay", "model", "errors", "figures", "text"},
    "samples": {"errors"},
    "serve": {"errors", "text"},
    "watch": {"errors"},
    "app": {
        "watch", "session", "replay", "why", "report", "reading", "line_diff", "model", "errors", "figures",
        "text", "samples", "pipeline", "whole_files", "alphabet",
    },
    "cli": {
        "app", "watch", "session", "replay", "why", "report", "scan", "managed_run", "whole_files", "manager",
        "overflow", "chatcli_files", "pipeline", "reading", "model", "errors", "figures", "text", "samples",
        "serve", "alphabet",
    },
}  # fmt: skip
"""Part → parts that it may import. A part is a module or package directly under `inspector/`."""

THIRD_PARTY: dict[str, set[str]] = {
    "textual": {"app"},
    "rich": {"app"},
    "watchfiles": {"watch"},
    "textual_serve": {"serve"},
    "aiohttp": {"serve"},
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


# Tests mirror sources


TESTS = Path(__file__).parent
APART = {"conformance", "bench"}
"""Folders whose tests run shared data or clocks, not modules."""
PICTURES = ("pictures.py", "snapshots.py")
"""Endings of modules that only say how whole screens look."""
UNTESTED_STATEMENTS = 30
"""Functions of a module may hold so many statements together before it needs a test of its own."""

TEST_MODULES = sorted(
    path
    for path in TESTS.rglob("test_*.py")
    if path.relative_to(TESTS).parts[0] not in APART
    and not path.name.endswith(PICTURES)
    and path.name != Path(__file__).name
)
IMPORTS = {path: imports_of(path) for path in [*MODULES, *TEST_MODULES]}


def names_in(path: Path) -> set[str]:
    """What a test module may be named after: `test_timeline_growth` is about `timeline`, or more of it."""
    words = path.stem.removeprefix("test_").split("_")
    return {"_".join(words[:count]) for count in range(1, len(words) + 1)}


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


def imports(path: Path, module: str) -> bool:
    """Whether a file imports a module, or a name from it."""
    return any(name == module or name.rpartition(".")[0] == module for name in IMPORTS[path])


def statements_in_functions(path: Path) -> int:
    found: set[ast.stmt] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.update(n for inner in node.body for n in ast.walk(inner) if isinstance(n, ast.stmt))
    return sum(1 for n in found if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)))


def mirrored_tests(path: Path) -> list[Path]:
    """Test modules in the folder that mirrors a module's; for a package also those beside its folder."""
    folder = TESTS / path.parent.relative_to(PACKAGE)
    places = {folder, folder.parent} if path.name == "__init__.py" else {folder}
    return [test for test in TEST_MODULES if test.parent in places]


def is_tested(path: Path, asking: frozenset[Path] = frozenset()) -> bool:
    """Whether a test of its place is named after a module or imports it.

    A module that only its own package uses is a part of the modules that use it, and tested with them.
    """
    name = path.parent.name if path.name == "__init__.py" else path.stem
    module = module_of(path)
    if any(name in names_in(test) or imports(test, module) for test in mirrored_tests(path)):
        return True
    users = [m for m in MODULES if m != path and m not in asking and imports(m, module)]
    inside = bool(users) and all(user.parent == path.parent for user in users)
    return inside and all(is_tested(user, asking | {path}) for user in users)


@pytest.mark.parametrize("path", TEST_MODULES, ids=lambda p: str(p.relative_to(TESTS)))
def test_test_module_is_named_after_a_source_of_the_same_place(path: Path) -> None:
    place = PACKAGE.joinpath(*path.relative_to(TESTS).parts[:-1])
    sources = {p.stem for p in place.glob("*.py")} | {p.name for p in place.iterdir() if p.is_dir()}
    assert names_in(path) & (sources | {place.name})


@pytest.mark.parametrize(
    "path",
    [m for m in MODULES if statements_in_functions(m) > UNTESTED_STATEMENTS],
    ids=lambda p: str(p.relative_to(PACKAGE)),
)
def test_module_that_does_something_has_a_test_in_the_same_place(path: Path) -> None:
    assert is_tested(path)
