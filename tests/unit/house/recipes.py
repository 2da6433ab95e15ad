"""Recipes of CONTRIBUTING.md, followed to the letter in a copy of the tree."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
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
LINKED = (
    "papers",
    "goals",
    "studies",
    "benchmarks",
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "Makefile",
    "pyproject.toml",
)
_PLACE = re.compile(r"In `([\w./-]+)`, (above|below) `(.+)`:$")
_NEW = re.compile(r"New `([\w./-]+)`:$")
_BECOMES = re.compile(r"In `([\w./-]+)`, `(.+)` becomes `(.+)`\.$")


class Misfit(AssertionError):
    """A step that cannot be done as it is written."""


def section(title: str) -> str:
    """A recipe's text."""
    found = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    assert found, f"CONTRIBUTING.md has no section {title!r}"
    return found


def blocks(title: str) -> list[str]:
    """Its fenced blocks, without the indent of the list they stand in."""
    return [block for _, block in _steps(section(title)) if block]


def _steps(text: str) -> list[tuple[str, str]]:
    """Each line of prose with the block below it, or none."""
    found: list[tuple[str, str]] = [("", "")]
    lines = iter(text.splitlines())
    for line in lines:
        if line.lstrip().startswith("```"):
            inside = []
            for more in lines:
                if more.strip() == "```":
                    break
                inside.append(more.removeprefix(" " * (len(line) - len(line.lstrip()))))
            found[-1] = (found[-1][0], "\n".join(inside) + "\n")
        elif line.strip():
            found.append((line.strip(), ""))
    return found


def copied(folder: Path) -> Path:
    """A tree that a recipe may change."""
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("images", "honest_papers"))
    for name in LINKED:
        (folder / name).symlink_to(ROOT / name)
    return folder


def followed(title: str, tree: Path) -> int:
    """Do each step of a recipe; how many there were. Raises Misfit."""
    done = 0
    for line, block in _steps(section(title)):
        if new := _NEW.search(line):
            path = tree / new[1]
            if path.exists():
                raise Misfit(f"{title}: {new[1]} is there already")
            path.write_text(block, encoding="utf-8")
        elif place := _PLACE.search(line):
            _insert(tree / place[1], place[2] == "below", place[3], block)
        elif change := _BECOMES.search(line):
            path = tree / change[1]
            text = path.read_text(encoding="utf-8")
            if change[2] not in text:
                raise Misfit(f"{title}: {change[1]} does not hold {change[2]!r}")
            path.write_text(text.replace(change[2], change[3], 1), encoding="utf-8")
        else:
            continue
        done += 1
    return done


def _insert(path: Path, below: bool, anchor: str, block: str) -> None:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    at = next((number for number, line in enumerate(lines) if anchor in line), None)
    if at is None:
        raise Misfit(f"{path.name} has no line with {anchor!r}")
    apart = block + "\n\n" if block.startswith(("class ", "def ")) else block
    lines.insert(at + below, apart)
    path.write_text("".join(lines), encoding="utf-8")


def tried(tree: Path, code: str, *arguments: str) -> str:
    """What a program prints that runs in the tree. Raises AssertionError with its error."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        cwd=tree,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert not done.returncode, done.stderr[-3000:]
    return done.stdout


LISTED = """
from pathlib import Path
from tests.unit.house.spec_known import KNOWN
from tests.unit.house.spec_list import read_list
words = [word for item in read_list("reproduce").items() for word in item.words()]
assert sys.argv[2] in KNOWN["reproduce"][sys.argv[1]], "the code does not know it"
assert sys.argv[2] in words, "the specification's list has no line of it"
assert f"| `{sys.argv[3]}` |" in Path(sys.argv[4]).read_text(encoding="utf-8"), "no page has a row of it"
"""


def listed(tree: Path, kind: str, name: str, row: str, page: str) -> None:
    """That the code knows it, the specification's list names it, and a page of docs has a row of it."""
    tried(tree, "import sys\n" + LISTED, kind, name, row, page)
