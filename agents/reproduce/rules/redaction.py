"""Blind reproduction: what the paper found is kept from the agents that design and write simulations.

The designer and the code generator never see a reference value, so a simulation that echoes the paper cannot
be written: there is nothing to echo. References are replaced by their kind, results among the extracted
parameters are left out, and numbers equal to one of them are masked in texts written by agents that did see
the paper: within 1 %, in any unit, in words, as a tight range, in numeric fields too. A number that is also an
input of the simulation (an input parameter with words of its own, a person's parameter, a material's number) stays;
agents/reproduce/rules/leak_rules.py refuses plans that pass a result off as one, prose_rules.py those whose prose states one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from agents.reproduce.rules.quoting import normal
from agents.talking.rendering import plain
from schemas.reproduce.planning.parameters import Assumption, ExtractedParameter
from schemas.reproduce.planning.plan import Stage
from schemas.reproduce.simulations.features import as_feature
from schemas.reproduce.state import ReproState
from schemas.reproduce.words.same_number import digits, same
from schemas.text.numbers import Number, numbers_in, quantities_in
from schemas.text.unit_forms import unit_name

WITHHELD = "[withheld]"
_CELL = r"(?:[-+\d.][-+\d.eE]*|nan|inf)"
_ROWS = re.compile(rf"(?m)(?:^[ \t|]*{_CELL}(?:(?:[ \t]*[,;|][ \t]*|[ \t]+){_CELL})+[ \t|]*(?:\n|\Z))+")
# Those who create simulations, and those whose advice reaches them.
BLIND: frozenset[str] = frozenset(
    {"simulation_designer", "design_reviewer", "code_generator", "code_reviewer", "physics_sanity"}
)
# A number this close to a result gives it away; a range does whose ends are both this close, on either side.
NEAR, BRACKET = 0.01, 0.03
# Numbers with more digits are a program's own output: masking them near a result would tell that the result is near.
_MACHINE = 6
_BARE = re.compile(
    r"(?:[\s,;:()\[\]~<>=±×*/$^{}\\+-]|and|to|by|or|x|a|\.\.\.|…)*"
)  # what may stand between an input's numbers
_UNSAID = ("1/cm", "Hz", "rad/s")  # units of such numbers that may go without saying
# Counts and indices, that say how many or which one, and a half.
COUNTS = 12
_PLAIN = frozenset(
    {"", "1", "a", "%", "deg", "other", "s", "h", "wavelengths"}
)  # units of counts, tolerances and the machine's time
# Numeric fields that are about the machine, and ranges, which prose_rules.py refuses where they state a result.
_OWN = frozenset(
    {
        "estimated_runtime_s",
        "runtime_budget_minutes",
        "resolution_scale",
        "exit_code",
        "wall_s",
        "cpu_s",
        "x_range",
        "y_range",
    }
)


class Secrets(frozenset[float]):
    """Results the blind agents must not read; a plain set of numbers has no units and knows no inputs.

    units: number -> its unit as the plan writes it. known: numbers with units that are inputs, and stay.
    """

    units: dict[float, str]
    known: tuple[tuple[float, str], ...]

    @classmethod
    def of(cls, found: Iterable[tuple[float, str]], known: Iterable[tuple[float, str]]) -> Secrets:
        """The secrets among `found`, those that are inputs left out."""
        inputs = tuple(known)
        kept: dict[float, str] = {}
        for value, unit in found:
            if not any(same(value, unit, *one, 1e-9) for one in inputs):
                kept[value] = (
                    kept.get(value) or unit
                )  # a number whose unit is unknown may be any power of 1000 of it
        made = cls(kept)
        made.units, made.known = kept, inputs
        return made


def blind_stage(stage: Stage, secrets: frozenset[float] = frozenset()) -> dict[str, Any]:
    """A stage for the designer: each target's reference reduced to its kind and the feature that code will take from
    the saved curve (without window and level), `secrets` masked in texts."""
    shown = plain(stage)
    for target, blind in zip(stage.targets, shown["targets"], strict=True):
        feature = target.reference.feature
        blind.pop("looks", None)
        blind["reference"] = {"kind": target.reference.kind} | (
            {"feature": as_feature(feature).words(), "curves": as_feature(feature).curves} if feature else {}
        )
        if target.reference.made_of:
            blind["reference"]["made_of"] = target.reference.made_of
    hidden: dict[str, Any] = withhold(shown, secrets)
    return hidden


def blind_parameters(parameters: tuple[ExtractedParameter, ...]) -> tuple[ExtractedParameter, ...]:
    """The parameters that describe what to simulate, without those the paper reports as results.

    Their quotations keep only numbers that are inputs: a table's row states what was found beside what was used.
    """
    inputs = tuple(parameter for parameter in parameters if parameter.role == "input")
    known = [(value, unit or p.unit) for p in inputs for value, unit in stated_in(p.value)]
    known = [(value, unit_name(unit) if unit else "") for value, unit in known]

    def shown(text: str) -> str:
        found = numbers_in(text)
        places = {(n.start, n.end) for n in found if any(_stated(n, *one) for one in known)}
        return cut(
            text,
            [n for n in found if (n.start, n.end) not in places and not _common(abs(n.value), n.any_unit)],
        )

    return tuple(p.model_copy(update={"quotation": shown(p.quotation)}) for p in inputs)


def blind_assumptions(assumptions: tuple[Assumption, ...]) -> tuple[Assumption, ...]:
    """The assumptions without a person's words to agents that know the paper's results."""
    return tuple(assumption for assumption in assumptions if not assumption.for_planner_only)


def secret_values(state: ReproState) -> frozenset[float]:
    """Numbers the blind agents must not read: quoted references and reported results that are no inputs.

    Numbers with fewer than two significant digits, and whole numbers below 100, are too common to be masked.
    A person's free advice does not make a result an input.
    """
    stages = state.plan.stages if state.plan else ()
    found = [
        (value, target.unit)
        for stage in stages
        for target in stage.targets
        for value in (target.reference.value, target.reference.upper)
        if value is not None
    ]
    found += [
        (c.evidence.reference, c.evidence.unit)
        for c in state.figure_comparisons
        if c.evidence.reference is not None
    ]
    found += [
        (record.stated, record.unit) for record in state.comparison_history if record.stated is not None
    ]
    if state.stage_evidence is not None:
        found += [(t.reference, t.unit) for t in state.stage_evidence.targets if t.reference is not None]
    found += [
        (number, unit or p.unit)
        for p in state.extracted_parameters
        if p.role == "result"
        for number, unit in quantities_in(p.value)
    ]
    told: list[tuple[str, list[tuple[float, str]]]] = [
        (
            normal(t.reference.quotation),
            [(v, t.unit) for v in (t.reference.value, t.reference.upper) if v is not None],
        )
        for stage in stages
        for t in stage.targets
        if t.reference.quotation
    ]
    told += [
        (normal(p.quotation), [(value, unit or p.unit) for value, unit in quantities_in(p.value)])
        for p in state.extracted_parameters
        if p.role == "result" and p.quotation
    ]

    def of_results(words: str, number: float, unit: str) -> bool:
        """Whether words stand in those of a result; a round number in those of one that is near to it."""
        return any(
            (words in said or said in words)
            and (telling(number) or any(same(number, unit, *one, NEAR) for one in own))
            for said, own in told
        )

    known = [
        (number, unit or p.unit)
        for p in state.extracted_parameters
        if p.role == "input"
        for number, unit in stated_in(p.value)
        # a round number beside another result tells it not (leak_rules.py passes it), and a script cannot do without its inputs
        if not of_results(normal(p.quotation), number, unit or p.unit)
    ]
    # an agent's assumption unmasks nothing: the planner has seen the results; nor does a person's free advice
    known += [
        (number, "")
        for assumption in blind_assumptions(state.assumptions)
        if assumption.source == "user" and assumption.parameter != "guidance"
        for number in values_in(assumption.value)
    ]
    chosen = (
        *(state.plan.materials if state.plan else ()),
        *(change.choice for change in state.material_changes),
    )
    known += [(m.index, "1") for m in chosen if m.index is not None]
    known += [(number.value, number.unit) for m in chosen for term in m.terms for number in term.numbers]
    results = [(abs(value), unit_name(unit) if unit else "") for value, unit in found if telling(value)]
    inputs = [(abs(value), unit_name(unit) if unit else "") for value, unit in known]
    secrets = Secrets.of(results, inputs)
    # the blind read every target's range (_OWN) and must keep within a material's band: the same number in words tells no more
    ranges = [(t.x_range, t.x_unit) for stage in stages for t in stage.targets if t.x_range]
    ranges += [(m.band_um, "um") for m in chosen]
    ends = [
        (abs(end), unit_name(unit))
        for both, unit in ranges
        if not states_a_result(both, unit, secrets)
        for end in both
    ]
    return Secrets.of(results, inputs + ends)


def withhold(value: Any, secrets: frozenset[float]) -> Any:
    """Plain data with secret numbers in texts and numeric fields replaced by WITHHELD; see `gives_away`."""
    if not secrets:
        return value
    if isinstance(value, dict):
        return {key: item if key in _OWN else withhold(item, secrets) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [withhold(item, secrets) for item in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return WITHHELD if _hides(float(value), "", secrets) else value
    if not isinstance(value, str):
        return value
    foreign = [
        n
        for n in numbers_in(value)
        if n.words == "foreign" and n.value > COUNTS and not known_input(n.value, n.any_unit, secrets)
    ]  # no agent counts in another language but to hide something
    return cut(value, [*gives_away(value, secrets), *foreign])


def without_rows(text: str) -> str:
    """A text without its rows of numbers: a mark in a table of what was computed would say that the paper has that number."""
    return _ROWS.sub("[rows withheld]\n", text)


def cut(text: str, numbers: Iterable[Number]) -> str:
    """The text with WITHHELD in place of the numbers; readings of the same digits are one place."""
    end = len(text) + 1
    for start, stop in sorted(
        {(n.start, n.end) for n in numbers}, key=lambda span: (span[1], -span[0]), reverse=True
    ):
        if stop <= end:
            text, end = text[:start] + WITHHELD + text[stop:], start
        elif start < end:
            text, end = text[:start] + text[end:], start
    return text


def gives_away(text: str, secrets: frozenset[float]) -> list[Number]:
    """The numbers of a text that state a result or bracket it tightly, in order."""
    found = numbers_in(text)
    inputs = {
        (n.start, n.end)
        for n in found
        if n.standing != "hidden" and known_input(n.value, n.any_unit, secrets)
    }
    told = {
        place
        for place, n in enumerate(found)
        if (n.start, n.end) not in inputs
        and _hides(n.value, n.any_unit, secrets)
        and (n.unit or not _common(abs(n.value), ""))
    }
    for place, number in enumerate(found):
        if number.range_with is not None and brackets(number, found[number.range_with], secrets):
            told |= {place, number.range_with}
    return sorted((found[place] for place in told), key=lambda n: (n.start, n.end))


def brackets(low: Number, high: Number, secrets: frozenset[float]) -> bool:
    """Whether a range is so tight around a result that it states it; ends that are inputs do not count."""
    if known_input(low.value, low.any_unit, secrets) and known_input(high.value, high.any_unit, secrets):
        return False
    middle = (abs(low.value) + abs(high.value)) / 2
    half = abs(abs(high.value) - abs(low.value)) / 2
    return (
        bool(middle)
        and half / middle < BRACKET
        and any(
            same(middle, low.any_unit or high.any_unit, secret, _unit(secret, secrets), half / middle)
            for secret in secrets
        )
    )


def states_a_result(
    ends: tuple[float, ...], unit: str, secrets: frozenset[float], drawn: Sequence[float] = ()
) -> bool:
    """Whether a target's range begins or ends at a result, other than where the data begin or end, or is so tight around one that it
    states it."""
    low, high = (Number(end, unit_name(unit), 0, 0, 0) for end in ends)
    exact = any(
        same(end, low.unit, secret, _unit(secret, secrets), 1e-6)
        for end in ends
        if telling(end) and not any(math.isclose(end, own, rel_tol=1e-9) for own in drawn)
        for secret in secrets
    )
    return exact or brackets(low, high, secrets)


def _hides(value: float, unit: str, secrets: frozenset[float]) -> bool:
    if _common(abs(value), unit) or known_input(value, unit, secrets):
        return False
    near = NEAR if digits(value) <= _MACHINE else 1e-4
    if (
        unit == ""
        and abs(value) >= 1000
        and any(  # "a wavenumber of 13875"
            same(value, other, secret, _unit(secret, secrets), 0.1 * near)
            for other in _UNSAID
            for secret in secrets
            if _unit(secret, secrets)
        )
    ):
        return True
    return any(
        same(value, unit, secret, _unit(secret, secrets), near)
        or (digits(secret) >= 3 and abs(abs(value) - secret) <= 1e-6 * secret)
        for secret in secrets
    )


def _common(value: float, unit: str) -> bool:
    if unit in ("", "1", "a"):
        return value == 0.5 or (value.is_integer() and value <= COUNTS)
    return value == 0 or (unit == "%" and value == 100)


def known_input(value: float, unit: str, secrets: frozenset[float]) -> bool:
    """Whether a number is one of the simulation's inputs, which stay."""
    return isinstance(secrets, Secrets) and any(same(value, unit, *one, 1e-6) for one in secrets.known)


def _unit(secret: float, secrets: frozenset[float]) -> str:
    return secrets.units[secret] if isinstance(secrets, Secrets) else ""


def values_in(text: str) -> list[float]:
    """Every number of a text that is not part of a word, also those in words, without sign."""
    return [abs(value) for value, _ in quantities_in(text)]


def stated_in(value: str) -> list[tuple[float, str]]:
    """(value, unit) of the numbers of an input that is a number, a list or a range; () for prose, which declares nothing."""
    rest, end = "", 0
    numbers = [n for n in numbers_in(value) if n.standing != "hidden"]
    for n in numbers:
        rest, end = rest + value[end : n.start], max(end, n.after)
    rest += value[end:]
    return [(n.value, n.any_unit) for n in numbers] if _BARE.fullmatch(rest) else []


def _stated(number: Number, value: float, unit: str) -> bool:
    return same(number.value, number.any_unit, value, unit, 1e-9)


def telling(value: float) -> bool:
    """Whether a number says something: two significant digits or more, and no whole number below 100."""
    return digits(value) >= 2 and not (abs(value) < 100 and float(value).is_integer())
