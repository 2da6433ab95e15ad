"""The documentation is true where a machine can tell: links, paths, command line, settings, thresholds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agents.reproduce.roster import ROSTER
from benchmarks.run import MARKS, PAGE
from schemas.reproduce.questions import QuestionKind
from tasks.reproduce.papers import bundled_ids
from tests.lies.explore.__main__ import HEAD, LIES, stored
from tests.lies.explore.__main__ import page as lies_page
from tests.lies.study.__main__ import HEAD as STUDY_HEAD
from tests.lies.study.__main__ import LIES as STUDY_LIES
from tests.unit.house.docs_tables import BLOCKS, DOCS, commands, current

pytestmark = pytest.mark.unit

ROOT = DOCS.parent
PAGES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "papers/README.md")),
    *sorted(DOCS.glob("*.md")),
]
SPECIFICATION = sorted(
    (DOCS / "specification").glob("*.md")
)  # they name other programs' paths; test_specification.py has ours
_LINK = re.compile(r"(?<!`)\[[^\]\n]+\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_CODE_PATH = re.compile(
    r"`((?:flows|agents|tasks|prompts|blocks|schemas|simkit|papers|tests|benchmarks|docs|scripts)/[\w./-]+)`"
)
REGENERATE = "run: .venv/bin/python -m tests.unit.house.docs_tables"


def prose(page: Path) -> str:
    """A page without its code blocks."""
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """The anchors a Markdown viewer makes of a page's headings."""
    titles = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", [*PAGES, *SPECIFICATION], ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files_and_headings(page):
    for link in _LINK.findall(prose(page)):
        if re.match(r"https?://|mailto:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name) if name else page
        assert target.exists(), f"{page.name}: {link} leads nowhere"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{page.name}: {target.name} has no heading #{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_paths_named_in_the_text_exist(page):
    for name in _CODE_PATH.findall(prose(page)):
        assert (ROOT / name).exists(), f"{page.name} names {name}, which does not exist"


@pytest.mark.parametrize("page, name", BLOCKS)
def test_generated_parts_are_current(page, name):
    made = BLOCKS[page, name]().strip("\n")
    assert current(page, name) == made, f"docs/{page} is out of date; {REGENERATE}"


def test_every_command_is_documented():
    headings = anchors(DOCS / "cli.md")
    found = list(commands())
    assert ("reproduce",) in found and ("papers", "check") in found
    assert {"-".join(("reprolab", *words)) for words in found} <= headings


def test_every_page_is_reachable_from_the_readme():
    linked = {link.partition("#")[0] for link in _LINK.findall(prose(ROOT / "README.md"))}
    missing = {f"docs/{page.name}" for page in DOCS.glob("*.md")} - linked
    assert not missing, f"the README does not link {sorted(missing)}"


def test_every_bundled_paper_is_listed():
    listed = (ROOT / "papers" / "README.md").read_text(encoding="utf-8")
    assert bundled_ids() and not [name for name in bundled_ids() if f"`{name}`" not in listed]


def test_benchmarks_have_a_place_for_their_numbers():
    text = PAGE.read_text(encoding="utf-8")
    assert [text.count(mark) for mark in MARKS] == [1, 1] and text.index(MARKS[0]) < text.index(MARKS[1])


def test_every_agent_and_every_question_is_described():
    agents = (DOCS / "agents.md").read_text(encoding="utf-8")
    questions = (DOCS / "questions.md").read_text(encoding="utf-8")
    assert not [name for name in ROSTER if f"`{name}`" not in agents]
    assert not [kind for kind in QuestionKind.__args__ if f"`{kind}`" not in questions]


@pytest.mark.parametrize(
    ("name", "lies", "head"), [("lies-explore", LIES, HEAD), ("lies-study", STUDY_LIES, STUDY_HEAD)]
)
def test_the_page_of_lies_is_what_the_command_writes(name, lies, head):
    """Every lie that there is, in order, in its words of today; what happened is each run's last telling's."""
    text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    told = stored(text, lies)
    assert [outcome.lie.name for outcome in told] == [lie.name for lie in lies] and all(
        outcome.happened for outcome in told
    )
    assert lies_page(told, lies, head) == text, f"run: make {name}"
