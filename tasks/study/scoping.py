"""What of a research plan was not given to it: references, and results that are known already."""

from __future__ import annotations

from schemas.literature.found_works import Bibliography
from schemas.study.scope import ResearchPlan
from schemas.text.addressed import addressed
from tasks.study.literature import citable, named_works
from tasks.study.wording.citing import invented
from tasks.study.wording.placeholders import typed_numbers


def ungiven(
    plan: ResearchPlan, told: str, *, results_known: bool, found: Bibliography | None = None
) -> list[str]:
    """References that neither the user's words (`told`) nor what was retrieved (`found`; None: no literature is searched) hold;
    numbers typed into the title, and into statements where results are known."""
    keys = citable(found)
    why = (
        "no literature is searched, so only what the user wrote may be named"
        if found is None
        else ("only keys of literature and what the user wrote may be named")
    )
    faults = [
        f"related: {entry[:80]} was not given; {why}"
        for entry in plan.related
        if not entry.strip() or (entry.strip() not in told and entry.strip() not in keys)
    ]
    words = "\n".join(
        (plan.title, plan.background, plan.contribution, *(item.because for item in plan.hypotheses))
    )
    faults += [
        f"the reference {cited} was not given"
        for cited in invented(words, (), told, keys=keys, works=named_works(words, found) if found else ())
    ]
    faults += [f"the plan addresses an AI: {entry.words}" for entry in addressed(words)]
    texts = (plan.title, *(item.statement for item in plan.hypotheses if results_known))
    return faults + [
        f"a number of the results was typed: {number[:60]}"
        for text in texts
        for number in typed_numbers(text)
    ]
