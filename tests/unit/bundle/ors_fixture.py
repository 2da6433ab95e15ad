"""Agents of a reproduction that answer from a script, and a published run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from schemas.explore.bundle import PublishTarget
from tasks.explore.bundle.curate import curate, read_rules
from tasks.explore.bundle.generate import generate_ear
from tasks.explore.bundle.publishing import publish
from tests.unit.bundle.bundle_run_fixture import finished


def leaf(
    name: str,
    requirements: str,
    category: str = "Code Development",
    parent: str = "root",
    weight: float = 1.0,
    quantity: str = "",
    fine: str = "Method Implementation",
) -> dict[str, Any]:
    """A leaf as a writer drafts it."""
    return {
        "id": name,
        "parent": parent,
        "requirements": requirements,
        "weight": weight,
        "task_category": category,
        "finegrained_task_category": fine,
        "quantity": quantity,
    }


ROOT = {"id": "root", "parent": "", "requirements": "The paper's sums are reproduced."}
DRAFT = [
    ROOT,
    leaf("formula", "code/kernel.py takes the sum in closed form, without a loop.", weight=2),
    leaf("runs", "Running reproduce.sh measures both programs.", "Code Execution"),
    leaf(
        "fewer",
        "The formula needs {{best.steps}} steps.",
        "result match",
        quantity="best.steps",
        fine="metrics",
        weight=2,
    ),
]


class Agents:
    """`ask` with scripted answers. asked: (agent, context) in their order. grader: leaf, context -> (met, evidence)."""

    def __init__(
        self, grader: Any = None, replicator: Any = None, rubrics: list[Any] | None = None, audit: Any = ()
    ):
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.grader, self.replicator, self.audit = grader or honest, replicator, audit
        self.rubrics = rubrics or [DRAFT]

    async def __call__(self, agent: str, context: dict[str, Any], images: Any = ()) -> dict[str, Any]:
        self.asked.append((agent, context))
        if agent == "rubric_writer":
            number = sum(name == agent for name, _ in self.asked)
            return {
                "tasks": self.rubrics[min(number, len(self.rubrics)) - 1],
                "expected_artifacts": ["results.json"],
            }
        if agent == "rubric_auditor":
            return {"findings": list(self.audit), "summary": "read"}
        if agent == "replicator":
            return self.replicator
        scores = [(each["id"], *self.grader(each, context)) for each in context["leaves"]]
        return {
            "scores": [{"leaf": name, "met": met, "evidence": evidence} for name, met, evidence in scores]
        }


def honest(leaf: dict[str, Any], context: dict[str, Any]) -> tuple[bool, str]:
    """Looks into the files and the log."""
    if leaf["id"] == "formula":
        files = {file["path"]: file["text"] for file in context["files"]}
        return "top * (top + 1)" in files.get("code/kernel.py", ""), "code/kernel.py, total"
    return "measured baseline, 1 of" in context["log"], "log: measured baseline, 1 of"


def published(run: Path) -> Path:
    """A finished run whose bundle was published to the local tarball."""
    generate_ear(finished(run))
    rules = read_rules(run / "ear")
    curate(run / "ear", run / "ear_published", run / "manifest.lock", rules)
    publish(run / "ear_published", run / "bundle.tar.gz", run / "publish_record.json", PublishTarget(), rules)
    return run
