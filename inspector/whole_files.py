"""Files that appear whole or not at all, and the sweeping of what a killed writer leaves behind.

A file is written under a temporary name first. Its writer holds a lock on it until it is done, and
the system drops that lock when the writer dies, however it dies: so whoever gets the lock of a
temporary file knows that nobody will finish it.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_OUTPUT_PREFIX = ".inspector-"
_SUFFIX = ".tmp"
_NO_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})


@contextmanager
def opened_directory(directory: Path) -> Iterator[int]:
    """A descriptor of the directory itself, so that no later change of its path leads elsewhere.

    Raises:
        OSError: It cannot be opened.
    """
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def temporary_file(directory: int, prefix: str, data: bytes) -> Iterator[str]:
    """A complete file under a temporary name, to be linked or renamed; gone at the end if it was not.

    Args:
        directory: Descriptor of the directory.
        prefix: What `sweep` knows these files by.
        data: The content, which is on the disk before the name is given out.

    Raises:
        OSError: It could not be written in full.
    """
    descriptor, name = _locked(directory, prefix)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
        yield name
    finally:
        # The name goes first: as long as it is there, the lock tells that it has an owner.
        with suppress(OSError):
            os.unlink(name, dir_fd=directory)
        os.close(descriptor)


def _locked(directory: int, prefix: str) -> tuple[int, str]:
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    while True:
        name = f"{prefix}{os.urandom(8).hex()}{_SUFFIX}"
        descriptor = os.open(name, flags, 0o600, dir_fd=directory)
        with suppress(OSError):  # without locks nothing is swept either
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            return descriptor, name
        os.close(descriptor)  # swept between its creation and its lock


def sweep(directory: int, prefix: str) -> None:
    """Remove temporary files whose writers are dead. What cannot be removed stays.

    Args:
        directory: Descriptor of the directory.
        prefix: As in `temporary_file`.
    """
    with suppress(OSError):
        for name in os.listdir(directory):
            if name.startswith(prefix) and name.endswith(_SUFFIX):
                with suppress(OSError):
                    _remove_orphan(directory, name)


def _remove_orphan(directory: int, name: str) -> None:
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
    try:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(name, dir_fd=directory)
    finally:
        os.close(descriptor)


def write_output(path: Path, data: bytes) -> None:
    """Write a file that a person named: at any moment the old or the new content is there, whole.

    A link is followed, a device or pipe is written to as it is; neither is ever replaced.

    Args:
        path: The file. A new one is readable by its owner only, an old one keeps its mode.
        data: Its content.

    Raises:
        OSError: It could not be written; what was there before is untouched.
    """
    target = Path(os.path.realpath(path))
    mode = None
    with suppress(FileNotFoundError):
        mode = target.stat().st_mode
    if mode is not None and not stat.S_ISREG(mode):
        with target.open("wb") as stream:
            stream.write(data)
        return
    with opened_directory(target.parent) as directory:
        sweep(directory, _OUTPUT_PREFIX)
        with temporary_file(directory, _OUTPUT_PREFIX, data) as name:
            if mode is not None:
                os.chmod(name, stat.S_IMODE(mode), dir_fd=directory)
            os.rename(name, target.name, src_dir_fd=directory, dst_dir_fd=directory)


def write_new(path: Path, data: bytes) -> None:
    """Write a file that nothing may stand in the place of: it is there whole, or not at all.

    Args:
        path: The file; its owner alone may read it.
        data: Its content.

    Raises:
        FileExistsError: Something has the name.
        OSError: It could not be written; nothing is left of it.
        ValueError: It is no path.
    """
    with opened_directory(path.parent) as directory:
        if exists(directory, path.name):  # before anything is written
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        sweep(directory, _OUTPUT_PREFIX)
        with temporary_file(directory, _OUTPUT_PREFIX, data) as name:
            if not publish(directory, name, path.name):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))


def exists(directory: int, name: str) -> bool:
    """Whether a directory has an entry of a name, be it a link that leads nowhere."""
    try:
        os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def publish(directory: int, temporary: str, name: str) -> bool:
    """Give a temporary file a name of its own; False where the name was taken meanwhile.

    Args:
        directory: Descriptor of the directory of both.
        temporary: Of `temporary_file`.
        name: The name to give.

    Raises:
        OSError: The file system does not do it.
    """
    try:
        os.link(temporary, name, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # A file system without hard links: a rename is whole too, but would replace what another
        # writer puts there between the check and the rename.
        if exists(directory, name):
            return False
        os.rename(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)
    return True
