"""Prose for blind agents holds no number that code cannot read, in whatever language, base or script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.reproduce.rules.prose_rules import prose_issues, withhold_adaptations
from agents.reproduce.rules.redaction import Secrets, withhold
from agents.reproduce.rules.unread import NO_NUMBER, places_told, unread
from schemas.reproduce.planning.plan import PlannerAnswer
from schemas.reproduce.state import ReproState
from schemas.talking.adaptation import AdaptationRecord, PromptAdaptation
from tests.lies import film

pytestmark = pytest.mark.unit

HIDDEN = (
    "sjuhundratjugo nanometer",
    "칠백이십 nm",
    "dccxx nm",
    "dccxxnm",
    "0x2D0 nm",
    "семьсот двадцать нм",
    "yedi yüz yirmi nm",
    "επτακόσια είκοσι nm",
    "thirty-six score nm",
    "siedemset dwadzieścia nanometrów",
    "sedm set dvacet nanometrů",
    "επτακόσια είκοσι νανόμετρα",
    "seitsemänsataakaksikymmentä nanometriä",
    "ψκ΄ nm",
    "as many nanometres as there are minutes in half a day",
    "the factorial of six, in nm",
    "--... ..--- ----- nm",
    "the wavelength of the far red that phytochrome in its active form absorbs",
)
HONEST = (
    "The curve over the wavelength in nm.",
    "F = 4 / (π n_S² k₀²), |E|²",
    "lengths of a few nm, [nm], (nm), per nm",
    "a band of 500 to 800 nm; step (nm)",
    "R between 0.5 um and 0.8 um, sub-nm shifts, tens-of-nm gaps",
    "30 nm x 40 nm, ±3 nm, the 1.55 µm line, 50 and 60 nm",
    "Find the minimum of each thickness; where the peak lies is compared, and how deep the dips are.",
    "The resonance lies at the edge of the band; the maximum is at least as high at normal incidence.",
    "a nm-scale gap; a 30-nm-wide gap; 600–900 nm; between 1 and\n2 um",
    "the columns wavelength_nm and R_15nm of the file",
    "Fabry–Pérot étalon, λ/4 layers, Å, Ångström, Gröbner, naïve",
)


@pytest.mark.parametrize("words", HIDDEN)
def test_a_number_that_code_cannot_read_blocks_the_plan(words: str) -> None:
    made = film.plan("false")
    made["plan"]["stages"][1]["description"] += f" The maximum should lie at {words}."
    answer = PlannerAnswer.model_validate(made)
    assert prose_issues(answer.plan, answer.extracted_parameters, answer.assumptions)


@pytest.mark.parametrize("words", HONEST)
def test_units_in_plain_words_are_no_numbers(words: str) -> None:
    assert not [words[start:end] for start, end in (*unread(words), *places_told(words))]


@pytest.mark.parametrize(
    "words",
    (
        *HIDDEN,
        "500 nm + 220.7 nm",
        "twice 360.35 nm",
        "λ720.7",
        "0.36035 um doubled",
        "13619 Bohr radii",
        "165.98 kJ/mol",
    ),
)
def test_an_adaptation_tells_no_result_and_no_part_of_one(words: str) -> None:
    made = PlannerAnswer.model_validate(film.plan("false"))
    state = ReproState(
        paper_id="p",
        run_id="r",
        plan=made.plan,
        extracted_parameters=made.extracted_parameters,
        assumptions=made.assumptions,
    )
    record = AdaptationRecord(
        adaptation=PromptAdaptation(
            adaptation_id="a1",
            target_agent="simulation_designer",
            modification_type="append",
            section="Rules",
            content=f"The maximum should lie at {words}." if words in HIDDEN else f"Look at {words}.",
            confidence=0.9,
            reason="why",
        ),
        applied=True,
    )
    shown = withhold_adaptations((record,), state)[0].adaptation.content
    assert "[withheld]" in shown and words not in shown


@given(st.text(max_size=200), st.sampled_from(("nm", "um", "THz", "eV", "nanometres")))
def test_what_stands_before_a_unit_is_read_or_told(text: str, unit: str) -> None:
    found = unread(f"{text} {unit}")
    assert all(0 <= start < end <= len(text) + 1 + len(unit) for start, end in found)


@given(
    st.text(alphabet="abcdefghijklmnopqrstuvwåäöøéüßıçğ", min_size=8, max_size=30).filter(
        lambda word: word not in NO_NUMBER
    )
)
def test_no_word_of_another_language_stands_before_a_unit(word: str) -> None:
    text = f"at {word} nm"
    assert unread(text) or "[withheld]" in withhold(text, Secrets.of([(720.7, "nm")], []))
