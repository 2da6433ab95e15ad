"""The prompt audit: what each agent is told, in full, as a person would have to answer it.

Requests are built for a paper nobody recorded (tests/flow/coating.py) with the state of a run half way through its
coating stage, and compared with the specification's "State Context by Agent"; the requests recorded with the bundled
papers, which real runs built, are held to the same rules.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from agents.models.example import minimal_example
from agents.models.manual.manual_page import request_page
from agents.reproduce.registry import AGENTS, CONCLUSIONS
from agents.reproduce.roster import ROSTER
from agents.reproduce.rules.redaction import BLIND, WITHHELD, secret_values, withhold
from agents.talking.agent import Agent
from prompts.loader import load_prompt
from schemas.reproduce.planning.plan import PlannerAnswer
from schemas.reproduce.state import ReproState
from schemas.talking.transcript import AgentRequest
from tasks.reproduce.papers import BUNDLED, recorded_ids
from tests.unit.agents.audit_fixture import FILM, PICTURE, QUOTATION, full_state, requests

pytestmark = pytest.mark.unit

# Prompt -> (what the specification's table gives its agent, what ReproLab's design adds: evidence and findings computed
# by code, experiments, what a revision needs). supervisor_report is the supervisor writing the conclusions.
ALLOWED: dict[str, tuple[str, str]] = {
    "figure_reader": ("", "figure_id caption proposal not_read"),
    "prompt_adaptor": ("paper_text_summary paper_domain available_agents available_prompts", ""),
    "planner": (
        "paper_id paper_title paper_domain paper_text paper_figures supplementary_text supplementary_figures "
        "prompt_adaptations user_interactions supervisor_feedback replan_reason",
        "reader_scope data_files database_hint reviewer_feedback previous_plan answers_to_questions "
        "contradiction_candidates",
    ),
    "plan_reviewer": (
        "plan extracted_parameters assumptions paper_text",
        "reader_scope findings contradictions",
    ),
    "simulation_designer": (
        "current_stage_id current_stage assumptions extracted_parameters reviewer_feedback "
        "revision_count paper_domain available_materials user_interactions supervisor_feedback",
        "experiments previous_design previous_code earlier_descriptions earlier_outputs "
        "answers_to_questions declared_parameters available_patterns",
    ),
    "design_reviewer": (
        "design_description current_stage assumptions paper_domain",
        "findings description_code declared_parameters",
    ),
    "code_generator": (
        "design_description performance_estimate reviewer_feedback revision_count stage_id paper_id "
        "output_dir",
        "materials experiments previous_code earlier_outputs",
    ),
    "code_reviewer": (
        "code design_description expected_outputs",
        "findings coder_explanation validator_advice simulation_messages",
    ),
    "execution_validator": (
        "stdout stderr exit_code output_files expected_outputs runtime_seconds",
        "evidence",
    ),
    "physics_sanity": (
        "output_data_files simulation_code paper_domain current_stage",
        "evidence expectations simulation_messages",
    ),
    "results_analyzer": (
        "output_files target_figures digitized_data validation_criteria stage_id discrepancy_thresholds",
        "evidence reviewer_feedback",
    ),
    "comparison_validator": (
        "figure_comparisons analysis_summary discrepancies target_figures output_plots",
        "evidence",
    ),
    "supervisor": (
        "plan_summary progress validation_hierarchy figure_comparisons current_stage_summary runtime_budget "
        "revision_counts backtrack_suggestion systematic_discrepancies user_responses user_interactions "
        "ask_user_trigger last_node_before_ask_user",
        "allowed_verdicts answers_to_questions contradiction_candidates",
    ),
    "supervisor_report": (
        "",
        "paper_title plan_summary progress validation_hierarchy figure_comparisons discrepancies "
        "systematic_discrepancies assumptions contradictions contradiction_candidates instructions_found "
        "user_interactions stop_reason",
    ),
}
# (who must not read it, text that would be there if they did)
NEVER: tuple[tuple[frozenset[str], str], ...] = (
    (BLIND, QUOTATION),
    (BLIND, "data/fig1.csv"),
    (
        BLIND
        | {"prompt_adaptor", "execution_validator", "comparison_validator", "results_analyzer", "supervisor"},
        "It rises to both sides (figure 1)",
    ),
    (
        frozenset({"execution_validator", "comparison_validator", "results_analyzer", "supervisor"}),
        "run.finish()\n",
    ),
    (
        frozenset({"prompt_adaptor", "planner", "plan_reviewer", "simulation_designer", "results_analyzer"}),
        "wrote curve.csv",
    ),
)
LARGEST_PAGE, SMALLEST_PAGE, LONGEST_LINE = 80_000, 6_000, 4_000
_REPR = re.compile(
    r"<[\w.]+ object|<class '|\b(?:PosixPath|FileRef|Position|datetime|Decimal|frozenset)\(|\b[A-Z]\w+\(\w+='"
)
_ABSOLUTE = re.compile(r"(?<![\w.:/])/(?:work|root|home|tmp|usr|var|opt|mnt|private|Users|farm)/[^\s\"'/]*")
LIBRARIES = {"/usr/lib"}
_PLACEHOLDER = re.compile(r"\{[A-Z][A-Z0-9_]*\}")


def allowed(prompt: str) -> set[str]:
    return set(" ".join(ALLOWED[prompt]).split())


def agent_of(prompt: str) -> Agent:
    return CONCLUSIONS if prompt == CONCLUSIONS.prompt else AGENTS[prompt]


def told(request: AgentRequest) -> dict[str, str]:
    return {section.title: section.text for section in request.context}


def promised(prompt: str) -> set[str]:
    """The context keys that a prompt's part "What you receive" names."""
    body = load_prompt(prompt).text.partition("\n## What you receive\n")[2].partition("\n## ")[0]
    assert body.strip(), f"{prompt} does not say what it receives"
    return set(re.findall(r"`([^`\n]+)`", body)) & set(agent_of(prompt).context)


