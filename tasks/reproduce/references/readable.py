"""References that the paper's own data cannot give: tried on its files before anything is paid for."""

from __future__ import annotations

from pathlib import Path

from schemas.reproduce.planning.left import Taken
from schemas.reproduce.planning.plan import Plan, Target
from schemas.talking.review import Issue
from tasks.reproduce.curves.curve import Curve, few_points, reach_of
from tasks.reproduce.curves.maps import Map
from tasks.reproduce.evidence.not_computed import EvidenceError
from tasks.reproduce.judging.classify import window_verdict
from tasks.reproduce.references.paper_value import ReferenceValue, drawn, resolve


def try_references(plan: Plan, paper_dir: Path) -> tuple[tuple[Issue, ...], dict[str, Taken]]:
    """What of the paper's data files cannot be had, found by the code that will judge it; and what can, by target:
    the number that it takes, or those of a curve of few points, and the ends of a curve.

    Blocking: a wrong column or window, an extremum that is not there, a feature between two samples; with such a reference a target
    can only fail, whatever the simulation does. Major: a number of so little of the data that it is
    at most PARTIAL; minor: a curve, which may be meant.
    """
    found: list[Issue] = []
    taken: dict[str, Taken] = {}
    for stage, target in plan.targets():
        if target.reference.kind not in ("data", "feature"):
            continue
        try:
            reference = resolve(target, paper_dir)
            value = _value(target, reference)
        except EvidenceError as error:
            found.append(
                Issue(
                    severity="blocking",
                    where=f"{stage.stage_id}/{target.target_id}",
                    description=f"its reference cannot be taken from the paper's data: {error.what}"
                    + (f"; found {error.found}" if error.found is not None else ""),
                    fix=error.fix or "choose a reference that the paper's data have",
                )
            )
        else:
            reasons: list[str] = []
            if window_verdict(reference, target, reasons) != "SUCCESS":
                found.append(
                    Issue(
                        severity="major" if target.kind == "scalar" else "minor",
                        where=f"{stage.stage_id}/{target.target_id}",
                        description=f"{' '.join(reasons)} It is at most PARTIAL, whatever is computed",
                        fix="widen x_range, or the feature's window, to more of the data",
                    )
                )
            if isinstance(value, float):
                taken[target.target_id] = Taken((value,), drawn=drawn(target, paper_dir))
            elif isinstance(value, Curve):
                taken[target.target_id] = Taken(few_points(value), reach_of(value), drawn(target, paper_dir))
    return tuple(found), taken


def _value(target: Target, reference: ReferenceValue) -> float | Curve | Map:
    value = reference.value
    if isinstance(value, Curve) and target.x_range is not None and value.within(*target.x_range) is None:
        raise EvidenceError(
            "x_range lies outside the data",
            fix="give a range, in x_unit, inside the data's",
            found=f"{target.x_range[0]:g} to {target.x_range[1]:g} {target.x_unit}".strip()
            + f"; the data cover {value.x[0]:g} to {value.x[-1]:g}",
        )
    return value
