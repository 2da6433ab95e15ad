"""A number that the paper denies, supposes or reports of other work is no claim of it, wherever the quotation is cut."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.reproduce.rules.feature_rules import bound
from schemas.reproduce.planning.plan import Reference, Target
from schemas.reproduce.words.unclaimed import unclaimed

pytestmark = pytest.mark.unit

UNCLAIMED = [
    ("It is not true that the maximum of the reflectance lies at 720.7 nm.", "denies"),
    ("We never saw the maximum of the reflectance at 720.7 nm.", "denies"),
    ("Rather than the maximum of the reflectance lying at 720.7 nm it shifts.", "denies"),
    ("The maximum of the reflectance doesn't lie at 720.7 nm.", "denies"),
    ("An erroneous maximum of the reflectance at 720.7 nm results.", "denies"),
    ("In silver the maximum of the reflectance would lie at 720.7 nm.", "supposes"),
    ("If the film were silver the maximum of the reflectance lies at 720.7 nm.", "supposes"),
    ("Naively the maximum of the reflectance is expected at 720.7 nm.", "supposes"),
    ("Smith et al. found, for the same film, the maximum of the reflectance at 720.7 nm.", "other work"),
    ("A previous study found the maximum of the reflectance at 720.7 nm.", "other work"),
    ("The maximum of the reflectance of Ref. 12 lies at 720.7 nm.", "other work"),
    ("The maximum of the reflectance at 720.7 nm was not confirmed.", "takes back"),
    ("A maximum of the reflectance at 720.7 nm would need silver.", "takes back"),
    ("The maximum of the reflectance at 720.7 nm turned out to be an artefact.", "takes back"),
    ("It would be wrong to say that the maximum of the reflectance lies at 720.7 nm.", "denies"),
    (
        "The transmittance does not drop below 0.98 and we never saw the maximum of the reflectance at 720.7 nm.",
        "denies",
    ),
    (
        "It cannot be that the transmittance does not exceed 0.98 and the maximum of the reflectance lies at 720.7 nm.",
        "denies",
    ),
    (
        "It is not true that the index never exceeds 1.98 and the maximum of the reflectance lies at 720.7 nm.",
        "denies",
    ),
    ("The transmittance does not exceed 0.98 or show the maximum of the reflectance at 720.7 nm.", "denies"),
    ("There is no maximum of the reflectance at 720.7 nm.", "denies"),
    ("We were unable to find the maximum of the reflectance at 720.7 nm.", "denies"),
    ("Were the film of silver the maximum of the reflectance lies at 720.7 nm.", "supposes"),
    ("Here, Miller et al. found the maximum of the reflectance at 720.7 nm.", "other work"),
    ("Miller and coworkers saw the maximum of the reflectance at 720.7 nm.", "other work"),
    ("The maximum of the reflectance lies at 720.7 nm in the work of Miller et al.", "other work"),
    ("The maximum of the reflectance lies at 720.7 nm in Ref. 12.", "other work"),
]
CLAIMED = [
    "The maximum of the reflectance lies at 720.7 nm.",
    "Contrary to an earlier report, the maximum of the reflectance lies at 720.7 nm.",
    "The maximum of the reflectance lies not only in the band but at 720.7 nm.",
    "While the minimum is not resolved, the maximum of the reflectance lies at 720.7 nm.",
    "Our maximum of the reflectance, close to that of Ref. 12, lies at 720.7 nm.",
    "The transmittance does not drop below 0.98 and the maximum of the reflectance lies at 720.7 nm.",
    "The film does not absorb. Its maximum of the reflectance lies at 720.7 nm.",
    "Using the optical constants of Johnson et al., the maximum of the reflectance lies at 720.7 nm.",
    "With the permittivity taken from Ref. 12 the maximum of the reflectance lies at 720.7 nm.",
    "Following the method of Ref. 12 the maximum of the reflectance lies at 720.7 nm.",
    "The material data come from [12]; the maximum of the reflectance lies at 720.7 nm.",
    "As in the literature, the maximum of the reflectance lies at 720.7 nm.",
    "The maximum of the reflectance is expected and found at 720.7 nm.",
    "The supposed loss is small and the maximum of the reflectance lies at 720.7 nm.",
    "If the film is 100 nm thick the maximum of the reflectance lies at 720.7 nm.",
    "The maximum of the reflectance lies at 720.7 nm, which is not far from the edge.",
]


def _target(quotation: str) -> Target:
    return Target(
        target_id="t",
        figure_id="fig1",
        description="",
        kind="scalar",
        quantity="peak_position",
        unit="nm",
        reference=Reference(
            kind="quotation",
            value=720.7,
            quotation=quotation,
            feature={  # type: ignore[arg-type]
                "kind": "position",
                "extremum": "maximum",
            },
        ),
    )


@pytest.mark.parametrize(("sentence", "how"), UNCLAIMED)
def test_what_is_no_claim_is_partial_at_most_however_the_quotation_is_cut(sentence: str, how: str) -> None:
    text = f"A film on gold is studied. {sentence} The rest follows."
    start, end = sentence.find("maximum of"), sentence.find("720.7 nm") + len("720.7 nm")
    for quotation in (sentence, sentence[start:end]):
        loose = bound(_target(quotation), text, ()).loose
        assert loose and how in loose[0], loose


@pytest.mark.parametrize("sentence", CLAIMED)
def test_a_claim_stays_one(sentence: str) -> None:
    assert not bound(_target(sentence), f"A film on gold is studied. {sentence} The rest follows.", ()).loose


@settings(max_examples=200)
@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=200))
def test_any_words_are_read(sentence: str, clause: str, after: str) -> None:
    assert isinstance(unclaimed(sentence, clause, after), str)


@pytest.mark.parametrize(
    "words", ["If not said otherwise b is", "Unless stated otherwise b is", "Where not noted otherwise, b is"]
)
def test_what_holds_if_not_said_otherwise_is_claimed(words: str) -> None:
    assert not unclaimed(words, words, ".")


@pytest.mark.parametrize(
    "words",
    [
        "Instead of going to zero, rho tends to a floor of",
        "Far from vanishing, the efficiency reaches",
        "Contrary to what is often said, R is",
    ],
)
def test_what_stands_behind_what_it_is_instead_of_is_claimed(words: str) -> None:
    """The floor itself was told to be denied by the paper: only the zero is."""
    assert not unclaimed(words, words, ".")


@pytest.mark.parametrize(
    "words",
    [
        "The width is not",
        "It is never",
        "No longer otherwise it is not",
        "Instead of",
        "Rather than falling to",
        "Instead of 0.3, 0.4 or",
        "It does not fall instead of rising, but to",
    ],
)
def test_what_is_denied_stays_denied(words: str) -> None:
    assert unclaimed(words, words, ".")
