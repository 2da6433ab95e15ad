"""numpy, and what of SciPy solves sparse equations, where the sandbox can reach them."""

from __future__ import annotations

import atexit
import functools
import importlib.util
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from schemas.errors import PrerequisiteError

LEFT_OUT = ("tests", "__pycache__", "*.pyi", "*.a")
PARTS = {
    "numpy": (),
    "scipy": ("_lib", "linalg", "sparse"),
}  # folders that are needed; all where none is named


@functools.cache
def sparse_library() -> Path:
    """A folder with them alone, made once a process."""
    target = Path(tempfile.mkdtemp(prefix="reprolab-sparse-"))
    atexit.register(shutil.rmtree, target, ignore_errors=True)
    for name, parts in PARTS.items():
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.submodule_search_locations:
            raise PrerequisiteError(
                "the second solver cannot be run: a package is missing", found=f"no {name}", fix="make setup"
            )
        source = Path(spec.submodule_search_locations[0])
        others = [
            path.name for path in source.iterdir() if path.is_dir() and parts and path.name not in parts
        ]
        shutil.copytree(source, target / name, ignore=_ignored(source, others))
        libraries = source.parent / f"{name}.libs"
        if libraries.is_dir():
            shutil.copytree(libraries, target / libraries.name)
    for path in (target, *target.rglob("*")):
        path.chmod(0o755 if path.is_dir() or ".so" in path.name else 0o644)
    return target


def _ignored(source: Path, others: list[str]) -> Callable[[Any, list[str]], set[str]]:
    usual = shutil.ignore_patterns(*LEFT_OUT)
    return lambda folder, names: usual(folder, names) | (set(others) if Path(folder) == source else set())
