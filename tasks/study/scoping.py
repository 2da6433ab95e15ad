"""What of a research plan was not given to it: references, and results that are known already."""

from __future__ import annotations

from schemas.study.scope import ResearchPlan
from tasks.study.citing import invented
from tasks.study.placeholders import typed_numbers


def ungiven(plan: ResearchPlan, told: str, *, results_known: bool) -> list[str]:
    """References that the user's words (`told`) do not hold, as no literature is searched; numbers typed into the title, and
    into statements where results are known."""
    faults = [f"related: {entry[:80]} was not given; no literature is searched, so only what the user wrote may be named"
              for entry in plan.related if not entry.strip() or entry.strip() not in told]
    words = "\n".join((plan.title, plan.background, plan.contribution, *(item.because for item in plan.hypotheses)))
    faults += [f"the reference {cited} was not given" for cited in invented(words, (), told)]
    texts = (plan.title, *(item.statement for item in plan.hypotheses if results_known))
    return faults + [f"a number of the results was typed: {number[:60]}" for text in texts for number in typed_numbers(text)]
