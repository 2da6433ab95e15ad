"""Lies about the scope: what a run loses, drops, renames or calls minor to look better, and what shows it."""

from __future__ import annotations

import pytest

from agents.reproduce.rules.plan_rules import rule as plan_rule
from flows.reproduce.planning.replanning import carried_progress, settle, withdrawals
from schemas.errors import StateError
from schemas.reproduce.judging.comparison import ComparisonRecord, Turn
from schemas.reproduce.judging.verdicts import BacktrackDecision
from schemas.reproduce.paper import PaperData, PaperFigure, PaperInput
from schemas.reproduce.planning.coverage import reason_for, uncovered
from schemas.reproduce.planning.left import left_of
from schemas.reproduce.planning.plan import Look, Plan, Reading, Reference, Target
from schemas.reproduce.state import ReproState
from tasks.reproduce.judging import record
from tasks.reproduce.judging.headline import headline
from tasks.reproduce.report import write_report
from tests.unit.evidence.test_evidence_headline import DIP, NOTE, Q, compared, plan, standing, target
from tests.unit.report.report_fixture import make_facts, make_paper, make_state, settings
from tests.unit.reproduce.test_flow_replanning import film, finished, revised

pytestmark = pytest.mark.unit


def after(before: ReproState, new: Plan, why: str = "too costly") -> ReproState:
    """The state once a new plan is approved."""
    settled = settle(new, before)
    return before.apply("replan", plan_approved=False).apply(
        "replan",
        plan=settled.plan,
        progress=carried_progress(settled, before),
        **withdrawals(settled, before, why, "the supervisor"),
    )


def line(
    one: Target, found: str, *, event: str = "compared", role: str = "claim", attempt: int = 1, **more: object
) -> ComparisonRecord:
    return ComparisonRecord(
        target_id=one.target_id,
        figure_id="fig1",
        stage_id="s",
        plan_round=1,
        role=role,
        event=event,
        classification=found,
        reference=record.reference_digest(one),
        attempt=attempt,
        **more,
    )


@pytest.mark.attack("judgement", "counted against the verdict")
def test_a_failed_stage_that_a_new_plan_leaves_out_counts_in_the_totals_and_caps_the_verdict():
    """Lie: the array failed, so the new plan is about the film alone."""
    state = after(finished(), revised(finished(), film()))
    events = [(r.target_id, r.event, r.classification) for r in state.comparison_history]
    assert events == [("t_array", "withdrawn", "FAILURE"), ("t_array", "dropped", None)]
    assert state.turns[-1].reason == "too costly" and state.turns[-1].asked_by == "the supervisor"
    history = (
        line(planned("t_film"), "SUCCESS"),
        line(planned("t_array"), "FAILURE"),
        *state.comparison_history,
    )
    found = headline(state.plan, state.figure_comparisons, history, state.progress)
    assert found.verdict == "Not reproduced" and standing(found)["t_array"] == "failed, then set aside"


def planned(name: str) -> Target:
    before = finished().plan
    assert before is not None
    return next(t for _, t in before.targets() if t.target_id == name)


@pytest.mark.attack("judgement", "counted against the verdict")
def test_a_claim_that_was_never_compared_cannot_be_dropped_either():
    """Lie: the hard half of the claim leaves the plan before anybody compares it."""
    history = (
        ComparisonRecord(
            target_id="Q",
            figure_id="fig1",
            stage_id="s",
            plan_round=1,
            role="claim",
            event="dropped",
            reference=record.reference_digest(Q),
        ),
    )
    found = headline(plan(DIP, claim_targets=("dip",)), compared(dip="SUCCESS"), history)
    assert (
        found.verdict == "Partly reproduced" and "dropped this or lets it count for less: Q" in found.reason
    )


