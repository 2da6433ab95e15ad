"""The paper section by section: drafted, checked by code, reviewed, revised at most twice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from schemas.errors import AnswerError
from schemas.explore.paper import (
    HEADINGS,
    PaperSource,
    Section,
    SectionAnswer,
    SectionIssue,
    SectionName,
    SectionReviewAnswer,
)
from schemas.explore.reviewing import Venue
from schemas.explore.science_data import ScienceData
from tasks.explore.asking import Ask, asked
from tasks.explore.paper.beyond import Reader
from tasks.explore.paper.building import PaperInputs
from tasks.explore.paper.plain_words import known_words, unfamiliar
from tasks.explore.paper.printed_numbers import printed
from tasks.explore.paper.section_checks import Material, faults, line_faults, without_faults
from tasks.explore.paper.unbound import unbound_in, without_unbound
from tasks.explore.paper.verdicts import contradictions, marked

MOST_ROUNDS = 2
MOST_CORRECTIONS = 2
ORDER: tuple[SectionName, ...] = (
    "method",
    "results",
    "discussion",
    "related_work",
    "introduction",
    "conclusion",
    "abstract",
)
"""What was done comes first, so that what is said about it has something to stand on."""
NOTHING_LEFT = "What was written here had no measurement beside it, and was taken out."
"""A section of which nothing else is left."""
HEADLINES: frozenset[SectionName] = frozenset({"abstract", "conclusion"})
"""Where, as in the title, no number stands that only a node's own program reported or set."""
STATING: frozenset[SectionName] = HEADLINES | {"results", "discussion"}
"""Where a sentence in other than plain words that names no measured number says so."""
CITING: frozenset[SectionName] = frozenset({"introduction", "related_work", "discussion"})
ASKS: Mapping[SectionName, str] = {
    "abstract": "one paragraph: question, what was done, the main numbers with their uncertainty, what follows. Also the title",
    "introduction": "why the question matters, what is known, what is missing, what this paper adds",
    "related_work": "the retrieved references by theme, and how this work differs; nothing that they do not say",
    "method": "what is measured and how, the program and its variants, the machine; enough to repeat it",
    "results": "what was found, the most important first, each statement with its number; refer to figures and the table",
    "discussion": "what the numbers mean, what else could explain them, what they do not show",
    "conclusion": "one or two paragraphs: what is now known, and the next step",
}
_ABSTRACT_OF_REFERENCE, _MOST_NODES = 400, 20


@dataclass(frozen=True)
class Written:
    """A paper; each sentence that code took out because it would not be corrected, and each that it marked because the data
    say otherwise, or say nothing."""

    source: PaperSource
    removed: tuple[tuple[str, str], ...] = ()
    marked: tuple[tuple[str, str], ...] = ()


async def write_paper(ask: Ask, inputs: PaperInputs, venue: Venue, *, rounds: int = MOST_ROUNDS) -> Written:
    """The whole paper. Raises AnswerError if a section stays empty without what may not stand in it."""
    known = words_of_others(inputs)
    done: dict[SectionName, Section] = {}
    removed: list[tuple[str, str]] = []
    contradicted: list[tuple[str, str]] = []
    title = ""
    for name in [name for name in ORDER if name in venue.sections]:
        context = section_context(name, inputs, venue, done)
        answer, out = await draft_section(ask, name, context, inputs.material())
        removed += [(name, sentence) for sentence in out]
        title = answer.title or title
        section = Section(name=name, text=answer.text)
        for _ in range(min(rounds, MOST_ROUNDS)):
            review = await review_section(ask, section, context, inputs.data)
            if review.verdict == "accept":
                break
            section, out = await revise_section(ask, section, review.issues, context, inputs.material())
            removed += [(name, sentence) for sentence in out]
        bound, out = without_unbound(section.text, inputs.data, name in HEADLINES)
        removed += [(name, sentence) for sentence in out]
        text, notes = marked(bound or NOTHING_LEFT, inputs.data)
        contradicted += [(name, sentence) for sentence in notes]
        if bound and name in STATING:
            text, notes = Reader(inputs.data, known).noted(text)
            contradicted += [(name, sentence) for sentence in notes]
        done[name] = section.model_copy(update={"text": text})
    source = PaperSource(
        title=title or inputs.data.title,
        venue=venue.venue,
        sections=tuple(done[name] for name in venue.sections),
    )
    if unbound_in(source.title, inputs.data, headline=True) or unfamiliar(source.title, known):
        source = source.model_copy(update={"title": inputs.data.title})
    if line_faults(source.title, inputs.material()):
        source = source.model_copy(update={"title": without_digits(source.title)})
    return Written(source, tuple(removed), tuple(contradicted))


