"""Questions that agents ask people: worded and offered by the agent, named, limited and put by code."""

from __future__ import annotations

import re

from flows.questions.asking import ask
from flows.run.context import Run
from flows.run.endings import RunStopped
from schemas.talking.interaction import AgentQuestion, Choice, Question
from schemas.talking.transcript import Position

# Names that mean something at the flow's own questions: an agent's choice must not look like one of them.
_RESERVED = frozenset({"approve", "accept", "retry", "guide", "skip_stage", "send", "need_help", "other"})
_TITLE, _BODY, _EFFECT = 200, 6000, 500


def consult(run: Run, questions: tuple[AgentQuestion, ...], position: Position, *, asked: int) -> int:
    """Ask a person what an agent wants to know; how many were asked (0 when its questions of this round are used up).

    The answers are in the state's user interactions, where the agent finds them when it is asked again.
    Raises RunStopped when a person ends the run.
    """
    left = run.settings.limits.max_questions - asked
    for number, wanted in enumerate(questions[: max(0, left)], 1):
        stage_id = None if position.stage_id == "-" else position.stage_id
        answer = ask(run, as_question(wanted, position, number, stage_id))
        if wanted.kind == "stop_decision" and answer.choice == "stop":
            run.update("ask_user", stop_reason=f"stopped by the user: {_cut(wanted.title, _TITLE)}")
            raise RunStopped(wanted.title[:_TITLE])
    if len(questions) > left:
        run.console.say(
            f"{len(questions) - max(0, left)} question(s) of {position.agent} not asked: "
            f"{run.settings.limits.max_questions} a round",
            stage=position.stage_id,
        )
    return min(len(questions), max(0, left))


def as_question(wanted: AgentQuestion, position: Position, number: int, stage_id: str | None) -> Question:
    """The question as it is put: the agent's words cut to a length, its choices under names that mean nothing else."""
    choices: list[Choice] = []
    for offered in wanted.choices:
        name = re.sub(r"[^a-z0-9]+", "_", offered.name.lower()).strip("_")[:40] or "option"
        if name == "stop":
            if wanted.kind == "stop_decision":
                continue  # the flow's own, below
            name = "option_stop"
        name = f"option_{name}" if name in _RESERVED else name
        while name in {choice.name for choice in choices}:
            name += "_2"
        choices.append(Choice(name=name, effect=_cut(offered.effect, _EFFECT), words_to=position.agent))
    if wanted.kind == "stop_decision":
        choices.append(Choice(name="stop", effect="stop the run and report what there is"))
    choices.append(
        Choice(
            name="other",
            effect="none of these: your own words",
            words="text",
            needs_words=True,
            words_to=position.agent,
        )
    )
    return Question(
        question_id=re.sub(r"[^a-z0-9]+", "-", f"{position.label()}-question-{number}".lower()),
        kind=wanted.kind,
        title=_cut(wanted.title, _TITLE),
        body=_cut(wanted.body, _BODY),
        choices=tuple(choices),
        stage_id=stage_id,
        asked_by=position.agent,
        reason=f"asked by {position.agent}",
    )


def _cut(text: str, longest: int) -> str:
    shown = "".join(c for c in text[:longest] if c.isprintable() or c in "\n\t").strip() or "(no words)"
    return shown + (" ... (cut)" if len(text) > longest else "")
