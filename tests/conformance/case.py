"""One bug case on disk, and what the public analysis says about it under each policy a field asks for."""

from __future__ import annotations

import importlib.util
import json
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from inspector.model.policy import BudgetMode, Policy, preset
from inspector.report import report
from inspector.session import open_session
from tests.conformance.screenless import printed


def load_expander(cases: Path) -> ModuleType:
    """The script beside the cases that turns their recipes into real files."""
    spec = importlib.util.spec_from_file_location("case_expander", cases / "expand.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def report_of(
    path: Path, policy: Policy | None = None, *, live: bool = False, after: int | None = None
) -> Any:
    """The report of a session; without a policy under the one of its source."""
    return report(open_session(path, policy=policy, live=live), resume_after=after)


class Case:
    """A case, expanded. Reports are made on first use, because most fields need only one of them."""

    def __init__(self, folder: Path, into: Path) -> None:
        """Expand a case.

        Args:
            folder: The case among the shared data.
            into: A folder of the test's own.
        """
        self.expect: dict[str, Any] = json.loads((folder / "expect.json").read_text(encoding="utf-8"))
        self.folder: Path = Path(load_expander(folder.parent).expand(folder, into))

    @property
    def files(self) -> list[Path]:
        """The inputs, in the order in which the case names them."""
        named = [self.folder / name for name in self.expect.get("files", ())]
        return named or sorted(self.folder.glob("*.json*"))

    @cached_property
    def parent(self) -> Path | None:
        """The session that a forked one was copied from."""
        others = [path for path in self.files if path != self.path and path.suffix == ".jsonl"]
        return next((path for path in others if self._is_parent(path)), others[0] if others else None)

    def _is_parent(self, path: Path) -> bool:
        return "parent" in str(path.relative_to(self.folder))

    @cached_property
    def path(self) -> Path:
        """The session to open, at its full length."""
        parts = b"".join(part.read_bytes() for part in self.parts)
        if not parts or (self.start is not None and self.start.read_bytes().endswith(parts)):
            assert self.start is not None
            return self.start
        whole = self.folder / "whole.jsonl"
        whole.write_bytes((self.start.read_bytes() if self.start else b"") + parts)
        return whole

    @cached_property
    def start(self) -> Path | None:
        """What stands there before pieces are appended; of two request bodies the later one, for it holds
        all of the earlier. None where a case has nothing but pieces."""
        files = [p for p in self.files if p.suffix in {".json", ".jsonl"} and not self._is_parent(p)]
        if not files or self.expect["format"] == "anthropic-requests":
            return files[-1] if files else None
        return next((path for path in files if path.stem in {"transcript", "messages"}), files[0])

    @property
    def parts(self) -> list[Path]:
        """Pieces that are appended one after the other, in the order in which the case names them."""
        named = [path for path in self.files if path.suffix.startswith(".part")]
        return named or sorted(self.folder.glob("*.part"))

    def analyse(self, policy: Policy | None = None, *, live: bool = False, after: int | None = None) -> Any:
        """The report of the case under a policy; None is the one of its source."""
        return report_of(self.path, policy, live=live, after=after)

    @cached_property
    def plain(self) -> Any:
        """Under the policy of its source."""
        return self.analyse()

    @cached_property
    def live(self) -> Any:
        """As a session that is still being written."""
        return self.analyse(live=True)

    @cached_property
    def ledger(self) -> Any:
        """With the ledger of seed 001 and the budget on, whatever the session itself did."""
        return self.analyse(LEDGER)

    @cached_property
    def documented(self) -> Any:
        """By both seeds as written."""
        return self.analyse(preset("documented"))

    @cached_property
    def printed(self) -> dict[str, str]:
        """What the commands print about it."""
        return printed(self.path)

    def resumed(self, line: int) -> Any:
        """What a resume after a line would do."""
        return self.analyse(LEDGER, after=line)["resume"]


LEDGER = preset("claude-code").with_field("budget.mode", BudgetMode.ON)


def results(found: Any) -> list[Any]:
    """Results of the main conversation and of all others."""
    return [*found["results"], *(row for thread in found["threads"] for row in thread["result_rows"])]


def groups(found: Any) -> list[list[Any]]:
    """Groups in order, each as its decisions; those without a candidate are left out."""
    out: list[list[Any]] = []
    for entries in (found["groups"], *(thread["groups"] for thread in found["threads"])):
        turns: dict[int, list[Any]] = {}
        for entry in entries:
            if entry["ids"]:
                turns.setdefault(entry["turn"], []).append(entry)
        out += turns.values()
    return out


def findings(found: Any, *kinds: str) -> list[Any]:
    """Findings of some kinds."""
    return [finding for finding in found["findings"] if finding["kind"] in kinds]


def named(found: Any, *kinds: str) -> list[str]:
    """Ids that findings of some kinds name."""
    return [each for finding in findings(found, *kinds) for each in finding["ids"]]
