"""The figures checkpoint: curves read off the PDF that a paper came from become its data once a person has approved them."""

from __future__ import annotations

import re

from agents.reproduce import figure_reader
from flows.calls.calling import ask_agent, request_images, unrecorded
from flows.questions.asking import ask
from flows.reproduce.allowed import check_named
from flows.reproduce.context import Run
from flows.reproduce.planning.approved_plan import figure_images
from flows.reproduce.preflight import scoped
from flows.reproduce.steps import mended_figure, read_figures
from flows.run.endings import RunStopped
from schemas.base import digest
from schemas.errors import InputError
from schemas.reproduce.figure_names import FigureNames
from schemas.reproduce.figures_read import ProposedFigure
from schemas.talking.interaction import Choice, Question, UserAnswer
from tasks.reproduce.papers import addressed_in, load_paper
from tasks.reproduce.papers.proposed_figures import FOLDER, curves_in, figure_words, without
from tasks.reproduce.papers.read_figures import has_pdf, put_curves
from tasks.reproduce.papers.reader_names import is_open, put_on_page, taking_names, with_names

APPROVE, DROP, MEND, NAMES, STOP = "approve", "drop", "mend", "names", "stop"
_MENDED = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9_.-]{0,79})\s*=\s*(\S.*?)\s*")


def figures_checkpoint(run: Run) -> None:
    """Read the figures without data of a paper that has its PDF, ask a person about them, and take what is approved.

    Raises RunStopped where the person stops; InputError for an answer given beforehand that does not fit.
    """
    wanted = tuple(f.figure_id for f in run.paper.figures if not f.data)
    if not wanted or not has_pdf(run.given) or run.settings.debug_mode:  # a diagnosis compares nothing
        return
    run.console.say(f"reading {len(wanted)} figures of the PDF")
    key = f"figures-{run.line}-{digest(wanted, 24)}"
    found: tuple[ProposedFigure, ...] = read_figures(
        key=key, label=run.paper.paper_id, run_id=run.handle, wanted=wanted
    )
    for figure in found:
        if not figure.proposal:
            run.console.say(f"{figure.figure_id} stays a picture: {'; '.join(figure.why)[:300]}")
    if not any(figure.picture for figure in found):
        return
    found = tuple(_named(run, figure) for figure in found)
    problem, number = "", 0
    while True:
        number += 1
        answer = ask(run, _question(run, found, number, problem))
        problem = ""
        if answer.choice == STOP:
            run.update("ask_user", stop_reason="stopped by the user at the figures checkpoint")
            raise RunStopped("stopped by the user at the figures checkpoint")
        if answer.choice == NAMES:
            found = tuple(map(taking_names, found))
            continue
        if answer.choice == MEND:
            try:
                found = _mended(run, answer, found)
            except InputError as error:
                if answer.answered_by in ("given beforehand", "answers file"):
                    raise
                problem = f"**That did not fit:**\n\n```\n{error}\n```\n\n"
            continue
        dropped = frozenset(answer.text.replace(",", " ").split()) if answer.choice == DROP else frozenset()
        return _take(run, without(found, dropped), answer)


def _named(run: Run, figure: ProposedFigure) -> ProposedFigure:
    """The figure with what the figure reader says of it, where code left something to name and the reader can be asked."""
    if not is_open(figure) or figure.overlay is None:
        return figure
    position = run.position(figure_reader.AGENT.name)
    if unrecorded(run, position):
        return figure
    of_paper = next(f for f in run.paper.figures if f.figure_id == figure.figure_id)
    pictures = request_images(
        run,
        [(figure.overlay, f"{figure.figure_id}: what code read, drawn over the page")],
        figure_images(run, (of_paper,)),
    )
    told = figure_reader.context(figure, of_paper.caption)
    names = ask_agent(run, figure_reader.AGENT, told, FigureNames, position=position, images=pictures)
    figure = with_names(figure, names)
    put_on_page(figure, run.run_dir)
    return figure


