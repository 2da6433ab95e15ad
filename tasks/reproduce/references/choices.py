"""A result holds for how its structure was lit; that is the paper's to say, not the describer's to choose.

Where the words say otherwise, or say nothing of a choice that is no default, what was computed is at most PARTIAL.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.simulations.units import converted, dimension
from schemas.reproduce.words.bound import InputWords
from schemas.reproduce.words.said import Told, Words
from schemas.reproduce.words.scene_words import OBLIQUE
from simkit.describe.feature import Feature
from simkit.describe.light import Line, Wavelengths
from simkit.describe.media import Medium
from simkit.describe.problem import quantity_of
from simkit.describe.scene import Scene
from simkit.describe.unit_cell import UnitCell
from tasks.reproduce.describing.equal_parts import miscounted
from tasks.reproduce.describing.in_sandbox import Description
from tasks.reproduce.describing.inputs_used import (
    answering,
    films_of,
    scenes_of,
    swept,
    typed,
)
from tasks.reproduce.judging.doubts import doubted
from tasks.reproduce.references.polarizations import plainest, polarization_of
from tasks.reproduce.references.whose import whose_faults

_SPARED = 0.05  # share of a range that an extremum is hardly missed in
_DEGREES, _SAME_LIGHT = 0.05, 2e-3  # of an angle, of a wavelength as printed
_INDEX = 2e-3  # relative: an index that the paper rounds
_NAMES = {
    "out": "E along what does not change or across the plane of incidence",
    "in": "E in the plane",
    "s": "s",
    "p": "p",
    "x": "E along x",
    "y": "E along y",
    "dense": "from the denser side",
    "thin": "from the air",
}


def within_choices(
    found: Sequence[TargetEvidence],
    description: Description | None,
    words: Mapping[str, Sequence[Words]],
    inputs: Mapping[str, InputWords] = MappingProxyType({}),
) -> tuple[TargetEvidence, ...]:
    """The evidence of a stage's targets, at most PARTIAL where a scene is lit otherwise than the paper's words say, or is
    another sample's.

    words: target -> for each place that states its number what is said there and around it.
    """
    if description is None:
        return tuple(found)
    return tuple(
        doubted(
            evidence,
            choice_faults(description, evidence.target_id, words.get(evidence.target_id, ()), inputs),
            "choice",
        )
        for evidence in found
    )


def choice_faults(
    description: Description,
    target_id: str,
    places: Sequence[Words],
    inputs: Mapping[str, InputWords] = MappingProxyType({}),
) -> tuple[str, ...]:
    """What is wrong with how a target's scenes are lit and whose numbers they have, by the place that speaks best for it."""
    scenes = scenes_of(description, target_id)
    varied = swept(description, target_id)
    if description.parameters.scale != "um":  # of lengths in units of a, words in um say nothing
        places = [{**words, "light": (), "colour": (), "range": ()} for words in places]
    pair = answering(description, target_id)
    fields = [own[0] for scene in pair if (own := polarization_of(scene)) is not None]
    together = frozenset(fields) if len(fields) == 2 and type(pair[0]) is type(pair[-1]) else frozenset()
    found: list[tuple[str, ...]] = [
        (
            *(fault for scene in scenes for fault in _faults(scene, words, varied, together)),
            *whose_faults(description, target_id, words, inputs),
            *_swept_in_part(description, target_id, inputs, words.get("swept", ())),
            *_other_feature(description, target_id, words.get("extremum", ()), "extremum"),
            *_other_feature(description, target_id, words.get("gives", ()), "gives"),
        )
        for words in places
    ]
    rows = miscounted(description, frozenset(scene.id for scene in scenes))
    structure = tuple(f"Of what is counted it has {row}" for row in rows)
    structure += tuple(
        f"Scene {scene.id} has {place}, a number that rests on nothing of the paper"
        for scene in scenes
        for place in typed(description, scene.id)
    )
    structure += tuple(
        fault
        for scene in scenes
        if isinstance(scene, UnitCell)
        for fault in _piled(scene, films_of(description, scene.id), inputs)
    )
    fewest = min(found, key=len, default=())
    return (*structure, *dict.fromkeys(fewest))


