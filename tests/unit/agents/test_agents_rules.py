"""What code finds in plans and designs, and what it must let pass."""

from __future__ import annotations

import pytest

from agents.reproduce.rules.design_rules import length_unit_um, rule, total_cpu_s
from agents.reproduce.rules.plan_rules import rule as plan_rule
from agents.reproduce.rules.quoting import nearest, number_fault, quoted
from schemas.reproduce.materials.prepared_material import MaterialChoice
from schemas.reproduce.planning.parameters import Assumption
from schemas.reproduce.planning.plan import Plan, Target
from schemas.reproduce.planning.readings import Reading
from schemas.reproduce.planning.scope import Scope
from schemas.reproduce.settings import Limits
from schemas.reproduce.simulations.design import NamedValue
from tests.unit.agents.agents_fixture import (
    COLUMNS,
    CURVE,
    DESIGN,
    DIP,
    EXTRACTED,
    MEASURED,
    PAPER,
    RECORDS,
    TEXT,
)
from tests.unit.agents.agents_fixture import HONEST_FILM as FILM
from tests.unit.agents.agents_fixture import HONEST_PLAN as PLAN

pytestmark = pytest.mark.unit


def with_target(target: Target) -> Plan:
    film = FILM.model_copy(update={"targets": (target,)})
    return PLAN.model_copy(update={"stages": (PLAN.stages[0], film, PLAN.stages[2])})


def with_reference(target: Target, **changes: object) -> Plan:
    return with_target(target.model_copy(update={"reference": target.reference.model_copy(update=changes)}))


def test_a_sound_plan_passes_with_its_parameters():
    assert plan_rule(PLAN, PAPER, COLUMNS, extracted=EXTRACTED) == ()
    (issue,) = plan_rule(
        PLAN, PAPER, COLUMNS, extracted=EXTRACTED, candidates=("drawn as 90 nm, stated as 100 nm",)
    )
    assert issue.severity == "minor" and "drawn as 90 nm" in issue.description  # a candidate blocks no plan


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (with_reference(DIP, quotation="The dip lies at 530 nm"), "not in the paper"),
        (with_reference(DIP, value=530.0), "does not stand in its quotation"),
        (with_reference(CURVE, file="fig7.csv"), "'fig7.csv' does not exist (there are: fig1.csv)"),
        (with_reference(CURVE, y_column="T"), "no column 'T'"),
        (with_reference(CURVE, kind="fresnel", material="gold"), "a curve cannot be compared with a fresnel"),
        (
            with_target(CURVE.model_copy(update={"reference": DIP.reference})),
            "cannot be compared with a quotation",
        ),
        (with_target(CURVE.model_copy(update={"x_range": (750.0, 450.0)})), "is no range"),
        (with_target(CURVE.model_copy(update={"x_range": (450.0, float("inf"))})), "is no range"),
        (with_target(DIP.model_copy(update={"figure_id": "fig9"})), "none of the paper's"),
        (
            PLAN.model_copy(
                update={
                    "materials": (PLAN.materials[0].model_copy(update={"page": "Johnson"}), PLAN.materials[1])
                }
            ),
            "no database page",
        ),
        (
            PLAN.model_copy(
                update={
                    "stages": (
                        PLAN.stages[0],
                        FILM.model_copy(update={"estimated_runtime_s": 1e6, "runtime_budget_minutes": 1e6}),
                        PLAN.stages[2],
                    )
                }
            ),
            "the run may take",
        ),
        (PLAN.model_copy(update={"stages": PLAN.stages[1:]}), "must be MATERIAL_VALIDATION"),
    ],
)
def test_faults_of_a_plan_block_it_and_say_why(plan, said):
    found = [issue for issue in plan_rule(plan, PAPER, COLUMNS) if issue.severity == "blocking"]
    assert any(said in issue.description for issue in found), found


