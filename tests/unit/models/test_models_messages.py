"""The Messages API client against a real local server: what is sent, what comes back, what it costs."""

from __future__ import annotations

import json

import pytest

from agents.models import FatalModelError, InvalidAnswer, open_model
from agents.models.messages.messages_api import MessagesModel
from schemas.reproduce.settings import RunSettings
from schemas.run.settings import ModelSettings
from schemas.talking.review import ReviewAnswer
from tests.messages_server import Fault, MessagesServer, answers_by_label
from tests.messages_server.examples import REVIEW, a_request

pytestmark = pytest.mark.unit
ANSWERS = {
    "design_reviewer.film.1.1.0": REVIEW,
    "design_reviewer.film.1.2.0": {**REVIEW, "feedback": "again"},
}


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch):
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def serve(*faults: Fault | None, answerer=None, **options) -> MessagesServer:
    return MessagesServer(answerer or answers_by_label(ANSWERS), faults, **options)


def client(server: MessagesServer, **settings) -> MessagesModel:
    return MessagesModel(
        ModelSettings(kind="anthropic", base_url=server.base_url, **{"timeout_s": 20, **settings})
    )


def test_an_answer_comes_back_validated_with_usage_and_price():
    with serve() as server:
        reply = client(server).answer(a_request(), ReviewAnswer)
    assert reply.answer == REVIEW
    assert (reply.tries, reply.notes, reply.raw, reply.model) == (1, (), "", "claude-opus-5-5")
    assert reply.usage.input_tokens and reply.usage.output_tokens and reply.usage.cache_write_tokens
    assert isinstance(reply.price_usd, float)
    assert reply.price_usd > 0
    sent = server.requests[0]
    assert sent["stream"] is True
    assert sent["output_config"]["format"]["schema"]["properties"].keys() == ReviewAnswer.model_fields.keys()
    assert "temperature" not in sent and "thinking" not in sent


def test_a_temperature_is_sent_and_left_out_where_the_model_refuses_it():
    warm = a_request().model_copy(update={"temperature": 0.4})
    with serve() as server:
        assert client(server).answer(warm, ReviewAnswer).answer == REVIEW
        assert server.requests[0]["temperature"] == 0.4
    with serve(tempered=False) as server:
        model = client(server)
        reply = model.answer(warm, ReviewAnswer)
        assert reply.answer == REVIEW and "no temperature is sent" in reply.notes[0]
        model.answer(warm, ReviewAnswer)
        assert ["temperature" in sent for sent in server.requests] == [True, False, False]


def test_rules_and_paper_are_cached_across_rounds():
    with serve() as server:
        model = client(server)
        first = model.answer(a_request(), ReviewAnswer)
        second = model.answer(a_request(round=2, changing="other draft"), ReviewAnswer)
    assert second.answer["feedback"] == "again"
    assert second.usage.cache_read_tokens == first.usage.cache_write_tokens > 500
    assert second.price_usd < first.price_usd


def test_an_unknown_model_costs_unknown():
    with serve() as server:
        assert client(server).answer(a_request(model_name="qwen3:32b"), ReviewAnswer).price_usd == "unknown"


@pytest.mark.parametrize("kind", ["schema_violation", "malformed_json", "empty", "refusal", "max_tokens"])
def test_an_unusable_answer_is_tried_again_and_both_are_paid(kind):
    with serve() as server:
        once = client(server).answer(a_request(), ReviewAnswer)
    with serve(Fault(kind)) as server:
        reply = client(server).answer(a_request(), ReviewAnswer)
    assert (reply.answer, reply.tries) == (REVIEW, 2)
    assert reply.notes[0].startswith("try 1: ")
    assert reply.price_usd > once.price_usd
    again = server.requests[1]["messages"]
    told = json.dumps(again[-1])
    assert "Your last answer cannot be used" in told
    if kind == "schema_violation":
        assert "no_such_field: no such field; allowed: verdict" in told
        assert [message["role"] for message in again] == ["user", "assistant", "user"]
    if kind == "max_tokens":
        assert server.requests[1]["max_tokens"] == 2 * server.requests[0]["max_tokens"]


def test_tries_used_up_is_an_invalid_answer_with_raw_text_problems_and_bill():
    with serve(*[Fault("schema_violation")] * 3) as server, pytest.raises(InvalidAnswer) as caught:
        client(server).answer(a_request(), ReviewAnswer)
    error = caught.value
    assert len(server.requests) == error.tries == 3
    assert error.raw == '{"no_such_field": 1}'
    assert any("no_such_field" in problem for problem in error.problems)
    assert error.usage.input_tokens and error.price_usd > 0


def test_prose_around_the_answer_is_forgiven_and_kept():
    text = f"Here is my review:\n```json\n{json.dumps(REVIEW)}\n```"
    with serve(answerer=lambda request: text) as server:
        reply = client(server).answer(a_request(), ReviewAnswer)
    assert (reply.answer, reply.tries, reply.raw) == (REVIEW, 1, text)


def test_a_server_without_structured_output_gets_the_schema_in_words_once():
    with serve(structured=False) as server:
        model = client(server)
        reply = model.answer(a_request(), ReviewAnswer)
        model.answer(a_request(round=2), ReviewAnswer)
    assert reply.answer == REVIEW
    assert "refuses structured output" in reply.notes[0]
    assert ["output_config" in request for request in server.requests] == [True, False, False]
    assert "The JSON schema of the answer" in json.dumps(server.requests[1]["messages"])


def test_the_key_is_sent_and_only_needed_without_base_url(monkeypatch):
    with pytest.raises(FatalModelError) as caught:
        open_model(
            RunSettings(model=ModelSettings(kind="anthropic")),
            transcript=None,
            requests_dir=None,
            interactive=False,
        )
    assert caught.value.reason == "authentication"
    assert "ANTHROPIC_API_KEY" in str(caught.value)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    with serve(api_key="sk-test") as server:
        assert client(server).answer(a_request(), ReviewAnswer).answer == REVIEW


def test_a_wrong_key_is_fatal_and_not_repeated_in_the_message(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-wrong-secret")
    with serve(api_key="sk-right") as server, pytest.raises(FatalModelError) as caught:
        client(server).answer(a_request(), ReviewAnswer)
    assert caught.value.reason == "authentication"
    assert "sk-wrong-secret" not in str(caught.value)
    assert len(server.requests) == 1


def test_an_address_that_is_no_url_is_refused_at_once():
    with pytest.raises(FatalModelError, match="no usable URL"):
        MessagesModel(ModelSettings(kind="anthropic", base_url="localhost:11434"))
