"""docs/specification.md names places that exist, and misses nothing that the code knows."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import get_args

import pytest

from agents.reproduce.registry import AGENTS
from schemas.reproduce.plan import StageStatus, StageType
from schemas.reproduce.questions import QuestionKind
from schemas.reproduce.settings import Limits
from schemas.reproduce.state import OWNERSHIP
from schemas.reproduce.verdicts import SupervisorAnswer

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "specification.md").read_text(encoding="utf-8")
PLACES = sorted(set(re.findall(r"`((?:agents|flows|tasks|schemas|prompts|blocks)/[^`]*)`", PAGE)))


def names(path: Path) -> set[str]:
    """Functions, classes, their members and constants of a module, as NAME or CLASS.MEMBER."""
    found: set[str] = set()

    def collect(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                found.add(prefix + node.name)
                if isinstance(node, ast.ClassDef):
                    collect(node.body, f"{node.name}.")
            targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
            found.update(prefix + target.id for target in targets if isinstance(target, ast.Name))

    collect(ast.parse(path.read_text(encoding="utf-8")).body, "")
    return found


@pytest.mark.parametrize("place", PLACES)
def test_every_place_exists(place: str) -> None:
    path, _, name = place.partition(":")
    assert (ROOT / path).exists(), f"{path} does not exist"
    assert not name or name in names(ROOT / path), f"{path} has no {name}; it has {', '.join(sorted(names(ROOT / path)))}"


def words(heading: str) -> set[str]:
    """The words of one section's text."""
    section = PAGE.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return set(re.findall(r"[A-Za-z_0-9]+", section))


@pytest.mark.parametrize(("heading", "known"), [
    ("Agents", {agent.title for agent in AGENTS.values()}),
    ("Nodes", set(OWNERSHIP)),
    ("State", set(get_args(StageStatus)) | set(get_args(StageType))
     | set(get_args(SupervisorAnswer.model_fields["verdict"].annotation))),
    ("Limits", set(Limits.model_fields)),
    ("Questions", set(get_args(QuestionKind))),
])
def test_nothing_the_code_knows_is_missing(heading: str, known: set[str]) -> None:
    assert known, "the code's list is empty"
    assert not known - words(heading), f"docs/specification.md, section {heading}, misses {sorted(known - words(heading))}"


def test_no_limit_or_question_is_named_that_is_gone() -> None:
    for heading, known in (("Limits", set(Limits.model_fields)), ("Questions", set(get_args(QuestionKind)))):
        section = PAGE.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
        named = {word for row in section.splitlines() if row.startswith("| ") for word in re.findall(r"`([a-z_]+)`", row)}
        assert named <= known, f"section {heading} names {sorted(named - known)}"
