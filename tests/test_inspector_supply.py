"""What the project depends on, and what it hands out: versions, licences, contents, bare environments."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NEEDED = [Requirement(words) for words in PROJECT["dependencies"]]
WANTED = [Requirement(words) for extra in PROJECT["optional-dependencies"].values() for words in extra]
LOCK = dict(line.split("==") for line in (ROOT / "tests" / "ci.lock").read_text(encoding="utf-8").split())
LICENCES = dict(
    line.split(": ", 1) for line in (ROOT / "tests" / "licences.txt").read_text(encoding="utf-8").splitlines()
)
FREE = re.compile(r"MIT|BSD|Apache|MPL|Mozilla|PSF|Python Software Foundation|Lesser General Public")


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def licence(of: metadata.PackageMetadata) -> str:
    if of.get("License-Expression"):
        return str(of["License-Expression"])
    stated = [c.rpartition(" :: ")[2] for c in of.get_all("Classifier") or () if c.startswith("License ::")]
    return " AND ".join(sorted(stated)) or str(of.get("License") or "unknown").splitlines()[0]


@pytest.mark.parametrize("requirement", [*NEEDED, *WANTED], ids=str)
def test_the_lock_and_what_is_installed_satisfy_the_project(requirement: Requirement) -> None:
    assert requirement.specifier.contains(LOCK[plain(requirement.name)])
    try:
        installed = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        assert requirement not in NEEDED
    else:
        assert requirement.specifier.contains(installed)


def test_every_locked_package_has_a_free_licence_and_its_metadata_agree() -> None:
    assert LICENCES.keys() == LOCK.keys()
    assert [name for name, words in LICENCES.items() if not FREE.search(words)] == []
    checked = 0
    for name, version in LOCK.items():
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        if found.version == version:
            assert licence(found.metadata) == LICENCES[name], name
            checked += 1
    assert checked or metadata.version("textual") != LOCK["textual"]


def test_what_runs_needs_no_licence_that_binds_its_user() -> None:
    assert not [r.name for r in NEEDED if re.search("General Public", LICENCES[plain(r.name)])]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("built")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(out)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return out


@pytest.fixture(scope="module")
def unpacked(built: Path) -> Path:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(built / "unpacked")  # noqa: S202 - built a moment ago, by us
    return built / "unpacked"


def test_the_wheel_holds_the_package_its_samples_and_nothing_else(unpacked: Path) -> None:
    names = {str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if path.is_file()}
    ours = re.compile(
        r"inspector/.*\.(py|tcss|css|json|typed)|inspector/_samples/.*|inspector-[^/]*\.dist-info/.*"
    )
    assert [name for name in names if not ours.fullmatch(name)] == []
    assert not [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".orig", ".rej"))]
    for path in (ROOT / "inspector").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert str(path.relative_to(ROOT)) in names
    stories = [
        path for path in (ROOT / "sample_sessions").rglob("*") if path.suffix in {".jsonl", ".md", ".txt"}
    ]
    assert stories
    for path in stories:
        assert str("inspector/_samples" / path.relative_to(ROOT / "sample_sessions")) in names


def test_the_source_archive_holds_what_builds_and_tests_it(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    tops = {name.partition("/")[0] for name in names}
    assert tops <= {
        "inspector", "sample_sessions", "tests", "README.md", "LICENSE", "pyproject.toml", "PKG-INFO",
        ".gitignore",
    }  # fmt: skip
    assert {
        "pyproject.toml",
        "LICENSE",
        "README.md",
        "tests/ci.lock",
        "sample_sessions/stories.json",
    } <= names
    assert not [name for name in names if "__pycache__" in name]


BARE = {
    "isolated": {},
    "no-home": {"HOME": None},
    "nobody": {"HOME": None},
    "locked-home": {"HOME": "/proc/1", "XDG_CACHE_HOME": "/proc/1/cache", "XDG_STATE_HOME": "/proc/1/state"},
    "dumb": {"TERM": "dumb"},
    "no-terminal-type": {"TERM": None},
    "plain-ascii": {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "latin": {"PYTHONIOENCODING": "latin-1"},
}
NOBODY = "import pwd\ndef getpwuid(_):\n    raise KeyError\npwd.getpwuid = getpwuid\n"
"""A user that the system does not know, as containers have them: with no HOME, there is no home at all."""


def bare_run(python: str, bare: str, unpacked: Path, where: Path) -> None:
    """Run the wheel's commands, in one process, in a bare environment."""
    environment = {**os.environ, **BARE[bare]}
    environment = {name: value for name, value in environment.items() if value is not None}
    (session,) = (unpacked / "inspector" / "_samples" / "damaged-lines").glob("*.jsonl")
    start = (
        f"{NOBODY if bare == 'nobody' else ''}"
        f"import sys; sys.path.insert(0, {str(unpacked)!r})\n"
        "from inspector.cli import main\n"
        "sys.exit(sum(main(words.split('|')) for words in sys.argv[1:]))\n"
    )
    # -I would hide PYTHON… variables, which two of the environments are made of.
    how = ["-W", "error", *(["-I"] if not any(name.startswith("PYTHON") for name in BARE[bare]) else [])]
    calls = [["report", str(session)]]
    if "HOME" in BARE[bare]:
        calls += [["list"], ["scan", str(session.parent)], ["demo", "--stories"]]
    done = subprocess.run(
        [python, *how, "-c", start, *map("|".join, calls)],
        env=environment, cwd=where, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert b"damaged" in done.stdout
    assert list(where.iterdir()) == []


@pytest.mark.parametrize("bare", BARE)
def test_the_wheel_runs_in_bare_environments(bare: str, unpacked: Path, tmp_path: Path) -> None:
    bare_run(sys.executable, bare, unpacked, tmp_path)


STATED = [c.rpartition(" :: ")[2] for c in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", c)]


@pytest.mark.parametrize("version", STATED)
def test_the_wheel_runs_on_every_python_that_is_stated(version: str, unpacked: Path, tmp_path: Path) -> None:
    """Where that one is at hand with what the project needs: on the path, or named in the environment."""
    named = os.environ.get("INSPECTOR_PYTHONS", "").split(os.pathsep)
    needed = ", ".join(plain(requirement.name) for requirement in NEEDED)
    wanted = f"import sys, {needed}; print('%d.%d' % sys.version_info[:2])"
    for python in filter(None, [*named, sys.executable, shutil.which(f"python{version}")]):
        said = subprocess.run([python, "-c", wanted], capture_output=True, text=True, check=False)
        if said.stdout.strip() == version:
            return bare_run(python, "isolated", unpacked, tmp_path)
    pytest.skip(f"no Python {version} with the project's dependencies here")
