"""A person with a chat window: readable page, answers picked up, bad answers explained, nothing asked twice."""

from __future__ import annotations

import json
import os
import threading

import pytest

from agents.models import open_model
from agents.models.example import minimal_example
from agents.models.manual.by_hand import ManualModel, file_answer
from agents.models.validation import validate_answer
from schemas.errors import AwaitingAnswer, InputError
from schemas.reproduce.settings import RunSettings
from schemas.reproduce.simulations.design import DesignAnswer
from schemas.run.settings import ModelSettings
from schemas.talking.review import ReviewAnswer
from schemas.talking.transcript import RequestImage
from tests.messages_server.examples import REVIEW, a_request

pytestmark = pytest.mark.unit
LABEL = "design_reviewer.film.1.1.0"


def idle(tmp_path) -> ManualModel:
    return ManualModel(tmp_path / "requests", interactive=False, announce=lambda line: None)


def test_without_an_answer_the_page_is_written_and_the_run_ends_resumable(tmp_path):
    picture = tmp_path / "stages" / "fig.png"
    image = RequestImage(path=str(picture), sha256="", media_type="image/png", caption="R of the film")
    with pytest.raises(AwaitingAnswer) as caught:
        idle(tmp_path).answer(a_request(images=(image,)), ReviewAnswer)
    assert caught.value.exit_code == 3
    assert f"{LABEL}.answer.json" in str(caught.value)
    page = (tmp_path / "requests" / f"001_{LABEL}.md").read_text()
    for part in (
        "Judge by evidence.",
        "Review the design.",
        "draft",
        "4.2 %",
        '"needs_revision"',
        f"Request: {LABEL}",
        '<data title="picture 1">\n\n```\nR of the film\n```\n\n</data>\n\n![picture 1](<../stages/fig.png>)',
    ):
        assert part in page


def test_an_answer_already_there_is_used_at_once_and_pages_keep_their_numbers(tmp_path):
    model = idle(tmp_path)
    for request in (a_request(), a_request(round=2), a_request()):
        with pytest.raises(AwaitingAnswer):
            model.answer(request, ReviewAnswer)
    pages = sorted(path.name for path in (tmp_path / "requests").iterdir())
    assert pages == [f"001_{LABEL}.md", "002_design_reviewer.film.1.2.0.md"]
    path = file_answer(tmp_path / "requests", LABEL, json.dumps(REVIEW))
    assert path.name == f"{LABEL}.answer.json"
    reply = model.answer(a_request(), ReviewAnswer)
    assert (reply.answer, reply.price_usd, reply.model, reply.raw) == (REVIEW, None, "manual", "")


@pytest.mark.parametrize("ending", [".answer.md", ".answer.txt"])
def test_a_pasted_chat_answer_will_do(tmp_path, ending):
    (tmp_path / "requests").mkdir()
    text = f"Sure, here you are:\n```json\n{json.dumps(REVIEW)}\n```\n"
    (tmp_path / "requests" / f"{LABEL}{ending}").write_text(text)
    reply = idle(tmp_path).answer(a_request(), ReviewAnswer)
    assert reply.answer == REVIEW
    assert reply.raw == text


def test_a_bad_answer_is_explained_and_set_aside(tmp_path):
    directory = tmp_path / "requests"
    directory.mkdir()
    for number in (1, 2):
        (directory / f"{LABEL}.answer.json").write_text('{"verdict": "fine"}')
        with pytest.raises(AwaitingAnswer, match="does not fit"):
            idle(tmp_path).answer(a_request(), ReviewAnswer)
        assert (directory / f"{LABEL}.rejected-{number}").read_text() == '{"verdict": "fine"}'
    problems = (directory / f"{LABEL}.problems.md").read_text()
    assert "allowed: 'approve' or 'needs_revision'" in problems
    file_answer(directory, LABEL, json.dumps(REVIEW))
    assert idle(tmp_path).answer(a_request(), ReviewAnswer).answer == REVIEW
    assert not (directory / f"{LABEL}.problems.md").exists()


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.symlink_to(path.parent.parent / "elsewhere.json"),
        lambda path: path.mkdir(),
        lambda path: path.write_bytes(b"\xff\xfe{}"),
    ],
)
def test_hostile_answer_files_are_set_aside(tmp_path, make):
    directory = tmp_path / "requests"
    directory.mkdir()
    (tmp_path / "elsewhere.json").write_text(json.dumps(REVIEW))  # would do, were links followed
    make(directory / f"{LABEL}.answer.json")
    with pytest.raises(AwaitingAnswer, match="does not fit"):
        idle(tmp_path).answer(a_request(), ReviewAnswer)
    assert not os.path.lexists(directory / f"{LABEL}.answer.json")


