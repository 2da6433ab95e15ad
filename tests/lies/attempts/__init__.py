"""What adversaries tried who had read the promises only: small papers with a lie that all agents tell together, as data.

Each line of a .jsonl is one of them; `held` says what holds it: "before" (a whole run of 2026-11-26 did not end "Reproduced"),
"structure", "words", "inputs", "choice" (a doubt: of tasks/reproduce/references/structure.py, of what the number is called, of
arithmetic on inputs, of how and over what range it was looked at), "claim" (a result that no target answers), "range" (data that
the plan leaves out), "refused" (the plan goes back), "sign" (the words give its number a sign), "" (it gets through; of an honest
paper: it is reproduced), "lowered" (an honest paper that is not).
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tests.lies.kit import Lie

STAGE = "stage1_main"
FOLDER = Path(__file__).parent
FILES = ("structure", "inputs", "numbers", "scope", "others", "again", "newest", "honest")
Case = dict[str, Any]
_APPROVE = {"verdict": "approve", "issues": [], "checklist": ["all points checked"], "feedback": ""}
_ASSUMED = {
    "assumption_id": "A1",
    "category": "boundary",
    "parameter": "outer media",
    "value": "infinite",
    "source": "convention",
    "reason": "half-spaces",
    "sensitivity": "low",
}


def cases() -> Iterator[Case]:
    """All of them, in their files' order."""
    for name in FILES:
        for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def title(case: Case) -> str:
    """The paper's title."""
    return str(case["text"].split("\n")[0][2:])


def plan(case: Case) -> dict[str, Any]:
    """The planner's answer."""
    materials = case.get("materials", [])
    stage = {
        "stage_id": STAGE,
        "stage_type": case.get("stage_type", "SINGLE_STRUCTURE"),
        "name": "The structure",
        "description": "The structure as the methods have it, lit as stated there.",
        "dependencies": [],
        "materials": [one["name"] for one in materials],
        "expected_balance": case.get("balance", "none"),
        "estimated_runtime_s": 30,
        "targets": case["targets"],
    }
    made = {
        "title": title(case),
        "summary": "One structure, as the methods have it.",
        "main_claim": case.get("claim", "The structure does with light what theory says."),
        "claim_targets": [target["target_id"] for target in case["targets"]],
        "materials": materials,
        "stages": [stage],
        **case.get("more", {}),
    }
    return {
        "plan": made,
        "extracted_parameters": [*case["inputs"], *_results(case)],
        "assumptions": case.get("assumptions") or [_ASSUMED],
    }


def design(case: Case) -> dict[str, Any]:
    """The designer's description."""
    return {
        "stage_id": STAGE,
        "form": "description",
        "summary": "the structure of the methods",
        "code": case["code"],
        "parameters": case.get("views", []),
        "materials": [one["name"] for one in case.get("materials", [])],
        "expectations": ["energy is kept"],
    }


def answers(case: Case, agent: str, stage: str) -> dict[str, Any]:
    """What an agent answers; whoever judges approves."""
    reports = [
        {
            "target_id": target["target_id"],
            "classification": "SUCCESS",
            "explanation": "as the evidence has it",
        }
        for target in case["targets"]
    ]
    report = {
        "executive_summary": "See the evidence.",
        "key_findings": [],
        "systematic_discrepancies": [],
        "final_statement": "See the evidence.",
    }
    goes_on = {"verdict": "ok_continue", "feedback": "", "assessment": "on course"}
    told: dict[str, Callable[[], dict[str, Any]]] = {
        "prompt_adaptor": lambda: {
            "domain": "thin_films",
            "materials": [],
            "techniques": ["FDTD"],
            "adaptations": [],
        },
        "planner": lambda: plan(case),
        "simulation_designer": lambda: {"design": design(case)},
        "execution_validator": lambda: {"verdict": "pass", "recoverable": True, "issues": [], "advice": ""},
        "physics_sanity": lambda: {"verdict": "pass", "issues": [], "advice": ""},
        "results_analyzer": lambda: {
            "reports": reports,
            "discrepancies": [],
            "summary": "as the evidence has it",
        },
        "comparison_validator": lambda: {"verdict": "approve", "issues": [], "feedback": ""},
        "supervisor": lambda: report if stage == "report" else goes_on,
    }
    return copy.deepcopy(told.get(agent, lambda: _APPROVE)())


def write_paper(case: Case, folder: Path) -> None:
    """Its paper in a folder that holds another one."""
    for name, text in case.get("files", {}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "paper.md").write_text(case["text"])
    (folder / "paper.json").write_text(
        json.dumps(
            {
                "paper_id": f"attempt-{case['name']}",
                "title": title(case),
                "citation": "nobody, nowhere (2020)",
                "domain": "thin_films",
                "figures": case.get("figures", []),
            }
        )
    )


def _results(case: Case) -> list[dict[str, Any]]:
    return [
        {
            "name": target["target_id"],
            "value": f"{reference['value']:g}",
            "unit": "" if target["unit"] == "1" else target["unit"],
            "role": "result",
            "quotation": reference["quotation"],
            "place": "Results",
        }
        for target in case["targets"]
        for reference in (target["reference"],)
        if reference["kind"] == "quotation"
    ]


def _lie(case: Case) -> Lie:
    honest = case["kind"] == "honest"
    more: dict[str, Any] = {"verdicts": ("Reproduced",)} if honest else {}
    return Lie(
        name=case["name"],
        role="all",
        kind="honest" if honest else "values",
        gain=f"{case['kind']}: {case['lie']}" if case.get("lie") else "a paper that is right",
        edition="true",
        false=(),
        paper=partial(write_paper, case),
        answers=partial(answers, case),
        open=case["held"] == ("lowered" if honest else ""),
        **more,
    )


ATTEMPTS: tuple[Lie, ...] = tuple(map(_lie, cases()))
"""Each as a lie of a whole run."""
