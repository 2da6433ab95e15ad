"""Checks before a launch, and what must be arranged when we are root."""

from __future__ import annotations

import contextlib
import os
import posixpath
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from schemas.errors import InputError
from tasks.sandbox.command import SANDBOX_UID, Program, covers, unreachable_for
from tasks.sandbox.sandbox_result import SANDBOX_ROOT, WORK_INSIDE

_ENV_NAME = re.compile(r"^[A-Za-z_][A-Za-z0-9_]{0,99}$")
_TOO_WIDE = (
    "/",
    "/home",
    "/root",
    "/tmp",
    "/var",
    "/etc",
    "/opt",
    "/mnt",
    "/srv",
    "/work",
    "/proc",
    "/dev",
    "/sys",
)


@contextlib.contextmanager
def prepared(
    argv: Sequence[str],
    work_dir: Path,
    readonly: Mapping[Path, str],
    prefixes: Sequence[Path],
    env: Mapping[str, str],
) -> Iterator[Program]:
    """The checked program, for as long as its arrangements last."""
    roots = tuple(_checked_prefix(Path(prefix)) for prefix in prefixes)
    _check_argv(argv, roots)
    _check_env(env)
    work = _checked_work_dir(Path(work_dir))
    sources = {_checked_source(Path(source)): _checked_inside(inside) for source, inside in readonly.items()}
    if os.getuid() != 0:
        yield Program(tuple(argv), work, sources, roots, dict(env))
        return
    for path in (work, *roots):
        _check_reachable(path)
    os.chown(work, SANDBOX_UID, SANDBOX_UID, follow_symlinks=False)
    with contextlib.ExitStack() as arrangements:
        staged = {_staged(source, arrangements): inside for source, inside in sources.items()}
        yield Program(tuple(argv), work, staged, roots, dict(env))


def _check_argv(argv: Sequence[str], prefixes: Sequence[Path]) -> None:
    if not argv or any("\0" in item for item in argv):
        raise InputError(
            "the command line does not fit", found=list(argv), allowed="a program and its arguments"
        )
    program = Path(argv[0])
    if not program.is_absolute() or not os.access(program, os.X_OK):
        raise InputError(
            "the program to run does not exist",
            found=argv[0],
            allowed="the absolute path of an executable file",
        )
    if not covers(prefixes, program):
        raise InputError(
            "the interpreter would be invisible inside the sandbox",
            found=f"{program} (really {program.resolve()}) with prefixes {[str(item) for item in prefixes]}",
            allowed="an executable in /usr or below one of the prefixes",
            fix="pass the interpreter's sys.prefix and sys.base_prefix as `prefixes`",
        )


def _check_env(env: Mapping[str, str]) -> None:
    for name, value in env.items():
        if not _ENV_NAME.match(name) or not isinstance(value, str) or "\0" in value:
            raise InputError(
                "an environment variable does not fit",
                found=name,
                allowed="letters, digits and _ as name, text without NUL as value",
            )


def _checked_work_dir(path: Path) -> Path:
    if path.is_symlink() or not path.is_dir():
        raise InputError(
            "the work directory does not fit",
            found=str(path),
            allowed="an existing directory that is not a link",
        )
    return path.resolve()


def _checked_source(path: Path) -> Path:
    if not path.exists():
        raise InputError(
            "a read-only input does not exist", found=str(path), allowed="an existing file or directory"
        )
    return path.resolve()


def _checked_inside(path: str) -> str:
    within_work = path == WORK_INSIDE or path.startswith(WORK_INSIDE + "/")
    if (
        posixpath.normpath(path) != path
        or not path.startswith(SANDBOX_ROOT + "/")
        or within_work
        or ":" in path
    ):
        raise InputError(
            "the place of a read-only input inside the sandbox does not fit",
            found=path,
            allowed=f"a normal absolute path below {SANDBOX_ROOT}/ and outside {WORK_INSIDE}",
        )
    return path


def _checked_prefix(path: Path) -> Path:
    if not path.is_absolute() or str(path) in _TOO_WIDE or path == Path.home() or not (path / "bin").is_dir():
        raise InputError(
            "an interpreter prefix does not fit",
            found=str(path),
            allowed="the installation directory of one Python (with bin/), not a home or system directory",
        )
    return path


def _check_reachable(path: Path) -> None:
    closed = unreachable_for(path, SANDBOX_UID)
    if closed is not None:
        raise InputError(
            "started as root, generated code runs as an unprivileged user, who cannot reach a directory",
            found=f"{path}: {closed} is closed to others",
            allowed="directories every parent of which others may enter",
            fix="use tasks.sandbox.scratch() for the work directory, or start ReproLab as an ordinary user",
        )


def _staged(source: Path, arrangements: contextlib.ExitStack) -> Path:
    """`source`, or a readable copy when the unprivileged user cannot enter the directories above it."""
    if unreachable_for(source, SANDBOX_UID) is None:
        return source
    folder = Path(tempfile.mkdtemp(prefix="reprolab-inputs-"))
    arrangements.callback(shutil.rmtree, folder, ignore_errors=True)
    folder.chmod(0o711)
    copy = folder / "copy"
    if source.is_dir():
        shutil.copytree(source, copy, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copyfile(source, copy)
    for path in (copy, *copy.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
    return copy


def processes_of(uid: int) -> int:
    """Threads of user `uid` now; RLIMIT_NPROC counts them all where there is no user namespace."""
    count = 0
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                if entry.stat().st_uid == uid:
                    count += len(os.listdir(f"/proc/{entry.name}/task"))
            except OSError:
                continue
    return count
