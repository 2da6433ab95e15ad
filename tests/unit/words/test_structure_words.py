"""Numbers and bodies that a paper states and a description has not, and honest ones that look like them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.reproduce.rules.reference_rules import quotable
from schemas.reproduce.words.structure_words import structure_words, tells
from tasks.reproduce.references.structure import _in_the_plane, _printed, indices_at, structure_faults
from tests.lies.attempts import cases
from tests.unit.words.attempted import of_structure, read, with_words

pytestmark = pytest.mark.unit
CASES = {case["name"]: case for case in cases()}
FILM, PAIR = CASES["h-film"], CASES["h-pair"]
PLATE = "the coated plate reflects # of the light"
MEDIA = st.sampled_from(["chromium", "titanium", "aluminium oxide", "a primer", "indium tin oxide"])
SIZES = st.integers(8, 400).filter(lambda size: size not in (95, 190, 633))
LEFT_OUT = st.sampled_from(
    [
        "For adhesion {size} nm of {medium} lie between film and silica.",
        "The holder carries a layer of {medium} with a thickness of {size} nm below the silica.",
        "The film on its holder is covered by a layer of {medium} with a thickness of {size} nm.",
        "The film is sputtered onto {size} nm of {medium}.",
        "Below the film there is a {size} nm thick {medium} layer.",
        "A spacer with a thickness of {size} nm separates film and silica.",
        "It lies under a cover of {size} nm thickness.",
        "The film is capped with {size} nm of {medium}.",
        "On the film stands a grating with a period of {size} nm.",
    ]
)
ASIDE = st.sampled_from(
    [
        "The grid of the computation has a cell size of {size} nm.",
        "A film with a thickness of {size} nm was not considered.",
        "Others used {size} nm of {medium} in previous work.",
        "The alignment marks have a width of {size} nm.",
        "The holder has slots of {size} nm.",
        "The marks beside the film have a period of {size} nm.",
        "The surface was measured with a detector that has a slit width of {size} nm.",
        "In this plane the {size} nm film of the chip enters through its slab index.",
        "The {size} nm silicon film is accounted for by an effective index.",
        "With twice as many waves the thickness of the film changes by less than {size} nm.",
    ]
)


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=25, deadline=None)
@given(LEFT_OUT, MEDIA, SIZES)
def test_a_number_of_the_structure_that_nothing_takes_is_doubted(form: str, medium: str, size: int) -> None:
    """Lie: a layer that the methods state in a sentence of its own is left out."""
    assert of_structure(read(with_words(FILM, PLATE, form.format(size=size, medium=medium))))


@settings(max_examples=25, deadline=None)
@given(ASIDE, MEDIA, SIZES)
def test_what_is_no_part_of_the_structure_is_not(form: str, medium: str, size: int) -> None:
    assert not of_structure(read(with_words(FILM, PLATE, form.format(size=size, medium=medium))))


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=15, deadline=None)
@given(st.sampled_from(["2 * p.gap", "p.gap / 2", "p.gap + p.core", "p.gap + p.gap / 2"]))
def test_a_stated_distance_is_a_distance_of_the_scene(gap: str) -> None:
    """Lie: bodies stand further apart, or closer, than the gap that the paper states."""
    told = PAIR["code"].replace("p.gap", f"({gap})")
    assert told != PAIR["code"]
    assert of_structure(read({**PAIR, "code": told}))


def test_empty_space_ends_of_ranges_and_numbers_of_a_list_are_not() -> None:
    words = "Air has an index of 1.0; thicknesses from 20 to 150 nm were tried. The index and thickness are 2.02 and 95 nm."
    assert not of_structure(read(with_words(FILM, PLATE, words)))


@given(st.text(max_size=300))
@settings(max_examples=60, deadline=None)
def test_any_text_is_read(text: str) -> None:
    found = structure_words(text)
    assert all(number.value == number.value for number in found.numbers)


@pytest.mark.parametrize(("stated", "doubted"), [("1.4500", False), ("1.45", False), ("1.4618", True)])
def test_an_index_at_a_wavelength_is_the_named_table_s(stated: str, doubted: bool) -> None:
    """A paper that names a table says what it gives; another number is of another glass."""
    one = read(
        with_words(
            FILM,
            PLATE,
            f"The substrate of the plate has an index of {stated} at 1030 nm, as its table gives.",
        )
    )
    pole = {"kind": "lorentz", "f0": 6.6667, "gamma": 0.0, "sigma": 0.821166}
    glass = {"glass": {"band_um": [0.9, 1.18], "eps_inf": 1.26341, "poles": [pole]}}
    words = structure_words(quotable(one.paper))
    references = [(t.reference.value, t.unit) for t in one.targets if t.reference.value is not None]
    faults = [
        why
        for t in one.targets
        for why in structure_faults(one.found, t.target_id, words, indices_at(words, glass), references)
    ]
    assert any("1030 nm" in why for why in faults) is doubted


@pytest.mark.parametrize(
    ("stated", "doubted"), [("-27.6 + 1.19 i", False), ("-27.6", False), ("-25.1", True)]
)
def test_a_permittivity_at_a_photon_energy_is_the_stated_model_s(stated: str, doubted: bool) -> None:
    silver = f"Silver is a Drude metal. At a photon energy of 1.599 eV its permittivity is {stated}."
    one = read(with_words(FILM, PLATE, silver))
    pole = {"kind": "drude", "f0": 7.25901, "gamma": 0.048393, "sigma": 1.0}  # 9 eV and 0.06 eV
    metal = {"silver": {"band_um": [0.6, 0.9], "eps_inf": 4.0, "poles": [pole]}}
    words = structure_words(quotable(one.paper))
    faults = [
        why
        for t in one.targets
        for why in structure_faults(one.found, t.target_id, words, indices_at(words, metal), ())
    ]
    assert any("1.599 eV" in why for why in faults) is doubted


@settings(max_examples=25, deadline=None)
@given(st.floats(1.3, 3.9), st.floats(500, 1600))
def test_a_thickness_that_follows_from_a_stated_rule_takes_up_what_is_printed_of_it(
    n: float, light: float
) -> None:
    """'a quarter of the design wavelength thick, which is 126.7 nm for H and 183.4 nm for L' was doubted twice."""
    index, design = round(n, 2), round(light)
    quarter = design / 4 / index
    lengths = {quarter / 1000}
    for value, unit in ((float(f"{quarter:.4g}"), "nm"), (float(f"{quarter / 1000:.3g}"), "um")):
        found = structure_words(f"The film has a thickness of {value} {unit}.").numbers
        told = len(f"{value:.10g}".replace(".", "").strip("0")) > 2
        assert [_printed(number, lengths) for number in found] == [told]
        assert not any(_printed(number, {quarter / 2000, quarter / 500}) for number in found)


LAID = st.sampled_from(
    [
        "\n\n## Coating\nA {medium} layer with a thickness of {size} nm covers the film.",
        "\n\n## Discussion\nA layer of {medium}, {size} nm thick, lies on the plate.",
        "\n\n## Fabrication\nA {size} nm thick {medium} layer rests on the film.",
    ]
)
PUT_THERE = st.sampled_from(
    [
        "\n\n## Fabrication\nA {medium} layer with a thickness of {size} nm was sputtered as a mask and removed.",
        "\n\n## Discussion\nA {medium} layer with a thickness of {size} nm would change little.",
        "\n\n## Outlook\nOther plates have {size} nm of {medium}.",
    ]
)


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=20, deadline=None)
@given(LAID, MEDIA, SIZES)
def test_what_lies_on_the_structure_counts_wherever_it_is_told(form: str, medium: str, size: int) -> None:
    """Lie: a layer that a section of its own tells is left out."""
    assert of_structure(read(with_words(FILM, PLATE, form.format(size=size, medium=medium))))


@settings(max_examples=20, deadline=None)
@given(PUT_THERE, MEDIA, SIZES)
def test_what_is_not_there_any_more_does_not(form: str, medium: str, size: int) -> None:
    assert not of_structure(read(with_words(FILM, PLATE, form.format(size=size, medium=medium))))


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    "words",
    [
        "Between film and silica lie 4 nm of chromium.",
        "The silica is covered with 2 nm of titanium.",
        "A sixty nanometre layer of titania covers the film.",
        "A silica layer with a thickness of 95 nm and a refractive index of 1.46 lies on the film.",
        "The back of the silica is silvered.",
        "Annealing takes away a third of it.",
        "The film shrinks by a fifth.",
    ],
)
def test_thin_metals_numbers_in_words_equal_layers_and_changes_are_heard(words: str) -> None:
    """Lie: a layer, a mirror or a loss of thickness that the methods tell is left out."""
    assert of_structure(read(with_words(FILM, PLATE, words)))


@pytest.mark.parametrize(
    "words",
    [
        "The film of silicon nitride is 95 nm thick throughout.",
        "Two samples were made.",
        "The mirror of the set-up is silvered.",
        "Annealing takes a third of the time.",
    ],
)
def test_what_says_no_more_of_the_structure_is_not(words: str) -> None:
    assert not of_structure(read(with_words(FILM, PLATE, words)))


@pytest.mark.parametrize(("value", "doubted"), [("1.91", False), ("1.73", True), ("1.90", True)])
def test_what_a_formula_gives_of_two_values_is_no_more_of_the_structure(value: str, doubted: bool) -> None:
    """(2.02 / 1.46)^2 = 1.914; every target of such a stage was doubted for a number that no part has."""
    words = f"The field in a gap of the film exceeds that in the film of index 2.02 by (n_f/n_s)^2 = {value}."
    assert bool(of_structure(read(with_words(FILM, PLATE, words)))) is doubted


LISTED = "Q is 84.2 at n = 1.83, 237 at n = 2.06 and 680 at n = 2.27 of the index."


def test_what_a_sentence_lists_is_doubted_once() -> None:
    """The same sentence, cut at two lengths, was two doubts of every target."""
    one = read(with_words(FILM, PLATE, f"{PLATE} {LISTED}"))
    words = structure_words(quotable(one.paper))
    for target in one.targets:
        faults = structure_faults(one.found, target.target_id, words, {}, ())
        assert sum("680 at n" in why or "237 at n" in why for why in faults) <= 1


@pytest.mark.parametrize(
    ("description", "value", "unit", "told"),
    [
        ("A current sits at a distance of 1.0 um from the axis of a disc of radius 1.2 um.", 1.0, "um", True),
        ("A current sits at a distance of 1.0 um from the axis.", 1000.0, "nm", True),
        ("The emitter_distance of the current is swept.", 1.0, "um", True),
        ("A disc of radius 1.2 um.", 1.2, "um", False),
        ("The spectrum is sampled every 1.0 um.", 1.0, "um", False),
        ("Find the peak to within 1.0 um, with pixels of 1.0 um.", 1.0, "um", False),
        ("The spectrum from 1.0 um to 1.2 um.", 1.0, "um", False),
        ("A disc with an index of 1.0.", 1.0, "um", False),
    ],
)
def test_which_numbers_a_stage_is_told(description: str, value: float, unit: str, told: bool) -> None:
    """Of a disc's own modes the place of an emitter was missed, which the next stage is told."""
    assert tells(description, "emitter_distance", value, unit) is told


