"""The run: parameters in, datasets, pictures, checks and progress out."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import meep as mp
import numpy as np

from simkit import datasets, frequency_domain, media, recording
from simkit.datasets import Column, Targets
from simkit.errors import DatasetError, ParameterError, SimkitError
from simkit.manifest import Manifest, safe_name
from simkit.params import Params, directories, read_params
from simkit.progress import Progress

_MASTER_FIRST_S = 3.0
TIME_RESERVE = 0.05  # of the limit, kept for saving
_started: Run | None = None


def start() -> Run:
    """Read params.json, open results.json and progress.jsonl, and watch every Meep run from here on.

    Call it once, first. Raises ParameterError when the environment or params.json is wrong.
    """
    global _started
    if _started is not None:
        raise SimkitError("sk.start() was called twice; call it once and pass the run on.")
    inputs, output = directories()
    mp.verbosity(0)
    if mp.count_processors() > 1:
        sys.excepthook = _end_all
    _started = Run(read_params(inputs / "params.json"), inputs, output)
    recording.watch(_started)
    frequency_domain.watch_solve_cw(_started)
    frequency_domain.watch_mode_solver(_started)
    return _started


def _end_all(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Show the error and end every process of an MPI run: the others would wait for this one until their time is up."""
    if not mp.am_master():
        time.sleep(_MASTER_FIRST_S)  # what fails in all of them is told once
    sys.__excepthook__(kind, error, trace)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(1)  # without MPI's own clean-up, which waits for the others