def _faults(scene: Scene, words: Words, varied: frozenset[str], together: frozenset[str]) -> Iterator[str]:
    if isinstance(scene, UnitCell) and f"{scene.id}.angle" not in varied:
        yield from _angle(math.degrees(float(scene.angle)), words.get("angle", ()))
    if (polarization := polarization_of(scene)) is not None:
        yield from _field(scene, *polarization, words.get("polarization", ()), together)
    if isinstance(scene, UnitCell):
        yield from _side(scene, words.get("side", ()))
    yield from _around(scene, words.get("around", ()))
    if not varied & {f"{scene.id}.band", f"{scene.id}.wavelength"}:
        yield from _line(scene, words.get("light", ()))
        yield from _colour(scene, words.get("colour", ()))
    if f"{scene.id}.band" not in varied:
        yield from _range(scene, words.get("range", ()))


def _line(scene: Scene, levels: Sequence[Told]) -> Iterator[str]:
    band = getattr(scene, "band", None)
    wavelength = getattr(band if isinstance(band, Line) else scene, "wavelength", None)
    if (
        wavelength is not None
        and levels
        and not any(
            math.isclose(float(wavelength), float(value), rel_tol=_SAME_LIGHT) for value in levels[0].values
        )
    ):
        own = f"light of {float(wavelength):.5g} um"
        yield f"Scene {scene.id} has {own}, and {levels[0].where} says otherwise: {levels[0].words!r}"


def _range(scene: Scene, levels: Sequence[Told]) -> Iterator[str]:
    """An extremum of spectra is one of all that the words say they reach over."""
    band = getattr(scene, "band", None)
    if isinstance(band, Line) and levels and levels[0].where == "its clause":
        yield f"Scene {scene.id} has light of {float(band.wavelength):.5g} um, and its clause speaks of a range: {levels[0].words!r}"
    if not isinstance(band, Wavelengths) or not levels:
        return
    low, high = float(band.shortest), float(band.longest)
    stated = [tuple(map(float, value.split())) for value in levels[0].values]
    if not any(
        low <= first + _SPARED * (last - first) and high >= last - _SPARED * (last - first)
        for first, last in stated
    ):
        yield (
            f"Scene {scene.id} was looked at from {low:.4g} to {high:.4g} um, and {levels[0].where} says that its spectra reach "
            f"further: {levels[0].words!r}"
        )


def _swept_in_part(
    description: Description, target_id: str, inputs: Mapping[str, InputWords], levels: Sequence[Told]
) -> Iterator[str]:
    """An extremum over what is varied is one of all that the words say it was varied over."""
    items = description.parameters.items()
    for sweep in description.resolved().sweeps if levels else ():
        kinds = inputs[sweep.parameter].kinds if sweep.parameter in inputs else frozenset[str]()
        base = {"length": "um", "angle": "rad"}.get(dimension(items[sweep.parameter].unit or "1"), "1")
        for value in sorted(levels[0].values) if target_id in sweep.answers else ():
            first, last, unit, told = value.split()
            ends = [converted(float(end), unit, base) for end in (first, last)]
            if not kinds & {*told.split("+")} or None in ends:
                continue
            spared = _SPARED * (ends[1] - ends[0])  # type: ignore[operator]
            if min(sweep.low, sweep.high) > ends[0] + spared or max(sweep.low, sweep.high) < ends[1] - spared:
                yield (
                    f"Sweep {sweep.id} goes from {float(sweep.low):.4g} to {float(sweep.high):.4g} {base.removesuffix('1')}".rstrip()
                    + f", and {levels[0].where} says that it was varied further: {levels[0].words!r}"
                )


def _other_feature(
    description: Description, target_id: str, levels: Sequence[Told], choice: Literal["extremum", "gives"]
) -> Iterator[str]:
    """A maximum whose place is swept is no minimum, and its place no width, where the words speak of these alone."""
    problem = description.resolved()
    for sweep in problem.sweeps if levels else ():
        feature = quantity_of(problem, sweep.of)
        if (
            target_id in sweep.answers
            and isinstance(feature, Feature)
            and getattr(feature, choice) not in levels[0].values
        ):
            yield f"Sweep {sweep.id} is of the {feature.words}, and {levels[0].where} says otherwise: {levels[0].words!r}"


def _piled(scene: UnitCell, films: Sequence[str], inputs: Mapping[str, InputWords]) -> Iterator[str]:
    """Layers that lie the other way round than the words pile them; the denser side is the one that they lie on."""
    below, above = _index(scene.below), _index(scene.above)
    if below == above:
        return
    upwards = films if below > above else films[::-1]
    for place, name in enumerate(upwards):
        for lower in inputs[name].on if name in inputs else ():
            if lower in upwards and lower not in upwards[:place]:
                yield f"Scene {scene.id} has {lower} on {name}, and the paper's words put {name} on {lower}"


