"""Asking for a rubric, and for its audit."""

from __future__ import annotations

import json
from pathlib import Path

from schemas.explore.bundle import EXPECTED, Expected, ExpectedNumber
from schemas.explore.rubric import (
    RubricAudit,
    RubricAuditorAnswer,
    RubricFinding,
    RubricMeta,
    RubricWriterAnswer,
)
from tasks.explore.asking import Ask, asked
from tasks.explore.bundle.expected import expected_numbers
from tasks.explore.bundle.run_files import RunFiles, read_model, read_run
from tasks.explore.ors.paper_text import paper_text
from tasks.explore.ors.rubrics import AUDIT, Built, built, freeze, opened
from tasks.files.store import atomic_write

ROUNDS = 2
"""How often a draft with faults is written again."""


def numbers_of(run: RunFiles) -> dict[str, ExpectedNumber]:
    """The paper's numbers that can be measured again, by name: the bundle's, or the same from the data without a bundle."""
    if (run.run_dir / "ear" / EXPECTED).is_file():
        found = read_model(run.run_dir / "ear", EXPECTED, Expected).numbers
    else:
        found = expected_numbers(run.science, run.records, run.spec, run.best, run.baseline)
    return {number.name: number for number in found}


def blind(numbers: dict[str, ExpectedNumber]) -> list[dict[str, str]]:
    """The numbers as an agent is told of them: what they are, not their values."""
    on = {
        "code": "the program in code/",
        "baseline": "the program in baseline/",
        "ratio": "code/ over baseline/",
        "inverse": "baseline/ over code/",
        "change": "change in percent from baseline/ to code/",
    }
    return [
        {"name": number.name, "metric": number.metric, "measured_on": on[number.of], "unit": number.unit}
        for number in numbers.values()
    ]


async def generate_rubric(run_dir: Path, ask: Ask) -> RubricMeta:
    """Have the rubric written from the paper, mend and check it, and freeze it. An audit of the last one is told."""
    run = read_run(run_dir)
    paper, numbers = paper_text(run), numbers_of(run)
    audit = read_model(run_dir, AUDIT, RubricAudit) if (run_dir / AUDIT).is_file() else None
    faults = audit.feedback if audit is not None else ""
    found = Built()
    for _ in range(ROUNDS + 1):
        answer = await asked(
            ask,
            "rubric_writer",
            RubricWriterAnswer,
            {"paper_text": paper.text, "numbers": blind(numbers), "faults": faults},
        )
        found = built(answer, paper, numbers)
        if not found.faults:
            break
        faults = "\n".join(found.faults[:20])
    (run_dir / AUDIT).unlink(missing_ok=True)
    return freeze(run_dir, found, paper, numbers)


async def audit_rubric(run_dir: Path, ask: Ask) -> RubricAudit:
    """Have the frozen rubric audited against the paper; the score is the share of the weight without a finding."""
    tree, meta = opened(run_dir)
    paper = paper_text(read_run(run_dir))
    findings: list[RubricFinding] = []
    if paper.sha256 != meta.paper_sha256:
        findings += [
            RubricFinding(leaf=leaf.id, flag="not_in_paper", reason="the paper was changed since")
            for leaf in tree.leaves()
        ]
    answer = await asked(
        ask,
        "rubric_auditor",
        RubricAuditorAnswer,
        {"paper_text": paper.text, "rubric": json.loads(tree.model_dump_json(exclude_defaults=True))},
    )
    shares = tree.shares()
    findings += [found for found in answer.findings if found.leaf in shares]
    flagged = {found.leaf for found in findings}
    score = sum(share for leaf, share in shares.items() if leaf not in flagged)
    audit = RubricAudit(
        rubric_sha256=meta.rubric_sha256,
        score=min(max(score, 0.0), 1.0),
        findings=tuple(findings),
        summary=answer.summary,
    )
    atomic_write(run_dir / AUDIT, audit.model_dump_json(indent=1))
    return audit
