"""One case: described and solved as a run's stage is, each value against what is exact."""

from __future__ import annotations

import csv
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.dossier.drawing_cases import Case
from schemas.errors import PrerequisiteError
from schemas.reproduce.simulations.numerics import QuantityResult
from tasks.files.store import Store
from tasks.reproduce.describing.in_sandbox import describe
from tasks.reproduce.measuring.values import Curve, Scalar
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.oracles import oracle
from tasks.reproduce.second.truncations import truncated
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.whole_study import study

Array = NDArray[np.float64]
NOTHING = 1e-12  # an exact value that is 0 has no size: 1 is taken
HELD, FAR = 0.95, 3.0  # of a curve's points; times the uncertainty
CPU_S = 600.0  # of one run, as measured
SECOND, SECOND_S = 1e-3, 300.0  # what the second solver leaves open at most, if it can in so many CPU seconds


@dataclass(frozen=True)
class Value:
    """One quantity beside its exact value. ratio: the largest error over its own uncertainty, the theory's own error taken off; points,
    held, far: of the curve (1 of a number), how many lie within one and beyond three uncertainties. width, error: over the value's size.
    gap: why it is none, or not as well known as was wanted."""

    id: str
    kind: str
    status: str
    gap: str = ""
    value: float | None = None
    exact: float | None = None
    uncertainty: float | None = None
    at: float | None = None
    ratio: float | None = None
    points: int = 0
    held: int = 0
    far: int = 0
    width: float | None = None
    error: float | None = None
    theory_error: float = 0.0
    grids: tuple[float, ...] = ()
    order: float | None = None
    formal: float | None = None
    how: str = ""

    @property
    def within(self) -> bool:
        """Whether the uncertainty holds the exact value; of a curve at 95 % of its points, as everywhere in ReproLab."""
        return self.points > 0 and self.held >= HELD * self.points


def solved(case: Case, budget_s: float) -> dict[str, Any]:
    """The result of a case as it is kept: what was drawn, cost, versions, and `raw`, each quantity as the study told it; or why it was
    refused."""
    kept: dict[str, Any] = {
        "family": case.family.name,
        "half": case.half,
        "number": case.number,
        "seed": case.seed,
        "key": case.key,
        "told": case.told(),
        "refused": "",
        "raw": [],
        "cpu_s": 0.0,
        "meep": "",
    }
    with tempfile.TemporaryDirectory(prefix="reprolab-dossier-") as folder:
        store = Store(Path(folder))
        try:
            made = describe(case.code, list(case.entries), store=store)
            solver = Solver(store, find_meep(), Budget(budget_s), cpu_limit_s=CPU_S)
            found = study(made, {}, solver, Path(folder), examine=False)
        except PrerequisiteError:
            raise  # no Meep, no sandbox: nothing about the case
        except Exception as error:  # noqa: BLE001  a refusal is a result
            return kept | {"refused": " ".join(f"{type(error).__name__}: {error}".split())[:400]}
        raw = [_raw(result, Path(folder)) for result in found.quantities]
    return kept | {"raw": raw, "cpu_s": found.cpu_s, "meep": found.meep_version}


def _raw(result: QuantityResult, folder: Path) -> dict[str, Any]:
    x, y, u = read(result, folder) if result.status != "no value" else (None, np.zeros(0), np.zeros(0))
    return {
        "id": result.id,
        "kind": result.kind,
        "status": result.status,
        "gap": result.trouble() or result.reason or ("no value" if result.status == "no value" else ""),
        "grids": [rung.resolution for rung in result.rungs if not rung.reason],
        "order": result.observed_order,
        "formal": result.formal_order,
        "how": next((part.how for part in result.parts if part.part == "resolution"), ""),
        "x": None if x is None else x.tolist(),
        "y": y.tolist(),
        "u": [None if np.isnan(one) else one for one in u],
    }


def judged(case: Case, kept: Mapping[str, Any]) -> list[Value]:
    """The values of a kept result beside what is exact."""
    return [_judged(case, raw) for raw in kept["raw"]]


