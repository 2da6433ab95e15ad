"""Phase 2: every leaf of the frozen rubric graded, the same for two repositories without any work, and all put together."""

from __future__ import annotations

import asyncio
import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from schemas.errors import StateError
from schemas.explore.bundle import RESULTS, ExpectedNumber
from schemas.explore.evaluation import MeasuredRecord
from schemas.explore.grade import CONTROL_LIMIT, Grade, LeafGrade, NegativeControl, Phase1
from schemas.explore.rubric import TaskNode
from schemas.explore.settings import MeasureSettings
from tasks.explore.asking import Ask
from tasks.explore.bundle.run_files import RunFiles, read_model, read_run
from tasks.explore.ors.leaves import Exhibit, grade_leaves, mean
from tasks.explore.ors.number_leaves import MEASURED, graded, measured, reported
from tasks.explore.ors.paper_text import paper_text
from tasks.explore.ors.repository import SANDBOX
from tasks.explore.ors.rubrics import opened
from tasks.explore.ors.running import OUTPUTS, RunSettings, run_reproduce
from tasks.files.store import atomic_write
from tasks.sandbox import scratch

PHASE1, GRADE = "ors_phase1.json", "ors_grade.json"
_README = "# Reproduction\n\nThis repository reproduces all results of the paper. Run `sh reproduce.sh`.\n"


async def grade(
    run_dir: Path,
    ask: Ask,
    settings: RunSettings,
    *,
    runs: int = 3,
    expect_sha256: str = "",
    measure_settings: MeasureSettings | None = None,
) -> Grade:
    """Grade the sandbox of a run after reproduce.sh ran; writes ors_grade.json.

    runs: of the agent over each leaf without a number. The controls get one run each, by the same way. Raises StateError for
    a rubric that is not the frozen one, or while reproduce.sh has not run.
    """
    tree, meta = opened(run_dir, expect_sha256)
    if not 1 <= runs <= 9:
        raise StateError("so many runs of the grader are not possible", found=runs, allowed="1 to 9")
    run = read_run(run_dir)
    judge = _Judge(
        run,
        paper_text(run).text,
        tree,
        {number.name: number for number in meta.numbers},
        ask,
        settings,
        measure_settings or MeasureSettings(),
    )
    phase1 = read_model(run_dir, PHASE1, Phase1)
    record = await asyncio.to_thread(judge.measure, run_dir / SANDBOX, run_dir / MEASURED)
    leaves = await judge.leaves(run_dir / SANDBOX, run_dir / OUTPUTS, phase1, record, runs)
    with scratch("reprolab-controls-") as folder:
        empty = await judge.control(folder / "empty", {}, meta.expected_artifacts)
        boilerplate = await judge.control(
            folder / "boilerplate", _boilerplate(meta.numbers), meta.expected_artifacts
        )
    void = {name for control in (empty, boilerplate) for name, score in control.items() if score > 0}
    done = _together(leaves, tree, empty, boilerplate, void, runs, meta.rubric_sha256)
    cited = set(paper_text(run).cited) & {*run.science.numbers}
    again = {
        leaf.number.name for leaf in leaves if leaf.number is not None and leaf.number.measured is not None
    }
    done = done.model_copy(update={"numbers_again": len(again & cited), "numbers_cited": len(cited)})
    atomic_write(run_dir / GRADE, done.model_dump_json(indent=1))
    return done


