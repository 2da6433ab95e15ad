"""The whole description of a stage's simulation: scenes, what is measured in them, and sweeps."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from simkit.describe.base import AnyNumber, Described
from simkit.describe.crystal import Crystal, CrystalQuantity
from simkit.describe.device import Device, DeviceQuantity
from simkit.describe.emitter import Emitter, EmitterQuantity
from simkit.describe.feature import Feature
from simkit.describe.light import Line
from simkit.describe.measured import Made, Measured
from simkit.describe.media import names_of_materials, nonlinear
from simkit.describe.resonator import Resonator, ResonatorQuantity
from simkit.describe.scatterer import Scatterer, ScattererQuantity
from simkit.describe.scene import NAME, Quantity
from simkit.describe.unit_cell import CellQuantity, HarmonicEfficiency, KerrPhase, UnitCell
from simkit.describe.waveguide import Waveguide, WaveguideQuantity

AnyScene = Annotated[
    UnitCell | Scatterer | Resonator | Crystal | Waveguide | Device | Emitter, Field(discriminator="type")
]
AnyQuantity = Annotated[
    CellQuantity
    | ScattererQuantity
    | ResonatorQuantity
    | CrystalQuantity
    | WaveguideQuantity
    | DeviceQuantity
    | EmitterQuantity
    | Measured
    | Feature,
    Field(discriminator="type"),
]


class Sweep(Described):
    """A single-number quantity as a curve over one parameter, from `low` to `high` (base units of that parameter); a spectrum
    as a map over its frequency and the parameter. A peak's place, height or width over a parameter: a `Feature` of the spectrum, swept.

    The ends are a view; how many points are computed between them is the harness's choice. Over a count (an order, a number
    of periods) it computes whole numbers; the ends are pure numbers.
    """

    view: ClassVar[bool] = True
    type: Literal["sweep"] = "sweep"
    id: str = Field(pattern=NAME)
    of: str = Field(description="id of the quantity")
    parameter: str = Field(description="id of the parameter that is varied")
    low: AnyNumber = Field(description="its first value, p.name")
    high: AnyNumber = Field(description="its last value, p.name")
    answers: tuple[str, ...] = ()


class Problem(Described):
    """What is simulated and measured. Ids are unique; each quantity fits the kind of its scene."""

    scenes: tuple[AnyScene, ...] = Field(min_length=1)
    quantities: tuple[AnyQuantity, ...] = Field(min_length=1)
    sweeps: tuple[Sweep, ...] = ()

    @model_validator(mode="after")
    def _links(self) -> Problem:
        ids = [item.id for item in (*self.scenes, *self.quantities, *self.sweeps)]
        twice = sorted({name for name in ids if ids.count(name) > 1})
        if twice:
            raise ValueError(f"used twice as an id: {', '.join(twice)}")
        scenes = {scene.id: scene for scene in self.scenes}
        for quantity in self.quantities:
            if quantity.scene not in scenes:
                raise ValueError(
                    f"quantity {quantity.id}: no scene {quantity.scene!r}; scenes: {', '.join(scenes)}"
                )
            if isinstance(quantity, Made):
                self._made_of(quantity)
            elif quantity.of_scene != scenes[quantity.scene].type:
                raise ValueError(
                    f"quantity {quantity.id}: {type(quantity).__name__} is measured in a {quantity.of_scene}, "
                    f"{quantity.scene} is a {scenes[quantity.scene].type}"
                )
            if quantity.needs_line and not isinstance(getattr(scenes[quantity.scene], "band", None), Line):
                raise ValueError(
                    f"quantity {quantity.id}: {type(quantity).__name__} is of one wavelength; give "
                    f"{quantity.scene} band=Line(wavelength=...)"
                )
        for scene in self.scenes:
            self._strong(scene)
        unused = set(scenes) - {quantity.scene for quantity in self.quantities}
        if unused:
            raise ValueError(f"nothing is measured in scene {', '.join(sorted(unused))}")
        swept = {
            q.id
            for q in self.quantities
            if not q.curve or (not q.needs_line and hasattr(scenes[q.scene], "band"))
        }
        for sweep in self.sweeps:
            if sweep.of not in swept:
                raise ValueError(
                    f"sweep {sweep.id}: {sweep.of!r} is no single number and no spectrum; those are: "
                    f"{', '.join(sorted(swept)) or 'none'}"
                )
        return self

    def _strong(self, scene: AnyScene) -> None:
        """chi2 and chi3 go with quantities of strong light, and these with them."""
        strong = [
            q
            for q in self.quantities
            if q.scene == scene.id and isinstance(q, (HarmonicEfficiency, KerrPhase))
        ]
        plain = scene.model_dump(mode="json")
        if nonlinear(plain) and not strong:
            raise ValueError(
                f"scene {scene.id}: a medium has chi2 or chi3, which matter to HarmonicEfficiency and KerrPhase "
                "of a UnitCell only; no other nonlinear quantity is expressible (a free script is), and "
                "weak light does not see them: leave them out"
            )
        if strong and not nonlinear(plain) and not names_of_materials(plain):
            raise ValueError(f"quantity {strong[0].id}: no medium of {scene.id} has chi2 or chi3")

    def _made_of(self, quantity: Made) -> None:
        known = {q.id: q for q in self.quantities if q.scene == quantity.scene and not isinstance(q, Made)}
        for name in quantity.parts:
            if name not in known:
                raise ValueError(
                    f"quantity {quantity.id}: {name!r} is no quantity of {quantity.scene} with a class of its "
                    f"own; those are: {', '.join(known) or 'none'}"
                )
        if isinstance(quantity, Feature):
            self._swept(quantity, known[quantity.of])
        elif isinstance(quantity, Measured) and quantity.gives == "curve" and not known[quantity.of[0]].curve:
            raise ValueError(
                f"quantity {quantity.id}: gives='curve' needs a curve first in `of`; {quantity.of[0]} is a number"
            )

    def _swept(self, quantity: Feature, of: Quantity) -> None:
        band = getattr(self.scene(quantity.scene), "band", None)
        if not of.curve or (isinstance(band, Line) and not of.needs_line):
            raise ValueError(
                f"quantity {quantity.id}: {of.id} is a single number and has no {quantity.extremum}; sweep {of.id} itself, or give "
                f"{quantity.scene} a band"
            )
        if quantity.answers or quantity.id not in {sweep.of for sweep in self.sweeps}:
            raise ValueError(
                f"quantity {quantity.id}: a Feature is for a Sweep; without one let {of.id} answer, the target's own feature is read "
                "from it"
            )

    def scene(self, name: str) -> AnyScene:
        """The scene of that id."""
        return next(scene for scene in self.scenes if scene.id == name)


def quantity_of(problem: Problem, name: str) -> Quantity:
    """The quantity of that id. Raises StopIteration if there is none."""
    return next(quantity for quantity in problem.quantities if quantity.id == name)
