"""No action without a Pilot test: every binding of the app is named by a test that presses keys."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import inspector.app
from inspector.app.keymap import known_ids

TESTS = Path(__file__).parent

for module in pkgutil.walk_packages(inspector.app.__path__, "inspector.app."):
    importlib.import_module(module.name)  # bindings are known once their classes are


def marked() -> Iterator[tuple[str, str, str]]:
    """Binding id, name of the test, and its source."""
    for path in sorted(TESTS.rglob("test_*.py")):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.AsyncFunctionDef) and node.name.startswith("test_"):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "covers":
                        body = ast.get_source_segment(source, node) or ""
                        for arg in mark.args:
                            assert isinstance(arg, ast.Constant), f"{path}: ids are written out"
                            yield str(arg.value), f"{path.name}::{node.name}", body


def test_every_action_has_a_pilot_test() -> None:
    assert not known_ids().keys() - {id for id, _, _ in marked()}


def test_marks_name_actions_that_exist_and_their_tests_press_keys() -> None:
    known = known_ids()
    for id, test, body in marked():
        assert id in known, f"{test} covers {id}, which does not exist"
        # Some press through a helper that opens their screen first and takes the keys.
        assert ".press(" in body or "await opened(pilot" in body, f"{test} presses nothing"
