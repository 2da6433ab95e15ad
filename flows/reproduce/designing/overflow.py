"""When a request would not fit the model's context: the specification's recovery ladder, mildest step first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from agents.models.base import FatalModelError, InvalidAnswer, TransientModelError
from agents.models.size import CHARACTERS_PER_TOKEN, estimate_tokens
from agents.reproduce.prompt_adaptor import summary as methods_of
from agents.talking.agent import Agent, build_request
from agents.talking.condenser import condenser
from flows.calls.calling import call
from flows.questions.asking import ask
from flows.reproduce.context import Build, Run
from flows.run.endings import RunStopped, StageAbandoned
from schemas.talking.interaction import Choice, Question
from schemas.talking.shortening import FeedbackSummary, Recovery, RecoveryAction
from schemas.talking.transcript import AgentRequest, Position
from tasks.files.store import atomic_write

KEPT_FEEDBACK, KEPT_SUMMARY = 2000, 5000
# What shows the paper's text, and a shorter version of it; the adaptor is shown abstract and Methods from the start.
PAPER: Mapping[str, Callable[[str], str]] = {
    "paper_text": methods_of,
    "paper_text_summary": lambda text: text[:KEPT_SUMMARY],
}
# Fields an agent can do without, because code or another request makes them again.
REGENERABLE = (
    "analysis_summary",
    "output_data_files",
    "experiments",
    "previous_plan",
    "stdout",
    "stderr",
    "prompt_adaptations",
    "supplementary_text",
    "plan_summary",
    "user_responses",
)
# Done without asking; and those that lose something of the paper or of the work, which a person decides.
LOW_RISK: tuple[RecoveryAction, ...] = ("summarize_feedback", "truncate_feedback")
MEDIUM_RISK: tuple[RecoveryAction, ...] = ("truncate_paper_to_methods", "clear_working_fields")
ALL_STEPS = "shorten"
Condense = Callable[[Position, str], str | None]
_CONDENSER_STEP = 900


class Step(NamedTuple):
    """What a step of the ladder gives."""

    action: RecoveryAction
    context: dict[str, object]
    request: AgentRequest
    tokens: int


class TooLarge(Exception):
    """A person decided not to send a request that does not fit: "skip" its stage or "stop" the run."""

    def __init__(self, decision: str):
        super().__init__(decision)
        self.decision = decision


def of_a_stage(position: Position) -> bool:
    """Whether a request belongs to a stage, which can be given up; planning and conclusions cannot."""
    return position.stage_id != "-"


def tokens_of(run: Run, request: AgentRequest) -> int:
    """Tokens of a request: counted by the server where it counts, estimated otherwise."""
    count = getattr(run.model, "count_tokens", None)
    counted = count(request) if count is not None else None
    return counted if counted is not None else estimate_tokens(request)


def fit(run: Run, build: Build, context: Mapping[str, object], condense: Condense) -> AgentRequest:
    """A request that fits, after as few steps of the ladder as needed; each is recorded.

    Steps of low risk are taken by themselves, those of medium risk by a person's choice. Raises TooLarge when a person
    decides to skip or stop.
    """
    limit = run.settings.limits.safe_paper_tokens
    request = build(context)
    tokens = tokens_of(run, request)
    if tokens <= limit:
        return request
    label, shown = request.position.label(), dict(context)
    run.console.say(f"the request has about {tokens} tokens, {limit} are safe: shortening", stage=label)
    for action in LOW_RISK:
        step = _step(run, build, action, shown, request, tokens, condense)
        if step is None:
            continue
        _record(run, step, label, tokens)
        shown, request, tokens = step.context, step.request, step.tokens
        if tokens <= limit:
            return request
    return _as_decided(run, build, shown, request, tokens, condense)


def _step(
    run: Run,
    build: Build,
    action: RecoveryAction,
    shown: Mapping[str, object],
    request: AgentRequest,
    tokens: int,
    condense: Condense,
) -> Step | None:
    """What a step of the ladder would give; None where it has nothing to do or saves nothing."""
    changed = _apply(action, shown, request, condense)
    if changed is None:
        return None
    candidate = build(changed)
    after = tokens_of(run, candidate)
    return Step(action, changed, candidate, after) if after < tokens else None


def _as_decided(
    run: Run,
    build: Build,
    shown: Mapping[str, object],
    request: AgentRequest,
    tokens: int,
    condense: Condense,
) -> AgentRequest:
    """Steps that lose something are a person's choice, asked until the request fits or is sent or given up."""
    limit, label, number = run.settings.limits.safe_paper_tokens, request.position.label(), 0
    while tokens > limit:
        steps = [
            step
            for action in MEDIUM_RISK
            if (step := _step(run, build, action, shown, request, tokens, condense)) is not None
        ]
        number += 1
        choice = _ask(run, request, tokens, steps, shown, number)
        if choice == "send":
            return request
        if choice in ("skip_stage", "stop"):
            raise TooLarge("skip" if choice == "skip_stage" else "stop")
        for action in MEDIUM_RISK:
            if choice in (action, ALL_STEPS):
                step = _step(run, build, action, shown, request, tokens, condense)
                if step is not None:
                    _record(run, step, label, tokens)
                    shown, request, tokens = step.context, step.request, step.tokens
    return request


