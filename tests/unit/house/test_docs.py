"""The documentation is true where a machine can tell: links, paths, command line, settings, thresholds."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from agents.reproduce.roster import ROSTER
from benchmarks.run import MARKS, PAGE
from flows.serving.runtime import PACKAGES
from schemas.reproduce.questions import QuestionKind
from tasks.reproduce.papers import bundled_ids
from tests.lies.explore.__main__ import HEAD, LIES, stored
from tests.lies.explore.__main__ import page as lies_page
from tests.lies.study.__main__ import HEAD as STUDY_HEAD
from tests.lies.study.__main__ import LIES as STUDY_LIES
from tests.unit.house.docs_tables import BLOCKS, DOCS, commands, current
from tests.unit.house.docs_width import WIDTH, pages, wrapped

pytestmark = pytest.mark.unit

ROOT = DOCS.parent
PAGES = [
    *(ROOT / f"{name}.md" for name in ("README", "CHANGELOG", "CONTRIBUTING")),
    *(ROOT / kind / "README.md" for kind in ("papers", "goals", "studies")),
    *sorted(page for page in DOCS.rglob("*.md") if page.parent.name != "specification"),
]
SPECIFICATION = sorted(
    (DOCS / "reference/specification").glob("*.md")
)  # they name other programs' paths; test_specification.py has ours
_LINK = re.compile(r"(?<!`)\[[^\]\n]+\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_CODE_PATH = re.compile(
    r"`((?:reprolab|flows|agents|tasks|prompts|blocks|schemas|simkit|papers|tests|benchmarks|docs|scripts)/[\w./-]+)`"
)


def names(kind: str) -> list[str]:
    """The folders of what is bundled."""
    return [f"{path.name}/" for path in (ROOT / kind).iterdir() if path.is_dir()]


_PAGE = re.compile(r"(?<![\w/.])docs/[\w/-]+\.(?:md|ipynb|png|list)\b")
NAMING = {".py", ".md", ".yaml", ".yml", ".toml", ".sh", ".j2", ".service", ""}  # "": Makefile, Dockerfile
RECORDED = (  # what runs have read, as it was then, and what names other programs' pages
    *(f"{kind}/{name}" for kind in ("papers", "goals", "studies") for name in names(kind)),
    "tests/recordings/",
    "docs/reference/specification/",
    "CHANGELOG.md",
)
ELSEWHERE = {"docs/CGROUP_DELEGATION.md"}  # systemd's
CITED_ELSEWHERE = {"rubric/tasks.py"}  # PaperBench's
IN_DIGESTS = (  # names of before: a word there, and what was simulated is simulated again
    "simkit/__init__.py",
    "tasks/reproduce/solving/run_cost.py",
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


def test_prose_is_filled_to_one_width():
    wide = [
        page.name
        for page in pages()
        if wrapped(page.read_text(encoding="utf-8")) != page.read_text(encoding="utf-8")
    ]
    assert not wide, "run: make format"


def test_what_is_filled_anew_says_the_same():
    """No line begins like an item or a heading, links and code stay whole, tables and blocks as they were."""
    long = (
        "words that go on and on 1. and - so on + [a link to it](page.md#with) `some code` # no heading " * 9
    )
    page = f"# A {'very ' * 40}\n\n{long}\nmore\n\n- {long}\n  2. {long}\n\n| {long} | {long} |\n|---|---|\n\n```text\n{long}\n```\n"
    new = wrapped(page)
    shown = [
        re.sub(r"\s+", " ", MarkdownIt("commonmark").enable("table").render(text)) for text in (page, new)
    ]
    assert shown[0] == shown[1] and new.split() == page.split() and wrapped(new) == new
    assert sum(len(line) > WIDTH for line in new.splitlines()) == 3  # the heading, the table's row, the block


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_paths_named_in_the_text_exist(page):
    text = re.sub(r"New `[^`]+`", "", prose(page))  # what a recipe makes
    for name in _CODE_PATH.findall(text):
        assert (ROOT / name).exists(), f"{page.name} names {name}, which does not exist"


@pytest.mark.parametrize(("page", "least"), [("walks", 40), ("where", 30)])
def test_what_says_where_things_are_names_what_is_in_the_files(page, least):
    """A file, or a file and a name in it: the name is defined there."""
    text = (DOCS / f"reference/{page}.md").read_text(encoding="utf-8")
    steps = re.findall(r"`([\w/]+\.py)`,\s+`(\w+)`((?::[^;`]*; `\w+`)*)", text)
    assert len(steps) >= least
    for file, name, more in steps:
        source = (ROOT / file).read_text(encoding="utf-8")
        for one in (name, *re.findall(r"`(\w+)`", more)):
            assert re.search(rf"^(?:def|class) {one}\b|^{one}\b.* = ", source, re.MULTILINE), (
                f"{file} defines no {one}"
            )


@pytest.mark.parametrize("page, name", BLOCKS)
def test_generated_parts_are_current(page, name):
    made = BLOCKS[page, name]().strip("\n")
    assert current(page, name) == made, f"docs/{page} is out of date; {REGENERATE}"


def test_every_command_is_documented():
    headings = anchors(DOCS / "reference/cli.md")
    found = list(commands())
    assert ("reproduce",) in found and ("papers", "check") in found
    assert {"-".join(("reprolab", *words)) for words in found} <= headings


def test_every_page_is_one_link_from_the_start_page():
    start = DOCS / "README.md"
    linked = {(DOCS / link.partition("#")[0]).resolve() for link in _LINK.findall(prose(start))}
    missing = [page for page in PAGES if page.is_relative_to(DOCS) and page.resolve() not in {*linked, start}]
    assert not missing, f"docs/README.md does not link {sorted(map(str, missing))}"
    assert "(docs/README.md)" in prose(ROOT / "README.md")
    assert len(start.read_text(encoding="utf-8").splitlines()) <= 45, "one screen"


def test_pages_named_in_code_and_messages_exist():
    """Whatever names a page: an error's fix, a help text, a prompt, a comment, the Makefile."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    named = [
        (name, page)
        for name in listed.stdout.splitlines()
        if (path := ROOT / name).suffix in NAMING and path.is_file() and not name.startswith(RECORDED)
        for page in _PAGE.findall(path.read_text(encoding="utf-8"))
    ]
    assert len({page for _, page in named}) > 20
    lost = [(name, page) for name, page in named if not (ROOT / page).exists() and page not in ELSEWHERE]
    assert not [entry for entry in lost if not entry[0].startswith(IN_DIGESTS)], lost
    assert {entry[0] for entry in lost} == set(IN_DIGESTS), (
        "these name a page that is there: take them off the list"
    )


