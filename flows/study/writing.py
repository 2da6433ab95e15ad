"""Synthesize: seven sections side by side, each number by name, and the paper compiled from them."""

from __future__ import annotations

import re
from collections.abc import Collection

from flows.study.analysing import read_results, unfit_of_simulated, what_is_shown
from flows.study.coding import of_texts
from flows.study.context import Run
from flows.study.fitting_answers import fitting
from flows.study.scoping import designed, told_by_user, words_of_design, written_before
from schemas.errors import InputError
from schemas.literature.found_works import Bibliography
from schemas.study.answers import StudySectionAnswer
from schemas.study.artifacts import ArtifactType
from schemas.study.design import StudyProtocol
from schemas.study.graph import PhaseNode, PhaseType
from schemas.study.literature import Literature
from schemas.study.paper import SECTIONS
from tasks.literature.telling import lines
from tasks.study.literature import citable, named_works, reference_list
from tasks.study.paper_of_sections import BEFORE_RESULTS, compiled
from tasks.study.phases import round_of
from tasks.study.qualitative.written_themes import themes_words, typed_quotations, written_themes
from tasks.study.results_file import assumption_words
from tasks.study.test_findings import level_of
from tasks.study.wording.citing import invented
from tasks.study.wording.claims_of_tests import ResultsReader
from tasks.study.wording.escaping import escaped
from tasks.study.wording.notice import unstamped
from tasks.study.wording.placeholders import design_values, values_of, without_notes
from tasks.study.wording.reported import forged, written_tests
from tasks.study.wording.striking import struck
from tasks.study.wording.tables import written_tables
from tasks.study.wording.typed import filled
from tasks.study.workspace.places import output_path

ASKS = {
    "abstract": "background, question, method, main results and what follows, in at most 200 words",
    "introduction": "why the question matters, what is asked, what this study adds",
    "related_work": "what is known, from the references only; without references say that no literature was searched",
    "method": "participants, design, material, procedure, measures, analysis: so that somebody could do it again",
    "results": "what the tests show, which code prints in full before your text; what is behind them; figures",
    "discussion": "what the results mean and do not mean, alternative explanations, limits",
    "conclusion": "what was learned, in one paragraph",
}
_ON_LITERATURE = ("introduction", "related_work", "discussion")
ON_RESULTS = ("abstract", "results", "discussion", "conclusion")
_NAMED = ["*Named by the user's own text; nobody looked them up:*", ""]
_FIGURE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")


def section(run: Run, node: PhaseNode) -> None:
    """One section. Names that do not exist, typed numbers, foreign figures, invented references and what the tests contradict
    go back; of what is kept to the last a sentence that they contradict is marked with what they show, all else is taken out."""
    name = node.id.rsplit("/", 1)[1]
    plan, protocol = run.plan(), _protocol(run)
    values = all_values(run)
    figures = _figures(run) if name == "results" else []
    literature = run.literature()
    found_works = literature.bibliography if literature else None
    given, words, design = written_before(run), told_by_user(run), words_of_design(run)
    own = [
        entry for entry in plan.related if entry.strip() not in citable(found_works)
    ]  # what the user's own text names
    allowed = dict(line.split(": ", 1) for line in figures)
    reading = ResultsReader(what_is_shown(run), values, level_of(protocol), everywhere=name in ON_RESULTS)

    texts = of_texts(run)
    sayings = (given, words, design, *(themes_words(*texts) if texts else ()))
    answers = 0

    def wrong_in(text: str) -> list[tuple[str, str]]:
        found = []
        try:
            filled(text, values, given, before_results=name in BEFORE_RESULTS)
        except InputError as error:
            found.append((error.what, str(error.found)))
        found += [
            (
                "a figure that this section has not",
                f"{path}; there are: {', '.join(sorted(allowed)) or 'none'}",
            )
            for path in _FIGURE.findall(text)
            if path not in allowed
        ]
        found += [("what only code writes, or nobody", why) for why in forged(text)]
        found += unfit_of_simulated(run, text, groups=name in ON_RESULTS)
        if texts:
            found += [("a quotation that was typed", said) for said in typed_quotations(text, sayings)]
        works = named_works(text, found_works) if found_works else ()
        return found + [
            ("a reference that is not among those given", cited)
            for cited in invented(text, own, words, keys=citable(found_works), works=works, about=design)
        ]

    def faults(answer: StudySectionAnswer) -> list[str]:
        nonlocal answers
        answers += 1
        if answers == run.settings.limits.max_invalid_answers:
            return []  # what is kept to the last is taken out or marked below
        return [
            *(f"{kind}: {what}" for kind, what in wrong_in(answer.text)),
            *(f"the figure {path} is not shown" for path in _lacking(answer.text, allowed)),
            *reading.contradictions(answer.text),
        ]

    meanings = {item.name: item.about for item in read_results(run).values}
    parent = next(item for item in run.course.graph.nodes() if item.id == node.parent)
    asked: dict[str, object] = {
        "section": name,
        "asks": _asked(name, literature),
        "venue": run.settings.venue,
        "language": run.settings.language,
        "plan": plan,
        "design": protocol,
        "results": [
            f"{found.id} ({found.test.of}): {found.test.apa}. {found.words}"
            + "".join(f"; {warning}" for warning in found.test.warnings)
            + f" Chosen because: {found.test.because}. Assumptions: "
            + ("; ".join(map(assumption_words, found.test.assumptions)) or "none checked")
            for found in reading.findings
        ]
        + [f"{item.id} was not tested: {item.because}" for item in read_results(run).not_tested]
        + (themes_words(*texts) if texts else []),
        "questionnaire": designed(run, "questionnaire"),
        "variables": designed(run, "variables"),
        "values": [
            f"{{{{{key}}}}} = {text}" + (f" ({meanings[key]})" if meanings.get(key) else "")
            for key, text in values.items()
        ],
        "figures": figures,
        "references": [*_told(name, found_works), *own] if found_works else plan.related,
        "issues": [parent.description] if parent.description else [],
    }
    if parent.description and (before := _before(run, node, name)):
        asked["draft"] = before
    answer = fitting(
        run,
        node,
        "section_writer_study",
        StudySectionAnswer,
        asked,
        faults,
        again=lambda found: {"draft": found.text},
    )
    text, out = struck(answer.text, wrong_in)
    for kind, what in out:
        run.console.say(f"taken out, {kind}: {what}"[:300], stage=node.id)
    text += "".join(f"\n\n![{allowed[path]}]({path})" for path in _lacking(text, allowed))
    text, wrong = reading.marked(text)
    for sentence, why in wrong:
        run.console.say(
            f"marked, as the tests say otherwise ({why}): {' '.join(sentence.split())}"[:300], stage=node.id
        )
    run.write(
        node, node.id + f"/{name}", ArtifactType.PAPER_SECTION, f"{output_path(node.id)}/{name}.md", text
    )


