"""Convergence: a finding of its own about each target, and one chance for the designer to improve it."""

from __future__ import annotations

import itertools
import math

from schemas.reproduce.judging.evidence import Check, TargetEvidence
from schemas.reproduce.planning.plan import Stage
from schemas.reproduce.simulations.execution import StageOutputs


def convergence_checks(
    targets: tuple[TargetEvidence, ...], outputs: StageOutputs | None = None
) -> tuple[Check, ...]:
    """A check for each target: is its numerical uncertainty below half the acceptable error?

    A miss is a warning: it lowers its target to PARTIAL (tasks/reproduce/judging/judge.py), not the physics of the stage.
    """
    checks = []
    for target in targets:
        if target.uncertainty is None or target.acceptable is None or not target.computed:
            continue
        # a curve's rungs are distances from the paper's curve, which creators must not learn
        rungs = _steps(target) if target.simulated is not None else ""
        harness = outputs is not None and outputs.study is not None  # it chose all of these
        checks.append(
            Check(
                name=f"convergence of {target.target_id}",
                level="pass" if target.converged else "warning",
                measured=_uncertainty(target) + (f"; {rungs}" if rungs else ""),
                allowed="half the acceptable error",
                source=target.file or "",
                hint=""
                if target.converged
                else outputs.trouble(target.target_id)
                if harness and outputs
                else "finer grid, edges at the same sub-pixel position on every rung, thicker absorber, longer run; then list the rungs "
                "again",
            )
        )
    return tuple(checks)


def worth_refining(stage: Stage, targets: tuple[TargetEvidence, ...]) -> tuple[str, ...]:
    """Major targets that were computed and are not converged: the grid is the designer's choice."""
    major = {target.target_id for target in stage.targets if target.major}
    return tuple(
        t.target_id for t in targets if t.target_id in major and t.computed and t.physical and not t.converged
    )


def refining_feedback(missed: tuple[str, ...], checks: tuple[Check, ...]) -> str:
    """What the designer is told: which targets miss, by how much, and that this is the one chance."""
    lines = [
        f"- {c.name}: {c.measured}; {c.hint}"
        for c in checks
        if c.name.removeprefix("convergence of ") in missed
    ]
    return (
        "Everything ran and is physical, but these targets are not converged and therefore count as PARTIAL. Choose "
        "resolution and rungs anew, or more points of a sweep where a value is read between its points, and change nothing else; "
        "afterwards the stage goes on with what it has.\n" + "\n".join(lines)
    )


def _steps(target: TargetEvidence) -> str:
    """By how much each finer grid moved the value. Not the values: those near the paper's would be withheld, and tell it."""
    return ", ".join(
        f"x{before.resolution_scale:g} to x{rung.resolution_scale:g} moves it by "
        f"{100 * abs(rung.value / before.value - 1):.2g} %"
        for before, rung in itertools.pairwise(target.rungs)
        if before.value
    )


def _uncertainty(target: TargetEvidence) -> str:
    """The uncertainty in words that do not give the paper's value away: to a factor of two. Both are in shares of the paper's
    value, so that a percentage beside the values of all grids, from which the uncertainty itself follows, would tell it."""
    assert target.uncertainty is not None and target.acceptable is not None
    if target.converged:
        return "uncertainty within what is allowed"
    over = 2 * target.uncertainty / target.acceptable if target.acceptable > 0 else math.inf
    if not math.isfinite(over):
        return "uncertainty above what is allowed"
    times = 2 ** math.floor(math.log2(max(over, 1.0)))
    return (
        "uncertainty above what is allowed"
        if times == 1
        else f"uncertainty above {times} times what is allowed"
    )
