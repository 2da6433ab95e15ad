"""The package: asked before, compiled in one step, with a README that says what was found and what stays open."""

from __future__ import annotations

from flows.questions.asking import ask
from flows.run.endings import RunStopped
from flows.study.analysing import (
    CORRECTION,
    columns_of,
    earlier_results,
    read_results,
    scales,
    tests,
    what_is_shown,
)
from flows.study.coding import of_texts
from flows.study.context import Run
from flows.study.driving import drive
from flows.study.growing import send_back
from flows.study.reviewing import open_issues, rejections
from flows.study.scoping import designed
from schemas.study.artifacts import ArtifactType
from schemas.study.design import StudyProtocol, Variables
from schemas.study.exclusion import Exclusions
from schemas.study.graph import PhaseType
from schemas.study.literature import Literature
from schemas.study.questionnaire import Questionnaire
from schemas.study.statement import EXPLORATORY, LIMITS, STATEMENT
from schemas.talking.interaction import Choice, Question
from schemas.text.visible import one_visible_line
from tasks.study.codebook import codebook_text, dataset_text, described
from tasks.study.phases import round_of
from tasks.study.qualitative.theming import quoted
from tasks.study.qualitative.written_themes import themes_words
from tasks.study.statistics.__main__ import plan_text
from tasks.study.workspace.package import compile_package


def finished(run: Run) -> None:
    """Drive the graph, ask before the package, revise as often as a person wants, and compile it."""
    while True:
        drive(run)
        wish = _wish(run)
        if not wish:
            break
        send_back(run, {PhaseType.SYNTHESIZE: wish})
    data = run.read_bytes(PhaseType.COLLECT, "raw_data")
    compile_package(
        run.space,
        plan=plan_text(tests(run, data), seed=run.settings.seed, correction=CORRECTION, scales=scales(run)),
        readme=readme(run),
        beside=codebook(run, data),
    )
    run.console.say(f"the package: {run.space.root / 'artifacts'}")


def codebook(run: Run, data: bytes) -> dict[str, str]:
    """What the columns of the data are, for people and for programs."""
    variables = run.read(PhaseType.DESIGN, "variables")
    questionnaire = designed(run, "questionnaire")
    assert isinstance(variables, Variables) and (
        questionnaire is None or isinstance(questionnaire, Questionnaire)
    )
    rows = described(columns_of(data), variables, questionnaire)
    who = STATEMENT if run.simulated else "Real data; of their collection is known what paper.md says."
    return {
        "data/codebook.md": codebook_text(rows),
        "dataset_description.json": dataset_text(run.plan().title, who, rows),
    }


def _wish(run: Run) -> str:
    """A person's word before the package: '' to make it, or what has to be mended in the paper."""
    if "before_package" not in run.settings.checkpoints:
        return ""
    issues = open_issues(run)
    listed = "\n".join(f"- {item.severity} ({item.phase}): {item.problem}" for item in issues)
    answer = ask(
        run,
        Question(
            question_id=f"before-package-{round_of(run.top(PhaseType.REVIEW))}",
            kind="before_package",
            title="Make the package?",
            body=f"The paper is `{run.space.root.name}/{run.space.artifact(run.top(PhaseType.SYNTHESIZE) + '/paper').path}`.\n\n"
            + (
                f"The reviewers still object:\n\n{listed}"
                if issues
                else "The reviewers name no serious objection."
            )
            + (f"\n\n{rejected} of the reviewers reject it." if (rejected := rejections(run)) else "")
            + _quoted_words(run),
            asked_by="ReproLab",
            reason="a checkpoint",
            choices=(
                Choice(name="approve", effect="make the package"),
                Choice(
                    name="revise",
                    effect="let the paper be written again with what you say",
                    words="text",
                    needs_words=True,
                ),
                Choice(name="stop", effect="stop the run here; all is kept"),
            ),
        ),
    )
    if answer.choice == "stop":
        run.update("ask_user", stop_reason="stopped by the user before the package")
        raise RunStopped("stopped by the user before the package")
    return answer.text if answer.choice == "revise" else ""


def _quoted_words(run: Run) -> str:
    """The quotations of real people, for a person who can see a name that code did not."""
    texts = of_texts(run)
    quotations = [words for theme in texts[1].themes for words in theme.quotations] if texts else []
    if run.simulated or not quotations:
        return ""
    return (
        "\n\nThe paper quotes participants so. Names written small or at a sentence's beginning may stand in it still; where one does, "
        "or where somebody can be recognised, say so with `revise` or stop:\n\n"
        + "\n".join(f"- {quoted(words)}" for words in quotations)
    )


