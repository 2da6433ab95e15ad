"""A regression's replay where the recording ends: what may stand in, and what never does."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.models.errors import NotRecorded
from agents.reproduce.ruled import RuledReplay
from schemas.base import Model
from schemas.errors import PrerequisiteError
from schemas.reproduce.judging.verdicts import AnalysisAnswer, PhysicsAnswer
from schemas.talking.interaction import Choice, Question
from schemas.talking.review import ReviewAnswer
from schemas.talking.transcript import AgentRequest, Position
from tasks.reproduce.papers import BUNDLED

pytestmark = pytest.mark.unit
TRANSCRIPT = BUNDLED / "ge-on-gold" / "transcript.jsonl"


@pytest.fixture
def model() -> RuledReplay:
    return RuledReplay(TRANSCRIPT)


def asked(model: RuledReplay, answer: type[Model], agent: str, stage: str, number: int):
    request = AgentRequest(
        position=Position(agent=agent, stage_id=stage, round=number),
        prompt_id=agent,
        prompt_digest="0",
        system=(),
        context=(),
        answer_type=answer.__name__,
        answer_schema={},
        model_kind="replay",
        model_name="",
    )
    return model.answer(request, answer)


def question(kind: str, *names: str, name: str = "never-asked") -> Question:
    return Question(
        question_id=name,
        kind=kind,
        title="?",
        body="?",
        choices=tuple(Choice(name=n, effect=n) for n in names),
    )


def test_a_judge_keeps_its_last_opinion_of_the_stage_and_has_none_of_others(model: RuledReplay) -> None:
    first = asked(model, AnalysisAnswer, "results_analyzer", "film", 1)
    again = asked(model, AnalysisAnswer, "results_analyzer", "film", 7)
    assert not [n for n in first.notes if n.startswith("by rule")] and again.answer == first.answer
    assert again.notes == (
        "by rule: the recorded answer for results_analyzer.film.1.1.0 stands in for "
        "results_analyzer.film.1.7.0",
    )
    other = asked(model, AnalysisAnswer, "results_analyzer", "unheard_of", 1)
    assert other.answer["reports"] == [] and "evidence judges alone" in other.notes[0]
    assert asked(model, ReviewAnswer, "design_reviewer", "unheard_of", 1).answer["verdict"] == "approve"


def test_who_creates_and_who_may_fail_a_stage_is_never_made_up(model: RuledReplay) -> None:
    for agent in ("simulation_designer", "code_generator", "planner"):
        with pytest.raises(NotRecorded, match=f"no answer for {agent}"):
            asked(model, ReviewAnswer, agent, "film", 9)
    with pytest.raises(NotRecorded):
        asked(model, PhysicsAnswer, "physics_sanity", "unheard_of", 1)


def test_questions_are_answered_by_rule_and_say_so(model: RuledReplay) -> None:
    recorded = model.reply_to(
        question("material_checkpoint", "approve", "stop", name="material-checkpoint-1")
    )
    assert (recorded.choice, recorded.answered_by) == ("approve", "recorded")
    # a check that passed when a person approved fails now: the approval is no answer to that
    failed = model.reply_to(
        question("material_checkpoint", "approve_failed", "stop", name="material-checkpoint-1")
    )
    assert (failed.choice, failed.answered_by) == ("approve_failed", "by rule")
    assert (
        model.reply_to(question("design_limit", "guide", "skip_stage", "stop", "accept")).choice
        == "skip_stage"
    )
    with pytest.raises(PrerequisiteError):
        model.reply_to(question("infrastructure", "retry", "stop"))
    with pytest.raises(NotRecorded):
        model.reply_to(question("clarification", "continue", "other"))


def test_a_plain_replay_still_ends_where_its_recording_does(tmp_path: Path) -> None:
    from agents.models.replay import ReplayModel
    from schemas.errors import ReplayError

    with pytest.raises(ReplayError) as error:
        asked(ReplayModel(TRANSCRIPT), AnalysisAnswer, "results_analyzer", "film", 7)  # type: ignore[arg-type]
    assert not isinstance(error.value, NotRecorded)
