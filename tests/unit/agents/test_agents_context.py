"""What each agent is shown: the keys of the specification, and nothing a blind agent must not read."""

from __future__ import annotations

import json

import pytest

from agents.reproduce import (
    code_generator,
    code_reviewer,
    comparison_validator,
    design_reviewer,
    execution_validator,
    figure_reader,
    physics_sanity,
    plan_reviewer,
    planner,
    prompt_adaptor,
    results_analyzer,
    simulation_designer,
    supervisor,
)
from agents.reproduce.registry import AGENTS, CONCLUSIONS
from agents.reproduce.roster import ROSTER
from agents.reproduce.rules.prose_rules import withhold_adaptations
from agents.reproduce.rules.redaction import WITHHELD, secret_values, withhold
from agents.talking.rendering import show
from schemas.errors import InputError, StateError
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.paper import PaperData
from schemas.reproduce.planning.parameters import Assumption, ExtractedParameter
from schemas.reproduce.planning.progress import StageProgress
from schemas.reproduce.settings import Limits
from schemas.talking.adaptation import AdaptationRecord, PromptAdaptation
from schemas.talking.interaction import UserInteraction
from tests.unit.agents.agents_fixture import CURVE, EXECUTED, PAPER, PHYSICAL, PLAN, evidence, run_state
from tests.unit.papers.reader_tries import figure

pytestmark = pytest.mark.unit

ALL: tuple[TargetEvidence, ...] = (evidence("fig1_R"), evidence("fig1_dip"), evidence("fig1_note"))


def contexts(state) -> dict[str, dict[str, object]]:
    """The context of every agent, built as the flows do."""
    facts = supervisor.gather(state, PLAN.stage("stage1"), Limits(), runtime_left_s=3600)
    table = planner.describe_table("fig1", PAPER.figures[0].data[0], "wavelength_nm,R\n450,0.4\n")
    return {
        "figure_reader": figure_reader.context(figure(False), "Reflectance of the film."),
        "prompt_adaptor": prompt_adaptor.context(state, PAPER),
        "planner": planner.context(state, PAPER, data_tables=(table,), database_hint="shelf/book/page"),
        "plan_reviewer": plan_reviewer.context(state, PAPER),
        "simulation_designer": simulation_designer.context(state, PAPER),
        "design_reviewer": design_reviewer.context(state, PAPER),
        "code_generator": code_generator.context(state, PAPER),
        "code_reviewer": code_reviewer.context(state, PAPER),
        "execution_validator": execution_validator.context(state, PAPER, evidence=EXECUTED),
        "physics_sanity": physics_sanity.context(state, PAPER, evidence=PHYSICAL),
        "results_analyzer": results_analyzer.context(state, PAPER, evidence=ALL),
        "comparison_validator": comparison_validator.context(state, PAPER, evidence=ALL),
        "supervisor": supervisor.context(state, PAPER, facts=facts),
    }


# Specification, "State Context by Agent (Detailed)", and the additions the design asks for after the bar.
TABLES = {
    "figure_reader": "figure_id caption proposal not_read",
    "prompt_adaptor": "paper_text_summary paper_domain available_agents available_prompts",
    "planner": "paper_id paper_title paper_domain paper_text paper_figures supplementary_text "
    "supplementary_figures prompt_adaptations user_interactions supervisor_feedback replan_reason "
    "reader_scope data_files database_hint contradiction_candidates reviewer_feedback previous_plan "
    "answers_to_questions",
    "plan_reviewer": "plan extracted_parameters assumptions contradictions paper_text reader_scope findings",
    "simulation_designer": "current_stage_id current_stage assumptions extracted_parameters "
    "reviewer_feedback "
    "revision_count paper_domain available_materials available_patterns user_interactions supervisor_feedback "
    "experiments previous_design earlier_outputs answers_to_questions declared_parameters previous_code earlier_descriptions",
    "design_reviewer": "design_description current_stage assumptions paper_domain findings description_code "
    "declared_parameters",
    "code_generator": "design_description performance_estimate reviewer_feedback revision_count "
    "stage_id paper_id "
    "output_dir materials experiments previous_code earlier_outputs",
    "code_reviewer": "code design_description expected_outputs findings coder_explanation validator_advice "
    "simulation_messages",
    "execution_validator": "stdout stderr exit_code output_files expected_outputs runtime_seconds evidence",
    "physics_sanity": "output_data_files simulation_code paper_domain current_stage evidence expectations "
    "simulation_messages",
    "results_analyzer": "output_files target_figures digitized_data validation_criteria stage_id "
    "discrepancy_thresholds evidence reviewer_feedback",
    "comparison_validator": "figure_comparisons analysis_summary discrepancies target_figures output_plots "
    "evidence",
    "supervisor": "plan_summary progress validation_hierarchy figure_comparisons current_stage_summary "
    "runtime_budget revision_counts backtrack_suggestion systematic_discrepancies contradiction_candidates "
    "user_responses "
    "user_interactions ask_user_trigger last_node_before_ask_user "
    "allowed_verdicts answers_to_questions",
}