def readme(run: Run) -> str:
    """The words on top of the package's README."""
    plan = run.plan()
    who = (
        STATEMENT
        if run.simulated
        else "The data were handed in; of their collection is known only what the paper says."
    )
    kind = "simulated results" if run.simulated else "results"
    lines = [
        f"**{one_visible_line(plan.title, 200)}**",
        "",
        who,
        "",
        *([f"Every test is {EXPLORATORY}. {LIMITS}", ""] if run.simulated else []),
        f"What was found ({kind}; every test is in `data/results_apa.md`):",
        "",
    ]
    lines += [
        f"- {item.id}, {_line(item.hypothesis.statement)} {item.test.apa}. {item.words}"
        for item in what_is_shown(run)
    ]
    lines += [f"- {item.id} was not tested: {_line(item.because)}" for item in read_results(run).not_tested]
    if (texts := of_texts(run)) is not None:
        lines += ["", "Of what participants wrote:", "", *(f"- {words}" for words in themes_words(*texts))]
        if not run.simulated:
            lines += [
                "",
                "`data/raw_data.csv` and `data/codings.json` hold these texts as people wrote them, names included; only quotations are "
                "masked. Read them before you pass the package on.",
            ]
    elif plan.paradigm != "quantitative":
        lines += ["", "No text of participants was coded."]
    if (literature := run.literature()) is not None:
        lines += ["", *literature_words(literature)]
    if again := run.reopened():
        lines += [
            "",
            f"{', '.join(again)} followed a review, when results were known: every test above is exploratory. What "
            "was found before lies in `earlier_rounds/`:",
            "",
        ]
        lines += [
            f"- {top}: {item.id}, {item.apa}" for top, found in earlier_results(run) for item in found.tests
        ]
    if (left_out := run.exclusions()) is not None:
        lines += ["", *exclusion_words(left_out)]
    lines += ["", *deviation_words(run)]
    issues = open_issues(run)
    if rejected := rejections(run):
        lines += ["", f"Not accepted: {rejected} of the reviewers reject the paper."]
    if issues:
        lines += ["", "The reviewers' objections that stay open:", ""]
        lines += [f"- {item.severity} ({item.phase}): {_line(item.problem)}" for item in issues]
    return "\n".join(
        [
            *lines,
            "",
            "Made by ReproLab's `study`: agents plan, write and review; code draws participants, chooses "
            "and computes every test, and fills in the paper's numbers by name. Typed numbers of results are found "
            "by pattern; objections above are the reviewers' own words.",
        ]
    )


def deviation_words(run: Run) -> list[str]:
    """The preregistration by its digest, and what was done otherwise, found by code."""
    found = run.space.manifest().artifacts
    first = next(
        (
            item
            for item in found
            if item.type is ArtifactType.PREREGISTRATION and round_of(item.produced_by) == 1
        ),
        None,
    )
    if first is None:
        return []
    results, planned = read_results(run), run.read(PhaseType.DESIGN, "study_protocol")
    assert isinstance(planned, StudyProtocol)
    count = next((int(item.value or 0) for item in results.values if item.name == "n_participants"), 0)
    wanted = planned.participants.sample_size
    other = [f"{count} participants were analysed; {wanted} were planned"] if count != wanted else []
    other += [f"{name} was dropped at design" for name in planned.dropped]
    other += [
        f"{item.id} was not tested: {_line(item.because)}"
        for item in results.not_tested
        if item.id not in planned.dropped
    ]
    other += [
        f"{item.id}: {_line(words)}"
        for item in results.tests
        for words in item.warnings
        if words.startswith("planned one-sided")
    ]
    other += [f"{name} was decided again when results were known" for name in run.reopened()]
    left_out = run.exclusions()
    other += (
        ["exclusion rules that acted were made when the data were known"]
        if left_out and left_out.decided_late
        else []
    )
    what = (
        "The analysis plan (the data existed before it, so that it is no preregistration)"
        if run.existing_data
        else "The analysis plan was frozen before anybody was simulated (no preregistration)"
        if run.simulated
        else "The preregistration was frozen before any data were collected"
    )
    lines = [f"{what}: SHA-256 {first.sha256}. Done otherwise, as far as code can tell:", ""]
    return lines + [f"- {item}" for item in other or ["nothing was found"]]


def literature_words(literature: Literature) -> list[str]:
    """What was searched, what came of it, and who in it addressed an AI."""
    found = literature.bibliography
    where = ", ".join(literature.backends).replace("_", " ")
    lists = (
        "`references.bib`, `materials/literature.json`" if found.references else "`materials/literature.json`"
    )
    lines = [
        f"Literature was searched before the plan ({where}; {len(found.queries)} queries, {len(found.references)} works; "
        f"{lists}). The paper's citations were checked against it by key; whether a work says what is told of it was not."
    ]
    lines += [f"Not searched in full: {_line(words)}" for words in found.failures]
    addressed = [item.key for item in found.references if item.addressed]
    return lines + (
        [f"Text in these works addresses an AI; it was not followed: {', '.join(addressed)}."]
        if addressed
        else []
    )


def exclusion_words(found: Exclusions) -> list[str]:
    """Who was left out, by which rules; and which words of the protocol nobody acted upon."""
    idle = {words.partition(":")[0] for words in found.not_evaluated}
    rules = "; ".join(rule.words for rule in found.rules if rule.words not in idle) or "none"
    lines = [
        f"Left out of the data: {len(found.left_out)} of {found.asked} participants (`data/exclusions.json`). Rules that "
        f"code evaluated: {rules}."
    ]
    lines += [f"Not evaluated, so that it left nobody out: {_line(words)}." for words in found.not_evaluated]
    if found.decided_late:
        lines.append(
            "These rules were made when the data were known: every test above is exploratory, and is told with "
            "everybody, too (`data/everybody.csv`)."
        )
    lines += [
        f"Doubtful answers that no rule acts upon: {kind} ({number} participants)."
        for kind, number in found.doubts.items()
    ]
    if found.only_words:
        lines += [
            "Said in words by the protocol, which by themselves leave nobody out:",
            "",
            *(f"- {_line(words)}" for words in found.only_words),
        ]
    return lines


def _line(text: str) -> str:
    return one_visible_line(text, 400)
