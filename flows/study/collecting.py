"""Collect, mode A: each participant's context, experience and answers, and all of them as raw data.

A participant's nodes read what they depend on and nothing else: the workspace refuses the plan, results and other participants.
"""

from __future__ import annotations

from flows.study.context import Run, parts
from flows.study.fitting_answers import fitting
from schemas.study.answers import ContextAnswer, ExperienceAnswer, PortraitAnswer, ResponseAnswer
from schemas.study.artifacts import ArtifactType
from schemas.study.design import StudyProtocol
from schemas.study.exclusion import Exclusions
from schemas.study.graph import PhaseNode, PhaseType
from schemas.study.persona import PersonaContext, PersonaExperience, PersonaProfile, PersonaResponse
from schemas.study.questionnaire import Questionnaire
from tasks.study.participants.excluding import excluded, without
from tasks.study.participants.personas import sampled
from tasks.study.participants.responses import asked, check, raw_data
from tasks.study.workspace.artifact_checks import persona_text
from tasks.study.workspace.places import output_path, work_path


def context(run: Run, node: PhaseNode) -> None:
    """Who takes part: attributes drawn by code, a portrait, and the situation on that day."""
    protocol, persona = _protocol(run, node), _persona(node)
    profile = next(item for item in sampled(protocol, run.settings.seed) if item.persona_id == persona)
    portrait = fitting(
        run,
        node,
        "persona_writer",
        PortraitAnswer,
        {"attributes": profile.attributes, "domain": run.domain, "language": run.settings.language},
        lambda _: (),
    ).portrait
    told = {
        "attributes": profile.attributes,
        "portrait": portrait,
        "language": run.settings.language,
        "setting": "; ".join(protocol.participants.inclusion)
        or "an ordinary day, at a place of your own choice",
    }
    text = fitting(run, node, "persona_context", ContextAnswer, told, lambda _: ()).text
    folder, name = work_path(node.id), _name(node)
    run.write(
        node,
        f"{name}/profile",
        ArtifactType.PERSONA_PROFILE,
        f"{folder}/profile.json",
        profile.model_copy(update={"portrait": portrait}),
    )
    run.write(
        node,
        f"{name}/context",
        ArtifactType.PERSONA_CONTEXT,
        f"{folder}/context.md",
        persona_text(persona, text),
    )


def experience(run: Run, node: PhaseNode) -> None:
    """What the participant lives through, condition by condition in the order drawn."""
    protocol, profile = _protocol(run, node), _profile(run, node)
    told = {
        "attributes": profile.attributes,
        "portrait": profile.portrait,
        "context": _text(run, node, "context"),
        "conditions": [
            item for name in profile.conditions for item in protocol.conditions if item.name == name
        ],
        "procedure": protocol.procedure,
        "language": run.settings.language,
    }
    text = fitting(run, node, "persona_experience", ExperienceAnswer, told, lambda _: ()).text
    run.write(
        node,
        f"{_name(node)}/experience",
        ArtifactType.PERSONA_EXPERIENCE,
        f"{work_path(node.id)}/experience.md",
        persona_text(_persona(node), text),
    )


def participate(run: Run, node: PhaseNode) -> None:
    """The participant's answers; what does not fit the questionnaire goes back."""
    profile, questionnaire = _profile(run, node), _questionnaire(run, node)

    def response(answer: ResponseAnswer) -> PersonaResponse:
        return PersonaResponse(persona_id=profile.persona_id, answers=answer.answers)

    def faults(answer: ResponseAnswer) -> list[str]:
        return [
            f"{item.item}{f' in {item.condition}' if item.condition else ''}: {item.problem}"
            + (f", found {item.found}" if item.found else "")
            + f"; allowed: {item.allowed}"
            for item in check(response(answer), questionnaire, profile).problems
        ]

    told = {
        "attributes": profile.attributes,
        "portrait": profile.portrait,
        "context": _text(run, node, "context"),
        "experience": _text(run, node, "experience"),
        "questionnaire": asked(questionnaire),
        "conditions": profile.conditions,
    }
    answer = fitting(run, node, "persona_responder", ResponseAnswer, told, faults)
    run.write(
        node,
        f"{_name(node)}/response",
        ArtifactType.PERSONA_RESPONSE,
        f"{work_path(node.id)}/response.json",
        response(answer),
    )


