"""`python -m benchmarks.coverage`: whether stated uncertainties hold the exact value, on problems that no bundled paper has."""

from __future__ import annotations

import argparse
import math
import random
import statistics
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measures import machine
from benchmarks.reproduced import Oracle, oracles_of
from benchmarks.run import replaced
from tasks.files.store import Store
from tasks.reproduce.describing.in_sandbox import describe
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.whole_study import study

MARKS = ("<!-- coverage: begin -->", "<!-- coverage: end -->")
AIM, CPU_S = 0.95, 600.0  # CPU seconds of one problem
_HEAD = "from simkit.describe import *\n\n\ndef describe(p):\n"
_CELL = """    cell = UnitCell(id="cell", below=Medium(index=p.substrate), layers={layers}, above=vacuum(){period},
                    light_from="above", polarization="{polarization}",
                    band=Wavelengths(shortest=p.shortest, longest=p.longest))
    return Problem(scenes=[cell], quantities=[Reflectance(id="R", scene="cell"), Transmittance(id="T", scene="cell"){more}])
"""
_FILMS = _HEAD + _CELL.format(
    layers="[Film(medium=Medium(index=p.n1), thickness=p.t1), Film(medium=Medium(index=p.n2), "
    "thickness=p.t2)]",
    period="",
    polarization="x",
    more="",
)
_GRATING = (
    _HEAD
    + "    half = p.fill * p.period / 2\n"
    + _CELL.format(
        layers="[Film(medium=Medium(index=p.low), thickness=p.t1, pattern=[Bar(medium=Medium(index=p.n1), x=(-half, half))])]",
        period=", period=(p.period,)",
        polarization="{polarization}",
        more=', OrderEfficiency(id="T1", scene="cell", side="transmitted", order=(1,))',
    )
)
_GUIDE = (
    _HEAD
    + """    core = Block(id="core", medium=Medium(index=p.n1), y=(-p.t1 / 2, p.t1 / 2))
    guide = Waveguide(id="guide", dimensions="2D", background=Medium(index=p.substrate), wavelength=p.wavelength,
                      polarization="Ez", bodies=[core])
    return Problem(scenes=[guide], quantities=[EffectiveIndex(id="n1", scene="guide", mode=1),
                                               EffectiveIndex(id="n2", scene="guide", mode=2)])
"""
)


@dataclass(frozen=True)
class Family:
    """Problems of one kind: the code, and what is drawn for its parameters (a value, or a value with a unit)."""

    code: str
    draw: Callable[[random.Random], Mapping[str, float | tuple[float, str]]]
    count: int


def main() -> int:
    """Solve every family's problems and print how many exact values lie within the stated uncertainty; 1 below the aim."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    parser.add_argument("families", nargs="*", help=f"of {', '.join(FAMILIES)}; all otherwise")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, help="problems of each family")
    parser.add_argument("--write", action="store_true", help="keep the table in docs/measured/benchmarks.md")
    given = parser.parse_args()
    rows, everything = [], []
    for name in given.families or FAMILIES:
        found: list[Oracle] = []
        for number in range(given.count or FAMILIES[name].count):
            found += solved(FAMILIES[name], random.Random(f"{given.seed} {name} {number}"))
        rows.append(row(name, found))
        everything += found
        print("  ".join(rows[-1]), flush=True)
    rows.append(row("all", everything))
    table = [
        "| family | exact values | within | share | median width | not within |",
        "|---|--:|--:|--:|--:|---|",
        *(f"| {' | '.join(cells)} |" for cells in rows),
    ]
    text = f"{machine()}; seed {given.seed}.\n\n" + "\n".join(table)
    print(text)
    if given.write:
        replaced(text, MARKS)
    return int(sum(one.within for one in everything) < AIM * len(everything))


def solved(family: Family, rng: random.Random) -> list[Oracle]:
    """One problem's quantities beside theory, as `reprolab solve` finds them, without witnesses and sensitivities."""
    parameters = [declared(name, value) for name, value in family.draw(rng).items()]
    with tempfile.TemporaryDirectory(prefix="reprolab-coverage-") as folder:
        store = Store(Path(folder))
        made = describe(family.code, parameters, store=store)
        solver = Solver(store, find_meep(), Budget(CPU_S), cpu_limit_s=CPU_S)
        found = study(made, {}, solver, Path(folder), examine=False)
    return counted(found.model_dump(mode="json"))


