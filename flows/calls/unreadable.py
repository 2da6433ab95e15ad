"""Answers that fit their schema and stop the code that reads them: noted beside the run, so that the agent is asked again.

A kept answer is given back for ever. Without the note a resumed run would meet it, and stop, at the same place each time.
"""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Callable
from typing import Any, TypeVar

from agents.models.errors import InvalidAnswer
from agents.models.replay import ReplayModel
from flows.run.context import Run
from schemas.errors import StateError, UnreadableAnswer
from schemas.talking.transcript import AgentRequest, Section
from schemas.text.visible import one_visible_line
from tasks.files.store import atomic_write

Done = TypeVar("Done")
# What data can do to code that reads it. Faults of files and processes (OSError) are a person's to mend.
FAULTS = (
    UnreadableAnswer,
    StateError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    StopIteration,
    TypeError,
    ValueError,
)
MOST = 2  # times that an agent is asked again by itself; then a person is asked
_FILE = "unreadable_answers.jsonl"
_NUMBER = re.compile(r"\d[\d.,eE+-]*")


def blame(run: Run, error: BaseException) -> str:
    """Note that the answer read last stopped our code, and give its position's label. Raises the error where none is to blame:
    nothing was read yet, the model itself failed, or a replay has no other answer."""
    label: str = getattr(error, "answer_read", run.reading)
    if not label or isinstance(run.model, ReplayModel):
        raise error
    with run.lock, (run.run_dir / _FILE).open("a", encoding="utf-8") as stream:
        stream.write(json.dumps({"line": run.line, "label": label, "why": _why(error)}) + "\n")
    number = len(_noted(run, label))
    told = "".join(traceback.format_exception(error)).encode(errors="backslashreplace")
    atomic_write(run.run_dir / "requests" / f"{label}.unreadable-{number}.txt", told)
    run.console.say(f"the answer of {label} stops the code that reads it; it is asked again: {_why(error)}")
    return label


def blamed(branch: Run, work: Callable[..., Done], *given: Any) -> Done:
    """What `work` returns. Its error knows the answer that the branch read last, which the run it belongs to does not."""
    try:
        return work(*given)
    except FAULTS as error:
        error.answer_read = branch.reading  # type: ignore[union-attr]
        raise


def asked_again(run: Run, request: AgentRequest) -> AgentRequest:
    """The request as it is; where answers to it could not be read, with what they did.

    Raises InvalidAnswer, once in a process, when so many could not be read that a person has to say how to go on.
    """
    label = request.position.label()
    told = _noted(run, label)
    if not told:
        return request
    if len(told) > MOST and (label, len(told)) not in run.warned:
        run.warned.add((label, len(told)))
        raise InvalidAnswer(
            f"{len(told)} answers fit their schema, and no code could read them",
            found=told[-1],
            fix="retry asks once more; stop ends the run with a report",
            problems=tuple(told),
        )
    text = "\n".join(
        [
            "Code could not read your last answer, though it fits the schema. Nothing of it was used. What it met:",
            *(f"- {why}" for why in told),
            "Answer again, without what caused this.",
        ]
    )
    return request.model_copy(
        update={"context": (*request.context, Section(title="unreadable_answer", text=text))}
    )


def refused(run: Run, request: AgentRequest) -> bool:
    """Whether an answer at this position could not be read: a record that holds it is not asked again."""
    return bool(_noted(run, request.position.label()))


def _noted(run: Run, label: str) -> list[str]:
    found = []
    try:
        lines = (run.run_dir / _FILE).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    for line in lines:
        try:
            entry = json.loads(line)
        except ValueError:  # a killed process was writing
            continue
        if entry.get("line") == run.line and entry.get("label") == label:
            found.append(str(entry.get("why")))
    return found


def _why(error: BaseException) -> str:
    """The error without numbers, as it may reach an agent that must not know results; and the function it arose in."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {frames[-1].name}" if frames else ""
    first = one_visible_line((str(error).strip().splitlines() or [""])[0], 200)
    return f"{type(error).__name__}{place}: {_NUMBER.sub('#', first)}".rstrip(": ")
