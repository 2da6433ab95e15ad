"""Curves of frequencies and indices that hardly vary: each value may be near, and what they change by another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.reproduce.planning.plan import Reference
from tests.unit.evidence.evidence_fixture import Run, curve_target

pytestmark = pytest.mark.unit
K = np.linspace(0, 0.08, 17)
BANDS = curve_target(
    quantity="band_frequency",
    unit="c/a",
    x_unit="2pi/a",
    reference=Reference(kind="data", file="data/bands.csv", x_column="k", y_column="f"),
)


def judged(folder: Path, paper: float, ours: float, wrong: float = 0.0):  # type: ignore[no-untyped-def]
    """Two branches of a cone with these slopes, ours off by a share of its magnitude besides."""
    run = Run(folder)
    run.paper_table("data/bands.csv", k=K, f=0.5487 + paper * K)
    for scale, grid in ((0.5, 4e-4), (1.0, 1e-4)):
        y = (0.5487 + ours * K) * (1 + wrong + grid)
        columns = [("k", "wavenumber", "2pi/a", K), ("f", "band_frequency", "c/a", y)]
        run.add(columns, scale=scale, targets={"f": "fig2_T"})
    return run.judge(BANDS)


def test_a_group_velocity_that_is_a_third_off_is_no_success(tmp_path: Path) -> None:
    """Its frequencies are off by 1.1 %: both curves of a false cone were SUCCESS beside slopes that failed."""
    found = judged(tmp_path, 0.452, 0.316)
    assert found.error < 2 and found.classification == "PARTIAL"
    assert any("the change is off by more than 20 %" in reason for reason in found.reasons)


@settings(max_examples=25, deadline=None)
@given(
    slope=st.floats(0.05, 0.6),
    off=st.floats(-0.12, 0.12),
    wrong=st.floats(-0.01, 0.01),
    falls=st.booleans(),
)
def test_what_is_near_in_both_agrees(
    tmp_path_factory: pytest.TempPathFactory, slope: float, off: float, wrong: float, falls: bool
) -> None:
    paper = -slope if falls else slope
    found = judged(tmp_path_factory.mktemp("cone"), paper, paper * (1 + off), wrong)
    assert found.classification == "SUCCESS", found.reasons
