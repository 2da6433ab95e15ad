"""Lies in words: results smuggled to the blind agents, and praise of what failed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.reproduce import simulation_designer
from agents.reproduce.rules.prose_rules import prose_issues, withhold_adaptations
from agents.reproduce.rules.redaction import WITHHELD, secret_values, withhold
from agents.talking.rendering import show
from schemas.reproduce.planning.parameters import Assumption
from schemas.reproduce.planning.plan import Plan
from schemas.reproduce.simulations.features import CurveFeature
from schemas.talking.adaptation import AdaptationRecord, PromptAdaptation
from schemas.talking.interaction import UserInteraction
from tasks.reproduce.report.prose import marked, noted
from tasks.reproduce.report.sections.provenance import CONTROLS_SHOW, ECHO_SHOWS
from tasks.reproduce.report.source import Source
from tests.unit.agents.agents_fixture import EXTRACTED, PAPER, PLAN, run_state
from tests.unit.report.report_fixture import make_facts, make_paper, make_state, settings

pytestmark = pytest.mark.unit


def saying(words: str, place: str = "description", **more: object) -> Plan:
    """A plan whose film says something; nothing else in it holds a number but what is declared."""
    targets = tuple(t.model_copy(update={"description": "reflectance"}) for t in PLAN.stages[1].targets)
    film = PLAN.stages[1].model_copy(
        update={
            "description": "A 45 nm film.",
            "validation_criteria": (),
            "targets": targets,
            place: (words,) if place == "validation_criteria" else words,
            **more,
        }
    )
    return PLAN.model_copy(update={"stages": (PLAN.stages[0], film, PLAN.stages[2])})


def found(plan: Plan, *assumptions: Assumption, severity: str = "blocking") -> list[tuple[str, str]]:
    return [
        (issue.where, issue.description)
        for issue in prose_issues(plan, EXTRACTED, assumptions)
        if issue.severity == severity
    ]


SMUGGLED = [
    "523.4 nm",
    "527.9 nm",
    "0.5234 um",
    "572.8 THz",
    "2.369 eV",
    "19106 cm^-1",
    "5.234e2 nm",
    "5.234 x 10^2 nm",
    "five hundred and twenty-three nanometres",
    "five hundred twenty-three point four nm",
    "520 to 527 nm",
    "520-527 nm",
    "between 519 and 528 nm",
    "0.8734",
    "87 %",
    "0,873",
]


@pytest.mark.attack("judgement", "refused and masked for the blind agents")
@pytest.mark.parametrize("words", SMUGGLED)
def test_a_result_in_a_description_is_refused_and_masked_in_whatever_form(words):
    """Lie: the planner tells the designer the answer in other words."""
    issues = found(saying(f"A film, expect {words} here."))
    assert issues and issues[0][0] == "stage1, description" and "result" in issues[0][1]
    told = withhold(f"expect {words} here", secret_values(run_state()))
    assert WITHHELD in told and "523" not in told and "0.87" not in told


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        ("a 45 nm film, period 412.5 nm (0.4125 um)", False),
        ("a radius of 22.5 nm", False),
        ("m = 3, two layers, at 90 degrees", False),
        ("from 450 to 750 nm", False),
        ("see Fig. 14", False),
        ("within 2 % of it", False),
        ("in 20 equal steps (21 values), 301 equally spaced points", False),
        ("301 nm in 21", True),
        ("a 70 nm film", True),
        ("a resolution of 137", True),
        ("seventy nanometres", True),
        ("absorbs 2 %", True),
    ],
)
@pytest.mark.parametrize("place", ["description", "name", "validation_criteria"])
def test_other_numbers_than_declared_inputs_counts_and_tolerances_are_refused(words, refused, place):
    assert bool(found(saying(words, place))) is refused


def test_the_finding_names_number_and_place():
    assert found(saying("R below 3 % at 611 nm", "validation_criteria")) == [
        ("stage1, validation_criteria 1", "'3 %' is no declared input"),
        ("stage1, validation_criteria 1", "'611 nm' is no declared input"),
    ]


def test_where_a_feature_is_read_may_be_said_and_a_result_may_not():
    def read_at(level: float, words: str) -> Plan:
        feature = {"kind": "crossing", "level": [level], "window": [480, 560]}
        target = PLAN.stages[1].targets[0]
        reference = target.reference.model_copy(update={"feature": CurveFeature.model_validate(feature)})
        own = target.model_copy(update={"description": words, "reference": reference})
        return saying("A film.", targets=(own, *PLAN.stages[1].targets[1:]))

    named = [where for where, _ in found(read_at(0.9, "where it passes 90 % between 480 nm and 560 nm"))]
    assert not any("description" in where and PLAN.stages[1].targets[0].target_id in where for where in named)
    assert any("result" in said for _, said in found(read_at(0.8734, "where it passes 0.8734")))


def test_an_assumption_s_reason_hides_no_number():
    """Lie: the reason of an assumption quotes the result."""
    one = Assumption(
        assumption_id="A1",
        category="numerics",
        parameter="mesh",
        value="2 nm",
        source="agent",
        reason="the dip at 525 nm needs it",
        sensitivity="low",
    )
    assert [where for where, _ in found(saying("A film."), one)] == ["assumption A1, reason"]
    declared = one.model_copy(update={"reason": "2 nm resolve the film"})
    assert not found(saying("A film on a 2 nm mesh."), declared)


@pytest.mark.attack("judgement", "refused")
@pytest.mark.parametrize("name", ["dip_523p4nm", "dip-523.4", "fig1_523nm"])
def test_a_name_is_no_hiding_place(name):
    """Lie: the target's id is the answer."""
    plan = saying("A film.")
    film = plan.stages[1]
    targets = (film.targets[0].model_copy(update={"target_id": name}), *film.targets[1:])
    plan = plan.model_copy(
        update={"stages": (plan.stages[0], film.model_copy(update={"targets": targets}), plan.stages[2])}
    )
    assert any(name in description and "states a result" in description for _, description in found(plan))


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        ("from 520 to 750 nm", False),
        ("up to 0.52 um", False),
        ("from 520.3 to 750 nm", True),
        ("at 523.4 nm", True),
    ],
)
def test_the_ends_of_a_range_may_stand_in_words_though_a_result_is_near(words, refused):
    """The designer reads the range as it is; whatever else is near a result stays masked."""
    plan = saying(f"A film, {words}.")
    film = plan.stages[1]
    targets = (film.targets[0].model_copy(update={"x_range": (520.0, 750.0)}), *film.targets[1:])
    plan = plan.model_copy(
        update={"stages": (plan.stages[0], film.model_copy(update={"targets": targets}), plan.stages[2])}
    )
    assert any("result" in description for _, description in found(plan)) is refused
    hidden = withhold(words, secret_values(run_state().model_copy(update={"plan": plan})))
    assert (WITHHELD in hidden) is refused


