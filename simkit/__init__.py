"""simkit: what a generated simulation.py uses inside the sandbox (numpy and Meep only).

The contract and worked fragments are in docs/simkit.md. Names are loaded on first use, so that
the parts without Meep (`estimate`, the grid arithmetic) also work where Meep is not installed.
Lengths are in micrometres and frequencies in c/um (Meep units with a = 1 um) unless a name says otherwise.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

# Meep switches the processor to flush-to-zero; numpy remarks on it at every start, harmlessly.
warnings.filterwarnings("ignore", message="The value of the smallest subnormal")

_HOME = {
    "simkit.run": ("Run", "start"),
    "simkit.errors": (
        "DatasetError",
        "FieldGrowth",
        "GeometryError",
        "MaterialError",
        "ParameterError",
        "SimkitError",
        "TimeLimit",
    ),
    "simkit.media": ("along_axis", "as_medium", "epsilon_of", "mixture"),
    "simkit.stability": ("check_stable", "growth_rate"),
    "simkit.grid": ("aligned_resolutions", "even_cell", "whole_pixels"),
    "simkit.shapes": ("clip", "half_space", "layer", "stack"),
    "simkit.interfaces": ("dispersive_interface", "node_layers"),
    "simkit.lint": ("check_geometry",),
    "simkit.stops": ("stop_when_decayed", "stop_when_dft_decayed"),
    "simkit.planewave": ("PlaneWaveResult", "planewave_rt"),
    "simkit.grating": ("GratingLayer", "GratingResult", "Ridge", "grating_rt"),
    "simkit.scattering": ("ScatteringResult", "scattering_box_2d"),
    "simkit.resonance": ("Mode", "resonances"),
    "simkit.bloch": ("bloch_modes",),
    "simkit.pictures": ("picture_of", "plot_spectrum"),
    "simkit.estimator": ("Estimate", "estimate"),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"simkit has no {name!r}; it has: {', '.join(sorted(_MODULE_OF))}")
    return getattr(import_module(_MODULE_OF[name]), name)


def __dir__() -> list[str]:
    return sorted(_MODULE_OF)
