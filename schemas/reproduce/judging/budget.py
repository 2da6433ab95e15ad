"""What the difference from a reference is worth: its uncertainty budget, in the terms of ASME V&V 20 and the GUM.

Shown beside the evidence; no verdict, finding or threshold reads it (docs/reference/evidence.md#validation-terms).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from schemas.base import Identifier, Model

Side = Literal["numerical", "input", "reference"]
Coverage = Literal["bound", "k = 2"]

SYMBOLS: dict[Side, str] = {"numerical": "u_num", "input": "u_input", "reference": "u_D"}
# A bound holds the error with equal chance anywhere inside (GUM 4.3.7); k = 2 is an expanded uncertainty of some 95 %.
DIVISORS: dict[Coverage, float] = {"bound": math.sqrt(3), "k = 2": 2.0}
NOT_KNOWN = "not known"
_NAMED = 2  # sources that a sentence names
_MOST = math.sqrt(3) / 2  # of u_val: without it not half would be left


class Contribution(Model):
    """One source of uncertainty of a compared number, in the budget's unit."""

    side: Side
    source: str
    stated: float | None = Field(
        None, ge=0, allow_inf_nan=False, description="error that it may leave, as stated; nothing: not known"
    )
    coverage: Coverage = "bound"
    evaluation: Literal["A", "B"] = Field(
        "B",
        description="A: by statistics of repeated observations, which no simulation here is; B: otherwise",
    )
    varied: str = Field("", description="of an input: what it was changed to")
    sensitivity: float | None = Field(
        None, description="of an input: size of the change over the change of the input, in their units"
    )
    alike: bool = Field(
        False, description="may have the same sign as others of its side: they are added as they are"
    )
    how: str = ""

    @property
    def standard(self) -> float | None:
        """The standard uncertainty u; nothing where it is not known."""
        return None if self.stated is None else self.stated / DIVISORS[self.coverage]


class Budget(Model):
    """A compared number with E = S - D, and what each side leaves open. All numbers in `unit`."""

    target_id: Identifier
    unit: str = Field("1", description="the target's; of a curve or map that of its error")
    of: Literal["value", "difference"] = Field(
        "value", description="difference: of a curve or map, E is the size of its error and has no sign"
    )
    simulated: float | None = None
    reference: float | None = Field(None, description="of a range that the paper states its middle")
    error: float | None = Field(None, allow_inf_nan=False, description="E, the comparison error S - D")
    stated: float | None = Field(
        None, ge=0, allow_inf_nan=False, description="the numerical uncertainty that the verdict uses"
    )
    observed_order: float | None = None
    grid: str = Field("", description="how the grid's part follows, in the terms of Roache, Eca and Hoekstra")
    contributions: tuple[Contribution, ...] = ()

    def side(self, side: Side) -> tuple[Contribution, ...]:
        """The contributions of one side."""
        return tuple(entry for entry in self.contributions if entry.side == side)

    def known(self, *sides: Side) -> float:
        """The standard uncertainty of what is known of some sides: the least it can be."""
        return math.hypot(*(_together(self.side(side)) for side in sides or SYMBOLS))

    def standard(self, side: Side) -> float | None:
        """u_num, u_input or u_D; nothing where one of its contributions is not known, or none was looked for."""
        found = self.side(side)
        return self.known(side) if found and all(entry.stated is not None for entry in found) else None

    @property
    def u_val(self) -> float | None:
        """The validation uncertainty, sqrt(u_num^2 + u_input^2 + u_D^2); nothing where one of them is not known."""
        return self.known() if all(self.standard(side) is not None for side in SYMBOLS) else None

    @property
    def expanded_simulation(self) -> float | None:
        """U_S = 2 sqrt(u_num^2 + u_input^2)."""
        both: tuple[Side, Side] = ("numerical", "input")
        return 2 * self.known(*both) if all(self.standard(side) is not None for side in both) else None

    @property
    def expanded_reference(self) -> float | None:
        """U_D = 2 u_D."""
        found = self.standard("reference")
        return None if found is None else 2 * found

    @property
    def e_n(self) -> float | None:
        """E / sqrt(U_S^2 + U_D^2); nothing where E or one of the two is not known, or both are 0."""
        ours, theirs = self.expanded_simulation, self.expanded_reference
        if self.error is None or ours is None or theirs is None:
            return None
        return _ratio(self.error, math.hypot(ours, theirs))

    @property
    def e_n_at_most(self) -> float | None:
        """What |E_n| cannot exceed: what is not known can only make it smaller. Nothing where nothing is known."""
        return None if self.error is None else _ratio(abs(self.error), 2 * self.known())

    @property
    def missing(self) -> tuple[str, ...]:
        """What is not known, side by side."""
        return tuple(
            f"{symbol} ({self._open(side) or 'nothing was kept'})"
            for side, symbol in SYMBOLS.items()
            if self.standard(side) is None
        )

    def _open(self, side: Side) -> str:
        found = list(dict.fromkeys(entry.source for entry in self.side(side) if entry.stated is None))
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        return ", ".join(found[:_NAMED]) + more

    @property
    def stated_as(self) -> str:
        """Whether the stated numerical uncertainty is a bound or an expanded uncertainty."""
        if self.stated is None:
            return "The numerical uncertainty is not known."
        counted = [entry for entry in self.side("numerical") if entry.stated]
        if counted and all(entry.coverage == "k = 2" for entry in counted):
            return "The stated numerical uncertainty is an expanded one (k = 2, some 95 %): only the grid leaves anything."
        return "The stated numerical uncertainty is a bound, no expanded uncertainty: what may have the same sign is added as it is."

    @property
    def conclusion(self) -> str:
        """The difference beside u_val, in a sentence."""
        if self.error is None:
            return "E is not known: there is no value to compare."
        size, least = abs(self.error), self.known()
        if self.u_val is None:
            unknown = f"not known: {'; '.join(self.missing)}"
            if size <= least:
                return f"No difference discernible above u_val, whatever is {unknown}."
            return f"Whether a difference remains is {unknown}; E is beyond what is known of u_val."
        if size <= least:
            return f"No difference discernible above u_val{self._mostly}."
        if size <= 2 * least:
            return f"A difference remains above u_val, within 2 u_val{self._mostly}."
        return f"A difference remains: {_times(size, least)} u_val{self._mostly}."

    @property
    def _mostly(self) -> str:
        """The contribution without which u_val would be less than half: a difference hides behind it, or outgrows it."""
        worst = max(self.contributions, key=lambda entry: entry.standard or 0.0, default=None)
        if worst is None or not worst.standard or worst.standard < _MOST * self.known():
            return ""
        return f", which is mostly {SYMBOLS[worst.side]} by {worst.source}"


def _together(found: Iterable[Contribution]) -> float:
    known = [(entry.alike, entry.standard) for entry in found if entry.standard is not None]
    return math.hypot(sum(u for alike, u in known if alike), *(u for alike, u in known if not alike))


def _ratio(size: float, over: float) -> float | None:
    found = size / over if over > 0 else math.inf
    return found if math.isfinite(found) else None


def _times(size: float, least: float) -> str:
    found = _ratio(size, least)
    return "many" if found is None else f"{found:.3g}"