def counted(study: dict[str, Any]) -> list[Oracle]:
    """Every quantity of a study. Each of these problems has an exact solution: one beside which none stands, as nothing could
    be measured, is missed, and as wide as it is large."""
    found = {one.name: one for one in oracles_of(study)}
    return [found.get(q["id"], Oracle(f"{q['id']} (not measured)", False, 1.0)) for q in study["quantities"]]


def declared(name: str, value: float | tuple[float, str]) -> dict[str, Any]:
    """A parameter: the ends of a band are numerical, all else assumed."""
    number, unit = value if isinstance(value, tuple) else (value, "1")
    origin = (
        {"origin": "numerical"}
        if name in ("shortest", "longest")
        else {"origin": "assumption", "assumption_id": "A1"}
    )
    return {"id": name, "value": number, "unit": unit, **origin}


def row(name: str, found: list[Oracle]) -> tuple[str, ...]:
    """Cells of the table."""
    inside = sum(one.within for one in found)
    missed = [one.name for one in found if not one.within]
    width = statistics.median(one.width for one in found) if found else 0.0
    return (
        name,
        str(len(found)),
        str(inside),
        f"{100 * inside / max(len(found), 1):.0f} %",
        f"{100 * width:.2g} %",
        ", ".join(missed) or "none",
    )


def _films(rng: random.Random) -> dict[str, float | tuple[float, str]]:
    return {
        "n1": round(rng.uniform(1.3, 3.2), 2),
        "t1": (rng.randrange(60, 400, 10), "nm"),
        "n2": round(rng.uniform(1.3, 3.2), 2),
        "t2": (rng.randrange(60, 400, 10), "nm"),
        "substrate": round(rng.uniform(1, 2), 2),
        "shortest": (500.0, "nm"),
        "longest": (700.0, "nm"),
    }


def _grating(rng: random.Random) -> dict[str, float | tuple[float, str]]:
    period = rng.randrange(320, 900, 40)
    return {
        "n1": round(rng.uniform(1.6, 2.2), 2),
        "low": round(rng.uniform(1, 1.5), 2),
        "t1": (rng.randrange(80, 400, 20), "nm"),
        "period": (period, "nm"),
        "fill": rng.choice((0.25, 0.5, 0.75)),
        "substrate": round(rng.uniform(1, 1.6), 2),
        "shortest": (560.0, "nm"),
        "longest": (640.0, "nm"),
    }


def _guide(rng: random.Random) -> dict[str, float | tuple[float, str]]:
    core, thickness, outside = (
        round(rng.uniform(2.2, 3.4), 2),
        rng.randrange(400, 700, 20),
        round(rng.uniform(1, 1.5), 2),
    )
    cutoff = (
        1300 / 2 / math.sqrt(core**2 - outside**2)
    )  # of the second mode: below it there is nothing to measure
    return {
        "n1": core,
        "t1": (max(thickness, 20 * math.ceil(1.05 * cutoff / 20)), "nm"),
        "substrate": outside,
        "wavelength": (1.3, "um"),
    }


FAMILIES: Mapping[str, Family] = {
    "two films": Family(_FILMS, _films, 15),
    "grating, E along the bars": Family(_GRATING.replace("{polarization}", "y"), _grating, 5),
    "grating, E across the bars": Family(_GRATING.replace("{polarization}", "x"), _grating, 4),
    "slab guide": Family(_GUIDE, _guide, 12),
}


if __name__ == "__main__":
    raise SystemExit(main())
