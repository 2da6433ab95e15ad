"""A revised plan as a small difference: each edit names a place of `previous_plan` by ids; all of them fit, or none is applied.

What comes out passes the same gate as a whole answer, and then the same rules, review and ledger: an edit can do nothing
that a plan written anew could not. It can do less: a person's words in the ledger of assumptions cannot be named.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator
from functools import partial
from typing import Any

from agents.models.errors import InvalidAnswer
from agents.models.validation import validate_answer
from agents.reproduce.rules.material_rules import assumed_indices
from schemas.base import Model
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.plan import PlannerAnswer
from schemas.reproduce.planning.plan_edits import PlanEdits, PlanRevisionAnswer, TargetInStage
from schemas.reproduce.state import ReproState
from schemas.talking.review import Issue

# Under which name the entries of a list are addressed.
IDS = {
    "stages": "stage_id",
    "targets": "target_id",
    "materials": "name",
    "readings": "name",
    "looks": "name",
    "extracted_parameters": "name",
    "assumptions": "assumption_id",
}
_OF_PLAN, _BESIDE = (
    ("materials", "readings"),
    ("extracted_parameters", "assumptions"),
)  # lists of the plan, and beside it
_STEP = re.compile(r"([a-z_]+)(?:\[(.{1,200}?)\])?(?:\.|\Z)")
_SHOWN, _MOST = 160, 20
_EXAMPLE = "plan.stages[stage1].targets[fig2_R].unit"


class _Misfit(Exception):
    """An edit that does not fit: what was found, what is allowed, and the fix."""

    def __init__(self, found: str, allowed: str = "", fix: str = "copy the path from `previous_plan`"):
        super().__init__(found)
        self.found, self.allowed, self.fix = found, allowed, fix


def previous_answer(state: ReproState) -> dict[str, object]:
    """The planner's whole last answer as it stands now: what `previous_plan` shows and what edits can name."""
    return {
        "plan": state.plan,
        "extracted_parameters": state.extracted_parameters,
        "assumptions": state.assumptions,
        "contradictions": state.contradictions,
        "drawn": state.drawn,
        "instructions_found": state.instructions_found,
    }


def edited(
    state: ReproState, paper: PaperInput, answer: PlanRevisionAnswer
) -> tuple[PlannerAnswer | None, tuple[Issue, ...]]:
    """The planner's answer as a whole, or None and why its edits do not fit; then nothing of them is applied."""
    if answer.plan is not None:
        return PlannerAnswer.model_validate(
            {name: getattr(answer, name) for name in PlannerAnswer.model_fields}
        ), ()
    assert answer.edits is not None
    if state.plan is None:
        return None, (_refused("there is no plan to edit", "answer with a whole `plan`"),)
    people = {entry.assumption_id for entry in state.assumptions if entry.source == "user"}
    before, after = _tree(previous_answer(state)), _tree(previous_answer(state))
    faults = _apply(after, answer.edits, people)
    if not faults and after == before and not answer.keep:
        faults = [_refused("the plan is the same as before", "change what is criticised")]
    if faults:
        return None, tuple(faults[:_MOST])
    # people's words stay by themselves; what code noted of an assumed index it notes again, of the index as it is now
    noted = [_tree(entry) for entry in assumed_indices(state.plan, paper, ())]
    after["assumptions"] = [
        entry
        for entry in after["assumptions"]
        if entry.get("assumption_id") not in people and entry not in noted
    ]
    try:
        return validate_answer(after | {"keep": list(answer.keep)}, PlannerAnswer), ()
    except InvalidAnswer as error:
        return None, tuple(
            _refused(f"the edited plan does not fit: {problem}", "mend the edit of that place")
            for problem in error.problems
        )


def _apply(tree: dict[str, Any], edits: PlanEdits, people: set[str]) -> list[Issue]:
    """Carry the edits out on the tree, in their order; what does not fit is told and leaves its place as it was."""
    faults: list[Issue] = []
    for what, step in _steps(tree, edits, people):
        try:
            step()
        except _Misfit as misfit:
            allowed = f"; allowed: {misfit.allowed}" if misfit.allowed else ""
            faults.append(_refused(f"{what}: {misfit.found}{allowed}", misfit.fix))
    faults += [_refused(f"{what}: named twice in one answer", "name it once") for what in _twice(edits)]
    ids = [entry.get("assumption_id") for entry in tree.get("assumptions", ())]
    faults += [
        _refused(f"assumptions: the id {name!r} is that of a person's words", "another id")
        for name in people
        if ids.count(name) > 1
    ]
    return faults


def _steps(
    tree: dict[str, Any], edits: PlanEdits, people: set[str]
) -> Iterator[tuple[str, Callable[[], None]]]:
    for path in edits.remove:
        yield f"remove {path[:_SHOWN]!r}", partial(_remove, tree, path, people)
    for stage in edits.stages:
        yield f"stages {stage.stage_id!r}", partial(_put, tree["plan"], "stages", stage)
    for entry in edits.targets:
        yield f"targets {entry.target.target_id!r}", partial(_put_target, tree, entry)
    for name in (*_OF_PLAN, *_BESIDE):
        for one in getattr(edits, name):
            yield (
                f"{name} {getattr(one, IDS[name])!r}",
                partial(
                    _put,
                    tree["plan"] if name in _OF_PLAN else tree,
                    name,
                    one,
                    people if name == "assumptions" else (),
                ),
            )
    for drawn in edits.drawn:
        yield f"drawn {drawn.of!r}", partial(_redraw, tree, _tree(drawn))
    for change in edits.changes:
        yield (
            f"change of {change.path[:_SHOWN]!r}",
            partial(_change, tree, change.path, _tree(change.value), people),
        )


