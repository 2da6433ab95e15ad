"""A revision as a small difference: applied whole, or refused with the reason."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from agents.reproduce.design_edits import edited
from schemas.reproduce.design import Design, DesignAnswer, DesignEdits

pytestmark = pytest.mark.unit
CODE = "def describe(p):\n    film = Film(thickness=0.1)\n    other = Film(thickness=0.1)\n    return Problem()\n"
VIEW = {"id": "longest", "value": 700, "unit": "nm", "origin": "numerical"}
BEFORE = Design.model_validate({"stage_id": "s", "form": "description", "summary": "a film", "code": CODE,
                                "materials": ["glass"], "parameters": [VIEW, {"id": "odd", "value": 1, "origin": "numerical"}]})


def edits(*pairs: tuple[str, str], **more: object) -> DesignEdits:
    return DesignEdits.model_validate({"edits": [{"find": a, "replace": b} for a, b in pairs], **more})


def test_what_is_not_named_stays() -> None:
    made, wrong = edited(BEFORE, edits(("film = Film(thickness=0.1)", "film = Film(thickness=p.t)"), ("0.1", "p.u"),
                                       parameters=[{**VIEW, "value": 800}, {"id": "u", "value": 2, "unit": "nm", "origin":
                                                                            "assumption", "assumption_id": "A1"}],
                                       without=["odd"]))
    assert made is not None and not wrong
    assert made.code == CODE.replace("0.1", "p.t", 1).replace("0.1", "p.u") and made.materials == ("glass",)
    assert [(p.id, p.value) for p in made.parameters] == [("longest", 800), ("u", 2)] and made.summary == "a film"


@pytest.mark.parametrize(("find", "said"), [
    ("thickness=0.1", "stands 2 times"), ("thickness=0.3", "is not in `previous_code`")])
def test_an_edit_that_fits_nowhere_or_twice_changes_nothing(find: str, said: str) -> None:
    made, (issue,) = edited(BEFORE, edits(("return", "give"), (find, "p.t")))
    assert made == BEFORE and issue.severity == "blocking" and "edit 2" in issue.description and said in issue.description


def test_edits_need_a_description_and_say_something() -> None:
    script = BEFORE.model_copy(update={"form": "script"})
    for before in (None, script):
        assert "no description" in edited(before, edits(("a", "b")))[1][0].description
    with pytest.raises(ValidationError, match="nothing is changed"):
        DesignEdits()
    with pytest.raises(ValidationError, match="give one of"):
        DesignAnswer(design=BEFORE, edits=edits(("a", "b")))
