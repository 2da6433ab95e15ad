"""Scenes into runs: where sources, monitors, references, mirrors and absorbers go. Trusted; no Meep, no files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from simkit.arrange import crystal, device, emitter, resonator, scatterer, unit_cell, waveguide
from simkit.arrange.numerics import Arrangement, Needs, Numerics
from simkit.arrange.permittivity import without_poles
from simkit.arrange.stripes import with_stripes
from simkit.describe.light import Line
from simkit.describe.scene import Quantity, Scene
from simkit.describe.unit_cell import HarmonicEfficiency, KerrPhase

_ARRANGED: Mapping[str, Any] = {
    "crystal": crystal,
    "device": device,
    "emitter": emitter,
    "resonator": resonator,
    "scatterer": scatterer,
    "unit_cell": unit_cell,
    "waveguide": waveguide,
}


def needs(scene: Scene, materials: Mapping[str, Any], quantities: Sequence[Quantity] = ()) -> Needs:
    """What a resolved scene asks of the grid; the wavelength of a harmonic that is measured is as much shorter."""
    found: Needs = _ARRANGED[scene.type].needs(with_stripes(scene), materials)  # type: ignore[attr-defined]
    return replace(
        found, resolution=found.resolution * max([1, *(getattr(q, "harmonic", 1) for q in quantities)])
    )


def arrange(
    scene: Scene,
    quantities: Sequence[Quantity],
    numerics: Numerics,
    materials: Mapping[str, Any],
    known: Mapping[str, Any] | None = None,
) -> Arrangement:
    """The runs of a resolved scene that its quantities need; materials: confirmed fits by name, as in params.json.

    known: what `found` read from the runs of another grid, so that it need not be looked for again.
    """
    more = (known,) if known else ()
    made: Arrangement = _ARRANGED[scene.type].arrange(  # type: ignore[attr-defined]
        with_stripes(scene), _own(quantities), numerics, _for_light(scene, quantities, materials), *more
    )
    return made


def refined(
    scene: Scene,
    quantities: Sequence[Quantity],
    numerics: Numerics,
    materials: Mapping[str, Any],
    arrangement: Arrangement,
    raw: Mapping[str, Mapping[str, Any]],
) -> Arrangement | None:
    """The arrangement with further runs that the raw data of its own runs call for (a resonance alone in a narrow band);
    None where nothing is to be added. Its first runs are those of `arrangement`; asked once, after they are solved."""
    module = _ARRANGED[scene.type]  # type: ignore[attr-defined]
    if not hasattr(module, "refined"):
        return None
    further: Arrangement | None = module.refined(
        scene, _own(quantities), numerics, materials, arrangement, raw
    )
    return further


def found(
    scene: Scene,
    quantities: Sequence[Quantity],
    arrangement: Arrangement,
    raw: Mapping[str, Mapping[str, Any]],
) -> Mapping[str, Any]:
    """What the runs of a scene showed that another grid can start from (modes by quantity); empty where there is nothing."""
    module = _ARRANGED[scene.type]  # type: ignore[attr-defined]
    return dict(module.found(scene, _own(quantities), arrangement, raw)) if hasattr(module, "found") else {}


def known_after(scene: Scene, known: Mapping[str, Any], share: float) -> Mapping[str, Any]:
    """What `found` read, for a variant with a parameter changed by this share of itself; empty: look for it anew."""
    module = _ARRANGED[scene.type]  # type: ignore[attr-defined]
    return dict(module.known_after(known, share)) if hasattr(module, "known_after") else {}


def _for_light(
    scene: Scene, quantities: Sequence[Quantity], materials: Mapping[str, Any]
) -> Mapping[str, Any]:
    band = getattr(scene, "band", None)
    if not isinstance(band, Line) or any(
        isinstance(quantity, (HarmonicEfficiency, KerrPhase)) for quantity in quantities
    ):
        return materials
    return without_poles(materials, band.frequencies()[0])


def _own(quantities: Sequence[Quantity]) -> list[Quantity]:
    """Without those that are functions of others."""
    return [quantity for quantity in quantities if quantity.of_scene]


__all__ = ["Arrangement", "Needs", "Numerics", "arrange", "found", "known_after", "needs", "refined"]
