"""Commands that only tell something start without what takes a second to import."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[3]
SLOW = {
    "prefect",
    "anthropic",
    "pandas",
    "scipy",
    "matplotlib",
    "statsmodels",
    "sklearn",
    "pyarrow",
    "mcp",
    "fastapi",
    "sqlalchemy",
}
_LOADED = """
import sys
from flows.cli import app
try:
    app(sys.argv[1:])
except SystemExit:
    pass
print("LOADED", *{name.partition(".")[0] for name in sys.modules})
"""


def test_linear_algebra_has_one_thread_whatever_a_command_loads() -> None:
    """Numpy was loaded before it was told: on a busy machine theory took a quarter of an hour for half a minute's work."""
    told_by = "cli.app = lambda: print('numpy' in sys.modules, os.environ['OMP_NUM_THREADS'])"
    begun = f"import os, sys; from flows import cli; {told_by}; cli.main()"
    without = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", begun], capture_output=True, text=True, cwd=ROOT, env=without
    )
    assert done.stdout.split() == ["False", "1"], done.stderr


@pytest.mark.parametrize(
    "words", ["--help", "reproduce --help", "status", "report", "papers", "doctor", "checkpoints", "down"]
)
def test_a_command_that_tells_something_imports_nothing_slow(words: str, tmp_path: Path) -> None:
    outputs = [] if "--help" in words or words == "papers" else ["--outputs", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-c", _LOADED, *words.split(), *outputs], capture_output=True, text=True, cwd=ROOT
    )
    last = done.stdout.splitlines()[-1].split()
    assert last[0] == "LOADED", done.stderr
    assert not SLOW & set(last[1:])
