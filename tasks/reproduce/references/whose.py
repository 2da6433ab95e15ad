"""Whose number a paper's words make it: of which of several samples, materials, bodies and sizes, and which over which.

A paper that computes two plates has two numbers for everything; each is only as good as the words that tell it from the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from schemas.reproduce.simulations.units import converted
from schemas.reproduce.words.bound import InputWords
from schemas.reproduce.words.said import Choice, Told, Words
from simkit.describe.media import names_of_materials
from simkit.describe.scene import Scene
from simkit.describe.units import UNITS
from tasks.reproduce.describing.answering import answering
from tasks.reproduce.describing.in_sandbox import Description
from tasks.reproduce.describing.inputs_used import inputs_of_scene, inputs_used, materials_used
from tasks.reproduce.references.polarizations import polarization_of

_TELL_APART: tuple[Choice, ...] = ("sample", "subject", "polarization", "size", "beside", "bare")
_VERTICAL, _LATERAL = (
    frozenset({"vertical"}),
    frozenset({"lateral", "gap", "diameter", "radius", "along", "vertical"}),
)
_SIZES = {
    "thick": (_VERTICAL, 1.0),
    "thin": (_VERTICAL, -1.0),
    **dict.fromkeys(("wide", "large", "long"), (_LATERAL, 1.0)),
    **dict.fromkeys(("narrow", "small", "short"), (_LATERAL, -1.0)),
}


def whose_faults(
    description: Description, target_id: str, words: Words, inputs: Mapping[str, InputWords]
) -> Iterator[str]:
    """Where a target was computed of another subject than one place's words have."""
    used = inputs_used(description, target_id) | materials_used(description, target_id)
    whose = {name: inputs[name].sample for name in sorted(used & inputs.keys()) if inputs[name].sample}
    yield from _samples(whose, words.get("sample", ()))
    yield from _subjects(used, inputs, words.get("subject", ()))
    yield from _exchanged(description, target_id, words, inputs)
    yield from _beside(description, used, words.get("beside", ()))
    yield from _of_size(description, used, inputs, words.get("size", ()))


def _samples(whose: Mapping[str, str], levels: Sequence[Told]) -> Iterator[str]:
    """Inputs of another sample than the one that the nearest words speak of."""
    for name, sample in whose.items() if levels else ():
        of_kind = {
            value
            for value in levels[0].values
            if value.split()[-1 if sample.islower() else 0] in sample.split()
        }
        if of_kind and sample not in levels[0].values:
            yield f"Its words speak of {' and '.join(sorted(of_kind))}, and {name} is quoted for {sample}: {levels[0].words!r}"


def _subjects(
    used: frozenset[str], inputs: Mapping[str, InputWords], levels: Sequence[Told]
) -> Iterator[str]:
    """A material, body or state that a number's clause names and that is not of what was computed: the paper's words name it for
    other inputs, or nowhere else."""
    if not levels:
        return
    said, elsewhere = levels[0], levels[-1].values
    own = frozenset().union(*(one.subjects for name, one in inputs.items() if name in used))
    others = {
        value: name for name, one in sorted(inputs.items()) if name not in used for value in one.subjects
    }
    for value in sorted(said.values - own):
        if value in others:
            yield f"Its words speak of {value!r}, as those of {others[value]} do, on which it does not rest: {said.words!r}"
        elif value not in elsewhere:
            yield f"Its words speak of {value!r}, and no others of the paper do: {said.words!r}"


def _exchanged(
    description: Description, target_id: str, words: Words, inputs: Mapping[str, InputWords]
) -> Iterator[str]:
    """Two results that are put over, or less, one another in the other order than the words put them, or that no words tell apart."""
    answers = answering(description, target_id)
    if len(answers) != 2:
        return
    pair, decided = (answers[0].scene, answers[1].scene), answers[0].type != answers[1].type
    for choice in _TELL_APART:
        told = next((one for one in words.get(choice, ()) if one.over), None)
        if told is None:
            continue
        one, other = _apart(description, pair, choice, inputs, told)
        first, second = {*told.over[:1]}, {*told.over[1:]}
        decided = decided or bool((first | second) & (one ^ other))
        if first & (other - one) or second & (one - other):
            over = told.over[0] or f"another one over {told.over[1]}"
            yield f"Its words put {over} first of two, and it was computed the other way round: {told.words!r}"
            return
    if words.get("order") and not decided and pair[0].id != pair[1].id:
        yield (
            f"Its words put one of two results over or less the other, and none that code reads say which of {pair[0].id} and "
            f"{pair[1].id} that is: {words['order'][0].words!r}"
        )


