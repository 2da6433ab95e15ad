"""Designs that independent solvers agree on, by the second solver: `make bench-testbed TESTBED=FOLDER`.

The folder holds metagrating_device{1,3,5}.csv of NanoComp/photonics-opt-testbed (MIT): a deflector's unit cell as rows of 0 and 1
along x, 1 is silicon. Nothing of it is kept here; the published efficiencies are facts, for the table.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np

from simkit.describe.base import RESOLVED
from simkit.describe.problem import Problem
from tasks.reproduce.second.truncations import truncated

WAVELENGTH, ANGLE, ACROSS, THICK, SILICON, GLASS = 1.05, 50.0, 0.525, 0.325, 3.45, 1.45
PUBLISHED = {1: (95.7, 95.5), 3: (96.6, 95.0), 5: (84.1, 84.3)}  # per cent, Fourier modal and time domain
BUDGET_S = 45.0
LARGEST = 1 << 20  # bytes of a design


def cell(path: Path) -> Problem:
    """The deflector of a design, its rows joined into rectangles. Raises ValueError for anything but 0 and 1."""
    if path.stat().st_size > LARGEST:
        raise ValueError(f"{path.name} has more than {LARGEST} bytes")
    solid = np.loadtxt(path, delimiter=",", ndmin=2)
    if not np.isin(solid, (0, 1)).all():
        raise ValueError(f"{path.name} holds other numbers than 0 and 1")
    period = (WAVELENGTH / math.sin(math.radians(ANGLE)), ACROSS)
    x, y = (np.linspace(-p / 2, p / 2, n + 1) for p, n in zip(period, solid.shape, strict=True))
    index: dict[str, Any] = {"kind": "medium", "index": SILICON}
    bodies = []
    for row in range(solid.shape[1]):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], solid[:, row], [0]])))
        for low, high in edges.reshape(-1, 2):
            corners = [(x[i], y[j]) for i, j in ((low, row), (high, row), (high, row + 1), (low, row + 1))]
            bodies.append({"type": "polygon", "medium": index, "vertices": corners})
    air, glass = ({"kind": "medium", "index": n} for n in (1.0, GLASS))
    scene = {
        "type": "unit_cell",
        "id": "deflector",
        "below": glass,
        "above": air,
        "period": period,
        "light_from": "below",
        "polarization": "x",
        "band": {"type": "line", "wavelength": WAVELENGTH},
        "layers": [{"type": "film", "medium": air, "thickness": THICK, "pattern": bodies}],
    }
    orders = [
        {
            "type": "order_efficiency",
            "id": name,
            "scene": "deflector",
            "side": "transmitted",
            "order": (order, 0),
        }
        for name, order in (("left", -1), ("right", 1))
    ]
    return Problem.model_validate({"scenes": [scene], "quantities": orders}, context=RESOLVED)


def main(folder: Path) -> int:
    """The table; 1 where no design is found."""
    print(
        "| design | published, Fourier modal / time domain | ours | orders | CPU time |\n|---|--:|--:|--:|--:|"
    )
    found = False
    for number, published in PUBLISHED.items():
        path = folder / f"metagrating_device{number}.csv"
        if not path.is_file():
            continue
        found, made = True, cell(path)
        solved = truncated(
            made.scenes[0], made.quantities, [1 / WAVELENGTH], {}, wanted=1e-4, budget_s=BUDGET_S
        )
        name = max(("left", "right"), key=lambda side: solved.rungs[-1].values[side][0])  # as it is handed in
        value, left = 100 * solved.rungs[-1].values[name][0], 100 * solved.uncertainty[name][0]
        print(
            f"| {number} | {published[0]} / {published[1]} % | {value:.2f} +- {left:.2f} % | {solved.rungs[-1].orders} | "
            f"{solved.cpu_s:.1f} s |",
            flush=True,
        )
    if not found:
        print(f"no metagrating_device*.csv in {folder}", file=sys.stderr)
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