def aggregate(run: Run, node: PhaseNode) -> None:
    """All answers as raw data; who is left out follows from the protocol's rules."""
    top = node.id.split("/")[0]
    people = [
        item for item in run.course.graph.nodes() if item.parent == top and item.id.endswith("/participate")
    ]
    everything = run.course.graph.nodes()
    profiles = [run.space.read(f"{_name(item)}/profile", item, everything) for item in people]
    responses = [run.space.read(f"{_name(item)}/response", node, everything) for item in people]
    questionnaire = _questionnaire(run, node)
    data = raw_data(responses, questionnaire, profiles, simulated=True)  # type: ignore[arg-type]
    out = written_data(
        run,
        node,
        data,
        excluded(data, _protocol(run, node), questionnaire, detailed=True, late=run.rules_are_late()),
    )
    run.console.say(f"{len(people)} simulated participants answered{out}", stage=node.id)


def written_data(run: Run, node: PhaseNode, data: bytes, found: Exclusions) -> str:
    """Raw data without whom the rules leave out, and the record of that; words about it for the console. Where the rules were
    made when the data were known, everybody's data are kept beside, as tests are shown with both."""
    top, out = node.id.split("/")[0], {item.participant: item for item in found.left_out}
    for item in list(out.values())[:20]:
        why = f" ({item.detail})" if item.detail else ""
        run.console.say(f"{item.participant} is left out: {item.rule}{why}", stage=node.id)
    run.write(
        node,
        f"{top}/raw_data",
        ArtifactType.RAW_DATA,
        f"{output_path(node.id)}/raw_data.csv",
        without(data, out),
    )
    if found.decided_late:
        run.write(
            node, f"{top}/everybody", ArtifactType.RAW_DATA, f"{output_path(node.id)}/everybody.csv", data
        )
    run.write(
        node, f"{top}/exclusions", ArtifactType.EXCLUSIONS, f"{output_path(node.id)}/exclusions.json", found
    )
    for words in found.not_evaluated:
        run.console.say(f"a rule of exclusion was not evaluated: {words}", stage=node.id)
    doubts = "".join(
        f"; {kind}: {number}, and no rule of the protocol against it" for kind, number in found.doubts.items()
    )
    return (f"; {len(out)} of {found.asked} left out: {parts(out)}" if out else "") + doubts


def _name(node: PhaseNode) -> str:
    """phase/persona, under which a participant's artifacts are named."""
    return "/".join(node.id.split("/")[:2])


def _persona(node: PhaseNode) -> str:
    return node.id.split("/")[1]


def _protocol(run: Run, node: PhaseNode) -> StudyProtocol:
    found = run.read(PhaseType.DESIGN, "study_protocol", node)
    assert isinstance(found, StudyProtocol)
    return found


def _questionnaire(run: Run, node: PhaseNode) -> Questionnaire:
    found = run.read(PhaseType.DESIGN, "questionnaire", node)
    assert isinstance(found, Questionnaire)
    return found


def _profile(run: Run, node: PhaseNode) -> PersonaProfile:
    found = run.space.read(f"{_name(node)}/profile", node, run.course.graph.nodes())
    assert isinstance(found, PersonaProfile)
    return found


def _text(run: Run, node: PhaseNode, name: str) -> str:
    found = run.space.read(f"{_name(node)}/{name}", node, run.course.graph.nodes())
    assert isinstance(found, (PersonaContext, PersonaExperience))
    return found.text
