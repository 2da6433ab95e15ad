"""Manual mode from the command line: which requests wait, and filing an answer that fits its schema."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from agents.explore import registry as explore
from agents.explore.roster import ROSTER as EXPLORERS
from agents.models.errors import InvalidAnswer
from agents.models.manual.manual_files import (
    MAX_ANSWER_BYTES,
    answer_paths,
    file_answer,
    pages,
    waiting_requests,
)
from agents.models.manual.manual_page import answer_type_of_page
from agents.models.manual.manual_turns import read_turn
from agents.models.validation import validate_answer
from agents.reproduce import registry as reproduce
from agents.reproduce.roster import ROSTER as REPRODUCERS
from agents.study import registry as study
from agents.study.roster import ROSTER as STUDIERS
from flows.questions.answers import parse_answer
from flows.questions.open_questions import describe, hand_over, open_questions
from flows.reproduce.kept_records import find_run, read_record
from flows.run.records import RECORD, find_record, process_at, workflow_of
from flows.terminal.console import show
from schemas.base import Model
from schemas.errors import InputError
from schemas.explore.record import ExploreRecord
from schemas.reading.handed import kept_model
from schemas.run.pasted import on_run, typed
from schemas.study.record import StudyRecord
from schemas.talking.interaction import Question
from schemas.talking.turns import TurnAnswer

ROSTER = {**EXPLORERS, **REPRODUCERS, **STUDIERS}
_RECORDS: dict[str, type[ExploreRecord] | type[StudyRecord]] = {
    "explore": ExploreRecord,
    "study": StudyRecord,
}
ANSWER_TYPES: dict[str, type[Model]] = {TurnAnswer.__name__: TurnAnswer} | {
    kind.__name__: kind for workflow in (reproduce, explore, study) for kind in workflow.ANSWERS.values()
}
_AGENTS = {**explore.AGENTS, **study.AGENTS, **reproduce.AGENTS}
_PAGE_NAME = re.compile(r"^\d{3,}_(.+?)(?:\.md)?$")


def answer_type(agent: str, name: str) -> type[Model] | None:
    """The type of that name: the agent's own, as two workflows may name theirs alike; None for an unknown one."""
    own = _AGENTS[agent].answer if agent in _AGENTS else None
    return own if own is not None and own.__name__ == name else ANSWER_TYPES.get(name)


def _run_dir(outputs: Path, run: str) -> Path:
    found = find_record(outputs, run)
    return found if workflow_of(found) in _RECORDS else find_run(outputs, run)


def list_waiting(outputs: Path, run: str) -> None:
    """Print the questions and requests without an answer: where the answer goes, and the command that gives it."""
    run_dir = _run_dir(outputs, run)
    requests = run_dir / "requests"
    waiting = waiting_requests(requests)
    asked = open_questions(run_dir)
    for question in asked:
        show(describe(run_dir, question, process_at(run_dir)))
    if asked and not waiting:
        return
    if not waiting:
        other = _RECORDS.get(workflow_of(run_dir))
        record = kept_model(run_dir / RECORD, other, "the run's record") if other else read_record(run_dir)
        kind = record.settings.model.kind
        known = pages(requests) if requests.is_dir() else {}
        show(
            f"run {run_dir.name}: no request waits for an answer ({len(known)} answered, model {kind}).\n"
            f"A question to a person is answered with: {on_run(run_dir, 'resume', '--answer', 'KIND=ANSWER')} "
            f"({on_run(run_dir, 'status')})"
        )
        return
    show(f"run {run_dir.name}: {len(waiting)} request(s) wait in {requests}")
    for label, page in waiting.items():
        agent = label.partition(".")[0]
        show(
            f"\n  {page.name.partition('_')[0]}  {label}: {agent} {ROSTER.get(agent, ('', ''))[1]}\n"
            f"       page:   {page}\n       answer: {requests / f'{label}.answer.json'}\n"
            f"       or:     {on_run(run_dir, 'answer', label, 'FILE')}"
        )
        problems = requests / f"{label}.problems.md"
        if problems.is_file():
            show(f"       the last answer did not fit: {problems}")


