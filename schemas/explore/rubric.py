"""A rubric in PaperBench's format: a tree of requirements, its leaves graded, its digest frozen before anything is graded.

Source: G. Starace et al., PaperBench (2025), rubric/tasks.py: a leaf has both categories, an inner node neither; the score
of an inner node is the weighted mean of its children's. `quantity` is ours; PaperBench's loader passes over it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeVar, get_args

from pydantic import Field, model_validator

from schemas.base import Identifier, Model, digest
from schemas.explore.bundle import ExpectedNumber

TaskCategory = Literal["Code Development", "Code Execution", "Result Analysis"]
FinegrainedTaskCategory = Literal[
    "Environment & Infrastructure Setup",
    "Dataset and Model Acquisition",
    "Data Processing & Preparation",
    "Method Implementation",
    "Experimental Setup",
    "Evaluation, Metrics & Benchmarking",
    "Logging, Analysis & Presentation",
]
TASK_CATEGORIES: tuple[TaskCategory, ...] = get_args(TaskCategory)
FINEGRAINED_TASK_CATEGORIES: tuple[FinegrainedTaskCategory, ...] = get_args(FinegrainedTaskCategory)
MOST_LEAVES, MOST_DEPTH = 60, 6
_Name = TypeVar("_Name", bound=str)

_TASK_WORDS: dict[TaskCategory, tuple[str, ...]] = {
    "Code Development": ("development", "implementation", "code", "coding", "implement"),
    "Code Execution": ("execution", "execute", "executed", "run", "running", "runs"),
    "Result Analysis": ("result", "results", "match", "analysis", "outcome"),
}
_FINE_WORDS: dict[FinegrainedTaskCategory, tuple[str, ...]] = {
    "Environment & Infrastructure Setup": (
        "environment",
        "infrastructure",
        "dependencies",
        "installation",
        "hardware",
    ),
    "Dataset and Model Acquisition": ("acquisition", "dataset", "datasets", "download", "model"),
    "Data Processing & Preparation": ("processing", "preparation", "preprocessing", "data", "cleaning"),
    "Method Implementation": ("method", "implementation", "algorithm", "kernel", "code"),
    "Experimental Setup": (
        "experimental",
        "experiment",
        "configuration",
        "hyperparameters",
        "parameters",
        "setup",
    ),
    "Evaluation, Metrics & Benchmarking": (
        "evaluation",
        "metrics",
        "metric",
        "benchmarking",
        "benchmark",
        "measurement",
    ),
    "Logging, Analysis & Presentation": (
        "logging",
        "presentation",
        "analysis",
        "visualization",
        "plotting",
        "figures",
        "results",
    ),
}


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower())


def _nearest(text: str, table: Mapping[_Name, tuple[str, ...]]) -> _Name | None:
    """The entry whose own name, or most of whose words, `text` holds; the first of several. None: no word fits."""
    found = set(_words(text))
    for name in table:
        if _words(text) == _words(name):
            return name
    marks = {name: len(found & {*words, *(set(_words(name)) - {"and"})}) for name, words in table.items()}
    best = max(marks, key=lambda name: marks[name])
    return best if marks[best] else None


def task_category_of(text: str) -> TaskCategory | None:
    """The category a model's words mean, such as "code_dev implementation" or "Result Match"."""
    return _nearest(text, _TASK_WORDS)


def finegrained_category_of(text: str) -> FinegrainedTaskCategory | None:
    """The finer category a model's words mean."""
    return _nearest(text, _FINE_WORDS)


