"""Equal parts of a structure, counted: a number of them is a number of the structure, and is declared like any other.

`[Film(thickness=p.slice)] * 75` scales a thickness without a typed number in any expression; only a count shows it.
Neighbouring films of one medium are one film, unless a declared length is repeated a declared number of times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from schemas.reproduce.simulations.numerics import Finding
from simkit.describe.document import expressions, used
from simkit.describe.numbers import names
from simkit.describe.parameters import Parameters
from simkit.describe.unit_cell import Film
from tasks.reproduce.describing.in_sandbox import Description

# What the words of a count say: of each of two, of nothing that lies in a row, of what is not there.
_OF_EACH_SIDE = re.compile(r"(?i)\b(?:each|either|every|both|per|two|sides?|mirrors)\b")
_OF_NO_ROW = re.compile(
    r"(?i)\b(?:places|positions|times|samples|points|runs|wavelengths|angles|spots|devices|pieces|steps)\b"
)
_LEFT_OUT = re.compile(
    r"(?i)\b(?:missing|miss|remov\w+|taken?\s+(?:out|away)|left\s+out|without|omit\w*|vacan\w+|defects?|lack\w*|filled)\b"
)
FEW_LAYERS, FEW_BODIES = 2, 4  # so many equal parts may stand without a declared number
_PLACES = ("id", "center", "rotation", "filling")
_SOURCE = "every number of the structure is declared"


@dataclass(frozen=True)
class Counted:
    """`number` equal parts: where they stand and what they are, with their sizes' sum where they are layers.

    few: how many may stand undeclared. made: their sizes are arithmetic, which a declared number does not excuse. row: several
    layers that come again.
    """

    where: str
    what: str
    number: int
    total_um: float | None
    few: int
    made: bool = False
    row: bool = False

    def words(self, length: str = "um") -> str:
        """'film: 75 x Film (film), 0.2578 um in all'"""
        total = f", {self.total_um:.6g} {length} in all" if self.total_um is not None else ""
        return f"{self.where}: {self.number} x {self.what}{total}"


@dataclass(frozen=True)
class _Told:
    """One part of the document: the parameters that its sizes rest on; whether they are declared lengths as they stand."""

    rests_on: frozenset[str] = frozenset()
    stated: bool = False


def counted(description: Description) -> tuple[Counted, ...]:
    """Equal parts side by side of every scene, two or more."""
    out: list[Counted] = []
    for number, scene in enumerate(description.resolved().scenes):
        where = ("scenes", number)
        for name in type(scene).model_fields:
            parts = getattr(scene, name)
            if isinstance(parts, tuple) and parts and all(hasattr(part, "type") for part in parts):
                out += _of(f"{scene.id}.{name}", parts, _rests_on(description, (*where, name)))
    return tuple(out)


def count_findings(description: Description) -> Iterator[Finding]:
    """An error for each number of equal parts that no declared number gives."""
    allowed = allowed_counts(description.parameters)
    on_lattice = arranged_counts(description.parameters)
    for found in counted(description):
        layers = found.total_um is not None or found.row or found.what.startswith("Sheet")
        if found.number > found.few and (
            found.made or found.number not in (allowed if layers else on_lattice)
        ):
            yield Finding(
                level="error",
                where=found.where,
                source=_SOURCE,
                text=(
                    f"{found.words(description.parameters.scale)}: nothing declares this number. Declare it (p.count), or "
                    + (
                        "write one part with its whole size"
                        if layers
                        else "the n that it comes from: n, 2n, n^2, (2n+1)^2, 3n(n+1), 4n, 6n, 8n, products of two, and one "
                        "more or less of these, and n(m+k) less one or two are known"
                    )
                ),
            )
    for where, repeat in _repeats(description.parametric):
        if repeat["count"] not in allowed | {1, 2}:
            yield Finding(
                level="error",
                where=where,
                source=_SOURCE,
                text=f"{repeat['count']} repeats, but no declared count gives this number",
            )


def miscounted(description: Description, scenes: frozenset[str]) -> tuple[str, ...]:
    """Rows of layers, repeats and azimuthal orders in some scenes that a declared number counts, of which there are one more or one
    less."""
    in_expressions = used(description.parametric, description.parameters)
    words = {name: item.quotation for name, item in description.parameters.items().items()}
    items = [
        (number, words[name])
        for name, number in description.parameters.counts().items()
        if name not in in_expressions
    ]
    counts = [number for number, quotation in items if not _OF_NO_ROW.search(quotation)]
    if not items:
        return ()
    halved = [number for number, quotation in items if _OF_EACH_SIDE.search(quotation)]
    exact = {
        *counts,
        *(2 * n for n in halved),
        *(n // 2 for n in halved),
        *((n - 1) // 2 for n in halved),
    }
    made = exact | {a * b for n, a in enumerate(counts) for b in counts[n + 1 :]}
    sums = {a + b for n, a in enumerate(counts) for b in counts[n + 1 :]}
    rows = [
        found.words(description.parameters.scale)
        for found in counted(description)
        if found.where.partition(".")[0] in scenes and found.row and found.number not in exact
    ]
    rows += [
        f"{where}: {repeat['count']} times"
        for scene in description.parametric.get("scenes", ())
        if scene["id"] in scenes
        for where, repeat in _repeats(scene)
        if repeat["count"] not in made | sums | {1, 2}
    ]
    rows += [
        f"{scene['id']}: azimuthal order {scene['m']}"
        for scene in description.parametric.get("scenes", ())
        if scene["id"] in scenes and isinstance(scene.get("m"), int) and scene["m"] not in counts
    ]
    return tuple(f"{row}; declared: {', '.join(map(str, counts))}" for row in rows)


def arranged_counts(parameters: Parameters) -> frozenset[int]:
    """What bodies on a lattice come to whose rings or rows are declared: squares and hexagons of n rings, with and without the
    middle, one ring of them, n by n, and one more or less of each; rows of m or of m + k, with as many as two left out."""
    shapes = {
        made
        for n in _declared(parameters)
        for made in (
            (2 * n + 1) ** 2,
            (2 * n) ** 2,
            n * n,
            3 * n * (n + 1),
            4 * n,
            6 * n,
            8 * n,
            n * (n + 1) // 2,
        )
    }
    declared = _declared(parameters)
    rows = {c * (a + b) for n, a in enumerate(declared) for b in declared[n + 1 :] for c in declared}
    rows |= {a * b for a in declared for b in declared}
    gone = any(_LEFT_OUT.search(item.quotation) for item in parameters.items().values())
    return (
        frozenset(n + more for n in shapes for more in (-1, 0, 1))
        | frozenset(n - missing for n in rows for missing in ((0, 1, 2) if gone else (0,)))
        | allowed_counts(parameters)
    )


def _declared(parameters: Parameters) -> list[int]:
    return list(parameters.counts().values())


def allowed_counts(parameters: Parameters) -> frozenset[int]:
    """What declared numbers of objects give: themselves, twice, products of two, and one more or less of each."""
    declared = _declared(parameters)
    made = {
        *declared,
        *(2 * n for n in declared),
        *(a * b for n, a in enumerate(declared) for b in declared[n + 1 :]),
    }
    return frozenset(n + more for n in made for more in (-1, 0, 1))


def _of(where: str, parts: Sequence[Any], told: Sequence[_Told]) -> Iterator[Counted]:
    for number, part in enumerate(parts):
        if getattr(part, "pattern", ()):
            yield from _of(f"{where}.{number}.pattern", part.pattern, [_Told()] * len(part.pattern))
    if all(part.type in ("film", "sheet") for part in parts):
        yield from _layers(where, parts, told)
        return
    kinds: dict[str, list[Any]] = {}
    for part in parts:
        kinds.setdefault(_shape(part), []).append(part)
    for same in kinds.values():
        if len(same) > 1:
            yield Counted(
                where, f"{type(same[0]).__name__} ({_medium(same[0])})", len(same), None, FEW_BODIES
            )


def _layers(where: str, parts: Sequence[Any], told: Sequence[_Told]) -> Iterator[Counted]:
    """Neighbouring films of one medium, which are one film; and rows of layers that come again."""
    place = 0
    for _, group in groupby(parts, key=_but_for_size):
        run = list(group)
        if len(run) > 1:
            own = told[place : place + len(run)]
            again = any(one.rests_on & other.rests_on for n, one in enumerate(own) for other in own[n + 1 :])
            total = sum(float(film.thickness) for film in run) if isinstance(run[0], Film) else None
            yield Counted(
                where,
                f"{type(run[0]).__name__} ({_medium(run[0])})",
                len(run),
                total,
                1 if again else len(run),
                not all(part.stated for part in own),
            )
        place += len(run)
    plain = [_plain(part) for part in parts]
    start = 0
    while start < len(plain):
        length, times = max(
            ((q, _again(plain, start, q)) for q in range(2, (len(plain) - start) // 2 + 1)),
            key=lambda found: found[0] * (found[1] - 1),
            default=(1, 1),
        )
        if times > 1 and len(set(plain[start : start + length])) > 1:
            row = parts[start : start + length]
            yield Counted(
                where,
                f"({', '.join(_medium(part) for part in row)})",
                times,
                times * sum(float(getattr(part, "thickness", 0.0)) for part in row),
                FEW_LAYERS,
                row=True,
            )
            start += length * times
        else:
            start += 1


def _but_for_size(part: Any) -> str:
    """A layer without its thickness or resistance: neighbours that agree in it are one."""
    return repr(_rounded(part.model_dump(mode="json", exclude={"thickness", "resistance"})))


def _again(plain: Sequence[str], start: int, length: int) -> int:
    """How many times a row of layers stands behind itself."""
    times = 1
    while plain[start + times * length : start + (times + 1) * length] == plain[start : start + length]:
        times += 1
    return times


def _rests_on(description: Description, where: tuple[str | int, ...]) -> list[_Told]:
    """What each part of a tuple of the document is told by."""
    node: Any = description.parametric
    for step in where:
        node = node[step]
    items, out = description.parameters.items(), []
    for part in node:
        own = [expression for path, expression in expressions(part) if "medium" not in path]
        rests_on = frozenset().union(
            *(description.parameters.closure(n) for text in own for n in names(text))
        )
        out.append(_Told(rests_on, all(text in items and items[text].origin != "derived" for text in own)))
    return out


def _plain(value: Any) -> str:
    return repr(_rounded(value.model_dump(mode="json")))


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(entry) for entry in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value


def _shape(part: Any) -> str:
    """A body without its place: class, medium and sizes."""
    told = {key: value for key, value in part.model_dump(mode="json").items() if key not in _PLACES}
    for key, value in told.items():
        if (
            isinstance(value, (list, tuple))
            and len(value) == 2
            and all(isinstance(v, (int, float)) for v in value)
        ):
            told[key] = value[1] - value[0] if key != "size" else value
        elif key == "vertices":
            told[key] = [[v - w for v, w in zip(corner, value[0], strict=True)] for corner in value]
    return repr(_rounded(told))


def _medium(part: Any) -> str:
    medium = getattr(part, "medium", None)
    name = getattr(medium, "material", None)
    if name:
        return str(name)
    index = getattr(medium, "index", None)
    return (
        f"index {float(index):.4g}"
        if isinstance(index, (int, float))
        else str(getattr(part, "type", type(part).__name__))
    )


def _repeats(node: Any, where: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(node, Mapping):
        if node.get("type") == "repeat":
            yield f"{where} {node.get('body', {}).get('id', '')}".strip(), node
        for key, value in node.items():
            yield from _repeats(value, f"{where}.{key}".strip("."))
    elif isinstance(node, (list, tuple)):
        for index, value in enumerate(node):
            yield from _repeats(value, f"{where}.{index}")