def _question(run: Run, found: tuple[ProposedFigure, ...], number: int, problem: str) -> Question:
    """What was read of each figure. Its name holds a digest of the numbers: an approval is of these and no others."""
    names = tuple(name for figure in found for name in curves_in(figure))
    figures = tuple(figure.figure_id for figure in found if figure.proposal)
    head = (
        "These curves were read off the paper's figures. What you approve becomes data of the paper, with its errors, and "
        "targets are compared with it; all else stays a picture. Look at each overlay: the curves are redrawn from the numbers."
        if names
        else "No curve of the paper's figures could be read. They stay pictures, unless you mend one."
    )
    captions = {figure.figure_id: figure.caption for figure in run.paper.figures}
    return Question(
        question_id=f"figures-checkpoint-{number}-{digest([f.proposal for f in found], 8)}",
        kind="figures_checkpoint",
        title="Were the figures read rightly?",
        body="\n\n".join(
            [problem + head, *(figure_words(figure, captions[figure.figure_id]) for figure in found)]
        ),
        pictures=tuple(figure.overlay for figure in found if figure.overlay),
        reason="numbers read off a drawing are a proposal until a person has seen them",
        asked_by="ReproLab",
        choices=(
            Choice(
                name=APPROVE,
                effect="all curves become data of the paper" if names else "the figures stay pictures",
            ),
            *(
                [
                    Choice(
                        name=DROP,
                        effect=f"the figures or curves that you name ({figures[0]}, {names[0]}) stay pictures, the others become data",
                        words="line",
                        needs_words=True,
                        some_of=(*figures, *names),
                    )
                ]
                if names
                else []
            ),
            Choice(
                name=MEND,
                effect=f"FIGURE=FILE: what you saved on {FOLDER}/FIGURE/mend.html of the run's folder; asks again",
                words="line",
                needs_words=True,
            ),
            *(
                [
                    Choice(
                        name=NAMES,
                        effect="takes names of the figure reader (an AI) where code has none, and theory or experiment; asks again",
                    )
                ]
                if any(figure.named or figure.told for figure in found)
                else []
            ),
            Choice(name=STOP, effect="stop the run and report what there is"),
        ),
    )


def _mended(run: Run, answer: UserAnswer, found: tuple[ProposedFigure, ...]) -> tuple[ProposedFigure, ...]:
    """The figures with those that a person mended. Raises InputError."""
    changed = {}
    for part in answer.text.split(";"):
        match = _MENDED.fullmatch(part)
        figure = next((f for f in found if match and f.figure_id == match[1] and f.picture), None)
        if match is None or figure is None:
            raise InputError(
                "no figure that can be mended",
                found=part.strip()[:200],
                allowed="FIGURE=FILE with " + ", ".join(f.figure_id for f in found if f.picture),
                fix=f"answer mend: {next(f.figure_id for f in found if f.picture)}=saved.json",
            )
        check_named("a mended figure", match[2])
        changed[figure.figure_id] = mended_figure(
            key=f"mended-{run.line}-{digest([figure.proposal, answer.text, figure.figure_id], 24)}",
            label=figure.figure_id,
            run_id=run.handle,
            figure=figure,
            file=match[2],
        )
    return tuple(changed.get(figure.figure_id, figure) for figure in found)


def _take(run: Run, found: tuple[ProposedFigure, ...], answer: UserAnswer) -> None:
    """Approved curves into the run's own copy of the paper, which all later work reads."""
    taken = 0
    for figure in found:
        curves = curves_in(figure)
        if curves:
            seen = f"{'mended' if figure.by_hand else 'approved'} by a person ({answer.who})"
            put_curves(run.paper_dir, figure.figure_id, tuple(curves.values()), seen)
            taken += len(curves)
    run.paper = scoped(load_paper(run.paper_dir)[0], run.settings)
    run.addressed = addressed_in(run.paper, run.paper_dir)
    run.console.say(f"{taken} curves of figures are data of the paper")