class Run:
    """One execution of simulation.py. Made by sk.start()."""

    def __init__(self, params: Params, inputs: Path, output: Path) -> None:
        self.params, self.inputs, self.output = params, inputs, output
        writer = bool(mp.am_master())
        self.is_writer = writer
        parameters = {
            "resolution_scale": params.resolution_scale,
            "point": dict(params.point),
            "debug": params.debug,
            "stage_id": params.stage_id,
        }
        self._manifest = Manifest(output, mp.__version__, parameters, writer)
        self.progress = Progress(output / "progress.jsonl", writer)
        self.deadline_s = params.time_limit_s - max(
            TIME_RESERVE * params.time_limit_s, min(2.0, params.time_limit_s / 4)
        )
        self._media: dict[str, Any] = {}
        self._label: str | None = None
        self._runs = 0
        self._histories: list[tuple[str, list[tuple[float, float]]]] = []
        self._warned: set[str] = set()
        self.diagnosed: list[dict[str, Any]] = []
        self.progress.report("started", force=True)

    # Parameters
    @property
    def resolution_scale(self) -> float:
        """1.0 = as designed; a convergence rung uses another value."""
        return self.params.resolution_scale

    @property
    def point(self) -> Mapping[str, Any]:
        """The sweep point, {} if there is no sweep."""
        return self.params.point

    @property
    def debug(self) -> bool:
        """True for a cheap run of the whole script."""
        return self.params.debug

    def resolution(self, base: float, multiple_of: int | None = None) -> float:
        """base x resolution_scale, pixels per um, rounded to a multiple: a whole number unless that is below 1 (long waves).

        Raises ParameterError where rounding leaves no other grid than at scale 1: two rungs on one grid show no convergence.
        """
        if base * min(self.resolution_scale, 1) < 1 and multiple_of is None:
            return base * self.resolution_scale
        step = multiple_of or 1
        found, designed = (
            max(1, round(base * scale / step)) * step for scale in (self.resolution_scale, 1.0)
        )
        if found == designed and self.resolution_scale != 1 and not self.debug:
            raise ParameterError(
                f"run.resolution({base:g}, multiple_of={step}) gives {found} pixels per um at resolution_scale "
                f"{self.resolution_scale:g} as it does at 1: the grid stays. Give a finer base, a smaller multiple, or rungs further apart."
            )
        return found

    def expect(self, seconds: float | None = None, runs: int | None = None) -> None:
        """Tell the progress how long the script takes (wall seconds) or how many sim.run calls it makes."""
        self.progress.expected_s, self.progress.expected_runs = seconds, runs

    def label(self, text: str) -> None:
        """Name the next Meep run in the manifest."""
        self._label = text[:80]

    def dependency(self, stage_id: str, file: str) -> Path:
        """Path of a file saved by a stage this one depends on; read a CSV with run.table."""
        path = self.inputs / "deps" / safe_name(stage_id, "stage id") / safe_name(file, "file")
        if not path.is_file():
            raise ParameterError(
                f"{path} does not exist; present: {sorted(p.name for p in path.parent.glob('*'))}."
            )
        return path

    def table(self, stage_id: str, file: str) -> dict[str, np.ndarray]:
        """A CSV of a dependency as {column: values (n,)}."""
        return datasets.read_csv(self.dependency(stage_id, file))

    # Materials
    def medium(self, name: str) -> Any:
        """mp.Medium of a material of params.json (poles, index, axes), its valid_freq_range set to the fit's band."""
        if name not in self._media:
            self._media[name] = media.medium_from(name, self.params.materials)
        return self._media[name]

    def epsilon(self, name: str, frequency: Any, axis: str = "x") -> np.ndarray:
        """Complex permittivity of a material along an axis at frequency (c/um, scalar or (n,)); Im > 0 is loss."""
        return media.epsilon_of(self.medium(name), frequency, axis)

    # Results
    def spectrum(
        self, id: str, x: Any, y: Sequence[Any], targets: Targets | None = None, description: str = ""
    ) -> None:
        """Save a spectrum. x and each y: (name, quantity, unit, values (n,)). targets: {column: target id or ids}."""
        self._table("spectrum", id, [x, *y], targets, description)

    def scalar(
        self, id: str, values: Sequence[Any], targets: Targets | None = None, description: str = ""
    ) -> None:
        """Save single numbers (one row). values: [(name, quantity, unit, value), ...]."""
        self._table("scalar", id, values, targets, description)

    def bands(
        self,
        id: str,
        k: Any,
        frequencies: Sequence[Sequence[float]],
        targets: Targets | None = None,
        description: str = "",
        unit: str = "c/um",
        count: int | None = None,
    ) -> None:
        """Save bands as columns band_1, band_2, ... k: (name, quantity, unit, values (n,)).

        frequencies: n rows, ascending; `count` keeps the lowest bands when rows differ in length.
        """
        rows = [sorted(float(f) for f in row) for row in frequencies]
        number = count or min((len(row) for row in rows), default=0)
        if (
            not rows
            or not number
            or any(len(row) < number or (count is None and len(row) != number) for row in rows)
        ):
            raise DatasetError(
                f"{id}: rows hold {[len(row) for row in rows]} bands. Give every k the same number, or count = the"
                " number of lowest bands that every row has."
            )
        columns = [(f"band_{b + 1}", "frequency", unit, [row[b] for row in rows]) for b in range(number)]
        self._table("bands", id, [k, *columns], targets, description)

    def field(
        self,
        id: str,
        array: Any,
        extent: Sequence[float],
        quantity: str = "field",
        unit: str = "1",
        targets: Targets | None = None,
        description: str = "",
    ) -> None:
        """Save a real 2D map (nx, ny) as NPZ (x, y, values) and PNG. extent: (x0, x1, y0, y1) in um."""
        self._manifest.check_new_id(id)
        data = np.asarray(array)
        if data.ndim != 2 or np.iscomplexobj(data) or not np.isfinite(data).all():
            raise DatasetError(
                f"{id}: a field is a finite real (nx, ny) array; found {data.dtype} {data.shape}."
            )
        x0, x1, y0, y1 = (float(v) for v in extent)
        file = self._manifest.new_file(id, ".npz")
        x, y = np.linspace(x0, x1, data.shape[0]), np.linspace(y0, y1, data.shape[1])
        if self.is_writer:
            np.savez_compressed(self.output / file, x=x, y=y, values=data.astype(float))
        axes = [{"name": n, "quantity": "position", "unit": "um"} for n in ("x", "y")]
        columns = [*axes, {"name": "values", "quantity": quantity, "unit": unit}]
        self._add_dataset("field", id, file, columns, targets, description)
        from simkit.pictures import field_picture

        field_picture(self, id, data, (x0, x1, y0, y1), f"{quantity} ({unit})", description or id)

    def picture(self, figure_or_path: Any, caption: str, name: str | None = None) -> str:
        """Add a matplotlib figure or a PNG file to the results; returns the file name."""
        stem = name or f"picture_{len(self._manifest.content['pictures']) + 1}"
        file = self._manifest.new_file(stem, ".png")
        if self.is_writer and hasattr(figure_or_path, "savefig"):
            figure_or_path.savefig(self.output / file, dpi=110)
        elif self.is_writer:
            source = Path(figure_or_path)
            if source.read_bytes()[:8] != b"\x89PNG\r\n\x1a\n":
                raise DatasetError(f"{source} is not a PNG file.")
            if source.resolve() != self.output / file:
                shutil.copyfile(source, self.output / file)
        self._manifest.add("pictures", {"file": file, "caption": caption[:300]})
        return file

    def replace_picture(self, figure: Any, name: str, caption: str) -> None:
        """Write or rewrite a picture of simkit's own under a fixed name."""
        file = f"{name}.png"
        if file not in {p["file"] for p in self._manifest.content["pictures"]}:
            self.picture(figure, caption, name)
        elif self.is_writer:
            figure.savefig(self.output / file, dpi=110)

    def saved(self, id: str) -> dict[str, Any]:
        """The manifest entry of a saved dataset; DatasetError when there is none."""
        entries = {entry["id"]: entry for entry in self._manifest.content["datasets"]}
        if id not in entries:
            raise DatasetError(f"no dataset {id!r} was saved; saved: {sorted(entries)}.")
        return entries[id]

    def check(self, name: str, value: float, unit: str = "1", detail: str = "") -> None:
        """Report a number about the simulation itself (informative; the harness judges from the data files)."""
        number = float(value)
        if not np.isfinite(number):
            raise DatasetError(f"check {name!r} is {number}; a check is a finite number.")
        self._manifest.add("checks", {"name": name, "value": number, "unit": unit, "detail": detail[:500]})

    def warn(self, text: str) -> None:
        """Record a finding about geometry or numerics once, as a check named geometry_warning."""
        if text not in self._warned:
            self._warned.add(text)
            self.check("geometry_warning", 1.0, "1", text)
            if self.is_writer:
                print("simkit warning:", text, flush=True)

    def finish(self) -> None:
        """Mark results.json complete. Refused when nothing was saved: an empty run is not a result."""
        if not self._manifest.content["datasets"]:
            raise DatasetError(
                "run.finish() without any dataset; save results with run.spectrum, run.scalar, ... first."
            )
        self._draw_history()
        self._manifest.content["complete"] = True
        self._manifest.save()
        if self.is_writer:
            self.progress.finish()

    # Used by recording and helpers
    def next_label(self) -> str:
        """The label of the Meep run about to start."""
        self._runs += 1
        text, self._label = self._label or f"simulation {self._runs}", None
        return text

    def record_simulation(self, entry: dict[str, Any], history: list[tuple[float, float]]) -> None:
        """Enter a finished (or aborted) Meep run."""
        self.progress.runs_done += 1
        self._histories.append((entry["label"], history))
        self._manifest.add("simulations", entry)
        self.progress.report(f"{entry['label']}: done in {entry['wall_s']:.2f} s")
        if not entry["stop"]["met"]:
            self._draw_history()

    def save_diagnosis(self) -> None:
        """Write what a debug run noted about its cells."""
        self._manifest.content["cells"] = self.diagnosed
        self._manifest.save()

    def name_of(self, material: Any) -> str:
        """The name under which run.medium gave a material; its index where it has a plain one."""
        for name, medium in self._media.items():
            if medium is material or medium == material:
                return name
        epsilon = getattr(getattr(material, "epsilon_diag", None), "x", None)
        return f"n = {float(np.sqrt(epsilon)):.4g}" if epsilon and epsilon > 0 else type(material).__name__

    def _table(
        self, kind: str, id: str, given: Sequence[Any], targets: Targets | None, description: str
    ) -> None:
        self._manifest.check_new_id(id)
        columns: list[Column] = [datasets.column(c, id) for c in given]
        if kind == "scalar" and any(len(c.values) != 1 for c in columns):
            raise DatasetError(f"{id}: a scalar dataset has one value a column; use run.spectrum for arrays.")
        file = self._manifest.new_file(id, ".csv")
        try:
            datasets.check_columns(id, columns)
        except DatasetError:
            if self.is_writer and len({len(c.values) for c in columns}) == 1:
                datasets.write_csv(self.output / f"rejected_{file}", columns)
            raise
        if self.is_writer:
            datasets.write_csv(self.output / file, columns)
        self._add_dataset(kind, id, file, [c.entry() for c in columns], targets, description)

    def _add_dataset(
        self,
        kind: str,
        id: str,
        file: str,
        columns: list[dict[str, str]],
        targets: Targets | None,
        description: str,
    ) -> None:
        entries = datasets.target_entries(id, [c["name"] for c in columns], targets)
        entry = {"id": id, "kind": kind, "file": file, "columns": columns, "targets": entries}
        self._manifest.add("datasets", {**entry, "description": description[:1000]})
        self.progress.report(f"saved {id}", force=True)

    def _draw_history(self) -> None:
        from simkit.pictures import history_picture

        history_picture(self, [pair for pair in self._histories if len(pair[1]) > 1])
