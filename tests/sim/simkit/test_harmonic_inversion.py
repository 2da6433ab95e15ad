"""Harmonic inversion finds a clean ring, and none in a band where nothing rings."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.sim.simkit.simkit_script import MEEP_PYTHON, ROOT, need_meep

pytestmark = pytest.mark.sim
STEP, LIMITS = 0.05, ((0.9, 1.1), (0.5, 1.5), (0.99, 1.01), (0.8, 1.2))
SCRIPT = f"""
import json
import numpy as np
import meep as mp
from simkit.inversion import invert
from simkit.solve.probes import invert as arrays

rows, empty = [], 0
for count in (30, 60, 200, 1000):
    time = np.arange(count) * {STEP}
    for limits in {LIMITS!r}:
        for quality in (10, 100, 1e4):
            exact = 0.6 * limits[0] + 0.4 * limits[1]
            signal = np.exp(-2j * np.pi * exact * time - np.pi * exact / quality * time)
            usual = mp.py_do_harminv(list(signal), {STEP}, *limits, 100, 1.1, 0.0, mp.inf, 0.01, -1.0, -1.0)
            empty += not [m for m in usual if limits[0] <= m[0].real <= limits[1]]
            found = arrays(signal, {STEP}, limits)
            rows.append([exact, quality, *([found["frequency"][0], found["Q"][0]] if len(found["Q"]) else [0, 0])])
elsewhere = [np.exp(-(2j * np.pi * 2.2 + 0.5) * {STEP} * np.arange(count)) for count in (40, 300, 1000)]
print(json.dumps({{"rows": rows, "empty": empty, "silence": invert([0.0] * 100, {STEP}, (0.9, 1.1)),
                  "errors": [error for signal in elsewhere for limits in {LIMITS!r}
                             for _, _, error in invert(signal, {STEP}, limits)]}}))
"""


def test_a_clean_ring_is_found_in_a_smaller_basis_where_the_usual_one_gives_nothing() -> None:
    need_meep()
    done = subprocess.run([MEEP_PYTHON, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(next(line for line in done.stdout.splitlines() if line.startswith("{")))
    assert found["empty"] > 0  # else this test shows nothing
    for exact, quality, frequency, q in found["rows"]:
        assert frequency == pytest.approx(exact, rel=1e-4) and q == pytest.approx(quality, rel=0.01)
    assert found["silence"] == []
    assert (
        min(found["errors"], default=1.0) > 1e-5
    )  # a mode outside the band is none in it that a resonator would believe
