"""From the designer's answer to a protocol: what does not fit together is named, and the sample size is computed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from schemas.errors import InputError
from schemas.study.answers import DesignAnswer
from schemas.study.design import Participants, PlannedEffect, SampleSize, StudyProtocol, Variable, Variables
from schemas.study.questionnaire import Questionnaire
from schemas.study.scope import Hypothesis, ResearchPlan
from tasks.study.participants.excluding import rule_faults
from tasks.study.participants.raw_data import CONDITION, ORDER, PARTICIPANT
from tasks.study.statistics.power import Factors, Power, sample_size

_MANY = 10  # items from which a questionnaire checks attention


def deciding(hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """The hypotheses whose p-values are corrected together: the confirmatory ones, or all where none is."""
    return [item for item in hypotheses if item.confirmatory] or [*hypotheses]


def _table_df(answer: DesignAnswer, hypotheses: Sequence[Hypothesis]) -> int:
    """Degrees of freedom of the largest table of counts that one of the hypotheses needs; without one, of the conditions by an
    outcome of two values."""
    values = {item.id: len(item.options) for item in answer.questionnaire.items if item.kind == "choice"} | {
        quota.attribute: len(quota.shares) for quota in answer.quotas
    }
    known = {item.name: item for item in answer.variables}
    found = [
        (_values(known[item.outcome], values) - 1) * (_values(known[item.predictors[0]], values) - 1)
        for item in hypotheses
        if item.predictors
        and {item.outcome, item.predictors[0]} <= {*known}
        and known[item.outcome].kind == known[item.predictors[0]].kind == "nominal"
    ]
    return max(found, default=max(1, len(answer.conditions) - 1))


def _factors(answer: DesignAnswer, hypotheses: Sequence[Hypothesis]) -> list[Factors]:
    """Each effect of two factors that one of the hypotheses claims."""
    known = {item.name: item for item in answer.variables}
    values = {quota.attribute: len(quota.shares) for quota in answer.quotas} | {
        CONDITION: len(answer.conditions)
    }
    found = []
    for item in hypotheses:
        if not item.claim or not {*item.predictors} <= {*known}:
            continue
        several = [(known[name].within, _values(known[name], values)) for name in item.predictors]
        meant = several if item.claim == "interaction" else several[:1]
        found.append(
            Factors(
                df=math.prod(count - 1 for _, count in meant),
                groups=math.prod(count for within, count in several if not within),
                levels=math.prod(count for within, count in several if within),
                within=any(within for within, _ in meant),
            )
        )
    return [*dict.fromkeys(found)]


def _values(variable: Variable, values: Mapping[str, int]) -> int:
    return max(2, len(variable.levels) or values.get(variable.name, 2))


def kinds_allowed(questionnaire: Questionnaire, attributes: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Column of the raw data -> kinds that a variable of it may have."""
    found: dict[str, tuple[str, ...]] = {
        PARTICIPANT: ("nominal",),
        CONDITION: ("nominal",),
        ORDER: ("nominal", "ordinal"),
    }
    found |= {name: ("nominal", "ordinal") for name in attributes}
    by_kind = {
        "likert": ("ordinal", "interval"),
        "number": ("interval", "ratio"),
        "choice": ("nominal", "ordinal"),
        "multiple": ("nominal",),
        "text": ("nominal",),
    }
    found |= {item.id: by_kind[item.kind] for item in questionnaire.items}
    return found | {item.scale: ("interval",) for item in questionnaire.items if item.scale}