@pytest.mark.attack("judgement", "refused")
@pytest.mark.parametrize(
    ("x_range", "refused"),
    [((520.0, 527.0), True), ((450.0, 523.4), True), ((450.0, 750.0), False), ((525.0, 750.0), False)],
)
def test_a_range_that_states_the_result_is_refused_and_any_other_is_not_masked(x_range, refused):
    """Lie: the window of the search is the answer."""
    plan = saying("A film.")
    film = plan.stages[1]
    targets = (film.targets[0].model_copy(update={"x_range": x_range}), *film.targets[1:])
    plan = plan.model_copy(
        update={"stages": (plan.stages[0], film.model_copy(update={"targets": targets}), plan.stages[2])}
    )
    assert any("x_range" in description for _, description in found(plan)) is refused
    assert withhold({"x_range": list(x_range)}, secret_values(run_state())) == {"x_range": list(x_range)}


@pytest.mark.parametrize(
    "words", ["hundred " * 400, "one " * 400, "9" * 500 + " nm", "1e999 nm", "nine " * 100_000]
)
def test_numbers_without_end_are_none(words):
    assert withhold(words, secret_values(run_state())) == words


def test_counts_are_no_results_near_one():
    """A transmission of 0.998 must not mask every 1 of a design."""
    assert withhold({"orders": 1, "said": "one film, m = 1, 100 %"}, frozenset({0.998})) == {
        "orders": 1,
        "said": "one film, m = 1, 100 %",
    }


def test_numeric_fields_are_masked_too_and_a_program_s_own_output_is_no_oracle():
    """Lie: the number stands in a field instead of a text."""
    secrets = secret_values(run_state())
    assert withhold({"expected": 524.0, "range": [450.0, 750.0], "estimated_runtime_s": 523}, secrets) == {
        "expected": WITHHELD,
        "range": [450.0, 750.0],
        "estimated_runtime_s": 523,
    }
    assert withhold("525.123456789,0.25", secrets) == "525.123456789,0.25"


