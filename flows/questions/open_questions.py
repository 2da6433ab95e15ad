"""Questions that wait, written into the run's folder so that `reprolab status` can name them. For people only."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from flows.questions.answers import LONGEST_WORDS, answer_command, given_beforehand, parse_answer
from flows.run.records import workflow_of
from schemas.errors import InputError
from schemas.reading.beneath import Unopened, read_below
from schemas.run.pasted import on_run
from schemas.talking.interaction import Question
from tasks.files.store import atomic_write

_FOLDER = "open_questions"
LOOK_S, TAKEN_S = 0.5, 20.0  # how often an answer is looked for; how long its giver waits for that
_BY = {"web": "in the browser", "terminal": "in the terminal", "answers file": "by the answers file"}


@contextmanager
def noted_as_open(run_dir: Path, question: Question) -> Iterator[None]:
    """While a question waits it has a file; the file stays when the run ends without its answer."""
    path = leave_open(run_dir, question)
    yield
    with suppress(OSError):
        path.unlink(missing_ok=True)


def leave_open(run_dir: Path, question: Question) -> Path:
    """The question as a file of the run's folder, for whoever answers it later."""
    path = run_dir / _FOLDER / f"{question.question_id}.json"
    if run_dir.is_dir():
        with suppress(OSError):
            if question.kind == "infrastructure":  # those of earlier processes have gone with them
                for old in path.parent.glob("infrastructure-*.json"):
                    old.unlink()
            atomic_write(path, question.model_dump_json(indent=1))
    return path


def was_answered(run_dir: Path, question: Question) -> bool:
    """Whether the run's record has an answer to it."""
    return any(name == question.question_id for name, *_ in _answered(run_dir))


def open_questions(run_dir: Path) -> list[Question]:
    """The questions a run waits with; files that are none are passed over."""
    found = []
    for path in sorted((run_dir / _FOLDER).glob("*.json")):
        with suppress(OSError, ValueError):
            found.append(Question.model_validate_json(path.read_text(encoding="utf-8")))
    return found


def hand_over(run_dir: Path, question: Question, text: str) -> bool:
    """Give an answer to the process that waits with the question; whether it took it."""
    parse_answer(question, text, "terminal")
    path = _handed(run_dir, question)
    atomic_write(path, text)
    until = time.monotonic() + TAKEN_S
    while time.monotonic() < until:
        if not path.exists():
            return True
        time.sleep(LOOK_S / 2)
    with suppress(FileNotFoundError):  # it may be taken right now
        path.unlink()
        return False
    return True


def handed_over(run_dir: Path, question: Question) -> str | None:
    """The answer that another process handed over, taken away; None where none lies there."""
    path = _handed(run_dir, question)
    try:
        text = read_below(run_dir, str(path.relative_to(run_dir)), 4 * LONGEST_WORDS).decode(
            "utf-8", "replace"
        )
        path.unlink()
    except (Unopened, OSError):
        return None
    return text


def _handed(run_dir: Path, question: Question) -> Path:
    return run_dir / _FOLDER / f"{question.question_id}.answer"


def check_answers(run_dir: Path, answers: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """What to tell of answers whose kind of question was answered otherwise and does not wait: they change nothing of that.

    Raises InputError for an answer that does not fit a question the run waits with, or comes too late for the one it names or
    for a run that an answer of its kind has stopped: before anything is started.
    """
    waiting = open_questions(run_dir)
    names = {question.question_id for question in waiting}
    answered, back = list(_answered(run_dir)), workflow_of(run_dir) == "reproduce"
    for name, kind, choice, by in answered[-1:]:
        again = [
            word
            for given, text in answers
            if given in (name, kind)
            for word in ("--answer", f"{given}={text}")
        ]
        if choice == "stop" and again:
            raise InputError(
                f"the run was stopped by the answer to {name}, which is kept",
                found=f"stop, {_BY.get(by, by)}",
                allowed="the question asked anew, from the checkpoint before it on" if back else None,
                fix=on_run(run_dir, "resume", "--from-checkpoint", "before_ask_user", *again)
                if back
                else "start a new run; this one stays as it is",
            )
    for name, _, choice, by in answered:
        if name not in names and any(given == name for given, _ in answers):
            raise InputError(
                f"the question {name} is already answered",
                found=f"{choice}, {_BY.get(by, by)}",
                allowed=f"questions that wait: {', '.join(sorted(names)) or 'none'}",
                fix=f"{on_run(run_dir, 'status')}; to change an answer go back to a checkpoint before it "
                f"({on_run(run_dir, 'checkpoints')})",
            )
    for question in waiting:
        text = given_beforehand(answers, question, ())
        if text is not None:
            parse_answer(question, text, "given beforehand")
    return tuple(_too_late(run_dir, answers, waiting, answered))


def _too_late(
    run_dir: Path,
    answers: tuple[tuple[str, str], ...],
    waiting: list[Question],
    answered: list[tuple[str, str, str, str]],
) -> Iterator[str]:
    """A line for each answer of a kind that was answered otherwise, with how that can be changed."""
    for kind, text in dict.fromkeys(answers):
        before = [entry for entry in answered if entry[1] == kind]
        open_now = any(question.kind == kind for question in waiting)
        if not before or open_now or text.partition(":")[0].strip() == before[-1][2]:
            continue
        name, _, choice, by = before[-1]
        way = (
            "a new run is needed to change that"
            if workflow_of(run_dir) != "reproduce"
            else (
                "to change that: "
                + on_run(
                    run_dir, "resume", "--from-checkpoint", "before_ask_user", "--answer", f"{kind}={text}"
                )
                if answered[-1][0] == name
                else f"to change that go back to a checkpoint before it: {on_run(run_dir, 'checkpoints')}"
            )
        )
        yield (
            f"{kind}={text} changes nothing of {name}, which was answered {choice}, {_BY.get(by, by)}; it is kept for "
            f"another question of its kind. {way[0].upper()}{way[1:]}"
        )


def _answered(run_dir: Path) -> Iterator[tuple[str, str, str, str]]:
    """(question's name, its kind, answer, by whom) of what was answered, as the run's record has it."""
    with suppress(OSError), (run_dir / "transcript.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            with suppress(ValueError, KeyError, TypeError, RecursionError):
                entry = json.loads(line)
                if entry.get("kind") == "question":
                    answer = entry["answer"]
                    asked = entry["request"]
                    yield (
                        str(asked["question_id"]),
                        str(asked.get("kind", "")),
                        str(answer["choice"]),
                        str(answer.get("answered_by", "")),
                    )


def describe(run_dir: Path, question: Question, process: str) -> str:
    """What `status` says of a question: kind, title, choices, and how it can be answered now.

    process: the number of the one that works on the run (`records.process_at`), or empty.
    """
    choices = "\n".join(f"    {choice.name:16} {choice.effect}" for choice in question.choices)
    return (
        f"waits for an answer [{question.kind}]: {question.title}\n{choices}\n"
        f"  {_how(run_dir, question, process)}"
    )


def _how(run_dir: Path, question: Question, process: str) -> str:
    command = answer_command(run_dir, question)
    if process:
        return (
            f"answer it where the run waits (process {process}): in its terminal, with the link that it printed, or with "
            f"{answer_command(run_dir, question, living=True)}; once that has ended: {command}"
        )
    return f"answer it: {command}"
