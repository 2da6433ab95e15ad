"""The ledger of assumptions: what agents assumed, and what people said, which no agent can replace."""

from __future__ import annotations

import re
from collections.abc import Mapping

from schemas.reproduce.planning.parameters import PLANNER_GUIDANCE, Assumption
from schemas.talking.interaction import MACHINERY, Question, UserAnswer

# Answers whose words go to the agents that design and code the stage the question is about.
_TO_CREATORS = frozenset({"guide", "rerun", "accept", "backtrack"})
# Kinds of question whose answer is a decision about the work also when no words follow it.
_DECISIONS = frozenset({"clarification", "trade_off_decision", "parameter_confirmation"})
# Questions about the machinery, and figures and materials, which their own checkpoints note.
_NO_GUIDANCE = frozenset({"figures_checkpoint", "material_checkpoint", *MACHINERY})
_SIGHTED = frozenset(
    {"planner", "plan_reviewer", "supervisor", "PlannerAgent", "PlanReviewerAgent", "SupervisorAgent"}
)
_STATEMENT = re.compile(r"\s*(?:parameter\s*:?\s+)?([A-Za-z][\w .()/-]{0,60}?)\s*=\s*(\S.*?)\s*", re.DOTALL)
_DECLARED = re.compile(r"\s*(?:assumption|assume)\s*:\s*(\S.*)", re.DOTALL | re.IGNORECASE)


def from_answer(question: Question, answer: UserAnswer, interaction_id: str) -> tuple[Assumption, ...]:
    """What a person's answer adds to the ledger: corrections (`name = value`), declared assumptions, guidance.

    Words to an agent that knows the paper's results stay with such agents, unless the person states them as a
    parameter (`gap = 20 nm`) or declares them (`assumption: the film is infinite`).
    """
    words = answer.text.strip()
    if question.kind in _NO_GUIDANCE or answer.choice in ("stop", "skip_stage", "give_up_stages"):
        return ()
    if not words and question.kind not in _DECISIONS:
        return ()
    stages = (question.stage_id,) if question.stage_id else ()
    if answer.choice == "backtrack":  # the words begin with the stage to go back to
        target, _, words = words.partition(" ")
        stages = (target,)
        if not words.strip():
            return ()
    reason = f"a person's answer to: {question.title}"[:300]

    def note(number: int, parameter: str, value: str, category: str = "other") -> Assumption:
        suffix = f"-{number}" if number > 1 else ""
        return Assumption(
            assumption_id=f"{interaction_id}{suffix}",
            category=category,
            parameter=parameter,
            value=value[:2000],
            source="user",
            reason=reason,
            sensitivity="high",
            stages=stages,
        )

    parts = [part for part in re.split(r"[;\n]", words) if part.strip()]
    stated = [_STATEMENT.fullmatch(part) for part in parts]
    if stated and all(stated):
        return tuple(note(n, found[1].strip(), found[2]) for n, found in enumerate(stated, 1) if found)
    declared = _DECLARED.fullmatch(words)
    if declared:
        return (note(1, "stated by a person", declared[1].strip()),)
    blind = question.asked_by not in _SIGHTED or (
        answer.choice in _TO_CREATORS and question.stage_id is not None
    )
    chosen = next((choice.effect for choice in question.choices if choice.name == answer.choice), "")
    said = "; ".join(
        part for part in (f"{answer.choice} ({chosen})" if question.kind in _DECISIONS else "", words) if part
    )
    return (note(1, "guidance" if blind else PLANNER_GUIDANCE, said, "interpretation"),)


def noted(ledger: tuple[Assumption, ...], added: tuple[Assumption, ...]) -> tuple[Assumption, ...]:
    """The ledger with a person's words added; a parameter stated again replaces what the person said before."""
    guidance = ("guidance", PLANNER_GUIDANCE, "stated by a person")
    again = {(a.parameter, a.stages) for a in added if a.parameter not in guidance}
    return (*(a for a in ledger if a.source != "user" or (a.parameter, a.stages) not in again), *added)


def of_people(ledger: tuple[Assumption, ...]) -> tuple[Assumption, ...]:
    """What people said: survives every new plan."""
    return tuple(a for a in ledger if a.source == "user")


def of_agents(assumptions: tuple[Assumption, ...]) -> tuple[Assumption, ...]:
    """An agent's assumptions as the ledger takes them: only people's own words may bear a person's name."""
    return tuple(a.model_copy(update={"source": "agent"}) if a.source == "user" else a for a in assumptions)


def revised(ledger: tuple[Assumption, ...], added: tuple[Assumption, ...]) -> tuple[Assumption, ...]:
    """The ledger with a designer's assumptions; one of the same id, or named in `replaces`, goes. People's stay."""
    people = {a.assumption_id for a in of_people(ledger)}
    new = tuple(a for a in of_agents(added) if a.assumption_id not in people)
    gone = {name for a in new for name in (a.assumption_id, a.replaces)} - people
    return (*(a for a in ledger if a.assumption_id not in gone), *new)


def branched(
    base: tuple[Assumption, ...], mine: tuple[Assumption, ...], theirs: tuple[Assumption, ...]
) -> tuple[Assumption, ...]:
    """The ledger after a branch: what it revised of the common base is revised; a clash of two new ids is renamed."""
    common = {a.assumption_id for a in base}
    taken = {a.assumption_id for a in mine} - common
    added = tuple(
        a.model_copy(update={"assumption_id": f"{a.assumption_id}-{'-'.join(a.stages) or 'b'}"[:80]})
        if a.assumption_id in taken and a not in mine
        else a
        for a in theirs
        if a not in base and a not in mine
    )
    gone = common - {a.assumption_id for a in theirs}
    kept = tuple(a for a in mine if a.source == "user" or a.assumption_id not in gone)
    people = {a.assumption_id for a in of_people(kept)}
    new = tuple(a for a in added if a.assumption_id not in people)
    ids = {a.assumption_id for a in new}
    return (*(a for a in kept if a.assumption_id not in ids), *new)


def replanned(ledger: tuple[Assumption, ...], planned: tuple[Assumption, ...]) -> tuple[Assumption, ...]:
    """The ledger under a new plan: the planner's assumptions are replaced, people's stay and come first."""
    kept = of_people(ledger)
    ids = {a.assumption_id for a in kept}
    return (*kept, *(a for a in of_agents(planned) if a.assumption_id not in ids))


def renumbered(added: tuple[Assumption, ...], names: Mapping[str, str]) -> tuple[Assumption, ...]:
    """Assumptions of a branch under the numbers that the run gives to the answers they rest on. names: old -> new."""

    def name(a: Assumption) -> str:
        answer, dash, rest = a.assumption_id.partition("-")
        return f"{names.get(answer, answer)}{dash}{rest}" if a.source == "user" else a.assumption_id

    return tuple(a.model_copy(update={"assumption_id": name(a)}) for a in added)
