"""Designs that independent solvers agree on, by both of ours: `make bench-testbed TESTBED=FOLDER`.

The folder holds designs of NanoComp/photonics-opt-testbed (MIT) as CSV. Each is a described `Pattern`, read and solved as any other;
nothing of it is kept here, and the published values are facts, for the table.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from flows.reproduce.computing.by_hand import described_by_hand, solved_by_hand, solved_with_second
from schemas.reproduce.simulations.numerics import QuantityResult
from tasks.reproduce.describing.folder import Given, read_given

OUTPUTS = Path("outputs")
SOURCE = "photonics-opt-testbed, its README"
WANTED, SECOND_S, FIRST_S = 1e-3, 60.0, 1200.0  # of a value; CPU seconds of the second solver, and of Meep
CONVERTED = 0.01
BY_BOTH = (5,)  # stripes; the others are three-dimensional
DEFLECTORS = {1: (95.7, 95.5), 3: (96.6, 95.0), 5: (84.1, 84.3)}  # per cent, Fourier modal and time domain
CONVERTERS = {  # the worst reflection and transmission of the band, dB
    "10_x47530832_w3_s584": (-36.30, -0.18),
    "10_x47530832_w43_s590": (-37.79, -0.12),
    "12_x47530832_w28_s528": (-32.18, -0.16),
    "12_x47530832_w4_s804": (-21.20, -0.57),
    "14_x47530832_w21_s956": (-35.49, -0.25),
    "14_x47530832_w5_s139": (-20.67, -0.58),
}
DEFLECTOR = """from simkit.describe import *


def describe(p):
    design = Pattern(id="design", medium=Medium(index=p.silicon), name="design", pixel={pixel})
    layer = Film(medium=vacuum(), thickness=p.thick, pattern=(design,))
    cell = UnitCell(id="deflector", below=Medium(index=p.glass), layers=(layer,), above=vacuum(), period={period}, light_from="below",
                    polarization="x", band=Line(wavelength=p.wavelength))
    left, right = (OrderEfficiency(id=name, scene="deflector", side="transmitted", order={order})
                   for name, m in (("left", -1), ("right", 1)))
    return Problem(scenes=(cell,), quantities=(left, right))
"""
CONVERTER = """from simkit.describe import *


def describe(p):
    core, half = Medium(epsilon=p.solid), p.side / 2
    guides = tuple(Block(id=name, medium=core, x=x, y=(-p.guide / 2, p.guide / 2))
                   for name, x in (("left", (-inf, -half)), ("right", (half, inf))))
    design = Pattern(id="design", medium=core, name="design", pixel=(p.pixel,))
    converter = Device(id="converter", dimensions="2D", bodies=(*guides, design), background=Medium(epsilon=p.void), polarization="Ez",
                       ports=(Port(id="in", side="-x"), Port(id="out", side="+x")), source="in",
                       band=Wavelengths(shortest=p.shortest, longest=p.longest))
    return Problem(scenes=(converter,), quantities=(PortTransmittance(id="T", scene="converter", port="out", mode=2),
                                                    PortReflectance(id="R", scene="converter", mode=1)))
"""


def numbers(**given: tuple[float, str]) -> list[dict[str, Any]]:
    """Parameters, each an assumption with its source."""
    return [
        {"id": n, "value": v, "unit": u, "origin": "assumption", "assumption_id": SOURCE}
        for n, (v, u) in given.items()
    ]


def deflector(path: Path, pixels: tuple[int, int]) -> Given:
    """A design's cell; of one row it has one period. pixels: along x and y."""
    stripes = pixels[1] == 1
    period = 1.05 / np.sin(np.radians(50))
    parameters = numbers(
        wavelength=(1.05, "um"),
        thick=(0.325, "um"),
        silicon=(3.45, "1"),
        glass=(1.45, "1"),
        period=(period, "um"),
        across=(0.525, "um"),
        x=(period / pixels[0], "um"),
        y=(0.525 / pixels[1], "um"),
    )
    code = DEFLECTOR.format(
        pixel="(p.x,)" if stripes else "(p.x, p.y)",
        period="(p.period,)" if stripes else "(p.period, p.across)",
        order="(m,)" if stripes else "(m, 0)",
    )
    return read_given(
        code, [e for e in parameters if not (stripes and e["id"] in ("y", "across"))], None, _beside(path)
    )


def converter(path: Path) -> Given:
    """A design between its guides."""
    parameters = numbers(
        side=(1.6, "um"),
        guide=(0.4, "um"),
        pixel=(0.01, "um"),
        solid=(12.25, "1"),
        void=(2.25, "1"),
        shortest=(1.26, "um"),
        longest=(1.3, "um"),
    )
    return read_given(CONVERTER, parameters, None, _beside(path))


