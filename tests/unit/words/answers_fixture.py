"""Quantities of real descriptions that may answer a sentence: "effective_index mode=1 line=1.55"."""

from __future__ import annotations

from typing import Any

import simkit.describe as vocabulary
from schemas.reproduce.paper import PaperFigure, PaperInput
from schemas.reproduce.planning.plan import Target
from simkit.describe.base import RESOLVED
from simkit.describe.feature import Feature
from simkit.describe.measured import Measured
from simkit.describe.scene import Quantity, Scene
from tasks.reproduce.describing.answering import Answering

_AIR = {"kind": "medium", "index": 1}
_GLASS = {"kind": "medium", "index": 2}
CLASSES = {
    item.model_fields["type"].default: item
    for item in vars(vocabulary).values()
    if isinstance(item, type)
    and issubclass(item, Quantity)
    and item is not Feature
    and "type" in item.model_fields
}
SCENES = {
    item.model_fields["type"].default: item
    for item in vars(vocabulary).values()
    if isinstance(item, type) and issubclass(item, Scene) and "type" in item.model_fields
}
NEEDED: dict[str, dict[str, Any]] = {
    "order_efficiency": {"side": "transmitted", "order": [1]},
    "phase": {"side": "transmitted"},
    "group_delay": {"side": "transmitted"},
    "harmonic_efficiency": {"harmonic": 2, "side": "transmitted", "intensity": 1},
    "kerr_phase": {"side": "transmitted", "intensity": 1},
    "port_transmittance": {"port": "out"},
    "port_phase": {"port": "out", "start": 0, "end": 1},
    "port_delay": {"port": "out", "start": 0, "end": 1},
    "cross_section": {"process": "scattering"},
    "band_frequency": {"band": 1, "k": "X"},
    "band_edge": {"band": 1, "edge": "maximum"},
    "gap": {"above": 1, "what": "ratio"},
    "bands": {"band": 1},
    **dict.fromkeys(("radiation_pattern", "mode_pattern"), {"zero": "x", "towards": "y"}),
    "ring_down": {"duration": 9},
    "device_pattern": {"side": "+y"},
    "half_space_pattern": {"side": "-z", "towards": "x"},
    "cone_share": {"side": "-z", "over": "emitted"},
    "guided_share": {"sides": ["-x", "+x"]},
    "power_through": {"start": [0, 1, 0], "end": [1, 1, 0], "towards": "+y"},
    "near_field": {"start": [0, 0, 0], "end": [1, 0, 0]},
    "point_field": {"at": [0, 0, 0]},
    "field_along": {"start": [0, 0, 0], "end": [1, 0, 0]},
    "cell_field": {"start": [0, 0, 0], "end": [0, 0, 1]},
    "device_field": {"start": [0, 0, 0], "end": [1, 0, 0]},
    "mode_profile": {"start": [0, 0, 0], "end": [1, 0, 0]},
    "guided_profile": {"start": [0, 0, 0], "end": [0, 1, 0]},
}


