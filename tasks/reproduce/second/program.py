"""One truncation, alone in the sandbox: job.json in, answer.json out. Plain numbers, numpy and of SciPy sparse equations only."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from .fourier_modal import Layer, diffracted, kept_orders, normals
from .outlines import indicators

# Highest order of the outlines that the field of normals is made from, at every truncation: it must tell the edges of a fine
# pattern apart (of a deflector of pixels, with 31, the series went past its value).
FINEST = 64


def solved(job: dict[str, Any]) -> dict[str, Any]:
    """Of a unit cell orders kept, CPU seconds, and of each line the powers and amplitudes that plain_cells.py reads."""
    began = time.process_time()
    period, radius = job["period"], job["radius"]
    orders = kept_orders(period, radius) if period else np.zeros((1, 2), int)
    tops = [2 * int(np.max(np.abs(orders[:, axis]))) for axis in (0, 1)]
    drawn: list[Any] = []
    for layer in job["layers"]:
        if "sheet" in layer or not layer["bodies"]:
            drawn.append(None)
            continue
        count = layer["media"]
        chi = indicators(layer["bodies"], count, period, tops)
        edges = indicators(layer["bodies"], count, period, [FINEST, FINEST if len(period) > 1 else 0])
        drawn.append((chi, normals(edges, period)))
    lines = []
    for line in job["lines"]:
        layers: list[Layer | float] = []
        for layer, shape, epsilon in zip(job["layers"], drawn, line["epsilon"], strict=True):
            if "sheet" in layer:
                layers.append(float(layer["sheet"]))
                continue
            media = tuple(complex(*value) for value in epsilon)
            layers.append(Layer(layer["thickness"], media, *(shape or ())))
        back = None if line["back"] is None else complex(*line["back"])
        found = diffracted(
            line["frequency"],
            period,
            layers,
            complex(*line["front"]),
            back,
            job["along"],
            line["lateral"],
            orders,
        )
        lines.append(
            {
                "reflected": found.reflected.tolist(),
                "transmitted": found.transmitted.tolist(),
                "r": [found.r.real, found.r.imag],
                "t": [found.t.real, found.t.imag],
            }
        )
    return {"orders": orders.tolist(), "lines": lines, "cpu_s": time.process_time() - began}


def main() -> int:
    """Read, solve, write."""
    job = json.loads((Path(os.environ["SECOND_INPUTS"]) / "job.json").read_text(encoding="utf-8"))
    if "nodes" in job:
        from .plane_fields import fields

        answer = json.dumps(fields(job))
    else:
        answer = json.dumps(solved(job))
    (Path(os.environ["SECOND_OUTPUT"]) / "answer.json").write_text(answer, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
