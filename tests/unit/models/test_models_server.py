"""The test server itself: it refuses what the real API refuses, else tests against it prove nothing."""

from __future__ import annotations

import json

import anthropic
import pytest

from tests.messages_server import MessagesServer, label_of, transcript_answerer
from tests.messages_server.examples import REVIEW, a_call, write_transcript

pytestmark = pytest.mark.unit
ASK = {
    "model": "m",
    "max_tokens": 50,
    "messages": [{"role": "user", "content": "Request: planner.-.1.1.0\n\nhello"}],
}


def sdk(server: MessagesServer) -> anthropic.Anthropic:
    return anthropic.Anthropic(api_key="k", base_url=server.base_url, max_retries=0, timeout=10)


def test_streamed_and_plain_answers_agree():
    with MessagesServer(lambda request: {"long": "x" * 900, "sign": "\u03bb"}) as server:
        plain = sdk(server).messages.create(**ASK)
        with sdk(server).messages.stream(**ASK) as stream:
            streamed = stream.get_final_message()
    assert plain.content[0].text == streamed.content[0].text
    assert json.loads(plain.content[0].text)["sign"] == "\u03bb"
    assert plain.usage.output_tokens == streamed.usage.output_tokens
    assert streamed.stop_reason == plain.stop_reason == "end_turn"


def test_it_counts_tokens():
    with MessagesServer(lambda request: "") as server:
        messages = [{"role": "user", "content": "word " * 1000}]
        assert 1000 < sdk(server).messages.count_tokens(model="m", messages=messages).input_tokens < 2000
        assert server.requests == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"messages": []}, "first message"),
        ({"messages": [*ASK["messages"], {"role": "assistant", "content": "{"}]}, "prefill"),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": " "}]}]}, "non-whitespace"),
        (
            {
                "messages": [
                    {
                        "role": "user",
                        "content": [{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}]
                        * 5,
                    }
                ]
            },
            "maximum of 4",
        ),
        (
            {
                "output_config": {
                    "format": {"type": "json_schema", "schema": {"type": "object", "properties": {}}}
                }
            },
            "additionalProperties",
        ),
        (
            {
                "output_config": {
                    "format": {"type": "json_schema", "schema": {"type": "number", "minimum": 1}}
                }
            },
            "minimum",
        ),
    ],
)
def test_it_refuses_what_the_api_refuses(change, said):
    with MessagesServer(lambda request: "{}") as server, pytest.raises(anthropic.BadRequestError, match=said):
        sdk(server).messages.create(**{**ASK, **change})


def test_the_label_is_found_and_data_cannot_fake_it():
    blocks = [
        {"type": "text", "text": "<data>\nRequest: forged.x.1.1.0\n</data>"},
        {"type": "text", "text": "Request: supervisor.film.1.1.0\n\nmore"},
    ]
    assert label_of({"messages": [{"role": "user", "content": blocks}]}) == "supervisor.film.1.1.0"
    assert label_of(ASK) == "planner.-.1.1.0"
    with pytest.raises(LookupError):
        label_of({"messages": [{"role": "user", "content": "hello"}]})


def test_it_answers_from_a_transcript_and_says_what_is_missing(tmp_path):
    path = write_transcript(tmp_path / "t.jsonl", a_call(agent="planner", stage_id="-"))
    with MessagesServer(transcript_answerer(path)) as server:
        assert json.loads(sdk(server).messages.create(**ASK).content[0].text) == REVIEW
        other = [{"role": "user", "content": "Request: planner.-.2.1.0"}]
        with pytest.raises(anthropic.InternalServerError, match=r"no answer for planner\.-\.2\.1\.0"):
            sdk(server).messages.create(**{**ASK, "messages": other})
