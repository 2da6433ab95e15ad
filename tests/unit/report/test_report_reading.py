"""What a reader of the report relies on: what is folded, formulas, causes, the bill, the command, tables beside it."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from flows.reproduce.command_line import changed_settings, equivalent_command, secret_variables, typed_command
from schemas.reproduce.settings import Limits, RunSettings
from schemas.reproduce.simulations.execution import SimulationMessage
from schemas.run.metrics import AgentCallMetric
from schemas.run.settings import ModelSettings
from tasks.reproduce.report import write_report
from tasks.reproduce.report.causes import shortened
from tasks.reproduce.report.sections.naming import against_uncertainty
from tasks.reproduce.report.tex import readable
from tests.unit.report.report_fixture import make_facts, make_paper, make_state, settings

pytestmark = pytest.mark.unit
TRACEBACK = """exit code 1
Traceback (most recent call last):
  File "/sandbox/inputs/simulation.py", line 12, in <module>
    sim.run(until=mirror)
  File "/usr/lib/python3/meep/simulation.py2", line 3, in run
    step()
NameError: name 'mirror' is not defined
"""


def written(tmp_path: Path, **facts: object) -> tuple[str, str, str, Path]:
    """Markdown, its appendix, both pages of the HTML and the run's directory."""
    run_dir, paper_dir = tmp_path / "run", tmp_path / "paper"
    run_dir.mkdir()
    paper_dir.mkdir()
    markdown, html = write_report(
        make_state(run_dir),
        make_paper(paper_dir),
        run_dir=run_dir,
        paper_dir=paper_dir,
        settings=settings(),
        facts=make_facts(**facts),
    )
    appendix = markdown.with_name(markdown.stem + "_APPENDIX.md")
    pages = html.read_text() + html.with_name(f"APPENDIX_{html.name}").read_text()
    return markdown.read_text(), appendix.read_text(), pages, run_dir


def test_the_first_screen_is_open_and_everything_else_folds(tmp_path: Path) -> None:
    markdown, appendix, html, _ = written(tmp_path)
    first = html.split('<details class="part')[0]
    for text in (
        "A 10 nm film absorbs strongly.",
        "fig3_max",
        "The text says 10 nm, the caption 12 nm.",
        "optical constants of gold",
        "not attempted",
        'class="tile"',
    ):
        assert text in first
    assert html.count('<details class="part') == 11 and "<script" not in html and "open>" not in html
    assert "Convergence rungs" in appendix and "Convergence rungs" not in markdown
    assert len(markdown.splitlines()) <= 250 and "REPRODUCTION_REPORT_ge_on_gold_APPENDIX.md" in markdown


def test_executions_are_aggregated_and_whole_in_the_tables_beside_the_report(tmp_path: Path) -> None:
    _, appendix, _, run_dir = written(tmp_path)
    part = appendix.split("## B Executions")[1].split("## C")[0]
    assert "1 complete, 1 failed" in part and "5a" * 16 not in part
    rows = list(csv.DictReader((run_dir / "report_data" / "executions.csv").open()))
    assert [row["execution"] for row in rows] == ["4f" * 32, "5a" * 32, "6b" * 32]


def test_cells_that_a_spreadsheet_would_run_are_defused(tmp_path: Path) -> None:
    run_dir = written(
        tmp_path,
        executions=tuple(
            e.model_copy(update={"directory": "=HYPERLINK(1)"}) for e in make_facts().executions
        ),
    )[3]
    assert "'=HYPERLINK(1)" in (run_dir / "report_data" / "executions.csv").read_text()


def test_warnings_of_simulations_are_shown(tmp_path: Path) -> None:
    said = (SimulationMessage(name="geometry_warning", value=1, detail="a source touches the PML <b>"),)
    ran = tuple(e.model_copy(update={"messages": said}) for e in make_facts().executions)
    _, appendix, html, _ = written(tmp_path, executions=ran)
    assert "warning: a source touches the PML" in appendix and "touches the PML &lt;b&gt;" in html


