"""The loop that plan, design and code share, and answers given beforehand to the questions at its limit."""

from __future__ import annotations

import pytest

from flows.calls.review import LimitDecision, review_loop
from flows.questions.answers import checked, given_beforehand
from schemas.errors import InputError
from schemas.talking.interaction import Choice, Question, UserAnswer, UserInteraction
from schemas.talking.review import ReviewAnswer

pytestmark = pytest.mark.unit


class Bench:
    """Produces version numbers and approves the one wanted; 0 for never."""

    def __init__(self, wanted: int, *decisions: LimitDecision):
        self.wanted, self.decisions = wanted, list(decisions)
        self.made: list[tuple[str, int]] = []
        self.sent_back: list[int] = []

    def produce(self, feedback: str, revisions: int) -> int:
        self.made.append((feedback, revisions))
        return len(self.made)

    def review(self, version: int) -> ReviewAnswer:
        good = version == self.wanted
        return ReviewAnswer(
            verdict="approve" if good else "needs_revision",
            issues=(),
            checklist=("looked",),
            feedback="" if good else f"version {version} is wrong",
        )

    def run(self, limit: int, feedback: str = "", sent_back: int = 0) -> tuple[int, bool, ReviewAnswer]:
        return review_loop(
            self.produce,
            self.review,
            limit=limit,
            feedback=feedback,
            sent_back=sent_back,
            on_revision=lambda _, count: self.sent_back.append(count),
            on_limit=lambda *_: self.decisions.pop(0),
        )


def test_the_first_version_may_do() -> None:
    bench = Bench(1)
    assert bench.run(3, "from the supervisor")[:2] == (1, True)
    assert bench.made == [("from the supervisor", 0)] and bench.sent_back == []


def test_feedback_reaches_the_next_version() -> None:
    bench = Bench(3)
    assert bench.run(3)[:2] == (3, True)
    assert bench.made == [("", 0), ("version 1 is wrong", 1), ("version 2 is wrong", 2)]
    assert bench.sent_back == [1, 2]


@pytest.mark.parametrize(("limit", "before"), [(1, 0), (3, 0), (3, 1), (3, 2), (3, 3)])
def test_a_person_is_asked_when_exactly_the_limit_was_sent_back(limit: int, before: int) -> None:
    """Limit 3: the third version sent back is the last; those of an earlier loop of the stage count as well."""
    bench = Bench(0, LimitDecision("stop"))
    versions = max(1, limit - before)
    assert bench.run(limit, sent_back=before)[:2] == (versions, False)
    assert bench.sent_back[-1] == before + versions and bench.decisions == []


def test_a_person_may_accept_or_guide_on() -> None:
    assert Bench(0, LimitDecision("accept")).run(0)[:2] == (1, True)
    bench = Bench(3, LimitDecision("retry", "use a finer grid"))
    assert bench.run(2)[:2] == (3, True)
    assert bench.made[2] == ("version 2 is wrong\n\nGuidance by the user: use a finer grid", 0)


QUESTION = Question(
    question_id="code-limit-s1-1",
    kind="code_limit",
    title="What now?",
    body="",
    choices=(Choice(name="guide", effect="again"), Choice(name="stop", effect="end")),
)


def _asked(response: str, by: str = "given beforehand") -> UserInteraction:
    return UserInteraction(
        id="U1",
        timestamp="t",
        interaction_type="code_limit",
        stage_id=None,
        agent="a",
        reason="r",
        question="q",
        user_response=response,
        answered_by=by,
    )


def test_the_last_lasting_answer_given_serves_every_question_of_its_kind() -> None:
    given = (("design_limit", "accept"), ("code_limit", "skip_stage"), ("code_limit", "stop"))
    assert given_beforehand(given, QUESTION, ()) == "stop"
    assert given_beforehand(given, QUESTION, (_asked("stop"),)) == "stop"
    assert given_beforehand(given[:1], QUESTION, ()) is None


def test_an_answer_to_one_question_by_its_id_comes_first() -> None:
    assert (
        given_beforehand((("code-limit-s1-1", "guide: x"), ("code_limit", "stop")), QUESTION, ())
        == "guide: x"
    )


def test_an_answer_that_tries_again_serves_as_often_as_it_was_given() -> None:
    given = (("code_limit", "guide:  finer grid"),)
    assert given_beforehand(given, QUESTION, ()) == "guide:  finer grid"
    assert given_beforehand(given, QUESTION, (_asked("guide: finer grid"),)) is None, "it would loop for ever"
    assert given_beforehand(given, QUESTION, (_asked("guide: finer grid", "terminal"),)) is not None
    assert (
        given_beforehand((*given, ("code_limit", "stop")), QUESTION, (_asked("guide: finer grid"),)) == "stop"
    )


def test_an_answer_must_be_a_choice_and_a_change_must_say_to_what() -> None:
    with pytest.raises(InputError, match=r"(?s)'accept' is no answer.*allowed: guide, stop"):
        checked(QUESTION, UserAnswer(choice="accept"))
    material = QUESTION.model_copy(update={"choices": (Choice(name="change_database", effect="other page"),)})
    with pytest.raises(InputError, match="needs to know what to use"):
        checked(material, UserAnswer(choice="change_database", text="Olmon"))
