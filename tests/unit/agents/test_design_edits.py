"""A revision as a small difference: applied whole, or refused with the reason."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from pydantic import ValidationError

from agents.reproduce.rules.design_edits import edited
from agents.talking.reviewing import judge_misfits
from flows.reproduce.designing import creation
from schemas.reproduce.settings import Limits, RunSettings
from schemas.reproduce.simulations.design import Design, DesignAnswer, DesignEdits
from schemas.talking.review import ReviewAnswer
from tests.unit.reproduce.test_flow_selection import stage, state

pytestmark = pytest.mark.unit
CODE = "def describe(p):\n    film = Film(thickness=0.1)\n    other = Film(thickness=0.1)\n    return Problem()\n"
VIEW = {"id": "longest", "value": 700, "unit": "nm", "origin": "numerical"}
BEFORE = Design.model_validate(
    {
        "stage_id": "s",
        "form": "description",
        "summary": "a film",
        "code": CODE,
        "materials": ["glass"],
        "parameters": [VIEW, {"id": "odd", "value": 1, "origin": "numerical"}],
    }
)


def edits(*pairs: tuple[str, str], **more: object) -> DesignEdits:
    return DesignEdits.model_validate({"edits": [{"find": a, "replace": b} for a, b in pairs], **more})


def test_what_is_not_named_stays() -> None:
    made, wrong = edited(
        BEFORE,
        edits(
            ("film = Film(thickness=0.1)", "film = Film(thickness=p.t)"),
            ("0.1", "p.u"),
            parameters=[
                {**VIEW, "value": 800},
                {"id": "u", "value": 2, "unit": "nm", "origin": "assumption", "assumption_id": "A1"},
            ],
            without=["odd"],
        ),
    )
    assert made is not None and not wrong
    assert made.code == CODE.replace("0.1", "p.t", 1).replace("0.1", "p.u") and made.materials == ("glass",)
    assert [(p.id, p.value) for p in made.parameters] == [
        ("longest", 800),
        ("u", 2),
    ] and made.summary == "a film"


@pytest.mark.parametrize(
    ("find", "said"), [("thickness=0.1", "stands 2 times"), ("thickness=0.3", "is not in `previous_code`")]
)
def test_an_edit_that_fits_nowhere_or_twice_changes_nothing(find: str, said: str) -> None:
    made, (issue,) = edited(BEFORE, edits(("return", "give"), (find, "p.t")))
    assert (
        made == BEFORE
        and issue.severity == "blocking"
        and "edit 2" in issue.description
        and said in issue.description
    )


def test_edits_need_a_description_and_say_something() -> None:
    script = BEFORE.model_copy(update={"form": "script"})
    for before in (None, script):
        assert "no description" in edited(before, edits(("a", "b")))[1][0].description
    with pytest.raises(ValidationError, match="nothing is changed"):
        DesignEdits()
    with pytest.raises(ValidationError, match="give one of"):
        DesignAnswer(design=BEFORE, edits=edits(("a", "b")))


def test_edits_that_do_not_fit_leave_the_review_before_open(monkeypatch, tmp_path) -> None:
    """Before, the designer was told of the misfit alone, and no longer of what the reviewer had asked for."""
    told: list[str] = []
    answers = [
        DesignAnswer(design=BEFORE),
        *[DesignAnswer(edits=edits(("nix", "b")))] * 2,
        DesignAnswer(edits=edits(("return Problem()", "return None"))),
    ]
    reviews = [
        ReviewAnswer(verdict="needs_revision", issues=(), checklist=(), feedback="name the light's side"),
        ReviewAnswer(verdict="approve", issues=(), checklist=(), feedback=""),
    ]
    film = stage("film")
    run = SimpleNamespace(
        state=state(film).model_copy(update={"current_stage_id": "film"}),
        paper=None,
        run_dir=tmp_path,
        designs={},
        history=[],
        settings=RunSettings(limits=Limits(max_design_revisions=9)),
        console=SimpleNamespace(say=lambda *_, **__: None),
        materials=dict,
        position=lambda *_: None,
    )

    def update(node: str, **changes: object) -> None:
        run.state = run.state.apply(node, **changes)

    def propose(*_: object) -> DesignAnswer:
        told.append(run.state.reviewer_feedback)
        return answers.pop(0)

    run.update = update
    monkeypatch.setattr(creation, "propose", propose)
    monkeypatch.setattr(creation, "ask_agent", lambda *_, **__: reviews.pop(0))
    monkeypatch.setattr(creation, "description_findings", lambda *_: ())
    monkeypatch.setattr(creation, "preflight_findings", lambda *_: ())
    monkeypatch.setattr(creation.design_reviewer, "rule", lambda *_: ())
    monkeypatch.setattr(creation.design_reviewer, "context", lambda *_, **__: {})
    creation.make_design(run, film, 1)
    assert [words.count("name the light's side") for words in told] == [0, 1, 1, 1]
    assert "'nix' is not in `previous_code`" in told[-1] and run.state.design.code.endswith("return None\n")
    assert judge_misfits((), "").feedback == ""
