"""The numerical uncertainty of a described target is known only when all of its parts are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from schemas.reproduce.planning.plan import Reference, Target
from schemas.reproduce.simulations.execution import DatasetTarget, MeepRun, StageOutputs
from schemas.reproduce.simulations.numerics import QuantityResult, StudyResult, UncertaintyPart
from simkit.describe.base import RESOLVED
from simkit.describe.problem import Problem
from tasks.reproduce.curves.curve import Curve
from tasks.reproduce.evidence.convergence import Convergence
from tasks.reproduce.evidence.kept_files import Reader
from tasks.reproduce.evidence.not_computed import EvidenceError
from tasks.reproduce.evidence.numerics import not_computed, variants, with_parts
from tasks.reproduce.evidence.simulated import rungs
from tasks.reproduce.judging.limits import limits_for
from tasks.reproduce.references.paper_value import ReferenceValue
from tests.unit.evidence.evidence_fixture import WAVELENGTH_NM, Run, curve_target, scalar_target

TARGET = Target.model_validate(
    {
        "target_id": "f",
        "figure_id": "fig1",
        "description": "a number",
        "kind": "scalar",
        "quantity": "scalar",
        "unit": "1",
        "reference": {
            "kind": "quotation",
            "value": 2.0,
            "quotation": "the number is 2.0 here",
            "place": "text",
        },
    }
)
REFERENCE = ReferenceValue(2.0, "text")
FOUND = Convergence(0.3, None, "two resolutions")


def parts(*varied: tuple[str, float | None, float | None]) -> tuple[Convergence, list[str]]:
    reasons: list[str] = []
    return with_parts(
        TARGET, FOUND, varied, REFERENCE, limits_for(TARGET, "default", REFERENCE, False), reasons
    ), reasons


def test_parts_are_added_and_said_and_only_fits_in_quadrature() -> None:
    found, reasons = parts(("absorber", 2.0, 2.008), ("padding", 2.0, 1.996))
    assert found.uncertainty == pytest.approx(0.3 + 0.4 + 0.2) and "absorber 0.4" in reasons[0]
    assert parts(("materials", 2.0, 2.008))[0].uncertainty == pytest.approx((0.3**2 + 0.4**2) ** 0.5)


def test_a_part_that_could_not_be_had_makes_the_whole_unknown() -> None:
    found, reasons = parts(("absorber", 2.0, 2.0), ("padding", None, None))
    assert found.uncertainty is None and "padding" in reasons[0]


def test_a_part_without_budget_does_not_vanish() -> None:
    study = StudyResult(
        digest="d",
        quantities=(
            QuantityResult(
                id="q",
                kind="k",
                scene="s",
                status="not converged",
                answers=("f",),
                parts=(
                    UncertaintyPart(part="absorber", state="not computed", how="no budget was left"),
                    UncertaintyPart(part="decay", value=0.0, state="nothing to vary"),
                ),
            ),
        ),
    )
    outputs = StageOutputs(stage_id="s", code_sha256="0", executions=(), study=study)
    assert not_computed(outputs, TARGET) == ("absorber",)


def test_a_near_field_is_of_one_wavelength() -> None:
    air = {"kind": "medium", "index": 1.0}
    scene = {
        "type": "scatterer",
        "id": "s",
        "dimensions": "2D",
        "background": air,
        "polarization": "z",
        "bodies": [{"type": "cylinder", "id": "rod", "medium": air, "radius": 1.0}],
        "band": {"type": "wavelengths", "shortest": 1.0, "longest": 2.0},
    }
    near = {"type": "near_field", "id": "n", "scene": "s", "start": [0, 0, 0], "end": [1, 0, 0]}
    with pytest.raises(ValidationError, match="of one wavelength"):
        Problem.model_validate({"scenes": [scene], "quantities": [near]}, context=RESOLVED)


def answers(run: Run, name: str, place: int) -> None:
    """Lets the last dataset answer fig3_Q, as the description's quantity at that place."""
    last = run.executions[-1]
    column = last.datasets[0].columns[-1].name
    named = DatasetTarget(target="fig3_Q", column=column, place=place)
    dataset = last.datasets[0].model_copy(update={"dataset_id": name, "targets": (named,)})
    run.executions[-1] = last.model_copy(update={"datasets": (dataset,)})


@pytest.mark.parametrize(("made_of", "value"), [("difference", 0.5), ("ratio", 3.5)])
def test_a_curve_or_number_made_of_two_results(tmp_path: Path, made_of: str, value: float) -> None:
    """The second scene answers first in the files, on another grid of wavelengths, and in per cent."""
    run, other = Run(tmp_path), np.linspace(1490, 1590, 301)
    hill = 0.5 * np.exp(-(((WAVELENGTH_NM - 1550) / 10) ** 2))
    for scale in (0.5, 1.0):
        run.spectrum(np.full(301, 0.2), scale=scale, x=other, described=True)
        answers(run, "second", 1)
        run.spectrum(0.2 + hill, scale=scale, described=True)
        answers(run, "first", 0)
    reference = {"kind": "data", "file": "a.csv", "x_column": "x_nm", "y_column": "y", "made_of": made_of}
    whole = curve_target(target_id="fig3_Q", unit="1", x_unit="nm").model_copy(
        update={"reference": Reference.model_validate(reference)}
    )
    (rung, finest), _ = rungs(run.outputs, whole, Reader(run.root))
    exact = hill if made_of == "difference" else 1 + hill / 0.2
    curve = finest.value
    assert isinstance(curve, Curve) and curve.x[-1] == 1590 and curve.x[0] == 1500
    assert curve.y == pytest.approx(exact[: curve.y.size], abs=1e-9) and len(rung.executions) == 2
    quoted = {"kind": "quotation", "value": value, "quotation": f"{value}", "made_of": made_of}
    top = scalar_target(quantity="scalar", unit="1").model_copy(
        update={
            "reference": Reference.model_validate({**quoted, "feature": {"kind": "value"}}),
            "x_unit": "nm",
        }
    )
    assert rungs(run.outputs, top, Reader(run.root))[0][-1].value == pytest.approx(value, abs=1e-6)
    lonely = run.outputs.model_copy(update={"executions": run.outputs.executions[1::2]})
    with pytest.raises(EvidenceError, match="of two results"):
        rungs(lonely, top, Reader(run.root))