def test_a_lower_cap_changes_nothing_that_was_asked_about_a_plan() -> None:
    """`resume --max-hours` asked the plan's reviewer, and all who came after, anew."""
    low, usual = (
        plan_rule(PLAN, PAPER, COLUMNS, limits=one)
        for one in (Limits(max_total_runtime_hours=1e-6), Limits())
    )
    assert low == usual


@pytest.mark.parametrize(
    ("value", "quotation", "blocked"),
    [
        ("523.4", "The dip lies at 523.4 nm", True),
        ("0.5234", "a dip at 523.4 nm", True),
        ("527", "The dip lies at 523.4 nm", True),
        ("523.4", "a laser at 523.4 nm", False),
        ("530", "The dip lies at 523.4 nm", False),
    ],
)
def test_no_result_passes_for_an_input_unless_the_paper_states_it_as_one(value, quotation, blocked):
    paper = PAPER.model_copy(
        update={"text": TEXT.replace("Johnson and Christy.", "Johnson and Christy; a laser at 523.4 nm.")}
        if not blocked
        else {}
    )
    parameter = EXTRACTED[0].model_copy(update={"name": "probe", "value": value, "quotation": quotation})
    found = [
        issue
        for issue in plan_rule(PLAN, paper, COLUMNS, extracted=(*EXTRACTED, parameter))
        if issue.severity == "blocking" and "as a whole number with its unit" not in issue.description
    ]
    assert [issue.where for issue in found] == (["parameter probe"] if blocked else [])
    assert not found or "within 1 % of fig1_dip = 523.4" in found[0].description


def test_no_result_passes_for_an_assumption_or_an_index():
    guess = Assumption(
        assumption_id="A7",
        category="source",
        parameter="centre",
        value="524 nm",
        source="inferred",
        reason="r",
        sensitivity="low",
    )
    said = guess.model_copy(update={"source": "user"})
    found = plan_rule(PLAN, PAPER, COLUMNS, extracted=EXTRACTED, assumptions=(guess, said))
    assert [issue.where for issue in found] == ["assumption A7"]
    glass = MaterialChoice(
        name="glass", index=5.234, band_um=(0.4, 0.8), reason="r", source="a dip at 523.4 nm"
    )
    made = PLAN.model_copy(update={"materials": (*PLAN.materials, glass)})
    assert "material glass" in [i.where for i in plan_rule(made, PAPER, COLUMNS) if i.severity == "blocking"]


def test_a_plan_is_told_to_name_what_carries_its_claim_and_to_quote_the_readings_it_calls_stated():
    found = plan_rule(PLAN.model_copy(update={"claim_targets": ()}), PAPER, COLUMNS)
    assert [(i.severity, i.where) for i in found] == [("major", "claim_targets")]
    read = {
        "name": "thicker film",
        "targets": ("fig1_dip",),
        "parameter": "film",
        "value": "45 nm",
        "quotation": "The film is 45 nm thick",
    }

    def blocked(**changes: str) -> list[str]:
        readings = (Reading.model_validate(read | changes),)
        found = plan_rule(PLAN.model_copy(update={"readings": readings}), PAPER, COLUMNS)
        assert {(i.severity, i.where) for i in found} <= {("blocking", "reading thicker film")}
        return [i.description for i in found]

    assert blocked() == []
    assert "not in the paper" in blocked(quotation="the film is 45 nm thick in truth")[0]
    assert (
        "does not say 'period'" in blocked(parameter="period")[0]
        and "value not given" in blocked(value="")[0]
    )
    result = blocked(parameter="dip", value="523.4 nm", quotation="The dip lies at 523.4 nm")
    assert "what fig1_dip is compared with" in result[0]


def test_a_plan_without_digitised_data_is_never_sent_back_for_it():
    film = FILM.model_copy(update={"targets": (DIP,)})
    plan = PLAN.model_copy(update={"stages": (PLAN.stages[0], film, PLAN.stages[2])})
    assert plan_rule(plan, PAPER, {}) == ()


