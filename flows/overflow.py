"""When a request would not fit the model's context: the specification's recovery ladder, mildest step first."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agents.models.size import CHARACTERS_PER_TOKEN, estimate_tokens
from agents.prompt_adaptor import summary as methods_of
from flows.asking import ask
from flows.context import Run
from schemas.context import Recovery, RecoveryAction
from schemas.interaction import Choice, Question
from schemas.transcript import AgentRequest, Position

KEPT_FEEDBACK = 2000
# Fields an agent can do without, because code or another request makes them again.
REGENERABLE = ("analysis_summary", "output_data_files", "experiments", "previous_plan", "stdout", "stderr",
               "prompt_adaptations", "supplementary_text", "plan_summary", "user_responses")
_LADDER: tuple[RecoveryAction, ...] = ("summarize_feedback", "truncate_feedback", "truncate_paper_to_methods",
                                       "clear_working_fields")
Build = Callable[[Mapping[str, object]], AgentRequest]
Condense = Callable[[Position, str], str | None]
_CONDENSER_STEP = 900


class TooLarge(Exception):
    """A person decided not to send a request that does not fit: "skip" its stage or "stop" the run."""

    def __init__(self, decision: str):
        super().__init__(decision)
        self.decision = decision


def tokens_of(run: Run, request: AgentRequest) -> int:
    """Tokens of a request: counted by the server where it counts, estimated otherwise."""
    count = getattr(run.model, "count_tokens", None)
    counted = count(request) if count is not None else None
    return counted if counted is not None else estimate_tokens(request)


def fit(run: Run, build: Build, context: Mapping[str, object], condense: Condense) -> AgentRequest:
    """A request that fits, after as few steps of the ladder as needed; each is recorded.

    Raises TooLarge when a person decides to skip or stop.
    """
    limit = run.settings.limits.safe_paper_tokens
    request = build(context)
    tokens = tokens_of(run, request)
    if tokens <= limit:
        return request
    label, shown = request.position.label(), dict(context)
    run.console.say(f"the request has about {tokens} tokens, {limit} are safe: shortening", stage=label)
    for action in _LADDER:
        changed = _apply(action, shown, request, condense)
        if changed is None:
            continue
        candidate = build(changed)
        after = tokens_of(run, candidate)
        if after >= tokens:
            continue
        _record(run, action, label, tokens, after)
        shown, request, tokens = changed, candidate, after
        if tokens <= limit:
            return request
    return _ask(run, request, tokens, limit)


def _apply(action: RecoveryAction, context: Mapping[str, object], request: AgentRequest, condense: Condense
           ) -> dict[str, object] | None:
    """The context after a step; None where the step has nothing to do."""
    changed = dict(context)
    feedback = context.get("reviewer_feedback")
    if action in ("summarize_feedback", "truncate_feedback"):
        if not isinstance(feedback, str) or len(feedback) <= KEPT_FEEDBACK:
            return None
        if action == "summarize_feedback":
            short = condense(request.position.model_copy(update={"step": request.position.step + _CONDENSER_STEP}),
                             feedback)
            if short is None:
                return None
            changed["reviewer_feedback"] = short
        else:
            changed["reviewer_feedback"] = feedback[-KEPT_FEEDBACK:]
        return changed
    if action == "truncate_paper_to_methods":
        paper = context.get("paper_text")
        if not isinstance(paper, str):
            return None
        changed["paper_text"] = methods_of(paper)
        return changed if len(str(changed["paper_text"])) < len(paper) else None
    for name in REGENERABLE:
        if changed.get(name):
            changed[name] = ""
    return changed if changed != dict(context) else None


def _record(run: Run, action: RecoveryAction, label: str, before: int, after: int) -> None:
    step = Recovery(action=action, request=label, tokens_before=before, tokens_after=after)
    run.recoveries.append(step)
    run.history.append(f"{label}: context overflow, {action.replace('_', ' ')}: {before} -> {after} tokens")
    run.console.say(f"{action.replace('_', ' ')}: {before} -> {after} tokens", stage=label)


def _ask(run: Run, request: AgentRequest, tokens: int, limit: int) -> AgentRequest:
    sizes = sorted(((int(len(s.text) / CHARACTERS_PER_TOKEN), s.title) for s in request.context), reverse=True)[:6]
    label = request.position.label()
    answer = ask(run, Question(
        question_id=f"context-overflow-{label}".lower().replace("_", "-").replace(".", "-"), kind="context_overflow",
        title=f"The request for {request.position.agent} is too large",
        body=f"About **{tokens}** tokens; safe are {limit}; over by {tokens - limit}.\n\nThe largest parts:\n\n"
             + "\n".join(f"- {title}: about {size} tokens (would be saved by leaving it out of the paper's folder)"
                         for size, title in sizes),
        choices=(Choice(name="send", effect=f"send it as it is, {tokens} tokens; the model may refuse it"),
                 Choice(name="skip_stage", effect="give this stage up; saves the whole request"),
                 Choice(name="stop", effect="stop the run and report what there is")),
        stage_id=request.position.stage_id, asked_by=request.position.agent, reason="context overflow"))
    if answer.choice == "send":
        return request
    raise TooLarge("skip" if answer.choice == "skip_stage" else "stop")
