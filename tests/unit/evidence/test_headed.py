"""A column whose head names the size of another sample is doubted; one of the own sample, or of no input, is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.reproduce.planning.plan import Target
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.reproduce.describing.in_sandbox import Description, declared, from_document
from tasks.reproduce.references.headed import headed_by_another
from tests.unit.describing.described_fixture import CODE, FILM

pytestmark = pytest.mark.unit
ENTRIES = [
    *FILM,
    {"id": "thick", "value": 0.2, "unit": "um", "origin": "paper", "quotation": "others of 0.2 um"},
]


def _film() -> Description:
    code = CODE.replace('scene="film"),', 'scene="film", answers=("R",)),', 1)
    assert code != CODE
    return from_document(document(described(code, ENTRIES)), declared(ENTRIES), code)


def _told(head: str) -> list[str]:
    target = Target.model_validate(
        {
            "target_id": "R",
            "figure_id": "fig1",
            "description": "reflectance",
            "kind": "curve",
            "quantity": "curve",
            "x_unit": "nm",
            "reference": {
                "kind": "data",
                "file": "data/fig1.csv",
                "x_column": "wavelength_nm",
                "y_column": head,
            },
        }
    )
    return list(headed_by_another(target, _film()))


@pytest.mark.parametrize("head", ["R_200nm", "R 200 nm", "R(0.2 um)", "R_0.20um_film"])
def test_the_size_of_another_sample_is_doubted(head: str) -> None:
    (told,) = _told(head)
    assert repr(head) in told and "does not rest on thick" in told


@pytest.mark.parametrize(
    "head", ["R_100nm", "R 0.1 um", "R_150nm", "R", "R200", "R_1200nm", "R_200nmol", "run_200", "R_at_600nm"]
)
def test_the_own_sample_other_numbers_and_no_size_are_not(head: str) -> None:
    assert _told(head) == []


@given(st.text(min_size=1, max_size=300))
def test_any_head_can_be_read(head: str) -> None:
    assert isinstance(_told(head), list)