def _beside(path: Path) -> Path:
    """A patterns.json that names a file, in a folder with a copy of it: a description reads beneath its own folder only."""
    folder = OUTPUTS / "testbed" / path.stem
    folder.mkdir(parents=True, exist_ok=True)
    (folder / path.name).write_bytes(path.read_bytes())
    (folder / "patterns.json").write_text(json.dumps({"design": {"file": path.name}}), encoding="utf-8")
    return folder / "patterns.json"


def deflectors(designs: Mapping[str, Path], first: Sequence[int]) -> Iterator[str]:
    """A line for each deflector; first: those that Meep solves as well."""
    yield "| deflector | published: Fourier modal, time domain | second solver | CPU time | Meep | its grids | CPU time |"
    yield "|---|--:|--:|--:|--:|---|--:|"
    for number, published in DEFLECTORS.items():
        path = designs.get(f"metagrating_device{number}")
        if path is None:
            continue
        lines = path.read_text(encoding="utf-8").split()
        given = deflector(path, (len(lines), lines[0].count(",") + 1))
        made = described_by_hand(given, OUTPUTS)
        began = _cpu()
        found, _ = solved_with_second(given, made, OUTPUTS, "fmm", wanted=WANTED, cpu_s=SECOND_S)
        took = _cpu() - began
        name = max(("left", "right"), key=lambda side: found[side].value or 0.0)  # as it is handed in
        opinion, cells = found[name], ["", "", ""]
        if number in first:
            result = solved_by_hand(given, made, OUTPUTS, wanted=WANTED, cpu_s=FIRST_S, examine=False).study
            quantity = next(q for q in result.quantities if q.id == name)
            cells = [
                _per_cent(quantity.value or quantity.rungs[-1].value, quantity.uncertainty),
                _grids(quantity),
                f"{result.cpu_s:.0f} s",
            ]
        yield (
            f"| {number} | {published[0]} %, {published[1]} % | {_per_cent(opinion.value, opinion.uncertainty)} | {took:.0f} s | "
            f"{' | '.join(cells)} |"
        )


def converters(designs: Mapping[str, Path]) -> Iterator[str]:
    """A line for each mode converter: the worst of the band, by Meep."""
    yield "| converter | published: reflection, transmission | reflection | transmission | grids | CPU time |"
    yield "|---|--:|--:|--:|---|--:|"
    for name, published in CONVERTERS.items():
        path = designs.get(f"converter_circle_{name}")
        if path is None:
            continue
        given = converter(path)
        made = described_by_hand(given, OUTPUTS)
        solved = solved_by_hand(given, made, OUTPUTS, wanted=CONVERTED, cpu_s=FIRST_S, examine=False)
        quantities = {q.id: q for q in solved.study.quantities}
        worst = []
        for quantity, pick in (("R", np.argmax), ("T", np.argmin)):
            curve = quantities[quantity].curve
            if curve is None:
                worst.append("no value")
                continue
            _, y, left = np.genfromtxt(solved.folder / curve.path, delimiter=",", skip_header=1, unpack=True)
            at = int(pick(y))
            ends = (
                ""
                if not np.isfinite(left[at])
                else f" ({_decibel(y[at] - left[at]):.2f} to {_decibel(y[at] + left[at]):.2f})"
            )
            worst.append(f"{_decibel(y[at]):.2f}{ends} dB")
        yield (
            f"| {name} | {published[0]:.2f}, {published[1]:.2f} dB | {worst[0]} | {worst[1]} | {_grids(quantities['T'])} | "
            f"{solved.study.cpu_s:.0f} s |"
        )


def _decibel(power: float) -> float:
    return 10 * math.log10(max(power, 1e-12))


def _per_cent(value: float | None, left: float | None) -> str:
    return (
        "no value"
        if value is None
        else f"{100 * value:.2f}" + ("" if left is None else f" +- {100 * left:.2f}") + " %"
    )


def _grids(quantity: QuantityResult) -> str:
    return ", ".join(f"{rung.resolution:.4g}" for rung in quantity.rungs) + " px/um"


def _cpu() -> float:
    """CPU seconds of this process and of its children that ended."""
    return sum(os.times()[:4])


def main(folder: Path, only: Sequence[str] = ()) -> int:
    """Both tables, of the designs whose names hold one of `only`; 1 where none is found."""
    names = [f"metagrating_device{number}" for number in DEFLECTORS]
    names += [f"converter_circle_{name}" for name in CONVERTERS]
    wanted = [name for name in names if not only or any(part in name for part in only)]
    designs = {name: path for name in wanted if (path := folder / f"{name}.csv").is_file()}
    if not designs:
        print(f"no design in {folder}; known: {', '.join(f'{name}.csv' for name in names)}", file=sys.stderr)
        return 1
    tables = {"metagrating": deflectors(designs, BY_BOTH), "converter": converters(designs)}
    for table in (table for kind, table in tables.items() if any(name.startswith(kind) for name in designs)):
        for line in table:
            print(line, flush=True)
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
