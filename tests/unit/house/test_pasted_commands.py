"""What an error tells a person to type exists as it is printed: built by `typed`, never a bare `reprolab`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from flows.commands.papers import list_papers
from tasks.reproduce.papers import bundled_ids

ROOT = Path(__file__).resolve().parents[3]
BARE = re.compile(
    r"\breprolab (reproduce|resume|fork|status|report|doctor|explore|study|regress|compare|clean|answer|describe|solve|"
    r"checkpoints|papers|up|down|transcript|prompts)\b"
)
RECORDED = {
    "tasks/reproduce/failures.py",
    "tasks/reproduce/regression/baseline.py",
}  # texts that are kept in files


def _fixes(source: str) -> list[str]:
    """The literal text of every `fix=` and `allowed=` in a file."""
    return [
        part.value
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call)
        for keyword in call.keywords
        if keyword.arg in ("fix", "allowed")
        for part in ast.walk(keyword.value)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]


def test_no_error_tells_to_type_what_is_not_on_the_path() -> None:
    found = {}
    for room in ("flows", "tasks", "reprolab", "schemas", "agents"):
        for path in (ROOT / room).rglob("*.py"):
            bare = [text for text in _fixes(path.read_text(encoding="utf-8")) if BARE.search(text)]
            if bare and str(path.relative_to(ROOT)) not in RECORDED:
                found[str(path.relative_to(ROOT))] = bare
    assert not found
    assert any(BARE.search(text) for text in _fixes("f(fix='`reprolab status` lists them')"))


def test_the_list_of_papers_fits_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    list_papers()
    lines = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert len(lines) == 2 + len(bundled_ids()) and max(map(len, lines)) <= 80
    assert "recorded" in lines[0] and all(line.rstrip().endswith(("yes", "not yet")) for line in lines[2:])