def _apply(
    action: RecoveryAction, context: Mapping[str, object], request: AgentRequest, condense: Condense
) -> dict[str, object] | None:
    """The context after a step; None where the step has nothing to do."""
    changed = dict(context)
    feedback = context.get("reviewer_feedback")
    if action in ("summarize_feedback", "truncate_feedback"):
        if not isinstance(feedback, str) or len(feedback) <= KEPT_FEEDBACK:
            return None
        if action == "summarize_feedback":
            short = condense(
                request.position.model_copy(update={"step": request.position.step + _CONDENSER_STEP}),
                feedback,
            )
            if short is None:
                return None
            changed["reviewer_feedback"] = short
        else:
            changed["reviewer_feedback"] = feedback[-KEPT_FEEDBACK:]
        return changed
    if action == "truncate_paper_to_methods":
        for name, shorter in PAPER.items():
            if isinstance(text := context.get(name), str):
                changed[name] = shorter(text)
        return changed if _length(changed) < _length(context) else None
    for name in REGENERABLE:
        if changed.get(name):
            changed[name] = ""
    return changed if changed != dict(context) else None


def _length(context: Mapping[str, object]) -> int:
    """Characters of the paper in a context."""
    return sum(len(str(context.get(name, ""))) for name in PAPER)


def _record(run: Run, step: Step, label: str, before: int) -> None:
    run.recoveries.append(
        Recovery(action=step.action, request=label, tokens_before=before, tokens_after=step.tokens)
    )
    words = f"{step.action.replace('_', ' ')}: {before} -> {step.tokens} tokens"
    run.history.append(f"{label}: context overflow, {words}")
    run.console.say(words, stage=label)


def _ask(
    run: Run, request: AgentRequest, tokens: int, steps: list[Step], shown: Mapping[str, object], number: int
) -> str:
    limit, label = run.settings.limits.safe_paper_tokens, request.position.label()
    choices = [
        Choice(
            name=step.action,
            effect=f"{_what(step, shown)} (saves about {tokens - step.tokens} tokens, risk: medium)",
        )
        for step in steps
    ]
    if steps:  # also for a single one: an answer given beforehand cannot know how many there are
        choices.append(Choice(name=ALL_STEPS, effect="all that stands above, in this order (risk: medium)"))
    choices += [
        Choice(name="send", effect=f"send it as it is, {tokens} tokens; the model may refuse it"),
        *(
            [Choice(name="skip_stage", effect="give this stage up and go on; saves the whole request")]
            if of_a_stage(request.position)
            else []
        ),
        Choice(name="stop", effect="stop the run and report what there is"),
    ]
    sizes = sorted(
        ((int(len(s.text) / CHARACTERS_PER_TOKEN), s.title) for s in request.context), reverse=True
    )[:6]
    options = "\n".join(f"{n}. **{choice.name}**: {choice.effect}" for n, choice in enumerate(choices, 1))
    question_id = f"context-overflow-{label}" + (f"-{number}" if number > 1 else "")
    answer = ask(
        run,
        Question(
            question_id=question_id.lower().replace("_", "-").replace(".", "-"),
            kind="context_overflow",
            title=f"The request for {request.position.agent} is too large",
            body=f"**Current estimate:** {tokens} tokens\n\n**Safe limit:** {limit} tokens\n\n"
            f"**Over by:** {tokens - limit} tokens\n\nNothing that loses part of the paper is done "
            "without you. Available recovery options:\n\n"
            f"{options}\n\nThe largest parts:\n\n"
            + "\n".join(f"- {title}: about {size} tokens" for size, title in sizes),
            choices=tuple(choices),
            stage_id=request.position.stage_id,
            asked_by=request.position.agent,
            reason="context overflow",
        ),
    )
    return answer.choice


def _what(step: Step, shown: Mapping[str, object]) -> str:
    """A step in words, with the sizes it changes."""
    if step.action == "truncate_paper_to_methods":
        kept = (
            "only abstract and Methods"
            if "paper_text" in shown
            else "only the beginning of abstract and Methods"
        )
        return f"keep {kept} of the paper ({_length(shown)} -> {_length(step.context)} characters)"
    cleared = [name for name in REGENERABLE if shown.get(name) and not step.context.get(name)]
    return f"leave out what can be made again: {', '.join(cleared)}"


def fitted(
    run: Run, agent: Agent, build: Build, context: Mapping[str, object], position: Position
) -> AgentRequest:
    """The request that an agent of this run is sent. Raises StageAbandoned or RunStopped where a person gives it up."""
    if run.settings.model.kind == "replay":
        return build(context)
    try:
        return fit(run, build, context, lambda place, feedback: _condensed(run, agent, place, feedback))
    except TooLarge as error:
        if error.decision == "skip":
            raise StageAbandoned("the request does not fit the model's context") from error
        run.update("ask_user", stop_reason="stopped by the user: a request does not fit the model's context")
        raise RunStopped("a request does not fit the model's context") from error


def _condensed(run: Run, agent: Agent, position: Position, feedback: str) -> str | None:
    """Feedback condensed by the model itself; None if that fails, and the next step of the ladder follows."""
    failed = run.run_dir / "requests" / f"{position.label()}.not-condensed"
    if failed.exists():
        return None  # as in the process before: what follows was asked without it
    newest = feedback[-int(run.settings.limits.safe_paper_tokens * CHARACTERS_PER_TOKEN / 2) :]
    request = build_request(
        condenser(agent),
        {"reviewer_feedback": newest},
        position=position,
        adaptations=(),
        settings=run.settings,
    )
    try:
        return FeedbackSummary.model_validate(call(run, request).answer).summary
    except (TransientModelError, FatalModelError, InvalidAnswer) as error:
        atomic_write(failed, str(error))
        return None