@pytest.mark.attack("judgement", "counted against the verdict")
@pytest.mark.parametrize(
    "later",
    [
        plan(DIP, Q.model_copy(update={"major": False}), claim_targets=("dip",)),
        plan(DIP, Q, claim_targets=("dip",)),
        plan(DIP, Q, claim_targets=("dip",), readings=(Reading(name="r", targets=("Q",)),)),
    ],
    ids=["called minor", "no longer the claim", "called inferred"],
)
def test_a_claim_that_was_never_compared_cannot_be_made_light(later):
    """Lie: the target stays, but the claim no longer rests on it."""
    before = ReproState(paper_id="p", run_id="r", plan=plan(DIP, Q, claim_targets=("dip", "Q")), plan_round=1)
    lines = record.replanned(before, later, (), {}, "the claim is about the dip")
    assert [(r.target_id, r.event, r.role) for r in lines] == [("Q", "demoted", "claim")]
    found = headline(later, compared(dip="SUCCESS", Q="SUCCESS"), lines)
    assert found.verdict == "Partly reproduced" and "Q" in found.reason


@pytest.mark.attack("judgement", "counted against the verdict")
def test_running_again_until_it_agrees_is_not_a_reproduction():
    """Lie: three attempts, the last one counts."""
    history = (
        line(DIP, "FAILURE"),
        line(DIP, "FAILURE", event="withdrawn", reason="return to s"),
        line(DIP, "FAILURE", attempt=2),
        line(DIP, "SUCCESS", attempt=3),
    )
    found = headline(plan(DIP, claim_targets=("dip",)), compared(dip="SUCCESS"), history)
    assert found.verdict == "Partly reproduced" and "had failed before it was run again: dip" in found.reason
    assert [b.note for b in found.beside if b.standing == "failed before"] == [
        "FAILURE under plan 1, attempt 2 of s"
    ]


def test_what_did_not_run_or_was_mended_before_anybody_compared_it_does_not_count_as_a_failure():
    history = (line(DIP, "FAILURE", event="computed"), line(DIP, "FAILURE", ran=False), line(DIP, "SUCCESS"))
    assert (
        headline(plan(DIP, claim_targets=("dip",)), compared(dip="SUCCESS"), history).verdict == "Reproduced"
    )


@pytest.mark.attack("judgement", "counted against the verdict")
def test_a_failure_that_was_computed_and_then_abandoned_is_a_failure():
    """Lie: the stage is given up between evidence and analysis, so that nothing was compared."""
    found = headline(
        plan(DIP, Q, claim_targets=("dip",)), compared(Q="SUCCESS"), (line(DIP, "FAILURE", event="computed"),)
    )
    assert found.verdict == "Not reproduced"


def test_no_node_takes_a_comparison_back_without_its_line():
    """Lie: a flow or an agent's decision forgets a comparison silently."""
    state = finished().model_copy(
        update={
            "backtrack_decision": BacktrackDecision(
                target_stage_id="array", stages_to_invalidate=(), reason="mesh"
            )
        }
    )
    with pytest.raises(StateError, match="taken back only with a line in the ledger"):
        state.apply("backtrack", figure_comparisons=state.figure_comparisons[:1])
    lines = record.withdrawn(state, {"array": "return to array: mesh"})
    after_it = state.apply(
        "backtrack", figure_comparisons=state.figure_comparisons[:1], comparison_history=lines
    )
    assert after_it.comparison_history[0].reason == "return to array: mesh"
    with pytest.raises(StateError, match="never forgotten"):
        after_it.apply("backtrack", comparison_history=())
    turned = after_it.apply("backtrack", turns=(Turn(kind="return", plan_round=1, reason="mesh"),))
    with pytest.raises(StateError, match="never forgotten"):
        turned.apply("backtrack", turns=())


PAPER = PaperInput(
    paper_id="p",
    title="A paper",
    citation="A. Author, J. 1, 1 (2020)",
    text="The dip lies at 600 nm. " * 10,
    figures=(
        PaperFigure(figure_id="fig1", caption="c"),
        PaperFigure(
            figure_id="fig2",
            caption="a curve",
            image="f.png",
            data=(PaperData(file="fig2.csv", origin="digitised", source="digitised"),),
        ),
    ),
)
PICTURE = Target(
    target_id="look",
    figure_id="fig2",
    description="look",
    kind="image",
    quantity="curve",
    reference=Reference(kind="image"),
    looks=(Look(name="peaks", kind="number_of_peaks", expected="two"),),
)


