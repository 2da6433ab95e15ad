"""What a person is told to type exists as it is printed: built by `typed`, never a bare `reprolab`."""

from __future__ import annotations

import ast
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.commands.papers import list_papers
from schemas.run.pasted import on_run, typed
from tasks.reproduce.papers import bundled_ids

ROOT = Path(__file__).resolve().parents[3]
ROOMS = ("flows", "tasks", "reprolab", "schemas", "agents")
_COMMAND = re.compile(r"^## reprolab ([a-z]+)", re.MULTILINE)
COMMANDS = sorted(set(_COMMAND.findall((ROOT / "docs/reference/cli.md").read_text())))
BARE = re.compile(rf"\breprolab ({'|'.join(COMMANDS)})\b")
HELP = {"help", "epilog", "description"}  # of options and fields: documentation, the same on every computer
ELSEWHERE = {  # kept in files that other computers read, or part of what a digest is made of
    "tasks/explore/paper/availability.py": "a paper, for its readers",
    "tasks/reproduce/packaging/codecheck.py": "a package",
    "tasks/reproduce/packaging/crate.py": "a package",
    "tasks/reproduce/packaging/subject.py": "a package",
    "agents/models/manual/manual_page.py": "a page that is pasted into any chat window names no folder of this computer",
    "tasks/reproduce/failures.py": "a failure is told to agents, and their requests are recorded",
}


def _told(source: str) -> Iterator[str]:
    """Every text of a file that a person can come to read: no docstrings, and no help, which is documentation."""
    tree = ast.parse(source)
    silent: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            silent.add(id(node.value))
        elif isinstance(node, ast.keyword) and node.arg in HELP:
            silent |= {id(part) for part in ast.walk(node.value)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
            yield node.value


def test_nothing_that_is_told_is_a_command_that_is_not_on_the_path() -> None:
    found = {}
    for path in (path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        if bare := [text for text in _told(path.read_text(encoding="utf-8")) if BARE.search(text)]:
            found[str(path.relative_to(ROOT))] = bare
    assert not {name: texts for name, texts in found.items() if name not in ELSEWHERE}
    assert ELSEWHERE.keys() == found.keys(), "an exception that nothing needs"
    pages = [
        page for room in ROOMS for kind in ("j2", "js", "html") for page in (ROOT / room).rglob(f"*.{kind}")
    ]
    assert pages and not [page for page in pages if BARE.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("f(fix='`reprolab status` lists them')", True),
        ("show(f'{x}: reprolab resume {run}')", True),
        ("MESSAGE = ('one ' 'reprolab people add NAME')", True),
        ("show('the server that `up` runs')", False),
        ("typer.Option(help='as `reprolab papers` lists them')", False),
        ("def f():\n    'What `reprolab up` does.'", False),
    ],
)
def test_what_counts_as_told(source: str, said: bool) -> None:
    assert any(BARE.search(text) for text in _told(source)) == said
    assert {"resume", "up", "people", "papers", "status"} <= set(COMMANDS)


def test_the_program_is_the_one_of_this_checkout_whatever_is_on_the_path(tmp_path: Path) -> None:
    ours, other, linked = (tmp_path / name for name in ("ours", "other", "linked"))
    for folder in (ours, other, linked):
        folder.mkdir()
    for folder in (ours, other):
        (folder / "reprolab").write_text("#!/bin/sh\n")
        (folder / "reprolab").chmod(0o755)
    (linked / "reprolab").symlink_to(ours / "reprolab")

    def program(python: Path, path: Path) -> str:
        with patch.object(sys, "executable", str(python)), patch.dict(os.environ, {"PATH": str(path)}):
            return shlex.split(typed("status"))[0]

    for path in (tmp_path, other):
        assert program(ours / "python", path) == str(ours / "reprolab")
    for path in (linked, ours):
        assert program(ours / "python", path) == "reprolab"
    assert program(tmp_path / "python", other) == "reprolab", "nothing beside this Python: what is found"


_WORD = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=20)


@given(
    words=st.lists(_WORD, max_size=4),
    folder=_WORD.filter(lambda word: "/" not in word and word.strip(".") != ""),
)
def test_a_shell_reads_a_command_as_it_was_meant(words: list[str], folder: str) -> None:
    run = Path("/somewhere") / folder / "paper" / "run-1"
    read = shlex.split(on_run(run, "resume", *words))
    assert read[1:] == ["resume", "run-1", *words, "--outputs", str(run.parents[1])]
    with patch.dict(os.environ, {"REPROLAB_OUTPUTS": str(run.parents[1])}):
        assert "--outputs" not in shlex.split(on_run(run, "resume"))


def test_the_list_of_papers_fits_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    list_papers()
    lines = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert len(lines) == 2 + len(bundled_ids()) and max(map(len, lines)) <= 80
    assert "recorded" in lines[0] and all(line.rstrip().endswith(("yes", "not yet")) for line in lines[2:])
