"""What a paper tells of its modes in lists is a result and no number of the structure; what it puts in is one."""

from __future__ import annotations

import pytest

from schemas.reproduce.words.clauses import governing
from schemas.reproduce.words.structure_words import structure_words
from schemas.reproduce.words.written import numbers_in

pytestmark = pytest.mark.unit


def told(text: str) -> set[float]:
    return {n.value for n in structure_words(text).numbers if n.told}


@pytest.mark.parametrize(
    "words",
    [
        "TM is more weakly guided: its effective index is 1.655 at h = 0.16 um, 2.056 at 0.22 um and 2.983 at 0.40 um.",
        "The group index is 4.21 at 1.31 um, 3.98 at 1.45 um and 3.77 at 1.55 um.",
        "The mode has an effective index of 1.52 when the gap is 50 nm, of 1.61 at 30 nm and of 1.88 at 10 nm.",
        "n_eff is 2.31 for a width of 400 nm, 2.44 for 500 nm and 2.53 for 600 nm.",
        "The modal index grows to 1.721 at 1.60 um, 1.734 at 1.50 um and 1.751 at 1.40 um.",
        "The confinement ratio of the slot is 0.31 for 60 nm, 0.25 for 90 nm and 0.19 for 120 nm.",
        "The propagation loss is 0.02 at 400 nm, 0.011 at 500 nm and 0.007 at 600 nm.",
        "Their effective index is 2.31 (even), 2.27 (odd).",
    ],
)
def test_results_of_a_list_are_no_structure(words: str) -> None:
    assert told(words) == set()


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("words", "stated"),
    [
        ("The effective index of the cladding is taken as 1.45, that of the core as 2.85.", {1.45, 2.85}),
        ("We model the slab by an effective index of 2.85.", {2.85}),
        ("In the effective index method the core gets an effective index of 2.85.", {2.85}),
        ("Its effective index is 1.655 at h = 0.16 um, the buffer's index 1.70.", {1.70}),
        ("Its effective index is 1.655 and its core has an index of 3.48, a thickness of 0.22 um.", {3.48, 0.22}),
        ("While the group index is 4.1 at 1.55 um, the cladding has an index of 1.33.", {1.33}),
        ("The film has an index of 2.1 and a loss of 0.02.", {2.1, 0.02}),
        ("The stack has an index of 2.0 in a thickness of 60 nm, 1.45 in a thickness of 90 nm.", {60, 90}),
    ],
)  # fmt: skip
def test_what_is_put_in_is_of_the_structure(words: str, stated: set[float]) -> None:
    """Lie: a structure that is described without what the paper says of it beside results."""
    assert told(words) >= stated


def test_each_number_of_a_list_with_places_has_its_noun() -> None:
    text = "The quality factor is 793 at 1.50 um, 810 at 1.55 um and 640 at 1.60 um; its reflectance 0.31."
    found = {n.low: governing(text, n) for n in numbers_in(text)}
    assert found[793] == found[810] == found[640] == "quality_factor" != found[0.31]
    assert found[1.55] == found[1.6] == ""
