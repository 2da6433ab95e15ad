"""A quotation binds the feature that code takes for it: its kind, its numbers, its curve; and only its clause the threshold."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.reproduce.rules.feature_rules import bound
from agents.reproduce.rules.plan_rules import rule
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Reference, Target
from schemas.reproduce.planning.target_quantity import derived_quantity
from schemas.reproduce.simulations.axes import wanted
from schemas.reproduce.simulations.features import CurveFeature
from schemas.reproduce.words.bound import Bound
from schemas.reproduce.words.clauses import governing
from schemas.reproduce.words.written import numbers_in
from tasks.reproduce.judging.limits import limits_for
from tasks.reproduce.references.paper_value import ReferenceValue

pytestmark = pytest.mark.unit

TEXT = """The film is lit at wavelengths between 500 nm and 800 nm. The maximum of the reflectance lies at 720.7 nm. At the
maximum the reflectance of the film is 30.6 %. At 550 nm the reflectance is 20.1 %, and the second minimum lies at 601 nm. The
reflectance falls to 10 % at 640 nm. The full width at half maximum is 50 nm. The field enhancement in them was not studied, and
at 600 nm the transmittance is 1.5. Its quality is high; the reflectance of the cavity is 77 %. The quality factor of the 5 nm
film is 343. At a wavelength of 700 nm the field enhancement is 30. The dip is deep. The diffracted efficiency is 0.013.

Wavelength and depth of the minimum.