def test_adaptations_feedback_and_a_person_s_words_pass_the_same_gate():
    """Lie: what the planner may not write, the adaptor, a reviewer or a person writes."""
    said = UserInteraction(
        id="U1",
        timestamp="t",
        interaction_type="design_limit",
        stage_id="stage1",
        agent="a",
        reason="r",
        question="q",
        user_response="guide: aim at 0.525 um",
        answered_by="terminal",
    )
    state = run_state(
        user_interactions=(said,),
        reviewer_feedback="the dip belongs at five hundred twenty-three nm",
        supervisor_feedback="we are 1.2 % off 2.37 eV",
    )
    told = simulation_designer.context(state, PAPER)
    assert told["user_interactions"][0]["user_response"] == f"guide: aim at {WITHHELD} um"
    assert WITHHELD in told["reviewer_feedback"] and f"off {WITHHELD} eV" in told["supervisor_feedback"]
    assert "0.525" not in "".join(show(value) for value in told.values())
    adaptation = PromptAdaptation(
        adaptation_id="a",
        target_agent="simulation_designer",
        modification_type="append",
        section="Method",
        content="Look between 520 and 527 nm.",
        confidence=0.9,
        reason="r",
    )
    [record] = withhold_adaptations((AdaptationRecord(applied=True, adaptation=adaptation),), state)
    assert record.adaptation.content == f"Look between {WITHHELD} and {WITHHELD} nm."


def test_a_person_s_advice_does_not_turn_the_result_into_an_input():
    """Lie: forwarded words unmask the number for everything that follows."""
    advice = Assumption(
        assumption_id="U1",
        category="interpretation",
        parameter="guidance",
        value="aim at 523.4 nm",
        source="user",
        reason="r",
        sensitivity="high",
    )
    assert 523.4 in secret_values(run_state(assumptions=(advice,)))


@pytest.fixture
def source(tmp_path) -> Source:
    run_dir, paper_dir = tmp_path / "run", tmp_path / "paper"
    run_dir.mkdir()
    paper_dir.mkdir()
    return Source(make_state(run_dir), make_paper(paper_dir), run_dir, paper_dir, settings(), make_facts())


@pytest.mark.attack("judgement", "marked where they stand")
@pytest.mark.parametrize(
    ("words", "mark"),
    [
        ("fig2_R is in excellent agreement with the paper.", "the evidence says PARTIAL"),
        ("All results were reproduced.", "the evidence says PARTIAL"),
        ("The dip lies at 715.5 nm.", "no number of the evidence"),
        ("fig2_peak is reproduced: 723.4 nm against 720 nm, an error of 0.47 %.", ""),
        ("fig2_R is not reproduced; it is partly reproduced.", ""),
        ("The dip lies at 723 nm in 3 runs.", ""),
    ],
)
def test_words_that_contradict_the_evidence_are_marked_where_they_stand(source, words, mark):
    """Lie: the conclusions praise what failed and state numbers that nobody computed."""
    assert ("{code: " + mark in marked(source, words)) if mark else marked(source, words) == words


@pytest.mark.parametrize(
    ("words", "holds"),
    [
        ("Figure 7 is in excellent agreement.", True),
        ("Fig. 7 is in excellent agreement.", True),
        ("Fig. 2 is in excellent agreement.", False),
        ("Figures 2 and 7 are in excellent agreement.", False),
    ],
)
def test_praise_of_a_figure_is_held_against_that_figure(source, words, holds):
    """Not against the run's verdict, which another figure lowers."""
    agrees = source.state.figure_comparisons[0].model_copy(
        update={"target_id": "fig7_peak", "figure_id": "fig7", "classification": "SUCCESS"}
    )
    state = source.state.model_copy(update={"figure_comparisons": (*source.state.figure_comparisons, agrees)})
    assert (marked(replace(source, state=state), words) == words) is holds


def test_a_rounding_of_the_evidence_is_no_other_number(source):
    """0.153 written as 0.15 was marked; 0.16, one digit alone, and the paper's rounding given as ours still are."""
    peak = source.state.figure_comparisons[0]

    def said(words: str, **evidence: object) -> str:
        changed = peak.model_copy(
            update=evidence.pop("kind", {}) | {"evidence": peak.evidence.model_copy(update=evidence)}
        )
        state = source.state.model_copy(
            update={"figure_comparisons": (changed, *source.state.figure_comparisons[1:])}
        )
        return marked(replace(source, state=state), words)

    numbers = {
        "simulated": 0.1532,
        "reference": 0.1931,
        "unit": "1",
        "error": 20.66,
        "measure": "relative_percent",
    }
    for good in ("It is 0.15.", "It is 0.153.", "It is 15 %.", "The error is 21 %."):
        assert said(good, **numbers) == good
    for bad in ("It is 0.16.", "It is 0.2.", "The error is 23 %.", "It is 0.155."):
        assert "{code: no number of the evidence}" in said(bad, **numbers), bad
    failed = {"kind": {"classification": "FAILURE"}, **numbers}
    assert "{code: the paper's number, not ours}" in said("We obtained 0.19.", **failed)
    assert said("We obtained 0.15.", **failed) == "We obtained 0.15."


