"""Blind reproduction: what the paper found is kept from the agents that design and write simulations.

The designer and the code generator never see a reference value, so a simulation that echoes the paper cannot
be written: there is nothing to echo. References are replaced by their kind, results among the extracted
parameters are left out, and numbers equal to one of them are masked in texts written by agents that did see
the paper. A number that is also an input of the simulation (an input parameter with words of its own, a person's
assumption, a material's number) stays; agents/leak_rules.py refuses plans that pass a result off as one.
"""

from __future__ import annotations

import re
from typing import Any

from agents.quoting import normal
from agents.rendering import plain
from schemas.adaptation import AdaptationRecord
from schemas.features import as_feature
from schemas.parameters import Assumption, ExtractedParameter
from schemas.plan import Stage
from schemas.state import ReproState

WITHHELD = "[withheld]"
# Those who create simulations, and those whose advice reaches them.
BLIND: frozenset[str] = frozenset(
    {"simulation_designer", "design_reviewer", "code_generator", "code_reviewer", "physics_sanity"}
)
_NUMBER = re.compile(r"(?<![\w.])[-+\u2212]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?!\.?\d)")


def blind_stage(stage: Stage, secrets: frozenset[float] = frozenset()) -> dict[str, Any]:
    """A stage for the designer: each target's reference reduced to its kind and the feature that code will take from
    the saved curve (without window and level), `secrets` masked in texts."""
    shown = plain(stage)
    for target, blind in zip(stage.targets, shown["targets"], strict=True):
        feature = target.reference.feature
        blind.pop("looks", None)
        blind["reference"] = {"kind": target.reference.kind} | (
            {"feature": as_feature(feature).words(), "curves": as_feature(feature).curves} if feature else {})
    hidden: dict[str, Any] = withhold(shown, secrets)
    return hidden


def blind_parameters(parameters: tuple[ExtractedParameter, ...]) -> tuple[ExtractedParameter, ...]:
    """The parameters that describe what to simulate, without those the paper reports as results.

    Their quotations keep only numbers that are inputs: a table's row states what was found beside what was used.
    """
    inputs = tuple(parameter for parameter in parameters if parameter.role == "input")
    known = {number * factor for p in inputs for number in numbers_in(p.value) for factor in (1.0, 1e3, 1e-3, 1e2, 1e-2)}

    def mask(match: re.Match[str]) -> str:
        number = float(match[0].replace("\u2212", "-"))
        return match[0] if any(_same(number, value) for value in known) else WITHHELD

    return tuple(p.model_copy(update={"quotation": _NUMBER.sub(mask, p.quotation)}) for p in inputs)


def blind_assumptions(assumptions: tuple[Assumption, ...]) -> tuple[Assumption, ...]:
    """The assumptions without a person's words to agents that know the paper's results."""
    return tuple(assumption for assumption in assumptions if not assumption.for_planner_only)


def secret_values(state: ReproState) -> frozenset[float]:
    """Numbers the blind agents must not read: quoted references and reported results that are no inputs.

    Numbers with fewer than two significant digits, and whole numbers below 100, are too common to be masked.
    Those with three digits or more are masked in other units too: 0.5234 um is 523.4 nm.
    """
    stages = state.plan.stages if state.plan else ()
    found = {
        value
        for stage in stages
        for target in stage.targets
        for value in (target.reference.value, target.reference.upper)
        if value is not None
    }
    found |= {c.evidence.reference for c in state.figure_comparisons if c.evidence.reference is not None}
    if state.stage_evidence is not None:
        found |= {t.reference for t in state.stage_evidence.targets if t.reference is not None}
    found |= {
        number for p in state.extracted_parameters if p.role == "result" for number in numbers_in(p.value)
    }
    told = [normal(words) for words in (*(t.reference.quotation for stage in stages for t in stage.targets),
                                        *(p.quotation for p in state.extracted_parameters if p.role == "result")) if words]
    inputs = (p for p in state.extracted_parameters if p.role == "input")
    known = {number for p in inputs for number in numbers_in(p.value)
             if not any(normal(p.quotation) in words or words in normal(p.quotation) for words in told)}
    # an agent's assumption unmasks nothing: the planner has seen the results
    known |= {number for assumption in blind_assumptions(state.assumptions) if assumption.source == "user"
              for number in numbers_in(assumption.value)}
    chosen = (*(state.plan.materials if state.plan else ()), *(change.choice for change in state.material_changes))
    known |= {m.index for m in chosen if m.index is not None}
    known |= {number.value for m in chosen for term in m.terms for number in term.numbers}
    readings = {abs(value) * factor for value in found if telling(value) for factor in _factors(value)}
    return frozenset(value for value in readings if not any(_same(value, k) for k in known))


def withhold(value: Any, secrets: frozenset[float]) -> Any:
    """Plain data with secret numbers in its texts replaced by WITHHELD; percentages are fractions too."""
    if not secrets:
        return value
    if isinstance(value, dict):
        return {key: withhold(item, secrets) for key, item in value.items()}
    if isinstance(value, list):
        return [withhold(item, secrets) for item in value]
    if not isinstance(value, str):
        return value

    def mask(match: re.Match[str]) -> str:
        number = float(match[0].replace("\u2212", "-"))
        percent = value[match.end() :].lstrip().startswith("%")
        readings = (number, number / 100) if percent else (number,)
        return (
            WITHHELD
            if any(_same(reading, secret) for reading in readings for secret in secrets)
            else match[0]
        )

    return _NUMBER.sub(mask, value)


def withhold_adaptations(
    records: tuple[AdaptationRecord, ...], state: ReproState
) -> tuple[AdaptationRecord, ...]:
    """All adaptations, those for blind agents with results masked; the adaptor has read the abstract."""
    secrets = secret_values(state)
    return tuple(
        _masked(record, secrets) if record.adaptation.target_agent in BLIND else record for record in records
    )


def _masked(record: AdaptationRecord, secrets: frozenset[float]) -> AdaptationRecord:
    content = withhold(record.adaptation.content, secrets)
    return record.model_copy(update={"adaptation": record.adaptation.model_copy(update={"content": content})})


def numbers_in(text: str) -> list[float]:
    """Every number of a text that is not part of a word."""
    return [float(match[0].replace("\u2212", "-")) for match in _NUMBER.finditer(text)]


def _same(one: float, other: float) -> bool:
    return abs(abs(one) - abs(other)) <= 1e-9 * max(abs(one), abs(other))


def telling(value: float) -> bool:
    """Whether a number says something: two significant digits or more, and no whole number below 100."""
    return _digits(value) >= 2 and not (abs(value) < 100 and float(value).is_integer())


def _factors(value: float) -> tuple[float, ...]:
    return (1.0, 1e3, 1e-3) if _digits(value) >= 3 else (1.0,)


def _digits(value: float) -> int:
    """How many significant digits a number has."""
    return len(f"{abs(value):.12e}".split("e")[0].replace(".", "").rstrip("0"))
