"""Whatever a model answers is used, or goes back to it: thousands of mutations of every agent's answers."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.models.errors import InvalidAnswer
from agents.models.strict_json import find_object
from agents.models.validation import validate_answer
from schemas.base import canonical_json
from tests.mutations import EVERYONE, IN_ALL, SHARES, answers_of, changed, mutations

pytestmark = pytest.mark.unit


@pytest.mark.attack(
    "answers", "taken, or refused with every fault named; what is taken can be kept and read again"
)
@pytest.mark.parametrize("name", sorted(EVERYONE))
@pytest.mark.parametrize("share", SHARES)
def test_any_answer_is_taken_or_goes_back_to_its_agent(name: str, share: int) -> None:
    agent = EVERYONE[name]

    @mutations(name, max(IN_ALL // len(EVERYONE) // share, 10))
    @given(changed(answers_of(agent)))
    def held(given_answer: object) -> None:
        raw = json.dumps(given_answer)
        try:
            found = validate_answer(raw, agent.answer)
        except InvalidAnswer as error:
            assert error.problems and len(error.text()) < 30_000
            return
        kept = json.loads(
            json.dumps(found.model_dump(mode="json"), allow_nan=False)
        )  # as Prefect keeps and gives it
        again = agent.answer.model_validate(kept)
        assert again == found and canonical_json(again) == canonical_json(found)

    held()


@pytest.mark.attack("answers", "a ValueError, nothing else, for any text")
@mutations("text", 300)
@given(
    st.text()
    | st.text(alphabet='{}[]",:0123456789.eE+-\\u`\n ').map(lambda text: "{" + text + "}")
    | st.binary().map(lambda raw: raw.decode("latin-1"))
)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found, _ = find_object(text)
    except ValueError:
        return
    assert isinstance(found, dict)
