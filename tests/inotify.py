"""Programs for which the system has no file watches left: a user namespace has limits of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LIMITS = ("max_inotify_watches", "max_inotify_instances")


def used_up(limit: str) -> tuple[str, ...]:
    """What starts a program in a namespace in which a limit is 0: its name and arguments.

    The test is left out where no such namespace can be made.

    Args:
        limit: One of `LIMITS`.
    """
    start = f'echo 0 > /proc/sys/user/{limit} && exec "$@"'
    through = ("unshare", "--user", "--map-root-user", "sh", "-c", start, "sh")
    if not _works(through):
        pytest.skip("no user namespace with limits of its own can be made here")
    return through


@cache
def _works(through: Sequence[str]) -> bool:
    try:
        return subprocess.run([*through, "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def without_inotify(limit: str, program: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a program to its end in such a namespace."""
    return subprocess.run(
        [*used_up(limit), *program], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