def test_a_figure_that_is_left_out_without_a_word_blocks_unless_the_reader_left_it_out():
    found = plan_rule(
        PLAN.model_copy(update={"not_reproducible": ("fig20: a photograph", MEASURED)}), PAPER, COLUMNS
    )
    assert [(issue.severity, issue.where) for issue in found] == [("blocking", "fig2")]
    scoped = PAPER.model_copy(update={"scope": Scope(figures=("fig1",))})
    found = plan_rule(PLAN.model_copy(update={"not_reproducible": ()}), scoped, COLUMNS)
    assert not [issue for issue in found if "no target and no reason" in issue.description]


def test_an_invented_quotation_gets_the_closest_passage_as_remedy():
    invented = EXTRACTED[0].model_copy(update={"quotation": "The gold film is 50 nm thick and stands alone"})
    found = plan_rule(PLAN, PAPER, COLUMNS, extracted=(invented,))
    assert [issue.severity for issue in found] == ["blocking"]
    assert "45 nm thick" in found[0].fix


@pytest.mark.parametrize(
    ("quotation", "text", "expected"),
    [
        ("dip at 523.4 nm", "a dip at\n523.4\u202fnm.", True),
        ("'period' - 5", "\u2018period\u2019 \u2212 5", True),
        ("the film is thick", "the **film** is $thick$", True),
        ("well-known gold", "well-\nknown gold", True),
        ("simulation of gold", "simu-\nlation of gold", True),
        ("The dip lies ... a depth of 0.27", "The dip lies at 5 with a depth of 0.27", True),
        ("The dip ... a depth of 0.27", "The dip lies at 5 with a depth of 0.27", False),
        ("a depth of 0.27 ... The dip lies", "The dip lies at 5 with a depth of 0.27", False),
        ("10 \u00b5m", "10 \u03bcm", True),
        ("dip at 524 nm", "a dip at 523.4 nm", False),
        ("", "anything", False),
        ("...", "anything", False),
        ("a", "a a a", False),
    ],
)
def test_quotations_are_found_whatever_the_typesetting(quotation, text, expected):
    assert quoted(quotation, text) is expected


@pytest.mark.parametrize(
    ("value", "unit", "quotation", "expected"),
    [
        (0.62, "1", "62 %", True),
        (62, "1", "62 %", False),
        (1.55, "um", "1550 nm", True),
        (1.55, "nm", "1550 nm", False),
        (523.4, "nm", "523.40 nm", True),
        (1550, "nm", "1,550 nm", True),
        (550, "nm", "layer 1 550 nm", True),
        (0.5, "1", "one half", True),
        (1, "1", "one half", False),
        (52.34, "1", "523.5", False),
        (-3.2, "dB", "\u22123.2 dB", True),
        (1e-3, "1", "0.001", True),
        (523, "nm", "523.4 nm", False),
        (2500, "nm", "2 500 nm", True),
        (500, "nm", "at 2 500 nm", False),
    ],
)
def test_a_value_stands_whole_and_with_its_unit_in_its_quotation(value, unit, quotation, expected):
    assert (number_fault(value, unit, f"found {quotation}", f"We found {quotation}.") == "") is expected


def test_the_nearest_passage_shares_words():
    assert "412.5" in nearest("a period of 400 nm was used", TEXT)
    assert nearest("zzz", TEXT) == ""


def test_a_sound_design_passes():
    assert rule(DESIGN, FILM, RECORDS) == ()