def _beside(description: Description, used: frozenset[str], levels: Sequence[Told]) -> Iterator[str]:
    """A size or constant in a number's clause that is only an input on which the number does not rest."""
    items = {name: item for name, item in description.parameters.items().items() if item.value is not None}
    for value, unit in (told.split() for one in levels for told in sorted(one.values)):
        same = {
            name
            for name, item in items.items()
            if (own := converted(float(value), unit, item.unit or "1")) is not None
            and math.isclose(own, float(item.value or 0.0), rel_tol=1e-3)
        }
        if same and not same & used:
            told = f"{value} {unit.removesuffix('1')}".rstrip()
            yield f"Its words speak of {told}, which is {', '.join(sorted(same))}, on which it does not rest: {levels[0].words!r}"


def _of_size(
    description: Description, used: frozenset[str], inputs: Mapping[str, InputWords], levels: Sequence[Told]
) -> Iterator[str]:
    """A result of the thicker film that was computed of the thinner one: of one input less where another is declared that is more."""
    items, values = description.parameters.items(), description.parameters.values()
    for size in levels[0].values if levels else ():
        kinds, sign = _SIZES[size]
        alike = [
            name for name, one in inputs.items() if one.kinds & kinds and name in items and name in values
        ]
        own = [sign * values[name] for name in alike if name in used and UNITS[items[name].unit].power == 1]
        others = [
            sign * values[name] for name in alike if name not in used and UNITS[items[name].unit].power == 1
        ]
        if own and others and max(own) < min(others):
            left = " or ".join(name for name in alike if name not in used)
            yield f"Its words speak of the one that is {size}, and it does not rest on {left}: {levels[0].words!r}"


def _apart(
    description: Description,
    pair: tuple[Scene, Scene],
    choice: Choice,
    inputs: Mapping[str, InputWords],
    told: Told,
) -> tuple[frozenset[str], frozenset[str]]:
    """What words may call each of two scenes to tell it from the other."""
    if choice == "bare":
        more = _parts(pair[0]) - _parts(pair[1])
        names = ("built", "bare") if more > 0 else ("bare", "built") if more < 0 else ("", "")
        return frozenset({names[0]}), frozenset({names[1]})
    if choice not in ("size", "beside"):
        return _tells(description, pair[0], choice, inputs), _tells(description, pair[1], choice, inputs)
    used = [inputs_of_scene(description, scene.id) for scene in pair]
    own, another = used[0] - used[1], used[1] - used[0]
    if choice == "beside":
        return _with_value(description, own, told), _with_value(description, another, told)
    values = description.parameters.values()
    larger, smaller = set[str](), set[str]()
    for size, (kinds, sign) in _SIZES.items():
        here, there = (
            [sign * values[n] for n in names if n in values and n in inputs and inputs[n].kinds & kinds]
            for names in (own, another)
        )
        if here and there and min(here) > max(there):
            larger.add(size)
        elif here and there and max(here) < min(there):
            smaller.add(size)
    return frozenset(larger), frozenset(smaller)


def _with_value(description: Description, names: frozenset[str], told: Told) -> frozenset[str]:
    """The numbers with units, as words tell them, that some of the parameters have."""
    items = description.parameters.items()
    found = set()
    for words in filter(None, told.over):
        value, unit = words.split()
        for name in names:
            item = items.get(name)
            own = (
                None
                if item is None or item.value is None
                else converted(float(value), unit, item.unit or "1")
            )
            if own is not None and math.isclose(own, float(item.value), rel_tol=1e-3):  # type: ignore[union-attr, arg-type]
                found.add(words)
    return frozenset(found)


def _parts(scene: Scene) -> int:
    """How many layers and bodies a scene has."""
    layers = getattr(scene, "layers", ())
    return len(layers) + len(getattr(scene, "bodies", ())) + sum(len(film.pattern) for film in layers)


def _tells(
    description: Description, scene: Scene, choice: Choice, inputs: Mapping[str, InputWords]
) -> frozenset[str]:
    """What words may call a scene to tell it from another one."""
    if choice == "polarization":
        own = polarization_of(scene)
        return frozenset(
            {own[0], *(name for name, value in own[1].items() if value == own[0])} if own else ()
        )
    used = [inputs[name] for name in inputs_of_scene(description, scene.id) if name in inputs]
    used += [one for name, one in inputs.items() if name in _media(description, scene)]
    return frozenset().union(*(one.subjects if choice == "subject" else {one.sample} - {""} for one in used))


def _media(description: Description, scene: Scene) -> frozenset[str]:
    own = next(one for one in description.parametric.get("scenes", ()) if one["id"] == scene.id)
    return frozenset(f"material {name}" for name in names_of_materials(dict(own)))
