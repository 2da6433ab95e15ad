"""What code finds in a paper before anything runs, and in all results together afterwards."""

from __future__ import annotations

import pytest

from schemas.contradictions import contradictions_found
from schemas.evidence import TargetEvidence
from schemas.paper import PaperInput
from schemas.parameters import ExtractedParameter
from tasks.evidence.common_factor import common_factor


def _paper(text: str, caption: str = "Results.") -> PaperInput:
    return PaperInput.model_validate({
        "paper_id": "p", "title": "A grating", "citation": "A. Author, Journal 1, 2 (2020)", "text": text + " Words." * 60,
        "figures": [{"figure_id": "fig1", "caption": caption}]})


def test_one_quantity_with_two_values_is_found_with_the_words_and_places() -> None:
    found = contradictions_found(_paper("The grating has a period of 700 nm.", "Grating with a period of 720 nm."))
    assert found == ("grating period: 'period of 700 nm' (text) and 'period of 720 nm' (caption of fig1)",)
    assert contradictions_found(_paper("| ring radius | 1.5 um |", "A ring radius = 1600 nm."))


@pytest.mark.parametrize(("text", "caption"), [
    ("At a wavelength of 500 nm it is dark.", "At a wavelength of 420 nm."),  # a length is no wavelength
    ("The grating has a period of 700 nm.", "A grating period of 0.7 um."),  # the same in another unit
    ("Film thicknesses of 10, 15 and 20 nm. A film thickness of 10 nm is blue, a film thickness of 15 nm red.", "x"),  # a sweep
    ("The grating has a period of 700 nm.", "The lattice period of 300 nm."),  # two things
])
def test_sweeps_other_units_and_other_things_are_no_contradictions(text: str, caption: str) -> None:
    assert contradictions_found(_paper(text, caption)) == ()


def _input(name: str, value: str, unit: str = "") -> ExtractedParameter:
    return ExtractedParameter(name=name, value=value, unit=unit, role="input", quotation=value, place="text")


def test_a_layer_that_is_no_quarter_wave_is_found() -> None:
    paper = _paper("The mirror is made of quarter-wave layers.")
    given = [_input("n_low", "1.45"), _input("n_high", "2.32"), _input("lambda_0", "600", "nm")]
    assert contradictions_found(paper, [*given, _input("t_low", "103.4", "nm"), _input("t_high", "64.7", "nm")]) == ()
    found = contradictions_found(paper, [*given, _input("t_low", "120", "nm")])
    assert "t_low = 120 nm times n_low is 1.16 of a quarter" in found[0]


def _evidence(name: str, simulated: float, reference: float, unit: str = "nm") -> TargetEvidence:
    return TargetEvidence(target_id=name, stage_id="s", simulated=simulated, reference=reference, unit=unit, ran=True,
                          computed=True, converged=True, physical=True, matches=False, classification="FAILURE")


def test_one_factor_in_all_results_is_named() -> None:
    found = [_evidence("a", 672, 600), _evidence("b", 784, 700.3), _evidence("c", 299.792458 / 0.896, 299.792458 / 0.8, "THz")]
    assert "1.12 times" in common_factor(found)
    assert common_factor(found[:2]) == ""  # two may be chance
    assert common_factor([*found, _evidence("d", 801, 800)]) == ""  # one that agrees refutes it
    assert common_factor([_evidence(n, 1.0001 * v, v) for n, v in (("a", 600), ("b", 700), ("c", 800))]) == ""  # nothing is off
