"""A small study: protocol, questionnaire, nodes, artifacts."""

from __future__ import annotations

from schemas.study.artifacts import Artifact, ArtifactFormat, ArtifactType
from schemas.study.design import (
    Condition,
    Ethics,
    Participants,
    Quota,
    Share,
    StudyProtocol,
    Variable,
    Variables,
)
from schemas.study.graph import PhaseNode, PhaseType
from schemas.study.questionnaire import Item, Questionnaire
from schemas.study.scope import Hypothesis, ResearchPlan

ETHICS = Ethics(
    consent="Written consent is asked for.", risks=("none beyond daily life",), data_protection="No names."
)


def nodes(count: int = 2) -> tuple[PhaseNode, ...]:
    """Phases in a row; collect is expanded into `count` participants and an aggregate."""
    found: list[PhaseNode] = []
    for place, kind in enumerate(PhaseType):
        found.append(
            PhaseNode(id=kind, type=kind, title=kind, depends_on=tuple(PhaseType)[max(place - 1, 0) : place])
        )
    parts = []
    for number in range(1, count + 1):
        base = f"collect/persona-{number:03d}"
        for step, before in (("context", ()), ("experience", ("context",)), ("participate", ("experience",))):
            parts.append(
                PhaseNode(
                    id=f"{base}/{step}",
                    type=PhaseType.COLLECT,
                    title=step,
                    parent="collect",
                    depends_on=tuple(f"{base}/{name}" for name in before),
                )
            )
    last = tuple(item.id for item in parts if item.id.endswith("participate"))
    parts.append(
        PhaseNode(
            id="collect/aggregate", type=PhaseType.COLLECT, title="all", parent="collect", depends_on=last
        )
    )
    found[2] = found[2].model_copy(update={"children": tuple(item.id for item in parts)})
    return (*found, *parts)


def node(name: str, count: int = 2) -> PhaseNode:
    return {item.id: item for item in nodes(count)}[name]


def artifact(name: str, kind: ArtifactType, path: str, by: str) -> Artifact:
    return Artifact(
        id=name, type=kind, format=ArtifactFormat(path.rsplit(".", 1)[1]), path=path, produced_by=by
    )


def protocol(size: int = 8, assignment: str = "within", quotas: bool = True) -> StudyProtocol:
    conditions = ("voice", "touch") if assignment != "single" else ("voice",)
    gender = Quota(
        attribute="gender",
        shares=(
            Share(value="woman", share=0.5),
            Share(value="man", share=0.45),
            Share(value="other", share=0.05),
        ),
    )
    age = Quota(
        attribute="age",
        shares=(
            Share(value="18-29", share=0.3),
            Share(value="30-49", share=0.4),
            Share(value="50-80", share=0.3),
        ),
    )
    return StudyProtocol(
        title="Voice or touch",
        assignment=assignment,
        procedure=("Consent", "Use it", "Answer"),
        ethics=ETHICS,  # type: ignore[arg-type]
        conditions=tuple(
            Condition(name=name, description=f"You set a timer by {name}.") for name in conditions
        ),
        participants=Participants(sample_size=size, quotas=(gender, age) if quotas else ()),
    )


def questionnaire() -> Questionnaire:
    likert = {"kind": "likert", "minimum": 1, "maximum": 7}
    return Questionnaire(
        title="After each use",
        items=(
            Item(id="easy_1", text="It was easy to use.", scale="ease", **likert),
            Item(id="easy_2", text="I had to think a lot.", scale="ease", reverse=True, **likert),
            Item(id="easy_3", text="I would use it again.", scale="ease", **likert),
            Item(id="trust", text="I trusted it.", **likert),
            Item(id="check_1", text="Please answer 6 here.", expected=6, **likert),
            Item(id="seconds", text="How many seconds did it take?", kind="number", minimum=0, maximum=600),
            Item(
                id="place",
                text="Where would you use it?",
                kind="choice",
                options=("home", "work"),
                per_condition=False,
            ),
            Item(
                id="devices",
                text="What do you own?",
                kind="multiple",
                options=("phone", "speaker"),
                per_condition=False,
            ),
            Item(
                id="remarks",
                text="Anything else?",
                kind="text",
                required=False,
                longest=200,
                per_condition=False,
            ),
        ),
    )


def variables() -> Variables:
    return Variables(
        variables=(
            Variable(
                name="condition",
                role="independent",
                kind="nominal",
                definition="voice or touch",
                levels=("voice", "touch"),
                within=True,
            ),
            Variable(
                name="ease",
                role="dependent",
                kind="interval",
                definition="mean of the scale",
                items=("easy_1",),
            ),
        )
    )


def plan() -> ResearchPlan:
    return ResearchPlan(
        title="Voice or touch",
        research_questions=("Is voice easier?",),
        background="Little is known.",
        contribution="A comparison.",
        hypotheses=(
            Hypothesis(
                id="h1",
                statement="Voice is easier than touch.",
                relation="difference",
                outcome="ease",
                predictors=("condition",),
            ),
        ),
    )
