"""Evaluate a Measured quantity's function: `python -m simkit.measure`, in the sandbox, without Meep.

Reads job.json in $SIMKIT_INPUTS: codes, the names they may use, and calls: [number of the code, arguments], an argument being
a number or {"x": [...], "y": [...]}. Writes answers.json in $SIMKIT_OUTPUT: for each call {"number": y}, {"curve": [y]} or
{"error": words}.
Every call has a process of its own, twice and in both orders, so that nothing is carried from one to the other; what
differs is an error. The code was checked (simkit/describe/language.py) before it got here; the sandbox is the wall behind.
"""

from __future__ import annotations

import builtins
import json
import math
import os
import resource
import traceback
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

CPU_S = 2  # of one call
MOST = 1 << 22  # characters of an answer


def main() -> None:
    """Answer all calls."""
    job = json.loads((Path(os.environ["SIMKIT_INPUTS"]) / "job.json").read_text(encoding="utf-8"))
    codes = [compile(code, "measure", "exec") for code in job["codes"]]
    calls = [(codes[number], arguments) for number, arguments in job["calls"]]
    first = [asked(code, job, arguments) for code, arguments in calls]
    second = [
        answer if "error" in answer else asked(code, job, arguments)
        for answer, (code, arguments) in zip(reversed(first), reversed(calls), strict=True)
    ][::-1]
    answers = [
        one if one == other else {"error": "it gives different values for the same data"}
        for one, other in zip(first, second, strict=True)
    ]
    (Path(os.environ["SIMKIT_OUTPUT"]) / "answers.json").write_text(json.dumps(answers), encoding="utf-8")


def asked(compiled: Any, job: dict[str, Any], call: list[Any]) -> dict[str, Any]:
    """The answer of a child that calls the function once."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
            with os.fdopen(into, "w", encoding="utf-8") as stream:
                stream.write(json.dumps(answered(compiled, job, call)))
        finally:
            os._exit(0)
    os.close(into)
    with os.fdopen(out, encoding="utf-8") as stream:
        text = stream.read(MOST)
    os.waitpid(child, 0)
    try:
        found = json.loads(text)
    except ValueError:
        return {"error": f"it did not end within {CPU_S} s of CPU time, or its answer is too long"}
    return found if isinstance(found, dict) else {"error": "it gave no answer"}


def answered(compiled: Any, job: dict[str, Any], call: list[Any]) -> dict[str, Any]:
    """Number, curve or error of one call."""
    numpy = SimpleNamespace(**{name: getattr(np, name) for name in job["functions"]})
    space: dict[str, Any] = {
        "np": numpy,
        "__builtins__": {name: getattr(builtins, name) for name in job["plain"]},
    }
    np.seterr(all="ignore")
    try:
        exec(compiled, space)  # noqa: S102  the sandbox is around us
        return plain(space["measure"](*map(argument, call)))
    except Exception as error:  # noqa: BLE001  whatever generated code raises is told
        lines = [
            frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "measure"
        ]
        where = f"line {lines[-1]}: " if lines else ""
        return {"error": f"{where}{type(error).__name__}: {error}"[:400]}


def argument(given: Any) -> Any:
    """A number, or a curve whose arrays cannot be written to."""
    if not isinstance(given, dict):
        return float(given)
    arrays = {name: np.array(values, float) for name, values in given.items()}
    for array in arrays.values():
        array.setflags(write=False)
    return SimpleNamespace(**arrays)


def plain(found: Any) -> dict[str, Any]:
    """What a function returned."""
    if isinstance(found, bool) or found is None:
        return {"error": f"it returned {found}, which is no number"}
    values = np.asarray(found)
    if values.dtype.kind not in "iuf" or values.ndim > 1:
        return {
            "error": f"it returned {values.dtype} of shape {values.shape}; a real number or a row of them is wanted"
        }
    if not np.all(np.isfinite(values)):
        return {"error": "it found no finite value"}
    if values.ndim == 0:
        return {"number": math.fsum([float(values)])}
    return {"curve": [float(value) for value in values]}


if __name__ == "__main__":
    main()
