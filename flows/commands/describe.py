"""Descriptions by hand: check one, print what it says and costs, and run its study."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from agents.reproduce.rules.quoting import input_fault, stands_whole
from flows.reproduce.computing.again import KEPT, described_in, kept_study, solved_again
from flows.reproduce.computing.by_hand import (
    CPU_S,
    SOLVERS,
    WANTED,
    described_by_hand,
    solved_by_hand,
    solved_with_second,
)
from flows.reproduce.computing.drawn_curves import draw_curve
from flows.reproduce.computing.told import unit_described, value_words, with_its_number
from flows.terminal.console import show
from schemas.errors import InputError
from schemas.reading.handed import handed_text
from schemas.reproduce.simulations.numerics import (
    Finding,
    QuantityResult,
    RunCost,
    SecondOpinion,
    SimulatedParameter,
    StudyResult,
)
from tasks.files.store import Store
from tasks.reproduce.describing.folder import Given, read_given
from tasks.reproduce.describing.in_sandbox import Description
from tasks.reproduce.describing.lint import lint
from tasks.reproduce.describing.quotations import quotation_faults
from tasks.reproduce.describing.vocabulary import form_of
from tasks.reproduce.meep_interpreter import MeepNotFound, find_meep
from tasks.reproduce.second.truncations import METHODS
from tasks.reproduce.solving.estimate import costs_before
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.whole_study import drawings, simulated


def show_contract() -> None:
    """Print the vocabulary of descriptions: every class with its arguments."""
    from simkit.describe.contract import contract

    show(contract())


def show_description(
    path: Path,
    parameters: Path | None,
    materials: Path | None,
    outputs: Path,
    *,
    as_json: bool,
    probe: bool,
    meep_python: str | None,
    paper: Path | None,
) -> None:
    """Check a description and print parameters, scenes, quantities, findings and cost, or its document."""
    given = read_given(path, parameters, materials)
    made = described_by_hand(given, outputs)
    if as_json:
        show(json.dumps(made.parametric, indent=1))
        return
    if paper is not None:
        _quotations(made, paper)
    show(f"{given.name}: the description is sound\n")
    _parameters(simulated(made))
    problem = made.resolved()
    show("\nscenes")
    for scene in problem.scenes:
        show(f"  {scene.id}: {scene.type}")
    show("quantities")
    for quantity in problem.quantities:
        show(
            f"  {quantity.id}: {quantity.type.replace('_', ' ')} of {quantity.scene}, a {form_of(problem, quantity)}"
        )
    for sweep in problem.sweeps:
        show(f"  {sweep.id}: {sweep.of} over {sweep.parameter}, a {form_of(problem, sweep)}")
    _findings(tuple(lint(made, given.materials, meep_version=_meep_version(meep_python))))
    folder = outputs / "drawings" / given.name
    for drawing in drawings(made, folder):
        show(f"\ndrawn with its dimensions: {folder / drawing.path}")
    show(
        "\ncost at the coarsest grid, one core (a study is 5 to 20 times that: finer grids, variants, witnesses)"
    )
    solver = Solver(Store(outputs), find_meep(meep_python), Budget(600.0)) if probe else None
    try:
        costs = costs_before(made, given.materials, solver)
        for words in _dearest(costs):
            show(f"  {words}")
        show(f"  in all: {len(costs)} runs, about {sum(c.estimated_cpu_s or 0 for c in costs):.3g} s")
    finally:
        if solver is not None:
            solver.close()


def _meep_version(configured: str | None) -> str:
    """Of the Meep that would solve it; '' where none is found, which only `solve` needs."""
    try:
        return find_meep(configured).meep_version
    except MeepNotFound:
        return ""


def _dearest(costs: Sequence[RunCost]) -> Iterator[str]:
    """Each run in words; of those at the points of a sweep the dearest."""

    def kind(cost: RunCost) -> str:
        return cost.name.split(", ")[0]

    for _, alike in itertools.groupby(sorted(costs, key=kind), key=kind):
        runs = list(alike)
        cost = max(runs, key=lambda c: c.estimated_cpu_s or 0)
        yield (
            f"{cost.name}{f' (the dearest of {len(runs)} points)' if len(runs) > 1 else ''}: {cost.pixels} pixels, {cost.steps} "
            f"steps, about {cost.estimated_cpu_s:.3g} s, {cost.estimated_mb:.0f} MB"
            + (f" ({cost.remark})" if cost.remark else "")
        )


def run_study(
    path: Path,
    parameters: Path | None,
    materials: Path | None,
    outputs: Path,
    *,
    coarse: bool,
    wanted: float | None,
    cpu_s: float | None,
    examine: bool,
    meep_python: str | None,
    allow_degraded: bool,
    force: bool,
    solver: str,
) -> bool:
    """Run the study of a description, or of each in a run's package; print values with the parts of their uncertainty; write CSV
    and JSON.

    solver: one of SOLVERS. Returns False where a description of a package does not give its numbers again. Raises InputError.
    """
    if solver not in SOLVERS:
        raise InputError("no such solver", found=solver, allowed=", ".join(SOLVERS), fix="--with both")
    again = True
    for folder in described_in(path):
        again &= _run_study(
            folder,
            parameters,
            materials,
            outputs,
            coarse,
            wanted,
            cpu_s,
            examine,
            meep_python,
            allow_degraded,
            force,
            solver,
        )
    return again


def _run_study(
    path: Path,
    parameters: Path | None,
    materials: Path | None,
    outputs: Path,
    coarse: bool,
    wanted: float | None,
    cpu_s: float | None,
    examine: bool,
    meep_python: str | None,
    allow_degraded: bool,
    force: bool,
    solver: str,
) -> bool:
    given = read_given(path, parameters, materials)
    kept = kept_study(given) if wanted is None and not coarse else None
    made = described_by_hand(given, outputs, allow_degraded=allow_degraded)
    if solver in METHODS:
        _second(
            given,
            made,
            outputs,
            solver,
            WANTED if wanted is None else wanted,
            CPU_S if cpu_s is None else cpu_s,
            allow_degraded,
            force,
        )
        return True
    solved = solved_by_hand(
        given,
        made,
        outputs,
        coarse=coarse,
        wanted=wanted,
        cpu_s=cpu_s,
        examine=examine,
        meep_python=meep_python,
        allow_degraded=allow_degraded,
        force=force,
        second=solver == "both",
        progress=_progress,
        say=lambda text: show(f"... {text}", flush=True),
    )
    found, folder = solved.study, solved.folder
    show()
    for result in found.quantities:
        told = with_its_number(result, folder)
        _quantity(told, made, folder)
        nm = any(item.unit == "nm" for item in made.parameters.items().values())
        for path in draw_curve(told, unit_described(made, told), made.parameters.scale, folder, nm=nm):
            show(f"    {'plot' if path.suffix == '.png' else 'over wavelength'}: {path}")
    _findings(found.findings)
    _remarks(found)
    show(
        f"\nCPU time used now: {found.cpu_s:.1f} s (runs solved before are kept); of the budget of {found.budget_s:g} s: "
        f"{found.cost_s:.1f} s, as a quiet computer would need them"
    )
    show(
        f"written: {folder / 'study.json'}"
        + ("" if not coarse else "\n--coarse: one grid, nothing varied; no evidence")
    )
    if kept is None or given.folder is None:
        lost = given.asked is not None and wanted is None and not coarse
        if lost:
            show("\nthe package holds no values of this description: nothing was compared")
        return not lost
    same, lines = solved_again(found, folder, kept, given.folder / KEPT)
    show("\n".join(("\nbeside what the package holds:", *(f"  {line}" for line in lines))))
    return same


def _second(
    given: Given,
    made: Description,
    outputs: Path,
    solver: str,
    wanted: float,
    cpu_s: float,
    allow_degraded: bool,
    force: bool,
) -> None:
    """The same table with a second solver's values alone."""
    found, folder = solved_with_second(
        given,
        made,
        outputs,
        solver,
        wanted=wanted,
        cpu_s=cpu_s,
        allow_degraded=allow_degraded,
        force=force,
        say=lambda text: show(f"... {text}", flush=True),
    )
    show()
    for name, opinion in found.items():
        curve = f"curve in {folder / f'{name}_{solver}.csv'}; worst: " if opinion.points else ""
        show(f"{name}\n  {curve}{opinion.words()}")
        _truncations(opinion)
    show(f"\nCPU time used now: {sum(opinion.cpu_s for opinion in found.values()):.1f} s")
    show(f"written: {folder / f'{solver}.json'}")