def test_sources_that_code_cites_exist():
    """A file of ours behind `Source:`; other works are cited by author, year or name."""
    cited = [
        (path, name)
        for room in PACKAGES
        for path in (ROOT / room).rglob("*.py")
        for line in re.findall(r"Source: .*", path.read_text(encoding="utf-8"))
        for name in re.findall(r"\b[\w/.-]+\.(?:md|py|list|toml)\b", line)
    ]
    lost = [(path, name) for path, name in cited if not (ROOT / name).exists() and name not in ELSEWHERE]
    assert not [entry for entry in lost if entry[1] not in CITED_ELSEWHERE], lost


def test_every_bundled_paper_is_listed():
    listed = (ROOT / "papers" / "README.md").read_text(encoding="utf-8")
    assert bundled_ids() and not [name for name in bundled_ids() if f"`{name}`" not in listed]


def test_benchmarks_have_a_place_for_their_numbers():
    text = PAGE.read_text(encoding="utf-8")
    assert [text.count(mark) for mark in MARKS] == [1, 1] and text.index(MARKS[0]) < text.index(MARKS[1])


def test_every_agent_and_every_question_is_described():
    agents = (DOCS / "reference/agents.md").read_text(encoding="utf-8")
    questions = (DOCS / "guide/questions.md").read_text(encoding="utf-8")
    assert not [name for name in ROSTER if f"`{name}`" not in agents]
    assert not [kind for kind in QuestionKind.__args__ if f"`{kind}`" not in questions]


@pytest.mark.parametrize(
    ("name", "lies", "head"), [("lies-explore", LIES, HEAD), ("lies-study", STUDY_LIES, STUDY_HEAD)]
)
def test_the_page_of_lies_is_what_the_command_writes(name, lies, head):
    """Every lie that there is, in order, in its words of today; what happened is each run's last telling's."""
    text = (DOCS / "measured" / f"{name}.md").read_text(encoding="utf-8")
    told = stored(text, lies)
    assert [outcome.lie.name for outcome in told] == [lie.name for lie in lies] and all(
        outcome.happened for outcome in told
    )
    assert lies_page(told, lies, head) == text, f"run: make {name}"


def test_the_changelog_is_by_version_and_kind_and_short():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert versions[0] == "Unreleased" and all(
        re.fullmatch(r"\d+\.\d+\.\d+.*", name) for name in versions[1:]
    )
    kinds = re.findall(r"^### (.+)$", text.partition("\n## 0")[0], re.MULTILINE)
    order = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
    assert kinds == sorted(set(kinds), key=order.index)
    assert len(text) < 20_000, "fold what a user no longer needs"
