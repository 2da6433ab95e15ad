"""A rubric: from a writer's draft to PaperBench's form, frozen with its digest, and opened again only if it still has it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from schemas.base import canonical_json
from schemas.errors import StateError
from schemas.explore.bundle import RESULTS, ExpectedNumber
from schemas.explore.rubric import (
    MOST_DEPTH,
    MOST_LEAVES,
    DraftTask,
    RubricMeta,
    RubricWriterAnswer,
    TaskNode,
    finegrained_category_of,
    rubric_sha256,
    task_category_of,
)
from schemas.reading.beneath import Unopened, parts_of
from schemas.text.visible import one_visible_line
from tasks.explore.bundle.run_files import read_model
from tasks.explore.ors.paper_text import PaperText, names_in
from tasks.explore.paper.markup import inlines
from tasks.explore.paper.typed_numerals import typed_numbers, vocabulary
from tasks.files.store import atomic_write

RUBRIC, META, AUDIT = "ors_rubric.json", "ors_rubric.meta.json", "ors_rubric.audit.json"
_ID = re.compile(r"[^A-Za-z0-9_.-]+")
_ADDED = "numbers-of-the-paper"


@dataclass
class Built:
    """A draft in PaperBench's form. faults: what its writer has to mend; dropped: leaves that are left out because of them."""

    tree: TaskNode | None = None
    artifacts: tuple[str, ...] = ()
    mended: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)


def built(answer: RubricWriterAnswer, paper: PaperText, numbers: Mapping[str, ExpectedNumber]) -> Built:
    """The tree of a draft, its categories in the closed vocabulary; faulty leaves are left out of it.

    numbers: those a leaf may name as its quantity. Numbers that the paper cites and no leaf names get a leaf of their own.
    """
    found = Built(artifacts=_artifacts(answer.expected_artifacts))
    children: dict[str, list[DraftTask]] = {}
    before: set[str] = {""}
    for task in answer.tasks:
        if not task.id or task.id in before:
            found.faults.append(f"{task.id!r}: two tasks have this id")
        if task.parent not in before:  # so that no task is part of itself
            found.faults.append(f"{task.id}: its parent {task.parent!r} is not among the tasks before it")
        before.add(task.id)
        children.setdefault(task.parent, []).append(task)
    if len(children.get("", [])) != 1:
        found.faults.append(f"{len(children.get('', []))} tasks have no parent; the root alone has none")
    if found.faults:
        return found
    names = vocabulary([paper.text])
    tree = _node(children[""][0], children, numbers, names, found, 1, set())
    leaves = list(tree.leaves()) if tree is not None and tree.sub_tasks else []
    if tree is None or not leaves:
        found.faults.append("no usable leaf is left")
        return found
    if len(leaves) > MOST_LEAVES:
        found.faults.append(f"{len(leaves)} leaves; at most {MOST_LEAVES}")
        return found
    if not any(tree.shares().values()):
        found.faults.append("all weights are 0")
        return found
    found.tree = _with_missing_numbers(tree, paper, numbers, found)
    return found


def _node(
    task: DraftTask,
    children: Mapping[str, list[DraftTask]],
    numbers: Mapping[str, ExpectedNumber],
    names: Collection[str],
    found: Built,
    depth: int,
    taken: set[str],
) -> TaskNode | None:
    below = children.get(task.id, [])
    name = _ID.sub("-", task.id).strip("-._")[:60] or "task"
    while name in taken:
        name += "x"
    taken.add(name)
    faults = [] if below else _leaf_faults(task, numbers, names)
    if depth > MOST_DEPTH:
        faults.append(f"deeper than {MOST_DEPTH} levels")
    if not 0 <= task.weight <= 1000:
        faults.append(f"weight {task.weight:g}; allowed is 0 to 1000")
    fields: dict[str, object] = {
        "id": name,
        "requirements": one_visible_line(task.requirements, 1990),
        "weight": task.weight,
    }
    if below:
        nodes = (
            (_node(child, children, numbers, names, found, depth + 1, taken) for child in below)
            if not faults
            else ()
        )
        fields["sub_tasks"] = tuple(node for node in nodes if node is not None)
    elif not faults:
        fields.update(
            task_category=task_category_of(task.task_category),
            quantity=task.quantity,
            finegrained_task_category=finegrained_category_of(task.finegrained_task_category),
        )
        found.mended += [
            f"{name}: {given!r} became {fields[key]!r}"
            for key, given in (
                ("task_category", task.task_category),
                ("finegrained_task_category", task.finegrained_task_category),
            )
            if fields[key] != given
        ]
    try:
        if faults:
            raise ValueError("; ".join(faults))
        return None if below and not fields["sub_tasks"] else TaskNode.model_validate(fields)
    except ValidationError as error:
        reason = error.errors(include_url=False)[0]["msg"]
    except ValueError as error:
        reason = str(error)
    found.faults.append(f"{task.id}: {reason}")
    found.dropped.append(f"{name}: {reason}")
    return None