| thickness (nm) | wavelength (nm) | R (%) |
|---|---|---|
| 15 | 685.1 | 3.7 |
"""


def left_open(found: Bound) -> Bound:
    """Without what the words say happens to the light and of its abscissa, which leaves nothing open."""
    return found.model_copy(update={"process": "", "axis": ""})


INPUTS = (
    ExtractedParameter(name="line", value="650", unit="nm", role="input", quotation="x", place="Methods"),
)


def quoted(
    words: str,
    value: float,
    unit: str = "%",
    quantity: str = "efficiency",
    x_range: tuple[float, float] | None = None,
    **feature: object,
) -> Target:
    return Target(
        target_id="t",
        figure_id="fig1",
        description="",
        kind="scalar",
        quantity=quantity,
        unit=unit,
        x_unit="nm",
        x_range=x_range,
        reference=Reference(kind="quotation", value=value, quotation=words, feature=feature or None),
    )


@pytest.mark.parametrize(
    ("target", "why"),
    [
        (
            quoted(
                "The maximum of the reflectance lies at 720.7 nm", 720.7, "nm", kind="crossing", level=[0.112]
            ),
            "speak of a maximum",
        ),
        (
            quoted(
                "The maximum of the reflectance lies at 720.7 nm",
                720.7,
                "nm",
                kind="position",
                extremum="minimum",
            ),
            "speak of a maximum, the feature is the position of minimum",
        ),
        (
            quoted("The maximum of the reflectance lies at 720.7 nm", 720.7, "nm", kind="width"),
            "name no width",
        ),
        (
            quoted(
                "The maximum of the reflectance lies at 720.7 nm",
                720.7,
                "nm",
                kind="difference",
                of=[{"kind": "position"}, {"kind": "crossing", "level": [0.2]}],
            ),
            "name no difference",
        ),
        (
            quoted(
                "At the\nmaximum the reflectance of the film is 30.6 %", 30.6, kind="value_at", at=[817.9]
            ),
            "speak of a maximum",
        ),
        (quoted("At 550 nm the reflectance is 20.1 %", 20.1, kind="value"), "name no value"),
        (quoted("The quality factor of the 5 nm film is 343", 343, "1", kind="slope"), "name no slope"),
        (quoted("| 15 | 685.1 | 3.7 |", 685.1, "nm", kind="width"), "name no width"),
    ],
)
def test_a_feature_that_the_words_do_not_name_is_refused(target: Target, why: str) -> None:
    assert any(why in fault for fault in bound(target, TEXT, INPUTS).refused), bound(target, TEXT, INPUTS)


@pytest.mark.parametrize(
    ("target", "why"),
    [
        (
            quoted("At 550 nm the reflectance is 20.1 %", 20.1, kind="value_at", at=[817.9]),
            "abscissa 817.9 nm",
        ),
        (
            quoted("At 550 nm the reflectance is 20.1 %", 20.1, kind="value_at", at=[650]),
            "abscissa 650 nm",
        ),  # another input
        (quoted("falls to 10 % at 640 nm", 640, "nm", kind="crossing", level=[0.112]), "level 0.112"),
        (
            quoted("falls to 10 % at 640 nm", 640, "nm", kind="crossing", level=[0.1], direction="rising"),
            "that it is rising",
        ),
        (quoted("falls to 10 % at 640 nm", 640, "nm", kind="crossing", level=[0.1], number=2), "number 2"),
        (
            quoted("The full width at half maximum is 50 nm", 50, "nm", kind="width", fraction=0.37),
            "fraction 0.37",
        ),
        (
            quoted("The full width at half maximum is 50 nm", 50, "nm", kind="width", base="zero"),
            "counts from zero",
        ),
        (
            quoted("the second minimum lies at 601 nm", 601, "nm", kind="position", extremum="minimum"),
            "of all, not number 2",
        ),
        (quoted("At the\nmaximum the reflectance of the film is 30.6 %", 30.6), "no feature takes one"),
    ],
)
def test_what_nothing_states_of_a_feature_is_named(target: Target, why: str) -> None:
    found = bound(target, TEXT, INPUTS)
    assert not found.refused and any(why in fault for fault in found.loose), found


@pytest.mark.parametrize(
    "target",
    [
        quoted(
            "The maximum of the reflectance lies at 720.7 nm",
            720.7,
            "nm",
            kind="position",
            extremum="maximum",
        ),
        quoted("the reflectance of the film is 30.6 %", 30.6, kind="value", extremum="maximum"),
        quoted("At 550 nm the reflectance is 20.1 %", 20.1, kind="value_at", at=[550]),
        quoted("falls to 10 % at 640 nm", 640, "nm", kind="crossing", level=[0.1], direction="falling"),
        quoted("the second minimum lies at 601 nm", 601, "nm", kind="position", extremum="minimum", number=2),
        quoted("The full width at half maximum is 50 nm", 50, "nm", kind="width", level=[0.5]),
        quoted(
            "The maximum of the reflectance lies at 720.7 nm",
            720.7,
            "nm",
            x_range=(500, 800),
            kind="position",
        ),
        quoted("| 15 | 685.1 | 3.7 |", 685.1, "nm", kind="position", extremum="minimum"),
        quoted("| 15 | 685.1 | 3.7 |", 3.7, kind="value", extremum="minimum"),
    ],
)
def test_a_feature_that_the_words_state_is_free_of_faults(target: Target) -> None:
    assert left_open(bound(target, TEXT, INPUTS)) == Bound()


def test_a_window_that_nothing_states_is_told() -> None:
    target = quoted(
        "The maximum of the reflectance lies at 720.7 nm", 720.7, "nm", kind="position", window=[690, 740]
    )
    found = bound(target, TEXT, INPUTS)
    assert found.windows == ((690, 740),)


@settings(max_examples=60)
@given(
    at=st.floats(400, 900).filter(lambda x: min(abs(x - 550), abs(x - 650)) > 1e-2),
    level=st.floats(0.01, 0.99).filter(lambda y: min(abs(y - 0.1), abs(y - 0.5)) > 1e-5),
)
def test_no_number_of_a_feature_is_free(at: float, level: float) -> None:
    one = quoted("At 550 nm the reflectance is 20.1 %", 20.1, kind="value_at", at=[at])
    other = quoted("falls to 10 % at 640 nm", 640, "nm", kind="crossing", level=[level], direction="falling")
    for target in (one, other):
        found = bound(target, TEXT, INPUTS)
        assert found.loose or found.refused


@pytest.mark.parametrize(
    ("words", "value", "unit", "planned", "judged"),
    [
        (
            "The field enhancement in them was not studied ... the reflectance of the film is 30.6 %",
            30.6,
            "%",
            "field_enhancement",
            "scalar",
        ),
        ("a field enhancement of 30.6 %", 30.6, "%", "field_enhancement", "scalar"),
        ("the field enhancement is 150 %", 1.5, "1", "field_enhancement", "scalar"),
        (
            "The field enhancement in them was not studied, and at 600 nm the\ntransmittance is 1.5",
            1.5,
            "1",
            "field_enhancement",
            "scalar",
        ),
        ("Its quality is high; the reflectance of the cavity is 77 %", 77, "%", "quality_factor", "scalar"),
        ("The quality factor of the 5 nm film is 343", 343, "1", "quality_factor", "quality_factor"),
        (
            "At a\nwavelength of 700 nm the field enhancement is 30",
            30,
            "1",
            "field_enhancement",
            "field_enhancement",
        ),
        ("a 30-fold enhancement of the intensity", 30, "1", "field_enhancement", "field_enhancement"),
        ("the width was not studied, but the maximum lies at 720.7 nm", 720.7, "nm", "fwhm", "peak_position"),
        (
            "its full width at half maximum is 8.89 nm, that of the thinner layer 6.01 nm",
            6.01,
            "nm",
            "fwhm",
            "fwhm",
        ),
    ],
)
def test_only_the_clause_that_holds_the_number_chooses_the_threshold(
    words, value, unit, planned, judged
) -> None:
    quantity, why = derived_quantity(quoted(words, value, unit, planned))
    assert quantity == judged and bool(why) is (planned != judged)


def test_a_quotation_beside_data_chooses_no_threshold_and_must_be_the_papers() -> None:
    from tests.unit.agents.agents_fixture import COLUMNS, DIP, HONEST_FILM, HONEST_PLAN, PAPER

    reference = Reference(
        kind="feature",
        file=next(iter(COLUMNS)),
        x_column="wavelength_nm",
        y_column="R_t45",
        feature="minimum_value",
        quotation="a field enhancement of 30 was found",
    )
    target = DIP.model_copy(update={"reference": reference, "unit": "1", "quantity": "field_enhancement"})
    assert derived_quantity(target)[0] == "efficiency"
    film = HONEST_FILM.model_copy(update={"targets": (target,)})
    plan = HONEST_PLAN.model_copy(update={"stages": (HONEST_PLAN.stages[0], film, HONEST_PLAN.stages[2])})
    assert any(
        i.severity == "blocking" and "not in the paper" in i.description for i in rule(plan, PAPER, COLUMNS)
    )


def test_a_minimum_elsewhere_lifts_no_cap() -> None:
    def bounds(words: str) -> float:
        target = quoted(words, 0.013, "1", "efficiency")
        return limits_for(target, "default", ReferenceValue(0.013, "words"), False).nominal.acceptable

    assert bounds("The minimum was not studied ... The diffracted efficiency is 0.013") == pytest.approx(
        0.0026
    )
    assert bounds("The dip is deep, and the efficiency is 0.013") == pytest.approx(0.0026)
    assert bounds("The minimum of the efficiency is 0.013") == pytest.approx(0.0026)  # code takes none
    lowest = quoted("The minimum of the efficiency is 0.013", 0.013, "1", kind="value", extremum="minimum")
    found = limits_for(lowest, "default", ReferenceValue(0.013, "words"), False)
    assert found.nominal.acceptable == pytest.approx(0.01)


@given(st.text(max_size=200), st.floats(1, 1e4))
@settings(max_examples=100)
def test_any_words_around_a_number_can_be_read(words: str, value: float) -> None:
    text = f"{words} {value:.3f} nm {words}"
    assert all(isinstance(governing(text, number), str) for number in numbers_in(text))


def test_the_report_prints_a_feature_whole() -> None:
    feature = CurveFeature(kind="crossing", level=(0.112,), direction="falling", window=(690, 740))
    assert feature.whole("nm") == "falling crossing of 0.112 between 690 and 740 nm"
    assert CurveFeature(kind="value_at", at=(817.9,)).whole("nm", "%") == "value at 817.9 nm"


@pytest.mark.parametrize("kind", ["value_at", "crossing"])
@pytest.mark.parametrize(("extremum", "refused"), [("minimum", False), ("maximum", True)])
def test_a_ratio_that_takes_the_extremum_of_the_words_may_hold_it_against_another_number(
    kind: str, extremum: str, refused: bool
) -> None:
    words = "The minimum of the extinction, 0.208 at 620 nm, is only 10.5 times below that of the bare wire."
    other = {"at": [620.0]} if kind == "value_at" else {"level": [0.208]}
    ratio = {"of": [{"kind": kind, "curve": "second", **other}, {"kind": "value", "extremum": extremum}]}
    found = bound(quoted(words, 10.5, "1", "scalar", (500, 800), kind="ratio", **ratio), words, ())
    assert bool(found.refused) is refused
    alone = bound(quoted(words, 10.5, "1", "scalar", (500, 800), kind=kind, **other), words, ())
    assert alone.refused


def test_the_best_of_a_parameter_is_a_position() -> None:
    words = "The transmission passes 90 % and the best semi-axis is 0.65 um."
    target = quoted("the best semi-axis is 0.65 um", 0.65, "um", kind="position")
    said = bound(target, words, ())
    assert not said.refused
    assert any("best" in why for why in said.loose), (
        "at most PARTIAL: whether most or least is best, it leaves open"
    )


def test_lengths_of_the_structure_in_a_clause_are_no_abscissae_of_a_spectrum() -> None:
    """The value at the paper's own wavelength, in a clause that names the thickness and the radius that it holds for."""
    words = (
        "A film with a thickness of 0.65 um and holes with a radius of 0.2 um transmits 90.6 % of the light."
    )
    said = bound(quoted("transmits 90.6 % of the light", 90.6, kind="value_at", at=[650]), words, INPUTS)
    assert not said.loose and not said.refused


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("elsewhere", "free"),
    [
        ("The diode emits from 700 nm to 740 nm.", False),
        ("The spectra were computed from 700 nm to 740 nm.", True),
    ],
)
def test_a_range_told_of_something_else_chooses_no_part_of_a_curve(elsewhere: str, free: bool) -> None:
    """Lie: the maximum of a window that the paper states for its lamp is told as that of the curve."""
    words = f"The maximum of the reflectance lies at 720.7 nm. {elsewhere}"
    target = quoted(
        "The maximum of the reflectance lies at 720.7 nm", 720.7, "nm", x_range=(700, 740), kind="position"
    )
    assert (not bound(target, words, ()).windows) is free


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(("window", "free"), [((450, 900), True), ((450, 600), False)])
def test_one_end_of_a_range_is_looked_for_where_the_whole_range_is_seen(
    window: tuple[float, float], free: bool
) -> None:
    """Lie: "above 20 % from 495 to 843 nm" is answered end by end, and false between them."""
    words = "The reflectance is above 20 % from 495 nm to 843 nm. The spectra were computed from 450 nm to 900 nm."
    target = quoted("above 20 % from 495 nm to 843 nm", 495, "nm", x_range=window, kind="crossing", level=[0.2],
                    direction="rising")  # fmt: skip
    assert (not bound(target, words, ()).loose) is free


