"""Whether what was described is what the paper's words say there is: their numbers taken up, their bodies there, no others.

A doubt each: code cannot know whether "10 nm of chromium" are of the structure that was computed; a person can.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.materials.material_names import METALS
from schemas.reproduce.simulations.units import converted, dimension
from schemas.reproduce.words.structure_words import STRUCTURE, StatedNumber, StructureWords
from schemas.reproduce.words.written import numbers_in
from simkit.arrange.permittivity import index_of
from simkit.describe.document import used
from simkit.describe.media import Medium
from simkit.describe.problem import Sweep
from simkit.describe.scene import Scene
from simkit.describe.units import UNITS
from tasks.reproduce.describing.answering import answering
from tasks.reproduce.describing.in_sandbox import Description
from tasks.reproduce.describing.inputs_used import (
    inputs_of_scene,
    inputs_used,
    layers_of,
    scenes_of,
    sizes_of,
)
from tasks.reproduce.judging.doubts import doubted
from tasks.reproduce.references.bodies_told import alike_layers, bodies_missing
from tasks.reproduce.references.scene_lengths import Lengths, measure_scene, middles

Value = tuple[float, str]
_CLOSE, _MOST = 1e-3, 3
_EMPTY = re.compile(r"(?i)\bof\s+(?:air|vacuum|empty\s+space)\b")  # what a body leaves of a period
# What others of these make up: an outer radius, a gap. Not what is stacked: another layer may be as thick as two.
_ACROSS = frozenset({"radius", "diameter", "lateral", "gap", "period", "along"})
_DIGITS = (3, 4, 6)  # that papers write of them
_OPTICAL = frozenset({"index", "permittivity"})
_SMALLEST, _LARGEST = 20.0, 5.0  # so much smaller or larger than what was described, it matters to nothing
_BAND = 0.02
_SEVERAL = 3  # values that a sentence lists of what is varied
_FORMULA, _POWERS = re.compile(r"[/^\u00b2*\u00b7\u00d7][^=,;:]*=\s*(?:about\s+)?$"), (1, 2, 3, 4)
_PRINTED = 3  # digits from which on a length is told apart from others by them
_WHAT = {
    "half": "a half of it",
    "optical": "an optical thickness",
    "in a medium": "a wavelength in a medium",
    "angular": "an angular one",
}
_SEEN = frozenset({"vertical", "lateral", "gap", "diameter", "radius", "period"})


def within_structure(
    found: Sequence[TargetEvidence],
    description: Description | None,
    words: StructureWords,
    media: Mapping[str, Sequence[Value]],
    references: Sequence[Value],
) -> tuple[TargetEvidence, ...]:
    """The evidence of a stage's targets, at most PARTIAL where the paper's words state what the description has not.

    media: the numbers of each material of the plan. references: those that the plan's targets are compared with, and those of its
    other stages.
    """
    if description is None:
        return tuple(found)
    return tuple(
        doubted(
            evidence,
            structure_faults(description, evidence.target_id, words, media, references)[:_MOST],
            "structure",
        )
        for evidence in found
    )


def indices_at(words: StructureWords, materials: Mapping[str, Any]) -> dict[str, list[Value]]:
    """The refractive indices and permittivities of the confirmed materials, parts of them, at every wavelength at which the words state
    one: a paper that names a table or a model says what it gives there ("n = 1.4500 at 1030 nm")."""
    lights = {light for n in words.numbers if n.kinds & _OPTICAL for light in n.at_light if light > 0}
    found: dict[str, list[Value]] = {}
    for name, entry in materials.items():
        low, high = entry.get("band_um") or (0.0, 0.0)
        inside = [light for light in sorted(lights) if low <= light <= high]
        media = Medium.model_validate({"material": name})
        indices = [index_of(media, 1 / light, materials) for light in inside]
        found[f"{name} at its light"] = [
            (sign * float(f"{part:.{digits}g}"), "1")
            for index in indices
            for value in (index, index**2)
            for part in (value.real, value.imag)
            if part
            for sign in (1, -1)
            for digits in _DIGITS
        ]
        if entry.get("poles") and (far := float(entry.get("eps_inf") or 0.0)) > 0:  # what poles are added to
            found[f"{name} at its light"] += [(far, "1"), (math.sqrt(far), "1")]
    return found


def structure_faults(
    description: Description,
    target_id: str,
    words: StructureWords,
    media: Mapping[str, Sequence[Value]],
    references: Sequence[Value],
) -> tuple[str, ...]:
    """What the words state of a target's structure and its description has not, or has otherwise."""
    own = _values(description, inputs_used(description, target_id))
    own += [value for numbers in media.values() for value in numbers]
    all_used = used(description.parametric, description.parameters)
    taken = list(dict.fromkeys((*own, *_values(description, all_used), *_counts(description), *references)))
    taken += [(float(value), "1") for name in description.counted for value in description.whole(name)]
    spoken = {n.paragraph for n in words.numbers if n.kinds & STRUCTURE and _among(n, own)}
    scenes = scenes_of(description, target_id)
    drawn = _drawn(description, scenes)
    light = frozenset().union(*(answer.light for answer in answering(description, target_id)))
    own_sweeps = [
        sweep
        for sweep in description.resolved().sweeps
        if target_id in sweep.answers and sweep.parameter not in light
    ]
    varied = [_range_of(description, sweep) for sweep in own_sweeps]
    return tuple(
        dict.fromkeys(
            (
                *_left(
                    [
                        n
                        for n in _in_the_plane(words, scenes)
                        if not _printed(n, drawn) and not _varied(n, words.numbers, varied)
                    ],
                    spoken,
                    taken,
                ),
                *alike_layers(words.numbers, spoken, description.resolved().scenes),
                *bodies_missing(words, spoken, scenes, description.resolved().scenes),
                *(fault for scene in scenes for fault in _sized(description, scene, words.numbers)),
                *(fault for scene in scenes for fault in _crossed(description, scene, words.numbers)),
                *(fault for scene in scenes for fault in _apart(description, scene, words.numbers)),
                *(fault for scene in scenes for fault in _at_its_light(description, scene, words.numbers)),
            )
        )
    )


