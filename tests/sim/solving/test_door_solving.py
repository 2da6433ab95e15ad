"""Through the Python door: a film's numbers and curves, what they are compared with, and the README's ten lines."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import reprolab
from flows.cli import app
from schemas.errors import InputError

pytestmark = pytest.mark.sim

ROOT = Path(__file__).resolve().parents[3]
FILM = """from simkit.describe import *

def describe(p):
    def film(name, band):
        return UnitCell(id=name, below=vacuum(), layers=(Film(medium=Medium(index=p.n), thickness=p.t),), above=vacuum(),
                        light_from="below", polarization="x", band=band)
    return Problem(
        scenes=(film("line", Line(wavelength=p.wavelength)), film("band", Wavelengths(shortest=p.shortest, longest=p.longest))),
        quantities=(
            Reflectance(id="R", scene="line"),
            Reflectance(id="spectrum", scene="band"),
            Phase(id="phase", scene="line", side="transmitted"),
        ),
    )
"""
PARAMETERS = {
    "n": 2,
    "t": "100 nm",
    "wavelength": "600 nm",
    "shortest": {"value": 500, "unit": "nm", "origin": "numerical"},
    "longest": {"value": 800, "unit": "nm", "origin": "numerical"},
}


def exact(wavelength_um: np.ndarray, index: float = 2.0) -> np.ndarray:
    """Reflectance of a film of 100 nm in vacuum (Airy)."""
    r, phase = (1 - index) / (1 + index), 2 * np.pi * index * 0.1 / wavelength_um
    found = r * (1 - np.exp(2j * phase)) / (1 - r**2 * np.exp(2j * phase))
    return np.abs(found) ** 2


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> reprolab.Solved:
    outputs = tmp_path_factory.mktemp("outputs")
    return reprolab.solve(FILM, PARAMETERS, outputs=outputs, budget=20, wanted=0.02, examine=False)


def test_a_number_has_its_unit_its_error_and_the_parts_of_that(solved):
    number = solved["R"]
    truth = float(exact(np.array([0.6]))[0])
    assert number.points is None and number.unit == "1" and number.status == "converged"
    assert abs(number.value - truth) <= number.uncertainty < 0.01
    assert {"resolution", "absorber", "padding"} <= {part.part for part in number.parts}
    row = number.to_dataframe().iloc[0]
    assert row["value"] == number.value and row["resolution"] == number.parts[0].value
    assert len(number._grids()) >= 2 and number._grids()[-1] == (1.0, pytest.approx(number.value))


def test_a_curve_has_the_error_of_each_point_and_is_what_the_study_wrote(solved):
    curve = solved["spectrum"]
    frame = curve.to_dataframe()
    assert frame.attrs["units"] == {"frequency": "c/um", "spectrum": "1", "uncertainty": "1"}
    off = np.abs(frame["spectrum"] - exact(1 / frame["frequency"].to_numpy()))
    assert (off <= 2 * frame["uncertainty"]).mean() > 0.9 and frame["uncertainty"].max() == pytest.approx(
        curve.uncertainty, rel=1e-3
    )
    kept = pd.read_csv(solved.folder / "spectrum.csv")
    assert np.array_equal(kept["spectrum"], frame["spectrum"])
    assert solved["phase"].unit == "rad"


def test_the_command_says_the_same_with_the_same_units(solved, tmp_path):
    """Its runs are those of the door: kept, so it solves nothing."""
    folder = tmp_path / "film"
    folder.mkdir()
    (folder / "describe.py").write_text(FILM)
    entries = [
        {"id": p.id, "value": p.value, "unit": p.unit, "origin": p.origin} for p in solved.study.parameters
    ]
    for entry in entries:
        if entry["origin"] == "assumption":
            entry["assumption_id"] = entry["id"]
    (folder / "parameters.json").write_text(json.dumps(entries))
    options = ["--wanted", "0.02", "--cpu", "20", "--no-examine", "-o", str(solved.description.outputs)]
    done = CliRunner().invoke(app, ["solve", str(folder), *options])
    assert done.exit_code == 0, done.output
    number, phase = solved["R"], solved["phase"]
    assert f"{number.value:.8g} +- {number.uncertainty:.2g}\n" in done.output
    assert f"{phase.value:.8g} +- {phase.uncertainty:.2g} rad\n" in done.output
    assert "CPU time used now: 0.0 s" in done.output
    again = reprolab.solve(folder, outputs=solved.description.outputs, budget=20, wanted=0.02, examine=False)
    assert [q.value for q in again] == [q.value for q in solved] and again.study.digest == solved.study.digest


def test_what_was_solved_cannot_be_changed(solved):
    with pytest.raises(dataclasses.FrozenInstanceError):
        solved["R"].unit = "um"
    with pytest.raises(ValueError, match="read-only"):
        solved["spectrum"].points.y[0] = 0
    with pytest.raises(ValueError, match="frozen"):
        solved["R"].result.value = 0.0


def test_it_shows_itself_and_nothing_of_others_as_tags(solved):
    for shown in (solved, *solved, solved.description, reprolab.compare(solved["R"], 0.297)):
        page = shown._repr_html_()
        assert "<table>" in page and "<script" not in page and str(shown)
    assert all(len(quantity.plot().axes) == 1 for quantity in solved)
    with pytest.raises(InputError, match="solved\\[NAME\\]"):
        solved.plot()
    with pytest.raises(InputError, match="R, phase, spectrum"):
        solved["T"]


def test_it_is_compared_as_a_target_of_a_run(solved, tmp_path):
    wavelengths = np.linspace(500, 800, 61)
    curve = pd.DataFrame({"wavelength_nm": wavelengths, "R": exact(wavelengths / 1000)})
    curve.to_csv(tmp_path / "paper.csv", index=False)
    found = reprolab.compare(solved["spectrum"], tmp_path / "paper.csv")
    assert found.verdict == "SUCCESS" and found.error < 5 and found.evidence.converged
    assert len(found.plot().axes) == 2 and found.to_dataframe().iloc[0]["matches"]
    assert all(check.level != "fail" for check in found.checks)
    bare = reprolab.compare(solved["spectrum"], (wavelengths, curve["R"]), x_unit="nm")
    assert bare.verdict == "SUCCESS" and bare.error == pytest.approx(found.error)
    wrong = curve.assign(R=0.5 - curve["R"])
    assert reprolab.compare(solved["spectrum"], wrong).verdict == "FAILURE"
    assert reprolab.compare(solved["R"], float(exact(np.array([0.6]))[0])).verdict == "SUCCESS"
    assert reprolab.compare(solved["R"], "a reflectance of 50 %").verdict == "FAILURE"
    with pytest.raises(InputError, match="which column"):
        reprolab.compare(solved["spectrum"], curve.assign(other=1.0))
    with pytest.raises(InputError, match="one number"):
        reprolab.compare(solved["R"], "between 10 % and 20 %, at 600 nm")
    with pytest.raises(InputError, match="one quantity"):
        reprolab.compare(solved, 0.15)


def test_what_was_changed_on_disk_is_no_evidence(solved):
    outputs = solved.description.outputs
    solved = reprolab.solve(FILM + "# another\n", PARAMETERS, outputs=outputs, budget=60, coarse=True)
    assert solved["R"].uncertainty is None and reprolab.compare(solved["R"], 0.297).verdict != "SUCCESS"
    for path in solved.folder.glob("solved_*/runs/*/data/R.csv"):
        path.write_text("R\n0.297\n")
    found = reprolab.compare(solved["R"], 0.297)
    assert found.verdict == "FAILURE" and "sha256" in " ".join(found.reasons)


def test_the_readme_s_lines_do_what_stands_below_them(tmp_path):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines, printed = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)[0]
    assert len([line for line in lines.splitlines() if line.strip()]) <= 10
    done = subprocess.run(
        [sys.executable, "-c", lines], capture_output=True, text=True, cwd=tmp_path, timeout=300
    )
    assert done.returncode == 0, done.stderr[-3000:]
    number = re.compile(r"\d+\.\d+")
    assert number.sub("#", done.stdout) == number.sub("#", printed)
    told, shown = ([float(n) for n in number.findall(said)] for said in (done.stdout, printed))
    assert told == pytest.approx(shown, rel=0.05)
    assert told[0] == pytest.approx(float(exact(np.array([0.6]), 1.5)[0]), abs=told[1])
    study = next(tmp_path.glob("outputs/studies/*/study.json"))
    assert json.loads(study.read_text())["quantities"][0]["id"] == "R"


_CELLS = """
import ast, json
space, shown = {}, []
for source in json.load(open("cells.json")):
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), space)
    if last is not None and (value := eval(compile(ast.Expression(last.value), "cell", "eval"), space)) is not None:
        shown.append(value._repr_html_())
print(json.dumps([shown, [space["found"].verdict, space["wrong"].verdict]]))
"""


@pytest.mark.long
def test_the_notebook_s_cells_run_one_after_the_other(solved, tmp_path):
    """In one process, as a kernel would; a cell's last expression is shown as Jupyter shows it. Its film was solved above."""
    outputs = {"REPROLAB_OUTPUTS": str(solved.description.outputs)}
    notebook = json.loads((ROOT / "docs/guide/film.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(not cell.get("outputs") for cell in notebook["cells"]), "outputs are stripped"
    (tmp_path / "cells.json").write_text(json.dumps(cells))
    done = subprocess.run(
        [sys.executable, "-c", _CELLS],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=300,
        env=os.environ | outputs,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    shown, verdicts = json.loads(done.stdout.splitlines()[-1])
    assert len(shown) == 4 and all("<table" in page for page in shown)
    assert verdicts == ["SUCCESS", "FAILURE"]
