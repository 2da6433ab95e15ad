"""Answers to questions as people write them: parsed, checked against the question, found among those given beforehand."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from schemas.errors import InputError
from schemas.run.pasted import on_run
from schemas.talking.interaction import AGENT_QUESTIONS, ONCE, Question, UserAnswer, UserInteraction

LONGEST_WORDS = 20_000
# "approve", given before anything was known, is no answer to a failed check, nor to the same materials sent back.
APPROVE_FAILED, APPROVE_AGAIN = "approve_failed", "approve_again"


def parse_answer(question: Question, text: str, answered_by: str) -> UserAnswer:
    """`choice` or `choice: words`. Raises InputError naming the choices."""
    choice, _, words = text.strip().partition(":")
    return checked(question, UserAnswer(choice=choice.strip(), text=words.strip(), answered_by=answered_by))


def checked(question: Question, answer: UserAnswer) -> UserAnswer:
    """The answer, if it is one of the question's choices."""
    names = [choice.name for choice in question.choices]
    if answer.choice not in names:
        meant = next((name for name in names if answer.choice.startswith(f"{name} ")), names[0])
        raise InputError(
            f"{answer.choice!r} is no answer to {question.title!r}",
            found=answer.choice,
            allowed=", ".join(names),
            fix=f"choose one of them; words may follow after a colon: '{meant}: your words'",
        )
    if answer.choice in ("change_database", "change_material") and "=" not in answer.text:
        raise InputError(
            f"{answer.choice} needs to know what to use",
            found=answer.text or "nothing",
            allowed="material=shelf/book/page (gold=main/Au/Olmon-ev), table:file.csv, 2.1+0.3i@633nm, a model",
            fix=f"answer {answer.choice}: gold=main/Au/Olmon-ev",
        )
    choice = question.choices[names.index(answer.choice)]
    if choice.one_of:
        first, rest = (re.split(r"[\s,;:]+", answer.text, maxsplit=1) + [""])[:2]
        if first and first not in choice.one_of:
            raise InputError(
                f"{answer.choice} does not know {first!r}",
                found=first,
                allowed=", ".join(choice.one_of),
                fix=f"answer {answer.choice}: {choice.one_of[0]}",
            )
        answer = answer.model_copy(update={"text": f"{first or choice.one_of[0]} {rest}".strip()})
    if choice.some_of:
        names = answer.text.replace(",", " ").split()
        if not names or not {*names} <= {*choice.some_of, *choice.parts}:
            raise InputError(
                f"{answer.choice} needs to know which",
                found=answer.text or "nothing",
                allowed=", ".join(choice.some_of),
                fix=f"answer {answer.choice}: {', '.join(choice.some_of)}, or some of them",
            )
    if choice.needs_words and not answer.text:
        raise InputError(
            f"{answer.choice} needs your words",
            found="nothing",
            allowed=choice.effect,
            fix=f"answer {answer.choice}: and what you want to say",
        )
    if len(answer.text) > LONGEST_WORDS:
        raise InputError(
            "the answer is too long",
            found=f"{len(answer.text)} characters",
            allowed=f"{LONGEST_WORDS}",
            fix="say it shorter; it is shown to an agent with every later request",
        )
    return answer


def given_beforehand(
    answers: tuple[tuple[str, str], ...], question: Question, asked: tuple[UserInteraction, ...]
) -> str | None:
    """The answer that settings hold for a question, by its id or its kind; None when a person has to be asked.

    An answer that starts something again (a correction, a retry, guidance) serves as often as it was given; given
    for ever it would loop for ever. Of the others the last one given serves every question of its kind.
    """
    exact = [text for name, text in answers if name == question.question_id]
    if exact:
        return exact[-1]
    texts = [text for name, text in answers if name == question.kind]
    if question.kind in AGENT_QUESTIONS:  # another agent's choices have other names
        names = {choice.name for choice in question.choices}
        texts = [text for text in texts if text.partition(":")[0].strip() in names]
    if (
        question.kind == "material_checkpoint"
    ):  # one of the approvals is a choice; the others were meant for other materials
        other = {"approve", APPROVE_FAILED, APPROVE_AGAIN} - {choice.name for choice in question.choices}
        texts = [text for text in texts if text.partition(":")[0].strip() not in other]
    used = Counter(
        entry.user_response
        for entry in asked
        if entry.interaction_type == question.kind and entry.answered_by == "given beforehand"
    )
    for text in texts:
        choice, _, words = (part.strip() for part in text.partition(":"))
        if choice in ONCE and used[choice + (f": {words}" if words else "")] < texts.count(text):
            return text
    lasting = [text for text in texts if text.partition(":")[0].strip() not in ONCE]
    return lasting[-1] if lasting else None


def answer_command(run_dir: Path, question: Question, *, living: bool = False) -> str:
    """The command that answers a question and goes on; living: of a run that a process waits with."""
    name = question.question_id if question.kind in AGENT_QUESTIONS else question.kind
    first = question.choices[0]
    answer = first.name + (f": {', '.join(first.some_of)}" if first.some_of else "")
    if living:
        return on_run(run_dir, "answer", name, answer)
    return on_run(run_dir, "resume", "--answer", f"{name}={answer}")
