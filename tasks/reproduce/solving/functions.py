"""Call the functions of Measured quantities: in the sandbox, without Meep, on numbers and curves alone."""

from __future__ import annotations

import atexit
import functools
import importlib.util
import json
import math
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schemas.base import digest
from schemas.errors import PrerequisiteError
from simkit.describe.language import CONSTANTS, FUNCTIONS, PLAIN
from tasks.files.store import atomic_write
from tasks.reproduce.collect import UnsafeOutput, collect, read_json
from tasks.reproduce.describing.own_python import own_python
from tasks.reproduce.measuring import Curve
from tasks.sandbox import Limits, run_sandboxed, scratch

LIMITS = Limits(
    wall_s=300, cpu_s=60, memory_mb=1024, processes=8, file_mb=64, disk_mb=96, files=10, output_mb=1
)
Answer = float | NDArray[np.float64] | str  # a number, a row of numbers, or why there is none
_PROGRAM = Path(__file__).resolve().parents[3] / "simkit" / "measure.py"
_INPUTS, _LIBRARY, _WORK = "/sandbox/inputs", "/sandbox/library", "/sandbox/work"
_MOST_KEPT = 4096
_kept: dict[str, Answer] = {}


def called(
    calls: Sequence[tuple[str, Sequence[float | Curve]]], *, allow_degraded: bool = False
) -> list[Answer]:
    """What the function `measure` of checked code answers to its arguments, for each (code, arguments).

    Every call has a process of its own, all of them one sandbox; the same call is not made twice. Raises PrerequisiteError.
    """
    plain = [(code, [_plain(item) for item in call]) for code, call in calls]
    names = [digest(list(call), 32) for call in plain]
    if len(_kept) > _MOST_KEPT:
        _kept.clear()
    new = {name: call for name, call in zip(names, plain, strict=True) if name not in _kept}
    if new:
        _kept.update(zip(new, _asked(list(new.values()), allow_degraded), strict=True))
    return [_kept[name] for name in names]


def _plain(item: float | Curve) -> Any:
    if isinstance(item, Curve):
        return {"x": [float(v) for v in item.x], "y": [float(v) for v in item.y]}
    return float(item)


def _asked(calls: list[tuple[str, list[Any]]], allow_degraded: bool) -> list[Answer]:
    python = own_python()
    codes = list(dict.fromkeys(code for code, _ in calls))
    with scratch("reprolab-measure-") as folder:
        inputs = folder / "inputs"
        atomic_write(
            inputs / "job.json",
            json.dumps(
                {
                    "codes": codes,
                    "functions": [*FUNCTIONS, *CONSTANTS],
                    "plain": PLAIN,
                    "calls": [[codes.index(code), given] for code, given in calls],
                }
            ),
        )
        inputs.chmod(0o755)
        result = run_sandboxed(
            [python.path, "-S", "-s", "-P", "-m", "simkit.measure"],
            folder / "work",
            readonly={inputs: _INPUTS, library(): _LIBRARY},
            prefixes=python.prefixes,
            env={
                "PYTHONPATH": _LIBRARY,
                "SIMKIT_INPUTS": _INPUTS,
                "SIMKIT_OUTPUT": _WORK,
                **dict(python.environment),
            },
            limits=LIMITS,
            allow_degraded=allow_degraded,
        )
        if "No module named" in result.stderr_tail:
            raise PrerequisiteError(
                "a measure cannot be run in the sandbox", found=result.stderr_tail[-400:], fix="make setup"
            )
        (folder / "kept").mkdir()
        collect(folder / "work", folder / "kept", ["answers.json"])
        try:
            found = read_json(folder / "kept" / "answers.json", LIMITS.file_mb << 20)
        except (UnsafeOutput, OSError) as error:
            why = (
                f"limit on {result.stop_reason}" if result.stop_reason else " ".join(str(error).split())[:200]
            )
            return [f"its function gave no answers: {why}"] * len(calls)
    if not isinstance(found, list) or len(found) != len(calls):
        return ["its function gave no answers"] * len(calls)
    return [_answer(entry) for entry in found]


def _answer(entry: Any) -> Answer:
    """Read as a stranger's."""
    if (
        isinstance(entry, dict)
        and isinstance(number := entry.get("number"), (int, float))
        and math.isfinite(number)
    ):
        return float(number)
    if (
        isinstance(entry, dict)
        and isinstance(row := entry.get("curve"), list)
        and row
        and all(isinstance(v, (int, float)) and math.isfinite(v) for v in row)
    ):
        return np.array(row, float)
    said = str(entry.get("error", "")) if isinstance(entry, dict) else ""
    return "its function: " + ("".join(c for c in said[:400] if c.isprintable()) or "no number")


@functools.cache
def library() -> Path:
    """A folder with numpy and the program that calls: all that a measure can reach. Made once a process."""
    target = Path(tempfile.mkdtemp(prefix="reprolab-numpy-"))
    atexit.register(shutil.rmtree, target, ignore_errors=True)
    spec = importlib.util.find_spec("numpy")
    if spec is None or not spec.submodule_search_locations:
        raise PrerequisiteError(
            "a measure cannot be run: a package is missing", found="no numpy", fix="make setup"
        )
    source = Path(spec.submodule_search_locations[0])
    shutil.copytree(
        source,
        target / "numpy",
        ignore=shutil.ignore_patterns("tests", "__pycache__", "*.pyi", "*.a", "f2py"),
    )
    if (source.parent / "numpy.libs").is_dir():
        shutil.copytree(source.parent / "numpy.libs", target / "numpy.libs")
    (target / "simkit").mkdir()
    (target / "simkit" / "__init__.py").write_text('"""The caller alone."""\n', encoding="utf-8")
    shutil.copy2(_PROGRAM, target / "simkit")
    for path in (target, *target.rglob("*")):
        path.chmod(0o755 if path.is_dir() or ".so" in path.name else 0o644)
    return target
