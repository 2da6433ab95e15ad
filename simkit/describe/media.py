"""What bodies are made of."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from simkit.describe.base import Described, Frequency, Index, Positive, Pure, Wavenumber
from simkit.describe.numbers import lift


class Pole(Described):
    """A Drude or Lorentz term, eps += strength f0^2 / (f0^2 [Lorentz only] - f^2 - i f damping); frequencies in c/length."""

    kind: Literal["drude", "lorentz"]
    frequency: Frequency
    damping: Wavenumber
    strength: Positive = 1


class Medium(Described):
    """Exactly one of: `material` (a confirmed name), `index`, `epsilon` (with poles), each optionally nonlinear.

    epsilon may be three values along x, y, z. chi2 (pm/V), chi3 (m^2/V^2; kerr(n2, n) gives it): instantaneous, along x, y, z
    alike, for HarmonicEfficiency and KerrPhase only; other nonlinear effects are not expressible.
    """

    kind: Literal["medium"] = "medium"
    material: str | None = None
    index: Index | None = None
    epsilon: Pure | tuple[Pure, Pure, Pure] | None = None
    poles: tuple[Pole, ...] = ()
    chi2: Pure = 0
    chi3: Pure = 0

    @model_validator(mode="after")
    def _one(self) -> Medium:
        given = [name for name in ("material", "index", "epsilon") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(
                f"a medium is one of material, index, epsilon; found {', '.join(given) or 'none of them'}"
            )
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


def kerr(n2: Any, index: Any) -> Any:
    """chi3 of a medium whose index grows by n2 (declare it in m^2/W) times the intensity: n2 = 3 chi3 / (4 n^2 eps0 c).

    Source: R. W. Boyd, "Nonlinear Optics", section 4.1.
    """
    return 2 * (2 * (2 * (lift(n2) * lift(index) * lift(index)))) / (lift(2) + 1)


def names_of_materials(node: Any) -> frozenset[str]:
    """Confirmed names that a (dumped) description uses."""
    if isinstance(node, dict):
        own = {node["material"]} if node.get("kind") == "medium" and node.get("material") else set()
        return frozenset(own).union(*(names_of_materials(value) for value in node.values()))
    if isinstance(node, (list, tuple)):
        return frozenset().union(*(names_of_materials(value) for value in node))
    return frozenset()


def nonlinear(node: Any) -> bool:
    """Whether a (dumped) description has a medium with chi2 or chi3."""
    if isinstance(node, dict):
        own = node.get("kind") == "medium" and any(
            node.get(name) not in (0, None) for name in ("chi2", "chi3")
        )
        return own or any(nonlinear(value) for value in node.values())
    return any(nonlinear(value) for value in node) if isinstance(node, (list, tuple)) else False
