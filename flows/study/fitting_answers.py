"""An agent's answer that fits: code names what does not, and the agent is asked again, so many times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from agents.study.registry import AGENTS
from flows.calls.calling import ask_agent
from flows.questions.asking import ask
from flows.run.endings import RunStopped
from flows.study.context import Run, place
from schemas.base import Model
from schemas.errors import AnswerError
from schemas.study.graph import PhaseNode
from schemas.study.settings import Checkpoint
from schemas.talking.interaction import Choice, Question
from schemas.talking.pictures import RequestImage

Answer = TypeVar("Answer", bound=Model)


def fitting(
    run: Run,
    node: PhaseNode,
    agent: str,
    answer: type[Answer],
    told: Mapping[str, object],
    faults_of: Callable[[Answer], Sequence[str]],
    *,
    again: Callable[[Answer], Mapping[str, object]] = lambda _: {},
    part: str = "",
    images: tuple[RequestImage, ...] = (),
) -> Answer:
    """The first answer without faults. again: what the agent is told of its last one. part: who of several in one node. images: that it
    sees.

    Raises AnswerError with the faults when none of so many fits.
    """
    most, faults, last = run.settings.limits.max_invalid_answers, [], {}  # type: int, list[str], Mapping[str, object]
    where = place(node) + (f".{part}" if part else "")
    for _ in range(most):
        found = ask_agent(
            run,
            AGENTS[agent],
            {**told, **last, "faults": faults} if faults else told,
            answer,
            position=run.position(agent, where, node.attempt),
            images=images,
        )
        faults = list(faults_of(found))
        if not faults:
            return found
        run.console.say(f"{agent}: {'; '.join(faults)}"[:300], stage=node.id)
        last = again(found)
    raise AnswerError(
        f"{most} answers of {agent} did not fit",
        found="; ".join(faults)[:1500],
        fix="let it try again, or mend what it was told",
    )


def guidance(run: Run, node: PhaseNode, kind: Checkpoint, title: str, body: str, version: int) -> str:
    """A person's word on what a node made: '' to go on with it, or what has to be mended. Raises RunStopped."""
    return _asked(run, node, kind, title, body, version)[0]


def design_word(
    run: Run, node: PhaseNode, title: str, body: str, version: int, untestable: Mapping[str, str]
) -> tuple[str, tuple[str, ...]]:
    """The same of a design, and the hypotheses that are dropped for it. Raises RunStopped."""
    return _asked(run, node, "after_design", title, body, version, tuple(untestable))


def _asked(
    run: Run,
    node: PhaseNode,
    kind: Checkpoint,
    title: str,
    body: str,
    version: int,
    droppable: tuple[str, ...] = (),
) -> tuple[str, tuple[str, ...]]:
    if kind not in run.settings.checkpoints:
        return "", ()
    drop = Choice(name="drop", effect=f"go on without what cannot be tested: {', '.join(droppable)}")
    answer = ask(
        run,
        Question(
            question_id=f"{kind.replace('_', '-')}-{place(node)}-{node.attempt}-{version}",
            kind=kind,
            title=title,
            body=body,
            stage_id=place(node),
            asked_by="ReproLab",
            reason="a checkpoint",
            choices=(
                Choice(name="approve", effect="go on"),
                Choice(
                    name="revise",
                    effect="let it be made again with what you say",
                    words="text",
                    needs_words=True,
                ),
                *((drop,) if droppable else ()),
                Choice(name="stop", effect="stop the run here; all is kept"),
            ),
        ),
    )
    if answer.choice == "stop":
        run.update("ask_user", stop_reason=f"stopped by the user: {title}")
        raise RunStopped(title)
    return (
        answer.text if answer.choice == "revise" else "",
        droppable if answer.choice == "drop" else (),
    )
