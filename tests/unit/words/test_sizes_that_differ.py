"""Numbers of a claim that are arithmetic on inputs: by how much two sizes differ, a reciprocal among many inputs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.reproduce.planning.by_hand import is_step, made_by_hand
from schemas.reproduce.words.claims import claims_in, claims_of
from tests.unit.words.test_claims import paper

pytestmark = pytest.mark.unit
WAYS = st.sampled_from(["too thin or too thick", "thicker", "thinner", "deeper", "too tall"])


@settings(max_examples=40)
@given(thin=st.integers(20, 400), step=st.integers(13, 60), way=WAYS, off=st.integers(1, 9))
def test_by_how_much_two_inputs_differ_is_no_result(thin: int, step: int, way: str, off: int) -> None:
    told = claims_of(paper(f"A film that is {step} nm {way} lowers the transmission to 84.9 %."))
    (claim,) = [one for one in told if one.number.low == step]
    assert is_step(claim, [(float(thin), "nm"), (1e-3 * (thin + step), "um"), (1.5, "1")])
    assert not is_step(claim, [(float(thin), "nm"), (float(thin + step + off), "nm")])


@pytest.mark.parametrize("words", ["The line is {} wider", "The peak moves by {}", "its width grows by {}"])
def test_what_a_line_does_is_a_result_whatever_inputs_differ_by(words: str) -> None:
    told = claims_in(words.format("20 nm") + ".", "main claim")
    assert told and not any(is_step(one, [(100.0, "nm"), (120.0, "nm")]) for one in told)


def test_a_reciprocal_that_the_reason_names_is_found_among_however_many_inputs() -> None:
    (claim,) = claims_in("The group index is 2.34.", "main claim")
    many = [(float(n), "nm") for n in range(11, 60)]
    assert made_by_hand(claim, many, [(0.428, "1")], "by hand: 1 / 0.428")
    assert not made_by_hand(claim, many, [(0.3038, "1")], "by hand: 1 / 0.3038")