def design_faults(answer: DesignAnswer, plan: ResearchPlan) -> list[str]:
    """What does not fit together; the designer is asked again with these."""
    attributes = tuple(quota.attribute for quota in answer.quotas)
    allowed = kinds_allowed(answer.questionnaire, attributes)
    known = {item.name: item for item in answer.variables}
    items = {item.id for item in answer.questionnaire.items}
    faults = [
        f"the attribute {name} has the name of an item or column"
        for name in attributes
        if name in items or name in (PARTICIPANT, CONDITION, ORDER) or attributes.count(name) > 1
    ]
    faults += [
        f"the variable {name} is declared twice"
        for name in known
        if sum(item.name == name for item in answer.variables) > 1
    ]
    for item in answer.variables:
        if item.name not in allowed:
            faults.append(
                f"the variable {item.name} is no column of the data; columns are {', '.join(allowed)}"
            )
        elif item.kind not in allowed[item.name]:
            faults.append(
                f"the variable {item.name} is {item.kind}; its column allows {' or '.join(allowed[item.name])}"
            )
        faults += [
            f"the variable {item.name} names the item {name}, which the questionnaire lacks"
            for name in item.items
            if name not in items
        ]
    faults += rule_faults(
        answer.rules,
        allowed,
        answer.questionnaire,
        numbers=[name for name, kinds in allowed.items() if "interval" in kinds],
    )
    conditions = tuple(item.name for item in answer.conditions)
    once = {item.id for item in answer.questionnaire.items if not item.per_condition} | set(attributes)
    faults += [
        f"{hypothesis.id}: {hypothesis.outcome} is asked once, so it cannot differ between a participant's conditions"
        for hypothesis in plan.hypotheses
        if answer.assignment == "within" and hypothesis.outcome in once and CONDITION in hypothesis.predictors
    ]
    for hypothesis in plan.hypotheses:
        missing = [name for name in hypothesis.variables if name not in known]
        if missing:
            faults.append(f"{hypothesis.id} needs the variable {', '.join(missing)}, which is not declared")
    if CONDITION in known:
        faults += _condition_faults(known[CONDITION], conditions, answer.assignment)
    elif any(CONDITION in hypothesis.predictors for hypothesis in plan.hypotheses):
        faults.append("the variable condition is not declared")
    if len(items) >= _MANY and all(item.expected is None for item in answer.questionnaire.items):
        faults.append(f"a questionnaire of {len(items)} items needs an attention check (expected)")
    if plan.paradigm != "qualitative":
        faults += _effect_faults(answer.effect, answer.assignment, len(conditions), plan.hypotheses)
    return faults


def _condition_faults(variable: Variable, conditions: tuple[str, ...], assignment: str) -> list[str]:
    faults = []
    if set(variable.levels) != set(conditions):
        faults.append(
            f"the levels of condition are {', '.join(variable.levels) or 'missing'}; "
            f"the protocol's are {', '.join(conditions)}"
        )
    if variable.within != (assignment == "within"):
        faults.append(
            f"condition varies within participants: {variable.within}; the assignment is {assignment}"
        )
    return faults


def _effect_faults(
    effect: PlannedEffect | None, assignment: str, conditions: int, hypotheses: Sequence[Hypothesis]
) -> list[str]:
    if effect is None:
        return ["the smallest effect of interest is missing; without it no sample size can be computed"]
    fitting = {
        "within": ("dz", "f", "r", "w") if conditions == 2 else ("f", "dz", "r", "w"),
        "between": ("d", "r", "w") if conditions == 2 else ("f", "r", "w"),
        "single": ("r", "w", "f", "d"),
    }[assignment]
    if any(item.claim for item in hypotheses) and assignment != "within":
        fitting = tuple(dict.fromkeys((*fitting, "f")))  # of a main effect or an interaction of two factors
    if any(item.against is not None for item in hypotheses):
        fitting = tuple(dict.fromkeys((*fitting, "dz")))  # of a mean against a value: over its own deviation
    return (
        []
        if effect.measure in fitting
        else [
            f"the effect {effect.measure} does not fit {conditions} conditions {assignment} participants; "
            f"it may be {', '.join(fitting)}"
        ]
    )


