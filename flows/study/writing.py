"""Synthesize: seven sections side by side, each number by name, and the paper compiled from them."""

from __future__ import annotations

import re

from flows.study.analysing import read_results
from flows.study.answering import fitting
from flows.study.context import Run
from flows.study.scoping import told_by_user
from schemas.core.errors import InputError
from schemas.study.answers import StudySectionAnswer
from schemas.study.artifacts import ArtifactType
from schemas.study.design import StudyProtocol
from schemas.study.exclusion import Exclusions
from schemas.study.graph import PhaseNode, PhaseType
from schemas.study.paper import SECTIONS
from tasks.study.citing import invented
from tasks.study.notice import unstamped
from tasks.study.paper import compiled
from tasks.study.phases import round_of
from tasks.study.placeholders import design_values, filled, values_of
from tasks.study.workspace.layout import output_path

ASKS = {
    "abstract": "background, question, method, main results and what follows, in at most 200 words",
    "introduction": "why the question matters, what is asked, what this study adds",
    "related_work": "what is known, from the references only; without references say that no literature was searched",
    "method": "participants, design, material, procedure, measures, analysis: so that somebody could do it again",
    "results": "every test in the plan's order with its whole APA text, then exploratory ones; figures",
    "discussion": "what the results mean and do not mean, alternative explanations, limits",
    "conclusion": "what was learned, in one paragraph",
}
_FIGURE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")


def section(run: Run, node: PhaseNode) -> None:
    """One section. Names that do not exist, typed numbers, foreign figures and invented references go back."""
    name = node.id.rsplit("/", 1)[1]
    plan, protocol, results = run.plan(), _protocol(run), read_results(run)
    values = all_values(run)
    figures = _figures(run) if name == "results" else []
    allowed = {line.split(":")[0] for line in figures}

    def faults(answer: StudySectionAnswer) -> list[str]:
        found = []
        try:
            filled(answer.text, values)
        except InputError as error:
            found.append(f"{error.what}: {error.found}")
        found += [f"there is no figure {path} for this section; there are: {', '.join(sorted(allowed)) or 'none'}"
                  for path in _FIGURE.findall(answer.text) if path not in allowed]
        found += [f"the figure {path} is not shown" for path in sorted(allowed) if path not in answer.text]
        return found + [f"the reference {cited} is not among those given" for cited in
                        invented(answer.text, plan.related, told_by_user(run))]

    about = {item.name: item.about for item in results.values}
    parent = next(item for item in run.course.graph.nodes() if item.id == node.parent)
    told: dict[str, object] = {
        "section": name, "asks": ASKS[name], "venue": run.settings.venue, "language": run.settings.language, "plan": plan,
        "design": protocol, "results": [f"{item.id} ({item.outcome} by {', '.join(item.predictors)}): {item.apa}"
                                        + "".join(f"; {warning}" for warning in item.warnings) for item in results.tests],
        "values": [f"{{{{{key}}}}} = {text}" + (f" ({about[key]})" if about.get(key) else "") for key, text in values.items()],
        "figures": figures, "references": plan.related, "issues": [parent.description] if parent.description else []}
    if parent.description and (before := _before(run, node, name)):
        told["draft"] = before
    answer = fitting(run, node, "section_writer_study", StudySectionAnswer, told, faults,
                     again=lambda found: {"draft": found.text})
    run.write(node, node.id + f"/{name}", ArtifactType.PAPER_SECTION, f"{output_path(node.id)}/{name}.md", answer.text)


def compile_sections(run: Run, node: PhaseNode) -> None:
    """The paper, every number filled in from the results."""
    top = node.id.split("/")[0]
    texts = {name: run.space.read_bytes(f"{top}/{name}/{name}").decode() for name in SECTIONS}
    paper = compiled(run.plan().title, texts, all_values(run), simulated=run.simulated)
    run.write(node, f"{top}/paper", ArtifactType.PAPER_DRAFT, f"{output_path(node.id)}/paper.md", paper)
    run.console.say(f"{len(paper.split())} words", stage=node.id)


def all_values(run: Run) -> dict[str, str]:
    """Every number that text may show, by name: of the results, of the design, and of who was left out."""
    found = {**values_of(read_results(run)), **design_values(_protocol(run))}
    if (left_out := read_exclusions(run)) is not None:
        found |= {"n_answered": str(left_out.asked), "n_left_out": str(len(left_out.left_out))}
    return found


def read_exclusions(run: Run) -> Exclusions | None:
    """Who was left out of the data as they count now; None in a workspace of before it was recorded."""
    name = f"{run.top(PhaseType.COLLECT)}/exclusions"
    if all(item.id != name for item in run.space.manifest().artifacts):
        return None
    found = run.space.read(name)
    assert isinstance(found, Exclusions)
    return found


def _figures(run: Run) -> list[str]:
    """The figures as the paper shows them, with their captions."""
    return [f"figures/{item.path.rsplit('/', 1)[1]}: {item.caption}" for item in run.space.manifest().artifacts
            if item.type is ArtifactType.FIGURE and item.produced_by == run.top(PhaseType.ANALYZE)]


def _before(run: Run, node: PhaseNode, name: str) -> str:
    """The section that a revision mends, if there is one."""
    top = node.id.split("/")[0]
    tops = sorted((item.id for item in run.course.graph.nodes() if item.type is PhaseType.SYNTHESIZE and "/" not in item.id
                   and round_of(item.id) < round_of(top)), key=round_of)
    known = {item.id for item in run.space.manifest().artifacts}
    found = next((f"{each}/{name}/{name}" for each in reversed(tops) if f"{each}/{name}/{name}" in known), None)
    return unstamped(run.space.read_bytes(found).decode()) if found else ""


def _protocol(run: Run) -> StudyProtocol:
    found = run.read(PhaseType.DESIGN, "study_protocol")
    assert isinstance(found, StudyProtocol)
    return found
