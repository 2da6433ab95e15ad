"""Remarks about a described problem by inspection, before anything runs. Sources: what went wrong in papers and first scripts.

An error names what cannot be right; a warning asks a reader to look; a note tells what is good to know.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from schemas.errors import UnreadableAnswer
from schemas.reproduce.simulations.numerics import Finding
from simkit.arrange import Numerics, arrange
from simkit.arrange.permittivity import UnknownMaterial, permittivity
from simkit.describe.document import used
from simkit.describe.media import Medium
from simkit.describe.problem import Sweep
from simkit.describe.scene import Quantity, Scene
from simkit.describe.unit_cell import HarmonicEfficiency
from simkit.describe.units import UNITS
from tasks.limited import limited
from tasks.reproduce.describing.equal_parts import count_findings
from tasks.reproduce.describing.in_sandbox import Description, DescriptionRefused
from tasks.reproduce.describing.known_defects import defect_findings
from tasks.reproduce.describing.lint_cells import cell_findings
from tasks.reproduce.describing.lint_devices import device_findings
from tasks.reproduce.describing.lint_runs import run_findings
from tasks.reproduce.solving.groups import groups_of
from tasks.reproduce.uncertainty.ladder import fitting

Bodies = list[tuple[str, Any]]
LOOK_CPU_S = 60.0  # of our own process
_THIN, _LARGE = 1 / 100, 30.0  # of the shortest wavelength; in longest wavelengths


def lint(
    description: Description,
    materials: Mapping[str, Any],
    elsewhere: Collection[str] = (),
    meep_version: str = "",
) -> list[Finding]:
    """All findings, errors first. A rule that cannot be tried on a scene says so instead of stopping the others.

    elsewhere: parameters that another stage uses or may yet use, so that nothing needs to depend on them here.
    meep_version: of the Meep that will solve it, whose known defects are then named where a scene touches them.
    """
    try:
        return limited(
            lambda: _found(description, materials, elsewhere, meep_version),
            "looking at the description",
            cpu_s=LOOK_CPU_S,
        )
    except (DescriptionRefused, UnreadableAnswer) as error:
        return [Finding(level="error", where="the description", text=" ".join(str(error).split()))]


def _found(
    description: Description, materials: Mapping[str, Any], elsewhere: Collection[str], meep_version: str
) -> list[Finding]:
    found = list(_of_document(description, elsewhere))
    try:
        problem = description.resolved()
    except DescriptionRefused as error:
        return [*found, Finding(level="error", where="the description", text=" ".join(str(error).split()))]
    found += count_findings(description)
    ends = {sweep.id: fault for sweep in problem.sweeps for fault in _ends(description, sweep)}
    found += ends.values()
    for scene in problem.scenes:
        own = [q for q in problem.quantities if q.scene == scene.id]
        for rule in (
            lambda scene, media, own=own: _media(scene, media, own),
            _bodies,
            lambda scene, media, own=own: cell_findings(scene, media, own),
            device_findings,
        ):
            found += _tried(rule, scene, materials)
    for group in groups_of(description, materials):
        if group.sweep is not None and group.sweep.id in ends:
            continue
        found += _tried(_arranged_in(group, meep_version), group.scene(problem), materials)
    order = {"error": 0, "warning": 1, "note": 2}
    return sorted(dict.fromkeys(found), key=lambda finding: order[finding.level])


def _ends(description: Description, sweep: Sweep) -> Iterator[Finding]:
    """Where a sweep begins or ends at a value for which nothing can be drawn: a layer of thickness 0."""
    item = description.parameters.items()[sweep.parameter]
    for which, value in (("first", float(sweep.low)), ("last", float(sweep.high))):
        try:
            description.resolved({sweep.parameter: value})
        except DescriptionRefused as error:
            own = value / UNITS[item.unit].factor
            at = f"{own:.6g} {item.unit}".removesuffix(" 1")
            there = " ".join(str(error.found).split())[:300]
            yield Finding(
                level="error",
                where=f"sweep {sweep.id}",
                text=f"its {which} point, {sweep.parameter} = {at}, cannot be drawn. Found there: {there}. "
                "Allowed: a sweep at both of whose ends every body has a size above 0. Fix: let it begin above 0 (a view of its own); or "
                "draw the body that vanishes from inside its neighbour, before the neighbour, which then covers it at 0",
            )
            return


def _tried(
    rule: Callable[[Any, Mapping[str, Any]], Any], scene: Scene, materials: Mapping[str, Any]
) -> list[Finding]:
    try:
        return list(rule(scene, materials))
    except UnknownMaterial as error:
        return [
            Finding(
                level="error", where=scene.id, text=str(error), source="materials are confirmed in stage 0"
            )
        ]
    except Exception as error:  # noqa: BLE001  whatever a model's numbers do to a rule
        return [
            Finding(
                level="warning",
                where=scene.id,
                text=f"a rule could not be tried: {type(error).__name__}: {error}"[:300],
            )
        ]


def _arranged_in(group: Any, meep_version: str) -> Callable[[Any, Mapping[str, Any]], Iterator[Finding]]:
    return lambda scene, _: _arranged(group, scene, meep_version)


def _arranged(group: Any, scene: Scene, meep_version: str) -> Iterator[Finding]:
    try:
        need = group.needs()  # of a sweep at each of its points
    except ValueError as error:
        yield Finding(level="error", where=scene.id, text=str(error)[:400])
        return
    swept = group.sweep is not None
    if swept and not meep_version:
        return
    first, quantities = Numerics(fitting(need)), group.quantities(group.description.resolved())
    try:
        runs = arrange(scene, quantities, first, group.materials).runs
    except ValueError:
        for quantity in () if swept else quantities:  # whose fault it is, in the arrangement's own words
            try:
                arrange(scene, [quantity], first, group.materials)
            except ValueError as error:
                yield Finding(level="error", where=f"quantity {quantity.id}", text=str(error)[:400])
        return
    if not swept:
        yield from run_findings(scene.id, need, runs)
    if meep_version:
        yield from defect_findings(scene.id, runs.values(), meep_version)


def _of_document(description: Description, elsewhere: Collection[str]) -> Iterator[Finding]:
    items, rests_on = description.parameters.items(), used(description.parametric, description.parameters)
    needed = (
        frozenset().union(*(description.parameters.closure(name) for name in rests_on))
        if rests_on
        else frozenset()
    )
    for name, item in items.items():
        if name not in needed and name not in elsewhere and not item.may_count:
            yield Finding(
                level="warning",
                where=f"parameter {name}",
                text="nothing depends on it; either the description forgets it, or it should not be declared",
                source="declared prototype: unused parameter",
            )
        if item.origin == "paper" and item.value == 0:
            yield Finding(
                level="note", where=f"parameter {name}", text="a quoted zero has no rounding to vary"
            )
    for text in description.unusual:
        yield Finding(
            level="warning",
            where=text.split(" = ")[0],
            text=f"long or odd arithmetic, for a reader: {text}",
            source="declared prototype: a fudge factor can be composed of neutral numbers",
        )


def media_of(node: Any, where: str) -> Iterator[tuple[str, Any]]:
    """(object by name, medium) of every medium of a resolved scene."""
    if hasattr(node, "kind") and getattr(node, "kind", "") in ("medium", "perfect_conductor"):
        yield where, node
        return
    if hasattr(type(node), "model_fields"):
        name = getattr(node, "id", "") or ""
        here = f"{where} {name}".strip() if name and not where.endswith(name) else where
        for key in type(node).model_fields:
            yield from media_of(getattr(node, key), f"{here} {key}" if key not in ("medium",) else here)
    elif isinstance(node, (list, tuple)):
        for index, value in enumerate(node):
            yield from media_of(value, f"{where}[{index}]")


def _media(scene: Scene, materials: Mapping[str, Any], quantities: Sequence[Quantity]) -> Iterator[Finding]:
    low, high = band_of(scene)
    high *= max((q.harmonic for q in quantities if isinstance(q, HarmonicEfficiency)), default=1)
    for where, medium in dict(media_of(scene, scene.id)).items():
        if not isinstance(medium, Medium):
            continue
        entry = materials.get(medium.material or "", {})
        if medium.material and medium.material not in materials:
            raise UnknownMaterial(
                f"{where}: material {medium.material!r} is not confirmed; confirmed: "
                f"{', '.join(sorted(materials)) or 'none'}"
            )
        band = entry.get("band_um")
        if band and (1 / high < min(band) * (1 - 1e-6) or 1 / low > max(band) * (1 + 1e-6)):
            yield Finding(
                level="error",
                where=where,
                text=f"{medium.material} was fitted for {min(band):g} to {max(band):g} um, "
                f"the scene's light covers {1 / high:.4g} to {1 / low:.4g} um; fits are never extrapolated",
                source="materials: confirmed range",
            )
        for f in (low, (low + high) / 2, high):
            eps = permittivity(medium, f, materials)
            if eps.imag < -1e-9 * abs(eps):
                yield Finding(
                    level="error",
                    where=where,
                    text=f"gain: Im eps = {eps.imag:.3g} at wavelength {1 / f:.4g}",
                    source="pitfalls 23: a medium with gain grows without bound",
                )
                break
        start = entry.get("eps_inf", medium.epsilon if medium.poles else None)
        if isinstance(start, (int, float)) and start < 1:
            yield Finding(
                level="warning",
                where=where,
                text=f"eps at infinite frequency is {start:.3g}, below 1: it may be "
                "unstable at any resolution",
                source="pitfalls 22",
            )


def _bodies(scene: Scene, _materials: Mapping[str, Any]) -> Iterator[Finding]:
    low, high = band_of(scene)
    bodies = [
        body
        for key in type(scene).model_fields
        if isinstance(getattr(scene, key), tuple)
        for body in getattr(scene, key)
        if hasattr(body, "medium") and bool(getattr(body, "id", ""))
    ]
    for number, body in enumerate(bodies):
        where = f"{scene.id} {body.id}"
        for name in ("radius", "outer", "inner"):
            size = getattr(body, name, None)
            if size is None:
                continue
            if float(size) < _THIN / high:
                yield Finding(
                    level="warning",
                    where=where,
                    text=f"{name} {float(size):.4g} is under a hundredth of the shortest "
                    "wavelength: is the unit right?",
                    source="first mistakes: a size off by a power of ten",
                )
            if float(size) > _LARGE / low:
                yield Finding(
                    level="warning",
                    where=where,
                    text=f"{name} {float(size):.4g} is over {_LARGE:g} wavelengths: is the unit right?",
                    source="first mistakes: a size off by a power of ten",
                )
        if any(_same_place(body, other) for other in bodies[:number]):
            yield Finding(
                level="warning",
                where=where,
                text="it covers another body exactly",
                source="later bodies override",
            )


def _same_place(one: Any, other: Any) -> bool:
    def plain(body: Any) -> Any:
        return {key: value for key, value in body.model_dump().items() if key not in ("id", "medium")}

    return bool(plain(one) == plain(other))


def band_of(scene: Any) -> tuple[float, float]:
    """Lowest and highest frequency of a scene's light, c/length; 1e-9, 1e9 where it has no band."""
    for key in ("band", "line", "search", "light"):
        found = getattr(scene, key, None)
        if found is not None and hasattr(found, "frequencies"):
            low, high = found.frequencies()
            if 0 < low <= high and math.isfinite(high):
                return float(low), float(high)
    return 1e-9, 1e9