def scene(kind: str, line: float | None, m: str | None = None, bus: bool = False) -> Any:
    """A small scene of that kind, at one wavelength where it is given."""
    band: Any = (
        {"type": "line", "wavelength": line}
        if line
        else {"type": "wavelengths", "shortest": 0.4, "longest": 3}
    )
    ball = {"type": "sphere", "id": "ball", "medium": _GLASS, "radius": 0.5}
    bar = {"type": "block", "id": "bar", "medium": _GLASS, "y": [-0.2, 0.2]}
    plain: dict[str, Any] = {
        "unit_cell": {
            "below": _GLASS,
            "layers": [{"type": "film", "medium": _GLASS, "thickness": 0.2}],
            "above": _AIR,
            "light_from": "above",
            "polarization": "x",
            "band": band,
            "period": [0.5],
        },
        "scatterer": {
            "dimensions": "3D",
            "bodies": [ball],
            "background": _AIR,
            "polarization": "z",
            "band": band,
        },
        "resonator": {
            "dimensions": "3D",
            "bodies": [ball],
            "background": _AIR,
            "search": {"type": "wavelengths", "shortest": 0.4, "longest": 3},
        },
        "crystal": {
            "lattice": {"type": "square", "period": 1},
            "bodies": [ball],
            "background": _AIR,
            "polarization": "tm",
        },
        "waveguide": {
            "dimensions": "2D",
            "bodies": [bar],
            "background": _AIR,
            "polarization": "Ez",
            "wavelength": line or 1.55,
        },
        "device": {
            "dimensions": "2D",
            "bodies": [bar],
            "background": _AIR,
            "polarization": "Ez",
            "source": "in",
            "band": band,
            "ports": [{"id": "in", "side": "-x", "center": 0}, {"id": "out", "side": "+x", "center": 0}],
        },
        "emitter": {
            "dimensions": "3D",
            "bodies": [ball],
            "background": _AIR,
            "position": [0, 0, 1],
            "orientation": "z",
            "band": band,
        },
    }
    if m is not None:
        disk = {"type": "cylinder", "id": "disk", "medium": _GLASS, "radius": 0.5}
        plain["resonator"] |= {"dimensions": "2D", "field": "Ez", "m": int(m), "bodies": [disk]}
    if bus:
        plain["resonator"]["bodies"].append({**bar, "id": "bus", "z": [-0.1, 0.1]})
    return SCENES[kind].model_validate({"type": kind, "id": "scene", **plain[kind]}, context=RESOLVED)


def answer(words: str) -> Answering:
    """The quantity that the words name, measured in a small scene of its kind."""
    kind, *more = words.split()
    if kind == "measured":
        return Answering(
            Measured(id="q", scene="scene", of=("R",), code="def measure(R):\n    return R.y[0]\n"),
            scene("unit_cell", None),
        )
    given = dict(part.split("=", 1) for part in more)
    line = float(given.pop("line")) if "line" in given else None
    made = CLASSES[kind]
    where = scene(made.of_scene, line, given.pop("m", None), bool(given.pop("bus", "")))
    fields: dict[str, Any] = {**NEEDED.get(kind, {}), **given}
    if "order" in given:
        fields["order"] = [int(given["order"])]
    if "per" in given and kind == "cross_section":
        fields["per"] = {"shadow": 3.14159265 * 0.25, "diameter": 1.0, "radius": 0.5}[given["per"]]
    if kind in ("gap", "band_frequency", "band_edge"):
        fields |= {name: int(fields[name]) for name in ("above", "band") if name in fields}
    return Answering(
        made.model_validate({"type": kind, "id": "q", "scene": "scene", **fields}, context=RESOLVED), where
    )


def a_paper(words: str, caption: str = "What was computed.") -> PaperInput:
    """A paper that says these words and nothing else of its results."""
    body = "We study how light meets a small structure, and describe below what was computed. " * 3
    return PaperInput(
        paper_id="sentence",
        title="A sentence",
        citation="An author, A journal, 2020",
        text=f"{body}\n\n{words}",
        figures=(PaperFigure(figure_id="fig1", caption=caption),),
    )


def target(value: str, unit: str, feature: str, words: str, x_unit: str = "nm") -> Target:
    """A target with these words as its quotation. feature: "position maximum 2", "value_at 550", or "-"."""
    kind, *more = feature.split()
    taken: dict[str, Any] | None = {"kind": kind} if kind != "-" else None
    if taken is not None and kind == "value_at":
        taken["at"] = [float(more[0])]
    elif taken is not None and kind in ("ratio", "difference"):
        taken["of"] = (
            [{"kind": "position", "number": 1}, {"kind": "position", "number": 2}]
            if kind == "difference"
            else [{"kind": "value_at", "at": [0]}, {"kind": "value_at", "at": [180]}]
        )
    elif taken is not None and kind == "band_gap":
        taken["measure"] = more[0]
    elif taken is not None and more:
        taken |= {"extremum": more[0], "number": int(more[1]) if len(more) > 1 else 0}
    return Target.model_validate(
        {
            "target_id": "t",
            "figure_id": "fig1",
            "description": "",
            "kind": "scalar",
            "quantity": "scalar",
            "unit": unit,
            "x_unit": x_unit,
            "reference": {"kind": "quotation", "value": float(value), "quotation": words, "feature": taken},
        }
    )
