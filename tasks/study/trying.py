"""Whether a design can test its hypotheses: each is tried on made-up answers to its questionnaire before anybody is asked."""

from __future__ import annotations

import random
from collections.abc import Sequence

from schemas.study.design import StudyProtocol, Variables
from schemas.study.persona import ItemAnswer, PersonaProfile, PersonaResponse
from schemas.study.questionnaire import Item, Questionnaire
from schemas.study.scope import Hypothesis
from schemas.study.settings import Framework
from tasks.study.participants.personas import sampled
from tasks.study.participants.raw_data import read_rows
from tasks.study.participants.responses import raw_data
from tasks.study.results_file import frame_of, plans_of, without_evidence
from tasks.study.statistics import analysed
from tasks.study.wording.of_simulated import by_group

_FEWEST = (
    24  # participants made up at least: what is asked here is whether a design allows a test, not its power
)


def untestable(
    hypotheses: Sequence[Hypothesis],
    protocol: StudyProtocol,
    questionnaire: Questionnaire,
    variables: Variables,
    *,
    seed: int,
    framework: Framework = "frequentist",
    simulated: bool = False,
) -> dict[str, str]:
    """Hypothesis -> why data of this design cannot test it. The answers are drawn at random and thrown away.

    framework: in a Bayesian one, what has no Bayes factor whatever the answers are cannot be tested: ranks, equivalence, several rows of
    a participant. Whether numbers are normal enough for one is not known before they are there. simulated: participants will be, so that
    nothing is tested of groups of them.
    """
    data = made_up(protocol, questionnaire, seed)
    plans = plans_of(hypotheses, variables, tuple(read_rows(data)[0]))
    tests, cannot = analysed(plans, frame_of(data), seed=seed)
    if framework == "bayesian":
        never = {
            plan.id for plan in plans if plan.kinds[plan.outcome] == "ordinal" or plan.bound or plan.items
        }
        never |= {plan.id for plan in plans if plan.within and plan.kinds[plan.outcome] == "nominal"}
        cannot |= {item.id: why for item in tests if item.id in never and (why := without_evidence(item))}
    return cannot | (by_group(hypotheses, protocol.participants.quotas) if simulated else {})


def made_up(protocol: StudyProtocol, questionnaire: Questionnaire, seed: int) -> bytes:
    """Raw data of random answers by as many participants as the design has, marked as simulated."""
    count = max(_FEWEST, min(400, protocol.participants.sample_size))
    people = sampled(
        protocol.model_copy(
            update={"participants": protocol.participants.model_copy(update={"sample_size": count})}
        ),
        seed,
    )
    draw = random.Random(seed)
    answers = [_answered(profile, questionnaire, draw) for profile in people]
    return raw_data(answers, questionnaire, people, simulated=True)


def _answered(profile: PersonaProfile, questionnaire: Questionnaire, draw: random.Random) -> PersonaResponse:
    return PersonaResponse(
        persona_id=profile.persona_id,
        answers=tuple(
            ItemAnswer(item=item.id, condition=where, value=_value(item, draw))
            for item in questionnaire.items
            for where in (profile.conditions if item.per_condition else ("",))
        ),
    )


def _value(item: Item, draw: random.Random) -> str | float | tuple[str, ...]:
    if item.kind == "likert":
        return float(draw.randint(int(item.minimum or 0), int(item.maximum or 0)))
    if item.kind == "number":
        return draw.uniform(item.minimum or 0.0, item.maximum or 0.0)
    if item.kind == "choice":
        return draw.choice(item.options)
    if item.kind == "multiple":
        return (draw.choice(item.options),)
    return "made up"
