"""Image targets: pictures drawn by code, judged by two agents on looks the plan named, classed by rule."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from agents.reproduce import comparison_validator
from agents.reproduce.rules import looking
from agents.reproduce.rules.redaction import blind_stage
from agents.reproduce.rules.supervision import stage_status
from schemas.reproduce.judging.evidence import ExecutionEvidence, StageEvidence
from schemas.reproduce.judging.looks import PictureEvidence, VisualComparison, VisualReport
from schemas.reproduce.judging.verdicts import AnalysisAnswer, ComparisonAnswer
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.plan import Target
from tasks.reproduce.evidence.image import picture_evidence
from tests.unit.evidence.evidence_fixture import (
    MEEP,
    WAVELENGTH_NM,
    Run,
    a_stage,
    curve_target,
    dips,
    scalar_target,
)

pytestmark = pytest.mark.unit
LOOKS = [
    {"name": "dips", "kind": "number_of_peaks", "expected": "three dips"},
    {
        "name": "deepest",
        "kind": "position",
        "expected": "deepest dip a third along the axis",
        "tolerance": "a twentieth",
    },
]


def image_target(**changes: object) -> Target:
    return Target.model_validate(
        {
            "target_id": "fig5_look",
            "figure_id": "fig5",
            "description": "spectrum of the slab",
            "kind": "image",
            "quantity": "curve",
            "reference": {"kind": "image"},
            "looks": LOOKS,
            **changes,
        }
    )


PAPER = PaperInput.model_validate(
    {
        "paper_id": "p",
        "title": "A slab",
        "citation": "A. Author, Journal 1, 1 (2020)",
        "text": "words " * 50,
        "figures": [{"figure_id": "fig5", "caption": "Spectrum", "image": "fig5.png"}],
    }
)
STAGE = a_stage(image_target())


def pictures(run: Run, stage=STAGE) -> tuple[PictureEvidence, ...]:  # noqa: ANN001
    return picture_evidence(
        run.outputs, stage, PAPER, root=run.root, paper_dir=run.paper_dir, folder=run.root / "plots"
    )


@pytest.fixture
def run(tmp_path: Path) -> Run:
    found = Run(tmp_path)
    found.root.mkdir(), found.paper_dir.mkdir()
    Image.new("RGB", (40, 30)).save(found.paper_dir / "fig5.png")
    return found


def saved(run: Run, **changes: object) -> None:
    for scale in (0.5, 1.0):
        columns = [("wavelength", "wavelength", "nm", WAVELENGTH_NM), ("T", "transmittance", "1", dips())]
        run.add(columns, scale=scale, targets={"T": "fig5_look"}, **changes)  # type: ignore[arg-type]


def test_the_picture_is_drawn_from_saved_data_and_traced(run: Run) -> None:
    saved(run)
    [found] = pictures(run)
    assert found.computed and found.paper == "fig5.png" and not found.problems
    with Image.open(run.root / str(found.simulation)) as picture:
        assert picture.width > 600
    assert found.sha256 and found.execution_id == run.executions[-1].execution_id


def test_maps_and_sweeps_are_drawn_too(run: Run) -> None:
    x, y = np.linspace(0, 1, 9), np.linspace(0, 2, 11)
    run.field(x, y, np.outer(x, y))
    target = image_target(target_id="fig4_map", x_unit="um", y_unit="um")
    assert pictures(run, a_stage(target))[0].simulation
    other = Run(run.folder)
    for gap in (10.0, 20.0, 30.0):
        columns = [("T", "transmittance", "1", [gap / 50])]
        other.add(columns, kind="scalar", targets={"T": "fig5_look"}, point=(("gap_nm", gap),))
    assert pictures(other)[0].simulation


def test_missing_pictures_are_named_and_never_raise(run: Run) -> None:
    [nothing] = pictures(run)
    assert nothing.simulation is None and nothing.problems
    saved(run)
    (run.paper_dir / "fig5.png").unlink()
    assert pictures(run)[0].paper is None
    idle = Run(run.folder)
    saved(idle, meep_runs=(MEEP.model_copy(update={"time_steps": 0}),))
    assert not pictures(idle)[0].computed


def test_a_description_is_not_told_to_save_a_column(run: Run) -> None:
    columns = [("T", "transmittance", "1", [0.5])]
    run.add(columns, kind="scalar", targets={"T": "another"})
    assert "save the column" in pictures(run)[0].problems[0]
    run.add(columns, kind="scalar", targets={"T": "another"}, described=True)
    run.executions[:] = run.executions[-1:]
    [told] = pictures(run)[0].problems
    assert "save the column" not in told and "why its scene or sweep gave no value" in told


def evidence(**changes: object) -> StageEvidence:
    both = {
        "target_id": "fig5_look",
        "figure_id": "fig5",
        "paper": "fig5.png",
        "simulation": "plots/a.png",
        "computed": True,
    }
    return StageEvidence(
        stage_id="stage1",
        execution=ExecutionEvidence(checks=()),
        pictures=(PictureEvidence.model_validate(both | changes),),
    )


def report(**verdicts: str) -> tuple[VisualReport, ...]:
    return (
        VisualReport.model_validate(
            {
                "target_id": "fig5_look",
                "looks": [
                    {"name": name, "verdict": verdict, "reason": "as seen"}
                    for name, verdict in verdicts.items()
                ],
            }
        ),
    )


AGREE = report(dips="agree", deepest="agree")


@pytest.mark.parametrize(("analyst", "validator", "expected"), [
    (AGREE, AGREE, "PARTIAL"),
    (AGREE, report(dips="agree", deepest="differs"), "FAILURE"),
    (report(dips="differs", deepest="agree"), AGREE, "FAILURE"),
    (report(dips="agree", deepest="cannot_tell"), AGREE, "PARTIAL"),
    (report(dips="cannot_tell", deepest="cannot_tell"), AGREE, "NOT_JUDGED"),
    (AGREE, (), "NOT_JUDGED"),
    (report(dips="agree"), AGREE, "PARTIAL"),
    (report(dips="agree", deepest="agree") + report(dips="differs"), AGREE, "FAILURE"),
    (report(other="agree"), report(other="agree"), "NOT_JUDGED"),
])  # fmt: skip
def test_the_stricter_counts_and_success_is_never_given(
    analyst: object, validator: object, expected: str
) -> None:
    [found] = looking.judge(STAGE, evidence(), analyst, validator)  # type: ignore[arg-type]
    assert found.classification == expected
    assert [look.name for look in found.looks] == ["dips", "deepest"], "the plan's looks, none dropped"
    assert all(len(look.reasons) == 2 for look in found.looks)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [({"paper": None}, "NOT_JUDGED"), ({"simulation": None}, "NOT_JUDGED"), ({"computed": False}, "FAILURE")],
)
def test_without_pictures_or_a_computation_words_do_not_count(
    changes: dict[str, object], expected: str
) -> None:
    [found] = looking.judge(STAGE, evidence(**changes), AGREE, AGREE)
    assert found.classification == expected and found.reasons
    [nothing] = looking.judge(STAGE, None, AGREE, AGREE)
    assert nothing.classification == "NOT_JUDGED"


def test_the_analyst_may_not_drop_a_look_nor_invent_one() -> None:
    def issues(reports: tuple[VisualReport, ...], shown: StageEvidence) -> list[str]:
        analysis = AnalysisAnswer(reports=(), discrepancies=(), summary="", visual_reports=reports)
        ruled = comparison_validator.rule(analysis, (), (), STAGE, shown)
        assert ruled.verdict == ("needs_revision" if ruled.issues else "approve")
        return [issue.description for issue in ruled.issues]

    assert issues(AGREE, evidence()) == []
    assert issues((), evidence(paper=None)) == []
    assert any("'deepest' is judged 0 times" in text for text in issues(report(dips="agree"), evidence()))
    assert any("'colour'" in text for text in issues((*AGREE, *report(colour="agree")), evidence()))
    kept = comparison_validator.judge(
        ComparisonAnswer(verdict="approve", issues=(), feedback="", visual_reports=AGREE),
        ComparisonAnswer(verdict="approve", issues=(), feedback=""),
    )
    assert kept.visual_reports == AGREE


def test_the_blind_do_not_read_what_the_papers_picture_shows() -> None:
    shown = str(blind_stage(STAGE))
    assert "fig5_look" in shown and "three dips" not in shown and "deepest" not in shown


def test_pictures_never_decide_beside_numbers() -> None:
    def visual(**changes: object) -> tuple[VisualComparison, ...]:
        return looking.judge(STAGE, evidence(**changes), AGREE, report(dips="differs"))

    assert stage_status((), STAGE, visual()) == "completed_partial"
    assert stage_status((), STAGE, visual(simulation=None)) == "completed_failed"
    mixed = a_stage(image_target(), scalar_target(), curve_target())
    assert [t.target_id for t in mixed.numeric_targets] == ["fig3_Q", "fig2_T"]
    assert stage_status((), mixed, looking.judge(mixed, evidence(), AGREE, AGREE)) == "completed_failed"


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"looks": []}, "looks"),
        ({"kind": "curve"}, "looks"),
        ({"looks": [LOOKS[0], LOOKS[0]]}, "used twice"),
        ({"looks": [{**LOOKS[1], "tolerance": ""}]}, "needs a tolerance"),
        ({"looks": [{**LOOKS[0], "kind": "beauty"}]}, "'number_of_peaks', 'order'"),
    ],
)
def test_what_is_judged_is_named_beforehand(changes: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        image_target(**changes)


def test_the_report_shows_both_pictures_and_counts_them_apart(tmp_path: Path) -> None:
    from tasks.reproduce.report import write_report
    from tests.unit.report.report_fixture import make_facts, make_paper, make_state, settings

    run_dir, paper_dir = tmp_path / "run", tmp_path / "paper"
    paper, state = make_paper(paper_dir), make_state(run_dir)
    assert state.plan is not None
    before = write_report(
        state, paper, run_dir=run_dir, paper_dir=paper_dir, settings=settings(), facts=make_facts()
    )
    counted = [
        line for line in before[0].read_text().splitlines() if "in full as agreement with the paper" in line
    ]
    figure = next(f for f in paper.figures if f.image)
    target = image_target(figure_id=figure.figure_id)
    stage = state.plan.stages[-1]
    plan = state.plan.model_copy(
        update={
            "stages": (
                *state.plan.stages[:-1],
                stage.model_copy(update={"targets": (*stage.targets, target)}),
            )
        }
    )
    Image.new("RGB", (40, 30)).save(run_dir / "look.png")
    shown = looking.judge(
        plan.stages[-1],
        evidence(figure_id=figure.figure_id, paper=figure.image, simulation="look.png"),
        AGREE,
        report(dips="differs", deepest="agree"),
    )
    state = state.model_copy(update={"plan": plan, "visual_comparisons": shown})
    after = write_report(
        state, paper, run_dir=run_dir, paper_dir=paper_dir, settings=settings(), facts=make_facts()
    )
    text = after[0].read_text()
    assert "three dips" in text and "validator: as seen" in text and "look.png" in text
    assert list((run_dir / "report_images").glob("looks-*"))
    assert "1 different" in text
    numbers = [line for line in text.splitlines() if "in full as agreement with the paper" in line]
    assert numbers[0].startswith(counted[0][:120]), "numeric results are not touched"
