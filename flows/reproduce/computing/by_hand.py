"""A description by hand, outside of a run: read, described and solved as `reprolab describe`, `reprolab solve` and the door do."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from schemas.errors import InputError
from schemas.reproduce.simulations.execution import StageOutputs
from schemas.reproduce.simulations.numerics import StudyResult
from tasks.files.store import Store
from tasks.reproduce.describing.folder import Given
from tasks.reproduce.describing.in_sandbox import Description, describe
from tasks.reproduce.describing.lengths import Lengths
from tasks.reproduce.describing.lint import lint
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.solving.as_executions import Place, executions_of
from tasks.reproduce.solving.one_run import Budget, Progress, Solver
from tasks.reproduce.solving.whole_study import study
from tasks.reproduce.uncertainty.aims import within
from tasks.reproduce.uncertainty.climbed import Climb
from tasks.sandbox.probe import probe_level

SIDE_BY_SIDE = 2  # runs, as in a run of the flow by default
WANTED, CPU_S = 0.005, 1800.0
STUDIES = "studies"


@dataclass(frozen=True)
class ByHand:
    """What was solved. folder: its files. climbs: every ladder of grids with its values. kept: CPU seconds of runs by digest."""

    study: StudyResult
    folder: Path
    climbs: tuple[Climb, ...]
    kept: dict[str, float]

    def outputs(self, code: str, scale: str, *, allow_degraded: bool = False) -> StageOutputs:
        """The same as executions with data files below the folder, as a stage of a run has them. scale: length of the numbers."""
        stage_id = f"solved_{self.study.digest[:12]}"
        level = probe_level().level if allow_degraded else "A"
        place = Place(stage_id, self.folder, Lengths(scale), self.study.meep_version, level, self.kept)
        return StageOutputs(
            stage_id=stage_id,
            code_sha256=hashlib.sha256(code.encode()).hexdigest(),
            executions=tuple(e for made in self.climbs for e in executions_of(made, place)),
            study=self.study,
        )


def described_by_hand(given: Given, outputs: Path, *, allow_degraded: bool = False) -> Description:
    """The checked description; its code runs once, in the sandbox. Raises DescriptionRefused."""
    return describe(given.code, given.parameters, store=Store(outputs), allow_degraded=allow_degraded)


def solved_by_hand(
    given: Given,
    made: Description,
    outputs: Path,
    *,
    coarse: bool = False,
    wanted: float = WANTED,
    cpu_s: float = CPU_S,
    examine: bool = True,
    meep_python: str | None = None,
    allow_degraded: bool = False,
    force: bool = False,
    progress: Progress | None = None,
    say: Callable[[str], None] | None = None,
) -> ByHand:
    """The study of a description; its files go to <outputs>/studies/<name>, its runs to the store of the outputs folder.

    wanted: relative uncertainty. cpu_s: for everything. coarse: one grid, nothing varied. force: whatever inspection says.
    Raises InputError; PrerequisiteError for what this computer lacks.
    """
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
    names = [item.id for item in (*made.problem.quantities, *made.problem.sweeps)]
    climbs: list[Climb] = []
    result = study(
        made,
        given.materials,
        solver,
        folder,
        wanted=dict.fromkeys(names, within(wanted)),
        coarse=coarse,
        examine=examine,
        say=say,
        on_climb=climbs.append,
    )
    return ByHand(result, folder, tuple(climbs), dict(solver.kept))