_PARTS = re.compile(
    r"(?i)\b(?:layers|films|coatings|sheets|slabs|plates|membranes|spacers|claddings|rods|wires|cylinders|spheres|particles|holes|rings|"
    r"discs|disks|bars|ridges|grooves|slits|posts|pillars|bodies|blocks|cores|guides|waveguides)\s+(?:of|with|having|that\s+are|whose)\b"
)
_TAKES = re.compile(
    r"(?i)\b(?:var(?:y|ied|ies)|swept|chosen|took|taken|compared?|computed|for|each|either|between|when|one\s+of|different)\b"
)


def _range_of(description: Description, sweep: Sweep) -> tuple[float, float, str]:
    """What a sweep runs over: its ends in the unit of its parameter."""
    given = description.parameters
    low, high = sorted(given.told(sweep.parameter, float(end)) for end in (sweep.low, sweep.high))
    return low, high, given.items()[sweep.parameter].unit


def _varied(
    number: StatedNumber, numbers: Sequence[StatedNumber], ranges: Sequence[tuple[float, float, str]]
) -> bool:
    """Whether it is one of three or more that a sentence lists of what a sweep runs over: "a coating of 80, 160 and 200 nm", and not
    "layers of 80, 160 and 200 nm", which are as many."""
    if number.laid or (_PARTS.search(number.words) and not _TAKES.search(number.words)):
        return False
    alike = [
        n for n in numbers if (n.sentence, n.kinds, n.unit) == (number.sentence, number.kinds, number.unit)
    ]
    return len(alike) >= _SEVERAL and any(
        all(
            (own := converted(n.value, n.unit or "1", unit or "1")) is not None and low <= own <= high
            for n in alike
        )
        for low, high, unit in ranges
    )


