"""Where a reference comes from is said wherever it is shown: exact theory is never called the paper."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.reproduce.kept_state import newest_state
from flows.reproduce.pages.values import values
from flows.reproduce.standing import comparison_table
from flows.results.two_runs import compare_runs
from schemas.reproduce.origin_words import origin_words
from schemas.reproduce.planning.plan import Reference
from tasks.reproduce.papers import load_paper
from tests.unit.report.test_open_run import kept

pytestmark = pytest.mark.unit

ORIGINS = {
    "published_numbers": "paper's numbers",
    "digitised": "digitised from the paper",
    "computed_from_exact_theory": "exact theory",
    "supplied_by_user": "supplied",
}


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_table_is_called_what_it_is(tmp_path: Path, origin: str) -> None:
    folder, words = kept(tmp_path), ORIGINS[origin]
    told = json.loads((folder / "paper" / "paper.json").read_text())
    told["figures"][0]["data"] = [{"file": "data/R.csv", "origin": origin, "source": "said somewhere"}]
    (folder / "paper" / "paper.json").write_text(json.dumps(told))
    (folder / "paper" / "data").mkdir()
    (folder / "paper" / "data" / "R.csv").write_text("wavelength_nm,R\n1,2\n2,3\n")
    snapshot = folder / "checkpoints" / "one.json"
    state = json.loads(snapshot.read_text())
    for stage in state["plan"]["stages"]:
        for target in stage["targets"]:
            if target["target_id"] == "fig2_R":
                target["reference"] = {
                    "kind": "data", "file": "data/R.csv", "x_column": "wavelength_nm", "y_column": "R"
                }  # fmt: skip
    snapshot.write_text(json.dumps(state))

    paper, kept_state = load_paper(folder / "paper")[0], newest_state(folder)
    assert kept_state is not None and kept_state.plan is not None
    targets = {target.target_id: target for _, target in kept_state.plan.targets()}
    compared = {c.target_id: c.evidence for c in kept_state.figure_comparisons}
    assert values(compared["fig2_R"], targets["fig2_R"], paper)[1].endswith(f"({words})")
    assert values(compared["fig2_peak"], targets["fig2_peak"], paper)[1].endswith("(paper)")
    assert origin_words(Reference(kind="fresnel", material="gold"), paper) == "computed"
    assert origin_words(None, paper) == "reference"
    shown = " ".join(comparison_table(folder).split())
    assert f"({words})" in shown and "(paper)" in shown and " reference " in shown
    beside = {target.target: target.reference for target in compare_runs(folder, folder).targets}
    assert beside["fig2_R"].endswith(f"({words})") and beside["fig2_peak"].endswith("(paper)")