class TaskNode(Model):
    """One requirement. quantity: the name in science_data.json of the number a leaf states; then code grades it."""

    id: Identifier
    requirements: str = Field(min_length=10, max_length=2000)
    weight: float = Field(1.0, ge=0, le=1000, allow_inf_nan=False)
    sub_tasks: tuple[TaskNode, ...] = ()
    task_category: TaskCategory | None = None
    finegrained_task_category: FinegrainedTaskCategory | None = None
    quantity: str = Field("", max_length=120)

    @model_validator(mode="after")
    def _categories_on_leaves(self) -> TaskNode:
        given = (self.task_category, self.finegrained_task_category)
        if self.sub_tasks and (any(given) or self.quantity):
            raise ValueError(f"{self.id}: an inner node has no category and no quantity")
        if not self.sub_tasks and not all(given):
            raise ValueError(f"{self.id}: a leaf has task_category and finegrained_task_category")
        return self

    def leaves(self) -> Iterator[TaskNode]:
        """The leaves below, in order; itself if it is one."""
        if not self.sub_tasks:
            yield self
        for child in self.sub_tasks:
            yield from child.leaves()

    def nodes(self) -> Iterator[TaskNode]:
        """All nodes, each before its children."""
        yield self
        for child in self.sub_tasks:
            yield from child.nodes()

    def shares(self, whole: float = 1.0) -> dict[str, float]:
        """Each leaf's share of the whole score, by id; they sum to 1 unless all weights somewhere are 0."""
        if not self.sub_tasks:
            return {self.id: whole}
        total = sum(child.weight for child in self.sub_tasks)
        return {
            name: share
            for child in self.sub_tasks
            for name, share in child.shares(whole * child.weight / total if total else 0.0).items()
        }


class DraftTask(Model):
    """A requirement as the rubric's writer gives it: categories in its own words, mended by code."""

    id: str = Field(max_length=80)
    parent: str = Field(max_length=80, description="id of the task it is part of; empty for the one root")
    requirements: str = Field(
        max_length=2000,
        description="checkable by reading files or running reproduce.sh; a measured "
        "number as {{its name}}, never typed",
    )
    weight: float = Field(1.0, description="importance among its siblings")
    task_category: str = Field("", description="leaves: Code Development, Code Execution or Result Analysis")
    finegrained_task_category: str = Field("", description="leaves: one of the seven finer categories")
    quantity: str = Field("", description="leaves about one measured number: its name in `numbers`")


class RubricWriterAnswer(Model):
    """What the rubric's writer returns; each task after its parent."""

    tasks: tuple[DraftTask, ...] = Field(min_length=2, max_length=100)
    expected_artifacts: tuple[str, ...] = Field(
        (), max_length=20, description="files that reproduce.sh must write"
    )


class RubricFinding(Model):
    """What is wrong with one leaf."""

    leaf: str
    flag: Literal[
        "vague",
        "not_in_paper",
        "rewards_absence",
        "duplicate",
        "wrong_category",
        "typed_number",
        "unknown_quantity",
    ]
    reason: str


class RubricAuditorAnswer(Model):
    """What the auditor returns: nothing where all is well."""

    findings: tuple[RubricFinding, ...] = ()
    summary: str = Field(max_length=2000)


class RubricMeta(Model):
    """`ors_rubric.meta.json`: the rubric's seal. mended: what the normaliser changed, for people."""

    format: Literal["reprolab-rubric/1"] = "reprolab-rubric/1"
    rubric_sha256: str = Field(description="sha256 of the canonical JSON of the tree")
    paper_sha256: str = Field(description="of the paper's source the rubric was written from")
    numbers: tuple[ExpectedNumber, ...] = Field(
        (), description="the paper's, behind the leaves that code grades"
    )
    dropped: tuple[str, ...] = Field(
        (), description="leaves that stayed faulty, and why; none of them counts"
    )
    expected_artifacts: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    leaves: int
    seal: str = Field(description="sha256 over all of the above")

    @staticmethod
    def sealed(**fields: Any) -> RubricMeta:
        """With its seal."""
        blank = RubricMeta(seal="", **fields)
        return blank.model_copy(update={"seal": blank.expected_seal()})

    def expected_seal(self) -> str:
        """What the seal of these fields is."""
        return digest(self.model_dump(mode="json", exclude={"seal"}))


class RubricAudit(Model):
    """`ors_rubric.audit.json`. score: the weight's share without a finding; below the pipeline's bound it is written anew."""

    rubric_sha256: str
    score: float = Field(ge=0, le=1)
    findings: tuple[RubricFinding, ...] = ()
    summary: str = ""

    @property
    def feedback(self) -> str:
        """The findings as lines."""
        return "\n".join(
            f"{found.leaf}: {found.flag.replace('_', ' ')}: {found.reason}" for found in self.findings
        )


def rubric_sha256(tree: TaskNode) -> str:
    """sha256 of the canonical JSON of the tree."""
    return digest(tree)