def test_the_bill_names_stages_calls_failures_and_repairs(tmp_path: Path) -> None:
    bill = (
        AgentCallMetric(
            agent="planner",
            stage_id="-",
            model="m",
            duration_s=1,
            input_tokens=5,
            price_usd=0.5,
            label="planner.-.1.1.0",
            tries=2,
            notes=("try 1: no JSON",),
        ),
        AgentCallMetric(
            agent="planner",
            stage_id="film",
            model="m",
            duration_s=0,
            input_tokens=7,
            price_usd="unknown",
            label="planner.film.1.1.0",
            failure="gave no usable answer",
        ),
    )
    part = written(tmp_path, bill=bill, model_notes=("try 1: no JSON (planner.-.1.1.0)",))[1].split(
        "## E Cost"
    )[1]
    assert "| planner | 2 | 1 | 1 | 0 | 12 |" in part and "0.5000 + unknown for 1 call" in part
    assert (
        "| film | 1 | 1 | 0 | 0 | 7 |" in part
        and "gave no usable answer" in part
        and "try 1: no JSON" in part
    )


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"at $\lambda = 1.55\,\mu\mathrm{m}$", "at \u03bb = 1.55 \u03bcm"),
        (r"$\frac{a}{b}$", "a/b"),
        (r"$10^{-3}$", "10\u207b\u00b3"),
        (r"$\foo{x}$", "foox"),
        ("it costs $5 and $6", "it costs $5 and $6"),
        (r"$n_{\rm eff}$", "n_eff"),
        ("a_b^c {d}", "a_b^c {d}"),
    ],
)
def test_formulas_are_plain_text(tex: str, text: str) -> None:
    assert readable(tex) == text


def test_a_traceback_becomes_its_cause_and_other_text_stays() -> None:
    assert shortened(TRACEBACK) == (
        "exit code 1 NameError: name 'mirror' is not defined "
        "(line 12 of the simulation: sim.run(until=mirror))"
    )
    assert shortened("R + T = 1.2") == "R + T = 1.2"


def test_an_error_is_weighed_against_its_uncertainty(tmp_path: Path) -> None:
    evidence = make_state(tmp_path).figure_comparisons[0].evidence
    changed = {
        text: against_uncertainty(evidence.model_copy(update={"error": error, "uncertainty": known}))
        for text, error, known in (("beyond", 0.4, 0.1), ("within", 0.1, 0.4), ("in part", 0.1, None))
    }
    changed["alone"] = against_uncertainty(
        evidence.model_copy(update={"error": 0.1, "uncertainty": None, "rungs": evidence.rungs[:1]})
    )
    assert changed == {
        "beyond": "allowed; far beyond the numerical uncertainty alone",
        "within": "agrees within uncertainty",
        "in part": "uncertainty unknown: a part of it was not computed",
        "alone": "uncertainty unknown: one resolution only",
    }


def test_the_command_is_the_one_typed_without_secrets() -> None:
    typed = typed_command(
        [
            "/x/reprolab",
            "reproduce",
            "my paper",
            "--base-url",
            "https://me:pw@host/v1",
            "--answer=key=sk-" + "a" * 20,
        ],
        {"REPROLAB_OUTPUTS": "/tmp/a b", "ANTHROPIC_API_KEY": "sk-secret"},
    )
    assert typed.startswith("REPROLAB_OUTPUTS='/tmp/a b' reprolab reproduce 'my paper' --base-url https://")
    assert "pw" not in typed and "a" * 20 not in typed and "sk-secret" not in typed
    assert typed_command(["prefect", "serve"], {}) == "" == typed_command(["reprolab", "resume"], {})
    assert secret_variables({"ANTHROPIC_API_KEY": "x"}) == ("ANTHROPIC_API_KEY",)


def test_a_run_from_the_web_interface_has_an_equivalent_command() -> None:
    chosen = RunSettings(
        model=ModelSettings(kind="anthropic", name="a model"),
        limits=Limits(max_cost_usd=2.5, max_replans=1),
        answers=(("material_checkpoint", "approve"),),
    )
    assert equivalent_command("ring-resonator", chosen) == (
        "reprolab reproduce ring-resonator --model anthropic --model-name 'a model' --max-cost 2.5 "
        "--answer material_checkpoint=approve"
    )
    assert ("limits.max_replans", "1") in changed_settings(chosen) and changed_settings(RunSettings()) == ()
