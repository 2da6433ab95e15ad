"""A revised plan as a small difference: applied whole, or refused with the reason; never more lenient than a whole plan."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from agents.models.errors import InvalidAnswer
from agents.models.recording import read_recording
from agents.models.validation import validate_answer
from agents.reproduce.planner import context
from agents.reproduce.rules.material_rules import assumed_indices
from agents.reproduce.rules.material_stage import with_material_stage
from agents.reproduce.rules.plan_edits import edited
from schemas.reading.answer_size import MAX_TEXT
from schemas.reproduce.planning.parameters import Assumption
from schemas.reproduce.planning.plan import PlannerAnswer
from schemas.reproduce.planning.plan_edits import PlanRevisionAnswer
from schemas.reproduce.simulations.drawn import DrawnInFigure
from schemas.reproduce.state import ReproState
from schemas.talking.review import Issue
from tasks.reproduce.papers import load_paper
from tests.flow import coating
from tests.unit.agents.agents_fixture import PAPER

pytestmark = pytest.mark.unit
WHOLE = PlannerAnswer.model_validate(coating.PLAN)
SAID = Assumption(
    assumption_id="U1",
    category="other",
    parameter="guidance",
    value="keep the film",
    source="user",
    reason="a person",
    sensitivity="high",
)
DRAWN = DrawnInFigure(of="film thickness", value=99.6, unit="nm", read="label", figure_id="fig1")
ALIKE = ("extracted_parameters", "assumptions", "contradictions", "drawn", "instructions_found")
TARGET = "plan.stages[stage1_coating].targets[R_550]"
CURVE = WHOLE.plan.stage("stage1_coating").targets[1].model_dump(mode="json")
ROOT = Path(__file__).parents[3]
DIPOLES = ROOT / "papers/dipole-mirror"


def planned(answer: PlannerAnswer = WHOLE, **more: Any) -> ReproState:
    """The state that the flow leaves after the answer."""
    return ReproState(
        paper_id="p",
        run_id="r",
        plan=with_material_stage(answer.plan)[0],
        plan_round=1,
        **{name: getattr(answer, name) for name in ALIKE} | more,
    )


BEFORE = planned(assumptions=(*WHOLE.assumptions, SAID), drawn=(DRAWN,), contradictions=("two indices",))


def revision(**edits: Any) -> PlanRevisionAnswer:
    return PlanRevisionAnswer.model_validate_json(json.dumps({"edits": edits}), strict=True)


def to(path: str, value: object) -> dict[str, object]:
    return {"path": path, "value": value}


def refused(**edits: Any) -> tuple[Issue, ...]:
    found, issues = edited(BEFORE, PAPER, revision(**edits))
    assert found is None and issues and {issue.severity for issue in issues} == {"blocking"}
    assert all(issue.fix and "nothing of the answer was applied" in issue.description for issue in issues)
    return issues


def test_what_is_not_named_stays() -> None:
    found, wrong = edited(
        BEFORE,
        PAPER,
        revision(
            changes=[
                to(f"{TARGET}.unit", "1"),
                to(f"{TARGET}.reference.value", 0.0126),
                to("plan.claim_targets", ["R_550"]),
                to("assumptions[A1].value", "half-space"),
                to("contradictions", ["two indices", "two bands"]),
            ],
            remove=["extracted_parameters[R_550]", "plan.stages[stage1_coating].expected_balance"],
            targets=[
                {
                    "stage_id": "stage1_coating",
                    "target": CURVE | {"target_id": "R_blue", "x_range": [450, 550]},
                }
            ],
            stages=[{**coating.BARE_STAGE}],
        ),
    )
    assert found is not None and not wrong
    one, more = found.plan.stage("stage1_coating"), found.plan.stage("stage1_bare")
    assert [t.target_id for t in one.targets] == ["R_550", "R_curve", "R_blue"] and more.targets[
        0
    ].target_id == "glass_bare"
    assert (one.targets[0].unit, one.targets[0].reference.value) == (
        "1",
        0.0126,
    ) and one.expected_balance == "none"
    assert one.targets[0].reference.quotation == WHOLE.plan.stages[1].targets[0].reference.quotation
    assert found.plan.claim_targets == ("R_550",) and found.contradictions == ("two indices", "two bands")
    assert [p.name for p in found.extracted_parameters] == ["design_wavelength"] and found.drawn == (DRAWN,)
    assert [(a.assumption_id, a.value) for a in found.assumptions] == [("A1", "half-space")]
    assert found.plan.materials == WHOLE.plan.materials and found.plan.title == WHOLE.plan.title


def test_everything_that_can_be_named_is_shown() -> None:
    shown = context(BEFORE, PAPER)["previous_plan"]
    assert {"plan", *ALIKE} | {"finished_stages"} == set(shown)


def test_a_dimension_read_from_a_drawing_is_read_again_and_never_lost() -> None:
    again = DRAWN.model_copy(update={"of": "Film  thickness", "value": 100.0})
    found, _ = edited(BEFORE, PAPER, revision(drawn=[again.model_dump(mode="json")]))
    assert found is not None and found.drawn == (again,)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("", "is no path"),
        ("plan..title", "is no path"),
        ("plan.title.", "is no path"),
        ("../state", "is no path"),
        (
            "plan.stages[0].name",
            "no entry has the id '0' in stages; allowed: stage0_materials, stage1_coating",
        ),
        ("plan.stages.name", "'stages' is a list: say which entry; allowed: stages[stage_id]"),
        ("plan.stages[stage1_coating].colour", "there is no 'colour'; allowed: stage_id, stage_type"),
        ("plan.title.length", "'length' is no field of 'plan.title', which is a single value"),
        ("plan.title[x]", "'title' has no entries with ids"),
        ("plan.claim_targets[x]", "no entries with ids"),
        ("plan", "is an object with fields of its own; allowed: one of its fields: title, summary"),
        ("plan.stages", "is a list of objects"),
        (f"{TARGET}.reference", "one of its fields: kind, value"),
        ("plan_approved", "there is no 'plan_approved'"),
        ("finished_stages", "there is no 'finished_stages'"),
        ("comparison_history", "there is no 'comparison_history'"),
        ("plan.__class__", "there is no '__class__'"),
        ("assumptions[U1].value", "is what a person said, which stays as it is"),
    ],
)
def test_a_change_that_fits_nowhere_is_refused_with_what_is_allowed(path: str, said: str) -> None:
    if not path:
        with pytest.raises(ValidationError, match="at least 1"):
            revision(changes=[to(path, "x")])
        return
    (issue,) = refused(changes=[to(path, "x")])
    assert said in issue.description and repr(path) in issue.description
    if path not in (
        f"{TARGET}.reference",
        "plan.stages",
        "plan",
    ):  # of a whole part `remove` says it in other words
        assert said in refused(remove=[path])[0].description


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ({"changes": [to("plan.title", "A"), to("plan.title", "B")]}, "named twice in one answer"),
        ({"remove": ["plan.stages"]}, "that is a whole part of the answer"),
        ({"remove": ["plan"]}, "that is a whole part"),
        ({"remove": ["assumptions"]}, "that is a whole part"),
        ({"remove": ["plan.title"]}, "plan.title: missing"),
        ({"remove": ["assumptions[U1]"]}, "is what a person said"),
        ({"remove": ["assumptions[A1]", "assumptions[A1]"]}, "no entry has the id 'A1'"),
        (
            {"remove": ["assumptions[A1]"], "changes": [to("assumptions[A1].value", "1")]},
            "no entry has the id 'A1'",
        ),
        (
            {"assumptions": [SAID.model_dump(mode="json") | {"source": "agent", "value": "drop the film"}]},
            "what a person said",
        ),
        ({"changes": [to("assumptions[A1].assumption_id", "U1")]}, "the id 'U1' is that of a person's words"),
        ({"targets": [{"stage_id": "stage9", "target": CURVE}]}, "no entry has the id 'stage9' in stages"),
        ({"stages": [coating.BARE_STAGE, coating.BARE_STAGE]}, "stages 'stage1_bare': named twice"),
        ({"changes": [to(f"{TARGET}.reference.value", "1.26")]}, 'reference.value: found "1.26"'),
        ({"changes": [to(f"{TARGET}.major", 1)]}, "the plan is the same as before"),
        ({"changes": [to(f"{TARGET}.kind", "guess")]}, 'targets[0].kind: found "guess"'),
        ({"changes": [to(f"{TARGET}.reference.kind", "image")]}, "kind 'image' goes with"),
        ({"changes": [to("plan.stages[stage1_coating].stage_id", "../x")]}, 'stage_id: found "../x"'),
        ({"changes": [to("plan.materials[glass].index", 99)]}, "outside 0.1 to 20"),
        ({"changes": [to("plan.summary", "x" * (MAX_TEXT + 1))]}, f"at most {MAX_TEXT} in one text"),
        ({"changes": [to("plan.title", WHOLE.plan.title)]}, "the plan is the same as before"),
        ({"remove": [f"{TARGET}", "plan.stages[stage1_coating].targets[R_curve]"]}, "compares nothing"),
        (
            {
                "remove": [
                    "plan.readings",
                    "plan.stages[stage0_materials].targets",
                    "plan.stages[stage1_coating].stage_id",
                ],
                "targets": [{"stage_id": "stage1_coating", "target": CURVE}],
            },
            "no entry has the id 'stage1_coating'",
        ),
    ],
)
def test_what_no_whole_plan_could_be_is_no_edited_one(edits: dict[str, Any], said: str) -> None:
    assert said in " ".join(issue.description for issue in refused(**edits))


def test_every_misfit_is_told_at_once_and_good_edits_beside_it_change_nothing() -> None:
    issues = refused(changes=[to("plan.title", "new"), to("plan.nix", "x"), to("plan.stages[nix].name", "x")])
    assert len(issues) == 2 and BEFORE.plan is not None and BEFORE.plan.title == WHOLE.plan.title
    assert len(refused(remove=[f"plan.x{'y' * n}" for n in range(150)])) == 20


PARTS = [
    "plan",
    "stages",
    "[stage1_coating]",
    "targets",
    "[R_550]",
    "unit",
    "",
    "[",
    "]",
    "[]",
    "looks",
    "reference",
    "assumptions",
    "[A1]",
    "assumption_id",
    "stage_id",
    "drawn",
    "materials",
    "[glass]",
    "name",
    "readings",
    "x" * 90,
]
STARTS = [
    "plan.stages[stage1_coating]",
    TARGET,
    "plan.materials[glass]",
    "assumptions[A1]",
    "extracted_parameters[R_550]",
    "plan",
]
VALUES: list[Any] = ["", "x", "R_550", True, 0, -1, 1e300, [], ["stage1_coating"], [0.5, 0.4]]


@pytest.mark.parametrize("seed", range(100))
def test_whatever_is_answered_comes_out_whole_or_refused(seed: int) -> None:
    by = random.Random(seed)

    def path() -> str:
        parts = [by.choice(STARTS), *by.choices(PARTS, k=by.randint(0, 3))]
        return ".".join(parts).replace(".[", "[")[:400]

    found, issues = edited(
        BEFORE,
        PAPER,
        revision(
            remove=[path() for _ in range(by.randint(0, 2))],
            stages=by.choice([[], [coating.BARE_STAGE]]),
            assumptions=[entry.model_dump(mode="json") for entry in WHOLE.assumptions],
            changes=[to(path(), by.choice(VALUES)) for _ in range(by.randint(1, 2))],
        ),
    )
    assert (found is None) == bool(issues)
    assert found is None or PlannerAnswer.model_validate(found.model_dump()) == found


@pytest.mark.parametrize(
    "value", [None, {}, {"kind": "position"}, [None], [{"name": "n"}], [[1, 2]], [1, {}]]
)
def test_a_value_that_is_no_single_one_is_told_once_with_the_way_to_give_it(value: object) -> None:
    answer = {"edits": {"changes": [{"path": f"{TARGET}.unit", "value": value}]}}
    with pytest.raises(InvalidAnswer) as caught:
        validate_answer(json.dumps(answer), PlanRevisionAnswer)
    (told,) = caught.value.problems
    assert told.startswith("edits.changes[0].value: found ")
    assert "path in `remove`" in told and "under `stages`, `targets`, `materials`" in told


def test_a_revision_is_a_whole_plan_or_edits_never_both_nor_half() -> None:
    assert edited(BEFORE, PAPER, PlanRevisionAnswer.model_validate(coating.PLAN)) == (WHOLE, ())
    for answer, said in (
        ({"keep": []}, "found neither"),
        (coating.PLAN | {"edits": {"remove": ["assumptions[A1]"]}}, "found both"),
        ({"plan": coating.PLAN["plan"], "assumptions": []}, "extracted_parameters missing"),
        ({"edits": {}}, "nothing is changed"),
        ({"edits": {"remove": ["x"]}, "contradictions": ["a"]}, "contradictions: belongs to a whole plan"),
    ):
        with pytest.raises(ValidationError, match=said):
            PlanRevisionAnswer.model_validate(answer)
    assert (
        "no plan to edit"
        in edited(ReproState(paper_id="p", run_id="r"), PAPER, revision(remove=["x"]))[1][0].description
    )


def test_what_code_noted_of_an_assumed_index_follows_the_index() -> None:
    glass = WHOLE.plan.materials[0].model_copy(update={"index": 1.7, "source": "the paper says nothing"})
    plan = WHOLE.plan.model_copy(update={"materials": (glass,)})
    noted = assumed_indices(plan, PAPER, WHOLE.assumptions)
    assert [entry.assumption_id for entry in noted] == ["index_glass"]
    state = planned(WHOLE.model_copy(update={"plan": plan}), assumptions=(*WHOLE.assumptions, *noted))
    found, _ = edited(state, PAPER, revision(changes=[to("plan.materials[glass].index", 1.8)]))
    assert found is not None and found.assumptions == WHOLE.assumptions
    assert [a.value for a in assumed_indices(found.plan, PAPER, found.assumptions)] == ["1.8"]


def test_the_recorded_second_plan_of_the_dipoles_as_edits() -> None:
    """The one bundled paper whose plan was sent back: the numbers of docs/measured/benchmarks.md."""
    paper, _ = load_paper(DIPOLES)
    first, second = (
        one.entry.answer
        for one in read_recording(DIPOLES / "transcript.jsonl").calls.values()
        if one.entry.prompt_id == "planner"
    )
    small = {
        "edits": {"changes": [to("plan.materials[vacuum].source", second["plan"]["materials"][0]["source"])]}
    }
    found, wrong = edited(
        planned(PlannerAnswer.model_validate(first)), paper, PlanRevisionAnswer.model_validate(small)
    )
    whole = PlannerAnswer.model_validate(second)
    assert not wrong and found == whole.model_copy(update={"plan": with_material_stage(whole.plan)[0]})
    written = PlanRevisionAnswer.model_validate(small).model_dump(
        mode="json"
    )  # structured output writes every field
    sizes = [len(json.dumps(answer, ensure_ascii=False)) for answer in (second, small, written)]
    told = (ROOT / "docs/measured/benchmarks.md").read_text()
    assert all(f"{size:,}".replace(",", " ") in told for size in sizes), sizes
