"""What a finished search left in its folder, as the bundle and the reproduction read it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from schemas.base import Model
from schemas.errors import StateError
from schemas.explore.evaluation import MeasuredRecord, MetricSpec
from schemas.explore.goal import Goal
from schemas.explore.node_report import NodeReport
from schemas.explore.science_data import ScienceData
from schemas.explore.tree import Tree
from schemas.reading.beneath import Unopened, read_below
from tasks.explore.goals import load_goal, read_goal_file
from tasks.explore.nodes.provided import PROVIDED, provided_record

GOAL = "goal"
_MOST = 64 << 20
_Kind = TypeVar("_Kind", bound=Model)


@dataclass(frozen=True)
class RunFiles:
    """best: first of science_data.json's ranking. baseline: the files as provided, where they were measured; else the first
    node on the way to it that was; '' if none."""

    run_dir: Path
    science: ScienceData
    spec: MetricSpec
    goal: Goal
    tree: Tree
    reports: dict[str, NodeReport]
    records: dict[str, MeasuredRecord]
    best: str
    baseline: str

    def program(self) -> bytes:
        """The measure program as it was frozen before the search. Raises StateError if it is another now."""
        raw = taken(self.run_dir, self.spec.program)
        if hashlib.sha256(raw).hexdigest() != self.spec.sha256:
            raise StateError(
                "the measure program is not the one that was frozen before the search",
                found=self.spec.program,
                allowed=f"sha256 {self.spec.sha256}",
                fix="restore it; every number was measured with it",
            )
        return raw

    def given(self) -> dict[str, bytes]:
        """The files that came with the goal, by path; nothing that an experiment wrote."""
        return {file.path: read_goal_file(self.goal, file) for file in self.goal.provided}


def read_run(run_dir: Path) -> RunFiles:
    """The files of a run whose data were collected. Raises StateError naming what is missing or does not fit."""
    science = read_model(run_dir, "science_data.json", ScienceData)
    spec = read_model(run_dir, "evaluation_criteria.json", MetricSpec)
    name = next(
        (name for name in ("tree.json", "nodes_tree.json") if (run_dir / name).is_file()), "tree.json"
    )
    tree = read_model(run_dir, name, Tree)
    folders = {node.id: f"nodes/{node.id}" for node in tree.nodes}
    reports = {
        node_id: read_model(run_dir, f"{folder}/node_report.json", NodeReport)
        for node_id, folder in folders.items()
        if (run_dir / folder / "node_report.json").is_file()
    }
    records = {
        node_id: read_model(run_dir, f"{folder}/measured.json", MeasuredRecord)
        for node_id, folder in folders.items()
        if (run_dir / folder / "measured.json").is_file()
    }
    ranked = sorted((found.rank, found.node_id) for found in science.configurations if found.rank > 0)
    best = next((node_id for _, node_id in ranked if node_id in folders), "")
    if not best:
        raise StateError(
            "no node of the search was measured",
            found=f"{len(tree.nodes)} nodes",
            fix="there is nothing to publish; look at the nodes' reports",
        )
    provided = provided_record(run_dir, spec)
    records |= {PROVIDED: provided} if provided and provided.metrics else {}
    before = (
        [PROVIDED]
        if PROVIDED in records
        else [
            node_id
            for node_id in tree.node(best).ancestor_ids
            if tree.node(node_id).works and node_id in records
        ]
    )
    return RunFiles(
        run_dir,
        science,
        spec,
        load_goal(run_dir / GOAL),
        tree,
        reports,
        records,
        best,
        before[0] if before else "",
    )


def read_model(run_dir: Path, name: str, kind: type[_Kind]) -> _Kind:
    """A JSON file of the run as its model."""
    try:
        return kind.model_validate_json(taken(run_dir, name))
    except ValueError as error:
        raise StateError(
            f"{run_dir / name} does not fit",
            found=" ".join(str(error).split())[:300],
            fix="another version wrote it, or it was changed by hand; run its stage again",
        ) from None


def taken(run_dir: Path, name: str) -> bytes:
    """The bytes of a file of the run."""
    try:
        return read_below(run_dir, name, _MOST)
    except Unopened as error:
        raise StateError(f"{run_dir / name} {error}", fix="run the stage that writes it first") from None
