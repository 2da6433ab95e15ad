"""A description by hand, outside of a run: read, described and solved as `reprolab describe`, `reprolab solve` and the door do."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from schemas.errors import InputError
from schemas.reproduce.simulations.asked import Asked
from schemas.reproduce.simulations.execution import StageOutputs
from schemas.reproduce.simulations.numerics import SecondOpinion, StudyResult
from tasks.files.store import Store, atomic_write
from tasks.reproduce.describing.folder import Given
from tasks.reproduce.describing.in_sandbox import Description, describe
from tasks.reproduce.describing.known_defects import with_notes
from tasks.reproduce.describing.lengths import Lengths, lengths_of
from tasks.reproduce.describing.lint import lint
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.second.opinions import alone, with_opinions
from tasks.reproduce.second.truncations import METHODS
from tasks.reproduce.solving.as_executions import Place, executions_of
from tasks.reproduce.solving.groups import groups_of
from tasks.reproduce.solving.one_run import Budget, Progress, Solver
from tasks.reproduce.solving.whole_study import study, usual_aims
from tasks.reproduce.uncertainty.aims import Aim, within
from tasks.reproduce.uncertainty.climbed import Climb
from tasks.reproduce.uncertainty.target_aims import aims_of
from tasks.sandbox.probe import probe_level

SOLVERS = ("meep", *METHODS, "both")
SIDE_BY_SIDE = 2  # runs, as in a run of the flow by default
WANTED, CPU_S = 0.005, 1800.0
STUDIES = "studies"


@dataclass(frozen=True)
class ByHand:
    """What was solved. folder: its files. climbs: every ladder of grids with its values."""

    study: StudyResult
    folder: Path
    climbs: tuple[Climb, ...]

    def outputs(self, code: str, scale: str, *, allow_degraded: bool = False) -> StageOutputs:
        """The same as executions with data files below the folder, as a stage of a run has them. scale: length of the numbers."""
        stage_id = f"solved_{self.study.digest[:12]}"
        level = probe_level().level if allow_degraded else "A"
        place = Place(stage_id, self.folder, Lengths(scale), self.study.meep_version, level)
        return StageOutputs(
            stage_id=stage_id,
            code_sha256=hashlib.sha256(code.encode()).hexdigest(),
            executions=tuple(e for made in self.climbs for e in executions_of(made, place)),
            study=self.study,
        )


def described_by_hand(given: Given, outputs: Path, *, allow_degraded: bool = False) -> Description:
    """The checked description; its code runs once, in the sandbox. Raises DescriptionRefused."""
    return describe(
        given.code,
        given.parameters,
        store=Store(outputs),
        patterns=given.patterns,
        allow_degraded=allow_degraded,
    )


def solved_by_hand(
    given: Given,
    made: Description,
    outputs: Path,
    *,
    coarse: bool = False,
    wanted: float | None = None,
    cpu_s: float | None = None,
    examine: bool = True,
    meep_python: str | None = None,
    allow_degraded: bool = False,
    force: bool = False,
    second: bool = False,
    progress: Progress | None = None,
    say: Callable[[str], None] | None = None,
) -> ByHand:
    """The study of a description; its files go to <outputs>/studies/<name>, its runs to the store of the outputs folder.

    wanted: relative uncertainty; by default what asked.json beside the description asks for, without one WANTED. cpu_s: for everything;
    by default what that file says, else CPU_S. coarse: one grid, nothing varied. force: whatever inspection says.
    second: the opinion of the second solver of its scene beside each quantity.
    Raises InputError; PrerequisiteError for what this computer lacks.
    """
    asked = given.asked if wanted is None else None
    wanted = WANTED if wanted is None else wanted
    if cpu_s is None:
        cpu_s = asked.cpu_s if asked else CPU_S
    _fits(given, made, wanted, cpu_s, force)
    solver = Solver(
        Store(outputs),
        find_meep(meep_python),
        Budget(cpu_s),
        allow_degraded=allow_degraded,
        progress=progress,
        side_by_side=min(SIDE_BY_SIDE, len(os.sched_getaffinity(0))),
    )
    folder = outputs / STUDIES / given.name
    folder.mkdir(parents=True, exist_ok=True)
    climbs: list[Climb] = []
    result = study(
        made,
        given.materials,
        solver,
        folder,
        wanted=_aims(given, made, asked, wanted),
        coarse=coarse,
        examine=examine,
        witnessed=asked is None,
        say=say,
        on_climb=climbs.append,
    )
    noted = with_notes(result, climbs)
    if second and not coarse:
        every = {q.id for q in result.quantities}
        noted = with_opinions(
            noted, climbs, given.materials, every, allow_degraded=allow_degraded, most_s=cpu_s, say=say
        )
    if noted is not result:
        atomic_write(folder / "study.json", noted.model_dump_json(indent=1))
    return ByHand(noted, folder, tuple(climbs))


def _aims(given: Given, made: Description, asked: Asked | None, wanted: float) -> dict[str, Aim]:
    """How well each quantity is to be known: as the run of a package asked, or to one relative uncertainty."""
    if asked is None or given.folder is None:
        names = [item.id for item in (*made.problem.quantities, *made.problem.sweeps)]
        return dict.fromkeys(names, within(wanted))
    return aims_of(
        made,
        asked.targets,
        lengths_of(made.parameters, asked.inputs, asked.targets),
        paper_dir=given.folder.parent / "paper",
        profile=asked.thresholds,
        metal=asked.metal,
        usual=usual_aims(made.problem),
    )


def solved_with_second(
    given: Given,
    made: Description,
    outputs: Path,
    solver: str,
    *,
    wanted: float = WANTED,
    cpu_s: float = CPU_S,
    allow_degraded: bool = False,
    force: bool = False,
    say: Callable[[str], None] | None = None,
) -> tuple[dict[str, SecondOpinion], Path]:
    """What a second solver (of METHODS) alone says of each quantity and sweep; a CSV for each curve goes to the folder.

    Meep is not needed. Raises InputError as `solved_by_hand` does.
    """
    _fits(given, made, wanted, cpu_s, force)
    folder = outputs / STUDIES / given.name
    folder.mkdir(parents=True, exist_ok=True)
    found: dict[str, SecondOpinion] = {}
    for group in groups_of(made, given.materials):
        for name in group.ids:
            found[name] = alone(
                group,
                name,
                given.materials,
                cpu_s,
                wanted,
                method=METHODS[solver],
                allow_degraded=allow_degraded,
                say=say,
            )
            if rows := found[name].points:
                lines = ["x,y,uncertainty", *(",".join(f"{v:.10g}" for v in row) for row in rows)]
                atomic_write(folder / f"{name}_{solver}.csv", "\n".join(lines) + "\n")
    told = {name: opinion.model_dump(mode="json") for name, opinion in found.items()}
    atomic_write(folder / f"{solver}.json", json.dumps(told, indent=1))
    return found, folder


def _fits(given: Given, made: Description, wanted: float, cpu_s: float, force: bool) -> None:
    if not 1e-6 <= wanted <= 1:
        raise InputError(
            "the wanted uncertainty does not fit", found=wanted, allowed="a share of the value, 0.000001 to 1"
        )
    if not 0 < cpu_s < float("inf"):
        raise InputError("the budget does not fit", found=cpu_s, allowed="CPU seconds, more than 0")
    if not force and (errors := [f for f in lint(made, given.materials) if f.level == "error"]):
        raise InputError(
            "the description cannot be right; nothing was simulated",
            found="\n           ".join(f"{f.where}: {f.text}" for f in errors),
            fix="correct it, or simulate it all the same with --force (in Python force=True)",
        )
