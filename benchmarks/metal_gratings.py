"""Two gratings of a metal on which a time domain is slow, by whoever solves them: `make bench-metal`.

A wall of an ideal conductor with thin slits, on its narrow line, and deep bars of a real metal with E across them (TM). Each is described
once; exact theory, the Fourier modal method and Meep say what they say of it, Meep within a budget. Nothing here was tuned for either:
the table is printed as it comes, and kept (--write) in docs/measured/metal-gratings.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.command import ROOT
from flows.reproduce.computing.by_hand import described_by_hand, solved_by_hand, solved_with_second
from flows.reproduce.computing.told import with_its_number
from schemas.reproduce.simulations.numerics import QuantityResult, SecondOpinion
from tasks.reproduce.describing.folder import Given, read_given
from tasks.reproduce.oracles import oracle

PAGE = ROOT / "docs" / "measured" / "metal-gratings.md"
OUTPUTS = Path("outputs")
BEGIN, END = "<!-- measured: begin -->\n", "<!-- measured: end -->"
WANTED, SECOND_S, FIRST_S = 0.005, 60.0, 40.0  # of a value; CPU seconds of the second solver, and of Meep
SOURCE = "chosen here"
SLITS = """from simkit.describe import *


def describe(p):
    slit = Bar(medium=vacuum(), x=(-p.slit / 2, p.slit / 2))
    wall = Film(medium=PerfectConductor(), thickness=p.depth, pattern=(slit,))
    flank, top = (UnitCell(id=name, below=vacuum(), layers=(wall,), above=vacuum(), period=(p.period,), light_from="below",
                           polarization="x", band=Line(wavelength=wavelength))
                  for name, wavelength in (("flank", p.flank), ("top", p.top)))
    return Problem(scenes=(flank, top), quantities=(Transmittance(id="T_flank", scene="flank"),
                                                    Transmittance(id="T_top", scene="top")))
"""
BARS = """from simkit.describe import *


def describe(p):
    metal = Medium(epsilon=p.bound, poles=(Pole(kind="drude", frequency=p.plasma, damping=p.damping),))
    bar = Bar(medium=metal, x=(p.gap / 2, p.period - p.gap / 2))
    layer = Film(medium=vacuum(), thickness=p.depth, pattern=(bar,))
    cell = UnitCell(id="bars", below=vacuum(), layers=(layer,), above=vacuum(), period=(p.period,), light_from="below",
                    polarization="x", band=Line(wavelength=p.wavelength))
    return Problem(scenes=(cell,), quantities=(Transmittance(id="T", scene="bars"), Reflectance(id="R", scene="bars")))
"""


def numbers(**given: tuple[float, str]) -> list[dict[str, Any]]:
    """Parameters, each an assumption with its source."""
    return [
        {"id": n, "value": v, "unit": u, "origin": "assumption", "assumption_id": SOURCE}
        for n, (v, u) in given.items()
    ]


PROBLEMS = {
    "slits of 100 nm in an ideal conductor, 700 nm deep, period 1 um, E across, on a line's flank (1.6 um) and top (1.68 um)": (
        SLITS,
        numbers(slit=(0.1, "um"), depth=(0.7, "um"), period=(1.0, "um"), flank=(1.6, "um"), top=(1.68, "um")),
    ),
    "bars of a metal, 1 um deep, 100 nm apart, period 600 nm, 900 nm, E across": (
        BARS,
        numbers(
            gap=(0.1, "um"),
            depth=(1.0, "um"),
            period=(0.6, "um"),
            wavelength=(0.9, "um"),
            bound=(4.0, "1"),
            plasma=(7.3, "1/um"),
            damping=(0.05, "1/um"),
        ),
    ),
}


@dataclass(frozen=True)
class Said:
    """What one of them says of a quantity."""

    who: str
    value: str
    stated: str
    beside: str  # theory
    how: str
    cpu_s: float | None


def missed(value: float, exact: float, stated: float | None) -> str:
    """How far a value is from theory, and whether what is stated holds that."""
    held = (
        "" if stated is None else " (within)" if abs(value - exact) <= stated else " (BEYOND what is stated)"
    )
    return f"off by {abs(value - exact):.2g}{held}"


def of_meep(result: QuantityResult, exact: float, cpu_s: float) -> Said:
    """Meep's value, or why there is none, and whether exact theory lies within what it states."""
    grids = ", ".join(f"{rung.resolution:.4g}" for rung in result.rungs) + " px/um"
    if result.value is None:
        return Said("Meep", "no value", "", "", f"{grids}; {result.reason}", cpu_s)
    stated = "unknown" if result.uncertainty is None else f"{result.uncertainty:.2g}"
    how = f"{grids}; {result.status}" + (f": {result.ended}" if result.ended else "")
    return Said(
        "Meep", f"{result.value:.5g}", stated, missed(result.value, exact, result.uncertainty), how, cpu_s
    )


def of_second(opinion: SecondOpinion, exact: float) -> Said:
    """The Fourier modal method's value, or why there is none."""
    if opinion.value is None or opinion.uncertainty is None:
        return Said(opinion.solver, "no value", "", "", opinion.reason, None)
    orders = ", ".join(str(rung.orders) for rung in opinion.truncations)
    return Said(
        opinion.solver,
        f"{opinion.value:.5g}",
        f"{opinion.uncertainty:.2g}",
        missed(opinion.value, exact, opinion.uncertainty),
        f"{orders} orders",
        opinion.cpu_s,
    )


def rows(name: str, given: Given, outputs: Path, budget_s: float) -> Iterator[str]:
    """The lines of one problem."""
    made = described_by_hand(given, outputs)
    solved = solved_by_hand(given, made, outputs, wanted=WANTED, cpu_s=budget_s, examine=False)
    opinions, _ = solved_with_second(given, made, outputs, "fmm", wanted=WANTED, cpu_s=SECOND_S)
    problem = made.resolved()
    for quantity in problem.quantities:
        scene: Any = problem.scene(quantity.scene)
        found = oracle(scene, quantity, given.materials, np.array([scene.band.frequencies()[0]]))
        assert found is not None, "both have theory"
        theory, exact = found[0], float(found[1].y[0])  # type: ignore[union-attr]
        result = with_its_number(solved.study.quantity(quantity.id), solved.folder)
        for said in (
            Said(f"theory: {theory}", f"{exact:.5g}", "", "", "", None),
            of_second(opinions[quantity.id], exact),
            of_meep(result, exact, sum(rung.cpu_s for rung in result.rungs)),
        ):
            cpu = "" if said.cpu_s is None else f"{said.cpu_s:.1f}"
            cells = (name, quantity.id, said.who, said.value, said.stated, said.beside, said.how, cpu)
            yield f"| {' | '.join(' '.join(cell.split()).replace('|', '/') for cell in cells)} |"
            name = ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; --write keeps it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.metal_gratings", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"keep it in {PAGE.relative_to(ROOT)}")
    parser.add_argument("--cpu", type=float, default=FIRST_S, help="CPU seconds of Meep for each problem")
    asked = parser.parse_args(arguments)
    lines = [
        "| problem | of | who | value | stated uncertainty | beside theory | how | CPU s |",
        "|---|---|---|---|--:|---|---|--:|",
    ]
    print("\n".join(lines), flush=True)
    for name, (code, parameters) in PROBLEMS.items():
        for line in rows(name, read_given(code, parameters), OUTPUTS, asked.cpu):
            lines.append(line)
            print(line, flush=True)
    if asked.write:
        head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        tail = rest.partition(END)[2]
        PAGE.write_text(f"{head}{BEGIN}{chr(10).join(lines)}\n{END}{tail}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
