"""Debug mode's findings: resonance, sizes against the design, resolution, stages, recommendations, pictures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.reproduce.judging.debugging import debug_stages
from schemas.base import FileRef
from schemas.reproduce.materials.prepared_material import MaterialRecord
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.plan import Plan
from schemas.reproduce.settings import RunSettings
from schemas.reproduce.simulations.debugging import (
    Cell,
    DebugSummary,
    GeometryCheck,
    MaterialDiagnosis,
    PaperLoading,
    StageDiagnosis,
)
from schemas.reproduce.simulations.design import Design, OutputSpec
from schemas.reproduce.simulations.execution import Column, Dataset, Execution, Failure
from schemas.reproduce.state import ReproState
from simkit.describe.base import RESOLVED
from simkit.describe.problem import Problem
from simkit.describe.scene import Scene
from tasks.reproduce.debugging import (
    Cells,
    debug_scale,
    draw_pictures,
    geometry_check,
    read_cells,
    recommendations,
    resonance,
)
from tasks.reproduce.debugging.diagnosis import write_debug_report
from tasks.reproduce.solving.cell_look import look, sizes
from tasks.reproduce.solving.groups import Group
from tasks.reproduce.solving.varying import Outcome
from tasks.reproduce.uncertainty.climbed import Climb
from tests.unit.reproduce.test_flow_selection import stage

pytestmark = pytest.mark.unit
AIR = {"kind": "medium", "index": 1.0}
CYLINDER = {
    "kind": "cylinder",
    "low": [-0.5, -0.5, None],
    "high": [0.5, 0.5, None],
    "material": "glass",
    "radius": 0.5,
}
CELL = {
    "label": "main",
    "size": [4, 4, 0],
    "resolution": 40,
    "interior": {"x": [-1.5, 1.5], "y": [-1.5, 1.5]},
    "object_count": 1,
    "objects": [CYLINDER],
    "sources": [
        {
            "kind": "GaussianSource",
            "component": "ez",
            "center": [-1, 0, 0],
            "size": [0, 3, 0],
            "frequency": 1.5,
            "fwidth": 0.3,
            "spectrum": [[1.2, 0.1], [1.5, 1.0], [1.8, 0.1]],
        }
    ],
    "monitors": [
        {"name": "DftFlux 0", "center": [1, 0, 0], "size": [0, 3, 0], "frequencies": 5, "band": [1.3, 1.7]}
    ],
}


def design(*geometry: str, resolution: float = 80, scales: tuple[float, ...] = (0.5, 1.0)) -> Design:
    return Design(
        stage_id="s1",
        summary="",
        dimensions="2D",
        length_unit="1 um",
        geometry=geometry,
        materials=(),
        sources=(),
        boundaries=(),
        monitors=(),
        resolution=resolution,
        resolution_reason="",
        convergence_scales=scales,
        stop="",
        outputs=(OutputSpec(dataset_id="d", kind="spectrum", columns=()),),
        estimated_cpu_s=1,
    )


def execution(folder: Path, *datasets: Dataset) -> Execution:
    return Execution(
        execution_id="0" * 32,
        stage_id="s1",
        resolution_scale=0.5,
        exit_code=0,
        complete=True,
        directory="run",
        datasets=datasets,
    )


def table(root: Path, kind: str, columns: list[Column], rows: np.ndarray) -> Dataset:
    path = root / "run" / "data" / "d.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        ",".join(c.name for c in columns)
        + "\n"
        + "\n".join(",".join(f"{v:.8g}" for v in r) for r in rows)
        + "\n"
    )
    return Dataset(dataset_id="d", kind=kind, file=FileRef.of(path, root), columns=tuple(columns))  # type: ignore[arg-type]


@pytest.mark.parametrize("unit,scale", [("nm", 1.0), ("um", 1e-3)])
def test_a_dip_in_a_saved_spectrum_is_the_resonance(tmp_path, unit, scale):
    x = np.linspace(500, 700, 101)
    data = table(
        tmp_path,
        "spectrum",
        [
            Column(name="w", quantity="wavelength", unit=unit),
            Column(name="R", quantity="reflectance", unit="1"),
        ],
        np.c_[x * scale, 1 - 0.8 / (1 + ((x - 612) / 15) ** 2)],
    )
    found, at = resonance((execution(tmp_path, data),), tmp_path)
    assert found is True and at == pytest.approx(612, abs=0.5)


def test_a_spectrum_without_extremum_and_no_spectrum_differ(tmp_path):
    x = np.linspace(500, 700, 51)
    columns = [
        Column(name="w", quantity="wavelength", unit="nm"),
        Column(name="R", quantity="reflectance", unit="1"),
    ]
    assert resonance(
        (execution(tmp_path, table(tmp_path, "spectrum", columns, np.c_[x, x / 700])),), tmp_path
    ) == (False, None)
    assert resonance((execution(tmp_path),), tmp_path) == (None, None)


def test_a_mode_with_a_quality_factor_is_a_resonance(tmp_path):
    data = table(
        tmp_path,
        "scalar",
        [
            Column(name="f", quantity="frequency", unit="c/a"),
            Column(name="Q", quantity="quality_factor", unit="1"),
        ],
        np.array([[0.5, 80.0]]),
    )
    assert resonance((execution(tmp_path, data),), tmp_path) == (True, pytest.approx(2000))


@pytest.mark.parametrize(
    "line,fits",
    [
        ("cylinder radius 0.5 at the origin", True),
        ("cylinder of 500 nm radius", True),
        ("disk radius 0.3", False),
        ("half-space, index 1.55", None),
    ],
)
def test_sizes_are_held_against_the_design(line, fits):
    found = geometry_check(Cells((Cell.model_validate(CELL),)), design(line))
    assert found.dimensions_match_design is fits
    assert (found.structures_created, found.structure_types) == (1, ("cylinder",))


def described(*bodies: tuple[str, tuple[float, ...]]) -> GeometryCheck:
    films = [{"kind": "block", "low": [-2, low, None], "high": [None, 1.5, None]} for low in (0.9, 1.0)]
    cell = Cell.model_validate(CELL | {"designed": bodies, "objects": [CYLINDER, *films]})
    return geometry_check(Cells((cell,)), design().model_copy(update={"form": "description"}))


def test_every_length_of_a_described_body_is_looked_for_in_the_cell():
    assert described(("cylinder rod", (0.5,)), ("film 1", (0.1,))).dimensions_match_design is True
    wrong = described(("cylinder rod", (0.5,)), ("block base", (0.1, 0.27)))
    assert wrong.dimensions_match_design is False and wrong.notes[-1].endswith(
        "in the cell as built: block base, 0.27 um"
    )
    assert described().dimensions_match_design is None and "could be compared" in described().notes[-1]


def scene_of(scene: dict[str, object], quantity: str) -> Scene:
    problem = {"scenes": [scene], "quantities": [{"type": quantity, "id": "q", "scene": "s"}]}
    [made] = Problem.model_validate(problem, context=RESOLVED).scenes
    return made


@given(st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=5), st.floats(1e-3, 1e3), st.floats(-1e3, 1e3))
def test_a_description_gives_every_body_its_finite_lengths(thicknesses, radius, edge):
    films = [
        {
            "type": "film",
            "medium": AIR,
            "thickness": t,
            "pattern": [{"type": "disk", "medium": AIR, "radius": radius}],
        }
        for t in thicknesses
    ]
    cell = {
        "type": "unit_cell",
        "id": "s",
        "below": AIR,
        "above": AIR,
        "layers": films,
        "period": [3e3, 3e3],
        "light_from": "above",
        "polarization": "x",
        "band": {"type": "line", "wavelength": 0.5},
    }
    found = list(sizes(scene_of(cell, "reflectance")))
    assert [lengths for name, lengths in found if name.startswith("film")] == [[t] for t in thicknesses]
    assert [lengths for name, lengths in found if name.startswith("disk")] == [[radius]] * len(thicknesses)
    bodies = [
        {"type": "block", "id": "b", "medium": AIR, "x": [edge, edge + radius], "y": [edge, 1e20]},
        {
            "type": "repeat",
            "body": {
                "type": "ring",
                "id": "r",
                "medium": AIR,
                "filling": AIR,
                "inner": radius,
                "outer": radius + 1,
            },
            "count": 3,
            "step": [1, 0, 0],
        },
    ]
    guide = {
        "type": "emitter",
        "id": "s",
        "dimensions": "2D",
        "bodies": bodies,
        "background": AIR,
        "position": [0, 0, 0],
        "orientation": "z",
        "band": {"type": "line", "wavelength": 0.5},
    }
    found = dict(sizes(scene_of(guide, "purcell_factor")))
    assert found == {"block b": [pytest.approx(radius)], "ring r": [radius, radius + 1]}


def test_what_cannot_be_drawn_says_why(tmp_path):
    made = Climb(Group("film", None, {}, ()), None, None, coarse=Outcome({}))  # type: ignore[arg-type]
    look(made, None, tmp_path / "s1" / "study" / "cells" / "1")  # type: ignore[arg-type]
    found = read_cells((execution(tmp_path),), tmp_path)
    assert found.fullest() is None and found.fault == "film: nothing was arranged"


def test_the_resolution_is_halved_but_never_below_an_eighth_of_the_wavelength():
    glass = MaterialRecord(name="glass", index=1.5, band_um=(0.5, 0.7))  # 8 pixels in 0.5 / 1.5 um: 24 px/um
    assert debug_scale(design(resolution=80), (glass,), 0.5) == 0.5
    assert debug_scale(design(resolution=40, scales=(0.5, 0.75, 1.0)), (glass,), 0.5) == 0.75
    assert debug_scale(design(resolution=20), (glass,), 0.5) == 1.0


def test_stages_are_the_materials_and_the_first_that_needs_no_other():
    plan = Plan.model_construct(
        stages=(
            stage("s0", "MATERIAL_VALIDATION"),
            stage("s2", "SINGLE_STRUCTURE", "s1"),
            stage("s1", "SINGLE_STRUCTURE", "s0"),
        )
    )
    assert [s.stage_id for s in debug_stages(plan, 2)] == ["s0", "s1"]
    assert [s.stage_id for s in debug_stages(plan, 1)] == ["s0"]


def test_the_settings_have_the_specifications_names_and_defaults():
    settings = RunSettings.model_validate({"debug": True})  # as written before the rename
    assert settings.debug_mode and RunSettings.model_validate(settings.model_dump()) == settings
    assert (
        settings.debug_resolution_factor,
        settings.debug_max_stages,
        settings.debug_max_total_runtime_minutes,
        settings.debug_max_stage_runtime_minutes,
    ) == (0.5, 2, 30, 10)


def summary(**changes: object) -> DebugSummary:
    return DebugSummary(
        **{
            "paper_id": "p",
            "run_id": "r",
            "debug_run_timestamp": "",
            "total_runtime_seconds": 1,
            "complete": True,
            "paper_loading": PaperLoading(status="success", text_chars=1, figures_found=1, figures_loaded=1),
            "stage0_material_validation": MaterialDiagnosis(
                status="success", confirmed=True, simulation_ran=True
            ),
            "stage1_minimal": StageDiagnosis(
                status="success",
                simulation_ran=True,
                resonance_found=True,
                resolution=25,
                resolution_designed=50,
            ),
            "geometry_check": GeometryCheck(structures_created=1, dimensions_match_design=True),
        }
        | changes
    )


def test_recommendations_follow_from_evidence():
    good = recommendations(summary(), ())
    assert (
        good[0] == "Material validation passed - proceed to full run"
        and "Nothing stands in the way" in good[-1]
    )
    assert any("current: 25, recommended: 50" in text for text in good)
    failed = Execution(
        execution_id="0" * 32,
        stage_id="s1",
        resolution_scale=0.5,
        exit_code=1,
        directory="run",
        failure=Failure(failure_class="code", reason="NameError: x"),
    )
    bad = recommendations(summary(stage1_minimal=StageDiagnosis(status="failed")), (failed,))
    assert "NameError" in bad[0] and not any("Nothing stands in the way" in text for text in bad)
    wrong = recommendations(
        summary(geometry_check=GeometryCheck(structures_created=1, dimensions_match_design=False)), ()
    )
    assert any("geometry_check.png" in text for text in wrong) and not any(
        "Nothing stands" in text for text in wrong
    )


def test_nothing_is_cleared_where_nothing_could_be_compared():
    for geometry in (
        GeometryCheck(structures_created=1),
        GeometryCheck(notes=("the simulation drew no picture",)),
    ):
        found = recommendations(summary(geometry_check=geometry), ())
        assert not any("Nothing stands" in text for text in found)
        assert any("No size" in text or "holds no object" in text for text in found)
    grid = StageDiagnosis(status="success", simulation_ran=True, resolution=40, described=True)
    assert any(
        "40 pixels" in text and "finer ones" in text
        for text in recommendations(summary(stage1_minimal=grid), ())
    )


def test_the_report_says_diagnostic_first_and_gives_no_verdict(tmp_path):
    paper = PaperInput(
        paper_id="p",
        title="A film",
        citation="A. Author (2013)",
        domain="thin_films",
        text="The dip lies at 620 nm. " * 20,
    )
    markdown, html = write_debug_report(
        summary(), ReproState(paper_id="p", run_id="r"), paper, run_dir=tmp_path
    )
    assert (
        markdown.read_text().startswith("# Diagnostic report: A film")
        and "Appendix" not in markdown.read_text()
    )
    page = html.read_text()
    assert "<title>Diagnostic report: A film</title>" in page and page.index("Diagnostic run") < page.index(
        "<h2>"
    )
    assert "eproduced" not in page + markdown.read_text() and "Reproduction report" not in page


def test_pictures_are_drawn_from_the_cell_or_say_why_not(tmp_path):
    drawn = draw_pictures(
        tmp_path,
        cells=Cells((Cell.model_validate(CELL),), (tmp_path,)),
        materials=(MaterialRecord(name="glass", index=1.5, band_um=(0.5, 0.7)),),
        run_dir=tmp_path,
    )
    made = {p.name: p.made for p in drawn}
    assert made == {
        "geometry_check.png": False,
        "material_check.png": True,
        "source_spectrum.png": True,
        "monitor_positions.png": True,
    }
    assert "no picture" in drawn[0].why_not
    assert (tmp_path / "source_spectrum.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    "cells", ["text", [1], [{"label": "x", "size": "big"}], [{"label": "x" * 9999}], {"label": 1}]
)
def test_hostile_notes_on_cells_are_refused_with_a_reason(tmp_path, cells):
    folder = tmp_path / "run" / "data"
    folder.mkdir(parents=True)
    (folder / "results.json").write_text(json.dumps({"simkit": 1, "cells": cells}))
    found = read_cells((execution(tmp_path),), tmp_path)
    assert found.fullest() is None and found.fault


def test_a_picture_outside_its_folder_is_not_read(tmp_path):
    assert Cells((Cell.model_validate(CELL | {"picture": "../secret.png"}),), (tmp_path,)).picture() is None