def test_the_registry_holds_the_agents_with_their_titles():
    assert set(AGENTS) == set(ROSTER) == set(TABLES)
    assert (
        AGENTS["prompt_adaptor"].title == "PromptAdaptorAgent"
        and AGENTS["supervisor"].title == "SupervisorAgent"
    )
    assert (CONCLUSIONS.name, CONCLUSIONS.prompt) == ("supervisor", "supervisor_report")


@pytest.mark.parametrize("name", TABLES)
def test_context_keys_are_those_of_the_tables(name):
    wanted = set(TABLES[name].split())
    assert set(AGENTS[name].context) == wanted
    given = set(contexts(run_state())[name])
    only_on_revision = {"reviewer_feedback"} if name == "results_analyzer" else set()
    assert given == wanted - only_on_revision


def test_conclusions_context_has_the_declared_keys():
    assert set(supervisor.conclusions_context(run_state(), PAPER)) == set(CONCLUSIONS.context)


@pytest.mark.parametrize("name", TABLES)
def test_every_context_value_can_be_shown_without_times(name):
    for value in contexts(run_state())[name].values():
        assert "2026-01-02" not in show(value)


@pytest.mark.parametrize(
    "name", ["simulation_designer", "code_generator", "design_reviewer", "physics_sanity"]
)
def test_blind_agents_read_no_reference_value(name):
    told = contexts(run_state())[name]
    text = "\n".join(show(value) for value in told.values())
    assert "523.4" not in text and "0.8734" not in text and "fig1.csv" not in text


def test_the_designer_keeps_inputs_and_the_kind_of_each_reference():
    told = simulation_designer.context(run_state(), PAPER)
    assert [line.split(" =")[0] for line in told["declared_parameters"]] == ["p.thickness", "p.period"]
    assert not told["extracted_parameters"], "what is declared is not told twice"
    assert told["current_stage"]["targets"][1]["reference"] == {"kind": "quotation"}
    assert (
        WITHHELD in told["current_stage"]["description"]
        and "45 nm film" in told["current_stage"]["description"]
    )
    assert told["current_stage"]["validation_criteria"] == [f"dip at {WITHHELD}nm within 2 %"]
    assert told["current_stage"]["targets"][0]["x_range"] == [450.0, 750.0]


def _assumed(source: str) -> Assumption:
    return Assumption(
        assumption_id="a",
        category="source",
        parameter="wavelength_nm",
        value="523.4",
        source=source,  # type: ignore[arg-type]
        reason="",
        sensitivity="low",
    )


def _read(quotation: str) -> ExtractedParameter:
    return ExtractedParameter(
        name="probe", value="523.4", unit="nm", role="input", quotation=quotation, place="Methods"
    )


def test_a_number_that_is_also_an_input_is_not_masked():
    inputs = run_state().extracted_parameters
    probe = _read("light of 523.4 nm")
    assert 523.4 not in secret_values(run_state(extracted_parameters=(*inputs, probe)))
    assert 523.4 not in secret_values(run_state(assumptions=(_assumed("user"),)))


def test_a_step_without_a_unit_is_no_thousandth_of_a_result():
    """0.001 was hidden from the designer, because a result of 1.007 had lost its unit: told with it once, and once without."""
    told = ExtractedParameter(
        name="s", value="1.007", unit="", role="result", quotation="S is 1.007", place="Results"
    )
    plan = run_state().plan
    stage = plan.stages[-1]
    target = stage.targets[0]
    reference = target.reference.model_copy(update={"value": 1.007, "upper": None})
    own = target.model_copy(update={"unit": "1", "reference": reference})
    stages = (*plan.stages[:-1], stage.model_copy(update={"targets": (own,)}))
    state = run_state(
        plan=plan.model_copy(update={"stages": stages}),
        extracted_parameters=(*run_state().extracted_parameters, told),
    )
    secrets = secret_values(state)
    assert 1.007 in secrets
    assert withhold("a step of 0.001 in the index", secrets) == "a step of 0.001 in the index"
    assert WITHHELD in withhold("S is 1.007 there, or 1.01", secrets)


