"""Answers that fit their schema and stop the code that reads them: noted beside the run, so that the agent is asked again.

A kept answer is given back for ever. Without the note a resumed run would meet it, and stop, at the same place each time.
"""

from __future__ import annotations

import json
import linecache
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
    re.error,
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
_DIGITS = re.compile(r"\d+[.,]\d+|\d{3,}")
_NAMED_BY = ("target_id", "stage_id", "assumption_id", "figure_id", "id", "name", "parameter")
_KINDS = {"ExtractedParameter": "parameter", "MaterialChoice": "material", "_Input": "input"}


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
    """The error without numbers, as it may reach an agent that must not know results; the function it arose in, and what it read."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {frames[-1].name}" if frames else ""
    first = one_visible_line((str(error).strip().splitlines() or [""])[0], 200)
    told = f"{type(error).__name__}{place}: {_NUMBER.sub('#', first)}".rstrip(": ")
    return f"{told} (while reading {read})" if (read := _read_last(error)) else told


def _read_last(error: BaseException) -> str:
    """The entry of an answer that the code had in hand, and its field: "parameter gap_range, value". Those of the line that failed
    count first, then what else the innermost functions hold."""
    for frame, number in reversed([*traceback.walk_tb(error.__traceback__)]):
        line = linecache.getline(frame.f_code.co_filename, number)
        held = [(name, entry) for name, value in frame.f_locals.items() if (entry := _entry(value))]
        for name, entry in sorted(held, key=lambda one: not re.search(rf"\b{re.escape(one[0])}\b", line)):
            field = re.search(rf"\b{re.escape(name)}\.([a-z]\w*)", line)
            return f"{entry}, {field[1]}" if field else entry
    return ""


def _entry(value: object) -> str:
    """What an entry of an answer is and is called; '' if it is none. Long numbers in names may be results."""
    kind = type(value)
    if not kind.__module__.startswith(("schemas.", "agents.", "simkit.")) or isinstance(value, type):
        return ""
    try:
        names = [name for field in _NAMED_BY if isinstance(name := getattr(value, field, None), str) and name]
    except Exception:  # whatever a property of it does
        return ""
    called = one_visible_line(_DIGITS.sub("#", names[0]), 80) if names else ""
    word = _KINDS.get(kind.__name__, re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind.__name__.strip("_")).lower())
    return f"{word} {called}" if called else ""