def test_at_a_place_nothing_is_looked_for() -> None:
    """A value's own place decides it: the range that a target covers beside it chooses nothing."""
    words = "At 550 nm the reflectance is 20.1 %"
    one = quoted(words, 20.1, kind="value_at", at=[550])
    covered = one.model_copy(update={"x_range": (433.0, 777.0)})
    assert bound(covered, words, ()).windows == bound(one, words, ()).windows == ()
    highest = quoted("The maximum of the reflectance is 20.1 %", 20.1, kind="value", extremum="maximum")
    chosen = highest.model_copy(update={"x_range": (433.0, 777.0)})
    assert bound(chosen, "The maximum of the reflectance is 20.1 %", ()).windows == ((433.0, 777.0),)


REACHED = "The reflectance of the film {}, 19 %, at 700 nm and falls to both sides"


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    "most", ["reaches its highest value", "is highest", "has its summit", "is brightest", "peaks"]
)
@pytest.mark.parametrize(
    "feature",
    [
        {"kind": "crossing", "level": [0.19], "direction": "falling"},
        {"kind": "value_at", "at": [700.0]},
    ],
)
def test_what_is_called_the_most_of_all_is_no_crossing_and_no_place(
    most: str, feature: dict[str, object]
) -> None:
    """Lie: "its highest value, 19 %, at 700 nm" read where the flank of another maximum crosses 19 %."""
    words = REACHED.format(most)
    at = feature["kind"] == "value_at"
    one = quoted(words, 19 if at else 700, "%" if at else "nm", **feature)
    found = bound(one, f"{words}. It was computed between 500 nm and 800 nm.", ())
    assert found.refused or found.loose


