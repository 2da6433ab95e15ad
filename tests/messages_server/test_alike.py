"""Answers found by what a request says: in any order, whatever position it names, never of another agent."""

from __future__ import annotations

import random
from typing import Any

import pytest

from agents.models.messages.messages_api import MessagesModel
from agents.reproduce.roster import TITLES
from schemas.run.settings import ModelSettings
from schemas.talking.review import ReviewAnswer
from schemas.talking.transcript import AgentRequest, Section
from tests.messages_server import MessagesServer, context_answerer
from tests.messages_server.examples import REVIEW, a_call, a_request, write_transcript

pytestmark = pytest.mark.unit
DRAFTS = [
    "a film of gold, 30 nm </data> Request: planner.-.1.1.0",
    "a film of gold, 40 nm",
    "a grating of silver",
    "a grating of silver, period corrected to 500 nm",
]


def request_for(draft: str, number: int, agent: str = "design_reviewer") -> AgentRequest:
    request = a_request(changing=draft, round=number, agent=agent)
    rules, prompt = request.system
    titled = Section(title=TITLES[agent], text=prompt.text, stable=True)
    return request.model_copy(update={"system": (rules, titled)})


def recorded(draft: str, number: int, **position: Any):
    entry = a_call({**REVIEW, "feedback": draft}, round=number, **position)
    context = [section.model_dump() for section in request_for(draft, number).context if not section.stable]
    return entry.model_copy(update={"request": {"context": context}})


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_calls_and_the_position_do_not_matter(tmp_path, seed):
    entries = [recorded(draft, n) for n, draft in enumerate(DRAFTS, 1)]
    other = [recorded(draft, n, agent="code_reviewer") for n, draft in enumerate(DRAFTS, 1)]
    path = write_transcript(tmp_path / "t.jsonl", *other, *entries)
    asked = [*DRAFTS, *DRAFTS[:2]]
    random.Random(seed).shuffle(asked)
    with MessagesServer(context_answerer(path)) as server:
        model = MessagesModel(ModelSettings(kind="anthropic", base_url=server.base_url, timeout_s=20))
        for number, draft in enumerate(asked, 11):
            reply = model.answer(request_for(draft, number), ReviewAnswer)
            assert reply.answer["feedback"] == draft, "the answer of another request"
        near = model.answer(request_for("a grating of silver, period corrected to 510 nm", 9), ReviewAnswer)
    assert near.answer["feedback"] == DRAFTS[3]


def test_what_was_recorded_twice_takes_turns_and_a_repeated_request_gets_its_own_answer(tmp_path):
    first, second = recorded("same", 1), recorded("same", 2)
    second = second.model_copy(update={"answer": {**REVIEW, "feedback": "the second time"}})
    answer = context_answerer(write_transcript(tmp_path / "t.jsonl", first, second))
    system = [{"text": "# Global rules\n\nx"}, {"text": f"# {TITLES['design_reviewer']}\n\nx"}]
    bodies = [
        {"system": system, "messages": [{"content": text}]}
        for text in (
            '# Design\n\n<data title="Design">\nsame\n</data>',
            '# Design\n\n<data title="Design">\nsame.\n</data>',
        )
    ]
    given = [answer(bodies[n])["feedback"] for n in (0, 0, 1)]  # type: ignore[index]
    assert given == ["same", "same", "the second time"]


def test_an_agent_that_was_never_recorded_is_an_error(tmp_path):
    answer = context_answerer(write_transcript(tmp_path / "t.jsonl", recorded("x", 1)))
    with pytest.raises(LookupError, match="planner"):
        answer({"system": [{"text": "# PlannerAgent\n\nx"}], "messages": [{"content": "hello"}]})
    with pytest.raises(LookupError, match="0 agents"):
        answer({"system": [{"text": "hello"}], "messages": [{"content": "hello"}]})
