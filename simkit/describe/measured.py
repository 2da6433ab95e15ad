"""A quantity by a function of the writer's own, where no class gives it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from simkit.describe.base import AnyNumber
from simkit.describe.language import LONGEST, checked
from simkit.describe.numbers import Number
from simkit.describe.scene import Quantity


class Made(Quantity):
    """A quantity that is made of others of its scene."""

    @property
    def parts(self) -> tuple[str, ...]:
        """Ids of the quantities that it is made of."""
        raise NotImplementedError


class Measured(Made):
    """A number no class and no feature of a curve gives, by `code`: def measure(...) with one argument for each quantity `of`
    the same scene (a curve with arrays .x and .y, or a number), then one for each parameter in `given`. numpy as np; typed
    numbers 0, 1/2, 1, 2; np.nan where there is no value. `length_power` of its unit: 1 a length, -1 a frequency. It must be
    carried by the data, smoothly: interpolate, never take the nearest sample. gives 'curve': y over the first one's x.
    """

    type: Literal["measured"] = "measured"
    of: tuple[str, ...] = Field(min_length=1, max_length=8)
    given: tuple[AnyNumber, ...] = Field((), max_length=8)
    code: str = Field(max_length=2 * LONGEST)
    gives: Literal["number", "curve"] = "number"
    length_power: Literal[-3, -2, -1, 0, 1, 2, 3] = 0

    @model_validator(mode="after")
    def _allowed(self) -> Measured:
        checked(self.code, len(self.of) + len(self.given))
        return self

    @property
    def parts(self) -> tuple[str, ...]:
        """Ids of the quantities that it is called with, in order."""
        return self.of

    @property
    def curve(self) -> bool:  # type: ignore[override]
        """Whether it is a curve."""
        return self.gives == "curve"

    def sees(self) -> tuple[str, ...]:
        """What it is called with: quantities, and expressions of parameters."""
        return (
            *self.of,
            *(item.expression if isinstance(item, Number) else f"{float(item):g}" for item in self.given),
        )

    def printed(self) -> str:
        """Its arithmetic, without comments."""
        return checked(self.code, len(self.of) + len(self.given))
