"""The preregistration: what was decided before any data were collected, under AsPredicted's questions and OSF's headings."""

from __future__ import annotations

from schemas.study.design import StudyProtocol, Variables
from schemas.study.questionnaire import Questionnaire
from schemas.study.scope import Hypothesis, ResearchPlan, tested_words
from schemas.study.statement import EXPLORATORY
from schemas.text.visible import one_visible_line
from tasks.study.results_file import labelled

_RULE = (
    "Which test is used follows from the kinds of variables and from checked assumptions, by rules that were fixed before the study "
    "(ReproLab's docs/guide/study.md, Statistics); confirmatory hypotheses, or all where none is, are corrected by Holm's "
    "method for their number"
)


def preregistration(
    plan: ResearchPlan,
    protocol: StudyProtocol,
    questionnaire: Questionnaire | None,
    variables: Variables,
    *,
    existing: bool,
    simulated: bool,
) -> str:
    """The document as Markdown. existing: the data existed before the plan, so that nothing is registered before them. Of simulated
    participants it is no preregistration either: every hypothesis in it is exploratory, whatever `plan` says."""
    size = protocol.sample_size
    if simulated:
        plan = labelled(plan, (EXPLORATORY,))
    counted = f"{protocol.participants.sample_size} participants"
    if size is not None:
        counted += f"; {size.needed} are needed ({_line(size.method)}); power with {size.taken}: {size.power_with_taken:.2f}"
    if protocol.effect is not None:
        effect = protocol.effect
        counted += f". Smallest effect that matters: {effect.measure} = {effect.size:g} ({_line(effect.because)}); alpha {effect.alpha:g}"
    title, collected = (
        (
            "Analysis plan of data that existed before it",
            "Yes: the data existed before this plan. It is no preregistration",
        )
        if existing
        else (
            "Analysis plan of a study with simulated participants",
            f"No, nobody has been simulated yet. It is no preregistration; every test is {EXPLORATORY}",
        )
        if simulated
        else ("Preregistration", "No, no data have been collected for this study yet")
    )
    by_role = {
        role: [item for item in variables.variables if item.role == role]
        for role in ("dependent", "independent", "control")
    }
    parts: list[tuple[str, str, list[str]]] = [
        ("1. Data collection", "Have any data been collected for this study already?", [collected]),
        (
            "2. Hypotheses",
            "OSF: Research questions, hypotheses",
            [*map(_line, plan.research_questions), *map(hypothesis_words, plan.hypotheses)],
        ),
        (
            "3. Dependent variables",
            "OSF: Measured variables",
            [
                f"{item.name} ({item.kind}): {_line(item.definition)}"
                + (f"; items {', '.join(item.items)}" if item.items else "")
                for item in by_role["dependent"]
            ],
        ),
        (
            "4. Conditions",
            "OSF: Study design, manipulated variables",
            [
                f"assignment: {protocol.assignment}",
                *(f"{item.name}: {_line(item.description)}" for item in protocol.conditions),
                *(f"{item.name} ({item.kind})" for item in (*by_role["independent"], *by_role["control"])),
            ],
        ),
        (
            "5. Analyses",
            "OSF: Statistical models, inference criteria",
            [
                _RULE,
                *(
                    f"{item.id}: not testable by this design ({_line(protocol.untestable[item.id])})"
                    for item in plan.hypotheses
                    if item.id in protocol.untestable
                ),
                *(f"{name}: dropped before the data" for name in protocol.dropped),
            ],
        ),
        (
            "6. Outliers and exclusions",
            "OSF: Data exclusion, missing data",
            [
                *(rule.words for rule in protocol.rules),
                *(["no rule: nobody is left out"] if not protocol.rules else []),
                *(f"in words only, acted upon by nobody: {_line(words)}" for words in protocol.exclusions),
                "who lacks a value that a test needs is left out of that test; their number is told",
            ],
        ),
        ("7. Sample size", "OSF: Sample size, its rationale, stopping rule", [counted]),
        (
            "8. Anything else",
            "OSF: Other",
            [
                *map(_line, protocol.procedure),
                *(f"after the last answer: {_line(words)}" for words in protocol.debriefing),
                *(["participants are simulated by a language model"] if simulated else []),
                *([f"{len(questionnaire.items)} items: questionnaire.json"] if questionnaire else []),
            ],
        ),
    ]
    lines = [f"# {title}: {_line(plan.title)}", ""]
    for name, question, answers in parts:
        lines += [
            f"## {name}",
            "",
            f"*{question}*",
            "",
            *(f"- {answer}" for answer in answers or ["none"]),
            "",
        ]
    return "\n".join(lines)


def hypothesis_words(item: Hypothesis) -> str:
    """A hypothesis, and what of it is tested."""
    tested = tested_words(item.outcome, item.predictors, item.covariates, item.against, item.focus or "")
    side = f"one-sided, {item.expected_higher} higher" if item.expected_higher else "two-sided"
    if item.equivalent_within is not None:
        side = f"equivalence within {item.equivalent_within:g}" + (
            " standard deviations" if item.bound_in == "sd" else ""
        )
    kind = "confirmatory" if item.confirmatory else "exploratory"
    claim = f", {item.claim.replace('_', ' ')}" if item.claim else ""
    return f"{item.id} ({kind}): {_line(item.statement)} Tested: {tested}{claim}; {side}"


def _line(text: str) -> str:
    return one_visible_line(text, 1500)