@pytest.mark.attack("judgement", "counted against the verdict")
def test_a_figure_with_numbers_that_is_only_looked_at_or_left_out_is_no_reproduction():
    """Lie: the hard figure is judged by eye, or not mentioned, or excused with an empty reason."""
    looked = plan(DIP, PICTURE, claim_targets=("dip",))
    assert uncovered(looked, PAPER) == ("fig2",)
    found = headline(looked, compared(dip="SUCCESS"), left=left_of(looked, (), PAPER))
    assert found.verdict == "Partly reproduced" and standing(found)["fig2"] == "not covered"
    assert any(
        i.where == "fig2" and "cannot be called reproduced" in i.description
        for i in plan_rule(looked, PAPER, {})
    )
    empty = plan(DIP, claim_targets=("dip",), not_reproducible=("fig2: no",))
    assert not reason_for(empty, "fig2") and uncovered(empty, PAPER) == ("fig2",)
    assert ("blocking", "fig2") in {(i.severity, i.where) for i in plan_rule(empty, PAPER, {})}
    excused = plan(
        DIP, claim_targets=("dip",), not_reproducible=("fig2: a sweep of 400 three-dimensional runs",)
    )
    found = headline(excused, compared(dip="SUCCESS"), left=left_of(excused, (), PAPER))
    assert found.verdict == "Reproduced" and "not attempted, with the plan's reasons: fig2" in found.reason
    assert [b.note for b in found.beside] == [
        "\u201ca curve\u201d The plan: a sweep of 400 three-dimensional runs"
    ]


@pytest.mark.attack("judgement", "counted against the verdict")
@pytest.mark.parametrize(
    ("reason", "excuses"),
    [
        ("n/a, it is okay", False),
        ("skipped here", False),
        ("see the others for it", False),
        ("not needed for the claim", False),
        ("the paper gives no data for it", False),
        ("it is a photograph", False),  # its data came with the paper
        ("its runs take 40 hours on two cores", True),
        ("a thermal simulation", True),
        ("what was measured on a sample", True),
        ("follows by hand from the index", False),  # as a number may
    ],
)
def test_a_reason_names_what_is_missing_or_counts_against_the_verdict(reason: str, excuses: bool) -> None:
    """Lie: the hard figure is excused with words that say nothing, or that its data, which came with the paper, are missing."""
    found = plan(DIP, claim_targets=("dip",), not_reproducible=(f"fig2: {reason}",))
    judged = headline(found, compared(dip="SUCCESS"), left=left_of(found, (), PAPER))
    assert judged.verdict == ("Reproduced" if excuses else "Partly reproduced")
    assert [(b.what, f"\u201ca curve\u201d The plan: {reason}" == b.note) for b in judged.beside] == [
        ("fig2", True)
    ]
    without = PAPER.model_copy(
        update={"figures": (PAPER.figures[0], PaperFigure(figure_id="fig2", caption="a curve"))}
    )
    pictured = plan(DIP, claim_targets=("dip",), not_reproducible=("fig2: a photograph",))
    assert (
        headline(pictured, compared(dip="SUCCESS"), left=left_of(pictured, (), without)).verdict
        == "Reproduced"
    )


@pytest.mark.attack("judgement", "counted against the verdict")
def test_more_figures_with_data_left_out_than_attempted_is_no_reproduction_whatever_the_reasons() -> None:
    data = PAPER.figures[1].data
    many = PAPER.model_copy(
        update={
            "figures": tuple(
                PaperFigure(figure_id=f"fig{n}", caption="a curve", data=data) for n in (1, 2, 3)
            )
        }
    )
    excused = plan(
        DIP, claim_targets=("dip",), not_reproducible=("fig2: 40 hours of runs", "fig3: 40 hours of runs")
    )
    found = headline(excused, compared(dip="SUCCESS"), left=left_of(excused, (), many))
    assert (
        found.verdict == "Partly reproduced"
        and "most figures that have data are left out: fig2, fig3" in found.reason
    )
    fewer = many.model_copy(update={"figures": many.figures[:2]})
    assert (
        headline(excused, compared(dip="SUCCESS"), left=left_of(excused, (), fewer)).verdict == "Reproduced"
    )