def _truncations(opinion: SecondOpinion) -> None:
    if opinion.truncations:
        rungs = ", ".join(f"{rung.orders}: {rung.value:.8g}" for rung in opinion.truncations)
        why = f"; {opinion.reason}" if opinion.reason else ""
        unknowns = next(method.UNKNOWNS for method in METHODS.values() if method.NAME == opinion.solver)
        show(f"    {unknowns:<12}{rungs}{why}")


def _quotations(made: Description, paper: Path) -> None:
    text = handed_text(paper, "the paper's text")
    if faults := quotation_faults(made.parameters, text, input_fault, stands_whole):
        raise InputError(
            "quotations do not hold",
            found="\n           ".join(faults),
            fix="quote the words that state the value, or declare an assumption",
        )


def _progress(fraction: float, left: float | None, label: str) -> None:
    if not sys.stdout.isatty():
        return
    rest = "" if left is None else f", about {left:.0f} s left"
    show(f"    {label}: {fraction:.0%}{rest}", end="\r", flush=True)


def _parameters(parameters: tuple[SimulatedParameter, ...]) -> None:
    show("parameters: what is simulated, where it comes from")
    for item in parameters:
        said = (
            f'"{item.quotation}"' if item.quotation else item.assumption_id or item.expression or item.meaning
        )
        idle = "" if item.used else "  (nothing depends on it)"
        number = f"{item.value:.6g} {item.unit}".removesuffix(" 1")
        show(f"  {item.id} = {number}  {item.origin}: {said}{idle}")


