"""What makes a plan impossible to run, or its verdict meaningless; found before anything is paid for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from schemas.reading.answer_size import MAX_STAGES
from schemas.reproduce.planning.plan import MATERIALS, STAGE_TYPES, Plan
from schemas.reproduce.planning.readiness import unreachable

# What lies in a run's folder beside the folders of its stages (flows/, tasks/): a stage of that name would write into it.
_OWN_FILES = re.compile(
    r"paper|materials|requests|checkpoints|debug|runs|plots|report_data|report_images|latest|before-\d+"
    r"|prompt_adaptations_.*|reproduction_report_.*|.*\.(?:jsonl?|md|html|txt|csv|png|py|lock|part)",
    re.IGNORECASE,
)


def plan_faults(plan: Plan) -> tuple[str, ...]:
    """What makes a plan impossible to run, each with the fix; empty for a sound plan."""
    if len(plan.stages) > MAX_STAGES:
        return (
            f"the plan has {len(plan.stages)} stages; at most {MAX_STAGES}: fewer stages with more targets",
        )
    faults: list[str] = []
    ids = [stage.stage_id for stage in plan.stages]
    faults += [f"stage_id {name!r} is used twice; rename one" for name in _double(ids)]
    faults += [
        f"stage_id {name!r} is the name of the run's own files; rename it, for example stage_{number}_{name[:40]}"
        for number, name in enumerate(ids)
        if _OWN_FILES.fullmatch(name)
    ]
    targets = [target.target_id for _, target in plan.all_targets()]
    faults += [f"target_id {name!r} is used twice; rename one" for name in _double(targets)]
    faults += _claim_faults(plan)
    known = {material.name for material in plan.materials}
    for stage in plan.stages:
        for name in stage.dependencies:
            if name not in ids:
                faults.append(
                    f"stage {stage.stage_id!r} depends on {name!r}, which is no stage; allowed: {', '.join(ids)}"
                )
        for name in sorted(set(stage.materials) - known):
            faults.append(
                f"stage {stage.stage_id!r} uses material {name!r}, which the plan does not define; "
                f"defined: {', '.join(sorted(known))}"
            )
    cycle = _cycle(plan)
    if cycle:
        faults.append(f"dependencies form a cycle: {' -> '.join(cycle)}; remove one of them")
    first = plan.stages[0]
    if first.stage_type != "MATERIAL_VALIDATION" or first.dependencies:
        faults.append(
            f"the first stage must be MATERIAL_VALIDATION without dependencies; found {first.stage_id!r} "
            f"of type {first.stage_type}"
        )
    order = {name: position for position, name in enumerate(STAGE_TYPES)}
    present = {stage.stage_type for stage in plan.stages}
    gates = {
        "ARRAY_SYSTEM": "SINGLE_STRUCTURE",
        "PARAMETER_SWEEP": "SINGLE_STRUCTURE",
        "COMPLEX_PHYSICS": "SINGLE_STRUCTURE",
    }
    for stage in plan.stages:
        gate = gates.get(stage.stage_type)
        if gate and gate not in present:
            faults.append(
                f"stage {stage.stage_id!r} of type {stage.stage_type} needs a {gate} stage before it"
            )
        for name in stage.dependencies:
            if name in ids and order[plan.stage(name).stage_type] > order[stage.stage_type]:
                faults.append(
                    f"stage {stage.stage_id!r} ({stage.stage_type}) depends on the later kind {name!r}"
                )
    if not faults:
        faults = [
            f"stage {name!r} could never start: it waits for {', '.join(waits)}; change its dependencies or its kind"
            for name, waits in unreachable(plan).items()
        ]
    return tuple(faults)


def _double(names: list[str]) -> list[str]:
    return sorted(name for name, count in Counter(names).items() if count > 1)


def _claim_faults(plan: Plan) -> list[str]:
    """Targets that cannot carry the claim, and readings of targets that do not exist or are read twice."""
    known = {target.target_id: target for _, target in plan.targets()}
    by_eye = {target.target_id for _, target in plan.all_targets()} - set(known)
    checks = {
        target.target_id for stage, target in plan.targets() if stage.stage_type == "MATERIAL_VALIDATION"
    }
    faults = [
        f"target {target.target_id!r} outside the MATERIAL_VALIDATION stage has figure_id {MATERIALS!r}; name the "
        "paper's figure it stands for"
        for _, target in plan.targets()
        if target.figure_id == MATERIALS and target.target_id not in checks
    ]
    for name in plan.claim_targets:
        if name not in known:
            faults.append(
                f"claim_targets names {name!r}, which {_what(name, by_eye)}; allowed: {', '.join(known)}"
            )
        elif name in checks:
            faults.append(
                f"claim_targets names {name!r}, a check of stage 0; name targets of the paper's figures"
            )
        elif not known[name].major or name in plan.inferred():
            faults.append(
                f"claim_targets names {name!r}, which is minor or of an inferred reading; make it major and "
                "quote the paper's words for its reading, or leave it out"
            )
    read = [name for reading in plan.readings for name in reading.targets]
    faults += [
        f"readings name {name!r}, which {_what(name, by_eye)}; allowed: {', '.join(known)}"
        for name in dict.fromkeys(read)
        if name not in known
    ]
    faults += [
        f"target {name!r} belongs to two readings; give each reading targets of its own"
        for name in _double(read)
    ]
    return faults


def _what(name: str, by_eye: Collection[str]) -> str:
    return (
        "is judged by eye, and only what is compared by number may stand there"
        if name in by_eye
        else "is no target"
    )


def _cycle(plan: Plan) -> list[str]:
    """One dependency cycle as a list that ends where it began, or an empty list."""
    needs = {stage.stage_id: [d for d in stage.dependencies] for stage in plan.stages}
    done: set[str] = set()
    for first in needs:
        path, left = [first], [iter(needs[first])]  # no recursion: how long a chain is, the model chooses
        while path:
            other = next(left[-1], None)
            if other is None:
                done.add(path.pop())
                left.pop()
            elif other in path:
                return [*path[path.index(other) :], other]
            elif other not in done and other in needs:
                path.append(other)
                left.append(iter(needs[other]))
    return []
