"""What went wrong beside a study is said, and what cannot be right is not simulated."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from flows.cli import app
from simkit.arrange import Needs, Numerics
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.measuring import Curve
from tasks.reproduce.solving.estimate import costs_before
from tasks.reproduce.solving.groups import groups_of
from tasks.reproduce.solving.one_run import Solver
from tasks.reproduce.solving.run_left import RunFailed
from tasks.reproduce.uncertainty import beside
from tasks.reproduce.uncertainty.climbed import Climb
from tests.unit.describing.described_fixture import CODE, FILM

pytestmark = pytest.mark.unit
MADE = from_document(document(described(CODE, FILM)), declared(FILM), CODE)


def test_an_oracle_that_fails_is_a_remark(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Climb(groups_of(MADE, {})[0], Numerics(40.0), Needs(40.0))
    curve = Curve(np.array([1.5, 1.6]), np.array([0.1, 0.2]))
    quantity = MADE.problem.quantities[0]
    assert beside.beside(made, quantity, curve, None, None, {}, 60.0) is not None and not made.remarks

    def broken(*_: object) -> None:
        raise ZeroDivisionError("no wave\nthere")

    monkeypatch.setattr(beside, "oracle", broken)
    assert beside.beside(made, quantity, curve, None, None, {}, 60.0) is None
    assert made.remarks == [
        "R: theory could not be computed, so none stands beside it (ZeroDivisionError: no wave there)"
    ]


def test_a_run_whose_steps_cannot_be_timed_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RunFailed("the probe gave no numbers")

    monkeypatch.setattr(Solver, "probe", fails)
    plain = costs_before(MADE, {})
    told = costs_before(MADE, {}, Solver.__new__(Solver))
    assert [cost.remark for cost in plain] == ["", ""]
    assert all("not timed, by the model instead: the probe gave no numbers" in cost.remark for cost in told)
    assert [cost.estimated_cpu_s for cost in told] == [cost.estimated_cpu_s for cost in plain]


def test_what_inspection_refuses_is_not_simulated_unless_forced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "film").mkdir()
    (tmp_path / "film" / "describe.py").write_text(CODE.replace("Medium(index=p.n)", "Material('gold')"))
    (tmp_path / "film" / "parameters.json").write_text(
        json.dumps([item for item in FILM if item["id"] != "n"])
    )
    begun: list[object] = []
    monkeypatch.setattr("flows.reproduce.computing.by_hand.study", lambda *_, **__: begun.append(1) or 1 / 0)
    refused = CliRunner().invoke(app, ["solve", str(tmp_path / "film"), "-o", str(tmp_path / "out")])
    assert refused.exit_code == 2 and not begun
    assert "'gold' is not confirmed" in refused.stderr and "--force" in refused.stderr
    forced = CliRunner().invoke(
        app, ["solve", str(tmp_path / "film"), "-o", str(tmp_path / "out"), "--force"]
    )
    assert begun and forced.exit_code == 1 and "ZeroDivisionError" in forced.stderr
