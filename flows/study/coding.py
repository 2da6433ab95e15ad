"""What people wrote, coded by two coders apart from each other, where the paradigm asks for it; and how far they agree."""

from __future__ import annotations

from flows.study.context import Run
from flows.study.fitting_answers import fitting
from schemas.study.answers import CodebookAnswer, CodingAnswer
from schemas.study.artifacts import ArtifactType
from schemas.study.codings import Codings
from schemas.study.graph import PhaseNode, PhaseType
from schemas.study.questionnaire import Questionnaire
from schemas.study.results import Agreement, NamedValue
from schemas.study.scope import ResearchPlan
from tasks.study.participants.coding import agreement_of, as_plain, coding_faults, units_of
from tasks.study.statistics.agreement import of_codings
from tasks.study.workspace.places import output_path

CODERS, _MOST_UNITS = 2, 400


def coded(run: Run, node: PhaseNode, data: bytes) -> tuple[tuple[NamedValue, ...], tuple[Agreement, ...]]:
    """Counts of codes on which both coders agree, by name, and their agreement; nothing in a quantitative study."""
    plan = run.read(PhaseType.SCOPE, "research_plan")
    assert isinstance(plan, ResearchPlan)
    units = (
        _units(run, data)
        if plan.paradigm != "quantitative" and (run.simulated or run.settings.allow_rows)
        else {}
    )
    if not units:
        return (), ()
    book = fitting(
        run,
        node,
        "codebook_writer",
        CodebookAnswer,
        {"question": list(plan.research_questions), "texts": list(units.values()), "paradigm": plan.paradigm},
        _book_faults,
    )
    names = tuple(units)
    told = {"codebook": book, "units": units}
    codings = [
        fitting(
            run,
            node,
            "coder_qualitative",
            CodingAnswer,
            told,
            lambda answer: coding_faults(answer, book, names),
            part=f"coder{number}",
        )
        for number in range(1, CODERS + 1)
    ]
    codes, coders = as_plain(codings, book, names)
    top = node.id.split("/")[0]
    run.write(
        node,
        f"{top}/codings",
        ArtifactType.CODINGS,
        f"{output_path(node.id)}/codings.json",
        Codings(codes=book.codes, coders=tuple(coders)),
    )
    both = of_codings(codes, coders)["code_counts"]
    values = tuple(
        NamedValue(
            name=f"code_{code.name}_n",
            value=both[code.name],
            text=str(both[code.name]),
            about=f"texts that both coders gave the code {code.name}: {code.definition}"[:400],
        )
        for code in book.codes
    )
    whole = NamedValue(
        name="coded_texts_n", value=len(names), text=str(len(names)), about="texts that were coded"
    )
    return (whole, *values), agreement_of(codings, book, names)


def _book_faults(book: CodebookAnswer) -> list[str]:
    names = [code.name for code in book.codes]
    return [f"the code {name} is there twice" for name in dict.fromkeys(names) if names.count(name) > 1]


def _units(run: Run, data: bytes) -> dict[str, str]:
    """Texts of the questionnaire's text items; none where no questionnaire is known."""
    top = run.top(PhaseType.DESIGN)
    if all(item.id != f"{top}/questionnaire" for item in run.space.manifest().artifacts):
        return {}
    questionnaire = run.read(PhaseType.DESIGN, "questionnaire")
    assert isinstance(questionnaire, Questionnaire)
    return units_of(data, questionnaire, most=_MOST_UNITS)
