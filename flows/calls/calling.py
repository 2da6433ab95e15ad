"""Asking an agent: request, one persisted call, accounting, transcript; and what happens when the model fails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from agents.models.base import FatalModelError, InvalidAnswer, TransientModelError
from agents.models.errors import NotRecorded
from agents.models.replay import ReplayModel
from agents.talking.agent import Agent, build_request
from flows.calls.infrastructure import check_folder
from flows.calls.steps import call_model
from flows.calls.unreadable import asked_again
from flows.questions.asking import ask
from flows.run.context import Run
from flows.run.costs import check_caps
from flows.run.endings import RunStopped
from schemas.base import FileRef, Model
from schemas.run.metrics import AgentCallMetric
from schemas.talking.interaction import Choice, Question
from schemas.talking.transcript import AgentReply, AgentRequest, Position, RequestImage, TranscriptEntry
from tasks.files.store import atomic_write

Answer = TypeVar("Answer", bound=Model)
REPAIRED = "the answer was not plain JSON and was repaired by code"
_RETRY_OR_STOP = (
    Choice(name="retry", effect="ask the model again"),
    Choice(name="stop", effect="stop the run and report what there is"),
)


def ask_agent(
    run: Run,
    agent: Agent,
    context: Mapping[str, object],
    answer: type[Answer],
    *,
    position: Position,
    images: tuple[RequestImage, ...] = (),
) -> Answer:
    """The agent's validated answer.

    Raises RunStopped when a person ends the run, StageAbandoned when one gives the stage up, LimitExceeded when a cap
    is reached.
    """
    check_caps(run)
    check_folder(run)
    request = _fitting(run, agent, context, position, images)
    tries = 0
    while True:
        try:
            reply = call(run, request)
            break
        except (TransientModelError, FatalModelError, InvalidAnswer) as error:
            tries += 1
            ask_about_failure(run, request, error, tries)
        except NotRecorded as error:  # of a regression only
            raise run.not_recorded(position.stage_id, error) from error
    return answer.model_validate(reply.answer)


def call(run: Run, request: AgentRequest) -> AgentReply:
    """One persisted request with its line of the transcript and of the bill."""
    label = request.position.label()
    request = asked_again(run, request)
    key = f"call-{run.line}-{request.digest()}"
    limits = run.settings.limits
    run.reading = ""  # while the model is at work, no answer is to blame
    reply: AgentReply = call_model.with_options(
        retries=limits.model_retries,
        retry_delay_seconds=[limits.retry_base_s * 2**n for n in range(limits.model_retries)] or None,
    )(key=key, label=label, run_id=run.handle, request=request)
    reused = key not in run.executed
    if reused:
        run.tally.calls_reused += 1
        if isinstance(run.model, ReplayModel):
            run.model.mark_used(label)
    else:
        run.tally.calls += 1
    if _prompt_changed(reply.notes) and not any(
        _prompt_changed(metric.notes) for metric in run.state.metrics
    ):
        run.console.say(
            "prompts changed since this run was recorded; its answers are replayed all the same, and the "
            "report lists the prompts"
        )
    run.transcript.add(
        TranscriptEntry(
            position=request.position,
            prompt_id=request.prompt_id,
            prompt_digest=request.prompt_digest,
            request_digest=request.digest(),
            request=_readable(request),
            model_kind=request.model_kind,
            model=reply.model or request.model_name,
            answer=reply.answer,
            usage=reply.usage,
            price_usd=reply.price_usd,
            duration_s=round(reply.duration_s, 3),
            tries=reply.tries,
            notes=reply.notes,
        )
    )
    _account(run, request, reply, reused)
    run.reading = label
    return reply


def _prompt_changed(notes: tuple[str, ...]) -> bool:
    return any("changed since recording" in note for note in notes)


def _readable(request: AgentRequest) -> dict[str, object]:
    """The request without what every request of the run repeats: rules, prompt and schema are named by digest.

    Of a later turn of a conversation only what is new: the results of the turn before.
    """
    if request.turns:
        given = request.turns[-1].results
        return {
            "results": [
                {
                    "call_id": result.call_id,
                    "text": result.text,
                    "is_error": result.is_error,
                    "images": [image.sha256 for image in result.images],
                }
                for result in given
            ],
            "answer_type": request.answer_type,
        }
    return {
        "context": [
            section.model_dump(exclude_defaults=True, exclude={"keyed_as"})
            for section in request.context
            if not section.stable
        ],
        "images": [{"caption": image.caption, "sha256": image.sha256} for image in request.images],
        "answer_type": request.answer_type,
    }


def _account(run: Run, request: AgentRequest, reply: AgentReply, reused: bool) -> None:
    usage = reply.usage
    metric = AgentCallMetric(
        agent=request.position.agent,
        stage_id=request.position.stage_id,
        model=reply.model or request.model_name,
        duration_s=round(reply.duration_s, 3),
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        price_usd=reply.price_usd,
        reused=reused,
        label=request.position.label(),
        tries=reply.tries,
        notes=tuple(note[:500] for note in reply.notes)
        + ((REPAIRED,) if reply.raw and reply.tries == 1 else ()),
    )
    run.update(
        "account",
        metrics=(*run.state.metrics, metric),
        runtime_used_s=run.state.runtime_used_s + reply.duration_s,
    )
    run.unfinished.ended(request.position.label(), reused=reused)


def _fitting(
    run: Run,
    agent: Agent,
    context: Mapping[str, object],
    position: Position,
    images: tuple[RequestImage, ...],
) -> AgentRequest:
    """The request, shortened where it would not fit the model's context and the workflow knows how."""

    def build(shown: Mapping[str, object]) -> AgentRequest:
        return build_request(
            agent,
            shown,
            position=position,
            settings=run.settings,
            images=images,
            adaptations=run.adaptations(),
        )

    return run.fitted(agent, build, context, position)


