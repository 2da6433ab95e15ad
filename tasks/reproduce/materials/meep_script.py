"""Print Meep's material library as one line of JSON. Run by Meep's interpreter; imports nothing of ours."""

import json
from typing import Any

import meep as mp
from meep import materials

MARK = "MEEP_LIBRARY "


def describe(medium: mp.Medium) -> dict[str, Any]:
    """eps_inf, poles (xx components) and valid range (c/um) of an mp.Medium."""
    poles = []
    isotropic = len({medium.epsilon_diag.x, medium.epsilon_diag.y, medium.epsilon_diag.z}) == 1
    for pole in medium.E_susceptibilities:
        kind = "drude" if isinstance(pole, mp.DrudeSusceptibility) else "lorentz"
        poles.append({"kind": kind, "f0": pole.frequency, "gamma": pole.gamma, "sigma": pole.sigma_diag.x})
        isotropic = isotropic and len({pole.sigma_diag.x, pole.sigma_diag.y, pole.sigma_diag.z}) == 1
    band = medium.valid_freq_range
    return {
        "eps_inf": medium.epsilon_diag.x,
        "poles": poles,
        "valid_frequency": [band.min, band.max],
        "isotropic": isotropic,
    }


library = {
    name: describe(value) for name, value in sorted(vars(materials).items()) if isinstance(value, mp.Medium)
}
print(MARK + json.dumps({"version": mp.__version__, "materials": library}), flush=True)
