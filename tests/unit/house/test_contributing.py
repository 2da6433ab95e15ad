"""CONTRIBUTING.md: what its recipe for a setting says is done, in a copy of the tree, and the setting is there."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.unit.house.docs_tables import DOCS

pytestmark = pytest.mark.unit

ROOT = DOCS.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
COPIED = (
    "reprolab",
    "flows",
    "agents",
    "tasks",
    "schemas",
    "prompts",
    "blocks",
    "simkit",
    "skills",
    "docs",
    "tests",
)
LINKED = ("papers", "goals", "studies")
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


def recipe(title: str) -> tuple[str, list[str]]:
    """A section of the page, and its fenced blocks without their indent."""
    text = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"^ *```\w*\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    return text, ["\n".join(line.strip() for line in block.splitlines()) for block in blocks]


def test_the_recipe_for_a_setting_makes_a_setting(tmp_path: Path) -> None:
    for name in COPIED:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "images"))
    for name in LINKED:
        (tmp_path / name).symlink_to(ROOT / name)
    text, (declared, listed) = recipe("A setting")
    name = declared.partition(":")[0]
    file, before = re.findall(r"end of `Limits` in `([\w./]+)`, above `(\w+)`", text)[0]
    source = (tmp_path / file).read_text(encoding="utf-8")
    head, property_, tail = source.partition(f"    @property\n    def {before}(")
    assert property_, f"{file} has no property {before}: the recipe is out of date"
    (tmp_path / file).write_text(f"{head}    {declared}\n\n{property_}{tail}", encoding="utf-8")
    page, heading = re.findall(r"stands in `([\w./]+)` under `(# [\w ]+)`", text)[0]
    spec = (tmp_path / page).read_text(encoding="utf-8")
    assert heading in spec.splitlines()
    (tmp_path / page).write_text(spec.replace(f"{heading}\n", f"{heading}\n{listed}\n"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", CHECK, name], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert not done.returncode, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert found["known"] and found["listed"] and (found["default"], found["given"]) == (0, 7)
    assert "greater than or equal to 0" in found["refused"]
    row = f"| `{name}` | whole number, >= 0 | `0` | figures that a run attempts; 0: all |"
    assert row in found["settings"]
    assert f"limit `{name}`" in found["specification"]


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