def test_an_answer_to_a_request_that_changed_since_is_not_used(tmp_path):
    model = idle(tmp_path)
    with pytest.raises(AwaitingAnswer):
        model.answer(a_request(changing="first design"), ReviewAnswer)
    file_answer(tmp_path / "requests", LABEL, json.dumps(REVIEW))
    with pytest.raises(AwaitingAnswer):
        model.answer(a_request(changing="second design"), ReviewAnswer)
    names = {path.name for path in (tmp_path / "requests").iterdir()}
    assert names == {f"001_{LABEL}.md", f"{LABEL}.answer.json.outdated-1"}


def test_waiting_rejects_then_takes_the_corrected_answer(tmp_path, monkeypatch):
    monkeypatch.setattr("agents.models.manual.by_hand.POLL_S", 0.01)
    directory, said = tmp_path / "requests", []
    asked = threading.Event()

    def announce(line: str) -> None:
        said.append(line)
        if "Waiting" in line:
            bad = directory / f"{LABEL}.answer.json"
            bad.write_text("{}")
            os.utime(bad, (1, 1))  # written long ago, so not half an answer
            asked.set()
        else:
            file_answer(directory, LABEL, json.dumps(REVIEW))

    reply = ManualModel(directory, interactive=True, timeout_s=20, announce=announce).answer(
        a_request(), ReviewAnswer
    )
    assert asked.is_set()
    assert (reply.answer, reply.tries) == (REVIEW, 2)
    assert len(said) == 2


def test_waiting_lets_a_half_written_answer_be_finished(tmp_path, monkeypatch):
    monkeypatch.setattr("agents.models.manual.by_hand.POLL_S", 0.01)
    directory = tmp_path / "requests"
    directory.mkdir()
    path = directory / f"{LABEL}.answer.json"
    path.write_text(json.dumps(REVIEW)[:20])

    def finish(_: str) -> None:
        path.write_text(json.dumps(REVIEW))

    reply = ManualModel(directory, interactive=True, timeout_s=20, announce=finish).answer(
        a_request(), ReviewAnswer
    )
    assert (reply.answer, reply.tries) == (REVIEW, 1)


def test_waiting_ends_with_its_time_out(tmp_path, monkeypatch):
    monkeypatch.setattr("agents.models.manual.by_hand.POLL_S", 0.01)
    monkeypatch.setenv("REPROLAB_MANUAL_WAIT", "1")
    model = ManualModel(tmp_path, interactive=False, timeout_s=0.05, announce=lambda line: None)
    with pytest.raises(AwaitingAnswer, match=r"no answer within 0\.05 s"):
        model.answer(a_request(), ReviewAnswer)


@pytest.mark.parametrize(
    ("label", "text", "said"),
    [
        ("planner.-.1.1.0", "{}", "no such request"),
        ("../../x", "{}", "file name"),
        (LABEL, "no", "no JSON object"),
    ],
)
def test_filing_an_answer_checks_label_and_text(tmp_path, label, text, said):
    with pytest.raises(AwaitingAnswer):
        idle(tmp_path).answer(a_request(), ReviewAnswer)
    with pytest.raises(InputError, match=said):
        file_answer(tmp_path / "requests", label, text)


def test_filing_twice_is_refused_and_a_page_name_is_a_label(tmp_path):
    with pytest.raises(AwaitingAnswer):
        idle(tmp_path).answer(a_request(), ReviewAnswer)
    file_answer(tmp_path / "requests", f"001_{LABEL}.md", json.dumps(REVIEW))
    with pytest.raises(InputError, match="answered already"):
        file_answer(tmp_path / "requests", LABEL, json.dumps(REVIEW))


def test_a_stage_name_cannot_leave_the_folder(tmp_path):
    with pytest.raises(InputError, match="file name"):
        idle(tmp_path).answer(a_request(stage_id="../../etc"), ReviewAnswer)


def test_the_example_has_the_right_shape():
    example = minimal_example(DesignAnswer.model_json_schema())
    assert validate_answer(example, DesignAnswer).design is not None


def test_open_model_takes_the_time_out_of_the_settings(tmp_path):
    settings = RunSettings(model=ModelSettings(kind="manual"))
    model = open_model(settings, transcript=None, requests_dir=tmp_path, interactive=False)
    assert isinstance(model, ManualModel)
    assert model.timeout_s == settings.limits.user_timeout_s
