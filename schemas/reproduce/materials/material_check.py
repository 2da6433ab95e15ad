"""What code found out about a prepared material before a person confirms it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import FileRef, Model


class MaterialCheck(Model):
    """Reflectance of the material's bare surface, light from air at normal incidence: FDTD against Fresnel.

    Fresnel is computed from the tabulated or declared constants, FDTD uses the fit: the difference holds the error of the
    fit and that of the grid, which are also given apart. A difference is the largest one over the band, absolute.
    """

    status: Literal["passed", "failed", "not simulated"]
    reason: str = Field("", description="why it failed, or why nothing was to be simulated")
    band_um: tuple[float, float] | None = None
    difference: float | None = Field(
        None, description="FDTD - Fresnel where it is largest beside what is allowed there"
    )
    allowed: float | None = Field(None, description="at that wavelength")
    at_um: float | None = Field(None, description="that wavelength")
    fit_part: float | None = Field(
        None, description="largest |Fresnel of the fit - Fresnel of the constants|"
    )
    grid_part: float | None = Field(None, description="largest |FDTD - Fresnel of the fit|")
    resolutions: tuple[float, ...] = Field((), description="pixels per um, ascending")
    runs: tuple[str, ...] = Field((), description="digests of the Meep runs")
    cpu_s: float = 0.0
    file: FileRef | None = Field(None, description="CSV: wavelength, the three reflectances")
    plot: FileRef | None = None

    def words(self) -> str:
        """The outcome in a line."""
        if self.difference is None or self.allowed is None:
            return f"{self.status}: {self.reason}"
        return (
            f"{self.status}: R by FDTD differs from Fresnel by {abs(self.difference):.2g} at {self.at_um:.4g} um, allowed "
            f"{self.allowed:.2g}; of the fit {self.fit_part:.2g}, of the grid {self.grid_part:.2g} at "
            f"{self.resolutions[-1]:g} px/um"
        )
