"""What the code knows by name and the pages of the specification must name: agents, nodes, statuses, questions, settings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

import agents.explore.roster
import agents.reproduce.roster
import agents.study.roster
import schemas.explore.state
import schemas.reproduce.state
from flows.explore.opening import WORKFLOW
from schemas.explore.lineage import LineageAction
from schemas.explore.settings import ExploreSettings
from schemas.explore.tree import Label, NodeStatus
from schemas.explore.workflow import OUR_SKILLS, read_workflow
from schemas.literature.retrieval import RetrievalSettings
from schemas.reproduce.judging.verdicts import SupervisorAnswer
from schemas.reproduce.planning.plan import StageStatus, StageType
from schemas.reproduce.questions import QuestionKind
from schemas.reproduce.settings import ENVIRONMENT_LIMITS, RunSettings
from schemas.run.settings import CoreSettings
from schemas.study.artifacts import ArtifactFormat, ArtifactType
from schemas.study.graph import PhaseStatus, PhaseType
from schemas.study.pipeline import InputType
from schemas.study.settings import Checkpoint, Framework, Paradigm, StudySettings
from schemas.study.state import StudyState
from schemas.talking.adaptation import CONFIDENCE_NEEDED
from schemas.talking.interaction import AgentQuestion
from tasks.study.inputs.input_files import DATA_KINDS, TEXT_KINDS

ROOT = Path(__file__).resolve().parents[3]


def _literals(annotation: Any) -> set[str]:
    return {str(value) for value in get_args(annotation)}


def _fields(model: type[BaseModel], without: type[BaseModel] | None = None) -> Iterator[str]:
    """Names of the settings of a model, nested ones included; those of the core are the main workflow's to list."""
    for name, info in model.model_fields.items():
        nested = info.annotation
        if isinstance(nested, type) and issubclass(nested, BaseModel):
            if nested is not RetrievalSettings:
                other = without.model_fields.get(name) if without else None
                inner = other.annotation if other and isinstance(other.annotation, type) else None
                yield from _fields(nested, inner)
        if without is None or name not in without.model_fields:
            yield name


def tools() -> dict[str, str]:
    """Tool -> its skill: the functions that a skill's server offers, marked with `server.tool` or listed where it is called."""
    found = {}
    for file in sorted((ROOT / "skills").glob("*/*.py")):
        text = file.read_text(encoding="utf-8")
        tree = ast.parse(text)
        for listed in re.findall(r"for tool in \(([^)]*)\)", text):
            found.update({name.strip(): file.parent.name for name in listed.split(",")})
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and any(
                "server.tool" in ast.unparse(mark) for mark in node.decorator_list
            ):
                found[node.name] = file.parent.name
    return found


def _agents(roster: dict[str, tuple[str, str]]) -> set[str]:
    return {title for title, _ in roster.values()}


KNOWN: dict[str, dict[str, set[str]]] = {
    "reproduce": {
        "agents": _agents(agents.reproduce.roster.ROSTER),
        "nodes": set(schemas.reproduce.state.OWNERSHIP),
        "statuses": _literals(StageStatus),
        "kinds of stages": _literals(StageType),
        "verdicts": _literals(SupervisorAnswer.model_fields["verdict"].annotation),
        "questions": _literals(QuestionKind) | _literals(AgentQuestion.model_fields["kind"].annotation),
        "settings": set(_fields(RunSettings)),
        "variables": set(ENVIRONMENT_LIMITS),
        "adaptations": set(CONFIDENCE_NEEDED),
    },
    "explore": {
        "agents": _agents(agents.explore.roster.ROSTER),
        "nodes": set(schemas.explore.state.OWNERSHIP),
        "labels": _literals(Label),
        "statuses": _literals(NodeStatus),
        "lineage decisions": _literals(LineageAction),
        "settings": set(_fields(ExploreSettings, CoreSettings)),
        "skills": set(OUR_SKILLS),
        "tools": set(tools()),
        "stages": {stage.stage for stage in read_workflow(WORKFLOW).pipeline},
    },
    "study": {
        "agents": _agents(agents.study.roster.ROSTER),
        "nodes": set(StudyState.OWNERSHIP),
        "phases": set(PhaseType),
        "statuses": set(PhaseStatus),
        "artifacts": set(ArtifactType),
        "formats": set(ArtifactFormat),
        "inputs": {*InputType, *DATA_KINDS, *TEXT_KINDS},
        "settings": set(_fields(StudySettings, CoreSettings)),
        "choices": _literals(Framework) | _literals(Paradigm) | _literals(Checkpoint),
    },
}
