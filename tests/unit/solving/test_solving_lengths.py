"""Papers in units of a: what is described in um and asked in c/a, or the other way, converts where a is known."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from flows.reproduce.designing.axes_of_answers import axis_issues, length_issues
from schemas.reproduce.planning.parameters import ExtractedParameter
from simkit.describe.measured import Measured as Own
from simkit.describe.parameters import parameters_from
from simkit.describe.resonator import ResonanceFrequency
from simkit.describe.waveguide import Attenuation
from tasks.reproduce.describing.lengths import Lengths, lattice_um, lengths_of
from tasks.reproduce.evidence.not_computed import UnitError
from tasks.reproduce.evidence.units import convert
from tasks.reproduce.measuring import Curve, Measured, Scalar
from tasks.reproduce.solving.as_executions import Place, _dataset
from tasks.reproduce.solving.columns import columns_of
from tests.unit.agents.agents_fixture import DIP

pytestmark = pytest.mark.unit
BY_A = DIP.model_copy(update={"unit": "c/a"})
BY_NM = DIP.model_copy(update={"unit": "nm", "x_unit": "nm"})


def _declared(name: str, unit: str, value: float = 0.5) -> Any:
    return parameters_from(
        [{"id": name, "value": value, "unit": unit, "origin": "assumption", "assumption_id": "A1"}]
    )


def _input(name: str, value: str, unit: str) -> ExtractedParameter:
    return ExtractedParameter(
        name=name, value=value, unit=unit, role="input", quotation=f"{value} {unit}", place="text"
    )


@pytest.mark.parametrize(
    ("name", "unit", "inputs", "lattice"),
    [
        ("a", "um", (), 0.5),
        ("lattice_constant", "nm", (), 5e-4),
        ("radius", "um", (), None),
        ("a", "a", (), None),
        ("r", "a", (_input("a", "500", "nm"),), 0.5),
        ("r", "a", (_input("a", "0.2", "a"),), None),
    ],
)
def test_how_long_a_is(
    name: str, unit: str, inputs: tuple[ExtractedParameter, ...], lattice: float | None
) -> None:
    found = lattice_um(_declared(name, unit), inputs)
    assert found == (None if lattice is None else pytest.approx(lattice))


def _written(value: Measured, lengths: Lengths, folder: Path) -> Any:
    quantity = SimpleNamespace(id="f", type="resonance_frequency", answers=("fig1_dip",))
    made: Any = SimpleNamespace(
        group=SimpleNamespace(
            sweep=None,
            description=SimpleNamespace(problem=SimpleNamespace(quantities=(quantity,), sweeps=())),
        )
    )
    dataset = _dataset(made, "f", value, folder, Place("s", folder, lengths, "1", "A"))
    rows = np.loadtxt(folder / "f.csv", delimiter=",", skiprows=1, ndmin=2)
    return [column.unit for column in dataset.columns], rows.tolist()


def test_results_are_told_in_the_paper_s_lengths(tmp_path: Path) -> None:
    """An assumed a of 1 um, or a real one, left every result in c/um, which no target in c/a could be compared with."""
    metric = lengths_of(_declared("a", "um"), (), (BY_A,))
    assert _written(Scalar(0.8, power=-1), metric, tmp_path) == (["c/a"], [[0.4]])
    free = lengths_of(_declared("r", "a"), (_input("a", "500", "nm"),), (BY_NM,))
    units, rows = _written(Curve(np.array([0.2, 0.4]), np.array([1.0, 2.0]), "frequency", 1), free, tmp_path)
    assert units == ["c/um", "um"] and rows == [[0.4, 0.5], [0.8, 1.0]]
    own = lengths_of(_declared("r", "a"), (), (BY_A,))
    assert _written(Scalar(0.8, power=-1), own, tmp_path) == (["c/a"], [[0.8]])


def test_what_nothing_converts_is_said_before_anything_runs() -> None:
    [issue] = length_issues(lengths_of(_declared("r", "um"), (), (BY_A,)), [BY_A])
    assert (
        issue.severity == "blocking"
        and "the description in um" in issue.description
        and "called a" in issue.fix
    )
    assert not length_issues(lengths_of(_declared("a", "um"), (), (BY_A,)), [BY_A])


def _over(unit: str, type_: str, parameter_unit: str = "1") -> list[str]:
    """What is said of a target over an axis in that unit, answered by bands, or a sweep of a parameter in that unit."""
    item = SimpleNamespace(id="b", type=type_, answers=("fig1_dip",), parameter="K")
    parameters = parameters_from(
        [{"id": "K", "value": 0.25, "unit": parameter_unit, "origin": "assumption", "assumption_id": "A1"}]
    )
    problem = SimpleNamespace(
        quantities=(item,) if type_ == "bands" else (), sweeps=(item,) if type_ == "sweep" else ()
    )
    found: Any = SimpleNamespace(problem=problem, parameters=parameters, parametric={})
    target = BY_A.model_copy(update={"x_unit": unit, "kind": "curve"})
    return [issue.description for issue in axis_issues(found, [target], {}, Lengths("a"))]


@pytest.mark.parametrize(
    ("unit", "type_", "declared", "converts"),
    [
        ("1", "bands", "1", False),
        ("pi/a", "bands", "1", True),
        ("1", "sweep", "1", True),
        ("1", "sweep", "pi/a", False),
        ("2pi/a", "sweep", "pi/a", True),
        ("deg", "sweep", "rad", True),
        ("nm", "sweep", "deg", False),
    ],
)
def test_an_axis_that_nothing_converts_is_said_before_anything_runs(
    unit: str, type_: str, declared: str, converts: bool
) -> None:
    """A band over K told as a pure number, and found in 1/a, was lost after it had been solved."""
    assert bool(_over(unit, type_, declared)) is not converts


def test_a_loss_per_length_is_told_in_decibels_and_no_other_number_per_length_is(tmp_path: Path) -> None:
    """A frequency answered a target in dB/cm as if it were so many dB; what is no loss is refused before anything runs."""
    target = BY_NM.model_copy(update={"unit": "dB/cm", "x_unit": ""})
    lengths = lengths_of(_declared("r", "um"), (), (target,))
    kinds: dict[str, Any] = {
        "loss": Attenuation(id="f", scene="s", answers=(target.target_id,)),
        "own": Own(
            id="f",
            scene="s",
            answers=(target.target_id,),
            of=("g",),
            length_power=-1,
            code="def measure(g):\n    return g\n",
        ),
        "frequency": ResonanceFrequency(id="f", scene="s", answers=(target.target_id,)),
    }
    for name, quantity in kinds.items():
        problem = SimpleNamespace(quantities=(quantity,), sweeps=())
        found: Any = SimpleNamespace(problem=problem, parameters=_declared("r", "um"), parametric={})
        [(column, numbers)] = columns_of(found, "f", Scalar(0.5, power=-1), lengths)
        issues = axis_issues(found, [target], {}, lengths)
        if name == "frequency":
            assert column.unit == "c/um" and "resonance frequency" in issues[0].description
            with pytest.raises(UnitError):
                convert(numbers, column.unit, target.unit)
        else:
            assert not issues and convert(numbers, column.unit, target.unit) == pytest.approx([5e3])
