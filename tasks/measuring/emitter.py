"""The Purcell factor: the dipole's power among the bodies over that in the background alone."""

from __future__ import annotations

import numpy as np

from simkit.arrange import Arrangement
from simkit.describe.emitter import Emitter, PurcellFactor
from simkit.describe.scene import Quantity
from tasks.measuring.values import Curve, NotMeasured, Raw, Scalar

DARKEST = 1e-3  # of the brightest frequency
BELOW_ZERO = -0.02


def measure(scene: Emitter, quantity: Quantity, arrangement: Arrangement, raw: Raw) -> Scalar | Curve:
    """A number, or a curve over frequency (n,). Raises NotMeasured: a dark reference, a power below zero."""
    frequency = np.asarray(raw["empty"]["ldos/frequency"], float)
    alone = np.asarray(raw["empty"]["ldos/ldos"], float)
    among = np.asarray(raw["bodies"]["ldos/ldos"], float)
    if not np.all(np.isfinite(alone)) or alone.min() <= DARKEST * alone.max():
        raise NotMeasured(f"{quantity.id}: the dipole alone is dark at frequency "
                          f"{frequency[int(np.argmin(alone))]:.6g}", found=float(alone.min()), fix="a narrower band")
    ratio = among / alone
    worst = int(np.argmin(ratio))
    if ratio[worst] < BELOW_ZERO:
        raise NotMeasured(f"{quantity.id}: the dipole gains power at frequency {frequency[worst]:.6g}",
                          found=f"{ratio[worst]:.4g}", allowed="0 or more", fix="a dipole inside a body, or a medium with gain")
    return Scalar(float(ratio[0])) if isinstance(quantity, PurcellFactor) else Curve(frequency, ratio)
