"""Materials: what the plan chose, and what was prepared and confirmed for simulation."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from schemas.base import FileRef, Identifier, Model


class MaterialChoice(Model):
    """A material of the plan: an entry of the refractiveindex.info database, or a constant index."""

    name: Identifier = Field(description="the name simulations use, e.g. gold")
    page: str | None = Field(None, description="shelf/book/page of the bundled database, e.g. main/Au/Johnson")
    index: float | None = Field(None, description="constant real refractive index, if the paper states one")
    band_um: tuple[float, float] = Field(description="vacuum wavelengths used, in um: shortest, longest")
    reason: str
    source: str = Field(description="quotation of the paper, or why this entry if the paper names none")

    @model_validator(mode="after")
    def _one_description(self) -> MaterialChoice:
        if (self.page is None) == (self.index is None):
            raise ValueError(f"material {self.name!r}: give either page (shelf/book/page) or index, not both or none")
        if self.index is not None and not 0.1 <= self.index <= 20:
            raise ValueError(f"material {self.name!r}: index {self.index} is outside 0.1 to 20")
        low, high = self.band_um
        if not 0 < low < high < 1e4:
            raise ValueError(f"material {self.name!r}: band_um {self.band_um} must be 0 < shortest < longest, in um")
        return self


class Pole(Model):
    """A Drude or Lorentz pole in Meep's units with a = 1 um (f in c/um)."""

    kind: Literal["drude", "lorentz"]
    f0: float
    gamma: float
    sigma: float


class MaterialRecord(Model):
    """A material made ready for FDTD: tabulated data, fit, errors, plots, alternatives."""

    name: Identifier
    page: str | None = None
    index: float | None = None
    reference: str = Field("", description="literature source of the table")
    valid_um: tuple[float, float] | None = None
    band_um: tuple[float, float]
    eps_inf: float | None = None
    poles: tuple[Pole, ...] = ()
    rms_relative_error: float = 0.0
    max_relative_error: float = 0.0
    min_stable_resolution: float | None = Field(None, description="pixels per um from which the fit is stable in 3D "
                                                "at Courant factor 0.5; None if it never is")
    remarks: tuple[str, ...] = ()
    plot: FileRef | None = None
    comparison: str = Field("", description="Markdown table of alternatives")


    def parameters(self) -> dict[str, object]:
        """The entry of params.json that simkit turns into a medium."""
        if self.index is not None:
            return {"index": self.index}
        return {"page": self.page, "valid_um": list(self.valid_um or self.band_um), "band_um": list(self.band_um),
                "eps_inf": self.eps_inf, "poles": [pole.model_dump() for pole in self.poles],
                "rms_relative_error": self.rms_relative_error, "max_relative_error": self.max_relative_error}
