"""Is a transcript fit to be replayed and shared? Valid, complete, and without secrets."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from agents.explore.registry import AGENTS as EXPLORERS
from agents.models.errors import InvalidAnswer
from agents.models.recording import Recorded, Recording, read_recording
from agents.models.validation import validate_answer
from agents.reproduce.planner import REVISING
from agents.reproduce.registry import AGENTS, CONCLUSIONS
from agents.study.registry import AGENTS as STUDIERS
from flows.commands.answer import answer_type
from flows.commands.gist import printable, short
from flows.run.credentials import secrets_in
from flows.terminal.console import show
from schemas.base import Model
from schemas.errors import InputError
from schemas.reproduce.simulations.execution import ExperimentResult
from schemas.talking.interaction import UserAnswer

_SHOWN = 20


def check_transcript(file: Path) -> None:
    """Print that a transcript is in order. Raises InputError listing what is not, ReplayError for a broken line."""
    recording = read_recording(file)
    problems = [*header_problems(recording), *answer_problems(recording), *gaps(recording), *leaks(file)]
    if problems:
        more = [f"and {len(problems) - _SHOWN} more"] if len(problems) > _SHOWN else []
        raise InputError(
            f"{len(problems)} problem(s) in {file}",
            found="\n           ".join(printable(line) for line in [*problems[:_SHOWN], *more]),
            fix="record the run again; take out what is secret, and revoke a key that was shared",
        )
    for name in recording.repeated:
        show(f"note: {short(name)} is recorded more than once; the last one counts")
    show(
        f"{file}: in order. {len(recording.calls)} calls, {len(recording.experiments)} experiments, "
        f"{len(recording.questions)} questions; every answer fits its schema, none is missing, no secret found."
    )


def header_problems(recording: Recording) -> list[str]:
    """What a header must name for a reader to know where a transcript comes from."""
    return [
        f"header: {key} is missing"
        for key in (subject_of(recording), "recorded", "model")
        if not recording.header.get(key)
    ]


def subject_of(recording: Recording) -> str:
    """What names the subject in the header: of an exploration its goal, of a study itself, else a paper."""
    return next((name for name in ("goal_id", "study_id") if name in recording.header), "paper_id")


def answer_problems(recording: Recording) -> list[str]:
    """Answers that do not fit their schemas, and calls without prompt or digests."""
    found: list[str] = []
    for label, recorded in recording.calls.items():
        entry = recorded.entry
        missing = [
            name for name in ("prompt_id", "prompt_digest", "request_digest") if not getattr(entry, name)
        ]
        if missing:
            found.append(f"line {recorded.line}, call {label}: no {', '.join(missing)}")
        found += _misfit(recorded, f"call {label}", _type(recorded))
    for label, recorded in recording.experiments.items():
        found += _misfit(recorded, f"experiment {label}", ExperimentResult)
    for name, recorded in recording.questions.items():
        found += _misfit(recorded, f"question {name}", UserAnswer)
    return found


def gaps(recording: Recording) -> list[str]:
    """Rounds, steps and turns that are missing before later ones, and agents without which no run ends."""
    rounds: dict[tuple[str, str, int], set[int]] = defaultdict(set)
    steps: dict[tuple[str, str, int, int], set[int]] = defaultdict(set)
    turns: dict[str, set[int]] = defaultdict(set)
    for recorded in recording.calls.values():
        place = recorded.entry.position
        rounds[place.agent, place.stage_id, place.attempt].add(place.round)
        steps[place.agent, place.stage_id, place.attempt, place.round].add(place.step)
        turns[place.conversation()].add(place.turn)
    found = [
        f"{agent}, stage {stage}, attempt {attempt}: round {number} is missing"
        for (agent, stage, attempt), known in rounds.items()
        for number in sorted(set(range(1, max(known))) - known)
    ]
    for (agent, stage, attempt, number), seen in steps.items():
        found += [
            f"{agent}, stage {stage}, attempt {attempt}, round {number}: step {step} is missing"
            for step in sorted(set(range(max(seen))) - seen)
        ]
    found += [
        f"{name}: turn {turn + 1} is missing"
        for name, said in turns.items()
        for turn in sorted(set(range(max(said))) - said)
    ]
    prompts = {recorded.entry.prompt_id for recorded in recording.calls.values()}
    needed = {
        "goal_id": (EXPLORERS["idea_synthesizer"].prompt, EXPLORERS["experimenter"].prompt),
        "study_id": tuple(
            STUDIERS[name].prompt for name in ("scope_planner", "analysis_writer", "study_reviewer")
        ),
    }.get(subject_of(recording), ("prompt_adaptor", "planner", "plan_reviewer", CONCLUSIONS.prompt))
    return found + [
        f"no answer of {name}: the run did not come to its end" for name in needed if name not in prompts
    ]


def leaks(file: Path) -> list[str]:
    """Lines with something that looks like a key or a password."""
    text = file.read_text(encoding="utf-8-sig")
    return [
        f"line {number}: {secret}"
        for number, line in enumerate(text.split("\n"), 1)
        for secret in secrets_in(line)
    ]


def _type(recorded: Recorded) -> type[Model] | None:
    entry = recorded.entry
    name = (entry.request or {}).get("answer_type")
    if isinstance(name, str):
        return answer_type(entry.position.agent, name)
    if entry.prompt_id == CONCLUSIONS.prompt:
        return CONCLUSIONS.answer
    if entry.prompt_id == REVISING.prompt and entry.position.round > 1:
        return REVISING.answer
    return {**EXPLORERS, **STUDIERS, **AGENTS}[entry.position.agent].answer


def _misfit(recorded: Recorded, name: str, kind: type[Model] | None) -> list[str]:
    if kind is None:
        return [f"line {recorded.line}, {name}: unknown answer type"]
    answer = {
        key: value
        for key, value in recorded.entry.answer.items()
        if key != "question_id" or key in kind.model_fields
    }
    try:
        validate_answer(answer, kind)
    except InvalidAnswer as error:
        return [
            f"line {recorded.line}, {name}: {short(problem)}"
            for problem in error.problems[:3] or (error.what,)
        ]
    return []
