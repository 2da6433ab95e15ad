"""A range that is all a figure shows, and an index beside what is found: no results of their own."""

from __future__ import annotations

import pytest

from schemas.reproduce.planning.left import Taken, left_of
from schemas.reproduce.planning.plan import Reference
from tests.unit.words.test_claims import paper, plan, target

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("words", "unit", "left"),
    [
        ("The film shows two peaks between 400 nm and 800 nm.", "nm", []),
        ("From 400 nm to 800 nm the film shows two peaks.", "nm", []),
        ("The film shows two peaks between 0.4 and 0.8 um.", "nm", []),
        ("The film shows two dips between 375 and 750 THz.", "nm", ["375 to 750 THz"]),  # 399.7 to 799.4 nm
        ("The film shows two peaks between 450 nm and 800 nm.", "nm", ["450 to 800 nm"]),
        ("The film shows two peaks between 400 nm and 800 nm.", "um", ["400 to 800 nm"]),
        ("The film shows a maximum at 400 nm and a dip at 800 nm.", "nm", ["400 nm", "800 nm"]),
        ("For an index of 2.0 and a radius of 1.2 um the emission shows two peaks.", "nm", []),
        ("The transmission has a maximum, which lies at an index of 2.0.", "nm", ["2"]),
    ],
)
def test_all_that_a_figure_shows_is_no_result_of_its_own(words: str, unit: str, left: list[str]) -> None:
    """Its ends come from the paper's data, and only of a curve that agrees or is still to be compared."""
    shown = target("shown").model_copy(
        update={
            "kind": "curve",
            "x_unit": unit,
            "reference": Reference(kind="data", file="r.csv", x_column="x", y_column="R"),
        }
    )
    planned, taken = plan(shown, claim_targets=("shown",)), {"shown": Taken((), (400.0, 800.0))}
    assert [e.what for e in left_of(planned, (), paper(words), taken=taken) if e.counts] == left
