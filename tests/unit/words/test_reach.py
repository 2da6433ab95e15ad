"""Over what a result is one of all: the range that spectra or a sweep are said to reach over, of its own sentence, of a figure."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.reproduce.planning.left import left_of
from schemas.reproduce.planning.plan import PlannerAnswer
from schemas.reproduce.words.scene_words import ranges_of_spectra, ranges_swept
from tests.lies.attempts import cases, plan
from tests.unit.words.attempted import doubts, read

pytestmark = pytest.mark.unit
CASES = {case["name"]: case for case in cases()}
VIEW, SWEEP = CASES["again-view-small-lasers"], CASES["again-sweep-index-value"]
TOLD = st.sampled_from(
    [
        "Spectra of lamp and laser were computed from {low} to {high} nm.",
        "Spectra were computed for wavelengths above {low} nm and below {high} nm.",
        "The reflectance was calculated between {low} and {high} nm.",
        "Spectra were computed for {low} nm < wavelength < {high} nm.",
    ]
)


def _view(words: str, shortest: int, longest: int) -> dict[str, Any]:
    told = "Spectra of lamp and laser were computed from 400 to 900 nm."
    assert told in VIEW["text"]
    views = [
        {**view, "value": {"shortest": shortest, "longest": longest}[view["id"]]} for view in VIEW["views"]
    ]
    return {**VIEW, "text": VIEW["text"].replace(told, words), "views": views}


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=12, deadline=None)
@given(TOLD, st.booleans())
def test_an_extremum_is_one_of_all_that_spectra_are_said_to_reach_over(form: str, honest: bool) -> None:
    """Lie: a view that ends before the true maximum."""
    words, (low, high) = form.format(low=400, high=900), (400, 900) if honest else (710, 780)
    assert bool(list(doubts(_view(words, low, high)))) is not honest


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=12, deadline=None)
@given(st.sampled_from(["varied", "swept", "changed"]), st.booleans())
def test_an_extremum_over_a_sweep_is_one_of_all_that_was_swept(verb: str, honest: bool) -> None:
    """Lie: a sweep that ends before what refutes."""
    views = (
        [{**view, "value": {"lo": 1.2, "hi": 5.5}[view["id"]]} for view in SWEEP["views"]]
        if honest
        else SWEEP["views"]
    )
    text = SWEEP["text"].replace("was varied from", f"was {verb} from")
    assert bool(list(doubts({**SWEEP, "text": text, "views": views}))) is not honest


@given(st.text(max_size=300))
def test_any_words_are_read(text: str) -> None:
    for one in ranges_of_spectra(text):
        assert one.low < one.high
    assert all(len(one.value.split()) == 4 for one in ranges_swept(text))


@pytest.mark.attack("judgement", "counted against the verdict")
@pytest.mark.parametrize(("numbers", "counts"), [(1, True), (2, True), (3, False)])
def test_a_figure_of_a_curve_is_not_attempted_by_one_value_of_it(numbers: int, counts: bool) -> None:
    """Lie: a figure with a false resonance is answered by a number of the text; a few numbers may be a figure of a few points."""
    case = CASES["again-figure-by-scalar"]
    target = case["targets"][0]
    more = [{**target, "target_id": f"R{place}", "figure_id": "fig1"} for place in range(numbers)]
    case = {**case, "targets": more}
    made = PlannerAnswer.model_validate(plan(case))
    left = left_of(made.plan, made.extracted_parameters, read({**case, "targets": [target]}).paper)
    assert any(one.figure and one.counts for one in left) is counts