def _values(description: Description, names: frozenset[str]) -> list[Value]:
    items = description.parameters.items()
    return [(value, items[name].unit) for name in sorted(names) if (value := items[name].value) is not None]


def _counts(description: Description) -> list[Value]:
    """Whole numbers that are declared: how often something is repeated need not be a parameter of the description."""
    return [
        (item.value, "1")
        for item in description.parameters.items().values()
        if item.value is not None and item.unit in ("", "1") and float(item.value).is_integer()
    ]


def _drawn(description: Description, scenes: Sequence[Scene]) -> set[float]:
    """The sizes of what is computed, in um: a paper that gives a rule for a thickness may print what follows from it."""
    lengths = set[float]()
    if description.parameters.scale == "um":
        for scene in scenes:
            measure_scene(scene.model_dump(mode="json"), lengths, {"x": set(), "y": set(), "z": set()})
    return lengths


def _printed(number: StatedNumber, lengths: set[float]) -> bool:
    """Whether a stated length is one of these, to all of its printed digits."""
    digits = Decimal(repr(number.value)).normalize().as_tuple()
    if not number.unit or len(digits.digits) < _PRINTED or not isinstance(digits.exponent, int):
        return False
    half = converted(0.5 * 10.0**digits.exponent, number.unit, "um")
    stated = converted(number.value, number.unit, "um")
    return (
        dimension(number.unit) == "length"
        and stated is not None
        and half is not None
        and any(abs(stated - length) <= half * (1 + 1e-9) for length in lengths)
    )


def _among(number: StatedNumber, values: Sequence[Value]) -> bool:
    return any(_same(number, *value) for value in values)


def _same(number: StatedNumber, value: float, unit: str) -> bool:
    if number.unit == "a" and unit in ("", "1"):  # "a radius of 0.30a", declared as a ratio
        return math.isclose(number.value, value, rel_tol=_CLOSE)
    own = converted(number.value, number.unit or (unit if unit in ("a", "c/a") else "1"), unit or "1")
    return own is not None and abs(own - value) <= _CLOSE * abs(value)


def _in_the_plane(words: StructureWords, scenes: Sequence[Scene]) -> list[StatedNumber]:
    """The numbers but sizes along an axis along which, as the paper says, nothing changes, where the scenes have two dimensions."""
    flat = all(getattr(scene, "dimensions", "") == "2D" for scene in scenes)
    return [n for n in words.numbers if not (flat and n.along and n.along in words.invariant)]


def _left(numbers: Sequence[StatedNumber], spoken: set[int], taken: Sequence[Value]) -> Iterator[str]:
    """Numbers of the structure, in paragraphs that state what the target rests on, that nothing takes up."""
    lengths = [own for value, unit in taken if (own := converted(value, unit or "1", "um"))]
    pairs = [
        (value, added, unit)
        for value, unit in taken
        for other, of in taken
        if dimension(unit or "1") == dimension(of or "1") != "fraction"
        for added in (converted(other, of or "1", unit or "1"),)
        if added is not None
    ]
    left = [(abs(value - added), unit) for value, added, unit in pairs]
    across = [(size, unit) for value, added, unit in pairs for size in (value + added, value / 2, 2 * value)]
    of_lattice = [
        (value / lattice, "a")
        for value, unit in taken
        for other, of in taken
        for lattice in (converted(other, of or "1", unit or "1"),)
        if lattice and dimension(unit or "1") == "length" == dimension(of or "1")
    ]
    said: list[StatedNumber] = []
    for number in numbers:
        if not (number.told and number.paragraph in spoken) and not number.laid:
            continue
        length = converted(number.value, number.unit, "um") if number.unit else None
        if (
            length is not None
            and lengths
            and not (number.laid or number.subjects & METALS)
            and not min(lengths) / _SMALLEST <= length <= max(lengths) * _LARGEST
        ):
            continue
        if number.value == 1 and (not number.unit or number.kinds & {"index", "permittivity"}):
            continue
        if number.one_of and any(
            other.one_of == number.one_of and other.kinds & number.kinds and _among(other, taken)
            for other in numbers
        ):
            continue  # another of what the target has one of
        made = of_lattice
        if number.kinds & _ACROSS or _EMPTY.search(number.words):
            made = [*made, *left]
        if number.kinds & _ACROSS:
            made = [*made, *across]
        written = re.compile(rf"(?<![\d.]){re.escape(f'{number.value:g}')}(?![\d]|\.\d)")
        shown = any(number.sentence == n.sentence and written.search(n.words) for n in said)
        if not shown and not _among(number, [*taken, *made]) and not _worked_out(number, written, taken):
            said.append(number)
            yield f"The paper states a number of the structure that nothing computed takes up: {_alone(number)!r}"


