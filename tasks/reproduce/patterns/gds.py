"""A layer of a GDSII file, read by a program in the sandbox: references that multiply without end cost its limits, not ours."""

from __future__ import annotations

import atexit
import functools
import importlib.util
import json
import math
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from schemas.errors import PrerequisiteError
from schemas.reproduce.handed_pattern import PatternFile
from simkit.describe.handed import Corners, Drawing
from tasks.files.store import atomic_write
from tasks.reproduce.collect import UnsafeOutput, collect, read_json
from tasks.reproduce.describing.own_python import own_python
from tasks.reproduce.patterns.tracing import MOST_CORNERS, MOST_PIECES, narrowest
from tasks.reproduce.solving.functions import library as numpy_library
from tasks.sandbox import Limits, run_sandboxed, scratch

LIMITS = Limits(
    wall_s=120, cpu_s=20, memory_mb=1024, processes=8, file_mb=16, disk_mb=32, files=10, output_mb=1
)
FARTHEST = 1e5  # um
LOOKED_AT = 1000  # pixels along the longer side, on which the narrowest part is measured
_INPUTS, _NUMPY, _LIBRARY, _WORK = "/sandbox/inputs", "/sandbox/library", "/sandbox/gds", "/sandbox/work"


def drawing_of_gds(content: bytes, entry: PatternFile, *, allow_degraded: bool = False) -> Drawing:
    """The drawing of a layer in um from the file's origin. Raises ValueError with what is wrong; PrerequisiteError without gdstk."""
    python, packages = own_python(), library()
    with scratch("reprolab-gds-") as folder:
        inputs = folder / "inputs"
        atomic_write(inputs / "layout.gds", content)
        asked = {"layer": entry.layer, "datatype": entry.datatype, "cell": entry.cell, "most": MOST_CORNERS}
        atomic_write(inputs / "asked.json", json.dumps(asked))
        for path in (inputs, *inputs.iterdir()):
            path.chmod(0o755 if path.is_dir() else 0o644)
        result = run_sandboxed(
            [python.path, "-S", "-s", "-P", "-m", "gds_reader"],
            folder / "work",
            readonly={inputs: _INPUTS, numpy_library(): _NUMPY, packages: _LIBRARY},
            prefixes=python.prefixes,
            env={
                "PYTHONPATH": f"{_NUMPY}:{_LIBRARY}",
                "GDS_INPUTS": _INPUTS,
                "GDS_OUTPUT": _WORK,
                "OPENBLAS_NUM_THREADS": "1",
                **dict(python.environment),
            },
            limits=LIMITS,
            allow_degraded=allow_degraded,
        )
        (folder / "kept").mkdir()
        try:
            collect(folder / "work", folder / "kept", ["pieces.json"])
            answer = read_json(folder / "kept" / "pieces.json", LIMITS.file_mb << 20)
        except (UnsafeOutput, OSError) as error:
            if result.stop_reason:
                why = f"it was stopped by the limit on {result.stop_reason}: too much is drawn, or references have no end"
            elif result.signal is not None:
                why = f"its reader died by signal {result.signal}: cells that hold each other, or a damaged file"
            else:
                why = (result.stderr_tail.strip().splitlines() or ["no message"])[-1][:200]
            raise ValueError(f"was not read: {why}") from error
    return _drawing(answer)


def _drawing(answer: Any) -> Drawing:
    """Read as a stranger's."""
    if not isinstance(answer, dict) or not isinstance(answer.get("pieces", []), list):
        raise ValueError("was read as no list of outlines")
    if answer.get("error"):
        raise ValueError(str(answer["error"])[:400])
    pieces: list[Corners] = []
    left = MOST_CORNERS
    for piece in answer["pieces"]:
        corners = tuple((float(x), float(y)) for x, y in piece)
        left -= len(corners)
        if left < 0 or len(pieces) >= MOST_PIECES:
            raise ValueError(f"draws more than {MOST_PIECES} parts or {MOST_CORNERS} corners in this layer")
        if not all(math.isfinite(v) and abs(v) <= FARTHEST for corner in corners for v in corner):
            raise ValueError(f"draws farther than {FARTHEST:g} um from its origin")
        if len(corners) >= 3 and (area := _area(corners)):
            pieces.append(corners if area > 0 else corners[::-1])
    if not pieces:
        raise ValueError("draws nothing in this layer")
    low, high = ([pick(c[axis] for piece in pieces for c in piece) for axis in (0, 1)] for pick in (min, max))
    return Drawing(
        pieces=tuple(pieces),
        low=(low[0], low[1]),
        high=(high[0], high[1]),
        narrowest=_narrowest(pieces, (low[0], low[1]), (high[0], high[1])),
        in_pixels=False,
    )


def _area(corners: Corners) -> float:
    following = (*corners[1:], corners[0])
    return sum(x * v - u * y for (x, y), (u, v) in zip(corners, following, strict=True)) / 2


def _narrowest(pieces: list[Corners], low: tuple[float, float], high: tuple[float, float]) -> float:
    pixel = max(b - a for a, b in zip(low, high, strict=True)) / LOOKED_AT
    size = [max(1, math.ceil((b - a) / pixel)) for a, b in zip(low, high, strict=True)]
    image = Image.new("1", (size[0], size[1]))
    for piece in pieces:
        ImageDraw.Draw(image).polygon(
            [((x - low[0]) / pixel, (y - low[1]) / pixel) for x, y in piece], fill=1
        )
    return pixel * narrowest(np.pad(np.asarray(image), 2))


@functools.cache
def library() -> Path:
    """A folder with gdstk and the program that reads. Made once a process. Raises PrerequisiteError."""
    spec = importlib.util.find_spec("gdstk")
    if spec is None or not spec.submodule_search_locations:
        raise PrerequisiteError(
            "GDSII files cannot be read: a package is missing", found="no gdstk", fix="make setup"
        )
    target = Path(tempfile.mkdtemp(prefix="reprolab-gdstk-"))
    atexit.register(shutil.rmtree, target, ignore_errors=True)
    source = Path(spec.submodule_search_locations[0])
    shutil.copytree(source, target / "gdstk", ignore=shutil.ignore_patterns("__pycache__"))
    for libs in source.parent.glob("gdstk.libs"):
        shutil.copytree(libs, target / libs.name)
    shutil.copy2(Path(__file__).with_name("gds_reader.py"), target)
    for path in (target, *target.rglob("*")):
        path.chmod(0o755 if path.is_dir() or ".so" in path.name else 0o644)
    return target
