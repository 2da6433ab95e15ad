"""What people wrote, where the paradigm asks for it: two coders apart from each other, a resolution of what they differ on, and themes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from flows.study.context import Run
from flows.study.fitting_answers import fitting
from flows.study.scoping import designed, told_by_user, words_of_design, written_before
from schemas.study.answers import CodebookAnswer, CodingAnswer, ResolutionAnswer, ThemesAnswer
from schemas.study.artifacts import ArtifactType
from schemas.study.codings import Codings, Themes
from schemas.study.graph import PhaseNode, PhaseType
from schemas.study.questionnaire import Questionnaire
from schemas.study.results import Agreement, NamedValue
from schemas.study.scope import ResearchPlan
from tasks.study.participants.real_data import plain_name
from tasks.study.participants.study_table import kept_table
from tasks.study.qualitative.coding import (
    Asked,
    check_codings,
    coding_faults,
    codings_of,
    disputed,
    resolution_faults,
    resolved,
    told_of_codings,
    units_of,
)
from tasks.study.qualitative.names import names_in, words_of
from tasks.study.qualitative.theming import (
    Source,
    said_faults,
    shown_to_writer,
    theme_answer_faults,
    theme_values,
    themes_of,
)
from tasks.study.workspace.places import INPUT, output_path

CODERS, _MOST_UNITS = 2, 400


@dataclass(frozen=True)
class Coded:
    """What came of texts: numbers and quotations by name, the coders' agreement; why no text was coded, where one might be."""

    values: tuple[NamedValue, ...] = ()
    agreement: tuple[Agreement, ...] = ()
    not_coded: str = ""
    codings: Codings | None = None
    themes: Themes = field(default_factory=lambda: Themes(themes=()))


def coded(run: Run, node: PhaseNode, data: bytes) -> Coded:
    """The texts with their codes and themes, written as codings.json and themes.json; nothing in a quantitative study."""
    plan = run.read(PhaseType.SCOPE, "research_plan")
    assert isinstance(plan, ResearchPlan)
    if plan.paradigm == "quantitative":
        return Coded()
    items = _items(run)
    if not items:
        return Coded(not_coded="the data have no column of open answers")
    if not run.simulated and not run.settings.allow_rows:
        return Coded(
            not_coded="what people wrote is sent to a model only where the setting allow_rows says that it may be"
        )
    units, texts, not_shown = units_of(data, items, most=_MOST_UNITS)
    if not texts:
        return Coded(not_coded=f"no text was left to code of {', '.join(items)}")
    study = words_of((told_by_user(run), words_of_design(run), plan.model_dump_json()))
    names = names_in(texts.values(), study)
    book = fitting(
        run,
        node,
        "codebook_writer",
        CodebookAnswer,
        {"question": list(plan.research_questions), "texts": list(texts.values()), "paradigm": plan.paradigm},
        lambda book: _book_faults(book, names, written_before(run)),
    )
    answers = [
        fitting(
            run,
            node,
            "coder_qualitative",
            CodingAnswer,
            {"codebook": book, "units": texts},
            lambda answer: coding_faults(answer, book, texts),
            part=f"coder{number}",
        )
        for number in range(1, CODERS + 1)
    ]
    codings = _settled(run, node, book, codings_of(book.codes, answers, units, texts, not_shown), texts)
    check_codings(codings, data)
    top = node.id.split("/")[0]
    run.write(node, f"{top}/codings", ArtifactType.CODINGS, f"{output_path(node.id)}/codings.json", codings)
    values, agreement = told_of_codings(codings, data)
    themes = _themes(run, node, plan, codings, texts)
    if themes.themes:
        run.write(node, f"{top}/themes", ArtifactType.THEMES, f"{output_path(node.id)}/themes.json", themes)
    for name, why in not_shown.items():
        run.console.say(f"{name} was not coded: {why}"[:300], stage=node.id)
    return Coded((*values, *theme_values(themes)), agreement, "", codings, themes)


def of_texts(run: Run) -> tuple[Codings, Themes] | None:
    """The codings and themes as they count now; None where no text was coded."""
    top, known = run.top(PhaseType.ANALYZE), {item.id for item in run.space.manifest().artifacts}
    if f"{top}/codings" not in known:
        return None
    codings = run.space.read(f"{top}/codings")
    themes = run.space.read(f"{top}/themes") if f"{top}/themes" in known else Themes(themes=())
    assert isinstance(codings, Codings) and isinstance(themes, Themes)
    return codings, themes


def _settled(
    run: Run, node: PhaseNode, book: CodebookAnswer, codings: Codings, texts: Mapping[str, str]
) -> Codings:
    """The codings with a decision on each code on which the coders differ; nobody is asked where they agree."""
    differences = disputed(codings, texts)
    if not differences:
        return codings
    answer = fitting(
        run,
        node,
        "coding_resolver",
        ResolutionAnswer,
        {"codebook": book, "disputed": differences},
        lambda answer: resolution_faults(answer, codings),
    )
    run.console.say(f"{len(differences)} differences between the coders were settled", stage=node.id)
    return resolved(codings, answer.decisions)


def _themes(
    run: Run, node: PhaseNode, plan: ResearchPlan, codings: Codings, texts: Mapping[str, str]
) -> Themes:
    """Themes whose quotations stand in the data; of the last answer what does not is left out and said."""
    source = Source(
        codings,
        texts,
        (told_by_user(run), words_of_design(run), plan.model_dump_json()),
        given=written_before(run),
        simulated=run.simulated,
    )
    told = shown_to_writer(source)
    if not told:
        return Themes(themes=())
    answers = 0

    def faults(answer: ThemesAnswer) -> Sequence[str]:
        nonlocal answers
        answers += 1
        if answers == run.settings.limits.max_invalid_answers:
            return []
        return theme_answer_faults(answer, source)

    answer = fitting(
        run,
        node,
        "theme_writer",
        ThemesAnswer,
        {"question": list(plan.research_questions), "codebook": codings.codes, "units": told},
        faults,
        again=lambda found: {"draft": found},
    )
    themes = themes_of(answer, source)
    for words in themes.left_out:
        run.console.say(f"left out of the themes: {words}"[:300], stage=node.id)
    for theme in themes.themes:
        run.console.say(
            f"theme {theme.title}: {theme.texts} texts, {theme.people} participants"[:300], stage=node.id
        )
    return themes


def _book_faults(book: CodebookAnswer, persons: Collection[str], given: str) -> list[str]:
    """Codes twice, and definitions that may not stand in a paper. persons: what may name somebody in the texts."""
    names = [code.name for code in book.codes]
    return [
        *(f"the code {name} is there twice" for name in dict.fromkeys(names) if names.count(name) > 1),
        *(fault for code in book.codes for fault in said_faults(code.name, code.definition, persons, given)),
    ]


def _items(run: Run) -> dict[str, Asked]:
    """The columns of open answers: the questionnaire's text items; of data that existed those that were kept."""
    questionnaire = designed(run, "questionnaire")
    if questionnaire is None:
        _, profile = kept_table(run.space.root / INPUT, run.report)
        return {plain_name(name): "per row" for name in run.open_answers(profile)}
    assert isinstance(questionnaire, Questionnaire)
    return {
        item.id: "per condition" if item.per_condition else "once"
        for item in questionnaire.items
        if item.kind == "text"
    }