OUT = DESIGN.outputs[0]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"stage_id": "stage2"}, "the stage is 'stage1'"),
        (
            {"outputs": (OUT.model_copy(update={"targets": ("fig1_R",)}),)},
            "no output answers target 'fig1_dip'",
        ),
        ({"outputs": (OUT.model_copy(update={"targets": (*OUT.targets, "fig9")}),)}, "'fig9' is no target"),
        ({"outputs": (OUT, OUT)}, "used twice"),
        ({"outputs": (OUT.model_copy(update={"columns": ("wavelength",)}),)}, "abscissa"),
        ({"convergence_scales": (1.0, 0.5)}, "does not ascend"),
        ({"convergence_scales": (1.0, 1.0)}, "does not ascend"),
        ({"convergence_scales": (0.0, 1.0)}, "does not ascend"),
        ({"materials": ("gold", "unobtainium")}, "'unobtainium' is not prepared"),
        ({"resolution": 20.0}, "6.0 pixels per wavelength in glass"),
        ({"dimensions": "3D", "resolution": 150.0}, "stable in 3D"),
        ({"estimated_cpu_s": 1000.0}, "the stage may take 600 s"),
    ],
)
def test_faults_of_a_design_block_it_and_say_why(changes, said):
    found = [i for i in rule(DESIGN.model_copy(update=changes), FILM, RECORDS) if i.severity == "blocking"]
    assert any(said in issue.description for issue in found), found


def test_stability_is_advice_below_three_dimensions_and_where_no_resolution_helps():
    low = DESIGN.model_copy(update={"resolution": 150.0})
    assert [issue.severity for issue in rule(low, FILM, RECORDS)] == ["major"]
    never = (RECORDS[0].model_copy(update={"min_stable_resolution": None}), RECORDS[1])
    solid = DESIGN.model_copy(update={"dimensions": "3D"})
    assert [issue.severity for issue in rule(solid, FILM, never)] == ["major"]


def test_resolution_is_converted_from_the_design_s_length_unit():
    nm = DESIGN.model_copy(update={"length_unit": "1 nm", "resolution": 0.4})
    assert rule(nm, FILM, RECORDS) == ()
    lattice = DESIGN.model_copy(update={"length_unit": "lattice constant a", "resolution": 1.0})
    assert rule(lattice, FILM, RECORDS) == ()


@pytest.mark.parametrize(
    ("text", "um"),
    [
        ("1 um", 1),
        ("\u00b5m", 1),
        ("100 nm", 0.1),
        ("1um", 1),
        ("a", None),
        ("1 a = 0.5 um", None),
        ("2.5 mm", 2500),
    ],
)
def test_length_units_are_read(text, um):
    assert length_unit_um(text) == (None if um is None else pytest.approx(um))


def test_cost_counts_every_rung_and_sweep_point():
    points = tuple((NamedValue(name="d", value=d),) for d in (1.0, 2.0, 3.0))
    design = DESIGN.model_copy(update={"dimensions": "2D", "sweep_points": points, "estimated_cpu_s": 80.0})
    assert total_cpu_s(design) == pytest.approx(3 * (80 + 10))


def test_a_fix_shows_the_form_that_is_read():
    """The example of each finding, written as it stands there, is taken; a sentence about the number is not."""
    left = PLAN.model_copy(update={"not_reproducible": ()})
    wanted = {
        issue.where: issue.fix.split('as "')[1].split('"')[0] for issue in plan_rule(left, PAPER, COLUMNS)
    }
    assert wanted["fig2"].startswith("fig2: ") and wanted["0.8734"].startswith("text: 0.8734: ")
    assert not plan_rule(left.model_copy(update={"not_reproducible": (*wanted.values(),)}), PAPER, COLUMNS)
    vague = ("fig2", "the 0.8734 in the abstract is no result of ours")
    found = plan_rule(left.model_copy(update={"not_reproducible": vague}), PAPER, COLUMNS)
    assert {issue.where for issue in found} >= {"fig2", "0.8734"}


def test_the_fix_of_a_quotation_has_an_example():
    short = with_reference(DIP, quotation="dip")
    wrong = with_reference(DIP, value=999.0)
    for plan in (short, wrong):
        assert any('as "' in issue.fix or '"a ' in issue.fix for issue in plan_rule(plan, PAPER, COLUMNS))