def compile_sections(run: Run, node: PhaseNode) -> None:
    """The paper, every number filled in from the results, the tests written by code."""
    top = node.id.split("/")[0]
    texts: dict[str, str] = {name: run.space.read_bytes(f"{top}/{name}/{name}").decode() for name in SECTIONS}
    literature = run.literature()
    references = (
        reference_list(texts.values(), literature.bibliography, literature.backends) if literature else ()
    )
    known = citable(literature.bibliography if literature else None)
    named = [entry for entry in run.plan().related if entry.strip() not in known]
    if named:
        references = [
            *references,
            *(["", *_NAMED] if references else _NAMED),
            *(f"- {escaped(item)}" for item in named),
        ]
    plan, protocol, found, values = run.plan(), _protocol(run), what_is_shown(run), all_values(run)
    wrong = ResultsReader(found, values, level_of(protocol)).contradictions(plan.title)
    results, coded = read_results(run), of_texts(run)
    by_code = [written_tests(found, results, protocol)] if plan.hypotheses else []
    by_code += [tables] if (tables := written_tables(results)) else []
    by_code += [written_themes(*coded, results.agreement)] if coded else []
    paper = compiled(
        plan.title,
        texts,
        values,
        simulated=run.simulated,
        references=references,
        tests="\n\n".join(by_code),
        against_title=wrong,
        given=written_before(run),
    )
    run.write(node, f"{top}/paper", ArtifactType.PAPER_DRAFT, f"{output_path(node.id)}/paper.md", paper)
    run.console.say(f"{len(paper.split())} words", stage=node.id)


def _asked(name: str, literature: Literature | None) -> str:
    """What a section is for; a search that found nothing is told as such."""
    if name != "related_work" or literature is None:
        return ASKS[name]
    if not literature.bibliography.references:
        return "say that literature was searched and nothing was found; nothing else is known here"
    return "what is known, from the references only"


def _told(name: str, found: Bibliography) -> list[str]:
    """The works as a section's writer is told of them: their content where the section speaks of it, else who they are."""
    if name in _ON_LITERATURE:
        return lines(found.references)
    return [f"{item.key}: {item.short()}" for item in found.references]


def all_values(run: Run) -> dict[str, str]:
    """Every number that text may show, by name: of the results, of the design, and of who was left out."""
    found = {**values_of(read_results(run)), **design_values(_protocol(run))}
    if (left_out := run.exclusions()) is not None:
        found |= {"n_answered": str(left_out.asked), "n_left_out": str(len(left_out.left_out))}
    return found


def _figures(run: Run) -> list[str]:
    """The figures as the paper shows them, with their captions."""
    return [
        f"figures/{item.path.rsplit('/', 1)[1]}: {without_notes(item.caption)}"
        for item in run.space.manifest().artifacts
        if item.type is ArtifactType.FIGURE and item.produced_by == run.top(PhaseType.ANALYZE)
    ]


def _before(run: Run, node: PhaseNode, name: str) -> str:
    """The section that a revision mends, if there is one."""
    top = node.id.split("/")[0]
    tops = sorted(
        (
            item.id
            for item in run.course.graph.nodes()
            if item.type is PhaseType.SYNTHESIZE and "/" not in item.id and round_of(item.id) < round_of(top)
        ),
        key=round_of,
    )
    known = {item.id for item in run.space.manifest().artifacts}
    found = next(
        (f"{each}/{name}/{name}" for each in reversed(tops) if f"{each}/{name}/{name}" in known), None
    )
    return without_notes(unstamped(run.space.read_bytes(found).decode())) if found else ""


def _lacking(text: str, figures: Collection[str]) -> list[str]:
    return [path for path in sorted(figures) if path not in _FIGURE.findall(text)]


def _protocol(run: Run) -> StudyProtocol:
    found = run.read(PhaseType.DESIGN, "study_protocol")
    assert isinstance(found, StudyProtocol)
    return found
