"""A person with any chat window as the model: a page is written, an answer file is read. No key, no network."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from agents.models.errors import InvalidAnswer
from agents.models.manual.manual_files import (
    AnswerFile,
    file_answer,
    read_answer,
    reject,
    write_atomically,
    write_page,
)
from agents.models.manual.manual_page import problems_page, request_page
from agents.models.manual.manual_turns import read_turn
from agents.models.validation import needed_repair, validate_answer
from schemas.base import Model
from schemas.errors import AwaitingAnswer
from schemas.talking.transcript import AgentReply, AgentRequest

__all__ = ["ManualModel", "file_answer"]

POLL_S = 0.3
WAIT_VARIABLE = "REPROLAB_MANUAL_WAIT"


def say(line: str) -> None:
    """One line for the person, on standard error so that results on standard output stay clean."""
    print(line, file=sys.stderr, flush=True)


class ManualModel:
    """Requests as Markdown pages in `requests_dir`, answers in files beside them.

    interactive: wait for answers (also if the environment has REPROLAB_MANUAL_WAIT=1); otherwise an unanswered
    request ends the run with AwaitingAnswer, to be resumed when the answer is there.
    timeout_s: how long to wait. announce: gets one line for each thing the person should know.
    """

    kind = "manual"

    def __init__(
        self,
        requests_dir: Path,
        *,
        interactive: bool,
        timeout_s: float = 86400,
        announce: Callable[[str], None] = say,
    ):
        self.requests_dir = requests_dir
        self.waits = interactive or os.environ.get(WAIT_VARIABLE) == "1"
        self.timeout_s = timeout_s
        self._announce = announce

    def answer(self, request: AgentRequest, answer_type: type[Model]) -> AgentReply:
        """The person's answer; one already filed is used at once."""
        if not request.answer_schema:
            request = request.model_copy(update={"answer_schema": answer_type.model_json_schema()})
        label = request.position.label()
        page = write_page(
            self.requests_dir, label, request.digest(), request_page(request, self.requests_dir)
        )
        started = time.monotonic()
        announced, tries, rejection = False, 0, ""
        while True:
            found = read_answer(self.requests_dir, label)
            if found is not None:
                tries += 1
                try:
                    answer = _validated(found, answer_type, request)
                except InvalidAnswer as error:
                    if self.waits and not found.settled:
                        tries -= 1  # possibly still being written
                    else:
                        rejection = self._reject(label, found, error.problems)
                else:
                    self._close(label)
                    return AgentReply(
                        answer=answer.model_dump(mode="json"),
                        model="manual",
                        tries=tries,
                        duration_s=time.monotonic() - started,
                        raw=found.text if needed_repair(found.text) else "",
                    )
            if not self.waits:
                raise self._awaiting(label, page, rejection)
            if time.monotonic() - started > self.timeout_s:
                raise self._awaiting(label, page, rejection or f"no answer within {self.timeout_s:g} s")
            if not announced:
                self._announce(f"Waiting for an answer: read {page} and write {label}.answer.json beside it")
                announced = True
            time.sleep(POLL_S)

    def _reject(self, label: str, found: AnswerFile, problems: tuple[str, ...]) -> str:
        rejected = reject(self.requests_dir, label, found.path)
        report = self.requests_dir / f"{label}.problems.md"
        write_atomically(report, problems_page(label, rejected.name, problems))
        self._announce(f"The answer to {label} does not fit: see {report}")
        return f"an answer that does not fit, set aside as {rejected.name}; {report.name} says why"

    def _close(self, label: str) -> None:
        (self.requests_dir / f"{label}.problems.md").unlink(missing_ok=True)

    def _awaiting(self, label: str, page: Path, found: str) -> AwaitingAnswer:
        return AwaitingAnswer(
            f"A request waits for its answer: {page}",
            found=found or "no answer yet",
            allowed=f"one JSON object in {self.requests_dir / f'{label}.answer.json'}",
            fix="write that file and resume the run",
        )


def _validated(found: AnswerFile, answer_type: type[Model], request: AgentRequest) -> Model:
    if found.problem:
        raise InvalidAnswer("The answer file cannot be used.", problems=(found.problem,))
    if request.tools:
        return read_turn(found.text, request.tools, len(request.turns))
    return validate_answer(found.text, answer_type)
