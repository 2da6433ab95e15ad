"""The Drude-Lorentz model of a permittivity in Meep's units, and what a fit of it reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from tasks.reproduce.materials.constants import Band, ComplexArray


@dataclass(frozen=True)
class Pole:
    """One susceptibility, frequencies in c/um (Meep units with a = 1 um), fields exp(-2 pi i f t).

    lorentz: sigma f0^2 / (f0^2 - f^2 - i f gamma); drude: -sigma f0^2 / (f^2 + i f gamma).
    These are Meep's LorentzianSusceptibility and DrudeSusceptibility (Meep manual, "Material dispersion").
    """

    kind: Literal["drude", "lorentz"]
    f0: float
    gamma: float
    sigma: float

    def as_dict(self) -> dict[str, Any]:
        """JSON form, as in params.json."""
        return {"kind": self.kind, "f0": self.f0, "gamma": self.gamma, "sigma": self.sigma}


def drude_lorentz(frequency: ArrayLike, eps_inf: float, poles: Sequence[Pole]) -> ComplexArray:
    """Relative permittivity at frequencies in c/um, in the shape of the input; Im > 0 is loss."""
    f = np.asarray(frequency, dtype=float)
    epsilon = np.full(f.shape, eps_inf, dtype=complex)
    for pole in poles:
        restoring = pole.f0**2 if pole.kind == "lorentz" else 0.0
        epsilon = epsilon + pole.sigma * pole.f0**2 / (restoring - f**2 - 1j * f * pole.gamma)
    return epsilon


@dataclass(frozen=True)
class MaterialFit:
    """A passive model of a table over a band, and how well it follows the table.

    Attributes:
        page, valid_um, band_um: the table, its range and the fitted band, um.
        eps_inf, poles: the model; eps_inf >= 1, sigma >= 0 and gamma >= 0, hence passive at every frequency.
        index: set when the material is lossless and practically non-dispersive in the band (then no poles).
        rms_relative_error: rms(delta eps) / rms(eps) over the band, dimensionless.
        max_relative_error: largest |delta eps| / |eps| at any wavelength; large where eps crosses zero.
        rms_n, rms_k: rms error of n and k, dimensionless.
        median_im_relative_error: median of |delta Im eps| / Im eps where the loss tangent exceeds 1e-6; None if
            it does so nowhere.
        tolerance: the rms_relative_error that was asked for.
    """

    page: str
    valid_um: Band
    band_um: Band
    eps_inf: float
    poles: tuple[Pole, ...]
    rms_relative_error: float
    max_relative_error: float
    rms_n: float
    rms_k: float
    median_im_relative_error: float | None
    tolerance: float
    index: float | None = None

    @property
    def met(self) -> bool:
        """True when the rms relative error is within the tolerance asked for."""
        return self.rms_relative_error <= self.tolerance

    def epsilon(self, frequency: ArrayLike) -> ComplexArray:
        """Relative permittivity of the model at frequencies in c/um (1 / wavelength in um)."""
        return drude_lorentz(frequency, self.eps_inf, self.poles)

    def as_dict(self) -> dict[str, Any]:
        """The material's entry in params.json, JSON-ready, with every error of the fit."""
        model: dict[str, Any] = (
            {"index": self.index}
            if self.index is not None
            else {"eps_inf": self.eps_inf, "poles": [pole.as_dict() for pole in self.poles]}
        )
        return {
            "page": self.page,
            "valid_um": list(self.valid_um),
            "band_um": list(self.band_um),
            **model,
            "rms_relative_error": self.rms_relative_error,
            "max_relative_error": self.max_relative_error,
            "rms_n": self.rms_n,
            "rms_k": self.rms_k,
            "median_im_relative_error": self.median_im_relative_error,
        }

    def summary(self) -> str:
        """One line for people: band, model, errors."""
        low, high = self.band_um
        if self.index is not None:
            model = f"constant index {self.index:.4f}"
        else:
            drude = sum(pole.kind == "drude" for pole in self.poles)
            model = f"eps_inf {self.eps_inf:.3f}, {drude} Drude + {len(self.poles) - drude} Lorentz"
        loss = self.median_im_relative_error
        return (
            f"{self.page}, {low:g}-{high:g} um: {model}; error of eps rms {self.rms_relative_error:.2%}, "
            f"max {self.max_relative_error:.2%}"
            + ("" if loss is None else f"; of Im eps median {loss:.1%}")
            + ("" if self.met else f"; ABOVE the tolerance of {self.tolerance:.2%}")
        )