def test_the_ends_of_a_swept_index_are_told() -> None:
    swept = "The index of the disc is swept from 1.8 to 2.2."
    assert tells(swept, "index_lowest", 1.8, "1") and tells(swept, "index_highest", 2.2, "1")
    assert not tells(swept, "disc_index", 2.0, "1") and not tells(swept, "thickness", 2.2, "um")


@pytest.mark.parametrize(
    ("words", "gold"),
    [
        ("Gold is coated with 10, 15 and 20 nm of germanium.", 0),
        ("Gold of optical thickness carries 10 nm, 15 nm or 20 nm of germanium.", 0),
        ("Figure 1. Reflectance of gold coated with 12 and 18 nm of germanium, 450 to 810 nm.", 0),
        ("Films of 10, 10 and 20 nm of gold, germanium and gold, respectively, were made.", 1),
        ("The germanium has a layer of 10 nm of gold and 20 nm of germanium.", 1),
    ],
)
def test_sizes_in_a_list_are_of_what_stands_behind_it(words: str, gold: int) -> None:
    """Three films of germanium on gold were once a film of gold and two of germanium."""
    sizes = [n for n in structure_words(f"## Method\n\n{words}").numbers if n.value < 100]
    assert len(sizes) > 1 and sum("gold" in n.subjects for n in sizes) == gold


@pytest.mark.parametrize(
    ("flat", "size", "dimensions", "left"),
    [
        ("nothing depends on z", "a height of 280 um (along z)", "2D", False),
        ("the structure is uniform along z", "a height of 280 um along the z", "2D", False),
        ("nothing depends on z", "a height of 280 um (along z)", "3D", True),
        ("nothing depends on z", "a height of 280 um", "2D", True),
        ("nothing depends on z", "a height of 280 um (along y)", "2D", True),
        ("the incident field is uniform along z", "a height of 280 um (along z)", "2D", True),
        ("in the reference structure nothing changes along z", "a height of 280 um (along z)", "2D", True),
        ("the structure is not uniform along z", "a height of 280 um (along z)", "2D", True),
        ("all of it is in air", "a height of 280 um (along z)", "2D", True),
    ],
)
def test_a_size_along_which_nothing_changes_is_no_part_of_a_plane(
    flat: str, size: str, dimensions: str, left: bool
) -> None:
    words = structure_words(f"## Structure\n\nThe tube has {size}, and {flat}.\n")
    kept = _in_the_plane(words, [SimpleNamespace(dimensions=dimensions)])  # type: ignore[list-item]
    assert [n.value for n in kept if n.unit] == ([280.0] if left else [])
