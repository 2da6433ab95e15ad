"""What a description computes for a target: the quantity, its scene, and the inputs that its light is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from simkit.describe.document import expressions
from simkit.describe.feature import Feature
from simkit.describe.media import names_of_materials
from simkit.describe.numbers import names
from tasks.reproduce.describing.in_sandbox import Description, DescriptionRefused
from tasks.reproduce.describing.inputs_used import inputs_used

_PROCESS = {
    "reflectance": "reflected",
    "port_reflectance": "reflected",
    "transmittance": "transmitted",
    "port_transmittance": "transmitted",
    "absorptance": "absorbed",
    "scattering": "scattered",
    "absorption": "absorbed",
    "extinction": "extinguished",
}  # of the light, by what is measured of it


@dataclass(frozen=True)
class Answering:
    """One quantity that answers a target. quantity, scene: in plain numbers. light: the parameters that its one wavelength is
    made of. values: what the target rests on, in base units. materials: whether its scene has confirmed materials.
    extrema: of a feature that is swept, the number of its extremum, 0 for the highest.
    """

    quantity: Any
    scene: Any
    light: frozenset[str] = frozenset()
    values: tuple[float, ...] = ()
    materials: bool = False
    extrema: tuple[int, ...] = ()

    @property
    def type(self) -> str:
        """The name of its class in a description."""
        return str(self.quantity.type)

    @property
    def line(self) -> float | None:
        """The one wavelength that it is computed at; None for a band or none."""
        band = getattr(self.scene, "band", None)
        found = (
            band.wavelength
            if band is not None and band.type == "line"
            else getattr(self.scene, "wavelength", None)
        )
        return None if found is None else float(found)


def answering(found: Description, target_id: str) -> tuple[Answering, ...]:
    """The quantities that answer a target, alone or over a sweep, or by a feature that is swept."""
    try:
        problem = found.resolved()
    except DescriptionRefused:
        return ()
    swept = {sweep.of for sweep in problem.sweeps if target_id in sweep.answers}
    features = [q for q in problem.quantities if isinstance(q, Feature) and q.id in swept]
    swept |= {feature.of for feature in features}
    values = found.parameters.values()
    used = tuple(values[name] for name in inputs_used(found, target_id) if name in values)
    scenes = {scene["id"]: scene for scene in found.parametric.get("scenes", ())}
    out = []
    for quantity in problem.quantities:
        if isinstance(quantity, Feature):
            continue
        if target_id in quantity.answers or quantity.id in swept:
            document = scenes.get(quantity.scene, {})
            band = document.get("band") or {}
            light = band.get("wavelength") if band.get("type") == "line" else document.get("wavelength")
            own = {name for _, expression in expressions(light) for name in names(expression)}
            light_names = frozenset().union(*(found.parameters.closure(name) for name in own))
            out.append(
                Answering(
                    quantity,
                    problem.scene(quantity.scene),
                    light_names,
                    used,
                    bool(names_of_materials(dict(document))),
                    tuple(feature.number for feature in features if feature.of == quantity.id),
                )
            )
    return tuple(out)


def process_measured(quantity: Any) -> str:
    """What happened to the light that a quantity measures; '' where it measures no share of the light."""
    return str(getattr(quantity, "side", "")) or _PROCESS.get(getattr(quantity, "process", quantity.type), "")
