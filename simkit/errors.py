"""Everything simkit raises on purpose. The class name is the diagnosis, the message says what to do."""

from __future__ import annotations


class SimkitError(Exception):
    """Base of all errors below."""


class ParameterError(SimkitError):
    """params.json or the environment is missing or malformed: the runner's fault, not the physics'."""


class MaterialError(SimkitError):
    """A material is unknown, malformed, outside its valid band or unstable in time stepping."""


class GeometryError(SimkitError):
    """A length, layer or cell cannot be represented as asked."""


class DatasetError(SimkitError):
    """A dataset is malformed: unequal lengths, NaN or Inf, an unsafe or repeated id."""


class TimeLimit(SimkitError):
    """The time limit is near; datasets saved so far remain readable."""


class FieldGrowth(SimkitError):
    """The field grows exponentially or became NaN or Inf.

    time: Meep time units; value: largest |E| in the cell (NaN when Meep itself stopped).
    """

    def __init__(self, label: str, time: float, value: float, what: str) -> None:
        self.label, self.time, self.value = label, time, value
        super().__init__(
            f"{label}: {what} at Meep time {time:.4g} (largest |E| = {value:.4g}). Likely causes, most frequent"
            " first: a Drude metal or an object that touches a PML, or comes back into it through a periodic boundary"
            " (end it half a wavelength before the PML); a medium with gain (Im eps < 0) or unstable poles"
            " (sk.check_stable); a photonic crystal running into a PML (use mp.Absorber there); a corner of a prism on"
            " a mirror plane with phase -1 (solve the whole cell); a Courant factor above min(n)/sqrt(dimensions)."
            " See field_history.png for the value against time."
        )
