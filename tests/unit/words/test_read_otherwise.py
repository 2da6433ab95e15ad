"""Words and names that were read as something else, found by playing papers that nobody here had seen."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from agents.reproduce.rules.feature_rules import bound
from agents.reproduce.rules.input_rules import input_words
from agents.reproduce.rules.leak_rules import leak_issues
from agents.reproduce.rules.quoting import input_fault
from schemas.reproduce.planning.left import left_of
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Reference
from schemas.reproduce.planning.target_quantity import derived_quantity
from schemas.reproduce.simulations.axes import wanted
from schemas.reproduce.words.bound import Saying
from schemas.reproduce.words.input_nouns import kinds_in_words
from schemas.reproduce.words.scene_words import said_in, words_of_name
from schemas.reproduce.words.written import numbers_in, readable
from tasks.reproduce.describing.equal_parts import arranged_counts
from tasks.reproduce.describing.in_sandbox import declared
from tasks.reproduce.evidence.not_computed import EvidenceError
from tasks.reproduce.evidence.units import unit_of_name
from tasks.reproduce.references.against_data import abscissae
from tasks.reproduce.references.matching import matches
from tasks.reproduce.references.paper_value import resolve
from tests.unit.evidence.test_evidence_headline import plan, target
from tests.unit.words.answers_fixture import answer
from tests.unit.words.test_claims import paper
from tests.unit.words.test_feature_words import quoted

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("Q_rad", None),
        ("eta_rad", None),
        ("gamma_rad", None),
        ("phase_rad", "rad"),
        ("angle_of_incidence_rad", "rad"),
    ],
)
def test_a_radiative_part_is_no_angle(name: str, unit: str | None) -> None:
    assert unit_of_name(name) == unit


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        ("halfway between them the field still has 0.376 of that maximum", False),
        ("halfway between them the field has a maximum of 0.376", True),
    ],
)
def test_what_a_number_is_a_share_of_is_not_what_it_is(words: str, refused: bool) -> None:
    found = bound(quoted(words, 0.376, "1", kind="value_at", at=[0.0]), words, ())
    assert bool(found.refused) is refused


ZERO = ExtractedParameter(name="bare", value="0", unit="nm", role="input", quotation="t = 0", place="Methods")


@pytest.mark.parametrize(("inputs", "loose"), [((ZERO,), False), ((), True)])
def test_the_place_of_a_maximum_is_not_that_of_what_it_is_compared_with(
    inputs: tuple[ExtractedParameter, ...], loose: bool
) -> None:
    words = (
        "It passes through a maximum at a thickness of 161 nm, where it is 1.28 times that of the bare rod"
    )
    both = [{"kind": "value", "extremum": "maximum"}, {"kind": "value_at", "at": [0.0]}]
    found = bound(quoted(words, 1.28, "1", kind="ratio", of=both), words, inputs)
    assert any("abscissa" in fault for fault in found.loose) is loose


@pytest.mark.parametrize(
    ("quotation", "value", "stated"),
    [
        ("the third rod from either end is taken out", 3, True),
        ("the third rod from either end is taken out", 4, False),
        ("a third of the light is lost", 3, False),
        ("waves up to the third order are taken", 3, False),
    ],
)
def test_a_place_in_a_row_states_a_whole_number(quotation: str, value: float, stated: bool) -> None:
    assert bool(input_fault(value, "", quotation, f"We say that {quotation}.")) is not stated


@pytest.mark.parametrize(
    ("words", "denied"),
    [
        ("It is resolved at m = 4 but not at m = 5.", False),
        ("The distance is not 5 periods.", True),
        ("The mirror is made not with 5 periods.", True),
        ("It was lit not at 5 but at 7 degrees.", True),
    ],
)
def test_what_is_not_seen_at_an_input_denies_no_input(words: str, denied: bool) -> None:
    one = ExtractedParameter(
        name="m", value="5", unit="", role="input", quotation=words.rstrip("."), place="Results"
    )
    assert ("denies" in input_words((one,), (), words)["m"].fault) is denied


def test_a_difference_of_two_results_is_no_place_of_a_peak() -> None:
    reference = Reference(
        kind="quotation", value=8.0, quotation="It is 56.4 nm and 8.0 nm", made_of="difference"
    )
    splitting = target("t").model_copy(update={"unit": "nm", "quantity": "scalar", "reference": reference})
    assert derived_quantity(splitting) == ("scalar", "")


@pytest.mark.parametrize(
    ("words", "light"),
    [
        ("Without the third order the wavelengths change by less than 0.01 nm.", False),
        ("The wavelengths agree within 0.5 nm.", False),
        ("The wavelength is 633 nm.", True),
    ],
)
def test_by_how_much_a_wavelength_changes_is_no_light(words: str, light: bool) -> None:
    text = readable(words)
    (number,) = [n for n in numbers_in(text) if n.unit]
    assert ("light" in kinds_in_words(text, number)) is light


@pytest.mark.parametrize(
    ("to", "kind", "good"),
    [
        ("air", "purcell_spectrum", True),
        ("the host", "purcell_spectrum", True),
        ("water", "purcell_spectrum", False),
        ("air", "reflectance", False),
    ],
)
def test_a_rate_is_over_that_in_what_the_scene_is_filled_with(to: str, kind: str, good: bool) -> None:
    saying = Saying(kind="normalised", value=to, words=f"relative to {to}")
    assert matches(saying, None, answer(kind), target("t"), f"relative to {to}") is good


@pytest.mark.parametrize(("value", "good"), [(4.0, True), (3.0, False)])
def test_an_input_that_is_called_m_is_no_azimuthal_order(value: float, good: bool) -> None:
    one = answer("resonance_frequency")
    found = SimpleNamespace(type=one.type, quantity=one.quantity, scene=one.scene, values=(value,))
    saying = Saying(kind="order", value="4", words="m = 4")
    assert matches(saying, None, found, target("t"), "at m = 4") is good  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("claim", "left"),
    [
        ("The absorption peak rises by 28 %.", []),
        ("The peak is 28 % higher.", []),
        ("The peak rises by 38 %.", ["38 %"]),
        ("The peak falls by 28 %.", ["28 %"]),
        ("The peak absorbs 28 % of the light.", ["28 %"]),
    ],
)
def test_a_rise_is_answered_by_the_factor(claim: str, left: list[str]) -> None:
    reference = Reference(kind="quotation", value=1.28, quotation="a factor of 1.28", made_of="ratio")
    gain = target("gain").model_copy(update={"unit": "1", "reference": reference})
    claimed = plan(gain, claim_targets=("gain",)).model_copy(update={"main_claim": claim})
    assert [entry.what for entry in left_of(claimed, (), paper("We study rods.")) if entry.counts] == left


@pytest.mark.parametrize(("name", "polarised"), [("y_nm", False), ("x", False), ("R_y", True), ("Q_s", True)])
def test_a_coordinate_is_no_polarisation(name: str, polarised: bool) -> None:
    assert any(said.choice == "polarization" for said in said_in(words_of_name(name))) is polarised


@pytest.mark.parametrize(("told", "counted"), [("two rods are taken out", True), ("five rows", False)])
def test_rows_of_more_columns_with_some_left_out_are_counted_where_words_say_so(
    told: str, counted: bool
) -> None:
    """Lie: two rows of three rods of which two are not there."""
    counts = [
        {"id": name, "value": value, "unit": "1", "origin": "paper", "quotation": told, "count": True}
        for name, value in (("rows", 5), ("more", 5), ("m", 3))
    ]
    known = arranged_counts(declared(counts))
    assert (5 * (3 + 5) - 2 in known) is counted and 33 not in known


def test_a_map_in_long_form_is_no_curve(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    rows = [f"{x},{y},{x * y}" for x in range(4) for y in range(4)]
    (tmp_path / "data" / "map.csv").write_text("\n".join(["x_nm,y_nm,E", *rows]))
    reference = Reference(
        kind="feature",
        file="data/map.csv",
        x_column="x_nm",
        y_column="E",
        feature={"kind": "value_at", "at": [1.0]},
    )
    one = target("t").model_copy(update={"unit": "1", "x_unit": "nm", "reference": reference})
    with pytest.raises(EvidenceError, match="it is a map"):
        resolve(one, tmp_path)


@pytest.mark.parametrize(
    ("value", "quotation", "blocked"),
    [
        ("1550", "At 1550 nm the fundamental mode", False),
        (
            "1550",
            "The peak lies at 1539 nm",
            False,
        ),  # whatever is quoted for it: the structure states it with its unit
        ("1539", "At 1550 nm the fundamental mode", True),
        ("1539", "The peak lies at 1539 nm", True),
    ],
)
def test_the_light_at_which_a_result_is_told_is_an_input(value: str, quotation: str, blocked: bool) -> None:
    text = (
        "# Structure\n\nAt 1550 nm the fundamental mode has an effective index of 2.687.\n\n"
        "# Results\n\nThe peak lies at 1539 nm."
    )
    told = {"peak": (1539, "The peak lies at 1539 nm"), "n": (2.687, "an effective index of 2.687")}
    planned = plan(
        *(
            target(name).model_copy(
                update={"reference": Reference(kind="quotation", value=value, quotation=words)}
            )
            for name, (value, words) in told.items()
        )
    )
    light = ExtractedParameter(
        name="light", value=value, unit="nm", role="input", quotation=quotation, place="Structure"
    )
    assert bool(leak_issues(planned, (light,), (), text)) is blocked


@pytest.mark.parametrize(
    ("words", "alone"),
    [
        ("the splitting is 56.4 nm", True),
        ("the two wavelengths differ by 56.4 nm", True),
        ("both modes lie 56.4 nm apart", True),
        ("the difference between the two is 56.4 nm", True),
        ("it falls by 56.4 nm between the two", False),
        ("the second mode is 56.4 nm longer; both split", False),
        ("a red shift of 56.4 nm", False),
        ("They split. It is 56.4 nm", False),
    ],
)
def test_a_difference_of_no_order_is_told_by_its_size(words: str, alone: bool) -> None:
    reference = Reference(kind="quotation", value=56.4, quotation=words, made_of="difference")
    one = target("t").model_copy(update={"unit": "nm", "quantity": "scalar", "reference": reference})
    assert one.size_alone is alone
    assert not one.model_copy(update={"reference": reference.model_copy(update={"made_of": None})}).size_alone


@pytest.mark.parametrize(
    ("words", "width"),
    [
        ("it has an effective index of 2.687 at full width", False),
        ("the peak has a full width of 2.687", True),
        ("the full width at half maximum is 2.687", True),
    ],
)
def test_the_full_width_of_a_strip_is_no_lines(words: str, width: bool) -> None:
    reference = Reference(kind="quotation", value=2.687, quotation=words)
    one = target("n").model_copy(update={"unit": "1", "quantity": "scalar", "reference": reference})
    assert any("speak of a width" in told for told in bound(one, words, ()).loose) is width


@pytest.mark.parametrize(
    ("column", "quoted_nm", "asked"),
    [
        ("kerker_wavelength_nm", 899.0, ("spectral", False)),  # an ordinate over the radius: of a spectrum
        ("kerker_wavelength_nm", 700.0, ("parameter", True)),  # a place along the radius
        ("width", 899.0, ("parameter", True)),
    ],
)
def test_a_quoted_ordinate_is_read_along_the_light(
    tmp_path: Path, column: str, quoted_nm: float, asked: tuple[str, bool]
) -> None:
    (tmp_path / "fig2.csv").write_text(f"void_radius_nm,{column}\n0,964.3\n40,955.1\n80,899.2\n")
    reference = Reference(
        kind="quotation", value=quoted_nm, quotation=f"It is {quoted_nm:g} nm", feature="maximum_position"
    )
    one = target("t").model_copy(update={"unit": "nm", "x_unit": "nm", "reference": reference})
    assert wanted(one, abscissae(one, ("fig2.csv",), tmp_path)) == asked


@pytest.mark.parametrize(
    ("words", "unit", "signed"),
    [
        ("It falls at a rate of 0.37 % per nm", "%/nm", -0.37),
        ("It weakens by 0.37 % per nm", "%/nm", -0.37),
        ("It rises by 0.37 % per nm", "%/nm", 0.37),
        ("The peak moves to the blue by 0.37 nm per nm", "nm/nm", -0.37),
        ("The peak moves to the red by 0.37 nm per nm", "nm/nm", 0.37),
    ],
)
def test_a_rate_at_which_something_falls_is_negative(
    tmp_path: Path, words: str, unit: str, signed: float
) -> None:
    """Lie: a slope of +0.37 for what falls."""
    reference = Reference(kind="quotation", value=0.37, quotation=words, feature={"kind": "slope"})
    one = target("t").model_copy(update={"unit": unit, "x_unit": "nm", "reference": reference})
    assert resolve(one, tmp_path).value == signed


@pytest.mark.parametrize(
    ("words", "alone"),
    [
        ("between bare and coated the reflectance diminishes by 17.2 nm", False),
        ("the thin film outshines the thick one, a difference of 17.2 nm", False),
        ("it differs by 17.2 nm from that of the bare plate, which is the brighter", False),
        ("the difference between the two is 17.2 nm", True),
    ],
)
def test_a_difference_with_an_order_keeps_its_sign(words: str, alone: bool) -> None:
    reference = Reference(kind="quotation", value=17.2, quotation=words, made_of="difference")
    one = target("t").model_copy(update={"unit": "nm", "quantity": "scalar", "reference": reference})
    assert one.size_alone is alone


@pytest.mark.parametrize(
    ("claim", "factor", "answered"),
    [
        ("It raises the transmittance by 17.8 %, at a lower cost", 0.822, False),
        ("After the loss it rises by 17.8 %", 0.822, False),
        ("It rises by 17.8 %", 1.178, True),
        ("It falls by 17.8 %", 0.822, True),
        ("It is suppressed by 21.7 %", 1.217, False),
        ("It is 17.8 % higher", 1.178, True),
        ("It is 17.8 % lower", 1.178, False),
    ],
)
def test_a_change_is_answered_by_a_factor_of_its_own_direction(
    claim: str, factor: float, answered: bool
) -> None:
    reference = Reference(kind="quotation", value=factor, quotation=f"{factor:g} times", made_of="ratio")
    one = target("t").model_copy(update={"unit": "1", "quantity": "scalar", "reference": reference})
    planned = plan(one).model_copy(update={"main_claim": f"{claim}."})
    assert (left_of(planned, (), paper("We study films.")) == ()) is answered
