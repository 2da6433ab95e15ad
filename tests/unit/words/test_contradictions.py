"""What code finds in a paper before anything runs, and in all results together afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Plan
from schemas.reproduce.simulations.drawn import Drawn, DrawnInFigure
from schemas.reproduce.words.contradictions import (
    MOST_READ,
    READ_BY_MODEL,
    contradictions_found,
    contradictions_read,
    taken_apart,
)
from tasks.reproduce.judging.common_factor import common_factor
from tasks.reproduce.papers import BUNDLED, load_paper
from tasks.reproduce.references.against_data import words_against_data


def _paper(text: str, caption: str = "Results.") -> PaperInput:
    return PaperInput.model_validate(
        {
            "paper_id": "p",
            "title": "A grating",
            "citation": "A. Author, Journal 1, 2 (2020)",
            "text": text + " Words." * 60,
            "figures": [{"figure_id": "fig1", "caption": caption}],
        }
    )


def test_one_quantity_with_two_values_is_found_with_the_words_and_places() -> None:
    found = contradictions_found(
        _paper("The grating has a period of 700 nm.", "Grating with a period of 720 nm.")
    )
    assert found == ("grating period: 'period of 700 nm' (text) and 'period of 720 nm' (caption of fig1)",)
    for owner in ("The filament is", "A thin filament of PTFE,", "A filament of"):
        words = f"A filament with a diameter of 1 mm. {owner} two millimetres in diameter. Rods have a diameter of 4.6 mm."
        assert "filament diameter" in contradictions_found(_paper(words))[0], "whose it is stands in front"
    assert contradictions_found(
        _paper("All are round, with a diameter of 4.6 mm. The rods are 4.8 mm in diameter.")
    )
    assert contradictions_found(_paper("| ring radius | 1.5 um |", "A ring radius = 1600 nm."))


@pytest.mark.parametrize(
    ("text", "caption"),
    [
        ("At a wavelength of 500 nm it is dark.", "At a wavelength of 420 nm."),  # a length is no wavelength
        ("The grating has a period of 700 nm.", "A grating period of 0.7 um."),  # the same in another unit
        (
            "Film thicknesses of 10, 15 and 20 nm. A film thickness of 10 nm is blue, a film thickness of 15 nm red.",
            "x",
        ),  # a sweep
        ("The grating has a period of 700 nm.", "The lattice period of 300 nm."),  # two things
        ("For a layer of 125 nm thickness it is blue, for one of 175 nm thickness red.", "x"),  # two cases
        (
            "The rods are round, have a diameter of 4.6 mm, and stand. A filament with a diameter of 1 mm, and a thin "
            "filament of PTFE, one millimetre in diameter, are two things.",
            "x",
        ),
        (
            "The bars of high index have a refractive index of 2.00, those of low index a refractive index of 1.60.",
            "x",
        ),
    ],
)
def test_sweeps_other_units_and_other_things_are_no_contradictions(text: str, caption: str) -> None:
    assert contradictions_found(_paper(text, caption)) == ()


def _input(name: str, value: str, unit: str = "") -> ExtractedParameter:
    return ExtractedParameter(name=name, value=value, unit=unit, role="input", quotation=value, place="text")


def test_two_values_that_are_two_inputs_of_a_run_are_two_things() -> None:
    """The report and the letter to the authors called a bundled paper's core and cladding a contradiction."""
    paper, _ = load_paper(BUNDLED / "coupler")
    (told,) = contradictions_found(paper)
    core, cladding = _input("core_index", "2.00"), _input("cladding_index", "1.444")
    assert taken_apart(paper, [core, cladding]) == {told}
    assert not taken_apart(paper, [core]) and not taken_apart(paper, [core, _input("core_index", "1.444")])


GIVEN = [_input("n_low", "1.45"), _input("n_high", "2.32"), _input("lambda_0", "600", "nm")]
ELSEWHERE = "The substrate is thick."


def _layer(value: str, name: str = "t_low") -> ExtractedParameter:
    """A size that the planner quotes from words that say nothing of waves."""
    return _input(name, value, "nm").model_copy(update={"quotation": ELSEWHERE})


