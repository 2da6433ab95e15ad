"""Materials: what the plan chose, and what was prepared and confirmed for simulation."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from schemas.base import FileRef, Identifier, Model
from schemas.reproduce.materials.material_check import MaterialCheck
from schemas.reproduce.materials.stated import NONLINEAR, StatedTerm, terms_faults


def _absent(value: object) -> bool:
    return not value


class MaterialChoice(Model):
    """A material of the plan: a page of the refractiveindex.info database, a constant index, a table handed in, numbers
    the paper states, or three other materials along the axes. Nonlinear terms may be added to any of them."""

    name: Identifier = Field(description="the name simulations use, e.g. gold")
    page: str | None = Field(
        None, description="shelf/book/page of the bundled database, e.g. main/Au/Johnson"
    )
    index: float | None = Field(None, description="constant real refractive index, if the paper states one")
    table: str = Field(
        "", exclude_if=_absent, description="a file of the paper's `materials`: n and k handed in with it"
    )
    terms: tuple[StatedTerm, ...] = Field(
        (),
        exclude_if=_absent,
        description="a complex index or a dispersion model the paper "
        "states in numbers; chi2, chi3, kerr also beside page, index, table, axes",
    )
    axes: tuple[Identifier, ...] = Field(
        (), exclude_if=_absent, description="anisotropic: the plan's materials along x, y, z"
    )
    band_um: tuple[float, float] = Field(description="vacuum wavelengths used, in um: shortest, longest")
    reason: str
    source: str = Field(description="quotation of the paper, or why this entry if the paper names none")

    @model_validator(mode="after")
    def _one_description(self) -> MaterialChoice:
        given = [
            name
            for name, value in (
                ("page", self.page),
                ("index", self.index),
                ("table", self.table or None),
                ("terms", self.linear or None),
                ("axes", self.axes or None),
            )
            if value is not None
        ]
        if len(given) != 1:
            raise ValueError(
                f"material {self.name!r}: give either page (shelf/book/page), index, table, terms or axes, "
                f"not several or none; found {', '.join(given) or 'none'}"
            )
        if self.index is not None and not 0.1 <= self.index <= 20:
            raise ValueError(f"material {self.name!r}: index {self.index} is outside 0.1 to 20")
        low, high = self.band_um
        if not 0 < low < high < 1e4:
            raise ValueError(
                f"material {self.name!r}: band_um {self.band_um} must be 0 < shortest < longest, in um"
            )
        if self.axes and (len(self.axes) != 3 or self.name in self.axes):
            raise ValueError(
                f"material {self.name!r}: axes names three other materials of the plan, for x, y and z"
            )
        if fault := terms_faults(self.terms):
            raise ValueError(f"material {self.name!r}: {fault}")
        if self.axes and any(term.kind == "kerr" for term in self.terms):
            raise ValueError(
                f"material {self.name!r}: kerr needs one index; give chi3 for an anisotropic material"
            )
        return self

    @property
    def linear(self) -> tuple[StatedTerm, ...]:
        """The terms that state the linear response."""
        return tuple(term for term in self.terms if term.kind not in NONLINEAR and term.kind != "range")

    @property
    def nonlinear(self) -> tuple[StatedTerm, ...]:
        """chi2, chi3 and Kerr terms."""
        return tuple(term for term in self.terms if term.kind in NONLINEAR)

    def words(self) -> str:
        """What the material is, in a few words: "main/Au/Johnson", "n = 1.45", "stated drude + lorentz"."""
        if self.page is not None:
            text = self.page
        elif self.index is not None:
            text = f"n = {self.index:g}"
        elif self.table:
            text = f"table {self.table}"
        elif self.axes:
            text = "along x, y, z: " + ", ".join(self.axes)
        elif self.linear[0].kind == "constant":
            n, k, at = (self.linear[0].number(name) for name in ("n", "k", "wavelength"))
            assert n is not None and k is not None
            text = f"n = {n.value:g}{abs(k.value):+g}i" + (f" at {at.value:g} {at.unit}" if at else "")
        else:
            text = "stated " + " + ".join(term.kind for term in self.linear)
        return " with ".join((text, *(term.kind for term in self.nonlinear)))


class Pole(Model):
    """A Drude or Lorentz pole in Meep's units with a = 1 um (f in c/um)."""

    kind: Literal["drude", "lorentz"]
    f0: float
    gamma: float
    sigma: float


class MaterialRecord(Model):
    """A material made ready for FDTD: optical constants, fit, errors, plots, alternatives."""

    name: Identifier
    page: str | None = None
    index: float | None = None
    description: str = Field(
        "", description="what it is if neither page nor index: a table, a stated model, axes"
    )
    reference: str = Field(
        "", description="literature source of the table, or the words that state the numbers"
    )
    valid_um: tuple[float, float] | None = None
    band_um: tuple[float, float]
    eps_inf: float | None = None
    poles: tuple[Pole, ...] = ()
    axes: tuple[MaterialRecord, ...] = Field((), description="anisotropic: the materials along x, y, z")
    chi2: tuple[float, ...] = Field((), description="along x, y, z, for fields in V/um")
    chi3: tuple[float, ...] = Field((), description="along x, y, z, for fields in V/um")
    rms_relative_error: float = 0.0
    max_relative_error: float = 0.0
    min_stable_resolution: float | None = Field(
        None,
        description="pixels per um from which the fit is stable in 3D "
        "at Courant factor 0.5; None if it never is",
    )
    remarks: tuple[str, ...] = ()
    plot: FileRef | None = None
    constants: FileRef | None = Field(
        None, description="n and k that were fitted (CSV), where no database page holds them"
    )
    comparison: str = Field("", description="Markdown table of alternatives")
    others: tuple[MaterialRecord, ...] = Field(
        (), description="other tables made ready the same way: what is described is solved with them too"
    )
    planned: str = Field("", description="what the plan had chosen, if a person changed it")
    change_reason: str = ""
    check: MaterialCheck | None = Field(None, description="its bare surface by FDTD against Fresnel")

    def words(self) -> str:
        """What the material is, in a few words."""
        return self.page or self.description or f"constant n = {self.index:g}"

    def all_poles(self) -> tuple[Pole, ...]:
        """The poles of every axis."""
        return (*self.poles, *(pole for axis in self.axes for pole in axis.poles))

    def parameters(self) -> dict[str, object]:
        """The entry of params.json that simkit turns into a medium."""
        nonlinear = {name: list(value) for name, value in (("chi2", self.chi2), ("chi3", self.chi3)) if value}
        if self.axes:
            axes = {axis: record.parameters() for axis, record in zip("xyz", self.axes, strict=True)}
            return {"axes": axes, "band_um": list(self.band_um), **nonlinear}
        if self.index is not None:
            return {"index": self.index, **nonlinear}
        return {
            "page": self.page,
            "valid_um": list(self.valid_um or self.band_um),
            "band_um": list(self.band_um),
            "eps_inf": self.eps_inf,
            "poles": [pole.model_dump() for pole in self.poles],
            "rms_relative_error": self.rms_relative_error,
            "max_relative_error": self.max_relative_error,
            **nonlinear,
        }


class MaterialChange(Model):
    """A person's correction at the material checkpoint; it holds until the person changes it again, across replans."""

    kind: Literal["change_database", "change_material"]
    replaced: Identifier = Field(description="the material's name in the plan before")
    choice: MaterialChoice = Field(description="what is used instead, under its name")
    planned: str = Field(description="what the plan had chosen, in words")
    reason: str
    stages: tuple[Identifier, ...] = Field((), description="the stages that use it")
