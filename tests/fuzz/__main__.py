"""`python -m tests.fuzz TARGET [-runs=N] [-max_total_time=S]`: atheris on one of the targets."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris  # type: ignore[import-not-found,unused-ignore]  # installed by whoever fuzzes

with atheris.instrument_imports(include=["inspector"]):
    from tests.fuzz.targets import TARGETS
from tests.found import FOUND
from tests.hostile import STRINGS, claude_code

LONGEST_BYTES = 2_048
"""Of one try: what lies behind it is met in short texts too, and many are tried."""


def seeds(folder: Path) -> None:
    """What the fuzzer begins with: what did harm once, and the hostile strings."""
    small = dict(list(STRINGS.items())[:6])
    pieces = [data for data, _ in FOUND.values()]
    pieces += claude_code(small, flood=False).encode("utf-8", "surrogatepass").splitlines()[:60]
    pieces += [text.encode("utf-8", "surrogatepass") for text in STRINGS.values()]
    for number, data in enumerate(pieces):
        (folder / f"{number:03d}").write_bytes(data[:LONGEST_BYTES])


def main() -> None:
    """Fuzz until something is found, or the time is up."""
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"name a target: {', '.join(TARGETS)}")
    with tempfile.TemporaryDirectory() as folder:
        seeds(Path(folder))
        longest = f"-max_len={LONGEST_BYTES}"
        atheris.Setup([sys.argv[0], longest, *sys.argv[2:], folder], TARGETS[sys.argv[1]])
        atheris.Fuzz()


main()
