"""Design: protocol, questionnaire and variables; of existing data what their columns are."""

from __future__ import annotations

from itertools import count

from flows.study.context import Run
from flows.study.fitting_answers import design_word, fitting
from schemas.base import Model
from schemas.errors import InputError
from schemas.study.answers import DataAnswer, DesignAnswer
from schemas.study.artifacts import ArtifactType
from schemas.study.design import StudyProtocol, Variables
from schemas.study.graph import PhaseNode, PhaseType
from schemas.study.questionnaire import Questionnaire
from schemas.study.scope import ResearchPlan
from tasks.study.designing import design_faults, protocol_of
from tasks.study.participants.existing import existing_protocol, variable_faults
from tasks.study.participants.handed import fitting_data
from tasks.study.participants.raw_data import read_rows
from tasks.study.participants.real_data import imported
from tasks.study.participants.study_table import kept_table, told_profile
from tasks.study.phases import round_of
from tasks.study.preregistering import preregistration
from tasks.study.trying import untestable
from tasks.study.wording.of_simulated import by_group
from tasks.study.wording.sides import side_faults, sided
from tasks.study.workspace.places import INPUT, output_path


def design(run: Run, node: PhaseNode) -> None:
    """Protocol, questionnaire where people are asked, variables; approved by a person where the settings ask for that."""
    plan = run.plan()
    made = _of_data(run, node, plan) if run.existing_data else _designed(run, node, plan)
    for name, kind, content in zip(
        ("study_protocol", "questionnaire", "variables"),
        (ArtifactType.STUDY_PROTOCOL, ArtifactType.QUESTIONNAIRE, ArtifactType.VARIABLES),
        made,
        strict=True,
    ):
        if content is not None:
            run.write(node, f"{node.id}/{name}", kind, f"{output_path(node.id)}/{name}.json", content)
    run.write(
        node,
        f"{node.id}/preregistration",
        ArtifactType.PREREGISTRATION,
        f"{output_path(node.id)}/preregistration.md",
        preregistration(plan, *made, existing=run.existing_data, simulated=run.simulated),
    )
    run.console.say(f"{made[0].title}: {made[0].participants.sample_size} participants", stage=node.id)


def _designed(
    run: Run, node: PhaseNode, plan: ResearchPlan
) -> tuple[StudyProtocol, Questionnaire | None, Variables]:
    """A study that is going to be made."""
    most = run.settings.participants if run.simulated else None
    told: dict[str, object] = {
        "plan": plan,
        "domain": run.domain,
        "paradigm": plan.paradigm,
        "participants": f"simulated by a language model, at most {most}"
        if most
        else "people; data are collected elsewhere",
    }
    if node.description:
        told |= {"issues": [node.description], "design": _before(run, node)}
    answers = 0

    def faults(found: DesignAnswer) -> list[str]:
        nonlocal answers
        answers += 1
        wrong = [*design_faults(found, plan), *_handed_faults(run, found)]
        if wrong or answers >= run.settings.limits.max_invalid_answers:
            return wrong
        tried, _, variables = _tried(run, plan, protocol_of(found, plan, most=most))
        never = by_group(plan.hypotheses, found.quotas) if run.simulated else {}  # no design mends these
        return [
            *(
                f"{name} cannot be tested by this design: {why}"
                for name, why in tried.untestable.items()
                if name not in never
            ),
            *(fault for item in plan.hypotheses for fault in side_faults(item, variables)),
        ]

    for version in count(1):
        answers = 0
        answer = fitting(
            run,
            node,
            "protocol_designer",
            DesignAnswer,
            told,
            faults,
            again=lambda found: {"design": found},
        )
        protocol, questionnaire, variables = _tried(run, plan, protocol_of(answer, plan, most=most))
        wish, dropped = design_word(
            run,
            node,
            f"Run this study: {answer.title}?",
            protocol_words(protocol, questionnaire, variables),
            version,
            protocol.untestable,
        )
        if not wish:
            return protocol.model_copy(update={"dropped": dropped}), questionnaire, variables
        told |= {"design": answer, "issues": [wish]}
    raise AssertionError("unreachable")


def _tried(
    run: Run, plan: ResearchPlan, made: tuple[StudyProtocol, Questionnaire, Variables]
) -> tuple[StudyProtocol, Questionnaire, Variables]:
    """The design with what it cannot test, as tried on made-up answers."""
    protocol, questionnaire, variables = made
    hypotheses, _ = sided(plan.hypotheses, variables, known=False)
    cannot = untestable(
        hypotheses,
        protocol,
        questionnaire,
        variables,
        seed=run.settings.seed,
        framework=run.settings.framework,
        simulated=run.simulated,
    )
    return protocol.model_copy(update={"untestable": cannot}), questionnaire, variables


