"""Who answers second is told so, and by whom it was answered."""

from __future__ import annotations

import io
import json
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.questions import attendant, open_questions
from flows.questions.attendant import Attendant
from flows.questions.open_questions import check_answers, describe, hand_over, handed_over, noted_as_open
from flows.questions.pending import PENDING, Pending, announced
from flows.run.records import process_at, run_lock
from flows.terminal.console import Console
from schemas.errors import InputError
from schemas.talking.interaction import Choice, Question

pytestmark = pytest.mark.unit
QUESTION = Question(
    question_id="material-checkpoint-2",
    kind="material_checkpoint",
    title="Are the materials right?",
    body="",
    choices=(Choice(name="approve", effect="go on"), Choice(name="stop", effect="end")),
)


def test_an_answer_to_a_question_that_is_answered_says_by_whom(tmp_path):
    entry = {
        "kind": "question",
        "request": {"question_id": "material-checkpoint-1"},
        "answer": {"choice": "need_help", "answered_by": "web"},
    }
    (tmp_path / "transcript.jsonl").write_text("{}\nno json\n" + json.dumps(entry) + "\n")
    with noted_as_open(tmp_path, QUESTION):
        with pytest.raises(InputError, match="material-checkpoint-1 is already answered") as caught:
            check_answers(tmp_path, (("material-checkpoint-1", "approve"),))
        assert caught.value.found == "need_help, in the browser"
        assert caught.value.allowed == "questions that wait: material-checkpoint-2"
        check_answers(tmp_path, (("material-checkpoint-2", "approve"), ("material_checkpoint", "approve")))
    check_answers(tmp_path, (("deadlock-1", "stop"),))  # one that may still come


def _answered(folder: Path, *entries: tuple[str, str, str]) -> None:
    lines = [
        json.dumps(
            {
                "kind": "question",
                "request": {"question_id": name, "kind": kind},
                "answer": {"choice": choice, "answered_by": "terminal"},
            }
        )
        for name, kind, choice in entries
    ]
    (folder / "transcript.jsonl").write_text("\n".join(lines) + "\n")
    (folder / "run.json").write_text("{}")


CHECKPOINTS = st.lists(st.sampled_from(("approve", "need_help", "change_database")), min_size=1, max_size=3)


@given(CHECKPOINTS, st.sampled_from(("approve", "stop", "need_help")), st.booleans())
def test_an_answer_that_changes_nothing_says_so_with_what_would(given_before, new, more):
    """A kind that was answered otherwise and does not wait; the last question can be asked anew by one command."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder)
        entries = [
            (f"material-checkpoint-{n}", "material_checkpoint", choice)
            for n, choice in enumerate(given_before, 1)
        ]
        _answered(run, *entries, *([("general-1", "general_feedback", "continue")] if more else []))
        told = check_answers(run, (("material_checkpoint", new), ("deadlock", "stop")))
        if new == given_before[-1]:
            assert told == ()
            return
        [line] = told
        assert (
            f"material_checkpoint={new} changes nothing of {entries[-1][0]}, which was answered {given_before[-1]}"
            in line
        )
        assert ("reprolab checkpoints" in line) == more
        assert more or f"--from-checkpoint before_ask_user --answer material_checkpoint={new}" in line
        with noted_as_open(run, QUESTION):
            if new != "need_help":  # no choice of that question
                assert check_answers(run, (("material_checkpoint", new),)) == ()


@pytest.mark.parametrize(
    ("workflow", "fix"),
    [
        ("reproduce", "--from-checkpoint before_ask_user --answer after_ideas=approve"),
        ("explore", "start a new run"),
    ],
)
def test_a_stopped_run_names_a_way_that_works(workflow: str, fix: str, tmp_path: Path) -> None:
    _answered(tmp_path, ("after-ideas", "after_ideas", "stop"))
    (tmp_path / "run.json").write_text(json.dumps({"workflow": workflow}))
    with pytest.raises(InputError, match="was stopped by the answer to after-ideas") as caught:
        check_answers(tmp_path, (("after_ideas", "approve"),))
    assert fix in str(caught.value.fix)


@pytest.mark.parametrize(
    "taken, by",
    [({"choice": "stop", "text": "no gold"}, "web"), ({"choice": "approve", "text": ""}, "terminal")],
)
def test_the_terminal_says_what_was_answered_in_the_browser(taken, by, tmp_path, monkeypatch):
    """The answer typed here comes to a run that the browser's has resumed a moment before."""
    said, waiting = io.StringIO(), Pending(QUESTION, "00000000-0000-0000-0000-000000000000", tmp_path)

    def resume(*_: object, **__: object) -> None:
        waiting.taken = taken
        PENDING.clear()
        if by == "web":
            raise RuntimeError("Cannot resume a run that is not paused")

    monkeypatch.setattr(attendant, "read_answer", lambda *_: "approve")
    monkeypatch.setattr(attendant, "resume_flow_run", resume)
    with announced(waiting):
        Attendant(Console(said), io.StringIO(), said)._attend(waiting)
    assert waiting.answered_by == by
    assert ("(already answered in the browser: stop: no gold)" in said.getvalue()) == (by == "web")


def test_status_names_what_works_while_the_run_lives_and_after(tmp_path: Path) -> None:
    assert process_at(tmp_path) == ""
    with run_lock(tmp_path):
        told = describe(tmp_path, QUESTION, process_at(tmp_path))
        assert f"process {os.getpid()}" in told and "in its terminal, with the link" in told
        assert f"reprolab answer {tmp_path.name} material_checkpoint approve" in told
    told = describe(tmp_path, QUESTION, process_at(tmp_path))
    command = f"reprolab resume {tmp_path.name} --answer material_checkpoint=approve"
    assert f"{command} --outputs {tmp_path.parents[1]}" in told.partition("  answer it: ")[2]


def test_an_answer_is_handed_to_who_waits_or_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_questions, "TAKEN_S", 0.2)
    with pytest.raises(InputError, match="no answer to"):
        hand_over(tmp_path, QUESTION, "perhaps")
    assert not hand_over(tmp_path, QUESTION, "approve") and handed_over(tmp_path, QUESTION) is None
    link = tmp_path / "open_questions" / f"{QUESTION.question_id}.answer"
    link.symlink_to("/etc/hostname")
    assert handed_over(tmp_path, QUESTION) is None
    link.unlink()
    link.write_text("stop")
    assert handed_over(tmp_path, QUESTION) == "stop" and not link.exists()