@pytest.mark.attack("judgement", "shown")
@pytest.mark.parametrize(
    ("text", "thickness", "told"),
    [
        ("The mirror is made of quarter-wave layers. They are # nm and 64.7 nm thick.", 120, "1.16 of a quarter"),
        ("A quarter-wave film of silica, # nm thick, lies on glass.", 120, "1.16 of a quarter"),
        ("The film has a thickness of # nm. It is a quarter of a wave at 600 nm.", 120, "1.16 of a quarter"),
        ("All layers are a quarter of a wave thick. Those of glue are soft. A layer of silica has # nm.", 120, "1.16 of a quarter"),
        ("Quarter-wave layers of titania and silica, 64.7 and # nm thick, respectively, are used.", 120, "1.16 of a quarter"),
        ("Between the mirrors lies a half-wavelength spacer. The spacer has a thickness of # nm.", 250, "1.21 of half"),
        ("The coating of # nm (lambda/4) is of silica.", 120, "1.16 of a quarter"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["t_low", "d_size", "coat"])
def test_a_layer_that_is_no_part_of_a_wave_is_found_wherever_it_is_quoted(
    text: str, thickness: float, told: str, name: str
) -> None:
    """Lie: a planner that quotes a layer where nothing is said of waves, or calls it something else."""
    right = 600 / 4 / 1.45 if "quarter" in told else 600 / 2 / 1.45
    paper = _paper(f"{text.replace('#', f'{thickness}')} {ELSEWHERE}")
    assert any(told in one for one in contradictions_found(paper, [*GIVEN, _layer(str(thickness), name)]))
    paper = _paper(f"{text.replace('#', f'{right:.1f}')} {ELSEWHERE}")
    assert contradictions_found(paper, [*GIVEN, _layer(f"{right:.1f}", name)]) == ()


@pytest.mark.parametrize(
    ("text", "thickness"),
    [
        ("The mirror is made of quarter-wave layers. They are 103.4 nm and 64.7 nm thick. The substrate is # nm thick.", 120),
        ("The slab has h = # nm, and its facet a film. A quarter-wave film, d = 103.4 nm, still leaves 0.031.", 120),
        ("A slab is # nm high. A single film reduces its reflectance, with a thickness 12 % above a quarter wave.", 120),
        ("At d = # nm, close to half a wave in the film, R has returned to only 0.249.", 250),
        ("The pillars act as a half-wave plate. They are # nm high.", 250),
        ("The film is # nm thick. This is thicker than a quarter wave.", 120),
        ("A quarter-wave film for 600 nm is 103.4 nm thick; the bars below are # nm high.", 120),
    ],
)  # fmt: skip
def test_a_layer_of_which_no_words_say_so_is_none(text: str, thickness: float) -> None:
    paper = _paper(f"{text.replace('#', f'{thickness}')} {ELSEWHERE}")
    found = contradictions_found(paper, [*GIVEN, _layer(str(thickness), "h_slab")])
    assert not [one for one in found if "wave: " in one]


def _drawn(of: str, value: float, unit: str = "nm", read: str = "label") -> DrawnInFigure:
    return DrawnInFigure.model_validate(
        {"figure_id": "fig1", "of": of, "value": value, "unit": unit, "read": read}
    )


def test_a_drawn_dimension_is_held_against_the_words_and_the_parameters() -> None:
    paper = _paper(
        "The grating has a period of 700 nm. Films of thickness 10 nm, 20 nm and 30 nm were grown on it."
    )
    width = [_input("ridge_width", "0.25", "um")]
    read = "apart, it can be read to 0.1%"
    assert contradictions_read(paper, width, [_drawn("grating period", 650), _drawn("ridge width", 300)]) == (
        f"{READ_BY_MODEL}grating period: drawn as 650 nm in fig1 (by label), stated as 'period of 700 nm' (text): 7.7% {read}",
        f"{READ_BY_MODEL}ridge width: drawn as 300 nm in fig1 (by label), stated as ridge_width = 0.25 um (text): 16.7% {read}",
    )
    for same in (
        _drawn("grating period", 0.7, "um"),
        _drawn("period", 700),
        _drawn("grating period", 650, read="scale_bar"),
        _drawn("grating period", 5, "um"),
        _drawn("flange", 3),
        _drawn("grating period", 45, "deg"),
    ):
        assert contradictions_read(paper, width, [same]) == ()


@pytest.mark.attack("judgement", "what the planner reads in a drawing silences nothing that code found")
def test_what_the_planner_reads_takes_no_place_of_what_code_found_and_sets_no_tolerance() -> None:
    paper = _paper(
        "The grating has a period of 700 nm. The film has a thickness of 50 nm.",
        "A film of thickness of 80 nm.",
    )
    many = [_drawn("grating period", 650 + n) for n in range(20)]
    assert len(contradictions_read(paper, (), many)) == MOST_READ
    assert contradictions_found(paper) and not any(
        READ_BY_MODEL in told for told in contradictions_found(paper)
    )
    with pytest.raises(ValidationError):
        DrawnInFigure.model_validate({**_drawn("grating period", 650).model_dump(), "error_percent": 100})
    own = paper.model_copy(
        update={
            "figures": (
                paper.figures[0].model_copy(
                    update={"drawn": (Drawn(of="grating period", value=650, unit="nm", read="label"),)}
                ),
            )
        }
    )
    assert any(
        "drawn as 650 nm" in told
        for told in contradictions_found(own, [_input("grating_period", "650", "nm")])
    )


def test_dimensions_that_came_with_the_figure_need_no_planner() -> None:
    figure = {
        "figure_id": "fig1",
        "caption": "The cell.",
        "drawn": [{"of": "period", "value": 650, "unit": "nm", "read": "scale_bar", "error_percent": 3}],
    }
    paper = PaperInput.model_validate(
        {
            "paper_id": "p",
            "title": "A grating",
            "citation": "A. Author, Journal 1, 2 (2020)",
            "text": "The grating has a period of 700 nm." + " Words." * 60,
            "figures": [figure],
        }
    )
    assert "drawn as 650 nm in fig1 (by scale bar)" in contradictions_found(paper)[0]


@pytest.mark.parametrize(
    ("quoted", "found"),
    [
        (
            620.0,
            "dip: the words say 620 nm ('the minimum lies at 620 nm'), the position of minimum of fig1.csv, b is 610 nm, "
            "the nearest of 2 columns",
        ),
        (609.0, None),  # within what counts as excellent
        (655.0, None),  # the other column
    ],
)
def test_quoted_numbers_are_held_against_the_data_of_their_figure(
    tmp_path: Path, quoted: float, found: str | None
) -> None:
    rows = [(x, ((x - 655) / 100) ** 2, ((x - 610) / 100) ** 2) for x in range(500, 801, 5)]
    (tmp_path / "fig1.csv").write_text("wavelength_nm,a,b\n" + "".join(f"{x},{a},{b}\n" for x, a, b in rows))
    data = {"file": "fig1.csv", "origin": "digitised", "source": "by hand"}
    paper = PaperInput.model_validate(
        {
            "paper_id": "p",
            "title": "A film",
            "citation": "A. Author, Journal 1, 2 (2020)",
            "text": "Words. " * 60 + "1.",
            "figures": [{"figure_id": "fig1", "caption": "c", "data": [data]}],
        }
    )
    reference = {
        "kind": "quotation",
        "value": quoted,
        "quotation": f"the minimum lies at {quoted:g} nm",
        "feature": "minimum_position",
    }
    target = {
        "target_id": "dip",
        "figure_id": "fig1",
        "description": "d",
        "kind": "scalar",
        "quantity": "peak_position",
        "unit": "nm",
        "x_unit": "nm",
        "reference": reference,
    }
    stage = {
        "stage_id": "one",
        "stage_type": "SINGLE_STRUCTURE",
        "name": "n",
        "description": "d",
        "targets": [target],
    }
    plan = Plan.model_validate({"title": "t", "summary": "s", "main_claim": "m", "stages": [stage]})
    assert words_against_data(plan, paper, tmp_path) == ((found,) if found else ())


def _evidence(name: str, simulated: float, reference: float, unit: str = "nm") -> TargetEvidence:
    return TargetEvidence(
        target_id=name,
        stage_id="s",
        simulated=simulated,
        reference=reference,
        unit=unit,
        ran=True,
        computed=True,
        converged=True,
        physical=True,
        matches=False,
        classification="FAILURE",
    )


def test_one_factor_in_all_results_is_named() -> None:
    found = [
        _evidence("a", 672, 600),
        _evidence("b", 784, 700.3),
        _evidence("c", 299.792458 / 0.896, 299.792458 / 0.8, "THz"),
    ]
    assert "1.12 times" in common_factor(found)
    assert common_factor(found[:2]) == ""  # two may be chance
    assert common_factor([*found, _evidence("d", 801, 800)]) == ""  # one that agrees refutes it
    assert (
        common_factor([_evidence(n, 1.0001 * v, v) for n, v in (("a", 600), ("b", 700), ("c", 800))]) == ""
    )  # nothing is off


def test_two_things_told_in_one_sentence_are_no_contradiction() -> None:
    modes = "The guide carries an even mode with an effective index of 2.47, and an odd one with an effective index of 1.58."
    assert not contradictions_found(_paper(modes))
    assert contradictions_found(
        _paper("The film has an index of 2.47. Layers follow. The film has an index of 1.98.")
    )


@pytest.mark.parametrize(
    "words",
    [
        "TE02 has an effective index of 0.819 and leaks. The other is alike. TM01 has an effective index of 0.981.",
        "The core has a radius of 3 µm. The figure shows the loss at 1.55 µm against core radius.",
        "The loss at 700 nm and film thickness are shown. The film has a thickness of 500 nm.",
    ],
)
def test_what_is_said_of_two_or_of_another_quantity_is_no_contradiction(words: str) -> None:
    assert not contradictions_found(_paper(words))