def _alone(number: StatedNumber) -> str:
    """The words of a number without others but its light's, which may be results that who reads this must not know."""
    words = number.words
    for other in reversed([n for n in numbers_in(words) if not n.label and n.low != number.value]):
        light = converted(other.low, other.unit, "um") if other.unit else None
        if light is not None and any(math.isclose(light, one, rel_tol=_CLOSE) for one in number.at_light):
            continue
        words = f"{words[: other.start]}[...]{words[other.end :]}"
    return words


def _worked_out(number: StatedNumber, written: re.Pattern[str], taken: Sequence[Value]) -> bool:
    """Whether a pure number stands behind a formula ("(n_H/n_S)^2 = 4.45"), and is such a ratio of two values that are taken up."""
    places = [m.start() for m in written.finditer(number.words)]
    if number.unit or not any(_FORMULA.search(number.words[:at]) for at in places):
        return False
    digits = Decimal(repr(number.value)).normalize().as_tuple().exponent
    half = 0.5 * 10.0 ** (digits if isinstance(digits, int) else 0) * (1 + 1e-9)
    return any(
        abs((value / other) ** power - number.value) <= half
        for value, unit in taken
        for own, of in taken
        if own and value * own > 0 and (other := converted(own, of or "1", unit or "1"))
        for power in _POWERS
    )


def _sized(description: Description, scene: Scene, numbers: Sequence[StatedNumber]) -> Iterator[str]:
    """One stated size for several parts, and sizes added up, where the words speak of one thing."""
    parts: dict[str, set[str]] = {}
    for part, place, own in sizes_of(description, scene.id):
        if len(own) == 1:
            another = [n for n in _stated(description, own[0], numbers) if n.called in ("half", "optical")]
            if another and len(another) == len(_stated(description, own[0], numbers)):
                yield f"{place} is {own[0]}, and its words make that {_WHAT[another[0].called]}: {another[0].words!r}"
            parts.setdefault(own[0], set()).add(part)
        else:
            stated = [_stated(description, name, numbers) for name in own]
            if all(stated) and not any(n.summed for each in stated for n in each):
                yield f"{place} is made of {' and '.join(own)}, and no words say that they are added or taken off: {stated[0][0].words!r}"
    for name, places in parts.items():
        told = _stated(description, name, numbers)
        if (
            len(places) > 1
            and all(".layers." in part for part in places)
            and told
            and not any(n.many for n in told)
        ):
            yield f"{' and '.join(sorted(places)[:3])} are both {name}, and its words speak of one thing: {told[0].words!r}"


def _stated(description: Description, name: str, numbers: Sequence[StatedNumber]) -> list[StatedNumber]:
    """Where the paper states an input's number as one of a structure."""
    item = description.parameters.items()[name]
    if item.value is None:
        return []
    return [n for n in numbers if n.kinds & STRUCTURE and _same(n, item.value, item.unit)]