@pytest.mark.attack("judgement", "marked")
def test_praise_of_a_failed_target_by_its_analyst_is_marked(source):
    failed = source.lines[1].__class__(
        "fig2",
        "film",
        "fig2_R",
        source.lines[2].target,
        source.state.figure_comparisons[1].model_copy(update={"classification": "FAILURE"}),
    )
    assert (
        marked(source, "It matches the paper.", failed)
        == "It matches {code: the evidence says FAILURE} the paper."
    )
    said = noted(source, "It matches the paper, matches at 715.5 nm.\n\n{code: all is well}", failed)
    assert said.startswith(
        "It matches\u207d\u00b9\u207e the paper, matches\u207d\u00b9\u207e at 715.5 nm\u207d\u00b2\u207e."
    )
    assert said.endswith(
        "{code: all is well}\n\nMarked by code: \u207d\u00b9\u207e the evidence says FAILURE; \u207d\u00b2\u207e no number of the evidence."
    )
    assert marked(source, "They agree within 2.", failed) == "They agree within 2."
    assert marked(source, "It does not agree with it.", failed) == "It does not agree with it."


def test_controls_and_echo_checks_say_what_they_cannot_show():
    assert (
        "cannot show: that the simulation is right" in CONTROLS_SHOW
        and "no proof that the value" in ECHO_SHOWS
    )


def test_the_papers_number_given_as_ours_is_marked_where_ours_does_not_agree(source):
    """Lie: 'we obtained' and then the paper's value, which known numbers hold."""
    peak = source.state.figure_comparisons[0]
    missed = peak.model_copy(
        update={
            "classification": "FAILURE",
            "evidence": peak.evidence.model_copy(update={"simulated": 655.0, "reference": 720.0}),
        }
    )
    failed = replace(
        source,
        state=source.state.model_copy(
            update={"figure_comparisons": (missed, *source.state.figure_comparisons[1:])}
        ),
    )
    assert "720 nm {code: the paper's number, not ours}" in marked(failed, "We obtained 720 nm.")
    assert "not ours" in marked(failed, "Against all odds we obtained 720 nm.")
    for plain in (
        "655 nm against 720 nm.",
        "The paper's 720 nm is missed.",
        "It is 655 nm instead of 720 nm.",
    ):
        assert "not ours" not in marked(failed, plain), plain
    assert "not ours" not in marked(failed, "We obtained 655 nm.") and "not ours" not in marked(
        source, "We obtained 720 nm."
    )


def test_a_range_may_end_where_the_data_end_whatever_the_results_are() -> None:
    """A jet 1.50 wavelengths long, and a figure from -1.5 to 1.5."""
    target = PLAN.stages[1].targets[0]

    def refused(ends: tuple[float, float], drawn: tuple[float, ...]) -> list[str]:
        film = PLAN.stages[1].model_copy(update={"targets": (target.model_copy(update={"x_range": ends}),)})
        plan = PLAN.model_copy(update={"stages": (PLAN.stages[0], film, PLAN.stages[2])})
        issues = prose_issues(plan, EXTRACTED, (), {target.target_id: drawn})
        return [one.description for one in issues if "begins or ends at a result" in one.description]

    assert refused((400, 523.4), ()) and refused((400, 523.4), (400, 800))
    assert refused((400, 523.4), (300, 523.4)) == []
    assert refused((515, 531), (515, 531))  # so tight a window states it, whoever drew it


def test_a_range_that_is_all_of_tight_data_is_told_what_cures_it() -> None:
    """The fix was "use the range of the figure's axis or of the data", of a range that was just that."""
    target = PLAN.stages[1].targets[0]

    def told(ends: tuple[float, float] | None, drawn: tuple[float, ...]) -> list[tuple[str, str]]:
        film = PLAN.stages[1].model_copy(update={"targets": (target.model_copy(update={"x_range": ends}),)})
        plan = PLAN.model_copy(update={"stages": (PLAN.stages[0], film, PLAN.stages[2])})
        issues = prose_issues(plan, EXTRACTED, (), {target.target_id: drawn})
        return [(one.description, one.fix) for one in issues if "x_range" in one.description]

    ((description, fix),) = told((515, 531), (515, 531))
    assert "though the data begin and end there" in description and fix.startswith("leave x_range out")
    assert told(None, (515, 531)) == []
    ((description, fix),) = told((515, 531), (400, 800))
    assert "though the data" not in description and fix.startswith("use the range of the figure's axis")
    assert told((400, 800), (400, 800)) == []