def _handed_faults(run: Run, answer: DesignAnswer) -> list[str]:
    """What of a revised design does not fit the data that were handed in for the first one: they are collected
    once. Of the data their columns are told, no cell."""
    if not run.report.tables:
        return []
    data = imported(*kept_table(run.space.root / INPUT, run.report)).data
    try:
        fitting_data(data, Variables(variables=answer.variables), answer.questionnaire)
    except InputError as error:
        columns = ", ".join(read_rows(data)[0])
        return [
            f"the data are there and are not collected again; {error.what}; their columns are {columns}"[:900]
        ]
    return []


def _of_data(
    run: Run, node: PhaseNode, plan: ResearchPlan
) -> tuple[StudyProtocol, Questionnaire | None, Variables]:
    """What is known of data that exist; their rows are read by code only."""
    frame, profile = kept_table(run.space.root / INPUT, run.report)
    found = imported(frame, profile, keep=run.open_answers(profile))
    told: dict[str, object] = {
        "plan": plan,
        "data_profile": told_profile(run.report),
        "notes": run.report.notes,
    }
    if node.description:
        told |= {"issues": [node.description], "design": _before(run, node)}

    cannot: dict[str, str] = {}
    answers = 0

    def faults(answer: DataAnswer) -> list[str]:
        nonlocal answers
        answers += 1
        wrong, lacking = variable_faults(
            answer, plan, found, framework=run.settings.framework, seed=run.settings.seed
        )
        cannot.clear()
        cannot.update(lacking)
        if wrong or answers >= run.settings.limits.max_invalid_answers:
            return wrong
        return [f"a hypothesis cannot be tested with these data: {why}" for why in lacking.values()]

    for version in count(1):
        answers = 0
        answer = fitting(
            run, node, "data_describer", DataAnswer, told, faults, again=lambda given: {"design": given}
        )
        protocol = existing_protocol(answer, found).model_copy(update={"untestable": {**cannot}})
        variables = Variables(variables=answer.variables)
        wish, dropped = design_word(
            run,
            node,
            f"Analyse these data so: {answer.title}?",
            protocol_words(protocol, None, variables),
            version,
            protocol.untestable,
        )
        if not wish:
            return protocol, None, variables
        told |= {"design": answer, "issues": [wish]}
    raise AssertionError("unreachable")


def _before(run: Run, node: PhaseNode) -> dict[str, Model]:
    """The design that a revision mends: that of the phase before it."""
    tops = [
        item
        for item in run.course.graph.nodes()
        if item.type is PhaseType.DESIGN and item.id != node.id and round_of(item.id) < round_of(node.id)
    ]
    top = max(tops, key=lambda item: round_of(item.id)).id
    known = {item.id for item in run.space.manifest().artifacts}
    return {
        name: run.space.read(f"{top}/{name}")
        for name in ("study_protocol", "questionnaire", "variables")
        if f"{top}/{name}" in known
    }


def protocol_words(protocol: StudyProtocol, questionnaire: Questionnaire | None, variables: Variables) -> str:
    """The design for a person: ethics first."""
    ethics, size = protocol.ethics, protocol.sample_size
    lines = [
        "**Ethics**",
        "",
        f"- consent: {ethics.consent}",
        *(f"- risk: {item}" for item in ethics.risks),
        f"- data protection: {ethics.data_protection}",
        "",
        "**Protocol**",
        "",
        f"- {protocol.participants.sample_size} participants, {protocol.assignment}",
    ]
    if size is not None:
        wanted = f" of {protocol.effect.power:g}" if protocol.effect else ""
        lines.append(
            f"- {size.needed} are needed for the wanted power{wanted}; the power with {size.taken} is "
            f"{size.power_with_taken:.2f} ({size.method})"
        )
    lines += [f"- condition {item.name}: {item.description}" for item in protocol.conditions]
    lines += [f"- step: {item}" for item in protocol.procedure]
    lines += [f"- told after the last answer: {item}" for item in protocol.debriefing or ("nothing",)]
    lines += [f"- left out by code: {rule.words}" for rule in protocol.rules]
    lines += ["- left out by code: nobody"] if not protocol.rules else []
    lines += [
        f"- in words, for readers only; code leaves nobody out for it: {item}" for item in protocol.exclusions
    ]
    if protocol.untestable:
        lines += ["", "**Cannot be tested by this design**", ""]
        lines += [f"- {name}: {why}" for name, why in protocol.untestable.items()]
    if questionnaire is not None:
        lines += [
            "",
            "**Questionnaire**",
            "",
            *(f"- {item.id} ({item.kind}): {item.text}" for item in questionnaire.items),
        ]
    lines += [
        "",
        "**Variables**",
        "",
        *(f"- {item.name}: {item.kind}, {item.role}; {item.definition}" for item in variables.variables),
    ]
    return "\n".join(lines)