def test_two_numbers_make_a_difference_in_the_papers_unit(tmp_path: Path) -> None:
    run = Run(tmp_path)
    for value, unit, name, place in ((10.0, "GHz", "with", 1), (10_025.4, "MHz", "without", 0)):
        run.scalar(value, unit=unit, described=True)
        answers(run, name, place)
    quoted = {"kind": "quotation", "value": 25.4, "quotation": "by 25.4 MHz", "made_of": "difference"}
    target = scalar_target(quantity="scalar", unit="MHz").model_copy(
        update={"reference": Reference.model_validate(quoted)}
    )
    assert rungs(run.outputs, target, Reader(run.root))[0][-1].value == pytest.approx(25.4)
    ratio = target.model_copy(
        update={"unit": "1", "reference": target.reference.model_copy(update={"made_of": "ratio"})}
    )
    assert rungs(run.outputs, ratio, Reader(run.root))[0][-1].value == pytest.approx(1.00254)
    with pytest.raises(ValidationError, match="made_of goes with"):
        Reference.model_validate({"kind": "image", "made_of": "ratio"})


def test_a_ratio_of_two_scenes_has_the_rungs_and_variants_of_both_in_the_descriptions_order(
    tmp_path: Path,
) -> None:
    """Each scene has a ladder of its own: covered 0.4 and 1, bare 0.5, 0.75 and 1; the bare one stands first in the files."""
    run = Run(tmp_path)

    def scene(name: str, place: int, dip: float, scale: float, variant: str = "") -> None:
        y = 1 - (1 - dip) * np.exp(-(((WAVELENGTH_NM - 1550) / 10) ** 2))
        run.spectrum(y, scale=scale, described=True, variant=variant)
        answers(run, name, place)

    for scale, dip in ((0.5, 0.84), (0.75, 0.81), (1.0, 0.8)):
        scene("bare", 1, dip, scale)
    scene("bare", 1, 0.85, 0.5, "padding")
    for scale, dip in ((0.4, 0.21), (1.0, 0.2)):
        scene("covered", 0, dip, scale)
    scene("covered", 0, 0.22, 0.4, "absorber")
    feature = {
        "kind": "ratio",
        "of": [
            {"kind": "value", "extremum": "minimum"},
            {"kind": "value", "extremum": "minimum", "curve": "second"},
        ],
    }
    quoted = {"kind": "quotation", "value": 0.25, "quotation": "a quarter, 0.25", "place": "text"}
    target = scalar_target(quantity="scalar", unit="1").model_copy(
        update={"reference": Reference.model_validate({**quoted, "feature": feature}), "x_unit": "nm"}
    )
    found, remarks = rungs(run.outputs, target, Reader(run.root))
    assert [(r.scale, r.value) for r in found] == [
        (0.75, pytest.approx(0.21 / 0.81)),
        (1.0, pytest.approx(0.25)),
    ]
    assert not remarks and len(found[-1].executions) == 2
    changed = variants(run.outputs, target, Reader(run.root))
    assert changed == (
        ("padding", pytest.approx(0.2 / 0.84), pytest.approx(0.2 / 0.85)),
        ("absorber", pytest.approx(0.21 / 0.8), pytest.approx(0.22 / 0.8)),
    )


def test_near_numbers_of_two_ladders_are_compared_on_the_grids_that_both_have(tmp_path: Path) -> None:
    """942.858 on the one's 350 pixels less 941.837 on the other's 112.5 gave 1.02, which was the grids' difference; exact 0.91."""
    run = Run(tmp_path)

    def of(name: str, place: int, value: float, grid: float, finest: float, variant: str = "") -> None:
        run.scalar(value, unit="1", scale=grid / finest, described=True, variant=variant)
        answers(run, name, place)
        last = run.executions[-1]
        runs = (
            MeepRun(label="bands", dimensions=2, resolution=grid, pixels=1, stop_criterion="eigensolver"),
        )
        run.executions[-1] = last.model_copy(update={"meep_runs": runs})

    for grid, error in ((75, 2.0), (112.5, 1.0), (350, 0.1)):
        of("up", 0, 942.9 + error, grid, 350)
    for grid, error in ((75, 2.02), (112.5, 1.01)):
        of("down", 1, 942.0 + error, grid, 112.5)
    of("up", 0, 944.9 + 5, 75, 350, "padding")
    of("down", 1, 944.02 + 5.001, 75, 112.5, "padding")
    quoted = {"kind": "quotation", "value": 0.9, "quotation": "S is 0.9", "made_of": "difference"}
    target = scalar_target(quantity="scalar", unit="1").model_copy(
        update={"reference": Reference.model_validate(quoted)}
    )
    found, _ = rungs(run.outputs, target, Reader(run.root))
    assert [rung.value for rung in found] == pytest.approx([0.88, 0.89])
    [(part, before, after)] = variants(run.outputs, target, Reader(run.root))
    assert part == "padding" and before == pytest.approx(0.88) and after == pytest.approx(0.879)