def test_a_round_input_beside_a_result_stays_though_a_results_words_hold_it():
    """A molecule's height of 200 nm was hidden from who wrote its script, because another result was 198 nm."""
    words = "0.449 at 200 nm and 0.366 at 300 nm"
    height = ExtractedParameter(
        name="h", value="200", unit="nm", role="input", quotation="at 200 nm", place="Results"
    )
    found = [
        ExtractedParameter(name=name, value=value, unit=unit, role="result", quotation=told, place="Results")
        for name, value, unit, told in (
            ("floor", "198", "nm", "a height of 198 nm"),
            ("r", "0.449", "", words),
        )
    ]
    secrets = secret_values(
        run_state(extracted_parameters=(*run_state().extracted_parameters, height, *found))
    )
    assert withhold("h = 200 nm", secrets) == "h = 200 nm"
    assert WITHHELD in withhold("h = 198 nm", secrets) and WITHHELD in withhold("h = 199 nm", secrets)
    dip = found[0].model_copy(update={"value": "200.4", "quotation": "the dip lies at 200.4 nm, near 200 nm"})
    lie = height.model_copy(update={"quotation": "near 200 nm"})
    secrets = secret_values(run_state(extracted_parameters=(*run_state().extracted_parameters, lie, dip)))
    assert WITHHELD in withhold("h = 200 nm", secrets), "a result's own words, rounded"


def test_neither_an_agents_assumption_nor_a_results_own_words_unmask_it():
    assert 523.4 in secret_values(run_state(assumptions=(_assumed("stated"),)))
    inputs = run_state().extracted_parameters
    assert 523.4 in secret_values(run_state(extracted_parameters=(*inputs, _read("dip lies at 523.4 nm"))))


def test_results_are_masked_in_other_units_and_common_numbers_are_not():
    secrets = secret_values(run_state())
    assert withhold("0.5234 um and 45 nm and 412.5 nm", secrets) == f"{WITHHELD} um and 45 nm and 412.5 nm"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("at 523.4 nm", True),
        ("at 523.40nm", True),
        ("-523.4", True),
        ("5523.4", False),
        ("523.45", True),  # within 1 %
        ("528.9", False),
        ("520.1234567", False),  # a program's own output
        ("523.4.1", False),
        ("x523.4", True),
        ("S11", False),
        ("87.34 %", True),
        ("87.34 nm", False),
        ("\u2212523.4", True),
    ],
)
def test_masking_matches_numbers_not_digits(text, masked):
    assert (WITHHELD in withhold(text, frozenset({523.4, 0.8734}))) is masked


@pytest.mark.parametrize(
    ("agent", "said"), [("simulation_designer", WITHHELD), ("results_analyzer", "523.4")]
)
def test_adaptations_for_blind_agents_are_masked(agent, said):
    adaptation = PromptAdaptation(
        adaptation_id="a",
        target_agent=agent,
        modification_type="append",
        section="Role",
        content="The dip is at 523.4 nm.",
        confidence=0.9,
        reason="hint",
    )
    record = AdaptationRecord(applied=True, adaptation=adaptation)
    assert withhold_adaptations((record,), run_state())[0].adaptation.content == f"The dip is at {said} nm."


def test_previous_code_is_shown_only_on_a_revision():
    assert "previous_code" in code_generator.context(run_state(), PAPER)
    assert "previous_code" not in code_generator.context(run_state(code=None), PAPER)


def test_the_first_plan_is_made_without_feedback_of_a_later_one():
    first = planner.context(run_state(plan=None, plan_round=0), PAPER)
    assert not {"previous_plan", "replan_reason", "user_interactions", "reviewer_feedback"} & set(first)


def interaction(kind: str, response: str, stage_id: str | None = None) -> UserInteraction:
    return UserInteraction(
        id="U1",
        timestamp="t",
        interaction_type=kind,
        stage_id=stage_id,
        agent="a",
        reason="r",
        question="the dip of the paper is at 512 nm",
        user_response=response,
        answered_by="terminal",
    )


def test_words_to_the_planner_do_not_reach_the_blind_designer():
    said = (
        interaction("plan_limit", "guide: the paper finds a deep dip"),
        interaction("deadlock", "replan: deep dip"),
        interaction("general_feedback", "replan: make the dip deep", "stage1"),
        interaction("general_feedback", "continue: deep dip found", "stage1"),
        interaction("design_limit", "guide: use a finer grid", "stage1"),
        interaction("material_checkpoint", "approve", "stage0"),
    )
    told = simulation_designer.context(run_state(user_interactions=said), PAPER)
    assert [entry["user_response"] for entry in told["user_interactions"]] == [
        "guide: use a finer grid",
        "approve",
    ]
    assert "dip" not in show(told["user_interactions"])