def _quantity(found: QuantityResult, made: Description, folder: Path) -> None:
    shown = value_words(found, unit_described(made, found))
    if found.curve is not None:
        most = "unknown" if found.uncertainty is None else f"at most {found.uncertainty:.2g}"
        shown = f"{'map' if found.axis == 'point' else 'curve'} in {folder / found.curve.path}, uncertainty {most}"
    show(f"{found.id} ({found.kind}): {found.status}" + (f": {found.reason}" if found.reason else ""))
    if shown:
        show(f"  {shown}")
    for part in found.parts:
        value = "?" if part.value is None else f"{part.value:.2g}"
        show(
            f"    {part.part:<11}{value:<9} {part.how}"
            + ("" if part.state == "computed" else f" ({part.state})")
        )
    rungs = [
        f"{rung.resolution:g}" + ("" if rung.value is None else f": {rung.value:.8g}") for rung in found.rungs
    ]
    show(
        f"    grids       {', '.join(rungs)} pixels per {made.parameters.scale}"
        + (f"; observed order {found.observed_order:.2f}" if found.observed_order else "")
    )
    if found.oracle:
        held = (
            "no uncertainty is known yet"
            if found.uncertainty is None
            else f"{'within' if found.oracle.within else 'NOT within'} the uncertainty"
        )
        show(f"    theory      {found.oracle.theory}: off by {found.oracle.difference:.2g}, {held}")
    if found.second:
        show(f"    second      {found.second.words()}")
        _truncations(found.second)
    failed = [f"{w.name} {w.of}".strip() for w in found.witnesses if w.passed is False]
    if found.witnesses:
        show(
            f"    witnesses   {sum(w.passed is True for w in found.witnesses)} of {len(found.witnesses)} respond"
            + (f"; not: {', '.join(failed)}" if failed else "")
            + _fields_words(found)
        )
    if found.code:
        show(f"    measure({', '.join(found.made_of)}) by a function of the description's own:")
        show("\n".join(f"      {line}" for line in found.code.splitlines()))
    for item in found.sensitivities[:5]:
        change = item.remark if item.relative is None else f"{item.relative:.2%} of the value"
        show(f"    if {item.parameter} were {item.tried} ({item.reason}): {change}")


def _fields_words(found: QuantityResult) -> str:
    """Whether the value comes from the fields; of a function of the writer's own that is not decided by default."""
    if found.from_fields is None:
        return "; not all could be tried"
    return "" if found.from_fields else "; NOT FROM THE FIELDS"


def _findings(findings: tuple[Finding, ...]) -> None:
    show("\nfindings by inspection" if findings else "\nno findings by inspection")
    for finding in findings:
        show(f"  {finding.level}: {finding.where}: {finding.text}")


def _remarks(found: StudyResult) -> None:
    for remark in found.remarks:
        show(f"  remark: {remark}")
