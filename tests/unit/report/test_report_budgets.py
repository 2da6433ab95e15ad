"""The uncertainty budget says the same in the HTML, the Markdown and the table beside them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from schemas.reproduce.judging.budget import Budget, Contribution
from tasks.reproduce.report.long_tables import BUDGETS
from tasks.reproduce.report.text import number
from tests.unit.report.report_fixture import HOSTILE, make_facts
from tests.unit.report.test_report_reading import written

pytestmark = pytest.mark.unit


def shown(tmp_path: Path, *contributions: Contribution) -> tuple[str, str, str, Path]:
    budget = Budget(
        target_id="fig2_peak", unit="nm", simulated=723.4, reference=720.4, error=3.0, stated=2.5,
        observed_order=1.37, contributions=contributions,
    )  # fmt: skip
    evidence = make_facts().stage_evidence
    first = evidence[0].model_copy(update={"budgets": (budget,)})
    return written(tmp_path, stage_evidence=(first, *evidence[1:]))


GRID = Contribution(
    side="numerical", source="grid", stated=2.5, coverage="k = 2", alike=True, how="3 grids, p = 1.37"
)
GAP = Contribution(side="input", source="gap", stated=1.7, varied="0.305 um", sensitivity=340.0)
WORDS = Contribution(side="reference", source="quotation", stated=0.5)


def test_three_records_have_the_same_numbers(tmp_path: Path) -> None:
    markdown, appendix, html, run_dir = shown(tmp_path, GRID, GAP, WORDS)
    rows = list(csv.DictReader((run_dir / BUDGETS).open()))
    sums = {row["source"]: float(row["u"]) for row in rows if row["side"] == "sum"}
    assert sums["E"] == 3.0 and sums["E_n"] == pytest.approx(3.0 / (2 * sums["u_val"]))
    assert sums["u_val"] == pytest.approx((1.25**2 + 1.7**2 / 3 + 0.5**2 / 3) ** 0.5)
    for name in ("E", "u_num", "u_input", "u_D", "u_val", "E_n"):
        said = number(sums[name], 3)
        assert f" {said} |" in markdown and f">{said}<" in html and said in appendix
    for text in ("A difference remains above u_val, within 2 u_val.", "an expanded one (k = 2", "p = 1.37"):
        assert text in html and (text in appendix or text in markdown)
    assert [row["sensitivity"] for row in rows if row["source"] == "gap"] == ["340.0"]


def test_what_is_not_known_is_said_so_and_is_an_empty_cell(tmp_path: Path) -> None:
    open_ = GAP.model_copy(update={"stated": None, "sensitivity": None, "how": HOSTILE})
    markdown, appendix, html, run_dir = shown(tmp_path, GRID, open_, WORDS)
    rows = {row["source"]: row for row in csv.DictReader((run_dir / BUDGETS).open())}
    assert all(rows[name]["u"] == "" for name in ("gap", "u_input", "u_val", "U_S", "E_n"))
    for text in (markdown, html):
        assert "not known, at least 1.28" in text and "Whether a difference remains is not known" in text
    assert "not known" in appendix and "<script" not in html and "\\<script>" in appendix


def test_a_run_that_kept_no_budget_says_so(tmp_path: Path) -> None:
    markdown, appendix, html, run_dir = written(tmp_path)
    assert "no budget was kept" in markdown and "No uncertainty budget was kept" in html
    assert (run_dir / BUDGETS).read_text().startswith("target,unit,side,source,stated")
