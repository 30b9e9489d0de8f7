"""`python -m tests`: everything that must hold before a change is done, in order of speed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    ("pytest", "-q"),
)
"""Modules with their arguments; all run with this very interpreter."""


def main() -> int:
    """Run the checks up to the first that fails.

    Returns:
        The exit code of that one, or 0.
    """
    root = Path(__file__).parent.parent
    for module, *arguments in CHECKS:
        print(f"$ python -m {module} {' '.join(arguments)}", flush=True)
        code = subprocess.run([sys.executable, "-m", module, *arguments], cwd=root, check=False).returncode
        if code:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