def _leaf_faults(task: DraftTask, numbers: Mapping[str, ExpectedNumber], names: Collection[str]) -> list[str]:
    faults = []
    if task_category_of(task.task_category) is None:
        faults.append(f"task_category {task.task_category!r} is none of PaperBench's")
    if finegrained_category_of(task.finegrained_task_category) is None:
        faults.append(f"finegrained_task_category {task.finegrained_task_category!r} is none of PaperBench's")
    if task.quantity and task.quantity not in numbers:
        faults.append(f"the quantity {task.quantity!r} is no number that can be measured again")
    if task_category_of(task.task_category) == "Result Analysis":
        faults += [
            f"{typed}: cite numbers as {{{{name}}}}"
            for typed in typed_numbers(inlines(task.requirements), names)[:2]
        ]
        measured = [name for name in names_in(task.requirements) if name in numbers]
        if measured and task.quantity not in measured:
            faults.append("it cites a measured number, so its quantity must be that number; code grades it")
    return faults


def _with_missing_numbers(
    tree: TaskNode, paper: PaperText, numbers: Mapping[str, ExpectedNumber], found: Built
) -> TaskNode:
    there = {leaf.quantity for leaf in tree.leaves()}
    missing = [name for name in paper.cited if name in numbers and name not in there]
    if not missing:
        return tree
    leaves = tuple(
        TaskNode(
            id=f"number-{name}"[:80],
            requirements=f"reproduce.sh measures {name} again, and it lies within the error bars of "
            f"{{{{{name}}}}}.",
            task_category="Result Analysis",
            finegrained_task_category="Evaluation, Metrics & Benchmarking",
            quantity=name,
        )
        for name in missing
    )
    weight = sum(child.weight for child in tree.sub_tasks) / len(tree.sub_tasks)
    group = TaskNode(
        id=_ADDED,
        requirements="The numbers of the paper that can be measured again are measured again.",
        weight=weight or 1.0,
        sub_tasks=leaves,
    )
    found.mended.append(f"{_ADDED}: added for {', '.join(missing)}, which the paper cites and no leaf named")
    return tree.model_copy(update={"sub_tasks": (*tree.sub_tasks, group)})


def _artifacts(given: Sequence[str]) -> tuple[str, ...]:
    found = {RESULTS: None}
    for name in given:
        try:
            found.setdefault("/".join(parts_of(name)))
        except Unopened:
            continue
    return tuple(found)


def freeze(
    run_dir: Path, rubric: Built, paper: PaperText, numbers: Mapping[str, ExpectedNumber]
) -> RubricMeta:
    """Write the rubric and its seal; from here on it is graded by, and not changed. Raises StateError without a tree."""
    if rubric.tree is None:
        raise StateError(
            "there is no usable rubric", found="; ".join(rubric.faults[:5]), fix="let it be written again"
        )
    leaves = list(rubric.tree.leaves())
    used = {leaf.quantity for leaf in leaves if leaf.quantity}
    meta = RubricMeta.sealed(
        rubric_sha256=rubric_sha256(rubric.tree),
        paper_sha256=paper.sha256,
        leaves=len(leaves),
        numbers=tuple(number for name, number in numbers.items() if name in used),
        mended=tuple(rubric.mended),
        expected_artifacts=rubric.artifacts,
        dropped=tuple(rubric.dropped),
    )
    atomic_write(run_dir / RUBRIC, canonical_json(rubric.tree) + "\n")
    atomic_write(run_dir / META, meta.model_dump_json(indent=1))
    return meta


def opened(run_dir: Path, expect_sha256: str = "") -> tuple[TaskNode, RubricMeta]:
    """The frozen rubric. Raises StateError if the tree or its seal is not what was frozen, or expected."""
    tree, meta = read_model(run_dir, RUBRIC, TaskNode), read_model(run_dir, META, RubricMeta)
    found = rubric_sha256(tree)
    if (
        found != meta.rubric_sha256
        or meta.seal != meta.expected_seal()
        or (expect_sha256 and found != expect_sha256)
    ):
        raise StateError(
            "the rubric is not the one that was frozen; nothing is graded by it",
            found=found,
            allowed=expect_sha256 or meta.rubric_sha256,
            fix=f"restore {RUBRIC} and {META}, or let the rubric be written again",
        )
    return tree, meta
