"""No honest result of an honest paper is lowered by its words, and the same result in the other polarisation is."""

from __future__ import annotations

from typing import Any

import pytest

from tasks.reproduce.describing.inputs_used import scenes_of
from tasks.reproduce.references.polarizations import polarization_of
from tests.unit.words.honest import case, case_texts, lowered

pytestmark = pytest.mark.unit
NAMES = sorted(case_texts())
# Lowered, and told why: names of its own for polarisations ("longitudinal").
NOT_READ = {"two-wires"}
FLIPPED = {"s": "p", "p": "s", "Ez": "Hz", "Hz": "Ez", "tm": "te", "te": "tm", "x": "y", "y": "x"}


def flip(said: dict[str, Any]) -> None:
    """Every scene in the other polarisation."""
    for scene in said["scenes"]:
        in_wires = {"z": "y", "y": "z"} if scene["type"] == "scatterer" else {}
        for field in ("polarization", "field"):
            if (value := scene.get(field)) in {**FLIPPED, **in_wires}:
                scene[field] = {**FLIPPED, **in_wires}[value]


@pytest.mark.parametrize("name", NAMES)
def test_honest_paper_is_not_lowered_by_its_words(name: str) -> None:
    assert bool(list(lowered(case(case_texts()[name])))) is (name in NOT_READ)


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize("name", sorted({*NAMES} - NOT_READ))
def test_the_same_in_the_other_polarisation_is_lowered(name: str) -> None:
    """Lie: every scene of an honest paper is lit in the other polarisation."""
    one = case(case_texts()[name], flip)
    told = {target for target, check, _ in lowered(one) if check == "choice"}
    differ = {
        target.target_id
        for target in one.targets
        if any(polarization_of(scene) for scene in scenes_of(one.found, target.target_id))
    }
    assert told >= differ