def test_the_planner_is_told_who_asked_for_a_new_plan_and_sees_its_whole_last_answer():
    said = (
        interaction("material_checkpoint", "approve", "stage0"),
        interaction("clarification", "the rods are hollow"),
    )
    progress = (
        StageProgress(stage_id="stage0", status="completed_success"),
        StageProgress(stage_id="stage1"),
    )
    state = run_state(
        plan_round=1,
        replan_reason="a person asked for it after stage1",
        supervisor_feedback="use rods",
        user_interactions=said,
        reviewer_verdict=None,
        progress=progress,
        contradictions=("two periods",),
    )
    told = planner.context(state, PAPER)
    assert (
        told["replan_reason"]
        == "a person asked for it after stage1 | a person gave 1 correction(s), to be kept"
    )
    last = told["previous_plan"]
    assert (
        last["plan"] == PLAN
        and last["contradictions"] == ("two periods",)
        and last["finished_stages"] == ["stage0"]
    )
    assert (
        last["extracted_parameters"] == state.extracted_parameters
        and last["assumptions"] == state.assumptions
    )


def test_the_summary_for_the_adaptor_is_abstract_and_methods():
    told = prompt_adaptor.context(run_state(), PAPER)["paper_text_summary"]
    assert "0.8734" in told and "45 nm thick" in told and "412.5" in told
    assert "studied for a long time" not in told and "depth of 0.27" not in told
    assert (
        prompt_adaptor.summary("no headings here. " * 2000) == ("no headings here. " * 2000)[:15_000].strip()
    )


def test_the_summary_takes_the_section_that_a_method_is_in_and_no_results():
    """The conventions of a paper stood in "2.1 Structure", and the adaptor saw "2.3 Method" alone."""
    words = "Words that say something about it. " * 3
    heads = (
        "## Abstract",
        "## 2. Model",
        "### 2.1 Layers",
        "### 2.2 Method",
        "## 3. Results",
        "### 3.1 Simulations",
    )
    told = prompt_adaptor.summary("\n\n".join(f"{head}\n\n{words}" for head in ("# A paper", *heads)))
    assert [line for line in told.splitlines() if line.startswith("#")] == [*heads[:4], heads[5]]


def test_only_target_figures_and_used_data_are_shown_to_the_analyst():
    told = results_analyzer.context(run_state(), PAPER, evidence=ALL)
    assert [figure["figure_id"] for figure in told["target_figures"]] == ["fig1"]
    assert [data["file"] for data in told["digitized_data"]] == [CURVE.reference.file]


def test_program_output_loses_the_folders_of_this_machine():
    text = 'File "/tmp/run-1/stage/simulation.py", line 3; 2 nm/s; https://x.org/a'
    assert execution_validator.tail(text) == 'File "simulation.py", line 3; 2 nm/s; https://x.org/a'


def test_the_run_that_failed_is_the_one_shown():
    state = run_state()
    good = state.stage_outputs.executions[0]
    bad = good.model_copy(update={"exit_code": 1, "stderr_tail": "NameError", "resolution_scale": 0.5})
    state = run_state(stage_outputs=state.stage_outputs.model_copy(update={"executions": (good, bad)}))
    told = execution_validator.context(state, PAPER, evidence=EXECUTED)
    assert (told["exit_code"], told["stderr"]) == (1, "NameError")


def test_rendering_leaves_out_what_says_nothing_and_keeps_zero():
    shown = json.loads(show({"a": None, "b": "", "c": (), "d": 0, "e": False, "f": {"g": None}, "h": 1.5}))
    assert shown == {"d": 0, "e": False, "h": 1.5}
    nested = {
        "m": {"k": [1.0, 2.5], "long": ["x" * 60, "y" * 60], "t": 'a "quoted" \u03bb', "r": [{"a": 1}, [2]]}
    }
    assert json.loads(show(nested)) == nested and "[1.0, 2.5]" in show(nested)
    with pytest.raises(StateError, match="cannot be shown"):
        show(object())


def test_a_data_file_without_rows_is_refused():
    with pytest.raises(InputError, match="no table"):
        planner.describe_table(
            "fig1", PaperData(file="x.csv", origin="digitised", source="s"), "wavelength\n"
        )


def test_a_stage_that_is_not_in_the_plan_is_refused():
    with pytest.raises(StateError, match="not in the plan"):
        simulation_designer.context(run_state(current_stage_id="stage9"), PAPER)