@pytest.mark.attack("judgement", "counted against the verdict")
def test_a_figure_whose_targets_are_all_called_minor_cannot_fail_in_silence():
    """Lie: what will not agree is called minor from the start."""
    other = NOTE.model_copy(update={"figure_id": "fig2"})
    found = headline(plan(DIP, other, claim_targets=("dip",)), compared(dip="SUCCESS", note="FAILURE"))
    assert found.verdict == "Partly reproduced" and "minor" in found.reason and "note" in found.reason
    assert (
        headline(plan(DIP, NOTE, claim_targets=("dip",)), compared(dip="SUCCESS", note="FAILURE")).verdict
        == "Reproduced"
    )


def test_a_figure_whose_targets_are_all_called_inferred_cannot_fail_in_silence():
    """Lie: what will not agree is called an inferred reading from the start, which counts for nothing."""
    other = Q.model_copy(update={"figure_id": "fig2"})
    light = plan(DIP, other, claim_targets=("dip",), readings=(Reading(name="r", targets=("Q",)),))
    found = headline(light, compared(dip="SUCCESS", Q="FAILURE"))
    assert found.verdict == "Partly reproduced" and "inferred" in found.reason and "Q" in found.reason
    assert headline(light, compared(dip="SUCCESS", Q="SUCCESS")).verdict == "Reproduced"


def test_stage_0_never_makes_a_verdict():
    """Lie: many material checks that agree."""
    found = headline(plan(DIP, claim_targets=("dip",)), compared(mat="SUCCESS", dip="FAILURE"))
    assert found.verdict == "Not reproduced"
    assert (
        headline(plan(target("other"), claim_targets=("other",)), compared(mat="SUCCESS")).verdict
        == "Nothing was compared"
    )


def test_the_first_page_shows_new_plans_returns_and_what_they_took_back(tmp_path):
    """Lie: the report tells the last plan's story only."""
    run_dir, paper_dir = tmp_path / "run", tmp_path / "paper"
    run_dir.mkdir()
    paper_dir.mkdir()
    paper, state = make_paper(paper_dir), make_state(run_dir)
    peak = next(t for _, t in state.plan.targets() if t.target_id == "fig2_peak")
    state = state.model_copy(
        update={
            "turns": (
                Turn(
                    kind="new plan",
                    plan_round=1,
                    reason="the peak does not agree",
                    asked_by="the supervisor",
                    claim_before="A dip and a peak.",
                    claim_after="A dip.",
                ),
            ),
            "comparison_history": (
                line(peak, "FAILURE"),
                line(peak, "FAILURE", event="withdrawn", reason="asked"),
                line(peak, "SUCCESS", attempt=2, simulated=723.4, stated=720.0, unit="nm", error=0.47),
            ),
        }
    )
    paths = write_report(
        state, paper, run_dir=run_dir, paper_dir=paper_dir, settings=settings(), facts=make_facts()
    )
    first = paths[0].read_text().split("## 2 ")[0]
    assert "new plan after plan 1, asked for by the supervisor: the peak does not agree" in first
    assert "The main claim was “A dip and a peak.”, it is now “A dip.”" in first
    assert "taken back: fig2_peak, FAILURE" in first and "Failed, and taken back or dropped since" in first
    assert (
        "1 of 4 targets counts in full as agreement with the paper" in first
        and "1 not (counted with them" in first
    )
    assert "fig2_peak" in (run_dir / "report_data" / "comparisons.csv").read_text()
    appendix = (run_dir / "REPRODUCTION_REPORT_ge_on_gold_APPENDIX.md").read_text()
    assert "Ledger of comparisons: 3 lines" in appendix and "723.4 nm" in appendix