def protocol_of(
    answer: DesignAnswer, plan: ResearchPlan, *, most: int | None
) -> tuple[StudyProtocol, Questionnaire, Variables]:
    """Protocol, questionnaire and variables of a sound answer; code computes the sample size.

    most: participants at most (simulated ones: the setting); None for real ones. Raises InputError with all faults.
    """
    if faults := design_faults(answer, plan):
        raise InputError(
            "the design does not fit together", found="; ".join(faults), fix="let the designer mend it"
        )
    size = planned_size(answer, most, plan.hypotheses) if answer.effect is not None else None
    count = size.taken if size is not None else (most or 12)
    protocol = StudyProtocol(
        title=answer.title,
        assignment=answer.assignment,
        conditions=answer.conditions,
        procedure=answer.procedure,
        debriefing=answer.debriefing,
        participants=Participants(
            sample_size=count, quotas=answer.quotas, inclusion=answer.inclusion, exclusion=answer.exclusion
        ),
        effect=answer.effect,
        sample_size=size,
        ethics=answer.ethics,
        rules=answer.rules,
        exclusions=answer.exclusions,
    )
    return protocol, answer.questionnaire, Variables(variables=answer.variables)


def planned_size(answer: DesignAnswer, most: int | None, hypotheses: Sequence[Hypothesis] = ()) -> SampleSize:
    """Participants for the wanted power, in whole balanced groups or orders, and what the number that takes part can show.

    Of several hypotheses that are corrected together each must hold at Holm's strictest step (alpha over their number), so that
    the power does not rest on the others. Of equivalence the bound is the effect (or what the hypothesis says in standard
    deviations, where that is smaller), with no difference at all. A table of counts has the degrees of freedom of the
    largest of them; an effect of two factors its own, with d or dz counted as f = d / 2 (two levels, correlated by one half).
    """
    assert answer.effect is not None
    family = deciding(hypotheses)
    df = _table_df(answer, family)
    effect, groups = answer.effect, max(2, len(answer.conditions))
    balanced = len(answer.conditions)
    within = answer.assignment == "within"
    held = [len(item.covariates) for item in family]
    bounds = [
        min(effect.size, item.equivalent_within)
        if item.bound_in == "sd" or item.relation == "association"
        else effect.size
        for item in family
        if item.equivalent_within is not None and effect.measure in ("d", "dz", "r")
    ]

    def size(of: bool | Factors, taken: int | None = None) -> Power:
        factors = of if isinstance(of, Factors) else None
        equivalent = of is True
        return sample_size(
            "f" if factors else effect.measure,
            effect.size / (2 if factors and effect.measure != "f" else 1) if not equivalent else min(bounds),
            power=effect.power,
            alpha=effect.alpha / max(1, len(family)),
            groups=groups,
            df=df,
            conditions=balanced,
            within=within,
            covariates=max(held, default=0)
            if all(held)
            else 0,  # a hypothesis without covariates gains nothing from them
            explained=effect.explained if all(held) else 0.0,
            equivalence=equivalent,
            factors=factors,
            taken=taken,
        )

    # of all that the hypotheses ask for, a difference, equivalence, effects of two factors, what needs most
    several = _factors(answer, family) if effect.measure in ("d", "dz", "f") else []
    alone = len(family) - len(bounds) - (sum(bool(item.claim) for item in family) if several else 0)
    kinds: list[bool | Factors] = [*([True] if bounds else []), *several]
    kinds = [*([False] if alone > 0 or not kinds else []), *kinds]
    most_of = max(kinds, key=lambda kind: size(kind).needed)
    kind = "confirmatory" if any(item.confirmatory for item in family) else "exploratory"
    full = size(most_of)
    taken = full.needed if most is None else min(full.needed, max(balanced, 2, most // balanced * balanced))
    found = size(most_of, taken)
    as_f = isinstance(most_of, Factors) and effect.measure != "f"
    return SampleSize(
        needed=found.needed,
        taken=taken,
        power_with_taken=found.power_with_taken,
        detectable=found.detectable * 2 if as_f and found.detectable else found.detectable,
        measure=effect.measure,
        method=found.method
        + (f"; alpha over {len(family)} {kind} hypotheses (Holm)" if len(family) > 1 else ""),
        enough=taken >= found.needed,
    )
