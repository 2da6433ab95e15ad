"""A package holds the files that draw its descriptions' patterns, and they are read from it alone."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from schemas.reproduce.handed_pattern import PatternFile
from schemas.reproduce.simulations.asked import Asked
from tasks.reproduce.describing.folder import read_given
from tasks.reproduce.packaging.subject import Described

pytestmark = pytest.mark.unit


def test_a_packed_description_has_its_patterns_beside_it(tmp_path: Path) -> None:
    raw = b"1,0,1\n0,1,0\n1,0,0\n"
    stage = Described(
        "stage1",
        "A pattern",
        "def describe(p):\n    return None\n",
        (),
        {},
        Asked(stage_id="stage1", cpu_s=1),
        "2026-11-29T00:00:00+00:00",
        {"holes": (PatternFile(file="data/from the paper.csv", lines_along="y"), raw)},
    )
    for path, content in stage.files().items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    (found,) = read_given(tmp_path / "stage1").patterns
    assert found.name == "holes" and found.sha256 == sha256(raw).hexdigest()
