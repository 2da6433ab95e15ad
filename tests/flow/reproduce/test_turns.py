"""One run with the turns that only a person can give it, on materials the paper states and a picture without numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.flow import film
from tests.flow.kit import PARTLY, Bench, Model
from tests.messages_server import label_of

pytestmark = pytest.mark.flow
ANSWERS = (
    "material_checkpoint=change_material: dye=1.7 as polymer because the caption says polymer",
    "material_checkpoint=approve",
    "execution_unknown=guide: look at the pulse",
    "physics_unknown=guide: the band is too wide",
    f"general_feedback=backtrack: {film.STAGE1} look at the glass again",
)


def test_a_person_turns_a_run_four_times(benches: Callable[[Callable[[Path], Path]], Bench]) -> None:
    bench = benches(film.write_paper)
    with Model(film.answer) as model:
        cli = bench.reproduce(
            model,
            *(word for given in ANSWERS for word in ("--answer", given)),
            env={"REPROLAB_NON_INTERACTIVE": "1"},
        )
        assert cli.wait(300) == PARTLY, cli.err[-3000:]
        said = {label_of(request): str(request["messages"]) for request in model.requests}
    state, report = bench.state(), bench.report()
    answers = {entry["interaction_type"]: entry["user_response"] for entry in state["user_interactions"]}
    assert set(answers) == {"material_checkpoint", "execution_unknown", "physics_unknown", "general_feedback"}

    # stated materials go through the checkpoint; another one changes the plan without the planner
    assert "material glass: stated sellmeier" in cli.err and "material dye: table data/dye.csv" in cli.err
    assert sum(label.startswith("planner") for label in said) == 1
    stage = state["plan"]["stages"][0]
    assert stage["materials"] == ["glass", "polymer"] and not stage["targets"]
    assert [m["name"] for m in state["validated_materials"]] == ["glass", "polymer"]
    ledger = {a["parameter"]: a for a in state["assumptions"] if a["source"] == "user"}
    assert "the caption says polymer" in ledger["polymer"]["reason"] and ledger["polymer"]["stages"] == [
        film.STAGE0
    ]
    assert "the caption says polymer" in report and "data/dye.csv" in report and film.WORDS in report
    assert "n = 1.7" in report

    # guidance reaches the next code, a person's words with a backtrack the next design
    coder = {
        label: text for label, text in said.items() if label.startswith(f"code_generator.{film.STAGE1}.1.")
    }
    assert [
        [words in text for words in ("look at the pulse", "the band is too wide")] for text in coder.values()
    ] == [[False, False], [True, False], [False, True]]
    assert "look at the glass again" in said[f"simulation_designer.{film.STAGE1}.2.1.0"]
    assert (
        "going back to stage1_glass: look at the glass again" in cli.err
        and state["counters"]["backtracks"] == 2
    )
    assert [a["value"] for a in state["assumptions"] if a["parameter"] == "guidance"][
        -1
    ] == "look at the glass again"

    # a mere picture is at most PARTIAL, shown beside the simulation's, and seen by both who judge it
    assert (
        bench.comparisons()["R_550"]["classification"] == "PARTIAL" and "fig2_look" not in bench.comparisons()
    )
    assert [look["classification"] for look in state["visual_comparisons"]] == ["PARTIAL"]
    page = next(bench.run_dir.glob("APPENDIX_*.html")).read_text()
    shown = page[page.index('id="target-fig2-look"') :]
    pair = re.search(r'<div class="gallery">(.*?)</div>', shown, re.DOTALL)
    assert pair and pair[1].count("<img ") == 2
    judges = [
        r
        for r in model.requests
        if label_of(r).split(".")[0] in ("results_analyzer", "comparison_validator")
        and film.STAGE1 in label_of(r)
    ]
    assert len(judges) == 4 and all("'type': 'image'" in str(request) for request in judges)