def give_answer(outputs: Path, run: str, label: str, file: str) -> None:
    """Check an answer against its request's schema and file it. Raises InputError, and files nothing, if it does not fit.

    label: the request's label, or the number or name of its page. file: a path, or - for standard input. For a question to a person
    its name or kind, and the answer's words.
    """
    run_dir = _run_dir(outputs, run)
    asked = [one for one in open_questions(run_dir) if label in (one.question_id, one.kind)]
    if asked:
        _answer_question(run_dir, asked, file)
        return
    requests = run_dir / "requests"
    known = pages(requests) if requests.is_dir() else {}
    label = _label(label, known, requests)
    if answer_paths(requests, label):
        file_answer(requests, label, "{}")  # raises, naming the answer that is there
    text = _read(file)
    kind = _answer_type(known[label], label.partition(".")[0])
    try:
        read_turn(text) if kind is TurnAnswer else validate_answer(text, kind)
    except InvalidAnswer as error:
        raise InputError(
            f"the answer to {label} does not fit {kind.__name__}; nothing was filed",
            found="\n           ".join(error.problems or (str(error.found or error.what),)),
            allowed=f"one JSON object as part 3 of {known[label]} describes it",
            fix="paste these lines into the same chat and ask for the whole answer again",
        ) from None
    path = file_answer(requests, label, text)
    left = [name for name in known if not answer_paths(requests, name)]
    show(
        f"filed {path}\n"
        + (
            f"{len(left)} more wait: {', '.join(left)}"
            if left
            else f"A run that is going on takes it in a moment; otherwise: {on_run(run_dir, 'resume')}"
        )
    )


def _answer_question(run_dir: Path, asked: Sequence[Question], words: str) -> None:
    """Hand an answer to the process that waits with a question."""
    if len(asked) > 1:
        raise InputError(
            f"{len(asked)} questions of this kind wait",
            found=asked[0].kind,
            allowed=", ".join(question.question_id for question in asked),
            fix=f"name one of them: {on_run(run_dir, 'answer', asked[0].question_id, words)}",
        )
    [question] = asked
    text = _read("-").strip() if words == "-" else words
    parse_answer(question, text, "terminal")
    process = process_at(run_dir)
    if not process or not hand_over(run_dir, question, text):
        raise InputError(
            "nobody waits with this question in a terminal",
            found=f"process {process}, which does not take it" if process else "no process works on the run",
            allowed="its form in the page, where a worker runs it; a run that has ended is resumed with the answer",
            fix=on_run(run_dir, "resume", "--answer", f"{question.question_id}={text}"),
        )
    show(f"answered {question.question_id}: {text.partition(':')[0]}; process {process} goes on")


def _label(given: str, known: dict[str, Path], requests: Path) -> str:
    named = _PAGE_NAME.match(Path(given).name)
    numbers = {int(page.name.partition("_")[0]): label for label, page in known.items()}
    label = numbers.get(int(given), given) if given.isascii() and given.isdigit() else given
    label = named[1] if label not in known and named else label
    if label not in known:
        waiting = [name for name in known if not answer_paths(requests, name)]
        raise InputError(
            "there is no such request",
            found=given,
            allowed=", ".join(waiting) or "none waits in this run",
            fix=f"`{typed('answer', 'RUN')}` lists them; their pages are in {requests}",
        )
    return label


def _answer_type(page: Path, agent: str) -> type[Model]:
    name = answer_type_of_page(page.read_text(encoding="utf-8", errors="replace"))
    found = answer_type(agent, name or "")
    if found is None:
        raise InputError(
            f"the request's page {page.name} does not say which answer it wants",
            found=name or "no part 3",
            allowed=", ".join(sorted(ANSWER_TYPES)),
            fix="resume the run; it writes the page anew",
        )
    return found


def _read(file: str) -> str:
    if file == "-":
        if sys.stdin.isatty():
            show("Paste the answer, then press Ctrl-D on a line of its own.", file=sys.stderr)
        raw, origin = sys.stdin.buffer.read(MAX_ANSWER_BYTES + 1), "standard input"
    else:
        origin = file
        try:
            with Path(file).open("rb") as stream:
                raw = stream.read(MAX_ANSWER_BYTES + 1)
        except OSError as error:
            raise InputError(
                f"the answer file {file} cannot be read",
                found=error.strerror or str(error),
                allowed="a readable text file, or - for standard input",
            ) from None
    if len(raw) > MAX_ANSWER_BYTES:
        raise InputError(
            f"the answer from {origin} is too large",
            found=f"more than {MAX_ANSWER_BYTES} bytes",
            allowed=f"{MAX_ANSWER_BYTES} bytes",
        )
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"the answer from {origin} is not UTF-8 text", found=error.reason, fix="save it as UTF-8"
        ) from None
