"""Every recorded request is predicted from its transcript, block by block."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.claude_wire import differences, predict_history, predict_resumed

ROOT = Path(__file__).parent.parent.parent
SHARED = Path(os.environ.get("INSPECTOR_SHARED", ROOT.parent / "shared"))
WIRE = SHARED / "wire"

SCENARIOS = sorted(p.parent for p in WIRE.glob("*/requests.json"))
EXCLUDED_KINDS = {"title", "count_tokens"}
"""X2, X3."""


def scenario(folder: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((folder / "requests.json").read_text(encoding="utf-8"))
    return value


def cases() -> list[Any]:
    out = []
    for folder in SCENARIOS:
        for request in scenario(folder)["requests"]:
            if request["kind"] in EXCLUDED_KINDS:
                continue
            out.extend(
                pytest.param(folder, request, way, id=f"{folder.name}:{request['n']}:{way}")
                for way in ("history", "resumed")
                if way in request
            )
    return out


@pytest.mark.parametrize(("folder", "request_", "way"), cases())
def test_request_is_predicted(folder: Path, request_: dict[str, Any], way: str) -> None:
    data = scenario(folder)
    if way == "history":
        messages = predict_history(folder, request_, data["settings"])
    else:
        messages = predict_resumed(folder, request_, data["settings"], data["client"])
    assert differences(request_["blocks"], messages) == []