def ask_about_failure(run: Run, request: AgentRequest, error: Exception, tries: int) -> None:
    """A person decides whether the model is asked again. Raises RunStopped."""
    label = request.position.label()
    if isinstance(error, InvalidAnswer):
        kept = atomic_write(run.run_dir / "requests" / f"{label}.invalid-{tries}.txt", error.raw or "")
        kind, title = "invalid_answer", f"{request.position.agent} gave no usable answer"
        body = f"```\n{error}\n```\n\nThe raw answer is kept in `{kept.relative_to(run.run_dir)}`."
    else:
        kind, title = "model_error", "The model could not be reached or refused"
        body = f"```\n{error}\n```\n\nNothing that was answered before is lost or asked again."
    run.console.say(f"{title}: {error}", stage=label)
    question = Question(
        question_id=f"{kind}-{label}-{tries}".lower().replace("_", "-").replace(".", "-"),
        kind=kind,
        title=title,
        body=body,
        choices=_RETRY_OR_STOP,
        stage_id=request.position.stage_id,
        asked_by=request.position.agent,
        reason=title,
    )
    answer = ask(run, question)
    if answer.choice == "stop":
        run.update("ask_user", stop_reason=f"stopped by the user: {title}")
        raise RunStopped(title)


def unrecorded(run: Run, position: Position) -> bool:
    """Whether this is a replay whose transcript holds no answer at `position`."""
    if run.prior is not None and position.label() in run.prior.recording.calls:
        return False
    return isinstance(run.model, ReplayModel) and position.label() not in run.model.recording.calls


def recorded(run: Run, position: Position) -> bool:
    """Whether a recording holds an answer at `position`: what was once asked counts, also where it need not be asked."""
    models = (run.prior, run.model if isinstance(run.model, ReplayModel) else None)
    return any(model is not None and position.label() in model.recording.calls for model in models)


def request_images(
    run: Run, references: list[tuple[FileRef, str]], extra: list[tuple[str, str, str, str]] | None = None
) -> tuple[RequestImage, ...]:
    """Pictures for a request: run files as (reference, caption), others as (path, sha256, media type, caption)."""
    found = [
        RequestImage(
            path=str(run.run_dir / ref.path), sha256=ref.sha256, media_type=ref.media_type, caption=text
        )
        for ref, text in references
    ]
    found += [
        RequestImage(path=path, sha256=sha, media_type=media, caption=text)
        for path, sha, media, text in extra or []
    ]
    return tuple(found)
