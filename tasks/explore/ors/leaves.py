"""Leaves without a number, graded by an agent several times; code lets only stand what points at something that is there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from schemas.explore.grade import LeafGraderAnswer, LeafScore, Phase1
from schemas.explore.rubric import TaskNode
from schemas.reading.beneath import Unopened, read_below
from schemas.text.visible import visible
from tasks.explore.asking import Ask, asked
from tasks.explore.nodes.node_files import regular_files
from tasks.explore.ors.running import LOG

AT_ONCE = 15
"""Leaves of one request."""
_SHOWN_BYTES, _FILE_BYTES, _LOG_CHARACTERS = 60_000, 20_000, 6_000
_QUOTED = 12  # characters of the log that count as a quotation


class Exhibit:
    """What a grader is shown of a repository: its files, the log, and how the run ended."""

    def __init__(self, repository: Path, outputs: Path, phase1: Phase1):
        self.phase1 = phase1
        self.paths = tuple(regular_files(repository)) if repository.is_dir() else ()
        self.files = _texts(repository, self.paths)
        self.log = _log(outputs)

    def context(self, paper: str, leaves: Sequence[TaskNode]) -> dict[str, object]:
        """The grader's request for some leaves."""
        run = self.phase1
        written = [artifact.path for artifact in run.artifacts if artifact.fresh]
        return {
            "paper_text": paper,
            "files": [{"path": path, "text": text} for path, text in self.files],
            "other_files": [path for path in self.paths if path not in dict(self.files)][:200],
            "log": self.log,
            "outcome": {
                "executed": run.executed,
                "exit_code": run.exit_code,
                "written": written,
                "missing": list(run.missing),
            },
            "leaves": [
                {"id": leaf.id, "category": leaf.task_category, "requirements": leaf.requirements}
                for leaf in leaves
            ],
        }

    def holds(self, leaf: TaskNode, score: LeafScore) -> str:
        """Why a leaf that a grader calls met is not; '' if it stands."""
        if leaf.task_category != "Code Development" and not self.phase1.succeeded:
            return "reproduce.sh did not run to a good end"
        evidence = " ".join(score.evidence.split())
        named = any(path in evidence for path in self.paths)
        log = " ".join(self.log.split())
        quoted = any(evidence[at : at + _QUOTED] in log for at in range(max(0, len(evidence) - _QUOTED + 1)))
        return (
            ""
            if named or (quoted and log)
            else "the evidence names no file of the repository and quotes nothing of the log"
        )


async def grade_leaves(
    ask: Ask, paper: str, leaves: Sequence[TaskNode], exhibit: Exhibit, runs: int
) -> dict[str, tuple[tuple[float, ...], str]]:
    """Each run's score by leaf, and the reason of the last. A leaf the grader leaves out, or names twice, is not met."""
    scores: dict[str, list[float]] = {leaf.id: [] for leaf in leaves}
    reasons: dict[str, str] = {}
    for _ in range(runs):
        for start in range(0, len(leaves), AT_ONCE):
            part = leaves[start : start + AT_ONCE]
            answer = await asked(ask, "leaf_grader", LeafGraderAnswer, exhibit.context(paper, part))
            for leaf in part:
                given = [score for score in answer.scores if score.leaf == leaf.id]
                why = (
                    "it was not graded once"
                    if len(given) != 1
                    else exhibit.holds(leaf, given[0])
                    if given[0].met
                    else ""
                )
                met = len(given) == 1 and given[0].met and not why
                scores[leaf.id].append(1.0 if met else 0.0)
                reasons[leaf.id] = why or visible(given[0].evidence, 400)
    return {name: (tuple(found), reasons.get(name, "")) for name, found in scores.items()}


def mean(scores: Sequence[float]) -> float:
    """The score of a leaf over its runs."""
    return fmean(scores) if scores else 0.0


def _texts(repository: Path, paths: Sequence[str]) -> list[tuple[str, str]]:
    """Text files, those a reader starts with first, until the room is used; the beginning of a long one."""
    order = sorted(
        paths,
        key=lambda path: (
            path.split("/")[0] not in ("reproduce.sh", "README.md", "code"),
            path.split("/")[0] in ("library", "data", "figures"),
            path,
        ),
    )
    room, found = _SHOWN_BYTES, []
    for path in order:
        try:
            raw = read_below(repository, path, 5 << 20, one_name=False)
            text = raw[:_FILE_BYTES].decode("utf-8", "ignore")
        except Unopened:
            continue
        if b"\0" in raw[:4096] or path.startswith("library/") or len(text) > room:
            continue
        room -= len(text)
        found.append((path, visible(text)))
    return found


def _log(outputs: Path) -> str:
    try:
        text = visible(read_below(outputs, LOG, 8 << 20).decode("utf-8", "replace"))
    except Unopened:
        return ""
    half = _LOG_CHARACTERS // 2
    return text if len(text) <= _LOG_CHARACTERS else f"{text[:half]}\n[...]\n{text[-half:]}"
