"""R, T and A that stand in tables of their own, as described quantities do, balance where they are of one scene."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from schemas.reproduce.judging.evidence import PhysicsEvidence
from schemas.reproduce.simulations.numerics import QuantityResult, StudyResult
from tasks.reproduce.evidence.possible import physics_evidence
from tests.unit.evidence.evidence_fixture import WAVELENGTH_NM, Run, a_stage, curve_target, dips

pytestmark = pytest.mark.unit
Measured = list[tuple[str, str, str, str, np.ndarray, np.ndarray]]  # id, kind, scene, axis, x, y


def _physics(folder: Path, measured: Measured, balance: str = "lossless") -> PhysicsEvidence:
    """The checks of a study; each quantity is a table of its own, a sweep names its quantity as scene."""
    run = Run(folder)
    for name, kind, _, axis, x, y in measured:
        made = run.add([(axis, axis, "c/um", x), (name, kind, "1", y)], targets={name: "fig2_T"})
        run.executions[-1] = made.model_copy(
            update={"datasets": (made.datasets[0].model_copy(update={"dataset_id": name}),)}
        )
    study = StudyResult(
        digest="d",
        quantities=tuple(
            QuantityResult(id=name, kind=kind, scene=scene, status="converged")
            for name, kind, scene, *_ in measured
        ),
    )
    outputs = run.outputs.model_copy(update={"study": study})
    return physics_evidence(outputs, a_stage(curve_target(), expected_balance=balance), run.root)


def _rt(off: float, scene: str = "film") -> Measured:
    t = 0.9 * dips()
    return [
        ("R", "reflectance", "film", "frequency", WAVELENGTH_NM, 1 - t - off),
        ("T", "transmittance", scene, "frequency", WAVELENGTH_NM, t),
    ]


@pytest.mark.parametrize(("off", "level"), [(0.001, "pass"), (0.04, "warning"), (0.06, "fail")])
def test_quantities_of_one_scene_are_balanced(tmp_path: Path, off: float, level: str) -> None:
    """The energy check always warned: R and T of a description are never columns of one table."""
    found = _physics(tmp_path, _rt(off))
    assert found.level == level
    [energy] = [check for check in found.checks if check.name.startswith("energy balance")]
    assert "film over frequency: R of R, T of T" in energy.source


def test_absorptance_joins_them_where_there_is_loss(tmp_path: Path) -> None:
    r, t, a = np.full(401, 0.2), 0.5 * dips(), 0.76 - 0.5 * dips()
    tables: Measured = [
        (name, kind, "film", "frequency", WAVELENGTH_NM, y)
        for name, kind, y in (("R", "reflectance", r), ("T", "transmittance", t), ("A", "absorptance", a))
    ]
    energy = [
        c for c in _physics(tmp_path, tables, "lossy").checks if c.name == "energy balance, R + T + A = 1"
    ]
    assert [check.level for check in energy] == ["pass"] and "0.0400" in energy[0].measured


def test_what_cannot_balance_is_no_warning(tmp_path: Path) -> None:
    alone = _physics(tmp_path / "alone", _rt(0.08)[:1])
    elsewhere = _physics(tmp_path / "elsewhere", _rt(0.08, scene="another"))
    port = _physics(tmp_path / "port", [*_rt(0.08)[:1], ("T", "port_transmittance", *_rt(0.08)[1][2:])])
    assert not [
        c
        for found in (alone, elsewhere, port)
        for c in found.checks
        if "balance" in c.name or c.level != "pass"
    ]


def test_sweeps_of_one_scene_are_balanced_where_both_were_computed(tmp_path: Path) -> None:
    x = np.linspace(0.1, 0.5, 9)
    more = np.union1d(x, [0.33])  # one of them was refined
    made: Measured = [
        ("R", "reflectance", "film", "frequency", x[:3], 0.3 + 0 * x[:3]),
        ("T", "transmittance", "film", "frequency", x[:3], 0.7 + 0 * x[:3]),
        ("over_R", "reflectance", "R", "t", x, x),
        ("over_T", "transmittance", "T", "t", more, 0.9 - more),
    ]
    found = [c for c in _physics(tmp_path, made).checks if c.name.startswith("energy balance")]
    assert [(c.level, "film over t" in c.source) for c in found] == [("pass", False), ("fail", True)]
