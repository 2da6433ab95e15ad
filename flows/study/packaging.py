"""The package: asked before, compiled in one step, with a README that says what was found and what stays open."""

from __future__ import annotations

from flows.questions.asking import ask
from flows.run.endings import RunStopped
from flows.study.analysing import CORRECTION, earlier_results, read_results, tests, what_is_shown
from flows.study.context import Run
from flows.study.driving import drive
from flows.study.growing import send_back
from flows.study.reviewing import open_issues, rejections
from schemas.study.exclusion import Exclusions
from schemas.study.graph import PhaseType
from schemas.study.literature import Literature
from schemas.study.statement import STATEMENT
from schemas.talking.interaction import Choice, Question
from schemas.text.visible import one_visible_line
from tasks.study.phases import round_of
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
        plan=plan_text(tests(run, data), seed=run.settings.seed, correction=CORRECTION),
        readme=readme(run),
    )
    run.console.say(f"the package: {run.space.root / 'artifacts'}")


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
            + (f"\n\n{rejected} of the reviewers reject it." if (rejected := rejections(run)) else ""),
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
        f"What was found ({kind}; every test is in `data/results_apa.md`):",
        "",
    ]
    lines += [
        f"- {item.id}, {_line(item.hypothesis.statement)} {item.test.apa}. {item.words}"
        for item in what_is_shown(run)
    ]
    lines += [f"- {item.id} was not tested: {_line(item.because)}" for item in read_results(run).not_tested]
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
