"""CONTRIBUTING.md: what its recipes say is done, in a copy of the tree, and what they promise is there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.unit.house.recipes import PAGE, ROOT, blocks, copied, followed, listed, section, tried

pytestmark = pytest.mark.unit

CHECK = """
import json, sys
from pathlib import Path
from tests.unit.house.docs_tables import settings_block, specification_page
from tests.unit.house.spec_known import KNOWN
from tests.unit.house.spec_list import read_list
from schemas.reproduce.settings import RunSettings

refused = ""
try:
    RunSettings.model_validate({"limits": {sys.argv[1]: -1}})
except ValueError as error:
    refused = str(error)
print(json.dumps({
    "known": sys.argv[1] in KNOWN["reproduce"]["settings"],
    "listed": any(sys.argv[1] in item.words() for item in read_list("reproduce").items()),
    "default": getattr(RunSettings().limits, sys.argv[1]),
    "given": getattr(RunSettings.model_validate({"limits": {sys.argv[1]: 7}}).limits, sys.argv[1]),
    "refused": refused,
    "settings": settings_block(),
    "specification": specification_page("reproduce"),
}))
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy that a recipe may change."""
    return copied(tmp_path)


def test_the_recipe_for_a_setting_makes_a_setting(tree: Path) -> None:
    assert followed("A setting", tree) == 2
    found = json.loads(tried(tree, CHECK, "max_figures"))
    assert found["known"] and found["listed"] and (found["default"], found["given"]) == (0, 7)
    assert "greater than or equal to 0" in found["refused"]
    row = "| `max_figures` | whole number, >= 0 | `0` | figures that a run attempts; 0: all |"
    assert row in found["settings"]
    assert "limit `max_figures`" in found["specification"]


def test_the_recipe_for_an_agent_makes_one_that_is_asked_with_what_it_may_see(tree: Path) -> None:
    assert followed("An agent", tree) == 10
    said = tried(
        tree,
        """
        from agents.reproduce import unit_reader
        from agents.reproduce.registry import AGENTS, ANSWERS
        from agents.talking.agent import build_request
        from schemas.errors import StateError
        from schemas.reproduce.settings import RunSettings
        from schemas.reproduce.state import ReproState
        from schemas.talking.transcript import Position
        from tasks.reproduce.papers import BUNDLED, load_paper

        paper, _ = load_paper(BUNDLED / "ge-on-gold")
        def asked(**context):
            return build_request(AGENTS["unit_reader"], context, position=Position(agent="unit_reader"),
                                 adaptations=(), settings=RunSettings())
        told = asked(**unit_reader.context(paper))
        assert [part.text.strip() for part in told.context] == [paper.text.strip()]
        assert "You are the UnitReaderAgent" in str(told.system)
        try:
            asked(figure_data="1, 2")
        except StateError as error:
            print(error)
        answer = ANSWERS["UnitsNoted"].model_validate({"units": ["100 A: angstrom"]})
        state = ReproState(paper_id="p", run_id="r").apply("note_units", units_noted=answer.units)
        assert state.units_noted == ("100 A: angstrom",)
        """,
    )
    assert "may not be given figure_data" in said
    listed(tree, "agents", "UnitReaderAgent", "unit_reader", "docs/reference/agents.md")


def test_the_recipe_for_a_question_makes_one_that_can_be_answered_and_is_never_guessed(tree: Path) -> None:
    assert followed("A question to people", tree) == 3
    written = blocks("A question to people")[1]
    tried(
        tree,
        f"exec({written!r})\n"
        + """
from flows.commands.given import answers_of
from flows.questions import answers
import flows.questions.asking as asking

