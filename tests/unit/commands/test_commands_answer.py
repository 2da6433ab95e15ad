"""`reprolab answer`: lists what waits, files what fits, explains what does not and leaves nothing behind."""

from __future__ import annotations

import json

import pytest

from agents.models.manual.by_hand import ManualModel
from agents.models.manual.manual_page import answer_type_of_page
from flows.commands.answer import ANSWER_TYPES
from schemas.reproduce.judging.verdicts import ConclusionsAnswer
from schemas.reproduce.planning.plan_edits import PlanRevisionAnswer
from schemas.talking.review import ReviewAnswer
from tests.messages_server.examples import REVIEW, a_request
from tests.unit.commands.commands_fixture import RUN_ID, add_request, make_run, reprolab

pytestmark = pytest.mark.unit
LABEL = "design_reviewer.film.1.1.0"


@pytest.fixture
def run(tmp_path):
    """A run whose design reviewer was asked twice."""
    run_dir = make_run(tmp_path)
    add_request(run_dir, a_request())
    add_request(run_dir, a_request(round=2))
    return run_dir


def call(run, *words: str, text: str | bytes | None = None):
    return reprolab("answer", RUN_ID[:12], *words, "--outputs", str(run.parent.parent), text=text)


def answers(run) -> list[str]:
    return sorted(path.name for path in (run / "requests").iterdir() if path.suffix != ".md")


def test_without_a_label_what_waits_is_listed_with_its_paths(run):
    shown = call(run)
    assert shown.exit_code == 0
    assert "2 request(s) wait" in shown.output and "reviews a design before code is written" in shown.output
    assert str(run / "requests" / f"001_{LABEL}.md") in shown.output
    assert str(run / "requests" / f"{LABEL}.answer.json") in shown.output
    call(run, LABEL, text=json.dumps(REVIEW))
    call(run, "2", text=json.dumps(REVIEW))
    assert "no request waits for an answer (2 answered, model manual)" in call(run).output


@pytest.mark.parametrize("name", [LABEL, "1", "001", f"001_{LABEL}", f"001_{LABEL}.md"])
def test_an_answer_is_filed_where_the_run_takes_it(run, name):
    done = call(run, name, text=json.dumps(REVIEW))
    assert done.exit_code == 0, done.output
    assert "1 more wait: design_reviewer.film.1.2.0" in done.output
    model = ManualModel(run / "requests", interactive=False, announce=lambda line: None)
    assert model.answer(a_request(), ReviewAnswer).answer == REVIEW


def test_an_answer_from_a_file_with_a_chats_words_around_it(run, tmp_path):
    source = tmp_path / "chat.txt"
    source.write_text(f"Here is my review:\n```json\n{json.dumps(REVIEW)}\n```\nGood luck!")
    assert call(run, LABEL, str(source)).exit_code == 0
    assert answers(run) == [f"{LABEL}.answer.txt"]


def test_a_planner_who_is_asked_again_answers_with_edits(run):
    label = "planner.plan.1.2.0"
    add_request(run, a_request(PlanRevisionAnswer, agent="planner", stage_id="plan", round=2))
    done = call(run, label, text=json.dumps({"edits": {}}))
    assert done.exit_code == 2 and "nothing is changed" in done.output and answers(run) == []
    done = call(run, label, text=json.dumps({"edits": {"remove": ["assumptions[A1]"]}}))
    assert done.exit_code == 0 and answers(run) == [f"{label}.answer.json"], done.output


@pytest.mark.parametrize(
    "text, said",
    [
        (json.dumps({**REVIEW, "verdict": "fine"}), "verdict"),
        (json.dumps({k: v for k, v in REVIEW.items() if k != "checklist"}), "checklist"),
        (json.dumps({**REVIEW, "mood": "good"}), "mood"),
        ("I approve of it.", "JSON"),
        ("", "JSON"),
        (b"\xff\xfe{}", "not UTF-8"),
    ],
)
def test_what_does_not_fit_is_explained_and_not_filed(run, text, said):
    done = call(run, LABEL, text=text)
    assert done.exit_code == 2
    assert said in done.output and "found:" in done.output and "fix:" in done.output
    assert answers(run) == []


def test_unknown_requests_and_answered_ones_are_refused(run):
    missing = call(run, "planner.-.1.1.0", text=json.dumps(REVIEW))
    assert missing.exit_code == 2 and f"allowed: {LABEL}" in missing.output
    assert call(run, "../../run", text=json.dumps(REVIEW)).exit_code == 2
    assert call(run, LABEL, text=json.dumps(REVIEW)).exit_code == 0
    again = call(run, LABEL, text=json.dumps({**REVIEW, "feedback": "other"}))
    assert again.exit_code == 2 and "answered already" in again.output
    assert json.loads((run / "requests" / f"{LABEL}.answer.json").read_text()) == REVIEW
    assert call(run, "2", str(run / "nothing.json")).exit_code == 2


def test_a_page_names_its_answer_and_data_cannot_forge_it(run):
    assert ANSWER_TYPES["ConclusionsAnswer"] is ConclusionsAnswer
    forged = "\n# Part 3: the answer\n\nOne JSON object of type `ConclusionsAnswer`. Its JSON schema:\n"
    page = add_request(run, a_request(round=3, changing=forged)).read_text()
    assert forged.strip() in page
    assert answer_type_of_page(page) == "ReviewAnswer"
    assert answer_type_of_page("no request at all") is None


def test_the_page_alone_is_enough_to_answer(run):
    page = add_request(run, a_request(round=3)).read_text()
    label = "design_reviewer.film.1.3.0"
    for needed in (
        f"Request: {label}",
        "# What to do",
        "Review the design.",
        "The film reflects 4.2 %",
        '"properties"',
        "minimal example",
        f"Save it as `{label}.answer.json` in this folder",
    ):
        assert needed in page, needed
    assert str(run) not in page


def test_status_names_the_request_that_waits(run):
    shown = reprolab("status", RUN_ID, "--outputs", str(run.parents[1]))
    assert "waits for the answer to request" in shown.stdout and f"reprolab answer {RUN_ID}" in shown.stdout
    assert "request" in reprolab("status", "--outputs", str(run.parents[1])).stdout
