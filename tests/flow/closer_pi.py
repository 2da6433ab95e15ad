"""A goal whose candidates are fractions, and a model that tries one after the other: an exploration of seconds for tests."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.messages_server import Turn, Use, label_of

FRACTIONS = ("22/7", "355/113", "103993/33102", "3.14", "1/0", "3.1416", "104348/33215", "25/8")
GOAL = """# A closer pi

Find a short expression in approx.py whose printed value is as close to pi as possible.
A candidate prints one number.

## Provided Files
- approx.py

## Measure
`measure.py`

## Metric
- name: error
- unit: 1
- direction: lower
- kind: deterministic
- repeats: 1

## Id
closer-pi
"""
MEASURE = """import json, math, subprocess, sys
out = subprocess.run([sys.executable, "candidate/approx.py"], capture_output=True, text=True, timeout=20)
found = float(out.stdout) if out.returncode == 0 else math.inf
json.dump({"metrics": {"error": {"value": abs(found - math.pi), "unit": "1"}} if out.returncode == 0 else {},
           "checks": {"prints": out.returncode == 0}}, open("measured.json", "w"))
"""
SEARCH_ONLY = """skills:
  - {name: idea, phase: survey}
  - {name: evaluator, phase: survey}
  - {name: coding, phase: bfts}
  - {name: memory, phase: bfts}
"""


def write_goal(folder: Path) -> Path:
    """The goal with its files."""
    folder.mkdir(parents=True)
    for name, text in (
        ("goal.md", GOAL),
        ("measure.py", MEASURE),
        ("approx.py", "print(3)\n"),
        ("workflow.yaml", SEARCH_ONLY),
    ):
        (folder / name).write_text(text)
    return folder / "goal.md"


def answer(request: dict[str, Any]) -> dict[str, Any] | Turn:
    """What the model says at a place of the run; the same wherever and whenever it is asked."""
    label = label_of(request)
    agent, place = label.split(".")[:2]
    if agent == "experimenter":
        number = int(place[1:])
        if ".t" not in label:
            return Turn(
                "Try a fraction.",
                [
                    Use(
                        "write_code",
                        {"file": "approx.py", "content": f"print({FRACTIONS[number % len(FRACTIONS)]})\n"},
                    ),
                    Use("run_code", {"file": "approx.py"}),
                ],
            )
        return Turn(
            "",
            [
                Use(
                    "finish",
                    {
                        "summary": "A fraction was tried.",
                        "claims": [],
                        "memory": f"fraction {number}",
                        "run_command": "python3 approx.py",
                    },
                )
            ],
        )
    if agent == "expander":
        return {"label": "improve", "direction": f"another convergent of the continued fraction: {label}"}
    if agent == "node_evaluator":
        return {
            "axes": [
                {"axis": name, "score": 0.6, "reason": "as a fraction is"} for name in axes_asked(request)
            ],
            "headline": "a fraction was tried",
        }
    if agent == "lineage_judge":
        return {"action": "continue", "ideas": [], "reason": "there are more convergents"}
    if agent == "section_writer":
        section = context_of(request, "section")
        return {
            "text": SECTIONS[section],
            "title": "Fractions close to a circle" if section == "abstract" else "",
        }
    if agent == "paper_reviewer":
        scales = [(scale["scale"], scale["to"] - 1) for scale in json.loads(context_of(request, "scales"))]
        return {
            "summary": "It measures fractions.",
            "strengths": ["checks"],
            "weaknesses": ["small"],
            "recommendation": "accept",
            "confidence": 4,
            "scores": [{"scale": name, "score": score, "reason": "as measured"} for name, score in scales],
        }
    if agent == "leaf_grader":
        return {
            "scores": [
                {
                    "leaf": leaf["id"],
                    "met": "approx.py" in context_of(request, "files"),
                    "evidence": "code/approx.py prints one number",
                }
                for leaf in json.loads(context_of(request, "leaves"))
            ]
        }
    return {**IDEAS, **AFTER}[agent]


def stuck(request: dict[str, Any]) -> dict[str, Any] | Turn:
    """The same, where the first idea leads nowhere after its root: the search goes over to decimals, in a sub-run."""
    label = label_of(request)
    agent, place = label.split(".")[:2]
    if agent == "experimenter" and ".t" not in label and not of_sub_run(request):
        found = ("355/113", "3.14", "1/0", "25/8", "22/7")[int(place[1:]) % 5]
        return Turn(
            "Try a fraction.",
            [
                Use("write_code", {"file": "approx.py", "content": f"print({found})\n"}),
                Use("run_code", {"file": "approx.py"}),
            ],
        )
    if label.startswith("lineage_judge.-.1."):
        return {"action": "switch_to_idea", "ideas": [1], "reason": "convergents are exhausted"}
    return answer(request)


def spread(request: dict[str, Any]) -> dict[str, Any] | Turn:
    """The same, where the search fans out to decimals and goes on itself."""
    said = stuck(request)
    return {**said, "action": "fanout"} if label_of(request).startswith("lineage_judge.-.1.") else said  # type: ignore[dict-item]


def runs_below(outputs: Path) -> list[Path]:
    """The folders of runs with their sub-runs, oldest first."""
    return sorted(path.parent for path in outputs.glob("*/*/run.json") if not path.parent.is_symlink())


def tree(folder: Path) -> list[dict[str, Any]]:
    """What is the same in two runs of the same: the nodes without their cost and their files' digests."""
    found = json.loads((folder / "tree.json").read_text())["nodes"]
    return [
        {
            "id": node["id"],
            "parent": node["parent"],
            "label": node["label"],
            "direction": node["direction"],
            "status": node["status"],
            "closed": node["closed"],
            "values": [metric["values"] for metric in node["evaluation"]["metrics"]],
            "composite": node["evaluation"]["composite"],
        }
        for node in found
    ]


