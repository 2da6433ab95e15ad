"""Every loop ends: at its limit a person is asked; with nobody there the run is saved, and goes on later."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from tests.flow import bare, coating
from tests.flow.kit import PARTLY, Bench, Model
from tests.messages_server import Fault, label_of

pytestmark = pytest.mark.flow
NOBODY = {"REPROLAB_NON_INTERACTIVE": "1"}


@pytest.mark.long
def test_code_that_never_runs(bench: Bench) -> None:
    """Two failures, then the question; the stage given up beforehand is reported as failed, the rest stays."""

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        if label_of(request).startswith("code_generator.stage1"):
            return {
                "code": coating.BROKEN_CODE,
                "expected_outputs": ["curve.csv"],
                "explanation": "the same again",
            }
        return coating.answer(request)

    with Model(answer) as model:
        cli = bench.reproduce(
            model, "--answer", "material_checkpoint=approve", "--answer", "execution_limit=skip_stage"
        )
        assert cli.wait() == 5, cli.err[-3000:]
        assert "PARTIAL REPORT: not compared: R_550, R_curve" in cli.out and "not compared" in cli.out
        assert sum(label.startswith("code_generator.stage1") for label in model.answered) == 2
        assert max(model.answered.values()) == 1
    status = {entry["stage_id"]: entry["status"] for entry in bench.state()["progress"]}
    assert status == {"stage0_materials": "completed_success", "stage1_coating": "completed_failed"}
    assert "execution-limit-stage1-coating-1" in [
        e["request"]["question_id"] for e in bench.transcript() if e.get("kind") == "question"
    ]
    report = bench.report()
    assert "given up" in report and "not compared: R_550, R_curve" in report


def test_a_kind_of_stages_that_failed_opens_the_next_by_a_persons_word(bench: Bench) -> None:
    """The only single structure fails; the sweep, which does not depend on it, is asked about; the report says who did it."""

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        found, label = copy.deepcopy(coating.answer(request)), label_of(request)
        if label.startswith("planner"):
            found["plan"]["stages"].append(coating.BARE_STAGE | {"stage_type": "PARAMETER_SWEEP"})
        if label.startswith("code_generator.stage1_coating"):
            found["code"] = coating.BROKEN_CODE
        return found

    with Model(answer) as model:
        cli = bench.reproduce(
            model,
            *bench.settings(max_execution_failures=1),
            "--answer",
            "execution_limit=skip_stage",
            "--answer",
            "material_checkpoint=approve",
            "--answer",
            "deadlock=run_anyway",
            env=NOBODY,
        )
        assert cli.wait() == 5, cli.err[-3000:]
    assert set(bench.comparisons()) == {"glass_bare"}
    assert (
        "a SINGLE_STRUCTURE stage to pass, and none did (stage1_coating completed_failed)"
        in cli.err + bench.report()
    )
    assert (
        "run because a person decided it, although: stage1_bare waits for a SINGLE_STRUCTURE stage"
        in bench.report()
    )
    assert [(entry["interaction_type"], entry["agent"]) for entry in bench.state()["user_interactions"]] == [
        ("material_checkpoint", "SupervisorAgent"),
        ("execution_limit", "execution_validator"),
        ("deadlock", "ReproLab"),
    ]


def test_no_stage_succeeds(bench: Bench) -> None:
    """Each stage is given up in turn; the run ends by itself and calls nothing a success."""

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        found = copy.deepcopy(coating.answer(request))
        if label_of(request).startswith("planner"):
            found["plan"]["stages"].append(coating.BARE_STAGE)
        if label_of(request).startswith("code_generator"):
            found["code"] = found["code"].replace("r.wavelength_nm", "r.wavelengths_nm")
        return found

    with Model(answer) as model:
        cli = bench.reproduce(
            model,
            "--answer",
            "execution_limit=skip_stage",
            "--answer",
            "material_checkpoint=approve",
            "--answer",
            "deadlock=give_up_stages",
            env=NOBODY,
        )
        assert cli.wait() == 5, cli.err[-3000:]
    assert "not compared: R_550, R_curve, glass_bare" in cli.out
    assert bench.comparisons() == {} and "0 SUCCESS" in cli.out


def test_a_server_that_is_always_overloaded(bench: Bench) -> None:
    """Retries, then a question; nothing is lost when it comes back."""
    settings = bench.settings(model_retries=2, retry_base_s=0.05)
    with Model(bare.answer) as model:
        model.server._faults = [None, *[Fault("overloaded")] * 3]
        cli = bench.reproduce(model, *settings, env=NOBODY)
        assert cli.wait() == 3, cli.err[-3000:]
        assert len(model.requests) == 4, "one answer, then a request and two retries"
        assert "--answer model_error=retry" in cli.err and "HTTP 529 overloaded_error" in cli.err
        resumed = bench.start(
            "resume", "--answer", "model_error=retry", "--answer", "material_checkpoint=approve", env=NOBODY
        )
        assert resumed.wait() == PARTLY, resumed.err[-3000:]
        assert set(model.answered.values()) == {1}


def test_a_plan_that_is_sent_back_is_repaired_by_edits(bench: Bench) -> None:
    """Edits that fit nowhere go back beside what the review said, at once; those that fit are reviewed."""
    unknown = bare.plan(
        name="gold", page="main/Au/Nobody", band_um=[0.65, 0.9], reason="common", source="not stated"
    )
    title = {"path": "plan.title", "value": "A pane"}

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        plans = {
            "planner.-.1.1.0": unknown,
            "planner.-.1.2.0": {"edits": {"remove": ["plan.materials[silver]"], "changes": [title]}},
            "planner.-.1.2.1": {"edits": {"remove": ["plan.materials[gold]"], "changes": [title]}},
        }
        return plans.get(label_of(request)) or bare.answer(request)

    with Model(answer) as model:
        cli = bench.reproduce(model, "--answer", "material_checkpoint=approve", env=NOBODY)
        assert cli.wait() == PARTLY, cli.err[-3000:]
        said = {
            label_of(request): json.dumps(request["messages"], ensure_ascii=False)
            for request in model.requests
        }
        assert "no entry has the id 'silver' in materials; allowed: glass, gold" in said["planner.-.1.2.1"]
        still_open = (
            said["planner.-.1.2.1"].split("Still open, the review before")[1].split("# previous_plan")[0]
        )
        assert "main/Au/Nobody" in still_open
        assert "main/Au" not in said["plan_reviewer.-.1.2.0"] and "plan_reviewer.-.1.3.0" not in said
        assert "A pane" not in said["planner.-.1.2.1"], "of edits that do not all fit none is applied"
    plan = bench.state()["plan"]
    assert plan["title"] == "A pane" and [material["name"] for material in plan["materials"]] == ["glass"]
    assert set(bench.comparisons()) == {"glass_bare"}


def test_plans_that_cannot_be_run(bench: Bench) -> None:
    """A cycle and an unknown material page go back to the planner as findings; at the limit a person decides.

    Then an answer that never fits its schema: three tries, then a question, then a partial report.
    """
    cycle, unknown = (
        copy.deepcopy(coating.PLAN),
        bare.plan(
            name="gold", page="main/Au/Nobody", band_um=[0.65, 0.9], reason="common", source="not stated"
        ),
    )
    cycle["plan"]["stages"][1]["dependencies"] = ["stage2_more"]
    cycle["plan"]["stages"].append(
        copy.deepcopy(cycle["plan"]["stages"][1])
        | {"stage_id": "stage2_more", "dependencies": ["stage1_coating"]}
    )
    for target in cycle["plan"]["stages"][2]["targets"]:
        target["target_id"] += "_again"

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        label = label_of(request)
        plans = {"planner.-.1.1.0": cycle, "planner.-.1.2.0": unknown}
        if label == "plan_reviewer.-.1.3.0":
            return {"verdict": "perhaps"}
        return plans.get(label) or bare.answer(request)

    with Model(answer) as model:
        first = bench.reproduce(model, *bench.settings(max_plan_revisions=2), env=NOBODY)
        assert first.wait() == 3, first.err[-3000:]
        assert "--answer plan_limit=guide" in first.err
        said = {label_of(request): str(request["messages"]) for request in model.requests}
        assert (
            "dependencies form a cycle: stage1_coating -> stage2_more -> stage1_coating"
            in said["planner.-.1.2.0"]
        )
        assert "main/Au/Nobody" in said["plan_reviewer.-.1.2.0"]

        guided = bench.start("resume", "--answer", "plan_limit=guide: there is only glass", env=NOBODY)
        assert guided.wait() == 3, guided.err[-3000:]
        said = {label_of(request): str(request["messages"]) for request in model.requests}
        assert (
            "there is only glass" in said["planner.-.1.3.0"] and "main/Au/Nobody" in said["planner.-.1.3.0"]
        )
        assert model.answered["plan_reviewer.-.1.3.0"] == 3
        assert "--answer invalid_answer=retry" in guided.err
        assert list((bench.run_dir / "requests").glob("plan_reviewer.-.1.3.0.invalid-*")), (
            "the raw answer is kept"
        )

        ended = bench.start("resume", "--answer", "invalid_answer=stop", env=NOBODY)
        assert ended.wait() == 5, ended.err[-3000:]
        assert {label: n for label, n in model.answered.items() if n > 1} == {"plan_reviewer.-.1.3.0": 6}, (
            "a resumed run tries again what never succeeded, and nothing else"
        )
    assert "gave no usable answer" in bench.report()
