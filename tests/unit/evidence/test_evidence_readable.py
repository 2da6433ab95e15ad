"""References are tried on the paper's own data at plan review."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemas.reproduce.planning.plan import Plan
from tasks.reproduce.references.readable import try_references

pytestmark = pytest.mark.unit
FILE = {"file": "data.csv", "x_column": "wavelength_nm", "y_column": "R"}


def plan(**target: object) -> Plan:
    entry = {
        "target_id": "dip",
        "figure_id": "fig1",
        "description": "dip",
        "kind": "scalar",
        "quantity": "peak_position",
        "unit": "nm",
        "x_unit": "nm",
    } | target
    return Plan.model_validate(
        {
            "title": "t",
            "summary": "s",
            "main_claim": "c",
            "materials": [
                {"name": "gold", "page": "main/Au/Johnson", "band_um": [0.4, 1], "reason": "r", "source": "s"}
            ],
            "stages": [
                {
                    "stage_id": "film",
                    "stage_type": "SINGLE_STRUCTURE",
                    "name": "n",
                    "description": "d",
                    "targets": [entry],
                }
            ],
        }
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A dip at 600 nm, rising to both ends."""
    rows = [f"{x},{abs(x - 600) ** 2 / 1e5}" for x in range(400, 801, 2)]
    (tmp_path / "data.csv").write_text("wavelength_nm,R\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (
            {
                "reference": FILE
                | {
                    "kind": "feature",
                    "feature": {"kind": "position", "extremum": "minimum", "window": [650, 790]},
                }
            },
            "cannot be taken",
        ),
        (
            {
                "reference": FILE
                | {"kind": "feature", "feature": {"kind": "position", "extremum": "minimum", "number": 2}}
            },
            "cannot be taken",
        ),
        (
            {"reference": FILE | {"kind": "feature", "feature": {"kind": "position", "window": [900, 950]}}},
            "400 to 800",
        ),
        (
            {
                "kind": "curve",
                "unit": "1",
                "quantity": "curve",
                "x_range": [0.4, 0.8],
                "reference": FILE | {"kind": "data"},
            },
            "the data cover 400 to 800",
        ),
    ],
)
def test_a_reference_that_the_papers_data_cannot_give_blocks_the_plan(
    folder: Path, target: dict[str, object], words: str
) -> None:
    (issue,), numbers = try_references(plan(**target), folder)
    assert numbers == {}
    assert issue.severity == "blocking" and issue.where == "film/dip" and words in issue.description


@pytest.mark.parametrize(
    "target",
    [
        {
            "reference": FILE
            | {
                "kind": "feature",
                "feature": {"kind": "position", "extremum": "minimum", "window": [500, 700]},
            }
        },
        {
            "kind": "curve",
            "unit": "1",
            "quantity": "curve",
            "x_range": [450, 790],
            "reference": FILE | {"kind": "data"},
        },
    ],
)
def test_a_reference_that_the_data_have_is_not_remarked_on(folder: Path, target: dict[str, object]) -> None:
    issues, taken = try_references(plan(**target), folder)
    assert issues == ()
    curve = target.get("kind") == "curve"
    assert bool(taken["dip"].numbers) != curve  # a long curve answers no number
    assert taken["dip"].reach == ((400.0, 800.0) if curve else None)
    assert taken["dip"].drawn == (400.0, 800.0)


@pytest.mark.parametrize(
    ("target", "severity"),
    [
        (
            {
                "reference": FILE
                | {
                    "kind": "feature",
                    "feature": {"kind": "position", "extremum": "minimum", "window": [590, 615]},
                }
            },
            "major",
        ),
        (
            {
                "kind": "curve",
                "unit": "1",
                "quantity": "curve",
                "x_range": [450, 700],
                "reference": FILE | {"kind": "data"},
            },
            "minor",
        ),
    ],
)
def test_what_is_at_most_partial_for_little_of_the_data_is_told_with_the_plan(
    folder: Path, target: dict[str, object], severity: str
) -> None:
    ((issue,), taken) = try_references(plan(**target), folder)
    assert issue.severity == severity and "at most PARTIAL" in issue.description and "dip" in taken