@pytest.fixture(scope="module")
def asked(tmp_path_factory) -> dict[str, tuple[AgentRequest, str]]:
    """prompt -> the request, and the whole page as a person in manual mode reads it."""
    run_dir = tmp_path_factory.mktemp("run")
    made = requests(full_state(), run_dir)
    return {name: (request, request_page(request, run_dir / "requests")) for name, request in made.items()}


def test_every_agent_is_audited():
    assert set(ALLOWED) == {*AGENTS, CONCLUSIONS.prompt} == {*ROSTER, "supervisor_report"}


@pytest.mark.parametrize("prompt", ALLOWED)
def test_an_agent_is_given_what_the_specification_allows_and_no_more(prompt, asked):
    assert set(agent_of(prompt).context) == allowed(prompt)
    assert set(told(asked[prompt][0])) == allowed(prompt)


@pytest.mark.parametrize("prompt", ALLOWED)
def test_a_request_holds_what_its_prompt_promises(prompt, asked):
    request, page = asked[prompt]
    assert promised(prompt) == allowed(prompt)
    for key in promised(prompt):
        assert f'\n# {key}\n\n<data title="{key}">\n' in page and told(request)[key].strip(), key
    if agent_of(prompt).sees_images:
        assert re.search("image|picture", load_prompt(prompt).text, re.IGNORECASE)
        assert f"](<../{PICTURE}>)" in page and request.images[0].caption in page


@pytest.mark.parametrize("prompt", ALLOWED)
def test_a_page_is_readable_and_of_a_sane_size(prompt, asked):
    request, page = asked[prompt]
    assert SMALLEST_PAGE < len(page) < LARGEST_PAGE
    parts = [
        "What to do",
        "Part 1: rules and prompt",
        "Global rules",
        agent_of(prompt).title,
        "Part 2: context",
        "Part 3: the answer",
    ]
    assert [title for title in re.findall(r"^# (.+)$", page, re.MULTILINE) if title in parts] == parts
    assert not _REPR.search(page) and not _ABSOLUTE.search(page), _REPR.search(page) or _ABSOLUTE.search(page)
    assert not _PLACEHOLDER.search(" ".join(section.text for section in request.system))
    assert max(map(len, page.splitlines())) < LONGEST_LINE
    assert f"{request.position.label()}.answer.json" in page and minimal_example(request.answer_schema)


