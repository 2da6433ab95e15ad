"""A feature is tied to the curve that it was read from: its class, its axis, its place and width."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agents.reproduce.rules.feature_rules import bound
from schemas.reproduce.planning.plan import Reference, Target
from schemas.reproduce.simulations.axes import named
from schemas.reproduce.words.bound import Bound
from tasks.reproduce.judging.classify import window_verdict
from tasks.reproduce.judging.together import Stated, with_their_curves
from tasks.reproduce.references.paper_value import ReferenceValue
from tests.unit.evidence.evidence_fixture import Run, a_stage
from tests.unit.words.test_feature_words import INPUTS, TEXT, quoted

pytestmark = pytest.mark.unit


NM = np.linspace(500, 800, 121)


def hump(at: float) -> np.ndarray:
    return 0.1 + 0.2 * np.exp(-(((NM - at) / 60) ** 2))


def read(
    run: Run, target: Target, bounds: Bound | None = None, *more: Target, data: str = "data/fig1.csv"
) -> list[str]:
    stage = a_stage(target, *more)
    found = [run.judge(t) for t in stage.numeric_targets]
    return [
        e.classification
        for e in with_their_curves(
            stage,
            found,
            run.outputs,
            Stated({"t": bounds or Bound()}, {"fig1": (data,)}),
            root=run.root,
            paper_dir=run.paper_dir,
        )
    ]


def simulated(tmp_path: Path, at: float, paper: float) -> Run:
    run = Run(tmp_path)
    run.paper_table("data/fig1.csv", wavelength_nm=NM, R=hump(paper), R_other=hump(paper + 30))
    for scale, off in ((0.5, 0.2), (1.0, 0.1)):
        run.add(
            [("wavelength", "wavelength", "nm", NM), ("R", "reflectance", "1", hump(at + off))],
            scale=scale,
            targets={"R": "t"},
            described=True,
        )
    return run


def over(run: Run, axis: str) -> Run:
    """The same, with trusted code's word for what its abscissa measures."""
    for number, execution in enumerate(run.executions):
        first, *rest = execution.datasets[0].columns
        dataset = execution.datasets[0].model_copy(
            update={"columns": (first.model_copy(update={"axis": axis}), *rest)}
        )
        run.executions[number] = execution.model_copy(update={"datasets": (dataset,)})
    return run


def test_a_feature_is_no_better_than_the_curve_that_it_was_read_from(tmp_path: Path) -> None:
    """Our maximum is at 616 nm; where it falls through a level tuned to 640 nm nothing agrees with the paper's."""
    level = float(np.interp(640, NM, hump(616)))
    target = quoted(
        "falls to 10 % at 640 nm",
        640,
        "nm",
        "peak_position",
        kind="crossing",
        level=[level],
        direction="falling",
    )
    assert read(simulated(tmp_path, 616, 720), target) == ["PARTIAL"]
    honest = quoted("The maximum lies at 720 nm", 720, "nm", "peak_position", kind="position")
    assert read(simulated(tmp_path / "b", 720, 720), honest) == ["SUCCESS"]
    assert read(simulated(tmp_path / "c", 720, 690), honest) == ["SUCCESS"]  # it is the figure's other curve
    named = honest.model_copy(
        update={
            "reference": Reference(
                kind="feature",
                file="data/fig1.csv",
                x_column="wavelength_nm",
                y_column="R",
                feature={"kind": "value"},
            )
        }
    )
    named = named.model_copy(update={"unit": "1", "quantity": "efficiency"})
    assert read(simulated(tmp_path / "d", 616, 720), named) == [
        "FAILURE"
    ]  # the value agrees, its curve does not


def test_a_feature_with_a_planned_curve_has_that_curves_class(tmp_path: Path) -> None:
    run = simulated(tmp_path, 616, 720)
    run.executions = [
        e.model_copy(
            update={
                "datasets": tuple(
                    d.model_copy(
                        update={"targets": (*d.targets, d.targets[0].model_copy(update={"target": "curve"}))}
                    )
                    for d in e.datasets
                )
            }
        )
        for e in run.executions
    ]
    level = float(np.interp(640, NM, hump(616)))
    target = quoted(
        "falls to 10 % at 640 nm",
        640,
        "nm",
        "peak_position",
        kind="crossing",
        level=[level],
        direction="falling",
    )
    drawn = Reference(kind="data", file="data/fig1.csv", x_column="wavelength_nm", y_column="R")
    curve = target.model_copy(
        update={
            "target_id": "curve",
            "kind": "curve",
            "unit": "1",
            "quantity": "curve",
            "figure_id": "text",
            "reference": drawn,
        }
    )
    assert read(run, target, None, curve) == ["FAILURE", "FAILURE"]


