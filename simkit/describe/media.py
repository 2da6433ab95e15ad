"""What bodies are made of."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from simkit.describe.base import Described, Frequency, Positive, Pure, Wavenumber


class Pole(Described):
    """A Drude or Lorentz term, eps += strength f0^2 / (f0^2 [Lorentz only] - f^2 - i f damping); frequencies in c/length."""

    kind: Literal["drude", "lorentz"]
    frequency: Frequency
    damping: Wavenumber
    strength: Positive = 1


class Medium(Described):
    """Exactly one of: `material` (a confirmed name), `index`, `epsilon` (with poles), each optionally nonlinear.

    epsilon may be three values along x, y, z. chi2 and chi3 are Meep's, along x, y, z alike.
    """

    kind: Literal["medium"] = "medium"
    material: str | None = None
    index: Positive | None = None
    epsilon: Pure | tuple[Pure, Pure, Pure] | None = None
    poles: tuple[Pole, ...] = ()
    chi2: Pure = 0
    chi3: Pure = 0

    @model_validator(mode="after")
    def _one(self) -> Medium:
        given = [name for name in ("material", "index", "epsilon") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"a medium is one of material, index, epsilon; found {', '.join(given) or 'none of them'}")
        if self.poles and self.epsilon is None:
            raise ValueError("poles go with epsilon, their value at infinite frequency")
        return self


class PerfectConductor(Described):
    """An ideal metal."""

    kind: Literal["perfect_conductor"] = "perfect_conductor"


AnyMedium = Annotated[Medium | PerfectConductor, Field(discriminator="kind")]


def vacuum() -> Medium:
    """Empty space."""
    return Medium(index=1)


def Material(name: str) -> Medium:  # noqa: N802  a word of the vocabulary
    """A material of stage 0 by its confirmed name."""
    return Medium(material=name)


def names_of_materials(node: Any) -> frozenset[str]:
    """Confirmed names that a (dumped) description uses."""
    if isinstance(node, dict):
        own = {node["material"]} if node.get("kind") == "medium" and node.get("material") else set()
        return frozenset(own).union(*(names_of_materials(value) for value in node.values()))
    if isinstance(node, (list, tuple)):
        return frozenset().union(*(names_of_materials(value) for value in node))
    return frozenset()