@pytest.mark.parametrize(
    "words",
    [
        "For the thinnest film and the largest period the reflectance at 700 nm is 19 %",
        "At 700 nm the lowest band and the highest order take 19 %",
        "At 700 nm most of the light is absorbed and 19 % reflected",
    ],
)
def test_the_most_of_something_else_is_no_extremum(words: str) -> None:
    found = bound(quoted(words, 19, "%", kind="value_at", at=[700.0]), words, ())
    assert not found.refused and not found.loose


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("told", "loose"), [("slots of 540 nm", True), ("a laser of 540 nm", False), ("seen at 540 nm", False)]
)
def test_a_length_of_something_is_no_light_at_which_a_number_is_told(told: str, loose: bool) -> None:
    """Lie: "the film reflects 17 %", read at the wavelength of a slot's length."""
    words = "The reflectance of the film is 17 %"
    given = ExtractedParameter(
        name="wavelength", value="540", unit="nm", role="input", quotation=told, place="Methods"
    )
    one = quoted(words, 17, "%", kind="value_at", at=[540.0])
    found = bound(one, f"{words}. It has {told}.", (given,))
    assert any("abscissa" in why for why in found.loose) is loose


@pytest.mark.parametrize(
    ("words", "axis"),
    [
        ("The reflectance is highest for waves 678.2 nm long", "spectral"),
        ("It is highest where the light has a length of 678.2 nm", "spectral"),
        ("It is highest for rods 678.2 nm long", "parameter"),
    ],
)
def test_how_long_a_wave_is_is_no_size(words: str, axis: str) -> None:
    assert wanted(quoted(words, 678.2, "nm", kind="position"))[0] == axis


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("words", "open_"),
    [
        ("Over the band the mean reflectance of the film is 18 %", True),
        ("Averaged over the band the film reflects 18 %", True),
        ("The film is highest with 18 %", True),
        ("The reflectance of the film is 18 %", False),
    ],
)
def test_a_number_that_no_feature_takes_is_no_mean_and_no_extremum(words: str, open_: bool) -> None:
    """Lie: a function of the writer's own, "max + min / 2", for what is called a mean or the highest."""
    assert bool(bound(quoted(words, 18, "%"), words, ()).loose) is open_


def test_a_length_that_is_called_a_size_is_no_light_that_a_number_is_told_at() -> None:
    words = "A section 1.2 um wide and 5.25 um long lowers the transmittance, by half, from 93.1 % to 46.6 % at 1.55 um."
    for at, open_ in ((1.55, False), (5.25, True)):
        one = quoted(words[:-1], 46.6, kind="value_at", at=[at]).model_copy(update={"x_unit": "um"})
        told = bound(one, words, ()).loose
        assert any("abscissa" in fault or "the one at" in fault for fault in told) is open_, (at, told)