def of_sub_run(request: dict[str, Any]) -> bool:
    """Whether a request belongs to the second idea's nodes."""
    return context_of(request, "idea").startswith("Decimals")


def label_with_idea(request: dict[str, Any]) -> str:
    """The label of a request; those of the second idea's nodes end in @decimals, as a sub-run names its nodes as any run."""
    return of_idea(label_of(request), context_of(request, "idea"))


def of_idea(label: str, idea: str) -> str:
    """The label of a request that is told this idea."""
    return label + ("@decimals" if idea.startswith("Decimals") else "")


def context_of(request: dict[str, Any], title: str) -> str:
    """A section of the request's context."""
    texts = [
        block["text"]
        for message in request["messages"]
        if isinstance(message["content"], list)
        for block in message["content"]
        if block.get("type") == "text"
    ]
    found = re.search(rf'<data title="{title}">\n(.*?)\n</data>', "\n".join(texts), re.DOTALL)
    return found[1] if found else ""


def axes_asked(request: dict[str, Any]) -> list[str]:
    """The axes that the evaluator is asked to score."""
    return [line.split(":")[0] for line in json.loads(context_of(request, "axes") or "[]")] or ["clarity"]


_PROPOSAL = {
    "title": "Convergents",
    "hypothesis": "Convergents of the continued fraction are closer than decimals.",
    "experiment": "Print one after the other.",
    "risk": "none",
}
_IDEA = {
    "title": "Convergents",
    "hypothesis": _PROPOSAL["hypothesis"],
    "primary_metric": "error",
    "direction": "lower",
    "experiment_plan": [{"title": "Baseline", "what": "the first convergent"}],
    "novelty": "none",
    "novelty_score": 0.1,
    "feasibility_score": 0.9,
}
IDEAS: dict[str, dict[str, Any]] = {
    "keyword_writer": {"queries": []},
    "idea_persona": {"proposals": [_PROPOSAL]},
    "idea_critic": {
        "criticisms": [{"proposal": number, "keep": True, "weakness": "well known"} for number in (1, 2, 3)]
    },
    "idea_synthesizer": {"ideas": [_IDEA, {**_IDEA, "title": "Decimals"}]},
    "idea_selector": {"index": 0, "reason": "closer"},
}

_CODE = """
nodes = [n for n in data.nodes if n.numbers]
found = [data[n.numbers["error"]] for n in nodes]
axes = figure.subplots()
axes.bar(range(len(nodes)), [d.value for d in found], color="#4477aa")
axes.set_xticks(range(len(nodes)), [n.node for n in nodes])
axes.set_yscale("log")
axes.set_ylabel("error")
axes.set_xlabel("node")
"""
SECTIONS = {
    "abstract": "We ask which short fraction is closest to pi. The best one is off by {{best.error}}.",
    "introduction": "Fractions approximate pi. We measure how well a few of them do.",
    "related_work": "Continued fractions are textbook material.",
    "method": "Each program was run and its printed number compared with pi by a program that no candidate can change.",
    "results": "As [fig:errors] and [tab:results] show, the best fraction is off by {{best.error}}, the first by "
    "{{baseline.error}}.",
    "discussion": "Fractions of more digits were not tried.",
    "conclusion": "The best fraction found is off by {{best.error}}.",
}
AFTER: dict[str, dict[str, Any]] = {
    "analyst": {
        "methodology": "Each program was run and compared.",
        "implementation_overview": "It prints a fraction.",
        "findings": ["The best is off by {{best.error}}."],
        "limitations": ["Few fractions."],
    },
    "figure_maker": {
        "figures": [
            {
                "name": "errors",
                "kind": "plot",
                "caption": "Error of each node's fraction.",
                "alt": "bar chart of errors",
                "code": _CODE,
            }
        ]
    },
    "figure_reviewer": {"score": 0.8, "shows": "bars", "issues": [], "feedback": ""},
    "section_reviewer": {"verdict": "accept", "issues": []},
    "area_chair": {"summary": "fine", "decisive": "checks", "verdict": "accept"},
    "rubric_writer": {
        "tasks": [
            {"id": "root", "parent": "", "requirements": "The paper's fraction is reproduced."},
            {
                "id": "code",
                "parent": "root",
                "requirements": "code/approx.py prints a fraction.",
                "weight": 1,
                "task_category": "Code Development",
                "finegrained_task_category": "Method Implementation",
            },
            {
                "id": "error",
                "parent": "root",
                "requirements": "The best fraction is off by {{best.error}}.",
                "weight": 2,
                "task_category": "Result Analysis",
                "finegrained_task_category": "Evaluation, Metrics & Benchmarking",
                "quantity": "best.error",
            },
        ],
        "expected_artifacts": ["results.json"],
    },
    "rubric_auditor": {"findings": [], "summary": "fine"},
}