async def draft_section(
    ask: Ask, name: SectionName, context: dict[str, Any], material: Material
) -> tuple[SectionAnswer, list[str]]:
    """A section without faults; what it was told twice and kept is taken out by the sentence, and returned."""
    answer = await asked(ask, "section_writer", SectionAnswer, context)
    for _ in range(MOST_CORRECTIONS):
        wrong = _faults(answer, material)
        if not wrong:
            return answer, []
        told = [*wrong, *_against_data(name, answer.text, material.data)]
        answer = await asked(
            ask, "section_writer", SectionAnswer, {**context, "draft": answer.text, "faults": told}
        )
    if not _faults(answer, material):
        return answer, []
    text, removed = without_faults(answer.text, material)
    if not text:
        raise AnswerError(
            f"the section {HEADINGS[name]!r} has no sentence that may stand in a paper",
            found="; ".join(_faults(answer, material)[:4]),
            allowed="numbers as {{name}}, citations of retrieved references",
        )
    title = answer.title if not line_faults(answer.title, material) else ""
    return SectionAnswer(title=title, text=text), removed


async def review_section(
    ask: Ask, section: Section, context: dict[str, Any], data: ScienceData
) -> SectionReviewAnswer:
    """What a reviewer of one section wants. `must` issues decide: a verdict without one is an acceptance.

    What the data contradict, or nothing measured stands beside, is told to the reviewer and no reason of its own to ask again:
    whether they do is measured anew in a replay, whose answers are those that were recorded.
    """
    told = {**_for_reviewer(context), "draft": section.text}
    if wrong := _against_data(section.name, section.text, data):
        told["contradicted"] = wrong
    review = await asked(ask, "section_reviewer", SectionReviewAnswer, told)
    if review.verdict == "revise" and not review.issues:
        return review.model_copy(update={"verdict": "accept"})
    return review


async def revise_section(
    ask: Ask, section: Section, issues: tuple[SectionIssue, ...], context: dict[str, Any], material: Material
) -> tuple[Section, list[str]]:
    """The section after one more round; the issues it was sent stay noted with it."""
    told = {**context, "draft": section.text, "issues": [issue.model_dump(mode="json") for issue in issues]}
    if wrong := _against_data(section.name, section.text, material.data):
        told["faults"] = wrong
    answer, removed = await draft_section(ask, section.name, told, material)
    return section.model_copy(
        update={"text": answer.text, "rounds": section.rounds + 1, "open_issues": issues}
    ), removed


def section_context(
    name: SectionName, inputs: PaperInputs, venue: Venue, done: Mapping[SectionName, Section]
) -> dict[str, Any]:
    """What the writer of a section is shown."""
    data = inputs.data
    context: dict[str, Any] = {
        "section": name,
        "asks": ASKS[name],
        "venue": f"{venue.title}: {venue.kind}. {venue.guidance}".strip(),
        "question": data.question[:3000],
        "numbers": number_lines(inputs),
        "findings": data.experiment_context.model_dump(mode="json") if data.experiment_context else {},
        "configurations": [
            {
                "node": found.node_id,
                "rank": found.rank,
                "kind": found.label,
                "tried": found.direction[:400],
                "against_parent": found.against_parent,
            }
            for found in data.configurations[:20]
        ],
        "figures": {figure.name: figure.caption for figure in inputs.manifest.figures},
        "written": {other: section.text for other, section in done.items()},
    }
    if name in CITING:
        context["references"] = {
            reference.key: f"{reference.short()}. {reference.abstract[:_ABSTRACT_OF_REFERENCE]}"
            for reference in inputs.bibliography.references[:40]
        }
    if name == "abstract" and venue.most_abstract_words:
        context["asks"] += f"; at most {venue.most_abstract_words} words"
    return context


def number_lines(inputs: PaperInputs) -> dict[str, str]:
    """Each number and fact by name, as it would be printed, with what it is; scores of models are no results, and left out."""
    shown = {found.node_id for found in inputs.data.configurations[:_MOST_NODES]} | {""}
    lines = {
        number.name: f"{printed(number).text()} ({number.what})"
        for number in inputs.data.all_numbers()
        if number.kind != "score" and number.node_id in shown
    }
    return lines | {fact.name: f"{fact.text} ({fact.what})" for fact in inputs.data.facts}


def words_of_others(inputs: PaperInputs) -> frozenset[str]:
    """The words of the goal, of the machine and of the retrieved references: what is technical in a paper is in them."""
    data = inputs.data
    return known_words(
        (
            data.title,
            data.question,
            data.summary_stats.primary_metric.replace("_", " "),
            *(fact.text for fact in data.facts),
            *(f"{work.title} {work.abstract}" for work in inputs.bibliography.references),
        )
    )


def without_digits(title: str) -> str:
    """A title's words that hold no number; a goal's own title may have some."""
    words = [word for word in title.split() if not any(letter.isdigit() for letter in word)]
    return " ".join(words).replace("%", "").replace("$", "").replace("*", "").strip() or "A report"


def _faults(answer: SectionAnswer, material: Material) -> list[str]:
    return faults(answer.text, material) + [
        f"in the title: {fault}" for fault in line_faults(answer.title, material)
    ]


def _against_data(name: SectionName, text: str, data: ScienceData) -> list[str]:
    return contradictions(text, data) + unbound_in(text, data, name in HEADLINES)


def _for_reviewer(context: dict[str, Any]) -> dict[str, Any]:
    shown = ("section", "asks", "venue", "numbers", "findings", "figures", "references", "configurations")
    return {key: value for key, value in context.items() if key in shown}