def _crossed(description: Description, scene: Scene, numbers: Sequence[StatedNumber]) -> Iterator[str]:
    """Layers whose thickness the words give of one thing and whose medium of another."""
    whose = {
        name: frozenset().union(*(n.owner for n in _stated(description, name, numbers)))
        for name in inputs_used(description, "")
    }
    media = {
        name
        for name in whose
        if _stated(description, name, numbers) and description.parameters.items()[name].unit in ("", "1")
    }
    for thickness, medium in layers_of(description, scene.id):
        if not (whose.get(thickness) and whose.get(medium)) or whose[thickness] & whose[medium]:
            continue
        others = [name for name in sorted(media - {medium}) if whose[name] & whose[thickness] - whose[medium]]
        if others:
            yield (
                f"Scene {scene.id} has a layer of thickness {thickness} and medium {medium}; the paper's words give this thickness to "
                f"{', '.join(sorted(whose[others[0]] & whose[thickness]))}, and to {', '.join(sorted(whose[medium]))} this medium: that "
                f"of the layer is {others[0]}"
            )


def _apart(description: Description, scene: Scene, numbers: Sequence[StatedNumber]) -> Iterator[str]:
    """Lengths that shape a scene and are no size and no distance in it: a gap that lies between two bodies twice as wide."""
    plain = scene.model_dump(mode="json")
    lengths, places = set[float](), {"x": set[float](), "y": set[float](), "z": set[float]()}
    measure_scene(plain, lengths, places)
    thick = [layer["thickness"] for layer in plain.get("layers", ()) if "thickness" in layer]
    places["stack"] = {sum(thick[:count]) for count in range(len(thick) + 1)}
    ends, centres = Lengths(lengths, places), middles(plain)
    items, values = description.parameters.items(), description.parameters.values()
    light = {plain.get("wavelength"), *(plain.get("band") or {}).values()}
    for name in sorted(inputs_of_scene(description, scene.id)):
        item, stated = items[name], _stated(description, name, numbers)
        if (
            values[name] in light
            or UNITS[item.unit].power != 1
            or not stated
            or not any(n.kinds & _SEEN for n in stated)
            or any("light" in n.kinds for n in stated)
        ):
            continue
        if values[name] not in (centres if all(n.called == "middles" for n in stated) else ends):
            only = "or it only moves all of it (leave it out)"
            yield f"Nothing in scene {scene.id} has the size or distance {name} that shapes it, {only}: {stated[0].words!r}"


def _at_its_light(description: Description, scene: Scene, numbers: Sequence[StatedNumber]) -> Iterator[str]:
    """A constant of a medium that the words give at another wavelength than the scene's."""
    plain = scene.model_dump(mode="json")
    band = plain.get("band") or plain.get("search") or plain
    ends = [
        float(band[name])
        for name in ("shortest", "longest", "wavelength")
        if isinstance(band.get(name), (int, float))
    ]
    if not ends or description.parameters.scale != "um":
        return
    items = description.parameters.items()
    for name in sorted(inputs_of_scene(description, scene.id)):
        if items[name].value is None:
            continue
        told = [
            n for n in numbers if "light" in n.kinds and _same(n, items[name].value or 0.0, items[name].unit)
        ]
        values = [description.parameters.values()[name]]
        if (
            told
            and all(n.called in ("in a medium", "angular") for n in told)
            and any(math.isclose(end, value, rel_tol=1e-6) for end in ends for value in values)
        ):
            yield f"The light of scene {scene.id} is {name}, and its words make that {_WHAT[told[0].called]}: {told[0].words!r}"
        stated = [n for n in _stated(description, name, numbers) if n.kinds & {"index", "permittivity"}]
        if (
            stated
            and all(n.at_light for n in stated)
            and not any(
                min(ends) * (1 - _BAND) <= light <= max(ends) * (1 + _BAND)
                for n in stated
                for light in n.at_light
            )
        ):
            yield f"Scene {scene.id} has {name} at another wavelength than its words: {stated[0].words!r}"