def _colour(scene: Scene, levels: Sequence[Told]) -> Iterator[str]:
    """Light of one wavelength that has another colour than the words say."""
    band = getattr(scene, "band", None)
    wavelength: Any = getattr(band if isinstance(band, Line) else scene, "wavelength", None)
    for told in levels[:1] if wavelength is not None else ():
        ends = [tuple(map(float, value.split())) for value in told.values]
        if not any(low <= float(wavelength) <= high for low, high in ends):
            yield f"Scene {scene.id} has light of {float(wavelength):.5g} um, and {told.where} names another colour: {told.words!r}"


def _angle(degrees: float, levels: Sequence[Told]) -> Iterator[str]:
    for told in levels:
        if any(_is_angle(degrees, value) for value in told.values):
            return
        stated = " or ".join(
            sorted(value if value == OBLIQUE else f"{value} degrees from the normal" for value in told.values)
        )
        yield f"Light was sent in at {degrees:.4g} degrees from the normal, and {told.where} says {stated}: {told.words!r}"
        return


def _is_angle(degrees: float, value: str) -> bool:
    return degrees > _DEGREES if value == OBLIQUE else abs(degrees - float(value)) <= _DEGREES


def _field(
    scene: Scene, own: str, table: Mapping[str, str], levels: Sequence[Told], together: frozenset[str]
) -> Iterator[str]:
    """together: the polarisations of all scenes that a target is made of; of two, the words say which where one of them is told."""
    open_between: Told | None = None
    for told in levels:
        values = {table.get(value, value) for value in plainest(told.values, table)}
        if len(together) > 1 and values <= together:
            return
        if own not in values:
            yield (
                f"Scene {scene.id} has {_NAMES.get(own, own)}, and {told.where} says "
                f"{' or '.join(sorted(_NAMES.get(value, value) for value in values))}: {told.words!r}"
            )
            return
        if len(values) == 1 or told.either:
            return
        open_between = open_between or told
    if open_between is not None:
        yield (
            f"Scene {scene.id} has {_NAMES.get(own, own)}; the paper speaks of more than one polarisation, and nothing says "
            f"which of them this is: {open_between.words!r}"
        )
    else:
        yield f"Scene {scene.id} has {_NAMES.get(own, own)}, which changes the result, and no words of the paper say so"


def _side(scene: UnitCell, levels: Sequence[Told]) -> Iterator[str]:
    if any(not isinstance(medium, Medium) for medium in (scene.below, scene.above)):
        return  # light cannot come through an ideal metal: there is one side
    own, other = (scene.below, scene.above) if scene.light_from == "below" else (scene.above, scene.below)
    if (came := _index(own)) == (went := _index(other)) or (math.isinf(went) and came > 1):
        return  # before a metal glass is as good as air, and what the words call it is its name
    side = "dense" if came > went else "thin"
    for told in levels:
        values = {said for value in told.values if (said := _side_told(value, came, went))}
        if values and side not in values:
            yield f"Light came {_NAMES[side]}, and {told.where} says otherwise: {told.words!r}"
        if values:
            return
    if side == "dense":
        yield "Light came from the denser side, and no words of the paper say so"


def _side_told(value: str, came: float, went: float) -> str:
    """ "dense" or "thin", also of the index of one of the two half-spaces; '' for that of anything else."""
    if not value.startswith("index "):
        return value
    index = float(value.removeprefix("index "))
    own, other = (abs(index - each) <= _INDEX * index for each in (came, went))
    if own == other:
        return ""
    return "dense" if own == (came > went) else "thin"


def _around(scene: Scene, levels: Sequence[Told]) -> Iterator[str]:
    outer = [getattr(scene, name) for name in ("below", "above", "background") if hasattr(scene, name)]
    if levels and levels[0].values == {"liquid"} and any(_index(medium) == 1.0 for medium in outer):
        yield f"Scene {scene.id} stands in empty space, and {levels[0].where} says otherwise: {levels[0].words!r}"


def _index(medium: object) -> float:
    """A medium's constant index; of a confirmed material a large one, as none of them is air."""
    if not isinstance(medium, Medium) or medium.material is not None:
        return math.inf
    if medium.index is not None:
        return float(medium.index)
    epsilon = medium.epsilon[0] if isinstance(medium.epsilon, tuple) else medium.epsilon
    return math.sqrt(abs(float(epsilon))) if epsilon is not None else math.inf
