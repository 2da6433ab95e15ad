"""What of a research plan was not given to it: references, and results that are known already."""

from __future__ import annotations

from schemas.literature.found_works import Bibliography
from schemas.study.scope import ResearchPlan
from schemas.text.addressed import addressed
from schemas.text.numbers import plain_numbers
from tasks.study.literature import citable, named_works
from tasks.study.wording.citing import invented
from tasks.study.wording.of_simulated import CONFIRMED, called_confirmatory
from tasks.study.wording.stated import stated
from tasks.study.wording.striking import Faults, struck
from tasks.study.wording.typed import typed_numbers


def ungiven(
    plan: ResearchPlan,
    told: str,
    *,
    results_known: bool,
    found: Bibliography | None = None,
    simulated: bool = False,
) -> list[str]:
    """References that neither the user's words (`told`) nor what was retrieved (`found`; None: no literature is searched) hold;
    numbers typed into the title, and into statements where results are known; what is called confirmatory of simulated
    participants."""
    why = (
        "no literature is searched, so only what the user wrote may be named"
        if found is None
        else ("only keys of literature and what the user wrote may be named")
    )
    faults = [
        f"related: {entry[:80]} was not given; {why}"
        for entry in plan.related
        if not _may_be_named(entry, told, found)
    ]
    words = "\n".join(
        (plan.title, plan.background, plan.contribution, *(item.because for item in plan.hypotheses))
    )
    faults += [f"{kind}: {what}" for kind, what in _outside(told, found, simulated)(words)]
    if simulated:
        faults += [
            f"{CONFIRMED}: {what}" for item in plan.hypotheses for what in called_confirmatory(item.statement)
        ]
    texts: list[tuple[str, tuple[float | None, ...]]] = [(plan.title, ())]
    if results_known:  # a bound and a value that a mean is held against are the plan's own
        texts += [(item.statement, (item.equivalent_within, item.against)) for item in plan.hypotheses]
    return faults + [
        f"a number of the results was typed: {number[:60]}"
        for text, own in texts
        for number in typed_numbers(text, told + stated(plan))
        if all(found.value not in own for found in plain_numbers(number))
    ]


def settled(
    plan: ResearchPlan, told: str, found: Bibliography | None = None, *, simulated: bool = False
) -> tuple[ResearchPlan, list[str]]:
    """The plan without what it names of others and was not given, and what that was: what is left of a planner's last answer."""
    faults, out = _outside(told, found, simulated), list[str]()

    def left(text: str) -> str:
        kept, wrong = struck(text, faults)
        out.extend(f"{kind}: {what}" for kind, what in wrong)
        return kept

    related = tuple(entry for entry in plan.related if _may_be_named(entry, told, found))
    out.extend(f"related: {entry}" for entry in plan.related if entry not in related)
    hypotheses = tuple(item.model_copy(update={"because": left(item.because)}) for item in plan.hypotheses)
    update = {"background": left(plan.background), "contribution": left(plan.contribution)}
    return plan.model_copy(update={**update, "related": related, "hypotheses": hypotheses}), out


def _may_be_named(entry: str, told: str, found: Bibliography | None) -> bool:
    return bool(entry.strip()) and (entry.strip() in told or entry.strip() in citable(found))


def _outside(told: str, found: Bibliography | None, simulated: bool) -> Faults:
    def faults(text: str) -> list[tuple[str, str]]:
        works = named_works(text, found) if found else ()
        return [
            *(
                ("a reference that was not given", cited)
                for cited in invented(text, (), told, keys=citable(found), works=works)
            ),
            *(("the plan addresses an AI", entry.words) for entry in addressed(text)),
            *((CONFIRMED, said) for said in (called_confirmatory(text) if simulated else ())),
        ]

    return faults
