"""Heat conduction on a grid, as one writes it first."""

import numpy as np


def run(u, a, steps):
    """The field after `steps` explicit steps, as a new array.

    u: float64 (ny, nx), ny and nx at least 3; its border stays as it is. a: float64 (ny, nx), conductivity times time step over
    the square of the grid's spacing, 0 to 0.25. One step: u += a * (north + south + west + east - 4 u), everywhere at once.
    """
    u = u.copy()
    for _ in range(steps):
        around = np.roll(u, 1, axis=0) + np.roll(u, -1, axis=0) + np.roll(u, 1, axis=1) + np.roll(u, -1, axis=1)
        changed = u + a * (around - 4 * u)
        u[1:-1, 1:-1] = changed[1:-1, 1:-1]
    return u
