"""Numbers that a paper found are no sizes of what it computed: two strangers' papers were doubted whole for theirs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.reproduce.planning.coverage import names_what_is_missing
from schemas.reproduce.words.structure_words import structure_words

pytestmark = pytest.mark.unit

HEAD = "## Methods\nA film with a thickness of 120 nm lies on glass of refractive index 1.5.\n\n## Results\n"
SIZES = st.integers(200, 900)


def _told(words: str) -> set[float]:
    return {n.value for n in structure_words(HEAD + words).numbers if n.told}


@given(
    SIZES,
    st.sampled_from(
        (
            "The efficiency rises steeply, passes 0.85 at a width of {0} nm, and stays there.",
            "It falls below 85 % only at a thickness of {0} nm.",
            "The window is {0} nm wide, a third of the design width.",
            "The film may be made too thick by {0} nm.",
            "Errors of the thickness of more than {0} nm are harmless.",
            "The best height is {0} nm in TE polarisation.",
            "A residual layer (thickness {0} nm) is left out.",
        )
    ),
)
def test_what_was_found_is_no_size(size: int, form: str) -> None:
    assert float(size) not in _told(form.format(size))


@given(st.integers(3, 40), st.sampled_from(("at", "for")))
def test_a_case_of_several_is_no_count(rows: int, at: str) -> None:
    assert not {float(rows), rows + 1.0} & _told(
        f"Q grows; {at} N = {rows} and {rows + 1}, the peaks overlap."
    )


@pytest.mark.attack("judgement", "at most PARTIAL")
@given(
    SIZES,
    st.sampled_from(
        (
            "On it lies a layer with a thickness of {0} nm.",
            "A second film with a thickness of {0} nm covers it.",
            "The ridge is {0} nm wide.",
            "The film has the optimal thickness of {0} nm.",
        )
    ),
)
def test_what_is_there_is(size: int, form: str) -> None:
    """Lie: a size of the structure is left out of the description."""
    assert float(size) in _told(form.format(size))


def test_a_reason_in_its_own_words_names_what_is_missing() -> None:
    assert names_what_is_missing("text: 0.0001: no spectrum or quality factor of lossy rods is given")
    assert not names_what_is_missing("text: 0.0001: it is of no interest")