put = []
globals()["ask"] = lambda run, question: put.append(question) or answers.parse_answer(question, "nm", "terminal")
assert unit_of(None, "a film of 100") == "nm"
given = answers_of(["unit_doubt=nm"], None)
assert answers.given_beforehand(given, put[0], ()) == "nm"
assert answers.given_beforehand((), put[0], ()) is None
""",
    )
    listed(tree, "questions", "unit_doubt", "unit_doubt", "docs/guide/questions.md")


SLIT = '''"""A slit in a screen."""

from __future__ import annotations

from typing import ClassVar, Literal

from simkit.describe.base import Length
from simkit.describe.scene import Quantity, Scene


class Slit(Scene):
    """A slit in a perfect screen."""

    type: Literal["slit"] = "slit"
    width: Length


class SlitTransmittance(Quantity):
    """Power through it over what falls onto it."""

    of_scene: ClassVar[str] = "slit"
    type: Literal["slit_transmittance"] = "slit_transmittance"
'''


def test_a_scene_that_is_only_described_is_told_each_place_of_its_recipe(tree: Path) -> None:
    (tree / "simkit/describe/slit.py").write_text(SLIT, encoding="utf-8")
    problem = tree / "simkit/describe/problem.py"
    text = problem.read_text(encoding="utf-8")
    text = text.replace("    UnitCell | Scatterer", "    Slit | UnitCell | Scatterer")
    text = text.replace("    CellQuantity\n", "    CellQuantity\n    | SlitTransmittance\n")
    added = "from simkit.describe.slit import Slit, SlitTransmittance\n"
    problem.write_text(
        text.replace("from simkit.describe.unit_cell", added + "from simkit.describe.unit_cell", 1)
    )
    said = tried(tree, "from tests.unit.house.test_scenes import lacking\nprint(*lacking(), sep=chr(10))")
    named = {line.partition(": ")[0] for line in said.splitlines()}
    told = section("A scene") + section("A quantity")
    assert len(named) == 6 and all(place in told for place in named), said
    assert set(re.findall(r"in the table of `([\w./]+)`", section("A scene"))) < named


def test_the_recipe_for_a_paper_makes_a_folder_and_says_what_it_lacks(tmp_path: Path) -> None:
    """Then, with words in it, nothing."""
    commands = [line.split("  ")[0].split()[1:] for line in blocks("A paper")[0].splitlines()]
    assert [words[0] for words in commands] == ["papers", "papers", "reproduce"]

    def ran(words: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "flows.cli", *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
        )

    assert not ran(commands[0]).returncode
    refused = ran(commands[1])
    assert refused.returncode == 2 and "paper.md is missing or empty" in refused.stderr
    bundled = ROOT / "papers" / "ge-on-gold"
    shutil.copy(bundled / "paper.md", tmp_path / "my-paper" / "paper.md")
    for name in ("title", "figures"):
        given = json.loads((bundled / "paper.json").read_text(encoding="utf-8"))
        mine = tmp_path / "my-paper" / "paper.json"
        mine.write_text(json.dumps(json.loads(mine.read_text(encoding="utf-8")) | {name: given[name]}))
    for name in ("data", "figures"):
        shutil.copytree(bundled / name, tmp_path / "my-paper" / name, dirs_exist_ok=True)
    accepted = ran(commands[1])
    assert not accepted.returncode, accepted.stderr


def test_the_commands_it_names_are_those_of_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {
        word for line in re.findall(r"make ((?:[a-z-]+ )*[a-z-]+)(?=  |`)", PAGE) for word in line.split()
    }
    assert named and named <= targets


def test_git_runs_the_formatter_and_linter_of_the_lock() -> None:
    """Before a commit: nothing is downloaded, so that it is the version in requirements.lock."""
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert "repo: local" in text and "http" not in text and "language: system" in text
    assert re.findall(r"entry: (.*)", text) == [
        ".venv/bin/ruff format --force-exclude",
        ".venv/bin/ruff check --force-exclude",
    ]


def test_the_matrix_runs_the_two_commands_on_every_python_that_is_allowed() -> None:
    [job] = yaml.safe_load((ROOT / ".github/workflows/suite.yml").read_text(encoding="utf-8"))[
        "jobs"
    ].values()
    allowed = re.search(r'requires-python = ">=3\.(\d+),<3\.(\d+)"', (ROOT / "pyproject.toml").read_text())
    assert allowed
    assert job["strategy"]["matrix"]["python"] == [
        f"3.{minor}" for minor in range(*map(int, allowed.groups()))
    ]
    assert [step["run"] for step in job["steps"][-2:]] == ["make reproduce", "make test"]