@pytest.mark.parametrize("prompt", ALLOWED)
def test_nobody_reads_what_is_kept_from_them(prompt, asked):
    request, page = asked[prompt]
    for agents, text in NEVER:
        assert prompt not in agents or text not in page, text
    if prompt in BLIND:
        secrets = secret_values(full_state())
        assert 1.26 in secrets and "1.26 %" not in page
        for title, text in told(request).items():
            assert withhold(text, secrets) == text, title
    else:
        assert WITHHELD not in "".join(told(request).values())


def test_what_is_kept_back_is_there_for_those_who_may_read_it(asked):
    assert QUOTATION in asked["planner"][1] and "data/fig1.csv" in asked["planner"][1]
    assert (
        "run.finish()\n" in asked["code_reviewer"][1] and "wrote curve.csv" in asked["execution_validator"][1]
    )
    assert "It rises to both sides (figure 1)" in asked["plan_reviewer"][1]
    for blind in (
        "simulation_designer",
        "code_generator",
    ):  # told that something is missing, not left to guess
        assert f"was {WITHHELD} % instead" in told(asked[blind][0])["reviewer_feedback"]
        assert f"the minimum of {WITHHELD} % lies" in asked[blind][1]  # the adaptor has read the abstract
    assert FILM in told(asked["simulation_designer"][0])["current_stage"]


def test_the_audit_finds_what_it_looks_for():
    assert _PLACEHOLDER.search("at most {MAX_REPLANS}") and _ABSOLUTE.search('File "/tmp/run/x.csv"')
    assert _REPR.search("Design(stage_id='x')") and _REPR.search(
        "<schemas.reproduce.planning.plan.Plan object at 0x1>"
    )
    assert not _ABSOLUTE.search("http://host/home/, and/or, 1/2") and not _REPR.search("mp.Medium(epsilon=2)")


# of free scripts: all agents but the one that reads a PDF's figures
SCRIPTED = [
    *sorted((Path(__file__).resolve().parents[2] / "recordings").glob("*.jsonl")),
    BUNDLED / "ring-resonator/scripts.jsonl",
]


def recorded(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    return [entry for entry in map(json.loads, lines) if entry.get("kind", "call") == "call"]


@pytest.mark.parametrize(
    "path",
    [*SCRIPTED, *(BUNDLED / name / "transcript.jsonl" for name in recorded_ids())],
    ids=lambda path: path.stem + "-scripts" if path in SCRIPTED else path.parent.name + "-described",
)
def test_requests_of_real_runs_hold_to_the_same_rules(path):
    secrets: frozenset[float] = frozenset()
    calls, paper_id = recorded(path), path.parent.name if path.stem == "transcript" else path.stem
    asked = {call["prompt_id"] for call in calls}
    assert asked <= set(ALLOWED) and (path not in SCRIPTED or asked == set(ALLOWED) - {"figure_reader"})
    for call in calls:
        name, place = call["prompt_id"], f"{paper_id}: {call['position']}"
        given = {section["title"]: section["text"] for section in call["request"]["context"]}
        assert given and set(given) <= allowed(name), place
        for title, text in given.items():
            found = set(_ABSOLUTE.findall(text)) - LIBRARIES  # a traceback may name a file of Python itself
            assert not found, (place, title, found)
        if name == "planner":
            answer = PlannerAnswer.model_validate(call["answer"])
            secrets = secret_values(
                ReproState(
                    paper_id=paper_id,
                    run_id="recorded",
                    plan=answer.plan,
                    assumptions=answer.assumptions,
                    extracted_parameters=answer.extracted_parameters,
                )
            )
        if name in ("simulation_designer", "design_reviewer", "code_generator"):
            for title in set(given) - {
                "user_interactions",
                "previous_code",
                "experiments",
                "design_description",
            }:
                assert withhold(given[title], secrets) == given[title], (place, title)