class _Judge:
    """What grading any repository by one rubric has in common."""

    def __init__(
        self,
        run: RunFiles,
        paper: str,
        tree: TaskNode,
        numbers: Mapping[str, ExpectedNumber],
        ask: Ask,
        settings: RunSettings,
        measure_settings: MeasureSettings,
    ):
        self.run, self.paper, self.tree, self.numbers, self.ask = run, paper, tree, numbers, ask
        self.settings, self.measure_settings = settings, measure_settings

    def measure(self, repository: Path, keep: Path) -> MeasuredRecord | None:
        if not self.numbers:
            return None
        return measured(
            self.run, repository, keep, self.measure_settings, allow_degraded=self.settings.allow_degraded
        )

    async def leaves(
        self, repository: Path, outputs: Path, phase1: Phase1, record: MeasuredRecord | None, runs: int
    ) -> tuple[LeafGrade, ...]:
        """Every leaf of the rubric, in its order."""
        wrote = any(artifact.path == RESULTS and artifact.fresh for artifact in phase1.artifacts)
        told = reported(outputs) if wrote else {}
        shares = self.tree.shares()
        by_agent = [leaf for leaf in self.tree.leaves() if not leaf.quantity]
        scores = await grade_leaves(
            self.ask, self.paper, by_agent, Exhibit(repository, outputs, phase1), runs
        )
        found = []
        for leaf in self.tree.leaves():
            common = {
                "id": leaf.id,
                "requirements": leaf.requirements,
                "task_category": leaf.task_category,
                "share": min(shares[leaf.id], 1.0),
            }
            if leaf.quantity:
                number = graded(self.numbers[leaf.quantity], record, told)
                found.append(
                    LeafGrade.model_validate(
                        {
                            **common,
                            "graded_by": "code",
                            "score": float(number.agrees),
                            "reason": number.reason,
                            "number": number,
                        }
                    )
                )
            else:
                each, reason = scores[leaf.id]
                found.append(
                    LeafGrade.model_validate(
                        {**common, "graded_by": "agent", "score": mean(each), "runs": each, "reason": reason}
                    )
                )
        return tuple(found)

    async def control(
        self, repository: Path, files: Mapping[str, str], expected: Sequence[str]
    ) -> dict[str, float]:
        """Scores by leaf of a repository in which nothing was done."""
        repository.mkdir(parents=True)
        for path, text in files.items():
            (repository / path).write_text(text, encoding="utf-8")
        outputs = repository.parent / f"{repository.name}-outputs"
        here = self.settings.model_copy(
            update={"where": "sandbox", "partition": "", "image": "", "cpu_s": 30.0}
        )
        phase1 = await asyncio.to_thread(run_reproduce, repository, outputs, tuple(expected), here)
        record = self.measure(repository, outputs / MEASURED)  # there is no program, so nothing runs
        graded_leaves = await self.leaves(repository, outputs, phase1, record, 1)
        return {leaf.id: leaf.score for leaf in graded_leaves}


def _boilerplate(numbers: Sequence[ExpectedNumber]) -> dict[str, str]:
    """A script that does nothing, says that all went well, and even types the paper's numbers."""
    typed = json.dumps({"numbers": {number.name: {"value": number.value} for number in numbers}})
    script = (
        "#!/bin/sh\necho 'Reproducing all experiments of the paper'\n"
        f"printf '%s\\n' {shlex.quote(typed)} > {RESULTS}\necho 'All results were reproduced'\nexit 0\n"
    )
    return {"README.md": _README, "reproduce.sh": script}


def _together(
    leaves: Sequence[LeafGrade],
    tree: TaskNode,
    empty: Mapping[str, float],
    boilerplate: Mapping[str, float],
    void: set[str],
    runs: int,
    sha256: str,
) -> Grade:
    shares = tree.shares()

    def score(by_leaf: Mapping[str, float]) -> float:
        return min(1.0, sum(shares[name] * value for name, value in by_leaf.items()))

    leaves = tuple(leaf.model_copy(update={"void": leaf.id in void}) for leaf in leaves)
    control = NegativeControl(
        empty=score(empty),
        boilerplate=score(boilerplate),
        void_leaves=tuple(leaf.id for leaf in leaves if leaf.void),
        passed=max(score(empty), score(boilerplate)) < CONTROL_LIMIT,
        void_weight=min(1.0, sum(shares[name] for name in void)),
    )
    by_code = [leaf for leaf in leaves if leaf.graded_by == "code"]
    weight = sum(leaf.share for leaf in by_code)
    return Grade(
        ors_score=score({leaf.id: 0.0 if leaf.void else leaf.score for leaf in leaves})
        if control.passed
        else None,
        raw_score=score({leaf.id: leaf.score for leaf in leaves}),
        leaf_grades=leaves,
        n_runs=runs,
        rubric_sha256=sha256,
        numbers_score=sum(leaf.share * leaf.score for leaf in by_code) / weight if weight else None,
        negative_control=control,
        why=""
        if control.passed
        else f"a repository without any work gets {max(score(empty), score(boilerplate)):.0%}, so the "
        "rubric or its grader rewards nothing; the score does not count",
    )
