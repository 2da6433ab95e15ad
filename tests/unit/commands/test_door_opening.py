"""The Python door: quick to open, by the commands' code, and an error says what was wrong before anything is simulated."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reprolab
from flows.commands import app
from flows.reproduce.computing import by_hand
from reprolab.described import _entries
from schemas.errors import InputError
from simkit.describe.parameters import parameters_from
from simkit.describe.units import UNITS
from tests.unit.commands.test_start_up import SLOW

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[3]
CODE = "from simkit.describe import *\ndef describe(p):\n    return Problem(scenes=(), quantities=())\n"
LENGTHS = ("nm", "um", "mm", "THz", "eV")


def test_importing_it_loads_nothing_slow_and_none_of_ours() -> None:
    told = "import sys, reprolab; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, cwd=ROOT, check=True)
    loaded = set(done.stdout.split())
    assert "reprolab" in loaded
    assert not loaded & {*SLOW, "pydantic", "numpy", "flows", "agents", "tasks", "schemas", "simkit"}


def test_every_name_it_promises_is_there_and_an_unknown_one_is_refused() -> None:
    assert {"describe", "solve", "compare", "open_run"} <= set(dir(reprolab))
    assert all(getattr(reprolab, name).__doc__ for name in reprolab.__all__)
    with pytest.raises(AttributeError, match="it has .*solve"):
        reprolab.sovle  # noqa: B018


def test_the_command_and_the_door_solve_for_as_long_and_as_well() -> None:
    option = {name: p.default for name, p in inspect.signature(app.solve).parameters.items()}
    assert (option["wanted"], option["cpu"]) == (by_hand.WANTED, by_hand.CPU_S)
    ours = {name: p.default for name, p in inspect.signature(reprolab.solve).parameters.items()}
    assert (ours["wanted"], ours["budget"], ours["examine"]) == (
        option["wanted"],
        option["cpu"],
        option["examine"],
    )


@settings(max_examples=60, deadline=None)
@given(st.floats(1e-3, 9e5), st.sampled_from(LENGTHS), st.booleans())
def test_a_short_form_is_the_entry_that_it_stands_for(value: float, unit: str, exponent: bool) -> None:
    said = f"{value:.6e}" if exponent else f"{value:.6f}"
    [entry] = _entries({"t": f"{said} {unit}"})  # type: ignore[misc]
    given_ones = parameters_from([entry])
    made = given_ones.items()["t"]
    assert made.value == pytest.approx(float(said)) and made.unit == unit and made.origin == "assumption"
    assert given_ones.values()["t"] == pytest.approx(float(said) * UNITS[unit].factor)


@pytest.mark.parametrize(
    "value", ["", "thin", "100 nm or 120 nm", "about 100 nm", "100 nm thick", True, None, [1]]
)
def test_what_is_no_number_with_a_unit_is_refused_by_name(value: object) -> None:
    with pytest.raises(InputError, match="the parameter t is no number"):
        _entries({"t": value})  # type: ignore[dict-item]


def test_an_entry_keeps_what_it_says_of_itself() -> None:
    quoted = {"value": 15, "unit": "nm", "origin": "paper", "quotation": "a film of 15 nm"}
    assert _entries({"t": quoted, "n": 1.5}) == [
        {"id": "t", **quoted},
        {"id": "n", "value": 1.5, "origin": "assumption", "assumption_id": "n"},
    ]
    assert _entries([{"id": "t", **quoted}]) == [{"id": "t", **quoted}]
    assert _entries({"parameters": [quoted]}) == [quoted]


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (lambda root: reprolab.describe(CODE, outputs=root), "no file of parameters beside it"),
        (lambda root: reprolab.describe(root / "none", outputs=root), "there is no description"),
        (lambda root: reprolab.describe("none.py", outputs=root), "there is no description"),
        (lambda root: reprolab.describe(CODE * 4000, [], outputs=root), "the description is too long"),
        (lambda root: reprolab.describe(CODE, [1], outputs=root), "not a list of objects"),
        (lambda root: reprolab.describe(CODE, [], {"gold": 1}, outputs=root), "not an object of fits"),
        (lambda root: reprolab.open_run(outputs=root), "no such run"),
        (lambda root: reprolab.open_run("20260101", outputs=root), "no such run"),
        (lambda root: reprolab.open_run(root), "this is no run's folder"),
    ],
)
def test_what_cannot_be_had_is_said_with_the_fix(tmp_path: Path, work: object, said: str) -> None:
    with pytest.raises(InputError, match=said) as error:
        work(tmp_path)  # type: ignore[operator]
    assert isinstance(error.value, reprolab.ReproLabError) and (error.value.allowed or error.value.fix)


def test_a_run_of_another_workflow_is_named(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"workflow": "study"}')
    with pytest.raises(InputError, match="a run of the workflow study"):
        reprolab.open_run(tmp_path)
