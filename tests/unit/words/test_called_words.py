"""What words call a number is what was computed: each modifier and complement is matched, or the target is at most PARTIAL."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.reproduce.rules.feature_rules import bound
from agents.reproduce.rules.word_rules import called
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Reference, Target
from tasks.reproduce.describing.answering import answering, process_measured
from tasks.reproduce.papers import BUNDLED, data_columns, load_paper, recorded_ids
from tasks.reproduce.references.called import unmatched
from tests.unit.words.answers_fixture import CLASSES, a_paper, answer, target
from tests.unit.words.test_honest_passages import PASSAGES, plan
from tests.unit.words.test_input_words import (
    declared,
    declared_inputs,
    described,
    document,
    from_document,
    recorded,
)

pytestmark = pytest.mark.unit

HERE = Path(__file__).parent
# Lowered though honest: what "3-dB" and "average" refer to there is for a reader to see.
LOWERED = ("a 3-dB bandwidth of 0.31 nm", "the average reflectance is strongly reduced, and its lowest value")
# No class computes these efficiencies; a function of the description's own does.
OWN = ("polarization conversion", "outcoupling", "focusing")
SEVERAL = (
    "order_efficiency order=0",
    "near_field field=Ex",
    "quality_factor bus=1",
    "cross_section per=shadow",
    "gap what=middle",
)


def lines(name: str) -> list[tuple[str, str, str, str, str]]:
    """value, unit, feature, computed, words of each sentence of a file."""
    out = []
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        head, feature, computed, words = (part.strip() for part in line.split("|", 3))
        value, unit = head.split()
        out.append((value, unit, feature, computed, words))
    return out


def found(value: str, unit: str, feature: str, computed: str, words: str) -> list[str]:
    asked = target(value, unit, feature, words)
    told = called(asked, a_paper(words), ())
    assert told.spoken, "the sentence does not state its number"
    return unmatched(told, asked, [answer(computed)])


@pytest.mark.parametrize("line", lines("honest_sentences.txt"), ids=lambda line: line[4][:60])
def test_an_honest_sentence_is_not_lowered(line: tuple[str, str, str, str, str]) -> None:
    assert bool(found(*line)) == any(words in line[4] for words in LOWERED)


@pytest.mark.parametrize("name", PASSAGES)
def test_an_honest_passage_is_answered_by_something_that_can_be_computed(name: str) -> None:
    paper, made, inputs = plan(name)
    answers = [answer(kind) for kind in (*CLASSES, *SEVERAL) if kind != "measured"]
    for one in made.stages[-1].targets:
        if one.target_id != "t":
            told = called(one, paper, inputs)
            own = [answer("measured")] if any(words in told.spoken for words in OWN) else []
            assert any(unmatched(told, one, [computed]) == [] for computed in (*answers, *own)), told


@pytest.mark.parametrize("paper", recorded_ids())
def test_every_target_of_a_bundled_plan_is_what_its_words_call_it(paper: str) -> None:
    plan_answer, designs = recorded(paper)
    about, columns = (
        load_paper(BUNDLED / paper)[0],
        data_columns(load_paper(BUNDLED / paper)[0], BUNDLED / paper),
    )
    inputs = declared_inputs(plan_answer.extracted_parameters).parameters
    for stage_id, design in designs.items():
        entries = [*(one.model_dump(mode="json") for one in inputs), *design.get("parameters", ())]
        made = from_document(document(described(design["code"], entries)), declared(entries), design["code"])
        for one in plan_answer.plan.stage(stage_id).targets:
            told = called(one, about, plan_answer.extracted_parameters, columns)
            assert unmatched(told, one, answering(made, one.target_id)) == [], one.target_id


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize("line", lines("lying_sentences.txt"), ids=lambda line: line[4][:60])
def test_a_number_that_is_called_something_else_is_lowered(line: tuple[str, str, str, str, str]) -> None:
    """Lie: half widths for full ones, other levels, orders, modes, kinds, norms, and words that no table knows."""
    value, unit, feature, computed, words = line
    held = bound(target(value, unit, feature, words), words, ())
    light = held.process and process_measured(answer(computed).quantity) not in ("", held.process)
    assert light or held.loose or held.refused or found(*line)


CHANGING = (
    "half",
    "second",
    "loaded",
    "mean",
    "averaged",
    "round-trip",
    "single-pass",
    "group",
    "amplitude",
    "photopic",
    "third-order",
    "weighted",
    "integrated",
    "differential",
    "logarithmic",
    "squared",
    "cumulative",
    "10-dB",
    "secondary",
    "next",
    "zorbic",
    "rectified",
    "corrected",
    "per-pass",
    "doubled",
    "unnormalised",
    "phantom",
)
PLAIN = (
    "main",
    "strong",
    "narrow",
    "pronounced",
    "simulated",
    "calculated",
    "sharp",
    "numerical",
    "well-defined",
    "dominant",
    "clearly",
    "corresponding",
    "optical",
    "remarkably low",
    "resonant",
)
FRAMES = (
    ("30 % | value maximum | reflectance", "The {} reflectance of the film has a maximum of 30 %."),
    ("616 nm | position maximum | reflectance", "The {} maximum of the reflectance lies at 616 nm."),
    ("12 nm | width maximum | transmittance", "The transmission peak has a {} linewidth of 12 nm."),
    ("2.1 1 | - | effective_index", "The {} effective index of the guided mode is 2.1."),
    ("300 1 | - | quality_factor", "The cavity has a {} quality factor of 300."),
    ("0.2 1 | - | loss", "The {} loss of the bend is 0.2."),
    (
        "3 1 | value maximum | cross_section per=shadow",
        "The {} scattering efficiency of the sphere has a maximum of 3.",
    ),
)
IN_COMPLEMENT = (
    "616 nm | position maximum | reflectance",
    "The maximum of the {} reflectance lies at 616 nm.",
)


def _in(frame: tuple[str, str], word: str) -> list[str]:
    head, words = frame
    number, feature, computed = (part.strip() for part in head.split("|"))
    return found(*number.split(), feature, computed, words.format(word))  # type: ignore[call-arg]


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=120)
@given(st.sampled_from((*FRAMES, IN_COMPLEMENT)), st.sampled_from(CHANGING))
def test_a_modifier_that_changes_what_a_number_is_lowers_it(frame: tuple[str, str], word: str) -> None:
    """Lie: the number of an honest sentence, with one word more."""
    lit = word == "loaded" and "linewidth" in frame[1]  # light leaves a lit structure by the way it came
    assert lit or _in(frame, word)


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=60)
@given(st.sampled_from(FRAMES), st.text("bcdfghklmnprtvwz", min_size=5, max_size=9))
def test_a_word_that_nobody_knows_lowers_it(frame: tuple[str, str], word: str) -> None:
    """Lie: a new word; a table of forbidden ones would let it pass."""
    assert _in(frame, word)


@settings(max_examples=120)
@given(st.sampled_from((*FRAMES, IN_COMPLEMENT)), st.lists(st.sampled_from(PLAIN), max_size=2, unique=True))
def test_words_that_change_nothing_change_nothing(frame: tuple[str, str], words: list[str]) -> None:
    assert _in(frame, " ".join(words)) == []


OF_OBJECTS = (
    "With the {} {} the maximum of the intensity rises to 56.",
    "The {} {} raises the maximum of the intensity to 56.",
    "The maximum of the intensity in the {} {} is 56.",
    "The {} {}'s intensity has a maximum of 56.",
    "In the {} {} the maximum of the intensity is 56.",
)
OF_EXTREMA = (
    "In the {1} the {0} maximum of the intensity is 56.",
    "The {0} of the maxima of the intensity in the {1} is 56.",
    "The {1}'s {0} maximum of the intensity is 56.",
    "The {0} strong maximum of the intensity in the {1} is 56.",
)
ORDINAL = st.sampled_from(("second", "third", "fourth", "fifth"))
OBJECT = st.sampled_from(("ring", "slit", "film", "row", "cavity", "sample", "pillar", "waveguide"))


@settings(max_examples=60)
@given(st.sampled_from(OF_OBJECTS), ORDINAL, OBJECT)
def test_the_ordinal_of_a_thing_is_no_ordinal_of_a_peak(frame: str, ordinal: str, thing: str) -> None:
    words = frame.format(ordinal, thing)
    assert found("56", "1", "value maximum", "near_field field=intensity", words) == []
    assert bound(target("56", "1", "value maximum", words), words, ()).loose == ()


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=60)
@given(st.sampled_from(OF_EXTREMA), ORDINAL, OBJECT)
def test_the_ordinal_of_a_peak_is_one_beside_a_thing(frame: str, ordinal: str, thing: str) -> None:
    """Lie: the largest of all, called the second."""
    assert found("56", "1", "value maximum", "near_field field=intensity", frame.format(ordinal, thing))


FRAGMENTS = (
    "the",
    "of",
    "per",
    "over the",
    "n = 2",
    "m = -1",
    "second",
    "+1st",
    "-3 dB",
    "1/e",
    "at the laser line",
    "ratio of",
    "TE_12",
    "between bands 1 and 2",
    "between the third and last",
    "loaded Q",
    "normalised to",
    "(solid line)",
    "and",
    ", which is",
    "is 3 nm",
    "half",
    "order 7",
    "at the M point",
    "reflectance",
    "maximum",
    "group index",
    "1/e^2",
    "10 % of its maximum",
    "a quarter of the maximum",
    "\u00a7",
    "#",
    "dB",
    "=",
    "((((1111111111111111111111111",
    "band",
    "gap",
    "\u22121st order",
    "e^-2",
    "lower edge",
)


@settings(max_examples=150)
@given(
    st.lists(st.sampled_from(FRAGMENTS), max_size=14),
    st.sampled_from(("-", "width maximum", "value maximum", "value_at 550")),
    st.sampled_from(tuple(CLASSES)),
)
def test_no_words_of_a_paper_end_a_run(parts: list[str], feature: str, kind: str) -> None:
    words = f"The {' '.join(parts)} reflectance amounts to 47.5 %."
    asked = target("47.5", "%", feature, words)
    unmatched(called(asked, a_paper(words), ()), asked, [answer(kind)])


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("caption", "held"),
    [("Solar-weighted reflectance of the film.", True), ("A zorbic, and its reflectance.", False)],
)
def test_a_caption_names_bodies_and_no_modifiers(caption: str, held: bool) -> None:
    """Lie: a word that changes the number stands in the caption, too."""
    word = "solar-weighted" if held else "zorbic"
    words = f"The {word} reflectance has a maximum of 30 %."
    asked = target("30", "%", "value maximum", words)
    assert bool(unmatched(called(asked, a_paper(words, caption), ()), asked, [answer("reflectance")])) is held


LASER = "The laser line lies at 780 nm. The design wavelength is 550 nm. At the laser line the reflectance is 20 %."


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(("at", "held"), [(550.0, True), (780.0, False)])
def test_a_value_at_a_named_light_is_read_at_the_input_that_the_paper_calls_so(at: float, held: bool) -> None:
    """Lie: the value at the laser line, read at another stated wavelength."""
    inputs = tuple(
        ExtractedParameter(name=name, value=value, unit="nm", role="input", quotation=words, place="Methods")
        for name, value, words in (
            ("one", "780", "The laser line lies at 780 nm"),
            ("two", "550", "design wavelength is 550 nm"),
        )
    )
    asked = target("20", "%", f"value_at {at:g}", "At the laser line the reflectance is 20 %")
    told = called(asked, a_paper(LASER), inputs)
    assert bool(unmatched(told, asked, [answer("reflectance")])) is held


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("elsewhere", "words"),
    [
        ("All widths are half widths at half maximum.", "The width of the reflectance peak is 12 nm."),
        ("By width we mean the 1/e width throughout.", "The width of the reflectance peak is 12 nm."),
        ("Quality factors are loaded ones throughout.", "The quality factor of the cavity is 12."),
        ("Losses are defined per round trip.", "The loss is 12 %."),
    ],
)
def test_a_definition_elsewhere_counts(elsewhere: str, words: str) -> None:
    """Lie: the paper defines its widths as halves in another place."""
    unit, feature, computed = (
        ("nm", "width maximum", "reflectance")
        if "width" in words
        else ("1", "-", "quality_factor")
        if "quality" in words
        else ("%", "-", "loss")
    )
    asked = target("12", unit, feature, words)
    assert unmatched(called(asked, a_paper(f"{elsewhere} {words}"), ()), asked, [answer(computed)])
    assert unmatched(called(asked, a_paper(words), ()), asked, [answer(computed)]) == []


def curve(column: str) -> Target:
    return Target.model_validate(
        {
            "target_id": "t",
            "figure_id": "fig1",
            "description": "",
            "kind": "curve",
            "quantity": "curve",
            "x_unit": "nm",
            "reference": Reference(
                kind="data", file="data/fig1.csv", x_column="wavelength_nm", y_column=column
            ),
        }
    )


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("caption", "column", "computed", "held"),
    [
        ("Reflectance of the coated film.", "R_bare", "reflectance", True),
        ("Reflectance of the coated film.", "R_coated", "reflectance", False),
        ("Transmittance of the film.", "R", "reflectance", True),
        ("Transmittance of the film.", "T", "transmittance", False),
        ("Reflectance and transmittance of the film.", "R", "reflectance", False),
        ("Efficiency of the orders.", "efficiency_order2", "order_efficiency order=1", True),
        ("Efficiency of the orders.", "efficiency_order1", "order_efficiency order=1", False),
        ("Group index of the guide.", "n", "effective_index", True),
        ("Effective index of the guide.", "n", "effective_index", False),
    ],
)
def test_a_column_is_the_one_that_the_caption_names(
    caption: str, column: str, computed: str, held: bool
) -> None:
    """Lie: another column of the figure's data, which happens to agree."""
    columns = {"data/fig1.csv": ("wavelength_nm", "R_coated", "R_bare", column)}
    told = called(curve(column), a_paper("Nothing.", caption), (), columns)
    assert bool(unmatched(told, curve(column), [answer(computed)])) is held


def test_what_no_description_computed_is_left_as_it_is() -> None:
    """A free script's results are PARTIAL at most anyway."""
    from tasks.reproduce.references.called import as_called
    from tests.unit.evidence.evidence_fixture import a_stage

    asked = target("12", "nm", "width maximum", "The half width of the peak is 12 nm.")
    evidence = TargetEvidence.model_construct(target_id="t", classification="SUCCESS")
    assert as_called(a_stage(asked), [evidence], {}, None) == (evidence,)