def _judged(case: Case, raw: Mapping[str, Any]) -> Value:
    common: dict[str, Any] = {key: raw[key] for key in ("id", "kind", "status", "gap", "order", "formal")}
    common |= {"grids": tuple(raw["grids"]), "how": raw.get("how", "")}
    if not raw["y"]:
        return Value(**common)
    x = None if raw["x"] is None else np.array(raw["x"])
    y, u = np.array(raw["y"]), np.array([np.nan if one is None else one for one in raw["u"]])
    exact, own = theory(case, raw["id"], x)
    if exact is None:
        return Value(**common | {"gap": "no exact value stands beside it"})
    return Value(**common, **beside(x, y, u, exact, own, raw["kind"]))


def read(result: QuantityResult, folder: Path) -> tuple[Array | None, Array, Array]:
    """(abscissae, None of a number, values (n,), their uncertainties (n,), NaN where none is stated)."""
    if result.curve is None:
        assert result.value is not None
        u = np.nan if result.uncertainty is None else result.uncertainty
        return None, np.array([result.value]), np.array([u])
    with (folder / result.curve.path).open(encoding="utf-8") as stream:
        rows = [[float(v) if v else np.nan for v in row] for row in list(csv.reader(stream))[1:]]
    table = np.array(rows)
    return table[:, 0], table[:, 1], table[:, 2]


def theory(case: Case, name: str, x: Array | None) -> tuple[Array | None, float]:
    """(exact values (n,), their own error); None where there is none."""
    if case.family.exact is not None:
        value, own = case.family.exact(case.base, case.words, name, x)
        return np.atleast_1d(np.asarray(value, float)), own
    with tempfile.TemporaryDirectory(prefix="reprolab-dossier-") as folder:
        problem = describe(case.code, list(case.entries), store=Store(Path(folder))).resolved()
    quantity = next(q for q in problem.quantities if q.id == name)
    scene: Any = problem.scenes[0]
    found = oracle(scene, quantity, {}, x)
    if found is None and scene.type == "unit_cell" and x is not None:
        told = truncated(scene, [quantity], x.tolist(), {}, wanted=SECOND, budget_s=SECOND_S)
        return told.rungs[-1].values[name], float(np.max(told.uncertainty[name]))
    if found is None:
        return None, 0.0
    exact = found[1]
    if isinstance(exact, Scalar):
        return np.array([exact.value]), 0.0
    assert isinstance(exact, Curve)
    return np.asarray(exact.y, float), 0.0


def beside(x: Array | None, y: Array, u: Array, exact: Array, own: float, kind: str) -> dict[str, Any]:
    """What a Value says of values, their uncertainties and what is exact, all (n,)."""
    if kind in ("phase", "port_phase"):  # up to whole turns
        exact = exact + 2 * np.pi * np.round(np.mean(y - exact) / (2 * np.pi))
    size = float(np.max(np.abs(exact)))
    size = size if size > NOTHING else 1.0
    gaps = np.maximum(np.abs(y - exact) - own, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(gaps == 0, 0.0, gaps / u)
    stated = np.isfinite(u)
    worst = int(np.argmax(np.where(stated, ratios, -1.0)))
    known = bool(stated.any())
    return {
        "value": float(y[worst]),
        "exact": float(exact[worst]),
        "uncertainty": float(u[worst]) if known else None,
        "at": None if x is None else float(x[worst]),
        "ratio": min(float(ratios[worst]), 1e9) if known else None,
        "points": int(y.size),
        "held": int(np.sum(stated & (ratios <= 1))),
        "far": int(np.sum(stated & (ratios > FAR))),
        "width": float(np.nanmax(u)) / size if known else None,
        "error": float(np.max(np.abs(y - exact))) / size,
        "theory_error": own,
    }


def from_kept(entry: Mapping[str, Any]) -> list[Value]:
    """The values of a judged result."""
    return [Value(**{**one, "grids": tuple(one["grids"])}) for one in entry["values"]]


def written(entry: Mapping[str, Any]) -> str:
    """A result in one line of JSON."""
    return json.dumps(_short(entry), sort_keys=True, ensure_ascii=False)


def _short(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.7g}")
    if isinstance(value, Mapping):
        return {key: _short(one) for key, one in value.items()}
    return [_short(one) for one in value] if isinstance(value, (list, tuple)) else value
