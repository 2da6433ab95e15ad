"""A model's text becomes an answer, or problems a person can act on."""

from __future__ import annotations

import json
import pickle

import pytest

from agents.models import FatalModelError, InvalidAnswer, TransientModelError, validate_answer
from agents.models.validation import needed_repair
from schemas.reproduce.planning.plan import PlannerAnswer
from schemas.reproduce.simulations.design import CodeAnswer, DesignAnswer
from schemas.talking.review import ReviewAnswer
from schemas.talking.transcript import Usage
from tests.messages_server.examples import REVIEW

pytestmark = pytest.mark.unit
TEXT = json.dumps(REVIEW)


@pytest.mark.parametrize(
    "raw",
    [
        TEXT,
        f"\ufeff  {TEXT}\n",
        f"```json\n{TEXT}\n```",
        f"Here it is:\n\n```\n{json.dumps(REVIEW, indent=2)}\n```\nDone.",
        f"My review is {TEXT} as asked.",
        REVIEW,
    ],
)
def test_accepts_one_object_bare_fenced_or_in_prose(raw):
    assert validate_answer(raw, ReviewAnswer).model_dump(mode="json") == REVIEW


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("", "empty"),
        ("I cannot say.", "no JSON object"),
        ("[1, 2]", "list"),
        (f"```json\n{TEXT}\n```\n\n```json\n{TEXT}\n```", "2 fenced"),
        (f"{TEXT}\n{TEXT}", "Extra data"),
        (TEXT[:-3], "malformed"),
        (TEXT.replace('"feedback": ""', '"feedback": NaN'), "NaN"),
        (TEXT.replace('"feedback": ""', '"feedback": 1e999'), "too large"),
        (TEXT.replace('"feedback": ""', '"feedback": "", "verdict": "approve"'), "twice"),
        ("[" * 100_000, "list"),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "deeply"),
        (b"{}", "bytes"),
        ({"feedback": float("nan")}, "not plain JSON"),
        (None, "NoneType"),
    ],
)
def test_refuses_what_is_not_exactly_one_object(raw, said):
    with pytest.raises(InvalidAnswer) as caught:
        validate_answer(raw, ReviewAnswer)
    assert said in caught.value.problems[0]


def test_a_broken_answer_never_passes_as_the_fragment_inside_it():
    # Every field of DesignAnswer is optional, so a stray {} inside broken JSON would be a "valid" answer.
    with pytest.raises(InvalidAnswer, match="malformed"):
        validate_answer('{"design": {} "experiment": null}', DesignAnswer)


def test_problems_name_field_found_and_allowed():
    bad = {
        **REVIEW,
        "verdict": "fine",
        "isues": [],
        "issues": [{"severity": "minor", "where": "x", "descr": "y"}],
    }
    del bad["feedback"]
    with pytest.raises(InvalidAnswer) as caught:
        validate_answer(bad, ReviewAnswer)
    problems = "\n".join(caught.value.problems)
    assert "verdict: found \"fine\"; allowed: 'approve' or 'needs_revision'" in problems
    assert "issues[0].descr: no such field; allowed: severity, where, description, fix" in problems
    assert "isues: no such field; allowed: verdict, issues" in problems
    assert "feedback: missing" in problems


def test_numbers_given_as_text_are_not_mended():
    with pytest.raises(InvalidAnswer) as caught:
        validate_answer({"estimated_cpu_s": "12", "code": "pass"}, CodeAnswer)
    assert caught.value.problems == ('estimated_cpu_s: found "12"; allowed: a valid number',)


def test_many_problems_are_counted_not_listed():
    plan = {"plan": {}, "extracted_parameters": [{}] * 20, "assumptions": []}
    with pytest.raises(InvalidAnswer) as caught:
        validate_answer(plan, PlannerAnswer)
    assert len(caught.value.problems) == 21
    assert caught.value.problems[-1].endswith("more")


def test_repair_is_noticed():
    assert not needed_repair(TEXT)
    assert needed_repair(f"Here: {TEXT}")


@pytest.mark.parametrize(
    "error",
    [
        TransientModelError(
            "busy", found="HTTP 429", fix="wait", retry_after_s=3.5, usage=Usage(input_tokens=7)
        ),
        FatalModelError("no key", reason="authentication"),
        InvalidAnswer(
            "no fit",
            raw="{}",
            problems=("a: missing",),
            usage=Usage(output_tokens=2),
            price_usd="unknown",
            tries=3,
        ),
    ],
)
def test_errors_survive_pickling(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
