"""A plot: the model's code draws in the sandbox, code compares with the data, another process draws what was compared."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import ValidationError

from schemas.explore.science_data import Number, ScienceData
from schemas.reading.beneath import Unopened, read_below
from schemas.text.visible import one_visible_line
from tasks.explore.figures.data_check import check_drawing
from tasks.explore.figures.drawn_numbers import Drawing
from tasks.explore.figures.tracing import moved
from tasks.explore.measuring.interpreter import Interpreter, interpreter
from tasks.sandbox import Limits, SandboxResult, run_sandboxed, scratch

LIMITS = Limits(
    wall_s=240, cpu_s=40, memory_mb=1024, processes=16, file_mb=20, disk_mb=64, files=50, output_mb=1
)
_INSIDE = Path(__file__).resolve().parent / "inside"
_MOST = 8 << 20
DATA_GUIDE = """`data["best.time"]` has .value, .uncertainty (may be None), .unit, .values (the repeats), .node, .kind, .what.
`data.names(".time")`: the names that end so. `data.nodes`: configurations by rank, each with .node, .label, .rank,
.against_parent and .numbers (metric -> name). `figure.subplots()` gives axes; bar, barh, plot, scatter, errorbar, axhline are
drawn.
Example: nodes = data.nodes[:5]; found = [data[n.numbers["time"]] for n in nodes]; axes = figure.subplots();
axes.bar(range(len(nodes)), [d.value for d in found], yerr=[d.uncertainty for d in found]);
axes.set_xticks(range(len(nodes)), [n.node for n in nodes]); axes.set_ylabel("time (ms)"); axes.set_xlabel("configuration")"""


@dataclass(frozen=True)
class Drawn:
    """A picture as PNG and PDF with the names of its data, or faults."""

    png: bytes = b""
    pdf: bytes = b""
    names: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def draw_plot(code: str, data: ScienceData, *, allow_degraded: bool = False) -> Drawn:
    """Faults are words for the agent; raises only what the sandbox raises."""
    drawings: list[Drawing] = []
    for numbers in (data.numbers, moved(data)):
        drawing = _sketched(code, data, numbers, allow_degraded)
        if isinstance(drawing, str):
            return Drawn(faults=(drawing,))
        drawings.append(drawing)
    checked = check_drawing(drawings[0], drawings[1], data)
    if checked.faults:
        return Drawn(faults=tuple(checked.faults))
    return _rendered(checked.drawing, tuple(sorted(checked.names)), allow_degraded)


def sandbox_data(data: ScienceData, numbers: Mapping[str, Number]) -> str:
    """What the code reaches as `data`."""
    shown = {
        name: {
            "value": number.value,
            "uncertainty": number.uncertainty,
            "unit": number.unit,
            "values": number.values,
            "node": number.node_id,
            "kind": number.kind,
            "what": number.what,
        }
        for name, number in numbers.items()
    }
    nodes = [
        {
            "node": found.node_id,
            "label": found.label,
            "rank": found.rank,
            "against_parent": found.against_parent,
            "numbers": {number.key: number.name for number in found.measurements},
        }
        for found in data.configurations
    ]
    return json.dumps({"numbers": shown, "nodes": nodes})


@cache
def plotting_python() -> Interpreter:
    """One with Matplotlib that the sandbox can reach."""
    found = interpreter()
    probe = subprocess.run(
        [found.path, "-I", "-c", "import matplotlib, numpy"], capture_output=True, check=False
    )
    return found if probe.returncode == 0 else interpreter(sys.executable)


def _sketched(
    code: str, data: ScienceData, numbers: Mapping[str, Number], allow_degraded: bool
) -> Drawing | str:
    with scratch("reprolab-figure-") as folder:
        given = {"data.json": sandbox_data(data, numbers), "code.py": code}
        result = _run(
            "sketch.py",
            folder,
            given,
            ["/sandbox/in/data.json", "/sandbox/in/code.py", "drawing.json"],
            allow_degraded,
        )
        if not result.ok:
            return _ended(result)
        try:
            return Drawing.model_validate_json(read_below(folder / "work", "drawing.json", _MOST))
        except (Unopened, ValidationError, RecursionError) as error:
            return f"the code drew what cannot be read: {one_visible_line(str(error), 300)}"


def _rendered(drawing: Drawing, names: tuple[str, ...], allow_degraded: bool) -> Drawn:
    with scratch("reprolab-figure-") as folder:
        result = _run(
            "render.py",
            folder,
            {"drawing.json": drawing.model_dump_json()},
            ["/sandbox/in/drawing.json", "figure"],
            allow_degraded,
        )
        if not result.ok:
            return Drawn(faults=(_ended(result),))
        try:
            png, pdf = (read_below(folder / "work", f"figure.{kind}", _MOST) for kind in ("png", "pdf"))
        except Unopened as error:
            return Drawn(faults=(f"the picture {error}",))
    return Drawn(png, pdf, names)


def _run(
    program: str, folder: Path, given: Mapping[str, str], arguments: list[str], allow_degraded: bool
) -> SandboxResult:
    inputs = folder / "in"
    inputs.mkdir(mode=0o755)
    shutil.copyfile(_INSIDE / program, inputs / program)
    for name, text in given.items():
        (inputs / name).write_text(text, encoding="utf-8")
    for path in inputs.iterdir():
        path.chmod(0o644)
    python = plotting_python()
    return run_sandboxed(
        [python.path, f"/sandbox/in/{program}", *arguments],
        folder / "work",
        readonly={inputs: "/sandbox/in"},
        prefixes=python.prefixes,
        env={"SOURCE_DATE_EPOCH": "0"},
        limits=LIMITS,
        allow_degraded=allow_degraded,
    )


def _ended(result: SandboxResult) -> str:
    if result.stop_reason:
        return f"the code was stopped at its limit on {result.stop_reason}"
    lines = result.stderr_tail.strip().splitlines() or ["no message"]
    at = next((line.strip() for line in reversed(lines) if '"figure code"' in line), "")
    return f"the code ended with an error: {one_visible_line(lines[-1], 300)} {one_visible_line(at, 100)}".rstrip()
