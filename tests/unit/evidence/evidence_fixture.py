"""A stage whose executions wrote real files into a temporary run directory, as the runner leaves them."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from schemas.base import FileRef
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.materials.prepared_material import MaterialRecord
from schemas.reproduce.planning.plan import Reference, Stage, Target
from schemas.reproduce.simulations.execution import (
    Column,
    Dataset,
    DatasetTarget,
    Execution,
    MeepRun,
    StageOutputs,
)
from tasks.reproduce.judging.targets import judged_target, target_evidence

WAVELENGTH_NM = np.linspace(1500, 1600, 401)
MEEP = MeepRun(
    label="run 1", dimensions=2, cell=(2, 4, 0), resolution=50, courant=0.5, pixels=20_000, time_steps=10_000
)
Columns = Sequence[tuple[str, str, str, Sequence[float] | np.ndarray]]


def dips(
    x: np.ndarray = WAVELENGTH_NM,
    *,
    shift: float = 0,
    scale: float = 1,
    broader: float = 1,
    without: int = -1,
) -> np.ndarray:
    """Transmittance with three Lorentzian dips (1530, 1555, 1580 nm; FWHM 4, 6, 3 nm)."""
    y = np.ones_like(x)
    for number, (centre, width, depth) in enumerate(((1530, 4, 0.8), (1555, 6, 0.6), (1580, 3, 0.7))):
        if number != without:
            y -= scale * depth / (1 + ((x - centre - shift) / (broader * width / 2)) ** 2)
    return y


def curve_target(**changes: object) -> Target:
    """A transmittance curve compared with fig2.csv of the paper."""
    values: dict[str, object] = {
        "target_id": "fig2_T",
        "figure_id": "fig2",
        "description": "transmittance of the slab",
        "kind": "curve",
        "quantity": "curve",
        "x_unit": "nm",
        "reference": Reference(kind="data", file="data/fig2.csv", x_column="wavelength_nm", y_column="T"),
    }
    return Target.model_validate(values | changes)


def scalar_target(value: float = 100.0, quantity: str = "quality_factor", **changes: object) -> Target:
    """A number quoted from the paper."""
    values: dict[str, object] = {
        "target_id": "fig3_Q",
        "figure_id": "fig3",
        "description": "quality factor",
        "kind": "scalar",
        "quantity": quantity,
        "reference": Reference(kind="quotation", value=value, quotation=f"Q = {value:g}", place="Fig. 3"),
    }
    return Target.model_validate(values | changes)


def a_stage(*targets: Target, **changes: object) -> Stage:
    values: dict[str, object] = {
        "stage_id": "stage1",
        "stage_type": "SINGLE_STRUCTURE",
        "name": "slab",
        "description": "a slab",
        "targets": targets,
    }
    return Stage.model_validate(values | changes)


def write_csv(path: Path, columns: Mapping[str, Sequence[float] | np.ndarray]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow(columns)
        writer.writerows([repr(float(v)) for v in row] for row in zip(*columns.values(), strict=True))
    return path


@dataclass
class Run:
    """A run directory with a paper beside it; `add` writes one execution's dataset."""

    folder: Path
    executions: list[Execution] = field(default_factory=list)

    @property
    def root(self) -> Path:
        return self.folder / "run"

    @property
    def paper_dir(self) -> Path:
        return self.folder / "paper"

    def paper_table(self, name: str = "data/fig2.csv", **columns: Sequence[float] | np.ndarray) -> None:
        write_csv(self.paper_dir / name, columns)

    def add(
        self,
        columns: Columns,
        *,
        scale: float = 1.0,
        kind: str = "spectrum",
        targets: Mapping[str, str] | None = None,
        point: tuple[tuple[str, float], ...] = (),
        **changes: object,
    ) -> Execution:
        number = len(self.executions)
        path = write_csv(
            self.root / f"stages/stage1/e{number}/data.csv", {name: values for name, _, _, values in columns}
        )
        dataset = Dataset(
            dataset_id="data",
            kind=kind,
            file=FileRef.of(path, self.root),
            columns=tuple(Column(name=n, quantity=q, unit=u) for n, q, u, _ in columns),
            targets=tuple(DatasetTarget(target=t, column=c) for c, t in (targets or {}).items()),
            rows=len(columns[0][3]),
        )
        values: dict[str, object] = {
            "execution_id": f"{number:02d}abcdef0123456789",
            "stage_id": "stage1",
            "resolution_scale": scale,
            "point": point,
            "exit_code": 0,
            "cpu_s": 5.0,
            "complete": True,
            "datasets": (dataset,),
            "meep_runs": (MEEP,),
            "directory": f"stages/stage1/e{number}",
        }
        self.executions.append(Execution.model_validate(values | changes))
        return self.executions[-1]

    def field(
        self,
        x: np.ndarray,
        y: np.ndarray,
        z: np.ndarray,
        *,
        units: Sequence[str] = ("um", "um", "1"),
        scale: float = 1.0,
    ) -> Execution:
        """An NPZ map that answers fig4_map."""
        execution = self.add([("x", "position", units[0], x)], scale=scale, kind="field")
        path = self.root / f"{execution.directory}/map.npz"
        np.savez_compressed(path, x=x, y=y, values=z)
        names = zip(("x", "y", "values"), ("position", "position", "field"), units, strict=True)
        dataset = execution.datasets[0].model_copy(update={
            "file": FileRef.of(path, self.root), "targets": (DatasetTarget(target="fig4_map", column="values"),),
            "columns": tuple(Column(name=n, quantity=q, unit=u) for n, q, u in names)})  # fmt: skip
        self.executions[-1] = execution.model_copy(update={"datasets": (dataset,)})
        return self.executions[-1]

    def spectrum(
        self, y: np.ndarray, *, scale: float = 1.0, x: np.ndarray = WAVELENGTH_NM, **more: object
    ) -> Execution:
        columns = [("wavelength", "wavelength", "nm", x), ("T", "transmittance", "1", y)]
        return self.add(columns, scale=scale, targets={"T": "fig2_T"}, **more)  # type: ignore[arg-type]

    def scalar(self, value: float, *, scale: float = 1.0, unit: str = "1", **more: object) -> Execution:
        columns = [("Q", "quality_factor", unit, [value])]
        found: dict[str, object] = {"kind": "scalar", "targets": {"Q": "fig3_Q"}, **more}
        return self.add(columns, scale=scale, **found)  # type: ignore[arg-type]

    @property
    def outputs(self) -> StageOutputs:
        return StageOutputs(stage_id="stage1", code_sha256="0" * 64, executions=tuple(self.executions))

    def judge(
        self,
        target: Target,
        *,
        physical: bool = True,
        profile: str = "default",
        records: Mapping[str, MaterialRecord] | None = None,
        drawn: bool = False,
        **stage: object,
    ) -> TargetEvidence:
        """drawn: with the plot and the table, which take ten times as long as the judgement."""
        given: dict[str, Any] = {
            "root": self.root,
            "paper_dir": self.paper_dir,
            "profile": profile,
            "physical": physical,
            "materials": records or {},
        }
        asked = (self.outputs, a_stage(target, **stage), target)
        if drawn:
            return target_evidence(
                *asked, **given, origin="exact theory", overlay_dir=self.root / "overlays"
            )[0]
        return judged_target(*asked, **given)[0]