@pytest.mark.parametrize(
    ("axis", "judged"),
    [("spectral", "SUCCESS"), ("", "SUCCESS"), ("parameter", "FAILURE"), ("angle", "FAILURE")],
)
def test_a_maximum_over_a_thickness_is_none_over_a_wavelength(tmp_path: Path, axis: str, judged: str) -> None:
    run = over(simulated(tmp_path, 720, 720), axis)
    target = quoted("The maximum lies at a wavelength of 720 nm", 720, "nm", "peak_position", kind="position")
    assert read(run, target) == [judged]
    unsaid = quoted("The maximum lies at 720 nm", 720, "nm", "peak_position", kind="position")
    assert read(run, unsaid) == [
        judged if judged == "SUCCESS" else "PARTIAL"
    ]  # the figure's data, or the unit, tell
    swept = quoted("The maximum lies at a thickness of 720 nm", 720, "nm", "peak_position", kind="position")
    assert read(run, swept) == ["SUCCESS" if axis in ("", "parameter") else "FAILURE"]


@pytest.mark.parametrize(
    ("name", "axis"),
    [
        ("wavelength_nm", "spectral"),
        ("f_THz", "spectral"),
        ("gap_um", "parameter"),
        ("k_along_path", "wave vector"),
        ("angle_deg", "angle"),
        ("nm", ""),
        ("r_um", "parameter"),
        ("time_fs", "time"),
    ],
)
def test_the_papers_columns_say_what_their_abscissa_is(name: str, axis: str) -> None:
    assert named(name) == axis


def test_what_the_words_leave_open_is_at_most_partial(tmp_path: Path) -> None:
    target = quoted("The maximum lies at 720 nm", 720, "nm", "peak_position", kind="position")
    run = simulated(tmp_path, 720, 720)
    assert read(run, target, Bound(loose=("its level 0.2 is stated nowhere",))) == ["PARTIAL"]
    assert read(run, target, Bound(refused=("no crossing",))) == ["PARTIAL"]
    assert read(run, target, Bound(windows=((690, 740),))) == ["PARTIAL"]
    assert read(run, target, Bound(windows=((520, 790),))) == [
        "SUCCESS"
    ]  # it keeps nine tenths of the figure's data


@pytest.mark.parametrize(
    "words", ["full width at half maximum", "full-width", "FWHM", "linewidth", "line width"]
)
def test_a_width_that_no_feature_takes_is_at_most_partial(words: str) -> None:
    sentence = f"The {words} of the peak is 12.5 nm"
    left = bound(quoted(sentence, 12.5, "nm"), sentence, INPUTS)
    assert left.lines_only == "the words speak of a width, and no feature takes one" and not left.loose
    taken = bound(quoted(sentence, 12.5, "nm", kind="width"), sentence, INPUTS)
    assert not any("no feature" in fault for fault in taken.loose)


def test_a_width_that_no_feature_takes_is_a_modes_line_or_at_most_partial(tmp_path: Path) -> None:
    sentence = "The mode has a linewidth of 7.3 nm"
    target = quoted(sentence, 7.3, "nm", "fwhm")
    for quantity, judged in (("line_width", "SUCCESS"), ("measured", "PARTIAL")):
        run = Run(tmp_path / quantity)
        for scale, value in ((0.5, 7.32), (1.0, 7.31)):
            run.add(
                [("found", quantity, "nm", [value])],
                scale=scale,
                kind="scalar",
                targets={"found": "t"},
                described=True,
            )
        assert read(run, target, bound(target, sentence, INPUTS)) == [judged]


def test_a_place_that_no_feature_takes_is_a_modes_or_at_most_partial(tmp_path: Path) -> None:
    target = quoted("The maximum of the reflectance lies at 720.7 nm", 720.7, "nm", "peak_position")
    found = bound(target, TEXT, INPUTS)
    assert found.modes_only and not found.loose
    for quantity, judged in (
        ("resonance_frequency", "SUCCESS"),
        ("beat_length", "PARTIAL"),
        ("measured", "PARTIAL"),
    ):
        run = Run(tmp_path / quantity)
        for scale, value in ((0.5, 720.9), (1.0, 720.8)):
            run.add(
                [("found", quantity, "nm", [value])],
                scale=scale,
                kind="scalar",
                targets={"found": "t"},
                described=True,
            )
        assert read(run, target, found) == [judged]


@pytest.mark.parametrize(
    ("kind", "coverage", "best"),
    [
        ("slope", 0.05, "SUCCESS"),
        ("slope", 0.01, "PARTIAL"),  # lie: a window of two samples
        ("position", 0.05, "PARTIAL"),
        ("position", 0.2, "SUCCESS"),
        ("mean", 0.05, "PARTIAL"),
    ],
)
def test_a_slope_is_told_at_one_place(kind: str, coverage: float, best: str) -> None:
    target = quoted("The slope is 0.3 % per nm", 0.3, "%", "scalar", kind=kind)
    reasons: list[str] = []
    assert window_verdict(ReferenceValue(0.3, "the paper", coverage=coverage), target, reasons) == best
    assert reasons


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize("axis", ["parameter", "angle", "spectral", ""])
def test_a_spectrum_answers_no_table_over_another_thing(tmp_path: Path, axis: str) -> None:
    """Lie: a place of a table over gaps that a spectrum answers."""
    honest = quoted("The maximum lies at 720 nm", 720, "nm", "peak_position", kind="position")
    run = over(simulated(tmp_path, 720, 720), "spectral")
    assert read(run, honest, Bound(axis=axis)) == ["SUCCESS" if axis in ("spectral", "") else "PARTIAL"]
