"""Scope: what was handed in, and the research plan with hypotheses that data can contradict."""

from __future__ import annotations

from itertools import count

from agents.study.registry import AGENTS
from flows.calls.calling import ask_agent
from flows.study.context import Run
from flows.study.fitting_answers import fitting, guidance
from schemas.base import Model
from schemas.study.answers import ScopeAnswer
from schemas.study.artifacts import ArtifactType
from schemas.study.design import StudyProtocol, Variables
from schemas.study.graph import PhaseNode, PhaseType
from schemas.study.inputs import InputAnswer
from schemas.study.pipeline import InputType
from schemas.study.questionnaire import Questionnaire
from schemas.study.scope import Hypothesis, ResearchPlan, tested_words
from schemas.talking.transcript import Position
from tasks.literature.telling import lines
from tasks.study.participants.study_table import told_profile
from tasks.study.phases import round_of
from tasks.study.results_file import labelled
from tasks.study.scoping import settled, ungiven
from tasks.study.wording.stated import made_of, stated
from tasks.study.workspace.places import output_path


def classify(run: Run) -> None:
    """Topic or research question, where a text was handed in; data need no agent for that."""
    if not run.report.text:
        return
    run.classified = ask_agent(
        run,
        AGENTS["input_classifier"],
        {"text": run.report.text, "domain": run.settings.domain},
        InputAnswer,
        position=Position(agent="input_classifier", stage_id="input"),
    )
    kind = run.classified.as_input_type()
    if run.course.input_type is not kind and run.course.input_type is not InputType.DATASET:
        run.course.moved(run.course.graph, kind)
    run.console.say(
        f"{kind.replace('_', ' ')} on {run.domain}: {run.classified.summary}"[:300], stage="input"
    )


def scope(run: Run, node: PhaseNode) -> None:
    """The research plan, approved by a person where the settings ask for that."""
    told: dict[str, object] = {
        "question": run.report.text,
        "domain": run.domain,
        "paradigm": run.settings.paradigm,
        "venue": run.settings.venue,
        "data_profile": told_profile(run.report) if run.existing_data else None,
        "notes": run.report.notes,
    }
    top, literature = node.id.split("/")[0], run.literature()
    if literature is not None:
        told["literature"] = lines(literature.bibliography.references) or ["a search found nothing"]
    if node.description:
        told |= {"issues": [node.description], "plan": _before(run, node)}
    known = literature.bibliography if literature else None
    answers, left = 0, list[ResearchPlan]()

    def faults(found: ScopeAnswer) -> list[str]:
        nonlocal answers
        answers, plan = answers + 1, found.plan
        if answers == run.settings.limits.max_invalid_answers:  # what is kept to the last is taken out
            plan, out = settled(plan, told_by_user(run), known, simulated=run.simulated)
            for words in out:
                run.console.say(f"taken out of the plan, {words}"[:300], stage=node.id)
        left[:] = [plan]
        return _faults(run, plan)

    for version in count(1):
        answers = 0
        fitting(
            run,
            node,
            "scope_planner",
            ScopeAnswer,
            told,
            faults,
            again=lambda found: {"plan": found.plan},
        )
        plan = labelled(left[0], run.exploratory_because())
        wish = guidance(run, node, "after_scope", f"Study this: {plan.title}?", plan_words(plan), version)
        if not wish:
            break
        told |= {"plan": plan, "issues": [wish]}
    run.write(
        node,
        f"{top}/research_plan",
        ArtifactType.RESEARCH_PLAN,
        f"{output_path(node.id)}/research_plan.json",
        plan,
    )
    run.console.say(f"{len(plan.hypotheses)} hypotheses: {plan.title}", stage=node.id)


def _before(run: Run, node: PhaseNode) -> Model:
    """The plan that a revision mends: that of the scope before it."""
    tops = [
        item
        for item in run.course.graph.nodes()
        if item.type is PhaseType.SCOPE
        and "/" not in item.id
        and round_of(item.id) < round_of(node.id.split("/")[0])
    ]
    return run.space.read(f"{max(tops, key=lambda item: round_of(item.id)).id}/research_plan")


def _faults(run: Run, plan: ResearchPlan) -> list[str]:
    """What does not fit the settings and the columns of data that exist."""
    faults = []
    if plan.paradigm != run.settings.paradigm:
        faults.append(f"the paradigm is {run.settings.paradigm}, not {plan.paradigm}")
    faults += ungiven(
        plan,
        told_by_user(run),
        results_known=results_known(run),
        found=literature.bibliography if (literature := run.literature()) else None,
        simulated=run.simulated,
    )
    if run.existing_data:
        columns = {
            column["name"] for table in told_profile(run.report)["tables"] for column in table["columns"]
        }
        faults += [
            f"{item.id}: the data have no column {name}; columns are {', '.join(sorted(columns))}"[:600]
            for item in plan.hypotheses
            for name in item.variables
            if name not in columns
        ]
    return faults


def told_by_user(run: Run) -> str:
    """What the user wrote: the question, or what stands beside the data. With what was retrieved, the only
    source of references."""
    return f"{run.report.text}\n{run.report.notes}"


def written_before(run: Run) -> str:
    """What was written before results were known: the user's words and the design, with what it states in numbers."""
    return f"{told_by_user(run)}\n{stated(run.plan(), *_design(run), tables=run.report.tables)}"


def words_of_design(run: Run) -> str:
    """What the design is made of, without its reasons."""
    return made_of(*_design(run))


def _design(run: Run) -> tuple[StudyProtocol | None, Questionnaire | None, Variables | None]:
    protocol, questionnaire, variables = (
        designed(run, name) for name in ("study_protocol", "questionnaire", "variables")
    )
    assert protocol is None or isinstance(protocol, StudyProtocol)
    assert questionnaire is None or isinstance(questionnaire, Questionnaire)
    assert variables is None or isinstance(variables, Variables)
    return protocol, questionnaire, variables


def designed(run: Run, name: str) -> Model | None:
    """What the design made of that name, where it made it."""
    known = {item.id for item in run.space.manifest().artifacts}
    found = f"{run.top(PhaseType.DESIGN)}/{name}"
    return run.space.read(found) if found in known else None


def results_known(run: Run) -> bool:
    """Whether a test of this study has been computed, so that whoever decides now may have seen it."""
    return any(item.type is ArtifactType.RESULTS for item in run.space.manifest().artifacts)


def _side(item: Hypothesis) -> str:
    if item.equivalent_within is not None:
        units = "standard deviations" if item.bound_in == "sd" else "units of the outcome"
        units = units if item.relation == "difference" else "as a correlation"
        return f"equivalence: less than {item.equivalent_within:g} either way, in {units}".replace(
            "in as", "as"
        )
    return f"one-sided: {item.expected_higher} higher" if item.expected_higher else "two-sided"


def plan_words(plan: ResearchPlan) -> str:
    """The plan for a person."""
    lines = [
        "**Questions**",
        "",
        *(f"- {item}" for item in plan.research_questions),
        "",
        "**Hypotheses**",
        "",
    ]
    lines += [
        f"- {item.id} ({'confirmatory' if item.confirmatory else 'exploratory'}): {item.statement} "
        f"[{tested_words(item.outcome, item.predictors, item.covariates, item.against)}, {_side(item)}"
        + (f", items: {item.items}]" if item.items else "]")
        for item in plan.hypotheses
    ]
    return "\n".join([*lines, "", "**Risks**", "", *(f"- {item}" for item in plan.risks)])