def _twice(edits: PlanEdits) -> list[str]:
    named = [
        *(f"change of {change.path[:_SHOWN]!r}" for change in edits.changes),
        *(f"stages {stage.stage_id!r}" for stage in edits.stages),
        *(f"targets {entry.target.target_id!r}" for entry in edits.targets),
        *(
            f"{name} {getattr(one, IDS[name])!r}"
            for name in (*_OF_PLAN, *_BESIDE)
            for one in getattr(edits, name)
        ),
    ]
    return [name for name, often in Counter(named).items() if often > 1]


def _found(tree: dict[str, Any], path: str, people: set[str]) -> tuple[Any, Any, bool]:
    """The object or list that holds the place, its key there, and whether the place is an entry of a list."""
    steps = list(_STEP.finditer(path))
    if not steps or "".join(step[0] for step in steps) != path or path.endswith("."):
        raise _Misfit("is no path", f"names joined by dots, entries by their id in brackets: {_EXAMPLE}")
    here: Any = tree
    parent: Any
    for position, step in enumerate(steps):
        name, entry = step.groups()
        if not isinstance(here, dict):
            raise _Misfit(
                f"{name!r} is no field of {path[: step.start()].rstrip('.')!r}, which is a single value"
            )
        if name not in here:
            raise _Misfit(f"there is no {name!r}", ", ".join(here))
        parent, key, here = here, name, here[name]
        objects = isinstance(here, list) and any(isinstance(one, dict) for one in here)
        if entry is not None:
            if name not in IDS or not isinstance(here, list) or not (objects or not here):
                raise _Misfit(f"{name!r} has no entries with ids", fix="give the whole value")
            if name == "assumptions" and entry in people:
                raise _Misfit(
                    "is what a person said, which stays as it is",
                    "assumptions of agents",
                    "leave it; ask by `questions` if it must change",
                )
            ids = [one.get(IDS[name]) for one in here]
            if ids.count(entry) != 1:
                often = f"{ids.count(entry)} entries have" if entry in ids else "no entry has"
                raise _Misfit(
                    f"{often} the id {entry!r} in {name}",
                    ", ".join(map(str, ids))[:1000] or "none: it is empty",
                )
            parent, key, here = here, ids.index(entry), here[ids.index(entry)]
        elif objects and position + 1 < len(steps):
            raise _Misfit(f"{name!r} is a list: say which entry", f"{name}[{IDS.get(name, 'id')}]")
    return parent, key, steps[-1][2] is not None


def _put_target(tree: dict[str, Any], given: TargetInStage) -> None:
    parent, key, _ = _found(tree, f"plan.stages[{given.stage_id}]", set())
    _put(parent[key], "targets", given.target)


def _remove(tree: dict[str, Any], path: str, people: set[str]) -> None:
    parent, key, _ = _found(tree, path, people)
    if parent is tree or (
        isinstance(parent[key], list) and any(isinstance(one, dict) for one in parent[key])
    ):
        raise _Misfit(
            "that is a whole part of the answer",
            "an entry by its id, or one field",
            "name the entries that go",
        )
    del parent[key]


def _change(tree: dict[str, Any], path: str, value: Any, people: set[str]) -> None:
    parent, key, entry = _found(tree, path, people)
    if entry or isinstance(parent[key], dict):
        raise _Misfit(
            "is an object with fields of its own",
            "one of its fields: " + ", ".join(parent[key]),
            "name the field, or give the whole entry in its list",
        )
    if isinstance(parent[key], list) and any(isinstance(one, dict) for one in parent[key]):
        raise _Misfit(
            "is a list of objects",
            "a field of one entry, by its id",
            "give whole entries in the list of that name",
        )
    parent[key] = value


def _put(holder: dict[str, Any], name: str, entry: Model, people: Container[str] = ()) -> None:
    """The entry in place of the one of its id, or behind the others."""
    made = _tree(entry)
    own = made[IDS[name]]
    if own in people:
        raise _Misfit("is the id of what a person said, which stays as it is", fix="another id")
    ids = [one.get(IDS[name]) for one in holder.setdefault(name, [])]
    if ids.count(own) > 1:
        raise _Misfit(f"{ids.count(own)} entries have that id", fix="answer with a whole `plan`")
    holder[name] = [made if found == own else one for found, one in zip(ids, holder[name], strict=True)]
    if own not in ids:
        holder[name].append(made)


def _redraw(tree: dict[str, Any], made: dict[str, Any]) -> None:
    def which(one: dict[str, Any]) -> tuple[str, str]:
        return one["figure_id"], " ".join(one["of"].split()).casefold()

    tree["drawn"] = [*(one for one in tree["drawn"] if which(one) != which(made)), made]


def _tree(value: Any) -> Any:
    """`value` as JSON types with every field, also those that a dump leaves out."""
    if isinstance(value, Model):
        return {name: _tree(getattr(value, name)) for name in type(value).model_fields}
    if isinstance(value, dict):
        return {name: _tree(one) for name, one in value.items()}
    return [_tree(one) for one in value] if isinstance(value, (list, tuple)) else value


def _refused(description: str, fix: str) -> Issue:
    return Issue(
        severity="blocking",
        where="edits",
        description=f"{description}; nothing of the answer was applied",
        fix=fix,
    )
