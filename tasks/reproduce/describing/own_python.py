"""Our own Python with pydantic, where the sandbox can reach it: generated code describes with the vocabulary we check with."""

from __future__ import annotations

import atexit
import functools
import importlib.util
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from schemas.errors import PrerequisiteError
from tasks.sandbox.command import SANDBOX_UID, unreachable_for

VOCABULARY = Path(__file__).resolve().parents[3] / "simkit" / "describe"
PACKAGES = ("pydantic", "pydantic_core", "annotated_types", "typing_inspection")
_MODULES = ("typing_extensions",)
_LEFT_OUT = (
    "site-packages",
    "test",
    "tests",
    "idlelib",
    "tkinter",
    "turtledemo",
    "ensurepip",
    "lib2to3",
    "config-*",
    "*.a",
    "*.exe",
)


@dataclass(frozen=True)
class OwnPython:
    """path: absolute, of the interpreter. prefixes and environment: for `run_sandboxed`."""

    path: str
    prefixes: tuple[Path, ...]
    environment: tuple[tuple[str, str], ...] = ()


@functools.cache
def own_python() -> OwnPython:
    """The interpreter this process runs on, without site packages.

    Where we are root and it lies in a closed directory (/root/.pyenv), the sandbox's unprivileged user cannot reach it:
    then interpreter and standard library once more in a folder it reaches, made once a process: as links, or as a copy where
    that lies on another file system.
    """
    path, base = Path(sys.executable).resolve(), Path(sys.base_prefix).resolve()
    if not (os.getuid() == 0 and unreachable_for(path, SANDBOX_UID)):
        outside = () if base.is_relative_to("/usr") and path.is_relative_to("/usr") else (base,)
        return OwnPython(str(path), outside)
    return _copied(path, base)


def _copied(path: Path, base: Path) -> OwnPython:
    root = Path(tempfile.mkdtemp(prefix="reprolab-python-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    root.chmod(0o755)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    (root / "bin").mkdir(mode=0o755)
    (root / "lib").mkdir(mode=0o755)
    _linked(path, root / "bin" / version)
    for library in base.glob("lib/libpython*.so*"):
        _linked(library, root / "lib" / library.name)
    shutil.copytree(
        base / "lib" / version,
        root / "lib" / version,
        ignore=shutil.ignore_patterns(*_LEFT_OUT),
        copy_function=_linked,
    )
    return OwnPython(str(root / "bin" / version), (root,), (("LD_LIBRARY_PATH", str(root / "lib")),))


def _linked(source: str | Path, target: str | Path) -> None:
    try:
        os.link(os.path.realpath(source), target)
    except OSError:
        shutil.copy2(source, target)


@functools.cache
def library() -> Path:
    """A folder with pydantic, what it needs, and the vocabulary: all that a description imports. Made once a process.

    Raises PrerequisiteError if a package is missing.
    """
    target = Path(tempfile.mkdtemp(prefix="reprolab-vocabulary-"))
    atexit.register(shutil.rmtree, target, ignore_errors=True)
    for name in (*PACKAGES, *_MODULES):
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            raise PrerequisiteError(
                "descriptions cannot be run: a package is missing", found=f"no {name}", fix="make setup"
            )
        if spec.submodule_search_locations:
            shutil.copytree(spec.submodule_search_locations[0], target / name)
        else:
            shutil.copy2(spec.origin, target)
    shutil.copytree(VOCABULARY, target / "simkit" / "describe", ignore=shutil.ignore_patterns("__pycache__"))
    (target / "simkit" / "__init__.py").write_text('"""The vocabulary alone."""\n', encoding="utf-8")
    for path in (target, *target.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return target
