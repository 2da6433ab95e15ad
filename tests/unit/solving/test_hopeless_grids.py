"""A ladder ends where what is wanted cannot be reached with the time that is left, or less does for a verdict, and the next grid
alone costs more than all before."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.arrange import Needs, Numerics
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.measuring import Scalar
from tasks.reproduce.solving.groups import groups_of
from tasks.reproduce.solving.one_run import ENOUGH
from tasks.reproduce.solving.varying import Missing, Outcome
from tasks.reproduce.uncertainty.aims import Aim, within
from tasks.reproduce.uncertainty.climbed import Climb
from tasks.reproduce.uncertainty.climbing import _cost_s, go_on
from tasks.reproduce.uncertainty.error_parts import Variants
from tests.unit.describing.described_fixture import CODE, FILM

pytestmark = pytest.mark.unit
SLITS = (
    (75, 815.21, 5),
    (125, 804.79, 9),
    (200, 798.37, 28),
    (400, 792.65, 224),
)  # nm, CPU s: silver, of first order


class Begun(Exception):
    """The next grid is solved."""


def made_of(rungs: tuple[tuple[float, float, float], ...]) -> Climb:
    group: Any = SimpleNamespace(name="slits", ids=("peak",), points=(), sweep=None, rungs=())
    group.with_rung, group.runs_at = lambda _: group, lambda _: []
    made = Climb(group, Numerics(75.0), Needs(75.0, order=1.0))
    made.variants["peak"] = Variants([(r, Scalar(nm)) for r, nm, _ in rungs], formal=1.0)
    made.outcomes = [(f"resolution {r:g}", Outcome({}, {str(r): (cost, cost)})) for r, _, cost in rungs]
    return made


def begun(_: str) -> None:
    raise Begun


SOLVER: Any = SimpleNamespace(tell=begun, costs={}, enough=lambda: False)


def test_a_dear_grid_that_reaches_nothing_is_not_begun() -> None:
    """525 pixels per um were begun, took 643 CPU s and were not enough."""
    made = made_of(SLITS)
    go_on(made, SOLVER, {"peak": within(0.001)}, lambda: 900.0)
    assert made.ended.startswith("no finer grid than 400 pixels per unit: what is wanted would need about")


@pytest.mark.parametrize(("left", "rungs"), [(1e6, SLITS), (900.0, SLITS[:3])])
def test_one_that_leads_there_or_is_cheap_is(
    left: float, rungs: tuple[tuple[float, float, float], ...]
) -> None:
    with pytest.raises(Begun):
        go_on(made_of(rungs), SOLVER, {"peak": within(0.001)}, lambda: left)


REGULAR = ((20, 1.16, 4), (40, 1.04, 20), (80, 1.01, 100))  # 1 for a pixel of no size, known to 0.0125


def _aim(share: float, times: float) -> Aim:
    return (replace(within(share)[0], does=times),)


def test_a_dear_grid_is_not_begun_where_what_is_known_does() -> None:
    """A fourth grid of 890 CPU s was begun for a spectrum known to two fifths of what its verdict asks for."""
    made = made_of(REGULAR)
    made.variants["peak"].formal = 2.0
    go_on(made, SOLVER, {"peak": _aim(0.01, 1.7)}, lambda: 1e6)
    assert made.ended.startswith("no finer grid than 80 pixels per unit: what it leaves open does")


@pytest.mark.parametrize(
    ("aim", "rungs"),
    [
        (_aim(0.01, 1.0), REGULAR),  # nobody said that less does: solved by hand
        (_aim(0.005, 1.7), REGULAR),  # it does not
        (_aim(0.01, 1.7), tuple((r, v, cost / 100) for r, v, cost in REGULAR)),  # cheap
        (_aim(0.01, 1.7), ((40, 1.0101, 20), (80, 1.01, 100))),  # two may agree by chance
    ],
)
def test_it_is_where_less_does_not_do_or_it_is_cheap(
    aim: Aim, rungs: tuple[tuple[float, float, float], ...]
) -> None:
    made = made_of(rungs)
    made.variants["peak"].formal = 2.0
    made.variants["peak"].typical = 0.05
    with pytest.raises(Begun):
        go_on(made, SOLVER, {"peak": aim}, lambda: 1e6)


@settings(max_examples=25, deadline=None)
@given(last=st.floats(0.5, 500), factor=st.floats(1.0, 3.0))
def test_a_grids_cost_grows_as_the_model_has_it(last: float, factor: float) -> None:
    """A grid of 163 CPU s was foreseen at 532 by pixels and steps alone, as if a small cell's step cost nothing else."""
    made = from_document(document(described(CODE, FILM)), declared(FILM), CODE)
    group = next(group for group in groups_of(made, {}) if "R" in group.ids)
    climb = Climb(group.with_rung(40.0), Numerics(40.0), group.needs())
    found = _cost_s(climb, last, 40.0 * factor, 1)
    assert last * 0.999 <= found <= last * factor**2 * 1.001
    assert _cost_s(made_of(SLITS), last, 400 * factor, 1) == pytest.approx(last * factor**2)


@pytest.mark.parametrize(("kept", "rungs"), [((560.0,), 5), ((), 4)])
def test_what_a_person_called_enough_is_taken_where_it_is_there_already(
    kept: tuple[float, ...], rungs: int
) -> None:
    """A stage that was resumed after it was called enough was judged by its first grid, though three lay on disk."""
    made = made_of(SLITS)
    there = {resolution: Scalar(790.5) for resolution in kept}
    nothing = Missing(ENOUGH.reason, "budget")

    def evaluate(numerics: Numerics, *given: Any, **more: Any) -> Outcome:
        near = next(
            (value for at, value in there.items() if abs(at / numerics.resolution - 1) < 0.5), nothing
        )
        there.clear()
        return Outcome({"peak": near})

    made.group.description = SimpleNamespace(problem=SimpleNamespace(quantities=()))  # type: ignore[assignment]
    made.group.evaluate = evaluate  # type: ignore[method-assign]
    said: Any = SimpleNamespace(tell=begun, costs={}, enough=lambda: True)
    go_on(made, said, {"peak": within(0.001)}, lambda: 1e6, most=5)
    assert len(made.variants["peak"].rungs) == rungs
    assert ("a person said that it is enough" in made.ended) is not bool(kept)
